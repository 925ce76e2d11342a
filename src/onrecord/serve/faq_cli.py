"""The command ``onrecord faq``: ready answers to questions.

Texts from FAQ entries and models are printed through `printable`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from onrecord.serve.costs import show_faq
from onrecord.serve.options import (
    archive_options,
    calibration_options,
    explain_option,
    json_option,
    plot_option,
    reset_option,
)
from onrecord.serve.show import print_json, progress, save_picture
from onrecord.types import printable

if TYPE_CHECKING:
    from onrecord.archive import Archive
    from onrecord.evaluate.faq import LabelledMatch, Proposal, Rates
    from onrecord.retrieve.faq import Faq
    from onrecord.stores.faq import Thresholds
    from onrecord.types import FaqEntry


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
@json_option
@archive_options(make=True)
def add(archive: Archive, files: tuple[str, ...], live: bool, as_json: bool) -> None:
    """Add entries from CSV, YAML or JSON files.

    Columns: question and answer; if you like variants (other ways to ask, separated by |), tags, link and id.
    An entry with an id that exists replaces the old one, and is a draft again without --live.
    """
    with _embedding(as_json) as drawn:
        report = archive.faq.add(*files, live=live, progress=drawn)
    groups = {name: getattr(report, name) for name in ("added", "changed", "unchanged")}
    if as_json:
        print_json({name: [asdict(entry) for entry in entries] for name, entries in groups.items()})
        return
    for name in ("added", "changed"):
        _print_entries(groups[name], name)
    click.echo(", ".join(f"{len(entries)} {name}" for name, entries in groups.items()))
    drafts = sum(1 for entries in groups.values() for entry in entries if entry.status == "draft")
    if drafts:
        click.echo(
            f"{drafts} are drafts, which answer nothing until: onrecord faq promote --drafts", err=True
        )


@faq.command("list")
@click.option("--status", type=click.Choice(["draft", "live", "retired"]), help="Only those with it.")
@json_option
@archive_options(make=False)
def list_entries(archive: Archive, status: str | None, as_json: bool) -> None:
    """List the entries, with id and status."""
    listed = archive.faq.entries(status)
    if as_json:
        print_json([asdict(entry) for entry in listed])
        return
    _print_entries(listed)
    if not listed:
        click.echo("there are no entries; add some with: onrecord faq add FILE", err=True)


@faq.command()
@click.argument("id", metavar="ID")
@json_option
@archive_options(make=False)
def show(archive: Archive, id: str, as_json: bool) -> None:  # noqa: A002 - the argument's name
    """Print one entry: its answer and all its variants."""
    one = archive.faq.entry(id)
    if as_json:
        print_json(asdict(one))
        return
    details = {"id": one.id, "status": one.status, "tags": ", ".join(one.tags), "link": one.link}
    lines = [one.question, *(f"  or: {variant}" for variant in one.variants), "", one.answer, ""]
    lines += [f"{name}: {value}" for name, value in details.items() if value]
    click.echo(printable("\n".join(lines)))


@faq.command()
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--drafts", is_flag=True, help="Promote all drafts.")
@click.option("--all", "everything", is_flag=True, help="Also embed again what is live; not the retired.")
@json_option
@archive_options(make=False)
def promote(archive: Archive, ids: tuple[str, ...], drafts: bool, everything: bool, as_json: bool) -> None:
    """Make drafts live, so that they answer questions."""
    if bool(ids) + drafts + everything != 1:
        raise click.UsageError("name what to promote: ids of entries, --drafts or --all")
    if not ids:
        wanted = ("draft", "live") if everything else ("draft",)
        ids = tuple(entry.id for entry in archive.faq.entries() if entry.status in wanted)
    with _embedding(as_json) as drawn:
        promoted = archive.faq.promote(*ids, progress=drawn)
    _print_changed(promoted, "live", as_json)


@faq.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@json_option
@archive_options(make=False)
def retire(archive: Archive, ids: tuple[str, ...], as_json: bool) -> None:
    """Stop using entries, but keep them."""
    _print_changed(archive.faq.retire(*ids), "retired", as_json)


@faq.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@json_option
@archive_options(make=False)
def remove(archive: Archive, ids: tuple[str, ...], as_json: bool) -> None:
    """Remove entries for good."""
    _print_changed(archive.faq.remove(*ids), "removed", as_json)


# ---------------------------------------------------------------- questions


@faq.command()
@click.argument("question", nargs=-1, required=True)
@explain_option
@json_option
@archive_options(make=False)
def ask(archive: Archive, question: tuple[str, ...], explain: bool, as_json: bool) -> None:
    """Answer a question, or offer the nearest entries."""
    reply = archive.faq.ask(" ".join(question))
    if as_json:
        print_json(reply.to_json())
        return
    click.echo(printable(str(reply)))
    if reply.stage == "no_candidates":
        click.echo(
            "Add entries: onrecord faq add FILE --live. Drafts: onrecord faq promote --drafts", err=True
        )
    if reply.entry is not None and reply.entry.link:
        click.echo(printable(reply.entry.link))
    if not explain:
        return
    click.echo(f"\nstage {reply.stage}, score {reply.score:.3f}, {reply.retrieval_ms:.1f} ms")
    if reply.reranked:
        who = reply.model or "decided locally"
        click.echo(f"gate {reply.gate}, {who}, {reply.rerank_ms:.1f} ms: {printable(reply.reason)}")
    for candidate in reply.candidates:
        click.echo(f"  {candidate.score:.3f}  {printable(candidate.question)}  ({printable(candidate.id)})")


@faq.command()
@json_option
@archive_options(make=False)
def costs(archive: Archive, as_json: bool) -> None:
    """Show calls, tokens, money and cache hits by day."""
    show_faq(archive.faq, as_json)


@faq.command()
@click.argument("labelled", type=click.Path())
@calibration_options(
    precision=(0.95, "Share of the answers given at once that should be right."),
    lost=(0.02, "Share of the questions with an entry that may be asked back."),
)
@plot_option
@json_option
@archive_options(make=False)
def calibrate(
    archive: Archive,
    labelled: str,
    precision: float,
    lost: float,
    write: bool,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Propose the two thresholds, from questions with known entries.

    LABELLED is a CSV, YAML or JSON file with two columns: question, and the entry that answers it (its id or
    question; none where no entry does). A hundred real questions are a good start.
    """
    from onrecord.evaluate.faq import propose_thresholds
    from onrecord.ingest.faq import read_bytes, read_labelled

    judged, made = propose_thresholds(
        archive.faq, read_labelled(labelled, read_bytes(Path(labelled))), precision, lost
    )
    _print_proposal(judged, made, as_json)
    if plot and made.chosen:
        from onrecord.evaluate.faq_chart import draw_figure

        save_picture(draw_figure(judged, made.chosen), plot)
    _use(archive.faq, made, write)


