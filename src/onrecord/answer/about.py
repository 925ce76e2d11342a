"""What an answer must speak to: the question without the names of those whose words alone are looked at."""

from __future__ import annotations

import re

from onrecord.retrieve.question import subject
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.wording import named
from onrecord.types import Evidence

LOOKED_AT = 8
"""How many of the best moments tell whether a question is answered; quotes are chosen from as many."""


def about(evidence: Evidence) -> str:
    """The subject of the question. That a speaker who was asked for speaks is no sign that they speak of it,
    so their name is left out, unless nothing else is asked."""
    text = subject(evidence.question.text)
    filters = evidence.plan.filters if evidence.plan else ()
    names = [re.escape(kept.said) for kept in filters if kept.field == "speaker" and kept.said]
    if not names:
        return text
    bare = subject(" ".join(re.sub(rf"\b(?:{'|'.join(names)})\b", " ", text).split()))
    return bare if any(named(word) for word in bare.split()) else text


def nearness(evidence: Evidence, text: str, tools: Tools) -> float | None:
    """The best cosine of the passages found with a text other than the question's subject; None where it is
    the same, or nothing was embedded. At most one embedding."""
    rows = [p.row for moment in evidence.moments[:LOOKED_AT] for p in moment.passages]
    if tools.embedder is None or not rows or text == subject(evidence.question.text):
        return None
    vectors = tools.store.vectors(rows)
    return float((vectors @ tools.embedder.embed_query(text)).max()) if vectors.size else None
