"""``onrecord feedback``: ratings of answers, and two strategies compared by them."""

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
    output_option,
    since_option,
)
from onrecord.serve.question_options import question_options

if TYPE_CHECKING:
    from onrecord.archive import Archive, Ask


@click.group()
def feedback() -> None:
    """Rate answers, list the ratings, compare strategies.

    People rate answers on the page with a thumb and a note. Export the ratings as questions for
    `onrecord eval`, to measure on your own archive.
    """


@feedback.command()
@question_options("question")
@click.option("--good/--bad", required=True, default=None, help="Your rating of the answer.")
@click.option("--note", default="", metavar="TEXT", help="Why, or what is missing.")
@llm_option
@no_model_option
@json_option
@archive_options(make=False)
def add(archive: Archive, asked: Ask, good: bool, note: str, as_json: bool) -> None:
    """Ask a question, print the answer and store your rating."""
    from onrecord.serve import answer_show, feedback_show

    answer = archive.ask(asked)
    if not as_json:
        answer_show.answer(answer, archive, as_json=False, markdown=False, explain=False)
    feedback_show.stored(archive.ledger.rate(answer, good, note), as_json)


@feedback.command("list")
@click.option("--good/--bad", default=None, help="Only good, or only bad ratings.")
@json_option
@archive_options(make=False)
def list_feedback(archive: Archive, good: bool | None, as_json: bool) -> None:
    """List the ratings, the oldest first."""
    from onrecord.serve import feedback_show

    ratings = [rating for rating in archive.ledger.feedback() if good in (None, rating.good)]
    feedback_show.listed(ratings, as_json)


@feedback.command()
@output_option("Write to this .yaml or .json file instead of standard output.")
@archive_options(make=False)
def export(archive: Archive, output: str | None) -> None:
    """Write the ratings as a file of questions for `onrecord eval`."""
    from onrecord.evaluate.feedback import export_questions
    from onrecord.serve import feedback_show

    exported = export_questions(archive, archive.ledger.feedback())
    text = feedback_show.questions(exported, as_json=bool(output) and str(output).endswith(".json"))
    if output:
        Path(output).write_text(text, encoding="utf-8")
    else:
        click.echo(text, nl=False)
    feedback_show.left_out(exported, output)


@feedback.command()
@click.argument("id", metavar="ID")
@json_option
@archive_options(make=False)
def remove(archive: Archive, id: str, as_json: bool) -> None:  # noqa: A002 - the argument's name
    """Remove a rating, by its id."""
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
    """Compare two strategies by ratings of live questions.

    The settings trial.strategy and trial.share send a share of the questions to another strategy. This
    command shows how both did, with 95 % intervals.
    """
    from onrecord.evaluate.feedback import arms
    from onrecord.serve import feedback_show

    ledger = archive.ledger
    by_strategy = arms(ledger.tallies(), ledger.feedback(), since or "")
    feedback_show.compared(by_strategy, archive.settings.trial.strategy, as_json)
