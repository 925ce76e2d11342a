"""``onrecord feedback``: what people think of answers, and two strategies on live questions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from onrecord.errors import NotFoundError
from onrecord.serve.options import (
    archive_options,
    json_option,
    llm_option,
    no_model_option,
    question_options,
    since_option,
)

if TYPE_CHECKING:
    from onrecord.archive import Archive, Ask


@click.group()
def feedback() -> None:
    """What people think of answers: thumbs and notes, to read and to measure by."""


@feedback.command()
@question_options("question")
@click.option("--good/--bad", required=True, default=None, help="What you think of the answer.")
@click.option("--note", default="", metavar="TEXT", help="Why, or what should have been there.")
@llm_option
@no_model_option
@json_option
@archive_options(make=False)
def add(archive: Archive, asked: Ask, good: bool, note: str, as_json: bool) -> None:
    """Ask QUESTION, show the answer, and keep what you think of it."""
    from onrecord.serve import answer_show, feedback_show

    answer = archive.ask(asked)
    if not as_json:
        answer_show.answer(answer, archive, as_json=False, markdown=False, explain=False)
    feedback_show.given(archive.ledger.rate(answer, good, note), as_json)


@feedback.command("list")
@click.option("--good/--bad", default=None, help="Only these.")
@json_option
@archive_options(make=False)
def list_feedback(archive: Archive, good: bool | None, as_json: bool) -> None:
    """The judgements, the first one first."""
    from onrecord.serve import feedback_show

    given = [one for one in archive.ledger.feedback() if good in (None, one.good)]
    feedback_show.listed(given, as_json)


@feedback.command()
@click.option("--output", type=click.Path(dir_okay=False), metavar="FILE", help="A file: .yaml or .json.")
@archive_options(make=False)
def export(archive: Archive, output: str | None) -> None:
    """Write the judgements as a file of questions, which `onrecord eval` reads."""
    from onrecord.evaluate.feedback import exported
    from onrecord.serve import feedback_show

    found = exported(archive, archive.ledger.feedback())
    text = feedback_show.questions(found, as_json=bool(output) and str(output).endswith(".json"))
    if output:
        Path(output).write_text(text, encoding="utf-8")
    else:
        click.echo(text, nl=False)
    feedback_show.left_out(found, output)


@feedback.command()
@click.argument("id", metavar="ID")
@json_option
@archive_options(make=False)
def remove(archive: Archive, id: str, as_json: bool) -> None:  # noqa: A002 - the argument's name
    """Remove a judgement, by its id. Nothing of it is left behind."""
    from onrecord.serve.show import print_json

    if not archive.ledger.withdraw(id):
        raise NotFoundError(f"no feedback has the id {id!r}: onrecord feedback list shows them")
    if as_json:
        print_json({"removed": id})
    else:
        click.echo(f"removed {id}")


@feedback.command()
@since_option
@json_option
@archive_options(make=False)
def compare(archive: Archive, since: str | None, as_json: bool) -> None:
    """The strategies of a trial on live questions, with intervals.

    The settings trial.strategy and trial.share give a share of the questions that name no strategy to another
    one than the usual.
    """
    from onrecord.evaluate.feedback import arms
    from onrecord.serve import feedback_show

    ledger = archive.ledger
    found = arms(ledger.tallies(), ledger.feedback(), since or "")
    feedback_show.compared(found, archive.settings.trial.strategy, as_json)
