"""Filters that leave something to search: what cannot be together is left out, and that is said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from onrecord.retrieve.plan.attributes import QUARTERS, YEARS
from onrecord.retrieve.plan.known import Known
from onrecord.retrieve.plan.reading import scope_of
from onrecord.stores.base import Reader
from onrecord.stores.scope import check_scope, fold, in_scope
from onrecord.types import FILTER_FIELDS, Filter, Scope

_WEAKEST_FIRST = ("since", "until", "section", "language")
"""Dates are the first to go; then sections, languages, quarters, which may only be spoken of, attributes;
recordings and people last."""
_MOST_TRIED = 64


def loosened(
    filters: Sequence[Filter], base: Scope, known: Known, reader: Reader
) -> tuple[tuple[Filter, ...], Scope, tuple[Filter, ...]]:
    """The filters that are kept, the scope that they make, and those that were left out: as few as possible,
    the weakest first. `base` is what the user gave by other means and is never loosened."""
    groups = sorted({_group(found) for found in filters}, key=_strength)
    tried = 0
    for count in range(len(groups) + 1):
        for left_out in combinations(groups, count):
            kept = tuple(found for found in filters if _group(found) not in left_out)
            scope = narrowed(kept, base, known)
            tried += 1
            if scope is not None and (not kept or _any_within(scope, known, reader)):
                return kept, scope, tuple(found for found in filters if found not in kept)
            if tried == _MOST_TRIED:
                return (), base, tuple(filters)
    return (), base, tuple(filters)


def _any_within(scope: Scope, known: Known, reader: Reader) -> bool:
    """Whether a passage is in scope. Every recording has some: where no speaker or section is asked for, the
    first that fits tells, and the passages of thousands need not be gathered."""
    if scope.speakers or scope.sections:
        return len(reader.line(scope)) > 0
    check_scope(scope)
    return any(in_scope(recording, scope) for recording in known.recordings)


def narrowed(filters: Sequence[Filter], base: Scope, known: Known) -> Scope | None:
    """The scope that filters make within another. Several values of one attribute become the recordings
    that carry one of them; None where there is no such recording."""
    scope = scope_of(filters, base)
    several = _several(filters)
    if not several:
        return scope
    fitting = [
        recording.id
        for recording in known.recordings
        if in_scope(recording, scope)
        and all(
            fold(recording.details.attributes.get(name, "")) in values for name, values in several.items()
        )
    ]
    return replace(scope, recordings=tuple(fitting)) if fitting else None


def _several(filters: Sequence[Filter]) -> dict[str, set[str]]:
    values: dict[str, set[str]] = {}
    for found in filters:
        if found.field not in FILTER_FIELDS:
            values.setdefault(found.field, set()).add(fold(found.value))
    return {name: some for name, some in values.items() if len(some) > 1}


def _group(found: Filter) -> str:
    """What is left out together: since and until are one."""
    return "since" if found.field == "until" else found.field


def _strength(field: str) -> tuple[int, str]:
    if field in _WEAKEST_FIRST:
        return _WEAKEST_FIRST.index(field), field
    timed = field.lower() in (*QUARTERS, *YEARS)
    return {"recording": 8, "speaker": 9}.get(field, 4 if timed else 5), field
