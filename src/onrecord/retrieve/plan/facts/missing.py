"""That the archive has nothing of a quarter or year that is asked for: another one is not it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from onrecord.retrieve.plan.asked import Asked, low
from onrecord.retrieve.plan.attributes import QUARTER, QUARTERS, YEARS
from onrecord.retrieve.plan.calendar_words import ORDINALS, either
from onrecord.retrieve.plan.facts.words import told_in
from onrecord.retrieve.plan.reading import Background
from onrecord.retrieve.plan.stretches import YEAR
from onrecord.stores.base import Reader
from onrecord.types import Fact, Filter, Scope

_MOST = 500
"""Passages with the year in which the quarter is looked for."""
_SPOKEN_OF = re.compile(
    r"\b(?:about|on|regarding|for|with|to|than|since|vs\.?|versus|sur|pour|que|avec|depuis) (?:the |le )?$"
)
"""What stands before a quarter that is a subject, of which others may speak."""


def missing(
    asked: Asked,
    wanted: Sequence[Filter],
    left_out: Sequence[Filter],
    scope: Scope,
    against: Background,
    language: str | None,
) -> tuple[Fact, ...]:
    """That no recording fits the filters that are `wanted`, where one of those `left_out` is a quarter of a
    year, or a fiscal year. It is the whole answer where that is not even spoken of in the `scope` of what
    is left."""
    kept = {found.field for found in wanted if found not in left_out}
    timed = (found.said for found in left_out if _is_timed(found) and found.field not in kept)
    said = next((words for words in timed if re.search(YEAR, words)), None)
    if said is None or _SPOKEN_OF.search(asked.low[: max(0, asked.text.find(said))]):
        return ()
    base = against.known.fitting.within(against.within)
    words = tuple(dict.fromkeys(found.said for found in wanted if found.said))
    return (
        Fact(told_in(language).fitting(0, len(base), words), whole=not _heard(said, scope, against.reader)),
    )


def _is_timed(found: Filter) -> bool:
    return found.field.lower().replace("_", " ") in (*QUARTERS, *YEARS)


def _heard(said: str, scope: Scope, reader: Reader) -> bool:
    """Whether somebody says it, as "Q3 2019" or as "the third quarter of fiscal 2019"."""
    line = reader.line(scope)
    spoken = re.compile(_spoken(low(said)))
    year = re.findall(YEAR, low(said))[-1]
    rows = line.rows[reader.keyword([year], line) > 0][:_MOST]
    return any(spoken.search(low(passage.text)) for passage in reader.passages(rows))


def _spoken(said: str) -> str:
    """A pattern for a year, and for the quarter of it where there is one."""
    year = re.findall(YEAR, said)[-1]
    named = QUARTER.search(said)
    if named is None:
        return rf"\b{year}\b"
    which = int(named["q"] or ORDINALS[named["nth"]])
    names = either(word for word, number in ORDINALS.items() if number == which and not word.isdigit())
    quarter = rf"(?:[qt]{which}|{names} (?:fiscal )?(?:quarter|trimestre))"
    return rf"\b{quarter}(?:\W+(?:of|the|in|fiscal|year|fy|de|du|l|exercice)\b)*\W+(?:fy)?{year}\b"
