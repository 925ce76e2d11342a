"""Answering: out of courtesy, from the FAQ, or from the evidence that is retrieved for a question."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING

from onrecord.answer import conversation
from onrecord.answer.cite import settled
from onrecord.answer.extract import Extractive
from onrecord.answer.formed import Look, formed
from onrecord.answer.manner import Manner
from onrecord.answer.write import Room, given, shares, write, write_several
from onrecord.archive.asking import Ask, Asking, excluded_fields, without_filters
from onrecord.archive.ledger import Ledger
from onrecord.errors import OnRecordError
from onrecord.ingest.language import language_of_question
from onrecord.retrieve.candidates.whole import asks_for_all
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.timing import TimedEmbedder, part_seconds, with_seconds
from onrecord.settings import Settings
from onrecord.settings.groups import AnswerSettings, Llm
from onrecord.settings.loading import checked_group
from onrecord.strategies import STRATEGIES, Strategy, in_full_by, planned
from onrecord.types import Answer, Event, Evidence, FaqHit, Form, Plan, Question, one_line
from onrecord.understand.lexicon import messages_in

if TYPE_CHECKING:
    from onrecord.retrieve.faq import FaqReply

log = logging.getLogger(__name__)


def stream(asking: Asking, ask: Ask, ledger: Ledger) -> Iterator[Event]:
    """The pieces of an answer as they are made: see `Archive.stream`."""
    began = perf_counter()
    notes: list[str] = []
    answerer = Answerer.of(asking.settings, ask.form, asking.own_strategies)
    with asking.store.snapshot() as reader:
        version, cache = reader.version, asking.cache(reader)
        fields, (strategy, trial) = excluded_fields(reader, ask.without), asking.choose_strategy(ask)
        question = asking.checked(ask)
        if reply := conversation.answered(question, reader):
            yield from (reply.evidence, replace(reply, seconds={"total": perf_counter() - began}))
            return
        tools = asking.models.tools(reader, notes, strategy.reads, answerer.llm)
        tools = cache.tools(without_filters(tools, fields))
        timed = TimedEmbedder(tools.embedder) if tools.embedder else None
        tools = replace(tools, embedder=timed)
        alone = not reader.timeline().names
        hit, reply = _ask_faq(asking, ask, question, notes, alone)
        if reply:
            reply = replace(reply, seconds={"total": perf_counter() - began})
            yield from (reply.evidence, *given(reply, tools.roles))
            return
        is_planned = question.hints or not isinstance(ask.strategy, Strategy)
        searched_by = planned(strategy) if is_planned else strategy
        evidence = asking.retrieve(question, searched_by, tools, cache, fields)
        seconds = part_seconds(evidence.trace, timed.seconds if timed else 0.0)
        if evidence.plan:
            yield evidence.plan
        yield evidence
        plan = evidence.plan or Plan(question.text, language=language_of_question(question.text))
        pieces = answerer.write(question.text, strategy, evidence, tools, plan.language)
    pieces = with_seconds(pieces, began, seconds, plan.notes, notes)
    for piece in formed(pieces, answerer.look, asking.store, hit):
        if isinstance(piece, Answer):
            piece = replace(piece, strategy=strategy.name, trial=trial, scope=question.scope)
            if version:
                ledger.count(piece)
        yield piece
    ledger.write(all_of_it=False)
    cache.keep()  # now that nobody waits for it


# ---------------------------------------------------------------- from evidence


@dataclass(frozen=True, slots=True)
class Answerer:
    """Writes the answer to one question. `answer` and `llm` are the settings with the user's form put in."""

    settings: Settings
    answer: AnswerSettings
    llm: Llm
    own_strategies: Callable[[], Mapping[str, Strategy]]

    @classmethod
    def of(
        cls, settings: Settings, form: Form | None, own_strategies: Callable[[], Mapping[str, Strategy]]
    ) -> Answerer:
        """Raises SettingError for a form with a value that the setting of that name may not have."""
        form = form or Form()
        answer = {name: getattr(form, name) for name in ("style", "context", "quotes", "words")}
        llm = {name: getattr(form, name) for name in ("temperature", "instructions", "length")}
        return cls(
            settings,
            checked_group("answer", settings.answer, answer),
            checked_group("llm", settings.llm, llm),
            own_strategies,
        )

    @property
    def look(self) -> Look:
        """What is done to the pieces of the answer as they come."""
        budgets, rerank = self.settings.budgets.model_dump(), self.settings.rerank.milliseconds
        seconds = {name: value / 1000 for name, value in {**budgets, "rerank": rerank}.items()}
        return Look(self.answer.style, self.answer.context, self.answer.suggestions, seconds)

    def write(
        self, question: str, strategy: Strategy, evidence: Evidence, tools: Tools, language: str | None
    ) -> Iterator[Event]:
        """The answer to a question as it was typed: quotes are chosen now, the rest is written as it is
        read."""
        if evidence.parts:
            parts = [self._part(number, strategy, evidence, tools) for number in range(len(evidence.parts))]
            whole = Answer(question, "", "", "nothing_found", (), evidence)
            return write_several(parts, whole, tools, language, self._room(whole=False))
        writer = self._extractive(self._outlines(strategy, evidence))
        made = settled(evidence) or writer.answer(evidence, tools, language=language)
        in_full = writer.outline or in_full_by(strategy, evidence.plan)
        if in_full and evidence.moments and asks_for_all(evidence, tools.store):  # "compare the two calls"
            made = self._extractive(outline=True, whole=True).answer(evidence, tools, language=language)
        return write(replace(made, question=question), tools, language, self._room(in_full))

    def _part(self, number: int, strategy: Strategy, evidence: Evidence, tools: Tools) -> Answer:
        """The answer without a model to one of several questions, which share the words of an answer."""
        part = evidence.parts[number]
        asked = evidence.plan.queries[number] if evidence.plan else part.question.text
        writer = self._extractive(self._outlines(strategy, part)).sharing(shares(evidence))
        made = settled(part) or writer.answer(part, tools, language=part.plan.language if part.plan else None)
        return replace(made, question=asked)

    def _outlines(self, strategy: Strategy, evidence: Evidence) -> bool:
        """Whether the strategy that retrieved the evidence answers with an outline."""
        strategies = {strategy.name: strategy, **STRATEGIES, **self.own_strategies()}
        branch = strategies.get(evidence.plan.strategy if evidence.plan else strategy.name, strategy)
        return branch.answer == "outline"

    def _extractive(self, outline: bool, whole: bool = False) -> Extractive:
        """Who writes without a language model."""
        limits = self.answer
        if outline:
            return Extractive(limits.outline_quotes, limits.outline_words, outline=True, whole=whole)
        return Extractive(quotes=limits.quotes, words=limits.words, answered=self.settings.reader.answered)

    def _room(self, whole: bool) -> Room:
        """How much a language model is shown: the best, or all of it, part by part where it must be."""
        llm = self.llm
        manner = Manner(llm.instructions, llm.markdown, llm.length, self.answer.scores)
        if whole:
            return Room(max(llm.window, self.answer.tokens), whole=True, manner=manner)
        return Room(self.answer.tokens, manner=manner)


