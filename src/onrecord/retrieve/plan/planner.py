"""Understanding a question by rules: what kind it is, where to look, what to look for, which way to take.

Nothing here is guessed: a name, title or value becomes a filter only where the archive has it, and has it
once; everything else stays in the words that are searched for.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Protocol

import onrecord.retrieve.plan.follow as follow
import onrecord.retrieve.plan.in_turn as in_turn
import onrecord.retrieve.plan.links as links
import onrecord.retrieve.plan.parts as parts
from onrecord.retrieve.plan.asked import Asked, Span
from onrecord.retrieve.plan.attributes import each_named
from onrecord.retrieve.plan.counting import Tally, tally
from onrecord.retrieve.plan.facts import Inquiry, Turn, informed, inquiry, missing
from onrecord.retrieve.plan.follow import Before, Lean
from onrecord.retrieve.plan.intent import intent, said_once, sides
from onrecord.retrieve.plan.intent import parts as questions_in
from onrecord.retrieve.plan.known import Known, known
from onrecord.retrieve.plan.language import question_language
from onrecord.retrieve.plan.letters import question_of
from onrecord.retrieve.plan.loosen import left_open, loosened, of_all_sides
from onrecord.retrieve.plan.names import by_name, entities
from onrecord.retrieve.plan.notes import Notes, notes_in
from onrecord.retrieve.plan.reading import Background, Found, read, spans_side_by_side, speaks
from onrecord.retrieve.plan.remembered import remembered
from onrecord.retrieve.plan.router import route
from onrecord.retrieve.plan.several import Part, as_one, several
from onrecord.retrieve.plan.wish import Wish, wish
from onrecord.stores.base import Reader
from onrecord.stores.scope import in_scope
from onrecord.types import Fact, Filter, Meant, Plan, Question, Scope

MOST_READ = 1000
"""Characters of a question in which filters are looked for."""
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
        now = _in_conversation(turns, against)
        return now.inquires(now.filters, against.known) is not None

    def complete(turns: Sequence[str]) -> bool:
        now = _in_conversation(turns, against)
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
    now = _in_conversation([*before, question.text], against)
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
    now: _Understood, strategy: str, kept: Sequence[Filter], left_out: Sequence[Filter], notes: Notes
) -> Iterator[str]:
    """What was made of the question, where that is not what it says."""
    if left_out:
        yield notes.loosened([found.said for found in left_out], alone=not kept)
    if now.doing and strategy != "acts":
        yield notes.as_a_whole(now.doing)


def _together(now: _Understood, kept: Sequence[Filter], scope: Scope, index: Known) -> Scope:
    """Where people can agree with each other, or not: the recordings in which all of them speak, if any."""
    names = [found.value for found in kept if found.field == "speaker"]
    if not now.wish or not now.wish.act.endswith("agreement") or len(names) < 2:
        return scope
    there = [r for r in index.recordings if in_scope(r, scope) and all(speaks(name, r) for name in names)]
    return replace(scope, recordings=tuple(recording.id for recording in there)) if there else scope


def _facts(now: _Understood, counted: Tally | None, scope: Scope, against: Background) -> tuple[Fact, ...]:
    """Who is what a question wants the name of, and what it wants counted, whatever else it asks."""
    who = (Fact(now.found.who, whole=False),) if now.found.who else ()
    return (*who, counted.told(scope, against)) if counted else who


def _wanted(now: _Understood, question: Question, without: Collection[str]) -> list[Filter]:
    """The filters that were read, where the user leaves them to be read, and all sides have them."""
    left = [found for found in now.filters if left_open(found, question, without)]
    return list(of_all_sides(left, sides(now.asked, now.side_by_side)))


# ---------------------------------------------------------------- one question, after those before it


@dataclass(frozen=True, slots=True)
class _Understood:
    """A question with what it leans on, as a text that stands by itself. `aside` are the words of filters
    that can be taken out of it, by filter; `rest` is what is too long to be looked at; `named` are the
    people in it who are not asked for; `doing` are its words for what somebody does in speaking, where it has
    no others; `wish` is what is done in speaking that it asks for, and `acts` is true where it asks for
    nothing else; `alone` is the question without what it leans on, `found` what was read in it, `earlier`
    what the one before it asks of the catalogue, `sides` of whom it and those before it ask the same."""

    asked: Asked
    rest: str
    filters: tuple[Filter, ...]
    aside: tuple[tuple[Filter, str], ...]
    side_by_side: tuple[Span, ...]
    named: tuple[str, ...]
    notes: tuple[str, ...]
    bare: bool
    alone: Asked
    found: Found
    doing: tuple[str, ...] = ()
    wish: Wish | None = None
    acts: bool = False
    earlier: Inquiry | None = None
    sides: tuple[str, ...] = ()

    def before(self, inquires: bool) -> Before:
        """What the next question may lean on. Who `inquires` of the catalogue spoke of nothing: only where it
        looked, and whom it named, is kept."""
        people = [found.value for found in self.filters if found.field == "speaker"] or list(self.named)
        text = "" if inquires else self.search(self.filters)
        return Before(text, self.filters, tuple(dict.fromkeys(people)), self.sides)

    def inquires(self, kept: Sequence[Filter], known: Known) -> Inquiry | None:
        """What it asks of the catalogue, where these filters hold."""
        return inquiry(Turn(self.alone, self.found, tuple(kept)), self.earlier, known)

    def search(self, kept: Sequence[Filter]) -> str:
        """The text to search for: without the words of the filters that are kept."""
        text = self.asked.text
        spans = []
        for found, words in dict.fromkeys(self.aside):
            at = text.find(words)
            if found in kept and at >= 0:
                spans.append((at, at + len(words)))
        return follow.search_text(text, spans) + self.rest


def _in_conversation(questions: Sequence[str], against: Background) -> _Understood:
    """The last of some questions, as it is asked after the others. What it means is remembered, as the next
    turn may lean on it."""
    key = "turns", *questions, against.language, against.today, repr(against.within)
    return remembered(against.reader).value(key, lambda: _as_last(questions, against))


def _as_last(questions: Sequence[str], against: Background) -> _Understood:
    *before, text = questions
    if not before:
        return _understood(text, None, against)
    last = _in_conversation(before, against)
    asked = last.inquires(last.filters, against.known)
    now = _understood(text, last.before(asked is not None), against)
    return replace(now, earlier=asked)


def _understood(text: str, before: Before | None, against: Background) -> _Understood:
    asked = each_named(follow.without_courtesy(Asked.of(said_once(text[:MOST_READ]))))
    wanted_language = parts.answer_language(asked)
    if wanted_language:
        begin, end = wanted_language[1]
        asked = Asked.of((asked.text[:begin] + " " + asked.text[end:]).strip() or asked.text)
    asked, linked, unlinked = links.read(asked, against.known, against.notes)
    anywhere = before is not None and (follow.opens(asked) or len(asked.tokens()) <= 2)
    earlier = [f for f in before.filters if f.field not in ("speaker", "recording")] if before else []
    company = before.people if before else ()
    found = read(asked, against, anywhere, earlier, company, linked)
    found = replace(found, notes=(*unlinked, *found.notes))
    rest = text[MOST_READ:]
    if before is not None and (whole := in_turn.compared(asked, before)):
        return _compared(_understood(whole.text, None, against), before)
    read_already = [*_filter_spans(found), *_name_spans(found)]
    if before is not None and (lean := follow.leaning(asked, read_already)):
        return _leaning(asked, found, rest, before, lean, against)
    return _alone(asked, found, rest)


def _compared(now: _Understood, before: Before) -> _Understood:
    """A comparison of those who were asked of before, where they were asked."""
    fields = {"speaker", *(found.field for found in now.filters)}
    kept = [found for found in before.filters if found.field not in fields and found.said not in before.sides]
    return replace(now, filters=(*now.filters, *kept))


def _leaning(
    asked: Asked, found: Found, rest: str, before: Before, lean: Lean, against: Background
) -> _Understood:
    """A question with what it leans on."""
    notes = against.notes
    new = [reading.filter for reading in found.readings]
    gone = [] if lean.person else in_turn.elsewhere(new, before, against.known)
    filters, people, unclear = follow.carried(new, before, lean, bool(found.asked_for), gone)
    own = wish(asked)
    again = own is None or lean.thing is not None or not _only_an_act(before)
    renewed = lean.opened and lean.empty and _has_new_name(asked, found)
    again = again and not renewed
    names = _name_spans(found)
    if gone and not names:  # the firm is asked what they were asked
        names = [span for other in new if (span := _place(asked, other.said))]
    whole = Asked.of(follow.joined(asked, lean, before, names, people, new)) if again else asked
    aside = _aside(asked, found)
    left = whole.without(span for _, words in aside if (span := _place(whole, words)))
    words = follow.subject_words(left.low)
    wanted = wish(whole)  # what it leans on may be all that is left of its words
    return _Understood(
        alone=asked,
        found=found,
        asked=whole,
        rest=rest,
        filters=tuple(filters),
        aside=aside,
        side_by_side=(),
        named=_others(found),
        notes=(*found.notes, notes.pronoun(lean.person)) if unclear else found.notes,
        bare=(not words and not renewed) or bool(follow.acts(words, filters)),
        wish=own or wanted,
        acts=wanted is not None and wanted.bare(left),
        sides=in_turn.sides(before, new, [asked.said(span) for span in _name_spans(found)], gone),
    )


_WITH_CAPITAL = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+")


def _has_new_name(asked: Asked, found: Found) -> bool:
    """Whether a word is written as a name, though it is one of function: "and Go?"."""
    return bool(_WITH_CAPITAL.search(asked.text)) and not found.readings and not _name_spans(found)


def _only_an_act(before: Before) -> bool:
    """Whether what was asked before had no subject for "who disagreed?": "what was decided?"."""
    asked = Asked.of(before.text)
    earlier = wish(asked)
    said = (_place(asked, found.said) for found in before.filters)
    return earlier is not None and earlier.bare(asked.without(span for span in said if span))


def _name_spans(found: Found) -> list[Span]:
    """Where people are named."""
    return [mention.span for mention in (*found.asked_for, *found.others)]


def _filter_spans(found: Found) -> list[Span]:
    """Where filters were read."""
    return [span for reading in found.readings for span in (reading.span, *reading.also)]


def _place(asked: Asked, words: str) -> Span | None:
    at = asked.text.find(words)
    return (at, at + len(words)) if at >= 0 else None


def _alone(asked: Asked, found: Found, rest: str) -> _Understood:
    """A question that leans on nothing."""
    wanted = wish(asked)
    if wanted is not None:
        found = wanted.asked_of(asked, found)
    left = asked.without(_filter_spans(found))
    filters = tuple(reading.filter for reading in found.readings)
    words = follow.subject_words(left.low)
    doing = tuple(follow.acts(words, filters))
    beside = tuple(spans_side_by_side(found.readings))
    return _Understood(
        alone=asked,
        found=found,
        asked=asked,
        rest=rest,
        filters=filters,
        aside=_aside(asked, found),
        side_by_side=beside,
        sides=tuple(
            said for _, said in sorted((r.span, r.filter.said) for r in found.readings if r.span in beside)
        ),
        named=_others(found),
        notes=found.notes,
        bare=(not words or bool(doing)) and not rest.strip(),
        doing=doing,
        wish=wanted,
        acts=wanted is not None
        and not rest.strip()
        and wanted.bare(left.without(m.span for m in found.others if wanted.does(m.span))),
    )


def _aside(asked: Asked, found: Found) -> tuple[tuple[Filter, str], ...]:
    """The words of filters that can be taken out; not of those that are compared."""
    compared = set(spans_side_by_side(found.readings))
    return tuple(
        (reading.filter, asked.text[slice(*span)])
        for reading in found.readings
        if reading.aside and reading.span not in compared
        for span in (reading.span, *reading.also)
    )


def _others(found: Found) -> tuple[str, ...]:
    return tuple(mention.people[0].name for mention in found.others if len(mention.people) == 1)


# ---------------------------------------------------------------- kind, queries, entities


def _kind(now: _Understood, kept: Sequence[Filter], left: str, meant: Meant) -> tuple[str, tuple[str, ...]]:
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
