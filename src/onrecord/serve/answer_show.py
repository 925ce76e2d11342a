"""The display of answers, moments and plans in a terminal, and as JSON.

Transcripts are not trusted: every text from them goes through `printable`, and never through markup.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, cast

import click

from onrecord.ingest.links import deep_link
from onrecord.serve.advice import scope_notes, unknown_speakers, unsaid
from onrecord.serve.budgets import budgets
from onrecord.serve.group import note_if_stopped
from onrecord.serve.show import nothing, print_json
from onrecord.serve.views import moment_view
from onrecord.types import Heading, Step, clock, one_line, printable

if TYPE_CHECKING:
    from onrecord.archive import Archive
    from onrecord.types import Answer, Event, Evidence, Filter, Moment, Plan, QuestionHints, Recording, Scope


def answering(
    events: Iterator[Event], archive: Archive, as_json: bool, markdown: bool, explain: bool
) -> None:
    """Print an answer while a language model writes it, or whole if none does."""
    as_it_comes = archive.writer is not None and not (as_json or markdown)
    streamed, headed = False, False
    for event in events:
        if isinstance(event, Step) and sys.stderr.isatty():
            click.echo(printable(str(event)), err=True)
        if isinstance(event, Heading) and as_it_comes:
            click.secho(printable(event.text) + "\n", bold=True)
            headed = True
        if isinstance(event, str) and as_it_comes:
            click.echo(printable(event), nl=False)
            sys.stdout.flush()
            streamed = True
        if headed or streamed:
            note_if_stopped(" before the answer was whole: ask again for the rest of it")
    final = cast("Answer", event)
    note_if_stopped("")
    if not streamed:
        answer(replace(final, heading="") if headed else final, archive, as_json, markdown, explain)
        return
    from onrecord.answer import render

    click.echo("\n")
    render.terminal(replace(final, text="", heading="" if headed else final.heading))
    if explain:
        _print_work(final, archive)


def answer(answer: Answer, archive: Archive, as_json: bool, markdown: bool, explain: bool) -> None:
    """Print an answer: the heading, and quotes with their marks, speakers and times."""
    from onrecord.answer import render

    if as_json:
        print_json(render.to_json(answer))
        return
    if markdown:
        click.echo(render.markdown(answer))
    else:
        render.terminal(answer)
    if explain:
        _print_work(answer, archive)
    _print_unknown_speakers(archive, answer.evidence.question.scope)
    if answer.verdict == "nothing_found" and not answer.faq:
        nothing(archive, answer.evidence.question.scope)
        if archive.recordings() and archive.faq.entries("live"):
            click.echo("onrecord: its FAQ was not asked: onrecord ask --faq QUESTION", err=True)


def moments(evidence: Evidence, archive: Archive, most: int, as_json: bool, explain: bool) -> None:
    """Print moments, best first: recording, time, and the best-matching passage with its speaker."""
    by_id = {r.id: r for r in archive.recordings()}
    best = [(moment, by_id[moment.recording]) for moment in evidence.moments[:most]]
    if as_json:
        from onrecord.answer.render import grade_json, plan_json

        print_json(
            {
                "question": evidence.question.text,
                "moments": [moment_view(m, r, _link(m, r), r.details.media) for m, r in best],
                "notes": scope_notes(archive, evidence.question.scope),
                "plan": plan_json(evidence.plan) if evidence.plan else None,
                "grade": grade_json(evidence),
                "trace": [line for step in evidence.trace for line in step.lines],
            }
        )
        return
    for number, (moment, recording) in enumerate(best, 1):
        fitting, link = moment.passages[moment.peak], _link(moment, recording)
        times = "-".join(dict.fromkeys(clock(s) for s in (moment.start, moment.end) if s is not None))
        click.secho(f"{number}. {printable(recording.title)}{times and '  ' + times}", bold=True, nl=False)
        click.echo(f"  {printable(link)}" if link else "")
        second = f"[{clock(fitting.start)}] " if fitting.start is not None else ""
        click.echo(f"   {second}{printable(fitting.spoken)}\n")
    if not best:
        click.echo("nothing found")
        nothing(archive, evidence.question.scope)
    if line := unsaid(archive, evidence.question):  # moments match these words only by meaning
        click.echo(f"onrecord: {line}", err=True)
    _print_unknown_speakers(archive, evidence.question.scope)
    for note in evidence.plan.notes if evidence.plan else ():
        click.echo(f"onrecord: {printable(note)}", err=True)
    if explain:
        _print_search(evidence, archive)


def _print_search(evidence: Evidence, archive: Archive) -> None:
    """Print the plan of the question, and the result of every stage."""
    if evidence.plan:
        click.secho("\nWhat was understood", bold=True)
        print_plan(evidence.plan, archive, evidence.question.scope, evidence.question.hints)
    click.secho("\nWhat was done", bold=True)
    for step in evidence.trace:
        for line in step.lines:
            click.echo(f"  {printable(line)}")
    if evidence.grade:
        shares = "".join(f"; {name} {share:.0%}" for name, share in evidence.grade.coverage.items())
        click.echo(f"  judged: {printable(str(evidence.grade) + shares)}")
    total = sum(step.seconds for step in evidence.trace)
    click.echo(f"  {total * 1000:.1f} ms to find it")


def _print_work(answer: Answer, archive: Archive) -> None:
    """Print the plan, every stage, each call of a language model, and the sentences left out."""
    _print_search(answer.evidence, archive)
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


def _print_unknown_speakers(archive: Archive, scope: Scope) -> None:
    """Print on standard error the speakers of a scope who speak in no recording."""
    for line in unknown_speakers(archive, scope):
        click.echo(f"onrecord: {line}", err=True)


def _link(moment: Moment, recording: Recording) -> str | None:
    return deep_link(recording.details.link, recording.details.media, moment.start)


# ---------------------------------------------------------------- plans


_DATES = ("since", "until")
_MOST_LINES = 4
"""The most values of one phrase that have a line each."""
_WIDTH = 12


def print_plan(plan: Plan, archive: Archive, scope: Scope, hints: QuestionHints) -> None:
    """Print a plan, one line for each part of it, then the scope and hints that options set.

    The parts of several questions follow one another.
    """
    for number, asked in enumerate(plan.queries if plan.parts else ()):
        _print([("asks", asked), *_lines(plan.parts[number], archive)])
        click.echo("")
    if not plan.parts:
        _print(_lines(plan, archive))
    _print(_named("given", list(_options_given(scope, hints))))


def _print(lines: Iterable[tuple[str, str]]) -> None:
    for name, value in lines:
        click.secho(f"{name:<{_WIDTH}}", bold=True, nl=False)
        click.echo(printable(value))


def _lines(plan: Plan, archive: Archive) -> Iterator[tuple[str, str]]:
    yield "looks for", plan.text
    yield "intent", plan.intent + (f", {plan.complexity}" if plan.complexity != "simple" else "")
    if plan.act:
        yield "act", plan.act
    yield "language", plan.language or "not known"
    if plan.entities:
        yield "names", ", ".join(plan.entities)
    for name, exact in (("filters", True), ("prefers", False)):
        filters = [filter_ for filter_ in plan.filters if filter_.exact == exact]
        yield from _named(name, list(_filter_lines(filters, archive)))
    if not plan.filters:
        yield "filters", "none"
    yield "strategy", plan.strategy
    yield from _named("asks", plan.queries)
    yield from _named("notes", plan.notes)
    yield from _named("knows", [line for fact in plan.facts for line in (fact.text, *fact.items)])


def _named(name: str, values: tuple[str, ...] | list[str]) -> Iterator[tuple[str, str]]:
    """Pair each value with the name; after the first value the name is empty."""
    for at, value in enumerate(values):
        yield ("" if at else name), value


def _options_given(scope: Scope, hints: QuestionHints) -> Iterator[str]:
    """Yield the conditions of a scope in the form of filters, then the hints, named as in a plan."""
    fields = ("recording", "speaker", "language", "section")
    values = (scope.recordings, scope.speakers, scope.languages, scope.sections)
    for field, entries in zip(fields, values, strict=True):
        yield from (f"{field}: {value}" for value in entries)
    if scope.since or scope.until:
        yield f"date: {scope.since or ''}..{scope.until or ''}"
    yield from (f"{name}: {value}" for name, value in scope.attributes.items())
    if hints.intent:
        yield f"intent: {hints.intent}"
    if hints.language:
        yield f"asked in: {hints.language}"
    yield from (f"about: {name}" for name in hints.entities)
    yield from (f"asks: {query}" for query in hints.queries)


def _filter_lines(filters: Sequence[Filter], archive: Archive) -> Iterator[str]:
    """Yield a line for each filter with the question's words for it, then one for both dates.

    Filters from the same words share a line if they are many. The two dates share a line, and a missing date
    is left empty: ``date: 2024-11-06..2024-12-31``.
    """
    undated = (filter_ for filter_ in filters if filter_.field not in _DATES)
    for (field, said), group in groupby(undated, lambda each: (each.field, each.said)):
        values = []
        for each in group:
            recording = archive.store.recording(each.value) if field == "recording" else None
            values.append(recording.title if recording else each.value)
        if len(values) > _MOST_LINES:
            values = [f"{values[0]}, {values[1]} and {len(values) - 2} others"]
        yield from (f'{field}: {value}  ("{said}")' for value in values)
    days = {filter_.field: filter_ for filter_ in filters if filter_.field in _DATES}
    if days:
        first, last = (days[name].value if name in days else "" for name in _DATES)
        words = " ... ".join(dict.fromkeys(filter_.said for filter_ in days.values()))
        yield f'date: {first}..{last}  ("{words}")'