# ---------------------------------------------------------------- from the FAQ


def _ask_faq(
    asking: Asking, ask: Ask, question: Question, notes: list[str], alone: bool
) -> tuple[FaqHit | None, Answer | None]:
    """The best entry of the FAQ and, if it answers, the answer; nothing where the FAQ is not asked first.

    `alone`, in an archive without recordings, it is asked too, and asks back if it has no answer. A FAQ that
    fails is no reason not to ask the archive: a note then names the error.
    """
    first = asking.settings.faq.first if ask.faq is None else ask.faq
    alone = alone and ask.faq is not False
    if not (first or alone):
        return None, None
    try:
        if not (first or asking.faq().entries("live")):
            return None, None
        reply = asking.faq().ask(question.text)
    except OnRecordError as error:
        log.warning("the FAQ could not be asked: %s", error)
        notes += [f"The FAQ could not be asked ({error.code})."] * first
        return None, None
    hit = _hit(reply)
    return hit, _faq_answer(question, reply, hit) if hit.answered or (alone and reply.candidates) else None


def _hit(reply: FaqReply) -> FaqHit:
    best = reply.candidates[0] if reply.candidates else None
    entry = reply.entry or best
    name, asked = (entry.id, entry.question) if entry else (None, None)
    options = tuple(option.question for option in reply.clarify.options) if reply.clarify else ()
    return FaqHit(reply.stage, reply.score, name, asked, reply.answer is not None, options)


def _faq_answer(question: Question, reply: FaqReply, hit: FaqHit) -> Answer:
    """The answer of the entry, or what the FAQ asks back."""
    if reply.clarify:
        heading, text = reply.clarify.message, ""
    else:
        messages = messages_in(language_of_question(question.text))
        heading = messages.say("from_faq", question=one_line(hit.question or ""))
        text = "\n\n".join(filter(None, (reply.answer, reply.entry.link if reply.entry else "")))
    return Answer(
        question.text,
        heading,
        text,
        "nothing_found" if reply.clarify else "answered",
        (),
        Evidence(question),
        confidence=0.0 if reply.clarify else reply.score,
        suggestions=hit.options,
        faq=hit,
    )
