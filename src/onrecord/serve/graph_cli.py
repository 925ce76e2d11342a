"""``onrecord graph``: what is spoken of, by whom and since when, and how it hangs together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from onrecord.serve.group import note_if_stopped
from onrecord.serve.options import archive_options, json_option, limit_option, llm_option, plot_option
from onrecord.serve.show import print_json
from onrecord.serve.show import progress as progress_bar
from onrecord.types import Alias, clock, one_line, printable

if TYPE_CHECKING:
    from onrecord.archive import Archive
    from onrecord.archive.extracting import Extracted
    from onrecord.archive.graph import ArchiveGraph
    from onrecord.graph import results
    from onrecord.graph.results import About, Between, Causes, Common, Concept, Edge, Quote, Timeline

most_option = limit_option(12, 200, "Lines of each list at most.")
paths_option = limit_option(5, 50, "Paths at most.")
steps_option = click.option(
    "--steps", default=3, show_default=True, type=click.IntRange(1, 3), help="Edges of a path."
)
_BAR = 40
"""Characters of the longest bar of a timeline."""
reason_option = click.option("--reason", default="by hand", show_default=True, help="Why; it is kept.")


# ---------------------------------------------------------------- printing


@dataclass(frozen=True, slots=True)
class Renamed:
    """What was changed by hand, with the two names as they were typed."""

    alias: Alias
    name: str
    other: str


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


def _render_paths(paths: Sequence[results.Path]) -> None:
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


def _render_concepts(concepts: Sequence[Concept]) -> None:
    for entity in (concept.entity for concept in concepts):
        counts = f"{entity.recordings:>5} recordings {entity.passages:>6} passages"
        click.echo(f"{counts}  {one_line(entity.name)}")


def _render_similar(edges: Sequence[Edge]) -> None:
    for edge in edges:
        click.echo(f"{edge.strength:.2f} {edge.count:>6} passages  {one_line(edge.object)}")


def _render_names(result: Renamed | Sequence[Alias]) -> None:
    """What was renamed, or the names of something."""
    if isinstance(result, Renamed):
        how = "is read as" if result.alias.score else "is no longer read as"
        reason = one_line(result.alias.reason)
        click.echo(f"{one_line(result.name)!r} {how} {one_line(result.other)!r}  ({reason})")
        return
    for alias in result:
        where = f", in {alias.recording}" if alias.recording else ""
        reason = f"({alias.score:.2f}: {one_line(alias.reason)}{where})"
        how = "is not" if alias.score == 0 else "is"
        click.echo(f"{one_line(alias.alias)} {how} {one_line(alias.entity)}  {reason}")


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


# ---------------------------------------------------------------- questions


@click.group()
def graph() -> None:
    """People and things that are spoken of, and how they hang together; every edge with its quote."""


def _command(
    render: Callable[[Any], None], *parameters: Callable[[Any], Any], empty: str = ""
) -> Callable[[Callable[..., Any]], Any]:
    """Make a command of a function that asks the graph of an archive. What it returns is rendered; `empty` is
    said of an empty list, and how many recordings are not in the graph of any result."""

    def register(ask: Callable[..., Any]) -> Any:
        @wraps(ask)
        def run(archive: Archive, as_json: bool, **values: Any) -> None:
            result = ask(archive.graph, **values)
            if as_json:
                from onrecord.graph.results import plain

                print_json(plain(result.alias if isinstance(result, Renamed) else result))
                return
            if note := getattr(result, "note", ""):
                click.echo(f"onrecord: {one_line(note)}", err=True)
            render(result)
            if result == ():
                click.echo(empty, err=True)
            if missing := archive.graph.missing:
                behind = f"{_count_of(missing, 'recording')} not in the graph yet: onrecord graph build"
                click.echo(f"onrecord: {behind}", err=True)

        command: Any = json_option(archive_options(make=False)(run))
        for parameter in reversed(parameters):
            command = parameter(command)
        return graph.command()(command)

    return register


@_command(
    _render_about,
    click.argument("name"),
    click.option("--unsure", is_flag=True, help="Also relations that are right too seldom to be shown."),
    most_option,
)
def about(graph: ArchiveGraph, name: str, unsure: bool, most: int) -> About:
    """Who speaks of NAME, how often, since when and where; what comes up with it; quotes."""
    return graph.about(name, most, unsure)


@_command(_render_similar, click.argument("name"), most_option, empty="nothing is similar to it")
def similar(graph: ArchiveGraph, name: str, most: int) -> tuple[Edge, ...]:
    """What is similar to NAME in meaning, whether it is spoken of together with it or not."""
    return graph.similar(name, most)


@_command(_render_between, click.argument("one"), click.argument("other"), steps_option, paths_option)
def between(graph: ArchiveGraph, one: str, other: str, steps: int, most: int) -> Between:
    """How ONE and OTHER are connected, with a quote for every step."""
    return graph.between(one, other, steps, most)


@_command(
    _render_causes,
    click.argument("name"),
    click.option("--from", "origin", metavar="NAME", help="Only chains that begin with this one."),
    steps_option,
    paths_option,
)
def causes(graph: ArchiveGraph, name: str, origin: str | None, steps: int, most: int) -> Causes:
    """What is stated to have led to NAME, step by step back, with a quote for every step."""
    return graph.causes(name, origin, steps, most)


@_command(
    _render_timeline,
    click.argument("name"),
    click.option("--by", default="month", show_default=True, type=click.Choice(["day", "month", "year"])),
    plot_option,
)
def timeline(graph: ArchiveGraph, name: str, by: str, plot: str | None) -> Timeline:
    """Mentions of NAME over time, by speaker."""
    counted = graph.timeline(name, by)
    if plot:
        from onrecord.serve.graph_chart import draw

        draw(Path(plot), counted)
    return counted


@_command(
    _render_common, click.argument("names", nargs=-1, required=True, metavar="NAME NAME..."), most_option
)
def common(graph: ArchiveGraph, names: tuple[str, ...], most: int) -> Common:
    """What two or more speak of, and what only one does, side by side. Whether they agree is for you to
    see."""
    return graph.common(*names, most=most)


@_command(
    _render_concepts,
    click.option(
        "--across", default=2, show_default=True, type=click.IntRange(1), help="Recordings at least."
    ),
    limit_option(20, 500, "Concepts at most."),
)
def concepts(graph: ArchiveGraph, across: int, most: int) -> tuple[Concept, ...]:
    """What is spoken of in several recordings, and comes back there."""
    return graph.concepts(across, most)


# ---------------------------------------------------------------- names


@_command(_render_names, click.argument("name"), click.argument("into"), reason_option)
def merge(graph: ArchiveGraph, name: str, into: str, reason: str) -> Renamed:
    """Read NAME as INTO from now on. `split` takes it back; nothing is lost."""
    return Renamed(graph.merge(name, into, reason), name, into)


@_command(_render_names, click.argument("name"), click.argument("off"), reason_option)
def split(graph: ArchiveGraph, name: str, off: str, reason: str) -> Renamed:
    """Do not read NAME as OFF any more. `merge` takes it back."""
    return Renamed(graph.split(name, off, reason), name, off)


@_command(
    _render_names,
    click.argument("name"),
    click.option("--of", "of", metavar="WHOM", help="Make NAME a name of this one."),
    reason_option,
    empty="it has no other names",
)
def alias(graph: ArchiveGraph, name: str, of: str | None, reason: str) -> Renamed | tuple[Alias, ...]:
    """The names of NAME, with reason and score; with --of, one more name."""
    return Renamed(graph.alias(name, of, reason), name, of) if of else graph.aliases(name)


@graph.command()
@click.option("--again", is_flag=True, help="Read all recordings anew.")
@click.option("--with-model", is_flag=True, help="Have the language model read relations, too.")
@llm_option
@json_option
@archive_options(make=False)
def build(archive: Archive, again: bool, with_model: bool, as_json: bool) -> None:
    """Read the graph off recordings that were added before there was one.

    With --with-model the language model in the role `extract` then reads the passages that it has not read
    yet, at most `llm.extract_calls` in one run and for at most `llm.extract_money`.
    """
    note_if_stopped("; what was read is kept, and the same command goes on from there")
    with progress_bar(as_json) as progress:
        count = archive.graph.build(progress, again)
        extracted = archive.graph.extract(progress=progress) if with_model else None
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
