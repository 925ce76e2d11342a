"""Looking things up: a recording by what people call it, passages by when they were said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from onrecord.errors import InputError, NotFoundError, did_you_mean, nearest_named
from onrecord.stores import Store
from onrecord.stores.scope import fold, names_speaker
from onrecord.types import Passage, Recording, Scope


def find(store: Store, name: str) -> Recording:
    """The one recording that is meant: see `Archive.find`."""
    exact = store.recording(name)
    if exact:
        return exact
    recordings, wanted = store.recordings(), name.casefold()
    for matches in (
        [r for r in recordings if r.title.casefold() == wanted],
        [r for r in recordings if r.id.startswith(wanted)],
        [r for r in recordings if wanted in r.title.casefold()],
    ):
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise NotFoundError(f"{name!r} could be any of: {_few(r.id for r in matches)}")
    near = nearest_named(name, [known for r in recordings for known in (r.title, r.id)])
    hint = did_you_mean(near) or "`onrecord list` shows what there is"
    raise NotFoundError(f"no recording {name!r} in workspace {store.workspace!r}: {hint}")


def is_called(recording: Recording, name: str) -> bool:
    """Whether this is the recording's id or title in full."""
    return name in (recording.id, recording.title) or name.casefold() == recording.title.casefold()


def resolve_scope(store: Store, scope: Scope) -> Scope:
    """The scope with recordings by their ids, and calls as they are written here: see `Archive.resolved`."""
    check_dates(scope)
    scope = with_calls(store, scope)
    return replace(scope, recordings=tuple(find(store, name).id for name in scope.recordings))


_CALLS: Mapping[str, tuple[str, ...]] = {
    "company": ("company", "bank", "firm", "issuer", "organization", "ticker"),
    "year": ("year", "fiscal_year", "fy"),
    "quarter": ("quarter", "fiscal_quarter"),
}
"""What earnings calls are told apart by, and the attributes that may hold it, in this order."""


def with_calls(store: Store, scope: Scope) -> Scope:
    """The scope with a company, year and quarter by the attributes that hold them here, as they are written
    there: "halden", "2024" and "3" are the company Halden Cycles, the fiscal_year FY2024 and the quarter Q3.

    What an attribute of that very name has stays as it is, and so does what nothing here has. Raises
    InputError for a company that could be several.
    """
    asked = {name: value for name, value in scope.attributes.items() if name in _CALLS}
    if not asked:
        return scope
    attributes = [recording.details.attributes for recording in store.recordings()]
    given = {name: value for name, value in scope.attributes.items() if name not in _CALLS}
    for name, value in asked.items():
        held, known = _held(_CALLS[name], attributes)
        given[held or name] = _hints(name, value, known)
    return replace(scope, attributes=given)


def _held(names: Sequence[str], attributes: Sequence[Mapping[str, str]]) -> tuple[str, list[str]]:
    """The first of the attributes that a recording has, and its values."""
    for name in names:
        if values := sorted({each[name] for each in attributes if name in each}):
            return name, values
    return "", []


def _hints(name: str, value: str, known: Sequence[str]) -> str:
    """The one of the known values that is meant; the value itself where none is."""
    exact = [each for each in known if fold(each) == fold(value)]
    if exact or not known:
        return exact[0] if exact else value
    if name == "company":
        near = [each for each in known if names_speaker(value, each)]
    else:
        digits = re.sub(r"\D", "", value)
        near = [each for each in known if digits and re.sub(r"\D", "", each) == digits]
    if len(near) > 1:
        raise InputError(f"{name} {value!r} could be any of: {_few(near)}")
    return near[0] if near else value


def check_dates(scope: Scope) -> None:
    """Raises InputError where a scope ends before it begins. Dates may be of any precision."""
    if scope.since and scope.until:
        known = min(len(scope.since), len(scope.until))
        if scope.since[:known] > scope.until[:known]:
            both = f"since {scope.since} and until {scope.until}"
            raise InputError(f"nothing can be both {both}: exchange them, or leave one out")


def said_around(recording: Recording, passages: Sequence[Passage], at: float, around: float) -> list[Passage]:
    """The passages that are said within `around` seconds of `at`. Raises InputError where the recording has
    no times."""
    if recording.seconds is None:
        raise InputError(f"{recording.title!r} has no times, so there is no second {at:g} in it")
    return [passage for passage in passages if _overlaps(passage, at - around, at + around)]


def _overlaps(passage: Passage, begin: float, end: float) -> bool:
    if passage.start is None:
        return False
    return passage.start <= end and (passage.end or passage.start) >= begin


def _few(names: Iterable[str]) -> str:
    shown = list(names)
    return ", ".join(shown[:5]) + (f" and {len(shown) - 5} more" if len(shown) > 5 else "")
