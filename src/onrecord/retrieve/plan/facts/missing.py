"""That the archive has nothing of a quarter or year that is asked for: another one is not it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from onrecord.retrieve.plan.asked import Asked, low
from onrecord.retrieve.plan.attributes import QUARTERS, YEARS
from onrecord.retrieve.plan.facts.words import told_in
from onrecord.retrieve.plan.reading import Background
from onrecord.retrieve.plan.stretches import YEAR
from onrecord.stores.words import STOP
from onrecord.types import Fact, Filter

_SPOKEN_OF = re.compile(
    r"\b(?:about|on|regarding|for|with|to|than|since|vs\.?|versus|sur|pour|que|avec|depuis) (?:the |le )?$"
)
"""What stands before a quarter that is a subject, of which others may speak."""


def missing(
    asked: Asked,
    wanted: Sequence[Filter],
    left_out: Sequence[Filter],
    against: Background,
    language: str | None,
) -> tuple[Fact, ...]:
    """That no recording fits the filters that are `wanted`, where one of those `left_out` is a quarter of a
    year, or a fiscal year. It is the whole answer where that is not even spoken of in another recording."""
    kept = {found.field for found in wanted if found not in left_out}
    timed = (found.said for found in left_out if _is_timed(found) and found.field not in kept)
    said = next((words for words in timed if re.search(YEAR, words)), None)
    if said is None or _SPOKEN_OF.search(asked.low[: max(0, asked.text.find(said))]):
        return ()
    base = against.known.fitting.within(against.within)
    words = tuple(dict.fromkeys(found.said for found in wanted if found.said))
    return (Fact(told_in(language).fitting(0, len(base), words), whole=not _heard(said, against)),)


def _is_timed(found: Filter) -> bool:
    return found.field.lower().replace("_", " ") in (*QUARTERS, *YEARS)


def _heard(said: str, against: Background) -> bool:
    """Whether all words of it are said in one passage."""
    line = against.reader.line(against.within)
    both = np.ones(len(line), bool)
    for word in re.findall(r"\w+", low(said)):
        if word not in STOP:
            both &= against.reader.keyword([word], line) > 0
    return bool(both.any())
