"""The commands ``onrecord models``, ``embed``, ``summarize`` and ``calibrate``: models for an archive."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from onrecord.serve import show
from onrecord.serve.group import RESUMABLE, UNCHANGED, note_if_stopped
from onrecord.serve.options import (
    archive_option,
    archive_options,
    calibration_options,
    json_option,
    llm_option,
    reset_option,
    workspace_option,
)

if TYPE_CHECKING:
    from onrecord.archive import Archive
    from onrecord.evaluate.calibrate import CalibrationReport


@click.group()
def models() -> None:
    """Download the embedding model, or list the available ones."""


@models.command("fetch")
def fetch_model() -> None:
    """Download the built-in embedding model (all-MiniLM-L6-v2, 80 MB) and verify its SHA-256.

    The first command that needs it would do the same.
    """
    from onrecord.models.minilm.weights import fetch_weights

    click.echo(f"the embedded model is ready: {fetch_weights(progress=show.weights_line)}")


@models.command("list")
@json_option
def list_models(as_json: bool) -> None:
    """List the embedding models, and whether each is installed."""

    from onrecord.models import describe

    known = describe()
    if as_json:
        show.print_json(known)
        return
    for model in known:
        click.echo(f"{model['name']:<28} {model['state']}")


@click.command()
@click.option(
    "--embedder",
    metavar="NAME",
    help="minilm, openai:NAME, fastembed:NAME or sentence-transformers:NAME.",
)
@click.option("--again", is_flag=True, help="Embed everything again, and use this model from now on.")
@json_option
@archive_options(make=False)
def embed(archive: Archive, again: bool, as_json: bool) -> None:
    """Compute missing vectors, or switch to another model.

    Vectors let onrecord search by meaning. Without --again it embeds only recordings that have none.
    """
    note_if_stopped(UNCHANGED if again else RESUMABLE)
    with show.progress(as_json) as progress:
        count = archive.embed(progress, again=again)
    model = archive.store.meta("model")
    if as_json:
        show.print_json({"embedded": count, "model": model})
    else:
        click.echo(f"{count} recordings embedded by {model['name']}  ->  {show.place(archive)}")


@click.command()
@llm_option
@json_option
@archive_options(make=False)
def summarize(archive: Archive, as_json: bool) -> None:
    """Let a language model summarize the sections of recordings.

    Without this command every section has an extractive summary: its most telling sentences. Name a
    model with --model or the setting llm.model. Run it again to go on where it stopped; one run makes at most
    `llm.summary_calls` calls, for at most `llm.summary_money`, and prints what they cost.
    """
    note_if_stopped(RESUMABLE)
    with show.progress(as_json) as progress:
        made = archive.summarize(progress=progress)
    if as_json:
        counts = {"made": made.made, "refused": made.refused, "left": made.left, "money": made.money}
        show.print_json({**counts, "calls": len(made.calls)})
        return
    click.echo(str(made))
    for failure in dict.fromkeys(made.failures):
        click.echo(f"onrecord: {failure}", err=True)


@click.command("calibrate")
@click.argument("questions", required=False, type=click.Path())
@calibration_options(
    precision=(0.9, "How often the ten nearest passages should answer, from the threshold on."),
    lost=(0.05, "Share of the answers that may lie below the floor."),
)
@reset_option
@archive_option
@workspace_option
@json_option
def calibrate(
    questions: str | None,
    precision: float,
    lost: float,
    write: bool,
    reset: bool,
    url: str | None,
    workspace: str | None,
    as_json: bool,
) -> None:
    """Find score thresholds that fit the embedding model.

    Models score differently: .6 is high for one and low for another. QUESTIONS is a file of questions with
    known answers, as for `onrecord eval`. Without it the built-in questions are used.
    """
    if reset and (questions or write):
        raise click.UsageError("--reset stands alone: leave QUESTIONS and --write out")
    import onrecord.archive
    from onrecord.evaluate.calibrate import measure_calibration
    from onrecord.evaluate.question_files import read_questions
    from onrecord.serve.eval_cli import examples

    open_archive = partial(onrecord.archive.open, url, make=False, workspace=workspace)
    if reset:
        with open_archive() as archive:
            _reset_calibration(archive, as_json)
        return
    with ExitStack() as stack:
        if write or questions:
            archive = stack.enter_context(open_archive())
        if questions:
            measured = measure_calibration(archive, read_questions(Path(questions)), precision, lost)
        else:
            model = {"model": archive.models.open_embedder().name} if write else {}
            builtin, file = stack.enter_context(examples(None, embedding=model))
            measured = measure_calibration(builtin, read_questions(file), precision, lost)
        _print_calibration(measured, as_json)
        chosen = measured.calibration
        if write and chosen:
            archive.models.calibrate(chosen)
            click.echo(f"used from now on: sure {chosen.sure:g}, floor {chosen.floor:g}", err=True)
        if not chosen:
            click.get_current_context().exit(1)


def _reset_calibration(archive: Archive, as_json: bool) -> None:
    archive.models.calibrate(None)
    if as_json:
        show.print_json({"calibration": asdict(archive.models.open_embedder().calibration)})
    click.echo("the model's own figures are used from now on", err=True)


def _print_calibration(measured: CalibrationReport, as_json: bool) -> None:
    if as_json:
        show.print_json(measured.to_json())
        return
    chosen = measured.calibration
    click.echo(
        f"{len(measured.probes)} questions. From a cosine on, the ten nearest passages hold the answer:"
    )
    for cosine in sorted({0.3, 0.4, 0.5, 0.6, 0.7, *((chosen.sure,) if chosen else ())}):
        mark = "  <- sure" if chosen and cosine == chosen.sure else ""
        few = measured.falls_back(cosine)
        click.echo(
            f"  {cosine:.2f}  {measured.answered(cosine)}; under three passages: {few.value:.0%}{mark}"
        )
    click.echo(f"chosen on one half, on the other: {measured.held_out}")
    if chosen:
        click.echo(f"sure {chosen.sure:g}, floor {chosen.floor:g}")
    else:
        wanted = f"this model cannot reach a precision of {measured.precision:.0%}"
        click.echo(f"{wanted}: ask for less (--precision), or set another embedding.model", err=True)
