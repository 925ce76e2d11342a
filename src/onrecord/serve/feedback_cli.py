"""The command ``onrecord feedback``: ratings of answers, and two strategies compared by ratings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from onrecord.errors import NotFoundError
from onrecord.serve.options import (
    archive_options,
    json_option,
    llm_option,
    no_model_option,
    output_options,
    since_option,
)
from onrecord.serve.question_options import question_options
from onrecord.serve.show import print_json
from onrecord.types import one_line, printable

if TYPE_CHECKING:
    from onrecord.archive import Archive, Ask
    from onrecord.evaluate.feedback import Arm


@click.group()
def feedback() -> None:
    """Rate answers, list the ratings, compare strategies.

    People rate answers on the page with a thumb and a note. Export the ratings as questions for
    `onrecord eval`, to measure on your own archive.
    """


def _rating(ctx: click.Context, param: click.Parameter, value: bool | None) -> bool:
    """Refuse a missing rating; click lets a required option pass whose default is None."""
    if value is None:
        raise click.UsageError("Missing option '--good' or '--bad'.", ctx)
    return value


@feedback.command()
@question_options("question")
@click.option("--good/--bad", default=None, callback=_rating, help="Your rating of the answer.  [required]")
@click.option("--note", default="", metavar="TEXT", help="Why, or what is missing.")
@llm_option
@no_model_option
@json_option
@archive_options(make=False)
def add(archive: Archive, asked: Ask, good: bool, note: str, as_json: bool) -> None:
    """Ask a question, print the answer and store your rating."""
    from onrecord.serve import answer_show

    answer = archive.ask(asked)
    if not as_json:
        answer_show.answer(answer, archive, as_json=False, markdown=False, explain=False)
    rating = archive.ledger.rate(answer, good, note)
    if as_json:
        print_json(asdict(rating))
    else:
        click.echo(f"saved as {rating.id}", err=True)


@feedback.command("list")
@click.option("--good/--bad", default=None, help="Only good, or only bad ratings.")
@json_option
@archive_options(make=False)
def list_feedback(archive: Archive, good: bool | None, as_json: bool) -> None:
    """List the ratings, the oldest first."""
    ratings = [rating for rating in archive.ledger.feedback() if good in (None, rating.good)]
    if as_json:
        print_json([asdict(rating) for rating in ratings])
        return
    for rating in ratings:
        thumb = "good" if rating.good else "bad "
        click.echo(
            f"{rating.made[:16]}  {thumb}  {one_line(rating.question)}"
            f"  ({one_line(rating.strategy)}, {rating.id})"
        )
        if rating.note:
            click.echo(f"{'':24}{one_line(rating.note)}")
    if not ratings:
        click.echo(
            "there is no feedback yet; give some with: onrecord feedback add QUESTION --good", err=True
        )


@feedback.command()
@output_options("Write to this .yaml or .json file instead of standard output.")
@archive_options(make=False)
def export(archive: Archive, output: str | None) -> None:
    """Write the ratings as a file of questions for `onrecord eval`."""
    from onrecord.evaluate.feedback import export_questions

    exported = export_questions(archive, archive.ledger.feedback())
    if output and output.endswith(".json"):
        text = json.dumps({"questions": exported.questions}, ensure_ascii=False, indent=2) + "\n"
    else:
        import yaml

        plain = json.loads(json.dumps(exported.questions))  # YAML writes shared objects as references
        text = str(yaml.safe_dump(plain, allow_unicode=True, sort_keys=False, width=110))
    if output:
        Path(output).write_text(text, encoding="utf-8")
    else:
        click.echo(text, nl=False)
    count = len(exported.questions)
    click.echo(f"wrote {count} question{'s' * (count != 1)}" + (f" to {output}" if output else ""), err=True)
    for skipped in exported.unmeasurable:
        why = (
            "where the answer stands is not known"
            if not skipped.evidence
            else "what it cited is no longer there"
        )
        click.echo(f"left out: {one_line(skipped.question)}: {why}", err=True)


@feedback.command()
@click.argument("id", metavar="ID")
@json_option
@archive_options(make=False)
def remove(archive: Archive, id: str, as_json: bool) -> None:  # noqa: A002 - the argument's name
    """Remove a rating, by its id."""
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

    ledger = archive.ledger
    by_strategy = arms(ledger.tallies(), ledger.feedback(), since or "")
    _print_comparison(by_strategy, archive.settings.trial.strategy, as_json)


def _print_comparison(arms: Sequence[Arm], on_trial: str, as_json: bool) -> None:
    """Print a row for each strategy, and the lead of the one on trial."""
    from onrecord.evaluate.intervals import share_difference

    base = next((arm for arm in arms if arm.strategy != on_trial), None)
    tried = next((arm for arm in arms if arm.strategy == on_trial), None)
    differences = {
        name: share_difference(getattr(tried, name), getattr(base, name))
        for name in ("good", "refused", "marked")
        if base and tried and getattr(tried, name).total and getattr(base, name).total
    }
    if as_json:
        by_strategy = {name: asdict(difference) for name, difference in differences.items()}
        print_json({"arms": [arm.to_json() for arm in arms], "differences": by_strategy})
        return
    for arm in arms:
        click.secho(f"{printable(arm.strategy)}: {arm.asked:,} questions", bold=True)
        for name, title in (("good", "thumbs up"), ("refused", "refused"), ("marked", "sentences marked")):
            share = getattr(arm, name)
            click.echo(f"  {title:<18}{share if share.total else 'none yet'}")
        click.echo(f"  {'seconds':<18}{arm.seconds}")
    for name, difference in differences.items():
        sure = "" if difference.certain else "  (may be chance)"
        click.echo(
            f"{name}: {printable(on_trial)} is {difference} above {base.strategy if base else ''}{sure}"
        )
    if not arms:
        click.echo("no question was part of a trial yet: set trial.strategy", err=True)
