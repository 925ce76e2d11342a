"""How the graph looks in a terminal, and as JSON. Transcripts are not trusted: see `onrecord.serve.show`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from onrecord.graph.results import About, Between, Common, Concept, Edge, Quote, Timeline, plain
from onrecord.serve.show import print_json
from onrecord.types import Alias, clock, one_line, printable

if TYPE_CHECKING:
    from onrecord.archive import Archive
    from onrecord.archive.extracting import Extracted

_BAR = 40
"""Characters of the longest bar of a timeline."""


def about(found: About, archive: Archive, as_json: bool) -> None:
    if as_json:
        print_json(plain(found))
        return
    entity = found.entity
    _note(found.note)
    days = " to ".join(dict.fromkeys(filter(None, (found.since, found.until))))
    _head(f"{entity.name} ({entity.kind})")
    said = f"{_many(entity.passages, 'passage')} of {_many(entity.recordings, 'recording')}"
    click.echo(f"  in {said}{', ' + days if days else ''}")
    if found.aliases:
        click.echo(
            "  also: " + ", ".join(dict.fromkeys(one_line(a.alias) for a in found.aliases if a.score > 0))
        )
    _part("who speaks of it", (f"{v.passages:>5}  {one_line(v.speaker)}" for v in found.voices))
    _part("where", (f"{p.passages:>5}  {p.date or '':<10}  {one_line(p.title)}" for p in found.places))
    _part("what is said of it", (), found.relations)
    _part("what comes up with it", (f"{e.count:>5}  {one_line(e.object)}" for e in found.together))
    if found.quotes:
        click.echo("\nquotes")
        for quote in found.quotes:
            _quote(quote)
    _incomplete(archive)


def between(found: Between, archive: Archive, as_json: bool) -> None:
    if as_json:
        print_json(plain(found))
        return
    _note(found.note)
    if not found.paths:
        click.echo(
            f"Nothing in the archive connects {one_line(found.one.name)} and {one_line(found.other.name)}."
        )
    for number, path in enumerate(found.paths, 1):
        _head(f"{number}. " + "; ".join(map(_told, path.steps)))
        for step in path.steps:
            for quote in step.quotes[:1]:
                _quote(quote)
    _incomplete(archive)


def timeline(found: Timeline, archive: Archive, as_json: bool) -> None:
    if as_json:
        print_json(plain(found))
        return
    _note(found.note)
    _head(found.entity.name)
    highest = max((point.passages for point in found.points), default=1)
    for point in found.points:
        bar = "#" * max(1, round(_BAR * point.passages / highest))
        names = ", ".join(
            f"{one_line(name) or 'nobody named'} {n}" for name, n in list(point.speakers.items())[:4]
        )
        click.echo(f"{point.period or 'undated':<10} {point.passages:>5} {bar:<{_BAR}} {names}")
    _incomplete(archive)


def common(found: Common, archive: Archive, as_json: bool) -> None:
    if as_json:
        print_json(plain(found))
        return
    _note(found.note)
    names = [one_line(entity.name) for entity in found.entities]
    _head(" and ".join(names))
    if not found.shared:
        click.echo("  nothing that all of them speak of")
    for topic in found.shared:
        click.secho(f"\n{one_line(topic.entity.name)}", bold=True)
        for quotes in topic.quotes:
            for quote in quotes[:1]:
                _quote(quote)
    for name, topics in zip(names, found.only, strict=True):
        _part(f"only {name}", (one_line(topic.entity.name) for topic in topics))
    _incomplete(archive)


def concepts(found: Sequence[Concept], archive: Archive, as_json: bool) -> None:
    if as_json:
        print_json(plain(found))
        return
    for concept in found:
        entity = concept.entity
        click.echo(
            f"{entity.recordings:>5} recordings {entity.passages:>6} passages  {one_line(entity.name)}"
        )
    if not found:
        click.echo("nothing is spoken of in so many recordings: try a smaller --across", err=True)
    _incomplete(archive)


def aliases(found: Iterable[Alias], as_json: bool) -> None:
    rows = list(found)
    if as_json:
        print_json(plain(rows))
        return
    for row in rows:
        where = f", in {row.recording}" if row.recording else ""
        how = "is not" if row.score == 0 else "is"
        click.echo(
            f"{one_line(row.alias)} {how} {one_line(row.entity)}"
            f"  ({row.score:.2f}: {one_line(row.reason)}{where})"
        )
    if not rows:
        click.echo("it has no other names")


def named(alias: Alias, name: str, whole: str, as_json: bool) -> None:
    """What was changed by hand: `name` is read as `whole`, or is no more."""
    if as_json:
        print_json(plain(alias))
        return
    how = "is read as" if alias.score else "is no longer read as"
    click.echo(f"{one_line(name)!r} {how} {one_line(whole)!r}  ({one_line(alias.reason)})")


def built(count: int, extracted: Extracted | None, as_json: bool) -> None:
    """How many recordings were read by rules, and what a model read."""
    if as_json:
        print_json({"read": count, **({"model": _model_report(extracted)} if extracted else {})})
        return
    nothing = "nothing to read: it is all there"
    click.echo(f"the graph of {_many(count, 'recording')} was read" if count else nothing)
    if extracted:
        click.echo(str(extracted))
        for failure in dict.fromkeys(call.failure for call in extracted.calls if call.failure):
            click.echo(f"onrecord: {one_line(failure)}", err=True)


def _model_report(extracted: Extracted) -> dict[str, float]:
    counts = {
        name: getattr(extracted, name) for name in ("passages", "relations", "dropped", "left", "money")
    }
    return {**counts, "calls": len(extracted.calls)}


def _told(edge: Edge) -> str:
    mark = "" if not edge.inferred else " (inferred)"
    return f"{one_line(edge.subject)} {edge.relation} {one_line(edge.object)}{mark}"


def _quote(quote: Quote) -> None:
    """Who says it, where, when; the words; the link."""
    place = ", ".join(
        filter(None, (quote.speaker, quote.title, clock(quote.start) if quote.start is not None else ""))
    )
    link = f"  {printable(quote.link)}" if quote.link else ""
    click.echo(f"  “{one_line(quote.text)}”\n      {one_line(place)}{link}")


def _part(title: str, lines: Iterable[str], edges: Sequence[Edge] = ()) -> None:
    shown = list(lines)
    if not shown and not edges:
        return
    click.echo(f"\n{title}")
    for line in shown:
        click.echo(f"  {line}")
    for edge in edges:
        click.echo(f"  {_told(edge)}")
        for quote in edge.quotes[:1]:
            _quote(quote)


def _head(text: str) -> None:
    click.secho(one_line(text), bold=True)


def _note(text: str) -> None:
    if text:
        click.echo(f"onrecord: {one_line(text)}", err=True)


def _incomplete(archive: Archive) -> None:
    """A word where some recordings are not in the graph."""
    if missing := archive.graph.missing:
        told = f"{_many(missing, 'recording')} not in the graph yet: onrecord graph build"
        click.echo(f"onrecord: {told}", err=True)


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
