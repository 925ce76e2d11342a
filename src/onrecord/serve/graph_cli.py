"""``onrecord graph``: what is spoken of, by whom and since when, and how it hangs together."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from onrecord.serve.options import archive_options, json_option, limit_option, llm_option, plot_option

if TYPE_CHECKING:
    from onrecord.archive import Archive
    from onrecord.archive.graph import ArchiveGraph
    from onrecord.graph.results import About, Between, Causes, Common, Concept, Edge, Timeline
    from onrecord.serve.graph_show import Renamed
    from onrecord.types import Alias

most_option = limit_option(12, 200, "Lines of each list at most.")
paths_option = limit_option(5, 50, "Paths at most.")
steps_option = click.option(
    "--steps", default=3, show_default=True, type=click.IntRange(1, 3), help="Edges of a path."
)
reason_option = click.option("--reason", default="by hand", show_default=True, help="Why; it is kept.")


@click.group()
def graph() -> None:
    """People and things that are spoken of, and how they hang together; every edge with its quote."""


def _command(*parameters: Callable[[Any], Any], empty: str = "") -> Callable[[Callable[..., Any]], Any]:
    """Makes a command of a function that asks the graph of an archive. What it returns is shown, `empty`
    where that is an empty list."""

    def register(ask: Callable[..., Any]) -> Any:
        @wraps(ask)
        def run(archive: Archive, as_json: bool, **values: Any) -> None:
            from onrecord.serve import graph_show

            graph_show.show(ask(archive.graph, **values), archive, as_json, empty)

        command: Any = json_option(archive_options(make=False)(run))
        for parameter in reversed(parameters):
            command = parameter(command)
        return graph.command()(command)

    return register


@_command(
    click.argument("name"),
    click.option("--unsure", is_flag=True, help="Also relations that are right too seldom to be shown."),
    most_option,
)
def about(graph: ArchiveGraph, name: str, unsure: bool, most: int) -> About:
    """Who speaks of NAME, how often, since when and where; what comes up with it; quotes."""
    return graph.about(name, most, unsure)


@_command(click.argument("name"), most_option, empty="nothing is similar to it")
def similar(graph: ArchiveGraph, name: str, most: int) -> tuple[Edge, ...]:
    """What is similar to NAME in meaning, whether it is spoken of together with it or not."""
    return graph.similar(name, most)


@_command(click.argument("one"), click.argument("other"), steps_option, paths_option)
def between(graph: ArchiveGraph, one: str, other: str, steps: int, most: int) -> Between:
    """How ONE and OTHER are connected, with a quote for every step."""
    return graph.between(one, other, steps, most)


@_command(
    click.argument("name"),
    click.option("--from", "origin", metavar="NAME", help="Only chains that begin with this one."),
    steps_option,
    paths_option,
)
def causes(graph: ArchiveGraph, name: str, origin: str | None, steps: int, most: int) -> Causes:
    """What is stated to have led to NAME, step by step back, with a quote for every step."""
    return graph.causes(name, origin, steps, most)


@_command(
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


@_command(click.argument("names", nargs=-1, required=True, metavar="NAME NAME..."), most_option)
def common(graph: ArchiveGraph, names: tuple[str, ...], most: int) -> Common:
    """What two or more speak of, and what only one does, side by side. Whether they agree is for you to
    see."""
    return graph.common(*names, most=most)


@_command(
    click.option(
        "--across", default=2, show_default=True, type=click.IntRange(1), help="Recordings at least."
    ),
    limit_option(20, 500, "Concepts at most."),
)
def concepts(graph: ArchiveGraph, across: int, most: int) -> tuple[Concept, ...]:
    """What is spoken of in several recordings, and comes back there."""
    return graph.concepts(across, most)


# ---------------------------------------------------------------- names


@_command(click.argument("name"), click.argument("into"), reason_option)
def merge(graph: ArchiveGraph, name: str, into: str, reason: str) -> Renamed:
    """Read NAME as INTO from now on. `split` takes it back; nothing is lost."""
    return _renamed(graph.merge(name, into, reason), name, into)


@_command(click.argument("name"), click.argument("off"), reason_option)
def split(graph: ArchiveGraph, name: str, off: str, reason: str) -> Renamed:
    """Do not read NAME as OFF any more. `merge` takes it back."""
    return _renamed(graph.split(name, off, reason), name, off)


@_command(
    click.argument("name"),
    click.option("--of", "of", metavar="WHOM", help="Make NAME a name of this one."),
    reason_option,
    empty="it has no other names",
)
def alias(graph: ArchiveGraph, name: str, of: str | None, reason: str) -> Renamed | tuple[Alias, ...]:
    """The names of NAME, with reason and score; with --of, one more name."""
    return _renamed(graph.alias(name, of, reason), name, of) if of else graph.aliases(name)


def _renamed(alias: Alias, name: str, other: str) -> Renamed:
    from onrecord.serve.graph_show import Renamed

    return Renamed(alias, name, other)


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
    from onrecord.serve import graph_show, show

    click.get_current_context().meta["kept"] = (
        "; what was read is kept, and the same command goes on from there"
    )
    with show.progress(as_json) as progress:
        count = archive.graph.build(progress, again)
        extracted = archive.graph.extract(progress=progress) if with_model else None
    graph_show.show_build(count, extracted, as_json)
