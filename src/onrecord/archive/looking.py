"""Looking things up: a recording by what people call it, passages by when they were said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from onrecord.errors import InputError, NotFoundError, did_you_mean, nearest
from onrecord.stores import Store
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
    near = nearest(name, [known for r in recordings for known in (r.id, r.title)], 3)
    hint = did_you_mean(near) or "`onrecord list` shows what there is"
    raise NotFoundError(f"no recording {name!r} in workspace {store.workspace!r}: {hint}")


def is_called(recording: Recording, name: str) -> bool:
    """Whether this is the recording's id or title in full."""
    return name in (recording.id, recording.title) or name.casefold() == recording.title.casefold()


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
