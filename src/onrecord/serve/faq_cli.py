"""``onrecord faq``: ready answers to questions."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from onrecord.serve.options import (
    Command,
    archive_options,
    calibration_options,
    explain_option,
    json_option,
    plot_option,
    reset_option,
)

if TYPE_CHECKING:
    from onrecord.archive import Archive
    from onrecord.evaluate.faq import Proposal
    from onrecord.retrieve.faq import Faq


def faq_options(make: bool = False) -> Callable[[Command], Command]:
    """``--json``, ``--archive`` and ``--workspace``; the command gets the FAQ as its first argument. `make`
    creates an archive that does not exist yet."""

    def with_options(command: Command) -> Command:
        @json_option
        @archive_options(make)
        @wraps(command)
        def with_faq(archive: Archive, **others: Any) -> Any:
            return command(archive.faq, **others)

        return with_faq

    return with_options


@click.group()
def faq() -> None:
    """Manage ready answers, and ask them.

    An entry is a question with its answer and other ways to ask it. If one fits your question, you get its
    answer at once. If several might, you are asked which. Entries begin as drafts: promote them to use them.

    \b
    Example:
      onrecord faq add faq.csv --live
      onrecord faq ask "I forgot my password"
    """


# ---------------------------------------------------------------- entries


@faq.command()
@click.argument("files", nargs=-1, required=True, type=click.Path())
@click.option("--live", is_flag=True, help="Use them at once, instead of adding drafts.")
@faq_options(make=True)
def add(answers: Faq, files: tuple[str, ...], live: bool, as_json: bool) -> None:
    """Add entries from CSV, YAML or JSON files.

    Columns: question and answer; if you like variants (other ways to ask, separated by |), tags, link and id.
    An entry with an id that exists replaces the old one, and is a draft again without --live.
    """
    from onrecord.serve import faq_show

    faq_show.added(answers.add(*files, live=live, progress=faq_show.progress(as_json)), as_json)


@faq.command("list")
@click.option("--status", type=click.Choice(["draft", "live", "retired"]), help="Only those with it.")
@faq_options()
def list_entries(answers: Faq, status: str | None, as_json: bool) -> None:
    """List the entries, with id and status."""
    from onrecord.serve import faq_show

    faq_show.entries(answers.entries(status), as_json)


@faq.command()
@click.argument("id", metavar="ID")
@faq_options()
def show(answers: Faq, id: str, as_json: bool) -> None:  # noqa: A002 - the argument's name
    """Print one entry: its answer and all its variants."""
    from onrecord.serve import faq_show

    faq_show.entry(answers.entry(id), as_json)


@faq.command()
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--drafts", is_flag=True, help="Promote all drafts.")
@click.option("--all", "everything", is_flag=True, help="Also embed again what is live; not the retired.")
@faq_options()
def promote(answers: Faq, ids: tuple[str, ...], drafts: bool, everything: bool, as_json: bool) -> None:
    """Make drafts live, so that they answer questions."""
    from onrecord.serve import faq_show

    if bool(ids) + drafts + everything != 1:
        raise click.UsageError("name what to promote: ids of entries, --drafts or --all")
    if not ids:
        wanted = ("draft", "live") if everything else ("draft",)
        ids = tuple(entry.id for entry in answers.entries() if entry.status in wanted)
    faq_show.changed(answers.promote(*ids, progress=faq_show.progress(as_json)), "live", as_json)


@faq.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@faq_options()
def retire(answers: Faq, ids: tuple[str, ...], as_json: bool) -> None:
    """Stop using entries, but keep them."""
    from onrecord.serve import faq_show

    faq_show.changed(answers.retire(*ids), "retired", as_json)


@faq.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@faq_options()
def remove(answers: Faq, ids: tuple[str, ...], as_json: bool) -> None:
    """Remove entries for good."""
    from onrecord.serve import faq_show

    faq_show.changed(answers.remove(*ids), "removed", as_json)


# ---------------------------------------------------------------- questions


@faq.command()
@click.argument("question", nargs=-1, required=True)
@explain_option
@faq_options()
def ask(answers: Faq, question: tuple[str, ...], explain: bool, as_json: bool) -> None:
    """Answer a question, or offer the nearest entries."""
    from onrecord.serve import faq_show

    faq_show.reply(answers.ask(" ".join(question)), as_json, explain)


@faq.command()
@faq_options()
def costs(answers: Faq, as_json: bool) -> None:
    """Show calls, tokens, money and cache hits by day."""
    from onrecord.serve import faq_show

    faq_show.costs(answers, as_json)


@faq.command()
@click.argument("labelled", type=click.Path())
@calibration_options(
    precision=(0.95, "Share of the answers given at once that should be right."),
    lost=(0.02, "Share of the questions with an entry that may be asked back."),
)
@plot_option
@faq_options()
def calibrate(
    answers: Faq, labelled: str, precision: float, lost: float, write: bool, plot: str | None, as_json: bool
) -> None:
    """Propose the two thresholds, from questions with known entries.

    LABELLED is a CSV, YAML or JSON file with two columns: question, and the entry that answers it (its id or
    question; none where no entry does). A hundred real questions are a good start.
    """
    from onrecord.evaluate.faq import propose_thresholds
    from onrecord.ingest.faq import read_bytes, read_labelled
    from onrecord.serve import faq_show

    judged, made = propose_thresholds(
        answers, read_labelled(labelled, read_bytes(Path(labelled))), precision, lost
    )
    faq_show.calibrated(judged, made, as_json)
    if plot and made.chosen:
        from onrecord.evaluate.faq_chart import save_picture

        save_picture(Path(plot), judged, made.chosen)
    _use(answers, made, write)


def _use(answers: Faq, made: Proposal, write: bool) -> None:
    """Write the thresholds, unless the questions are too few. Exits with 1 where what was wanted failed."""
    from onrecord.serve import faq_show

    ctx, used = click.get_current_context(), made.thresholds(answers.decides)
    if made.within_reach and not made.enough:
        faq_show.too_few(made, used, write)
        ctx.exit(1 if write else 0)
    if write:
        answers.set_thresholds(used)
        click.echo(f"used from now on: {used.high:g} and {used.low:g}", err=True)
    if not made.within_reach:
        faq_show.out_of_reach(made, used, write)
        ctx.exit(0 if write else 1)


@faq.command()
@click.argument("high", type=click.FloatRange(0, 1), required=False)
@click.argument("low", type=click.FloatRange(0, 1), required=False)
@reset_option
@faq_options()
def thresholds(answers: Faq, high: float | None, low: float | None, reset: bool, as_json: bool) -> None:
    """Show the two thresholds, or set them to HIGH and LOW.

    A question that scores HIGH or more is answered at once; one below LOW is asked back.
    """
    from onrecord.serve import faq_show
    from onrecord.stores.faq import Thresholds

    if high is not None and low is None:
        raise click.UsageError("give both: HIGH and LOW")
    if reset or high is not None:
        answers.set_thresholds(None if high is None or low is None else Thresholds(high, low))
    faq_show.thresholds(answers.thresholds(), as_json)
