"""What an answer must speak to: the question without the names of those whose words alone are looked at."""

from __future__ import annotations

import re
from collections.abc import Sequence

from onrecord.retrieve.question import subject
from onrecord.retrieve.wording import named
from onrecord.types import FILTER_FIELDS, Evidence


def about(evidence: Evidence) -> str:
    """The subject of the question. That a speaker who was asked for speaks is no sign that they speak of it,
    nor is the name of a firm or a show in its own recordings, where whoever welcomes to them says it most:
    their names are left out, unless nothing else is asked."""
    speakers, recordings = _named(evidence)
    return subject(_without(recordings, _without(speakers, evidence.question.text)))


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
