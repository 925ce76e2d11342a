"""Asking an archive: a question is checked, its evidence retrieved, an answer written from it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from time import perf_counter
from typing import TYPE_CHECKING

from onrecord.answer import conversation
from onrecord.answer.cite import settled
from onrecord.answer.formed import formed
from onrecord.answer.write import given, shares, write, write_several
from onrecord.archive.chained import asked_first
from onrecord.archive.hints import checked
from onrecord.archive.ledger import Ledger
from onrecord.archive.looking import resolved
from onrecord.archive.models import Models
from onrecord.archive.summarizing import ROLE
from onrecord.archive.unread import not_reading, unread, without_facts
from onrecord.archive.wanted import Wanted
from onrecord.errors import InputError
from onrecord.ingest.language import language_of_question
from onrecord.retrieve.result_cache import ResultCache
from onrecord.retrieve.route import Route
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.timing import TimedEmbedder, part_seconds, with_seconds
from onrecord.retrieve.wording import look_up
from onrecord.settings import Settings
from onrecord.stores import Store
from onrecord.stores.base import Reader
from onrecord.strategies import STRATEGIES, Strategy, default_name, in_full_by, named, planned
from onrecord.types import Answer, Event, Evidence, Exchange, Form, Plan, Question, collapsed

if TYPE_CHECKING:
    from onrecord.retrieve.faq import Faq

_MOST_TURNS = 100
"""Of a conversation, the last that are read."""


@dataclass(frozen=True, slots=True)
class Asking:
    """What an archive answers questions with. Its own strategies and the FAQ are loaded when needed.

    Arguments, results and errors of `stream`, `search` and `plan` are those of `Archive`.
    """

    store: Store
    settings: Settings
    models: Models
    ledger: Ledger
    own_strategies: Callable[[], Mapping[str, Strategy]]
    faq: Callable[[], Faq]

    def stream(
        self,
        asked: Question,
        strategy: Strategy | str | None,
        without: Collection[str],
        form: Form | None,
        faq: bool | None,
    ) -> Iterator[Event]:
        """The pieces of an answer as they are made: see `Archive.stream`."""
        began = perf_counter()
        notes: list[str] = []
        wanted = Wanted.of(self.settings, form)
        with self.store.snapshot() as reader:
            version = reader.version
            memory, fields = self._memory(reader), unread(reader, without)
            chosen, trial = self._chosen(strategy, asked.text)
            tools = memory.tools(
                not_reading(self.models.tools(reader, notes, chosen.reads, wanted.llm), fields)
            )
            way = planned(chosen) if asked.hints or not isinstance(strategy, Strategy) else chosen
            timed = TimedEmbedder(tools.embedder) if tools.embedder else None
            tools = replace(tools, embedder=timed)
            asked = self._checked(asked)
            if word := conversation.answered(asked, reader):
                yield from (word.evidence, replace(word, seconds={"total": perf_counter() - began}))
                return
            hit = None
            if self.settings.faq.first if faq is None else faq:
                hit, answer, note = asked_first(self.faq(), asked)
                notes += [note] if note else []
                if answer:
                    seconds = {"total": perf_counter() - began}
                    yield from (answer.evidence, *given(replace(answer, seconds=seconds), tools.roles))
                    return
            evidence = self._retrieve(asked, way, tools, memory, fields)
            seconds = part_seconds(evidence.trace, timed.seconds if timed else 0.0)
            if evidence.plan:
                yield evidence.plan
            yield evidence
            understood = evidence.plan or Plan(asked.text, language=language_of_question(asked.text))
            pieces = self._written(asked.text, chosen, evidence, tools, understood.language, wanted)
        pieces = with_seconds(pieces, began, seconds, understood.notes, notes)
        for piece in formed(pieces, wanted.look, self.store, hit):
            if isinstance(piece, Answer):
                piece = replace(piece, strategy=chosen.name, trial=trial, scope=asked.scope)
                if version:
                    self.ledger.count(piece)
            yield piece
        self.ledger.write(all_of_it=False)
        memory.keep()  # now that nobody waits for it

    def search(self, asked: Question, strategy: Strategy | str | None, without: Collection[str]) -> Evidence:
        """The moments that speak to a question, ranked: see `Archive.search`."""
        with self.store.snapshot() as reader, self._memory(reader) as memory:
            fields = unread(reader, without)
            way = self.strategy(strategy)
            tools = memory.tools(not_reading(self.models.tools(reader, [], way.reads), fields))
            if asked.hints or (asked.history and not isinstance(strategy, Strategy)):
                way = planned(way)
            asked = self._checked(asked)
            found = self._retrieve(asked, way, tools, memory, fields)
            plans = found.plan.parts or (found.plan,) if found.plan else ()
            if plans and all(plan.settled for plan in plans):  # moments are wanted, whatever is known
                found = self._retrieve(asked, way, without_facts(tools), memory, fields, "moments")
            return found

    def plan(self, asked: Question, strategy: Strategy | str | None, without: Collection[str]) -> Plan:
        """What is understood of a question, without searching: see `Archive.plan`."""
        with self.store.snapshot() as reader:
            tools = not_reading(self.models.tools(reader, [], reads=False), unread(reader, without))
            route = planned(self.strategy(strategy)).stages
            assert isinstance(route, Route)  # noqa: S101 - what `planned` makes
            return route.planned(Evidence(self._checked(asked)), tools)

    def strategy(self, wanted: Strategy | str | None = None) -> Strategy:
        """A strategy by its name: see `Archive.strategy`."""
        if isinstance(wanted, Strategy):
            return wanted
        own = self.own_strategies()
        return named(wanted or default_name(self.settings.strategy, own), own)

    def _memory(self, reader: Reader) -> ResultCache:
        sizes = self.settings.cache
        return ResultCache(self.store, reader, sizes.embeddings * 1_000_000, sizes.results * 1_000_000)

    def _chosen(self, wanted: Strategy | str | None, question: str) -> tuple[Strategy, bool]:
        """The strategy for a question, and whether chance chose it: where none is named, a share of the
        questions, always the same ones, goes to the one on trial."""
        trial = self.settings.trial
        if wanted is not None or not trial.strategy:
            return self.strategy(wanted), False
        drawn = sha256(f"{trial.strategy}\0{collapsed(question)}".encode("utf-8", "surrogatepass")).digest()
        on_trial = int.from_bytes(drawn[:4]) < trial.share * 2**32
        return self.strategy(trial.strategy if on_trial else None), True

    def _checked(self, question: Question) -> Question:
        """The question in few blanks, with recordings by their ids. Raises InputError for one that cannot be
        asked."""
        text = collapsed(question.text)
        limit = self.settings.limits.question_characters
        if not re.search(r"\w", text):
            raise InputError("the question has no words: ask something like 'Why did margins fall?'")
        if len(text) > limit:
            raise InputError(
                f"the question has {len(text)} characters; at most {limit} are read "
                "(setting limits.question_characters)"
            )
        before = conversation.asking([_bounded(turn, limit) for turn in question.history[-_MOST_TURNS:]])
        scope, hints = resolved(self.store, question.scope), checked(question.hints, limit)
        return replace(question, text=text, scope=scope, history=before, hints=hints)

    def _retrieve(
        self, question: Question, strategy: Strategy, tools: Tools, memory: ResultCache, *basis: object
    ) -> Evidence:
        """The evidence for a checked question, found now or when it was asked before; `basis` is what else it
        depends on. What a language model decides is never taken for what it would decide again."""
        look_up(question.text, tools.store)
        if tools.roles.models.keys() - {"answer", "check", ROLE, "extract"}:
            return strategy.retrieve(question, tools)
        models = [
            getattr(tools.embedder, "fingerprint", None),
            getattr(tools.reranker, "name", None),
            getattr(tools.reader, "fingerprint", None),
        ]
        day = tools.today().isoformat()
        return memory.evidence(
            strategy, question, models, day, *basis, find=lambda: strategy.retrieve(question, tools)
        )

    def _written(
        self,
        question: str,
        strategy: Strategy,
        evidence: Evidence,
        tools: Tools,
        language: str | None,
        wanted: Wanted,
    ) -> Iterator[Event]:
        """The answer to a question as it was typed, made of quotes now and written as it is asked for."""
        if evidence.parts:
            each = [
                self._of_part(number, strategy, evidence, tools, wanted)
                for number in range(len(evidence.parts))
            ]
            whole = Answer(question, "", "", "nothing_found", (), evidence)
            return write_several(each, whole, tools, language, wanted.room(False))
        writer = wanted.extractive(self._outlines(strategy, evidence))
        made = settled(evidence) or writer.answer(evidence, tools, language=language)
        in_full = writer.outline or in_full_by(strategy, evidence.plan)
        if in_full and made.verdict == "nothing_found" and evidence.moments:  # "compare the two calls"
            made = wanted.extractive(True, whole=True).answer(evidence, tools, language=language)
        return write(replace(made, question=question), tools, language, wanted.room(in_full))

    def _of_part(
        self, number: int, strategy: Strategy, evidence: Evidence, tools: Tools, wanted: Wanted
    ) -> Answer:
        """The answer without a model to one of several questions, which share the words of an answer."""
        part = evidence.parts[number]
        asked = evidence.plan.queries[number] if evidence.plan else part.question.text
        writer = wanted.extractive(self._outlines(strategy, part)).sharing(shares(evidence))
        made = settled(part) or writer.answer(part, tools, language=part.plan.language if part.plan else None)
        return replace(made, question=asked)

    def _outlines(self, strategy: Strategy, evidence: Evidence) -> bool:
        """Whether the strategy that found the evidence answers with an outline."""
        known = {strategy.name: strategy, **STRATEGIES, **self.own_strategies()}
        route = known.get(evidence.plan.strategy if evidence.plan else strategy.name, strategy)
        return route.answer == "outline"


def _bounded(turn: Exchange, limit: int) -> Exchange:
    """A turn of a conversation without the length of its white space; no more of it than of a question."""
    return Exchange(collapsed(turn.question)[:limit], collapsed(turn.answer)[:limit])
