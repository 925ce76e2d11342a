"""Understanding a question by rules: what kind it is, where to look, what to look for, which way to take.

Nothing here is guessed: a name, title or value becomes a filter only where the archive has it, and has it
once; everything else stays in the words that are searched for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Protocol

import onrecord.retrieve.plan.parts as parts
from onrecord.retrieve.plan.asked import Asked
from onrecord.retrieve.plan.conversation import MOST_READ, Understood, in_conversation
from onrecord.retrieve.plan.counting import Tally, tally
from onrecord.retrieve.plan.facts import informed, missing
from onrecord.retrieve.plan.intent import intent, sides
from onrecord.retrieve.plan.intent import parts as questions_in
from onrecord.retrieve.plan.known import Known, known
from onrecord.retrieve.plan.language import question_language
from onrecord.retrieve.plan.letters import question_of
from onrecord.retrieve.plan.loosen import left_open, loosened, of_all_sides
from onrecord.retrieve.plan.names import by_name, entities
from onrecord.retrieve.plan.notes import Notes, notes_in
from onrecord.retrieve.plan.reading import Background, speaks
from onrecord.retrieve.plan.router import route
from onrecord.retrieve.plan.several import Part, as_one, several
from onrecord.stores.base import Reader
from onrecord.stores.scope import in_scope
from onrecord.types import Fact, Filter, Meant, Plan, Question, Scope

_TURNS = 12
"""Turns of a conversation that are looked back on."""


class Planner(Protocol):
    """What takes the planner's seat: the rules of `plan`, or a language model. The strategy of its plan is
    one of `strategies`."""

    def __call__(
        self, question: Question, reader: Reader, today: date, *, strategies: Collection[str] = ...
    ) -> Plan: ...


def plan(
    question: Question,
    reader: Reader,
    today: date,
    *,
    strategies: Collection[str] = ("balanced",),
    without: Collection[str] = (),
) -> Plan:
    """What is understood of a question, as it is asked after `question.history`.

    Args:
        today: the day from which "last year" is reckoned.
        strategies: the names among which the route is chosen; "balanced" is where none fits.
        without: fields of filters that the user does not want read ("speaker", "since", ...).

    What `question.scope` says of a field is kept, and nothing is read for that field. Filters that would
    leave nothing are left out, and `Plan.notes` say so. What `question.meant` says stands in place of what is
    read: an intent has its way taken; questions to ask are the sides where the way is "comparison", and else
    they are asked one by one, after the question. Takes some milliseconds.
    """
    against = _against(question, reader, today)
    before = [part.text for turn in _looked_back_on(question) for part in _questions(turn, against)]

    def planned(part: Part, queries: tuple[str, ...] = ()) -> Plan:
        one = replace(question, text=part.text, meant=replace(question.meant, queries=queries))
        turns = [*before, *part.before][-_TURNS:]
        return _plan(one, turns, _against(one, reader, today), strategies, without)

    given = question.meant.queries
    whole = planned(Part(question_of(question.text)), given) if len(given) > 1 else None
    if whole and whole.strategy == "comparison" and not whole.settled:
        return whole
    parted = tuple(Part(each, (question.text, *given[:at])) for at, each in enumerate(given))
    asked = parted or _questions(question.text, against)
    plans = list(map(planned, asked))
    return as_one(question, asked, plans) if given or len(plans) > 1 else plans[0]


def _looked_back_on(question: Question) -> list[str]:
    """The questions before this one: the last one, and as many as can be read in the time for one."""
    turns = [exchange.question for exchange in question.history[-_TURNS:]]
    while len(turns) > 1 and sum(map(len, (*turns, question.text))) > MOST_READ:
        del turns[0]
    return turns


def _against(question: Question, reader: Reader, today: date) -> Background:
    language = question.meant.language or question_language(question.text[:MOST_READ])
    return Background(known(reader), reader, today, language, notes_in(language), question.scope)


def _questions(text: str, against: Background) -> tuple[Part, ...]:
    """The questions of a text; all of it where it asks one."""
    text = question_of(text)

    def told(turns: Sequence[str]) -> bool:
        now = in_conversation(turns, against)
        return now.inquires(now.filters, against.known) is not None

    def complete(turns: Sequence[str]) -> bool:
        now = in_conversation(turns, against)
        return now.acts or intent(now.asked, 0, 0, bare=False) == "summary" or told(turns)

    return several(text, complete, told) or (Part(text),)


def _plan(
    question: Question,
    before: Sequence[str],
    against: Background,
    strategies: Collection[str],
    without: Collection[str],
) -> Plan:
    """What is understood of one question, as it is asked after some others."""
    now = in_conversation([*before, question.text], against)
    wanted = _wanted(now, question, without)
    kept, scope, left_out = loosened(wanted, question.scope, against.known, against.reader)
    scope = _together(now, kept, scope, against.known) if now.acts else scope
    if left_out and not kept:  # "what happened in June?" asks for June, where no recording is of June
        now = replace(now, bare=False)
    left = now.search(kept)
    meant = question.meant
    kind, queries = _kind(now, kept, left, meant)
    bare = now.bare and not meant.queries and kind in ("summary", "comparison", "multi_entity")
    counted = tally(left[:MOST_READ], kept)
    sought = counted.said if counted else left
    answer_in = parts.answer_language(Asked.of(question.text[:MOST_READ]))
    given = meant.intent is not None
    strategy = route(now.asked, sought, kind, bare, len(queries), strategies, acts=now.acts, given=given)
    made = Plan(
        text=by_name(sought, kept),
        intent=kind,
        language=meant.language or (answer_in[0] if answer_in else against.language),
        entities=meant.entities or entities(left[:MOST_READ], now.named, kept),
        filters=kept,
        scope=scope,
        strategy=strategy,
        queries=queries,
        notes=(*now.notes, *_remarks(now, strategy, kept, left_out, against.notes)),
        act=now.wish.act if now.wish else "",
    )
    lacking = missing(now.asked, wanted, left_out, scope, against, made.language)
    facts = (*lacking, *_facts(now, counted, scope, against))
    return informed(made, now.inquires(wanted, against.known), wanted, against) or replace(made, facts=facts)


def _remarks(
    now: Understood, strategy: str, kept: Sequence[Filter], left_out: Sequence[Filter], notes: Notes
) -> Iterator[str]:
    """What was made of the question, where that is not what it says."""
    if left_out:
        yield notes.loosened([found.said for found in left_out], alone=not kept)
    if now.doing and strategy != "acts":
        yield notes.as_a_whole(now.doing)


def _together(now: Understood, kept: Sequence[Filter], scope: Scope, index: Known) -> Scope:
    """Where people can agree with each other, or not: the recordings in which all of them speak, if any."""
    names = [found.value for found in kept if found.field == "speaker"]
    if not now.wish or not now.wish.act.endswith("agreement") or len(names) < 2:
        return scope
    there = [r for r in index.recordings if in_scope(r, scope) and all(speaks(name, r) for name in names)]
    return replace(scope, recordings=tuple(recording.id for recording in there)) if there else scope


def _facts(now: Understood, counted: Tally | None, scope: Scope, against: Background) -> tuple[Fact, ...]:
    """Who is what a question wants the name of, and what it wants counted, whatever else it asks."""
    who = (Fact(now.found.who, whole=False),) if now.found.who else ()
    return (*who, counted.told(scope, against)) if counted else who


def _wanted(now: Understood, question: Question, without: Collection[str]) -> list[Filter]:
    """The filters that were read, where the user leaves them to be read, and all sides have them."""
    left = [found for found in now.filters if left_open(found, question, without)]
    return list(of_all_sides(left, sides(now.asked, now.side_by_side)))


# ---------------------------------------------------------------- kind, queries, entities


def _kind(now: Understood, kept: Sequence[Filter], left: str, meant: Meant) -> tuple[str, tuple[str, ...]]:
    """The intent, and the questions to ask one by one; `left` is what is searched for."""
    beside = _most_of_one_field(kept)
    compared = sides(now.asked, now.side_by_side)
    read = intent(now.asked, beside + len(now.named), max(beside, len(compared)), now.bare and beside < 2)
    kind = meant.intent or read
    queries = compared if kind == "comparison" or beside > 1 else questions_in(left)
    return kind, meant.queries or queries


def _most_of_one_field(filters: Sequence[Filter]) -> int:
    counts: dict[str, int] = {}
    for found in filters:
        if found.field not in ("since", "until"):
            counts[found.field] = counts.get(found.field, 0) + 1
    return max(counts.values(), default=0)
