"""How a plan looks in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import click

from onrecord.types import printable

if TYPE_CHECKING:
    from onrecord.archive import Archive
    from onrecord.types import Filter, Plan, QuestionHints, Scope

_DATES = ("since", "until")
_WIDTH = 12


def terminal(
    plan: Plan, archive: Archive, scope: Scope | None = None, hints: QuestionHints | None = None
) -> None:
    """Print a plan, a line for each thing that was understood, several questions one after the other; then
    the scope and hints that options set."""
    for number, asked in enumerate(plan.queries if plan.parts else ()):
        _print([("asks", asked), *_lines(plan.parts[number], archive)])
        click.echo("")
    if not plan.parts:
        _print(_lines(plan, archive))
    options = [*(_narrowed(scope) if scope else ()), *(_hints(hints) if hints else ())]
    _print(_named("given", options))


def _print(lines: Iterable[tuple[str, str]]) -> None:
    for name, value in lines:
        click.secho(f"{name:<{_WIDTH}}", bold=True, nl=False)
        click.echo(printable(value))


def _lines(plan: Plan, archive: Archive) -> Iterator[tuple[str, str]]:
    yield "looks for", plan.text
    yield "intent", plan.intent + (f", {plan.complexity}" if plan.complexity != "simple" else "")
    if plan.act:
        yield "act", plan.act
    yield "language", plan.language or "not known"
    if plan.entities:
        yield "names", ", ".join(plan.entities)
    for name, exact in (("filters", True), ("prefers", False)):
        filters = [filter_ for filter_ in plan.filters if filter_.exact == exact]
        yield from _named(
            name, [_with_words(filter_, archive) for filter_ in _without_dates(filters)] + _dates(filters)
        )
    if not plan.filters:
        yield "filters", "none"
    yield "strategy", plan.strategy
    yield from _named("asks", plan.queries)
    yield from _named("notes", plan.notes)
    yield from _named("knows", [line for fact in plan.facts for line in (fact.text, *fact.items)])


def _named(name: str, values: tuple[str, ...] | list[str]) -> Iterator[tuple[str, str]]:
    """Pair each value with its name, which stands before the first only."""
    for at, value in enumerate(values):
        yield ("" if at else name), value


def _narrowed(scope: Scope) -> Iterator[str]:
    """The conditions of a scope, written as filters are."""
    fields = ("recording", "speaker", "language", "section")
    values = (scope.recordings, scope.speakers, scope.languages, scope.sections)
    for field, entries in zip(fields, values, strict=True):
        yield from (f"{field}: {value}" for value in entries)
    if scope.since or scope.until:
        yield f"date: {scope.since or ''}..{scope.until or ''}"
    yield from (f"{name}: {value}" for name, value in scope.attributes.items())


def _hints(hints: QuestionHints) -> Iterator[str]:
    """The hints of options, by the names of a plan's lines."""
    if hints.intent:
        yield f"intent: {hints.intent}"
    if hints.language:
        yield f"asked in: {hints.language}"
    yield from (f"about: {name}" for name in hints.entities)
    yield from (f"asks: {query}" for query in hints.queries)


def _with_words(filter_: Filter, archive: Archive) -> str:
    value = filter_.value
    recording = archive.store.recording(value) if filter_.field == "recording" else None
    return f'{filter_.field}: {recording.title if recording else value}  ("{filter_.said}")'


def _without_dates(filters: Sequence[Filter]) -> list[Filter]:
    return [filter_ for filter_ in filters if filter_.field not in _DATES]


def _dates(filters: Sequence[Filter]) -> list[str]:
    """``date: 2024-11-06..2024-12-31``, open where one side is."""
    days = {filter_.field: filter_ for filter_ in filters if filter_.field in _DATES}
    if not days:
        return []
    first, last = (days[name].value if name in days else "" for name in _DATES)
    words = " ... ".join(dict.fromkeys(filter_.said for filter_ in days.values()))
    return [f'date: {first}..{last}  ("{words}")']
