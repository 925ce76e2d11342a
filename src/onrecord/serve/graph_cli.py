"""The command ``onrecord graph``: entities, who speaks of them and when, and their connections."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial, wraps
from itertools import takewhile
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import click

from onrecord.errors import nearest
from onrecord.serve import graph_queries as queries
from onrecord.serve.graph_queries import Parameter, parameters_of
from onrecord.serve.group import note_if_stopped
from onrecord.serve.options import (
    archive_options,
    json_option,
    limit_option,
    llm_option,
    plot_option,
    together,
)
from onrecord.serve.show import count_of, print_json, save_picture
from onrecord.serve.show import progress as progress_bar
from onrecord.types import Alias, clock, one_line, printable

if TYPE_CHECKING:
    from onrecord.archive import Archive
    from onrecord.graph import results
    from onrecord.graph.results import About, Between, Causes, Common, Concept, Edge, Quote, Timeline, Topic

_BAR = 40
"""The length of the longest bar of a timeline, in characters."""


# ---------------------------------------------------------------- printing


def _render_about(about: About) -> None:
    entity = about.entity
    days = " to ".join(dict.fromkeys(filter(None, (about.since, about.until))))
    _print_heading(f"{entity.name} ({entity.kind})")
    counts = f"{count_of(entity.passages, 'passage')} of {count_of(entity.recordings, 'recording')}"
    click.echo(f"  in {counts}{', ' + days if days else ''}")
    if names := dict.fromkeys(one_line(alias.alias) for alias in about.aliases if alias.score > 0):
        click.echo("  also: " + ", ".join(names))
    if about.own:
        turns, places = about.own.passages, about.own.recordings
        click.echo(f"  speaks in {count_of(turns, 'passage')} of {count_of(places, 'recording')}")
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
            _print_quotes_of(step)


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
        click.echo("  nothing that they have in common")
    for topic in common.shared:
        click.secho(f"\n{one_line(topic.entity.name)}", bold=True)
        for quote in dict.fromkeys(
            quotes[0] for quotes in topic.quotes if quotes
        ):  # both may have the same quote
            _print_quote(quote)
    for number, name in enumerate(names):
        _print_alone(name, common.only[number], number)


def _print_alone(name: str, topics: Iterable[Topic], number: int) -> None:
    """Print the topics of one of the compared entities, each quote once, with all topics that it shows."""
    shown: dict[Quote, list[str]] = {}
    for topic in topics:
        for quote in topic.quotes[number][:1]:
            shown.setdefault(quote, []).append(one_line(topic.entity.name))
    if shown:
        click.echo(f"\nonly {name}")
    for quote, names in shown.items():
        click.echo(f"  {', '.join(names)}")
        _print_quote(quote)


def _render_concepts(concepts: Sequence[Concept]) -> None:
    for entity in (concept.entity for concept in concepts):
        counts = f"{entity.recordings:>5} recordings {entity.passages:>6} passages"
        click.echo(f"{counts}  {one_line(entity.name)}")


def _render_similar(edges: Sequence[Edge]) -> None:
    for edge in edges:
        click.echo(f"{edge.strength:.2f} {edge.count:>6} passages  {one_line(edge.object)}")


def _render_names(result: Alias | Sequence[Alias], typed: Sequence[str]) -> None:
    """Print a change of names, with the two names as the user typed them, or all names of an entity."""
    if isinstance(result, Alias):
        name, other = map(one_line, typed)
        how = "is read as" if result.score else "is no longer read as"
        click.echo(f"{name!r} {how} {other!r}  ({one_line(result.reason)})")
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
    """Print a quote with its speaker, title, time and link."""
    place = ", ".join(
        filter(None, (quote.speaker, quote.title, clock(quote.start) if quote.start is not None else ""))
    )
    link = f"  {printable(quote.link)}" if quote.link else ""
    click.echo(f"  “{one_line(quote.text)}”\n      {one_line(place)}{link}")


def _print_quotes_of(edge: Edge) -> None:
    """Print one quote that shows both ends of an edge, or all its quotes if no single one does."""
    for quote in edge.quotes if edge.apart else edge.quotes[:1]:
        _print_quote(quote)


def _print_part(title: str, lines: Iterable[str], edges: Sequence[Edge] = ()) -> None:
    shown = list(lines)
    if not shown and not edges:
        return
    click.echo(f"\n{title}")
    for line in shown:
        click.echo(f"  {line}")
    for edge in edges:
        click.echo(f"  {_sentence(edge)}")
        _print_quotes_of(edge)


def _print_heading(text: str) -> None:
    click.secho(one_line(text), bold=True)


# ---------------------------------------------------------------- commands


class _GraphCommands(click.Group):
    """A group that answers a name in place of a command with the command that the name belongs to."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.commands and not nearest(args[0], self.commands):
            name = " ".join(takewhile(lambda word: not word.startswith("-"), args))
            typed = printable(join([name]))
            ctx.fail(f"{name!r} is not a command. To see who speaks of it: onrecord graph about {typed}")
        return super().resolve_command(ctx, args)


