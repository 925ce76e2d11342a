"""How answers and moments look in a terminal, and as JSON.

Transcripts are not trusted: every text of theirs goes through `printable`, and never through markup.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import click

from onrecord.ingest.links import deep_link
from onrecord.serve.advice import scope_notes, unknown_speakers
from onrecord.serve.budgets import budgets
from onrecord.serve.show import nothing, print_json, spoken
from onrecord.serve.views import View, moment_view
from onrecord.types import Heading, Step, clock, one_line, printable

if TYPE_CHECKING:
    from onrecord.archive import Archive
    from onrecord.types import Answer, Event, Evidence, Moment, Question, Recording, Scope


def answering(
    events: Iterator[Event], archive: Archive, as_json: bool, markdown: bool, explain: bool
) -> None:
    """Print an answer as a language model writes it, or whole if none does."""
    as_it_comes = archive.writer is not None and not (as_json or markdown)
    streamed, headed = False, False
    for event in events:
        if isinstance(event, Step) and sys.stderr.isatty():
            click.echo(printable(str(event)), err=True)
        if isinstance(event, Heading) and as_it_comes:
            click.secho(printable(event.text) + "\n", bold=True)
            headed = _begun()
        if isinstance(event, str) and as_it_comes:
            click.echo(printable(event), nl=False)
            sys.stdout.flush()
            streamed = _begun()
    final = cast("Answer", event)
    click.get_current_context().meta.pop("kept", None)
    if not streamed:
        answer(replace(final, heading="") if headed else final, archive, as_json, markdown, explain)
        return
    from onrecord.answer import render

    click.echo("\n")
    render.terminal(replace(final, text="", heading="" if headed else final.heading))
    if explain:
        _done(final, archive)


def _begun() -> bool:
    """Note that words of the answer are printed: if the command is stopped now, it says that they are not
    all."""
    click.get_current_context().meta["kept"] = " before the answer was whole: ask again for the rest of it"
    return True


def answer(answer: Answer, archive: Archive, as_json: bool, markdown: bool, explain: bool) -> None:
    """Print an answer: heading, quotes with their marks, who said each and when."""
    from onrecord.answer import render

    if as_json:
        print_json(render.to_json(answer))
    elif markdown:
        click.echo(render.markdown(answer))
    else:
        render.terminal(answer)
    if explain and not as_json:
        _done(answer, archive)
    if not as_json:
        _tell_unknown(archive, answer.evidence.question.scope)
    if not as_json and answer.verdict == "nothing_found" and not answer.faq:
        nothing(archive, answer.evidence.question.scope)


def moments(evidence: Evidence, archive: Archive, limit: int, as_json: bool, explain: bool) -> None:
    """Print moments, best first: where, when, who, and the passage that fits best."""
    best = evidence.moments[:limit]
    titles = {r.id: r for r in archive.recordings()}
    if as_json:
        from onrecord.answer.render import grade_json, plan_json

        print_json(
            {
                "question": evidence.question.text,
                "moments": [_moment(moment, titles[moment.recording]) for moment in best],
                "notes": scope_notes(archive, evidence.question.scope),
                "plan": plan_json(evidence.plan) if evidence.plan else None,
                "grade": grade_json(evidence),
                "trace": [str(step) for step in evidence.trace],
            }
        )
        return
    for number, moment in enumerate(best, 1):
        _print_moment(number, moment, titles[moment.recording])
    if not best:
        click.echo("nothing found")
        nothing(archive, evidence.question.scope)
    _unsaid(archive, evidence.question)
    _tell_unknown(archive, evidence.question.scope)
    for note in evidence.plan.notes if evidence.plan else ():
        click.echo(f"onrecord: {printable(note)}", err=True)
    if explain:
        _explained(evidence, archive)


def _print_moment(number: int, moment: Moment, recording: Recording) -> None:
    best = moment.passages[moment.peak]
    times = "-".join(dict.fromkeys(clock(s) for s in (moment.start, moment.end) if s is not None))
    link = deep_link(recording.details.link, recording.details.media, moment.start)
    click.secho(f"{number}. {printable(recording.title)}{times and '  ' + times}", bold=True, nl=False)
    click.echo(f"  {printable(link)}" if link else "")
    click.echo(f"   {spoken(best)}\n")


def _explained(evidence: Evidence, archive: Archive) -> None:
    """Print what was understood, and what every stage did."""
    if evidence.plan:
        from onrecord.serve import plan_show

        click.secho("\nWhat was understood", bold=True)
        asked = evidence.question
        plan_show.terminal(evidence.plan, archive, asked.scope, asked.hints)
    click.secho("\nWhat was done", bold=True)
    for step in evidence.trace:
        click.echo(f"  {printable(str(step))}")
    if evidence.grade:
        shares = "".join(f"; {name} {share:.0%}" for name, share in evidence.grade.coverage.items())
        click.echo(f"  judged: {printable(str(evidence.grade) + shares)}")
    total = sum(step.seconds for step in evidence.trace)
    click.echo(f"  {total * 1000:.1f} ms to find it")


def _done(answer: Answer, archive: Archive) -> None:
    """Print what was understood, what every stage did, each call of a language model, and the sentences left
    out."""
    _explained(answer.evidence, archive)
    for call in answer.calls:
        cost = f", {call.money:.4f}" if call.money else ""
        tokens = f"{call.prompt_tokens} tokens in, {call.completion_tokens} out{cost}"
        end = one_line(call.failure) or tokens
        click.echo(f"  {printable(call.model)}, {call.role}: {call.seconds:.1f} s, {end}")
    if "total" in answer.seconds:
        rest = max(answer.seconds["total"] - sum(step.seconds for step in answer.evidence.trace), 0)
        click.echo(f"  answer: {len(answer.citations)} quotes chosen and checked, {rest * 1000:.1f} ms")
    for sentence in answer.unsupported:
        click.echo(f"  left out, not supported: {one_line(sentence)}")
    if answer.seconds:
        click.echo(f"  {', '.join(map(str, budgets(answer)))}")


def _tell_unknown(archive: Archive, scope: Scope) -> None:
    """Name on standard error the speakers of a scope who do not speak here."""
    for line in unknown_speakers(archive, scope):
        click.echo(f"onrecord: {line}", err=True)


def _unsaid(archive: Archive, question: Question) -> None:
    """Name on standard error the words that nobody says: moments match them in meaning at most."""
    from onrecord.serve.advice import unsaid

    line = unsaid(archive, question)
    if line:
        click.echo(f"onrecord: {line}", err=True)


def _moment(moment: Moment, recording: Recording) -> View:
    link = deep_link(recording.details.link, recording.details.media, moment.start)
    return moment_view(moment, recording, link, recording.details.media)