def _use(answers: Faq, made: Proposal, write: bool) -> None:
    """Write the thresholds if `write` is true, unless the questions are too few to prove them.

    Exits with 1 if `write` is true and the questions are too few, or if `write` is false and the precision
    cannot be reached.
    """
    ctx, used = click.get_current_context(), made.thresholds(answers.decides)
    if not made.may_be_used:
        _print_too_few(made, used, write)
        ctx.exit(1 if write else 0)
    if write:
        answers.set_thresholds(used)
        click.echo(f"used from now on: {used.high:g} and {used.low:g}", err=True)
    if not made.within_reach:
        _print_out_of_reach(made, used, write)
        ctx.exit(0 if write else 1)


@faq.command()
@click.argument("high", type=click.FloatRange(0, 1), required=False)
@click.argument("low", type=click.FloatRange(0, 1), required=False)
@reset_option
@json_option
@archive_options(make=False)
def thresholds(archive: Archive, high: float | None, low: float | None, reset: bool, as_json: bool) -> None:
    """Show the two thresholds, or set them to HIGH and LOW.

    A question that scores HIGH or more is answered at once; one below LOW is asked back.
    """
    from onrecord.stores.faq import Thresholds

    if high is not None and (low is None or reset):
        raise click.UsageError("give both, HIGH and LOW, or --reset alone")
    if reset or high is not None:
        archive.faq.set_thresholds(None if high is None or low is None else Thresholds(high, low))
    pair = archive.faq.thresholds()
    if as_json:
        print_json({"high": pair.high, "low": pair.low})
    else:
        click.echo(f"answers at once from {pair.high:g} on, asks back at once under {pair.low:g}")