@click.group(cls=_GraphCommands)
def graph() -> None:
    """People and things that are spoken of, and how they are connected; every edge has its quote."""


def _command(
    query: queries.Query, render: Callable[[Any], None] | None = None, *options: Any, empty: str = ""
) -> None:
    """Add the command of a query.

    Without `render`, the query changes names. `options` are options that only the command line has.
    """
    parameters = parameters_of(query)

    @wraps(query)
    def run(archive: Archive, as_json: bool, plot: Path | None = None, **values: Any) -> None:
        result = query(archive.graph, **values)
        if plot:
            from onrecord.serve.graph_chart import draw_figure

            save_picture(draw_figure(result), plot)
        typed = [values[each.name] for each in parameters[:2]]
        _show(result, archive, as_json, render or partial(_render_names, typed=typed), empty)

    offered = together(*map(_option, parameters), *options, json_option, archive_options(make=False))
    graph.command()(offered(run))


def _show(
    result: Any, archive: Archive, as_json: bool, render: Callable[[Any], None], empty: str = ""
) -> None:
    """Print a result as JSON or by `render`.

    For an empty list, `empty` is printed on standard error. Outside JSON, so is the number of recordings that
    the graph lacks.
    """
    if as_json:
        from onrecord.graph.results import plain

        print_json(plain(result))
        return
    if note := getattr(result, "note", ""):
        click.echo(f"onrecord: {one_line(note)}", err=True)
    render(result)
    if result == ():
        click.echo(empty, err=True)
    if missing := archive.graph.missing:
        behind = f"{count_of(missing, 'recording')} not in the graph yet: onrecord graph build"
        click.echo(f"onrecord: {behind}", err=True)


def _option(parameter: Parameter) -> Callable[[Any], Any]:
    """Return the argument of a required parameter, or the option of an optional one."""
    name, kind, bounds = parameter.name, parameter.type, parameter.bounds
    if kind == list[str]:
        return click.argument(name, nargs=-1, required=True, metavar="NAME NAME...")
    if parameter.default is Parameter.required:
        return click.argument(name)
    if name == "most":
        return limit_option(parameter.default, bounds.most or 1, bounds.help)
    shown = {"default": parameter.default, "help": bounds.help}
    if kind is bool:
        return click.option(f"--{name}", is_flag=True, **shown)
    if kind is int:
        span = click.IntRange(bounds.least, bounds.most)
        return click.option(f"--{name}", type=span, show_default=True, **shown)
    if get_origin(kind) is Literal:
        return click.option(f"--{name}", type=click.Choice(get_args(kind)), show_default=True, **shown)
    spelling = {"origin": "from"}.get(name, name)  # "from" is a keyword of Python
    return click.option(f"--{spelling}", name, metavar="TEXT" if name == "reason" else "NAME", **shown)


_command(queries.about, _render_about)
_command(queries.similar, _render_similar, empty="nothing is similar to it")
_command(queries.between, _render_between)
_command(queries.causes, _render_causes)
_command(queries.timeline, _render_timeline, plot_option)
_command(queries.common, _render_common)
_command(queries.concepts, _render_concepts, empty="no concept is spoken of in so many recordings")
_command(queries.merge)
_command(queries.split)


@graph.command()
@click.argument("name")
@click.option("--of", metavar="NAME", help="Make it a name of this one.")
@_option(parameters_of(queries.alias)[-1])
@json_option
@archive_options(make=False)
def alias(archive: Archive, as_json: bool, name: str, of: str | None, reason: str | None) -> None:
    """Show the names of NAME, with reason and score; with --of, add one more name."""
    result = queries.alias(archive.graph, name, of, reason) if of else queries.aliases(archive.graph, name)
    render = partial(_render_names, typed=(name, of or ""))
    _show(result, archive, as_json, render, "it has no other names")


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
        report: dict[str, Any] = {"read": count}
        if extracted:
            counted = ("passages", "relations", "dropped", "left", "money")
            counts = {name: getattr(extracted, name) for name in counted}
            report["model"] = {**counts, "calls": len(extracted.calls)}
        print_json(report)
        return
    nothing = "nothing to read: it is all there"
    click.echo(f"the graph of {count_of(count, 'recording')} was read" if count else nothing)
    if extracted:
        click.echo(str(extracted))
        for failure in dict.fromkeys(extracted.failures):
            click.echo(f"onrecord: {failure}", err=True)
