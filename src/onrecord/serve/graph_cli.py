"""``onrecord graph``: what is spoken of, by whom and since when, and how it hangs together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from onrecord.serve.options import archive_options, json_option, llm_option

if TYPE_CHECKING:
    from onrecord.archive import Archive

most_option = click.option(
    "--most", default=12, show_default=True, type=click.IntRange(1, 200), help="Lines of each list at most."
)
reason_option = click.option("--reason", default="by hand", show_default=True, help="Why; it is kept.")


@click.group()
def graph() -> None:
    """People and things that are spoken of, and how they hang together; every edge with its quote."""


@graph.command()
@click.argument("name")
@most_option
@json_option
@archive_options(make=False)
def about(archive: Archive, name: str, most: int, as_json: bool) -> None:
    """Who speaks of NAME, how often, since when and where; what comes up with it; quotes."""
    from onrecord.serve import graph_show

    graph_show.about(archive.graph.about(name, most), archive, as_json)


@graph.command()
@click.argument("one")
@click.argument("other")
@click.option("--steps", default=3, show_default=True, type=click.IntRange(1, 3), help="Edges of a path.")
@click.option("--most", default=5, show_default=True, type=click.IntRange(1, 50), help="Paths at most.")
@json_option
@archive_options(make=False)
def between(archive: Archive, one: str, other: str, steps: int, most: int, as_json: bool) -> None:
    """How ONE and OTHER are connected, with a quote for every step."""
    from onrecord.serve import graph_show

    graph_show.between(archive.graph.between(one, other, steps, most), archive, as_json)


@graph.command()
@click.argument("name")
@click.option("--by", default="month", show_default=True, type=click.Choice(["day", "month", "year"]))
@click.option("--plot", type=click.Path(dir_okay=False), metavar="FILE", help="Draw it to a PNG or SVG file.")
@json_option
@archive_options(make=False)
def timeline(archive: Archive, name: str, by: str, plot: str | None, as_json: bool) -> None:
    """Mentions of NAME over time, by speaker."""
    from onrecord.serve import graph_show

    found = archive.graph.timeline(name, by)
    graph_show.timeline(found, archive, as_json)
    if plot:
        from onrecord.serve.graph_chart import picture

        picture(Path(plot), found)


@graph.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME NAME...")
@most_option
@json_option
@archive_options(make=False)
def common(archive: Archive, names: tuple[str, ...], most: int, as_json: bool) -> None:
    """What two or more speak of, and what only one does, side by side. Whether they agree is for you to
    see."""
    from onrecord.serve import graph_show

    graph_show.common(archive.graph.common(*names, most=most), archive, as_json)


@graph.command()
@click.option("--across", default=2, show_default=True, type=click.IntRange(1), help="Recordings at least.")
@click.option("--most", default=20, show_default=True, type=click.IntRange(1, 500), help="Concepts at most.")
@json_option
@archive_options(make=False)
def concepts(archive: Archive, across: int, most: int, as_json: bool) -> None:
    """What is spoken of in several recordings, and comes back there."""
    from onrecord.serve import graph_show

    graph_show.concepts(archive.graph.concepts(across, most), archive, as_json)


# ---------------------------------------------------------------- names


@graph.command()
@click.argument("name")
@click.argument("into")
@reason_option
@json_option
@archive_options(make=False)
def merge(archive: Archive, name: str, into: str, reason: str, as_json: bool) -> None:
    """Read NAME as INTO from now on. `split` takes it back; nothing is lost."""
    from onrecord.serve import graph_show

    graph_show.named(archive.graph.merge(name, into, reason), name, into, as_json)


@graph.command()
@click.argument("name")
@click.argument("off")
@reason_option
@json_option
@archive_options(make=False)
def split(archive: Archive, name: str, off: str, reason: str, as_json: bool) -> None:
    """Do not read NAME as OFF any more. `merge` takes it back."""
    from onrecord.serve import graph_show

    graph_show.named(archive.graph.split(name, off, reason), name, off, as_json)


@graph.command()
@click.argument("name")
@click.option("--of", "of", metavar="WHOM", help="Make NAME a name of this one.")
@reason_option
@json_option
@archive_options(make=False)
def alias(archive: Archive, name: str, of: str | None, reason: str, as_json: bool) -> None:
    """The names of NAME, with reason and score; with --of, one more name."""
    from onrecord.serve import graph_show

    if of:
        graph_show.named(archive.graph.alias(name, of, reason), name, of, as_json)
    else:
        graph_show.aliases(archive.graph.aliases(name), as_json)


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
    graph_show.built(count, extracted, as_json)
