"""Hints for a search that matches nothing: the condition that fails, and similar names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from shlex import quote
from typing import TYPE_CHECKING

from onrecord.errors import NotFoundError, did_you_mean, nearest_named
from onrecord.retrieve.wording import wording
from onrecord.stores import workspaces
from onrecord.stores.scope import names_speaker
from onrecord.types import Question, Recording, Scope, printable

if TYPE_CHECKING:
    from onrecord.archive import Archive

_MOST = 8


def known_workspace(archive: Archive) -> None:
    """Raise NotFoundError if the archive has other workspaces but not this one.

    Only for the command line, because the message names all workspaces.
    """
    name = archive.store.workspace
    if archive.store.version:
        return
    names = workspaces(archive.settings.archive_url)
    if names and name not in names:
        problem = _with_hint("there is no workspace", name, "here", names)
        raise NotFoundError(f"{problem} (begin it with: onrecord add FOLDER --workspace {quote(name)})")


def empty_scope(archive: Archive, scope: Scope) -> str:
    """Return one line that says why no recording meets a scope.

    The line names the first condition that no recording meets, with similar names. If each condition is met
    alone, it says that only all conditions together exclude everything. Empty if the scope or the archive is
    empty.
    """
    if not scope or not archive.recordings():
        return ""
    for alone, problem in _conditions(archive, scope):
        if not archive.recordings(alone):
            return problem
    return "each of these conditions is met somewhere, but not all of them together"


def scope_notes(archive: Archive, scope: Scope) -> list[str]:
    """Return notes on a scope: why it is empty, or which of its speakers do not exist here."""
    empty = empty_scope(archive, scope) if scope and not archive.recordings(scope) else ""
    return [empty] if empty else unknown_speakers(archive, scope)


def unknown_speakers(archive: Archive, scope: Scope) -> list[str]:
    """Return a line for each speaker of a scope who does not speak here, if others of the scope do."""
    if len(scope.speakers) < 2:
        return []  # a single unknown speaker empties the scope: see `empty_scope`
    speakers = _speakers(archive.recordings())
    absent = (name for name in scope.speakers if not any(names_speaker(name, other) for other in speakers))
    return [_with_hint("nobody called", name, "speaks here", speakers) for name in absent]


def unsaid(archive: Archive, question: Question) -> str:
    """Return one line with the words of a question that nobody says in the searched recordings.

    Empty if every word is said, or if nothing was searched.
    """
    with archive.store.snapshot() as reader:
        timeline = reader.timeline(question.scope)
        words = wording(question.text, timeline, reader).absent[:_MOST] if len(timeline) else ()
    if not words:
        return ""
    verb = "is" if len(words) == 1 else "are"
    return printable(f"{', '.join(map(repr, words))} {verb} never said in the recordings searched")


def _conditions(archive: Archive, scope: Scope) -> Iterator[tuple[Scope, str]]:
    """Yield each condition alone, with the message for when no recording meets it."""
    recordings = archive.recordings()
    speakers = _speakers(recordings)
    for name in scope.speakers:
        yield Scope(speakers=(name,)), _with_hint("nobody called", name, "speaks here", speakers)
    languages = sorted({r.details.language for r in recordings if r.details.language})
    for code in scope.languages:
        yield Scope(languages=(code,)), _with_hint("no recording is in", code, "", languages)
    sections = sorted({s.title for r in recordings for s in archive.store.sections(r.id) if s.title})
    for title in scope.sections:
        yield Scope(sections=(title,)), _with_hint("no section is called", title, "", sections)
    for name, value in scope.attributes.items():
        values = sorted({f"{n}={v}" for r in recordings for n, v in r.details.attributes.items()})
        yield Scope(attributes={name: value}), _with_hint("no recording has", f"{name}={value}", "", values)
    dates = sorted(r.details.date for r in recordings if r.details.date)
    if scope.since or scope.until:
        span = f"recordings have dates from {dates[0]} to {dates[-1]}" if dates else "no recording has a date"
        yield Scope(since=scope.since, until=scope.until), f"no recording is from that time: {span}"


def _speakers(recordings: Iterable[Recording]) -> list[str]:
    return sorted({name for recording in recordings for name in recording.speakers})


def _with_hint(what: str, name: str, does: str, known: Sequence[str]) -> str:
    """Return a message about an unknown name, with similar names, or else the first known ones."""
    hint = did_you_mean(nearest_named(name, known))
    if not hint:
        more = f" and {len(known) - _MOST} more" if len(known) > _MOST else ""
        hint = f"there are {', '.join(known[:_MOST])}{more}" if known else "there are none"
    return printable(" ".join(f"{what} {name!r} {does}".split()) + f": {hint}")
