"""How the graph looks in a terminal, and as JSON. Transcripts are not trusted: see `onrecord.serve.show`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from onrecord.graph.results import (
    About,
    Between,
    Causes,
    Common,
    Concept,
    Edge,
    Path,
    Quote,
    Timeline,
    plain,
)
from onrecord.serve.show import print_json
from onrecord.types import Alias, clock, one_line, printable

if TYPE_CHECKING:
    from onrecord.archive import Archive
    from onrecord.archive.extracting import Extracted

_BAR = 40
"""Characters of the longest bar of a timeline."""


@dataclass(frozen=True, slots=True)
class Renamed:
    """What was changed by hand, with the two names as they were typed."""

    alias: Alias
    name: str
    other: str


def show(result: Any, archive: Archive, as_json: bool, empty: str = "") -> None:
    """A result of the graph, as JSON or as text, with a word where some recordings are not in it; `empty` is
    said of an empty list."""
    if as_json:
        print_json(plain(result.alias if isinstance(result, Renamed) else result))
        return
    if note := getattr(result, "note", ""):
        click.echo(f"onrecord: {one_line(note)}", err=True)
    if isinstance(result, list | tuple):
        _render_list(result)
        if not result:
            click.echo(empty, err=True)
    else:
        _RENDERERS[type(result)](result)
    if missing := archive.graph.missing:
        behind = f"{_count_of(missing, 'recording')} not in the graph yet: onrecord graph build"
        click.echo(f"onrecord: {behind}", err=True)


def _render_about(about: About) -> None:
    entity = about.entity
    days = " to ".join(dict.fromkeys(filter(None, (about.since, about.until))))
    _print_heading(f"{entity.name} ({entity.kind})")
    counts = f"{_count_of(entity.passages, 'passage')} of {_count_of(entity.recordings, 'recording')}"
    click.echo(f"  in {counts}{', ' + days if days else ''}")
    if names := dict.fromkeys(one_line(alias.alias) for alias in about.aliases if alias.score > 0):
        click.echo("  also: " + ", ".join(names))
    _print_part("who speaks of it", (f"{v.passages:>5}  {one_line(v.speaker)}" for v in about.voices))
    _print_part("where", (f"{p.passages:>5}  {p.date or '':<10}  {one_line(p.title)}" for p in about.places))
    _print_part("what is said of it", (), about.relations)
    _print_part("what comes up with it", (f"{e.count:>5}  {one_line(e.object)}" for e in about.together))
    if about.quotes:
        click.echo("\nquotes")
        for quote in about.quotes:
            _print_quote(quote)


def _render_between(between: Between) -> None:
    if not between.paths:
        one, other = one_line(between.one.name), one_line(between.other.name)
        click.echo(f"Nothing in the archive connects {one} and {other}.")
    _render_paths(between.paths)


def _render_causes(causes: Causes) -> None:
    if not causes.paths:
        origin = f" from {one_line(causes.origin.name)}" if causes.origin else ""
        click.echo(f"No stated causes lead{origin} to {one_line(causes.entity.name)}.")
    _render_paths(causes.paths)


def _render_paths(paths: Sequence[Path]) -> None:
    for number, path in enumerate(paths, 1):
        _print_heading(f"{number}. " + "; ".join(map(_sentence, path.steps)))
        for step in path.steps:
            for quote in step.quotes[:1]:
                _print_quote(quote)


def _render_timeline(timeline: Timeline) -> None:
    _print_heading(timeline.entity.name)
    highest = max((point.passages for point in timeline.points), default=1)
    for point in timeline.points:
        bar = "#" * max(1, round(_BAR * point.passages / highest))
        names = ", ".join(
            f"{one_line(name) or 'nobody named'} {n}" for name, n in list(point.speakers.items())[:4]
        )
        click.echo(f"{point.period or 'undated':<10} {point.passages:>5} {bar:<{_BAR}} {names}")


def _render_common(common: Common) -> None:
    names = [one_line(entity.name) for entity in common.entities]
    _print_heading(" and ".join(names))
    if not common.shared:
        click.echo("  nothing that all of them speak of")
    for topic in common.shared:
        click.secho(f"\n{one_line(topic.entity.name)}", bold=True)
        for quotes in topic.quotes:
            for quote in quotes[:1]:
                _print_quote(quote)
    for name, topics in zip(names, common.only, strict=True):
        _print_part(f"only {name}", (one_line(topic.entity.name) for topic in topics))


def _render_list(rows: Sequence[Concept | Edge | Alias]) -> None:
    """Concepts, similar ones, or the names of something."""
    for row in rows:
        if isinstance(row, Concept):
            entity = row.entity
            counts = f"{entity.recordings:>5} recordings {entity.passages:>6} passages"
            click.echo(f"{counts}  {one_line(entity.name)}")
        elif isinstance(row, Edge):
            click.echo(f"{row.strength:.2f} {row.count:>6} passages  {one_line(row.object)}")
        else:
            where = f", in {row.recording}" if row.recording else ""
            reason = f"({row.score:.2f}: {one_line(row.reason)}{where})"
            how = "is not" if row.score == 0 else "is"
            click.echo(f"{one_line(row.alias)} {how} {one_line(row.entity)}  {reason}")


def _render_renamed(renamed: Renamed) -> None:
    how = "is read as" if renamed.alias.score else "is no longer read as"
    reason = one_line(renamed.alias.reason)
    click.echo(f"{one_line(renamed.name)!r} {how} {one_line(renamed.other)!r}  ({reason})")


_RENDERERS: Mapping[type, Callable[[Any], None]] = {
    About: _render_about,
    Between: _render_between,
    Causes: _render_causes,
    Timeline: _render_timeline,
    Common: _render_common,
    Renamed: _render_renamed,
}


def show_build(count: int, extracted: Extracted | None, as_json: bool) -> None:
    """How many recordings were read by rules, and what a model read."""
    if as_json:
        print_json({"read": count, **({"model": _model_report(extracted)} if extracted else {})})
        return
    nothing = "nothing to read: it is all there"
    click.echo(f"the graph of {_count_of(count, 'recording')} was read" if count else nothing)
    if extracted:
        click.echo(str(extracted))
        for failure in dict.fromkeys(call.failure for call in extracted.calls if call.failure):
            click.echo(f"onrecord: {one_line(failure)}", err=True)


def _model_report(extracted: Extracted) -> dict[str, float]:
    counts = {
        name: getattr(extracted, name) for name in ("passages", "relations", "dropped", "left", "money")
    }
    return {**counts, "calls": len(extracted.calls)}


def _sentence(edge: Edge) -> str:
    mark = "" if not edge.inferred else " (inferred)"
    return f"{one_line(edge.subject)} {edge.relation} {one_line(edge.object)}{mark}"


def _print_quote(quote: Quote) -> None:
    """Who says it, where, when; the words; the link."""
    place = ", ".join(
        filter(None, (quote.speaker, quote.title, clock(quote.start) if quote.start is not None else ""))
    )
    link = f"  {printable(quote.link)}" if quote.link else ""
    click.echo(f"  “{one_line(quote.text)}”\n      {one_line(place)}{link}")


def _print_part(title: str, lines: Iterable[str], edges: Sequence[Edge] = ()) -> None:
    shown = list(lines)
    if not shown and not edges:
        return
    click.echo(f"\n{title}")
    for line in shown:
        click.echo(f"  {line}")
    for edge in edges:
        click.echo(f"  {_sentence(edge)}")
        for quote in edge.quotes[:1]:
            _print_quote(quote)


def _print_heading(text: str) -> None:
    click.secho(one_line(text), bold=True)


def _count_of(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
