"""How feedback looks in a terminal, as JSON and as a file. What people wrote goes through `printable`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from onrecord.serve.show import print_json
from onrecord.types import one_line, printable

if TYPE_CHECKING:
    from onrecord.evaluate.feedback import Arm, FeedbackQuestions
    from onrecord.types import Feedback


def stored(feedback: Feedback, as_json: bool) -> None:
    """Print the rating that was stored."""
    if as_json:
        print_json(feedback_view(feedback))
    else:
        click.echo(f"saved as {feedback.id}", err=True)


def feedback_view(feedback: Feedback) -> dict[str, Any]:
    """A rating as plain values. Fields may be added; none changes or disappears."""
    return asdict(feedback)


def listed(ratings: Sequence[Feedback], as_json: bool) -> None:
    """Print one rating a line, with its note below it."""
    if as_json:
        print_json([feedback_view(rating) for rating in ratings])
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


def questions(exported: FeedbackQuestions, as_json: bool) -> str:
    """The exported questions as the text of a file."""
    if as_json:
        return json.dumps({"questions": exported.questions}, ensure_ascii=False, indent=2) + "\n"
    import yaml

    plain = json.loads(json.dumps(exported.questions))  # without what YAML would write as references
    return str(yaml.safe_dump(plain, allow_unicode=True, sort_keys=False, width=110))


def left_out(exported: FeedbackQuestions, output: str | None) -> None:
    """Print how many questions were written, and which ratings cannot be measured."""
    count = len(exported.questions)
    click.echo(f"wrote {count} question{'s' * (count != 1)}" + (f" to {output}" if output else ""), err=True)
    for skipped in exported.unmeasurable:
        why = (
            "where the answer stands is not known"
            if not skipped.evidence
            else "what it cited is no longer there"
        )
        click.echo(f"left out: {one_line(skipped.question)}: {why}", err=True)


def compared(arms: Sequence[Arm], on_trial: str, as_json: bool) -> None:
    """Print a row for each strategy, and how far the one on trial is ahead."""
    from onrecord.evaluate.feedback import share_difference

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
