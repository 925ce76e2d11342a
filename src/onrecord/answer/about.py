"""What an answer must speak to: the question without the names of those whose words alone are looked at."""

from __future__ import annotations

import re
from collections.abc import Sequence

from onrecord.retrieve.question import subject
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.wording import named
from onrecord.types import FILTER_FIELDS, Evidence

LOOKED_AT = 8
"""How many of the best moments tell whether a question is answered; quotes are chosen from as many."""


def about(evidence: Evidence) -> str:
    """The subject of the question. That a speaker who was asked for speaks is no sign that they speak of it,
    nor is the name of a firm or a show in its own recordings, where whoever welcomes to them says it most:
    their names are left out, unless nothing else is asked."""
    speakers, recordings = _named(evidence)
    return subject(_without(recordings, _without(speakers, evidence.question.text)))


def asked(evidence: Evidence) -> str:
    """The same with the names of speakers: what quotes are chosen for."""
    speakers, recordings = _named(evidence)
    text = evidence.question.text
    bare = _without(speakers, text)
    return subject(text if _without(recordings, bare) == bare else _without(recordings, text))


def _named(evidence: Evidence) -> tuple[list[str], list[str]]:
    """The words that filters were read from: of speakers; of recordings, by themselves or an attribute."""
    filters = evidence.plan.filters if evidence.plan else ()
    speakers = [kept.said for kept in filters if kept.field == "speaker"]
    free = [kept.said for kept in filters if kept.field == "recording" or kept.field not in FILTER_FIELDS]
    return speakers, free


def _without(names: Sequence[str], text: str) -> str:
    """A text without some names; all of it where nothing is left."""
    some = "|".join(re.escape(name) for name in names if name)
    if not some:
        return text
    left = " ".join(re.sub(rf"\b(?:{some})\b(?:['\u2019]s\b)?", " ", text).split())
    return left if any(named(word) for word in subject(left).split()) else text


def nearness(evidence: Evidence, text: str, tools: Tools) -> float | None:
    """The best cosine of the passages found with a text other than the question's subject; None where it is
    the same, or nothing was embedded. At most one embedding."""
    rows = [p.row for moment in evidence.moments[:LOOKED_AT] for p in moment.passages]
    if tools.embedder is None or not rows or text == subject(evidence.question.text):
        return None
    vectors = tools.store.vectors(rows)
    return float((vectors @ tools.embedder.embed_query(text)).max()) if vectors.size else None