# ---------------------------------------------------------------- printing


@contextmanager
def _embedding(quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """Yield a function that draws the progress of embedding, or None if nobody would see it."""
    with progress(quiet) as draw:
        yield draw and (lambda done, of: draw(done, of, "embedding"))


def _print_changed(changed_entries: Sequence[FaqEntry], how: str, as_json: bool) -> None:
    """Print the entries that were promoted, retired or removed."""
    if as_json:
        print_json({how: [asdict(entry) for entry in changed_entries]})
        return
    _print_entries(changed_entries, how)
    click.echo(f"{len(changed_entries)} {how}")


def _print_entries(entries: Sequence[FaqEntry], how: str = "") -> None:
    for entry in entries:
        click.echo(f"{how or entry.status:>8}  {printable(entry.id)}  {printable(entry.question)}")


_TITLES = {
    "now": "thresholds now",
    "proposed": "proposed",
    "forecast": "forecast: chosen on one half, measured on the other",
}
_ROWS = {
    "precision": "right, of what is answered at once",
    "answered": "answered at once, of what an entry answers",
    "clarified": "asked back at once, of all",
    "lost": "asked back at once, of what an entry answers",
    "between": "left to stage two (the LLM rate), of all",
}


def _print_proposal(judged: Sequence[LabelledMatch], made: Proposal, as_json: bool) -> None:
    """Print the rates of thresholds on labeled questions: those in force, those proposed, and a forecast."""
    from onrecord.evaluate.faq import auroc
    from onrecord.evaluate.faq_chart import curves, plot_text

    if as_json:
        print_json({"questions": len(judged), "auroc": auroc(judged), **made.to_json()})
        return
    if chosen := made.chosen:
        over_high, over_low = curves(judged, chosen)
        click.echo(plot_text(f"upper threshold: {chosen.high:.3f}", over_high, chosen.high) + "\n")
        click.echo(plot_text(f"lower threshold: {chosen.low:.3f}", over_low, chosen.low) + "\n")
    inside = sum(1 for one in judged if one.expected)
    click.echo(f"{len(judged)} questions, {inside} of which an entry answers; AUROC {auroc(judged):.3f}")
    for name in _TITLES:
        rates: Rates | None = getattr(made, name)
        if rates is not None:
            click.echo(f"\n{_TITLES[name]}: {rates.thresholds.high:.3f} and {rates.thresholds.low:.3f}")
            for row, title in _ROWS.items():
                click.echo(f"  {title:<46} {getattr(rates, row)}")


def _print_out_of_reach(made: Proposal, used: Thresholds, written: bool) -> None:
    """Print on standard error that the precision cannot be reached, and the consequence."""
    if made.forecast and made.chosen:
        held = f": on questions that it was not chosen on it is {made.forecast.precision.value:.0%}"
    else:
        held = ": no threshold is right as often"
    click.echo(
        f"a precision of {made.precision:.0%} cannot be reached{held}; add variants of real questions",
        err=True,
    )
    back = "everything is asked back" if used.low >= 1 else "stage two decides, or it is asked back"
    consequence = f"nothing is answered at once, {back}" if written else f"with --write nothing is, {back}"
    click.echo(consequence, err=True)


def _print_too_few(made: Proposal, used: Thresholds, wanted: bool) -> None:
    """Print on standard error that the questions are too few to prove the proposed thresholds.

    `wanted` says whether the thresholds were to be written.
    """
    count = made.proposed.precision.total if made.proposed else 0
    click.echo(
        f"too few questions: the proposed thresholds answer {count} of them at once, and it takes"
        f" {made.needed} to show a precision of {made.precision:.0%}",
        err=True,
    )
    if wanted:
        click.echo(f"nothing is written: {used.high:g} and {used.low:g} stay in force", err=True)
