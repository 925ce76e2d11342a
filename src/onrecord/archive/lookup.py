"""Look-ups: a recording by its name, passages by their time, earnings calls by their company."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from onrecord.errors import InputError, NotFoundError, did_you_mean, nearest_named
from onrecord.stores import Store
from onrecord.stores.scope import fold, names_speaker
from onrecord.types import Passage, Recording, Scope, without_accents


def find(store: Store, name: str) -> Recording:
    """Return the one recording with a name: see `Archive.find`."""
    exact = store.recording(name)
    if exact:
        return exact
    recordings, folded = store.recordings(), name.casefold()
    words = "-".join(re.findall(r"[^\W_]+", without_accents(name)))  # as an id spells them
    for matches in (
        [r for r in recordings if r.title.casefold() == folded],
        [r for r in recordings if r.id.startswith(folded)],
        [r for r in recordings if folded in r.title.casefold()],
        [r for r in recordings if words and f"-{words}-" in f"-{r.id}-"],
    ):
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise NotFoundError(f"{name!r} could be any of: {_few(r.id for r in matches)}")
    similar = nearest_named(name, [text for r in recordings for text in (r.title, r.id)])
    hint = did_you_mean(similar) or "`onrecord list` shows what there is"
    raise NotFoundError(f"no recording {name!r} in workspace {store.workspace!r}: {hint}")


def is_called(recording: Recording, name: str) -> bool:
    """Return whether a name is the recording's id or title in full."""
    return name in (recording.id, recording.title) or name.casefold() == recording.title.casefold()


def resolve_scope(store: Store, scope: Scope) -> Scope:
    """Return the scope with recordings by id, and calls by attributes: see `Archive.resolved`."""
    if scope.since and scope.until:  # dates may be of any precision
        shared = min(len(scope.since), len(scope.until))
        if scope.since[:shared] > scope.until[:shared]:
            both = f"since {scope.since} and until {scope.until}"
            raise InputError(f"nothing can be both {both}: exchange them, or leave one out")
    scope = _resolve_call(store, scope)
    return replace(scope, recordings=tuple(find(store, name).id for name in scope.recordings))


_CALLS: Mapping[str, tuple[str, ...]] = {
    "company": ("company", "bank", "firm", "issuer", "organization", "ticker"),
    "year": ("year", "fiscal_year", "fy"),
    "quarter": ("quarter", "fiscal_quarter"),
}
"""The fields that identify an earnings call, and the attributes that may hold each, in order of
preference."""


def narrowed_to_call(scope: Scope, company: str | None, year: str | None, quarter: str | None) -> Scope:
    """Return the scope with these fields of an earnings call among its attributes. None leaves a field out.

    Raises InputError for an empty field, and if the scope has another value for a field.
    """
    fields = {"company": company, "year": year, "quarter": quarter}
    call = {name: value for name, value in fields.items() if value is not None}
    for name, value in call.items():
        if not value.strip():
            raise InputError(f"{name} is empty: name one, or leave it out")
        for attribute in set(_CALLS[name]) & scope.attributes.keys():
            if (other := scope.attributes[attribute]) != value:
                raise InputError(f"{name} {value!r} and {attribute} {other!r}: leave one of them out")
    return replace(scope, attributes={**scope.attributes, **call}) if call else scope


def _resolve_call(store: Store, scope: Scope) -> Scope:
    """Return the scope with company, year and quarter in the attributes and the spelling of this archive.

    "halden", "2024" and "3" become the company Halden Cycles, the fiscal_year FY2024 and the quarter Q3. A
    value that an attribute has exactly, or that no recording has, stays. Raises InputError for a company that
    matches several.
    """
    call = {name: value for name, value in scope.attributes.items() if name in _CALLS}
    if not call:
        return scope
    attributes = [recording.details.attributes for recording in store.recordings()]
    resolved = {name: value for name, value in scope.attributes.items() if name not in _CALLS}
    for name, value in call.items():
        # take the first of the field's attributes that any recording has
        attribute = next((one for one in _CALLS[name] if any(one in pairs for pairs in attributes)), name)
        values = sorted({pairs[attribute] for pairs in attributes if attribute in pairs})
        resolved[attribute] = _matching_value(name, value, values)
    return replace(scope, attributes=resolved)


def _matching_value(name: str, value: str, values: Sequence[str]) -> str:
    """Return the value that a user's value matches; the user's own value if none does."""
    exact = [text for text in values if fold(text) == fold(value)]
    if exact or not values:
        return exact[0] if exact else value
    if name == "company":
        matches = [text for text in values if names_speaker(value, text)]
    else:
        digits = re.sub(r"\D", "", value)
        matches = [text for text in values if digits and re.sub(r"\D", "", text) == digits]
    if len(matches) > 1:
        raise InputError(f"{name} {value!r} could be any of: {_few(matches)}")
    return matches[0] if matches else value


def passages_around(
    recording: Recording, passages: Sequence[Passage], at: float, around: float
) -> list[Passage]:
    """Return the passages within `around` seconds of second `at`. Raises InputError without times."""
    if recording.seconds is None:
        raise InputError(f"{recording.title!r} has no times: read its whole transcript, without a second")
    return [
        passage
        for passage in passages
        if passage.start is not None
        and passage.start <= at + around
        and (passage.end or passage.start) >= at - around
    ]


def _few(names: Iterable[str]) -> str:
    shown = list(names)
    return ", ".join(shown[:5]) + (f" and {len(shown) - 5} more" if len(shown) > 5 else "")
