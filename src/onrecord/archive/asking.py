"""Asking an archive: a question is checked, its evidence retrieved, an answer written from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from time import perf_counter
from typing import TYPE_CHECKING, Any

from onrecord.answer import conversation
from onrecord.answer.formed import formed
from onrecord.answer.write import given
from onrecord.archive.answering import Answerer, ask_faq
from onrecord.archive.ask import SPELLING, Ask, checked_question, excluded_fields
from onrecord.archive.ledger import Ledger
from onrecord.archive.models import Models
from onrecord.archive.summarizing import ROLE
from onrecord.ingest.language import language_of_question
from onrecord.retrieve.result_cache import ResultCache
from onrecord.retrieve.route import Route
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.timing import TimedEmbedder, part_seconds, with_seconds
from onrecord.retrieve.wording import look_up
from onrecord.settings import Settings
from onrecord.stores import Store
from onrecord.stores.base import Reader
from onrecord.strategies import Strategy, default_name, named, planned
from onrecord.types import Answer, Event, Evidence, FaqHit, Plan, Question, collapsed

if TYPE_CHECKING:
    from onrecord.retrieve.faq import Faq


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

    def stream(self, ask: Ask) -> Iterator[Event]:
        """The pieces of an answer as they are made: see `Archive.stream`."""
        began = perf_counter()
        notes: list[str] = []
        answerer = Answerer.of(self.settings, ask.form, self.own_strategies)
        with self.store.snapshot() as reader:
            version, cache = reader.version, self._cache(reader)
            fields, (strategy, trial) = excluded_fields(reader, ask.without), self._chosen(ask)
            question = self._checked(ask)
            if reply := conversation.answered(question, reader):
                yield from (reply.evidence, replace(reply, seconds={"total": perf_counter() - began}))
                return
            tools = self.models.tools(reader, notes, strategy.reads, answerer.llm)
            tools = cache.tools(_without_filters(tools, fields))
            timed = TimedEmbedder(tools.embedder) if tools.embedder else None
            tools = replace(tools, embedder=timed)
            hit, reply = self._ask_faq(ask, question, notes)
            if reply:
                reply = replace(reply, seconds={"total": perf_counter() - began})
                yield from (reply.evidence, *given(reply, tools.roles))
                return
            is_planned = question.hints or not isinstance(ask.strategy, Strategy)
            searched_by = planned(strategy) if is_planned else strategy
            evidence = self._retrieve(question, searched_by, tools, cache, fields)
            seconds = part_seconds(evidence.trace, timed.seconds if timed else 0.0)
            if evidence.plan:
                yield evidence.plan
            yield evidence
            plan = evidence.plan or Plan(question.text, language=language_of_question(question.text))
            pieces = answerer.write(question.text, strategy, evidence, tools, plan.language)
        pieces = with_seconds(pieces, began, seconds, plan.notes, notes)
        for piece in formed(pieces, answerer.look, self.store, hit):
            if isinstance(piece, Answer):
                piece = replace(piece, strategy=strategy.name, trial=trial, scope=question.scope)
                if version:
                    self.ledger.count(piece)
            yield piece
        self.ledger.write(all_of_it=False)
        cache.keep()  # now that nobody waits for it

    def search(self, ask: Ask) -> Evidence:
        """The moments that speak to a question, ranked: see `Archive.search`."""
        with self.store.snapshot() as reader, self._cache(reader) as cache:
            fields, strategy = excluded_fields(reader, ask.without), self.strategy(ask.strategy)
            tools = self.models.tools(reader, [], strategy.reads)
            tools = cache.tools(_without_filters(tools, fields))
            question = self._checked(ask)
            if question.hints or (ask.history and not isinstance(ask.strategy, Strategy)):
                strategy = planned(strategy)
            evidence = self._retrieve(question, strategy, tools, cache, fields)
            plans = evidence.plan.parts or (evidence.plan,) if evidence.plan else ()
            if plans and all(plan.settled for plan in plans):  # moments are wanted, whatever is known
                tools = _without_facts(tools)
                evidence = self._retrieve(question, strategy, tools, cache, fields, "moments")
            return evidence

    def plan(self, ask: Ask) -> Plan:
        """What is understood of a question, without searching: see `Archive.plan`."""
        with self.store.snapshot() as reader:
            fields = excluded_fields(reader, ask.without)
            tools = _without_filters(self.models.tools(reader, [], reads=False), fields)
            route = planned(self.strategy(ask.strategy)).stages
            assert isinstance(route, Route)  # noqa: S101 - what `planned` makes
            return route.planned(Evidence(self._checked(ask)), tools)

    def strategy(self, wanted: Strategy | str | None = None) -> Strategy:
        """A strategy by its name: see `Archive.strategy`."""
        if isinstance(wanted, Strategy):
            return wanted
        own = self.own_strategies()
        return named(wanted or default_name(self.settings.strategy, own), own)

    def _chosen(self, ask: Ask) -> tuple[Strategy, bool]:
        """The strategy for a question, and whether chance chose it: where none is named, a share of the
        questions, always the same ones, goes to the one on trial."""
        trial = self.settings.trial
        if ask.strategy is not None or not trial.strategy:
            return self.strategy(ask.strategy), False
        drawn = sha256(f"{trial.strategy}\0{collapsed(ask.text)}".encode("utf-8", "surrogatepass")).digest()
        on_trial = int.from_bytes(drawn[:4]) < trial.share * 2**32
        return self.strategy(trial.strategy if on_trial else None), True

    def _checked(self, ask: Ask) -> Question:
        return checked_question(ask, self.store, self.settings.limits.question_characters)

    def _cache(self, reader: Reader) -> ResultCache:
        sizes = self.settings.cache
        return ResultCache(self.store, reader, sizes.embeddings * 1_000_000, sizes.results * 1_000_000)

    def _ask_faq(self, ask: Ask, question: Question, notes: list[str]) -> tuple[FaqHit | None, Answer | None]:
        """What the FAQ says, where it is asked first; why it could not be asked is added to the notes."""
        if not (self.settings.faq.first if ask.faq is None else ask.faq):
            return None, None
        hit, answer, note = ask_faq(self.faq(), question)
        notes += [note] if note else []
        return hit, answer

    def _retrieve(
        self, question: Question, strategy: Strategy, tools: Tools, cache: ResultCache, *basis: object
    ) -> Evidence:
        """The evidence for a checked question, retrieved now or when it was asked before.

        `basis` is what else it depends on. Evidence that a language model has a part in is never cached: the
        model may decide otherwise next time.
        """
        look_up(question.text, tools.store)
        if tools.roles.models.keys() - {"answer", "check", ROLE}:
            return strategy.retrieve(question, tools)
        models = [
            getattr(tools.embedder, "fingerprint", None),
            getattr(tools.reranker, "name", None),
            getattr(tools.reader, "fingerprint", None),
        ]
        day = tools.today().isoformat()
        return cache.evidence(
            strategy, question, models, day, *basis, find=lambda: strategy.retrieve(question, tools)
        )


# ---------------------------------------------------------------- planners that read less


def _without_filters(tools: Tools, fields: tuple[str, ...]) -> Tools:
    """Tools whose planner reads no filters of these fields, and no misspelt words as others where they have
    `SPELLING`."""
    filters = tuple(field for field in fields if field != SPELLING)
    tools = replace(tools, spelling=tools.spelling and filters == fields)
    if not filters:
        return tools
    from onrecord.understand.planner import plan

    return replace(tools, planner=partial(plan, without=filters))


def _without_facts(tools: Tools) -> Tools:
    """Tools whose planner tells no facts, so that what is said is searched for all the same."""
    from onrecord.understand.planner import plan

    planner = tools.planner or plan

    def plan_without_facts(*asked: Any, **settings: Any) -> Plan:
        made = planner(*asked, **settings)
        return replace(made, facts=(), parts=tuple(replace(part, facts=()) for part in made.parts))

    return replace(tools, planner=plan_without_facts)
