"""The filters that hold: those that the user leaves to be read, that are of the whole question, and that
leave something to search. What cannot be together is left out, and that is said."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from onrecord.retrieve.plan.attributes import QUARTERS, YEARS
from onrecord.retrieve.plan.known import Known
from onrecord.retrieve.plan.reading import scope_of
from onrecord.stores.base import Reader
from onrecord.stores.scope import check_scope, fold
from onrecord.types import FILTER_FIELDS, Filter, Question, Scope

_WEAKEST_FIRST = ("since", "until", "section", "language")
"""Dates are the first to go; then sections, languages, quarters, which may only be spoken of, attributes;
recordings and people last."""
_MOST_TRIED = 64


def loosened(
    filters: Sequence[Filter], base: Scope, known: Known, reader: Reader
) -> tuple[tuple[Filter, ...], Scope, tuple[Filter, ...]]:
    """The filters that are kept, the scope that they make, and those that were left out: as few as possible,
    the weakest first. `base` is what the user gave by other means and is never loosened."""
    group = _groups(list(_carried_by_any(filters, known)))
    groups = sorted(set(group.values()), key=_strength)
    tried = 0
    for count in range(len(groups) + 1):
        for left_out in combinations(groups, count):
            kept = tuple(found for found in filters if found in group and group[found] not in left_out)
            scope = narrowed(kept, base, known)
            tried += 1
            if scope is not None and (not kept or _any_within(scope, known, reader)):
                return kept, scope, tuple(found for found in filters if found not in kept)
            if tried == _MOST_TRIED:
                return (), base, tuple(filters)
    return (), base, tuple(filters)


def _carried_by_any(filters: Sequence[Filter], known: Known) -> Iterator[Filter]:
    """Without the values of an attribute that nothing has, beside others of the same."""
    several = _several(filters)
    for found in filters:
        if found.field not in several or known.fitting.carrying(found.field, found.value):
            yield found


def _any_within(scope: Scope, known: Known, reader: Reader) -> bool:
    """Whether a passage is in scope. Every recording has some, and so has everybody who speaks in one: only
    for sections need those of thousands be gathered."""
    check_scope(scope)
    within = known.fitting.within(scope)
    if scope.speakers:
        within &= frozenset().union(*map(known.fitting.speaking, scope.speakers))
    return bool(within) and (not scope.sections or len(reader.line(scope)) > 0)


def narrowed(filters: Sequence[Filter], base: Scope, known: Known) -> Scope | None:
    """The scope that filters make within another. Several values of one attribute become the recordings
    that carry one of them; None where there is no such recording."""
    scope = scope_of(filters, base)
    several = _several(filters)
    if not several:
        return scope
    found = known.fitting.within(scope)
    for name, values in several.items():
        found &= frozenset().union(*(known.fitting.carrying(name, value) for value in values))
    return replace(scope, recordings=known.fitting.in_order(found)) if found else None


def _several(filters: Sequence[Filter]) -> dict[str, set[str]]:
    values: dict[str, set[str]] = {}
    for found in filters:
        if found.field not in FILTER_FIELDS:
            values.setdefault(found.field, set()).add(fold(found.value))
    return {name: some for name, some in values.items() if len(some) > 1}


def _groups(filters: Sequence[Filter]) -> dict[Filter, str]:
    """What each is left out with: since and until are one; so are a quarter and the year named with it, as
    the same quarter of another year is not meant."""
    with_year = {found.said: found.field for found in filters if _plain(found.field) in QUARTERS}
    group: dict[Filter, str] = {}
    for found in filters:
        name = "since" if found.field == "until" else found.field
        of_time = name == "since" or _plain(name) in YEARS
        group[found] = with_year.get(found.said, name) if of_time else name
    return group


def _plain(field: str) -> str:
    return field.lower().replace("_", " ").replace("-", " ")


def _strength(field: str) -> tuple[int, str]:
    if field in _WEAKEST_FIRST:
        return _WEAKEST_FIRST.index(field), field
    timed = _plain(field) in (*QUARTERS, *YEARS)
    return {"recording": 8, "speaker": 9}.get(field, 4 if timed else 5), field


# ---------------------------------------------------------------- of all that was read


def left_open(found: Filter, question: Question, without: Collection[str]) -> bool:
    """Whether the user leaves this field to be read from the question."""
    given = {
        "recording": question.scope.recordings,
        "speaker": question.scope.speakers,
        "since": question.scope.since or question.scope.until,
        "until": question.scope.since or question.scope.until,
        "language": question.scope.languages,
        "section": question.scope.sections,
        **question.scope.attributes,
    }
    return found.field not in without and not given.get(found.field)


def of_all_sides(filters: Sequence[Filter], compared: Sequence[str]) -> Iterator[Filter]:
    """Without the filters that only some sides of a comparison name: "compare TD Bank with its rivals" is not
    asked of TD Bank alone. Each side is read by itself when it is searched for."""

    def everywhere(found: Filter) -> bool:
        alike = [other.said for other in filters if other.field == found.field]
        return all(any(said in side for said in alike) for side in compared)

    shared = {found.said for found in filters if everywhere(found)}
    for found in filters:
        if found.said in shared or not any(found.said in side for side in compared):
            yield found
