"""Answering: out of courtesy, from the FAQ, or from the evidence that is retrieved for a question."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING

from onrecord.answer import conversation
from onrecord.answer.extract import Extractive
from onrecord.answer.manner import Manner
from onrecord.answer.quotes import in_context, restyled, settled
from onrecord.answer.write import Room, given, shares, write, write_several
from onrecord.archive.asking import (
    Ask,
    AskableArchive,
    cache_of,
    checked_question,
    choose_strategy,
    excluded_fields,
    retrieve,
)
from onrecord.errors import OnRecordError
from onrecord.ingest.language import language_of_question
from onrecord.models.base import Calibration, Embedder
from onrecord.models.loading import seconds_of_loading
from onrecord.retrieve.candidates.whole import asks_for_all
from onrecord.retrieve.stage import LOAD, Tools
from onrecord.settings.groups import AnswerSettings, Llm
from onrecord.settings.loading import checked_group
from onrecord.strategies import STRATEGIES, Strategy, reads_in_full, with_plan
from onrecord.types import Answer, Citation, Event, Evidence, FaqHit, Form, Plan, Question, Step, one_line
from onrecord.understand.lexicon import messages_in

if TYPE_CHECKING:
    from onrecord.retrieve.faq import FaqReply
    from onrecord.types import Vector, Vectors

log = logging.getLogger(__name__)


def stream(archive: AskableArchive, ask: Ask) -> Iterator[Event]:
    """The pieces of an answer as they are made: see `Archive.stream`."""
    began = perf_counter()
    notes: list[str] = []
    answerer = Answerer.of(archive, ask.form)
    with archive.store.snapshot() as reader:
        version, cache = reader.version, cache_of(archive, reader)
        fields, (strategy, trial) = excluded_fields(reader, ask.without), choose_strategy(archive, ask)
        question = checked_question(archive, ask)
        if reply := conversation.answered(question, reader):
            yield from (reply.evidence, replace(reply, seconds={"total": perf_counter() - began}))
            return
        tools = archive.models.tools(reader, notes, strategy.reads, answerer.llm)
        tools = cache.tools(tools)
        timed = TimedEmbedder(tools.embedder) if tools.embedder else None
        tools = replace(tools, embedder=timed, without=fields)
        alone = not reader.timeline().names
        hit, reply = _ask_faq(archive, ask, question, notes, alone)
        if reply:
            reply = replace(reply, seconds={"total": perf_counter() - began})
            yield from (reply.evidence, *given(reply, tools.roles))
            return
        is_planned = question.hints or not isinstance(ask.strategy, Strategy)
        evidence = retrieve(question, with_plan(strategy) if is_planned else strategy, tools, cache, fields)
        seconds = part_seconds(evidence.trace, timed.seconds if timed else 0.0)
        if evidence.plan:
            yield evidence.plan
        yield evidence
        plan = evidence.plan or Plan(question.text, language=language_of_question(question.text))
        pieces = answerer.write(question.text, strategy, evidence, tools, plan.language)
    for piece in answerer.formed(pieces, hit):
        if isinstance(piece, str):
            seconds.setdefault("first_text", perf_counter() - began)
        if isinstance(piece, Answer):
            seconds["total"] = perf_counter() - began
            piece = replace(piece, notes=(*plan.notes, *piece.notes, *notes), seconds=seconds)
            piece = replace(piece, strategy=strategy.name, trial=trial, scope=question.scope)
            if version:
                archive.ledger.count(piece)
        yield piece
    archive.ledger.write(all_of_it=False)
    cache.keep()  # now that nobody waits for it


# ---------------------------------------------------------------- from evidence


@dataclass(frozen=True, slots=True)
class Answerer:
    """Writes the answer to one question. `answer` and `llm` are the settings with the user's form put in."""

    archive: AskableArchive
    answer: AnswerSettings
    llm: Llm

    @classmethod
    def of(cls, archive: AskableArchive, form: Form | None) -> Answerer:
        """Raises SettingError for a form with a value that the setting of that name may not have."""
        settings = archive.settings
        if form is None:
            return cls(archive, settings.answer, settings.llm)
        answer = {name: getattr(form, name) for name in ("style", "context", "quotes", "words")}
        llm = {name: getattr(form, name) for name in ("temperature", "instructions", "length")}
        return cls(
            archive,
            checked_group("answer", settings.answer, answer),
            checked_group("llm", settings.llm, llm),
        )

    def formed(self, pieces: Iterator[Event], faq: FaqHit | None) -> Iterator[Event]:
        """The pieces of an answer as they come, each in the form that is wanted; the answer with what the FAQ
        said before it, if it was asked."""
        around: dict[int, Citation] = {}
        for piece in pieces:
            if isinstance(piece, Citation) and self.answer.context:
                piece = in_context(piece, self.answer.context, self.archive.store)
                around[piece.number] = piece
            elif isinstance(piece, str):
                piece = restyled(piece, self.answer.style)
            elif isinstance(piece, Answer):
                piece = replace(self._in_form(piece, around), faq=faq)
            yield piece

    def _in_form(self, answer: Answer, around: Mapping[int, Citation]) -> Answer:
        """An answer with its marks in the user's style, and its citations with the words `around` them."""
        citations = list(answer.citations)
        for at, citation in enumerate(citations):
            if wider := around.get(citation.number):
                citations[at] = replace(citation, before=wider.before, after=wider.after)
        suggestions: tuple[conversation.FollowUp, ...] = ()
        if answer.verdict in ("low_relevance", "nothing_found"):
            suggestions = conversation.follow_ups(answer, self.archive.store)[: self.answer.suggestions]
        settings, style = self.archive.settings, self.answer.style
        milliseconds = {**settings.budgets.model_dump(), "rerank": settings.rerank.milliseconds}
        return replace(
            answer,
            text=restyled(answer.text, style),
            citations=tuple(citations),
            style=style,
            suggestions=tuple(suggestion.text for suggestion in suggestions),
            budgets={part: value / 1000 for part, value in milliseconds.items()},
        )

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
        in_full = writer.outline or reads_in_full(strategy, evidence.plan)
        if in_full and evidence.moments and asks_for_all(evidence):  # "compare the two calls"
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
        strategies = {strategy.name: strategy, **STRATEGIES, **self.archive.own_strategies}
        branch = strategies.get(evidence.plan.strategy if evidence.plan else strategy.name, strategy)
        return branch.answer == "outline"

    def _extractive(self, outline: bool, whole: bool = False) -> Extractive:
        """Who writes without a language model."""
        limits = self.answer
        if outline:
            return Extractive(limits.outline_quotes, limits.outline_words, outline=True, whole=whole)
        return Extractive(
            quotes=limits.quotes, words=limits.words, answered=self.archive.settings.reader.answered
        )

    def _room(self, whole: bool) -> Room:
        """How much a language model is shown: the best, or all of it, part by part where it must be."""
        llm = self.llm
        manner = Manner(llm.instructions, llm.markdown, llm.length, self.answer.scores)
        if whole:
            return Room(max(llm.window, self.answer.tokens), whole=True, manner=manner)
        return Room(self.answer.tokens, manner=manner)


