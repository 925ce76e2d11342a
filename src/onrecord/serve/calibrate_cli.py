"""``onrecord calibrate``: what the cosines of an embedding model mean, so that thresholds fit the model."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from onrecord.serve.options import archive_option, json_option, workspace_option

if TYPE_CHECKING:
    from onrecord.evaluate.calibrate import Calibrated


@click.command("calibrate")
@click.argument("questions", required=False, type=click.Path())
@click.option(
    "--precision",
    default=0.9,
    show_default=True,
    type=click.FloatRange(0.5, 1),
    help="How often the ten nearest passages should answer, from the threshold on.",
)
@click.option(
    "--lost",
    default=0.05,
    show_default=True,
    type=click.FloatRange(0, 0.5),
    help="How many of the answers may lie under the floor.",
)
@click.option("--write", is_flag=True, help="Use the figures for this archive and model from now on.")
@click.option("--reset", is_flag=True, help="Go back to the model's own.")
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
    """Find the thresholds of the embedding model on QUESTIONS whose answers are known.

    QUESTIONS is a file as for `onrecord eval`; without one, the built-in ones about the built-in examples.
    """
    import onrecord.archive
    from onrecord.evaluate.calibrate import calibrated
    from onrecord.evaluate.question_files import read_questions
    from onrecord.serve.eval_cli import examples

    with ExitStack() as stack:
        if write or reset or questions:
            kept = onrecord.archive.open(url, make=False, workspace=workspace)
            archive = stack.enter_context(kept)
        if reset:
            archive.models.calibrate(None)
            click.echo("the model's own figures are used from now on", err=True)
            return
        if questions:
            measured = calibrated(archive, read_questions(Path(questions)), precision, lost)
        else:
            model = {"model": archive.models.open_embedder().name} if write else {}
            builtin, file = stack.enter_context(examples(None, embedding=model))
            measured = calibrated(builtin, read_questions(file), precision, lost)
        _show(measured, as_json)
        made = measured.calibration
        if write and made:
            archive.models.calibrate(made)
            click.echo(f"used from now on: sure {made.sure:g}, floor {made.floor:g}", err=True)
        if not made:
            click.get_current_context().exit(1)


def _show(measured: Calibrated, as_json: bool) -> None:
    if as_json:
        from onrecord.serve.show import print_json

        print_json(measured.to_json())
        return
    made = measured.calibration
    click.echo(
        f"{len(measured.probes)} questions. From a cosine on, the ten nearest passages hold the answer:"
    )
    for cosine in sorted({0.3, 0.4, 0.5, 0.6, 0.7, *((made.sure,) if made else ())}):
        mark = "  <- sure" if made and cosine == made.sure else ""
        few = measured.falls_back(cosine)
        click.echo(
            f"  {cosine:.2f}  {measured.answered(cosine)}; under three passages: {few.value:.0%}{mark}"
        )
    click.echo(f"chosen on one half, on the other: {measured.held}")
    if made:
        click.echo(f"sure {made.sure:g}, floor {made.floor:g}")
    else:
        click.echo(f"a precision of {measured.wanted:.0%} cannot be had with this model", err=True)
