"""Those of whom one thing is asked in turn: who gives way to whom, and their comparison."""

from __future__ import annotations

import re
from collections.abc import Sequence

from onrecord.retrieve.plan.asked import Asked
from onrecord.retrieve.plan.attributes import QUARTERS, YEARS
from onrecord.retrieve.plan.follow import Before, topic
from onrecord.retrieve.plan.known import EPISODES, Known
from onrecord.retrieve.plan.loosen import narrowed
from onrecord.types import FILTER_FIELDS, Filter, Scope

_NO_PLACES = (*FILTER_FIELDS, *QUARTERS, *YEARS, *EPISODES)


def _places(filters: Sequence[Filter]) -> list[Filter]:
    """The firms, shows and the like: no quarter, no number."""
    return [found for found in filters if found.field.lower().replace("_", " ") not in _NO_PLACES]


def elsewhere(new: Sequence[Filter], before: Before, known: Known) -> list[str]:
    """Those whom the question before asked for and who do not speak at the firm that this one names."""
    places = _places(new)
    if not places:
        return []
    scope = narrowed(places, Scope(), known)
    there = known.fitting.within(scope) if scope else frozenset[str]()
    asked_for = (found.value for found in before.filters if found.field == "speaker")
    return [name for name in asked_for if there.isdisjoint(known.fitting.speaking(name))]


def sides(
    before: Before, new: Sequence[Filter], names: Sequence[str], gone: Sequence[str]
) -> tuple[str, ...]:
    """What those are called of whom the same was asked, with the one whom a turn names: a firm in place of a
    firm or of people who are `gone`, somebody in place of somebody."""
    places = _places(new)
    said = [*names, *(found.said for found in places)]
    if not said:
        return before.sides
    fields = {*(found.field for found in places), *(["speaker"] if names else [])}
    earlier = [found.said for found in before.filters if found.field in fields or found.value in gone]
    return tuple(dict.fromkeys((*(before.sides or earlier), *said))) if len(said) == 1 and earlier else ()


_COMPARED = re.compile(
    r"^(?:(?:and|so|now|please|then|can you|could you|et|alors),? )*(?:"
    r"(?:compare|contrast) (?:them|the two|both|these|those)(?: two)?|how do they (?:differ|compare)|"
    r"what(?:'s| is| are) the differences?(?: between them)?|comparez?(?:-les| les deux)|"
    r"quelles? (?:est|sont) (?:la|les) differences?(?: entre (?:eux|elles))?)[ ?.!]*$"
)


def compared(asked: Asked, before: Before) -> Asked | None:
    """ "Compare them": those of whom the same was asked, in what was asked. None for anything else."""
    if len(before.sides) < 2 or not _COMPARED.match(asked.low):
        return None
    return Asked.of(f"Compare {' and '.join(before.sides)} on {topic(before.text)}")
