"""``onrecord faq``: questions with ready answers."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from onrecord.serve.options import Command, archive_option, json_option

if TYPE_CHECKING:
    from onrecord.retrieve.faq import Faq


def faq_options(make: bool = False) -> Callable[[Command], Command]:
    """``--archive``, ``--workspace`` and ``--json``; the command gets the opened FAQ first. `make` says
    whether an archive is begun where there is none."""

    def with_options(command: Command) -> Command:
        @archive_option
        @click.option("--workspace", metavar="NAME", help="Whose FAQ.  [default: default]")
        @json_option
        @wraps(command)
        def with_faq(url: str | None, workspace: str | None, **others: Any) -> Any:
            import onrecord.archive
            from onrecord.serve.advice import known_workspace

            with onrecord.archive.open(url, make=make, workspace=workspace) as archive:
                if not make:
                    known_workspace(archive)
                return command(archive.faq, **others)

        return with_faq

    return with_options


@click.group()
def faq() -> None:
    """Questions with ready answers: answered at once where one fits, asked back where none does."""


# ---------------------------------------------------------------- entries


@faq.command()
@click.argument("files", nargs=-1, required=True, type=click.Path())
@click.option("--live", is_flag=True, help="Answer by them at once. Otherwise they begin as drafts.")
@faq_options(make=True)
def add(found: Faq, files: tuple[str, ...], live: bool, as_json: bool) -> None:
    """Add entries from CSV, YAML or JSON: question, answer, variants parted by |, tags, link, id.

    An entry with a known id takes the place of the old one, and is a draft again without --live.
    """
    from onrecord.serve import faq_show

    faq_show.added(found.add(*files, live=live, progress=faq_show.progress(as_json)), as_json)


@faq.command("list")
@click.option("--status", type=click.Choice(["draft", "live", "retired"]), help="Only these.")
@faq_options()
def list_entries(found: Faq, status: str | None, as_json: bool) -> None:
    """The entries, with id and status."""
    from onrecord.serve import faq_show

    faq_show.entries(found.entries(status), as_json)


@faq.command()
@click.argument("id", metavar="ID")
@faq_options()
def show(found: Faq, id: str, as_json: bool) -> None:  # noqa: A002 - the argument's name
    """One entry: its answer, and every way in which it is asked."""
    from onrecord.serve import faq_show

    faq_show.entry(found.entry(id), as_json)


@faq.command()
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--drafts", is_flag=True, help="All drafts.")
@click.option("--all", "everything", is_flag=True, help="All but the retired: embeds anew what is live.")
@faq_options()
def promote(found: Faq, ids: tuple[str, ...], drafts: bool, everything: bool, as_json: bool) -> None:
    """Make entries live: embed their ways of asking, and answer by them from now on."""
    from onrecord.serve import faq_show

    if bool(ids) + drafts + everything != 1:
        raise click.UsageError("say which: ids of entries, --drafts or --all")
    if not ids:
        wanted = ("draft", "live") if everything else ("draft",)
        ids = tuple(entry.id for entry in found.entries() if entry.status in wanted)
    faq_show.changed(found.promote(*ids, progress=faq_show.progress(as_json)), "live", as_json)


@faq.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@faq_options()
def retire(found: Faq, ids: tuple[str, ...], as_json: bool) -> None:
    """Keep entries, but answer by them no longer."""
    from onrecord.serve import faq_show

    faq_show.changed(found.retire(*ids), "retired", as_json)


@faq.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@faq_options()
def remove(found: Faq, ids: tuple[str, ...], as_json: bool) -> None:
    """Remove entries. Nothing of them is left behind."""
    from onrecord.serve import faq_show

    faq_show.changed(found.remove(*ids), "removed", as_json)


# ---------------------------------------------------------------- questions


@faq.command()
@click.argument("question", nargs=-1, required=True)
@click.option("--explain", is_flag=True, help="Print where it was decided, the scores, and how long it took.")
@faq_options()
def ask(found: Faq, question: tuple[str, ...], explain: bool, as_json: bool) -> None:
    """Answer QUESTION by an entry, or offer the two or three questions that it may mean."""
    from onrecord.serve import faq_show

    faq_show.reply(found.ask(" ".join(question)), as_json, explain)


@faq.command()
@faq_options()
def costs(found: Faq, as_json: bool) -> None:
    """The account of use, by the day: calls, tokens and money, and how often each stage was needed."""
    from onrecord.serve import faq_show

    faq_show.costs(found, as_json)


@faq.command()
@click.argument("labelled", type=click.Path())
@click.option(
    "--precision",
    default=0.95,
    show_default=True,
    type=click.FloatRange(0.5, 1),
    help="How much of what is answered at once should be right.",
)
@click.option(
    "--lost",
    default=0.02,
    show_default=True,
    type=click.FloatRange(0, 0.5),
    help="How much of what an entry answers may be asked back at once.",
)
@click.option(
    "--plot", type=click.Path(dir_okay=False), metavar="FILE", help="Draw the curves to a .png file."
)
@click.option("--write", is_flag=True, help="Use the proposed thresholds from now on.")
@faq_options()
@click.pass_context
def calibrate(
    ctx: click.Context,
    found: Faq,
    labelled: str,
    precision: float,
    lost: float,
    plot: str | None,
    write: bool,
    as_json: bool,
) -> None:
    """Propose the two thresholds on questions whose entry is known.

    LABELLED is a CSV, YAML or JSON file of question and entry (id or question; none where no entry answers).
    """
    from onrecord.evaluate.faq import proposal
    from onrecord.ingest.faq import read_bytes, read_labelled
    from onrecord.serve import faq_show

    judged, made = proposal(found, read_labelled(labelled, read_bytes(Path(labelled))), precision, lost)
    faq_show.calibrated(judged, made, as_json)
    if plot and made.chosen:
        from onrecord.evaluate.faq_chart import picture

        picture(Path(plot), judged, made.chosen)
    used = made.thresholds(found.decides)
    if made.within_reach and not made.enough:
        faq_show.too_few(made, used, write)
        ctx.exit(1 if write else 0)
    if write:
        found.set_thresholds(used)
        click.echo(f"used from now on: {used.high:g} and {used.low:g}", err=True)
    if not made.within_reach:
        faq_show.out_of_reach(made, used, write)
        ctx.exit(0 if write else 1)


@faq.command()
@click.argument("high", type=click.FloatRange(0, 1), required=False)
@click.argument("low", type=click.FloatRange(0, 1), required=False)
@click.option("--reset", is_flag=True, help="Go back to the model's own.")
@faq_options()
def thresholds(found: Faq, high: float | None, low: float | None, reset: bool, as_json: bool) -> None:
    """The two thresholds in force; with HIGH and LOW, or --reset, set them for this workspace and model."""
    from onrecord.serve import faq_show
    from onrecord.stores.faq import Thresholds

    if high is not None and low is None:
        raise click.UsageError("say both: HIGH and LOW")
    if reset or high is not None:
        found.set_thresholds(None if high is None or low is None else Thresholds(high, low))
    faq_show.thresholds(found.thresholds(), as_json)