# ---------------------------------------------------------------- from the FAQ


def _ask_faq(
    archive: AskableArchive, ask: Ask, question: Question, notes: list[str], alone: bool
) -> tuple[FaqHit | None, Answer | None]:
    """The best entry of the FAQ and, if it answers, the answer.

    `alone`, in an archive without recordings, it is asked too, and asks back if it has no answer. A FAQ that
    fails is no reason not to ask the archive: a note then names the error.
    """
    first = archive.settings.faq.first if ask.faq is None else ask.faq
    alone = alone and ask.faq is not False
    if not (first or alone):
        return None, None
    try:
        if not (first or archive.faq.entries("live")):
            return None, None
        reply = archive.faq.ask(question.text)
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


# ---------------------------------------------------------------- seconds

_PARTS = {"Route": "plan", "Rerank": "rerank", LOAD: "load"}
"""Stages that are a part of their own; all others search."""


class TimedEmbedder:
    """An embedder that counts the `seconds` it works, without those for loading its model."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.name: str = embedder.name
        self.fingerprint: str = embedder.fingerprint
        self.calibration: Calibration = embedder.calibration
        self.seconds = 0.0

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        with self._at_work():
            return self._embedder.embed(texts)

    def embed_query(self, text: str) -> Vector:
        with self._at_work():
            return self._embedder.embed_query(text)

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        began, waited = perf_counter(), seconds_of_loading()
        try:
            yield
        finally:
            self.seconds += perf_counter() - began - (seconds_of_loading() - waited)


def part_seconds(trace: Iterable[Step], embedding: float) -> dict[str, float]:
    """The seconds of "plan", "embed", "search", "rerank" and "load", as far as there were any.

    Args:
        trace: what every stage did.
        embedding: the seconds spent embedding, which happens within stages that search.
    """
    spent = {"embed": embedding} if embedding else {}
    for step in trace:
        part = next((part for name, part in _PARTS.items() if step.stage.startswith(name)), "search")
        spent[part] = spent.get(part, 0.0) + step.seconds
    if "search" in spent:
        spent["search"] = max(0.0, spent["search"] - embedding)
    return spent
