"""Answers to a question: the reply to a courtesy, an answer from the FAQ, or one from retrieved evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter

from onrecord.answer.conversation import follow_ups, reply_to_courtesy
from onrecord.answer.extract import Extractive
from onrecord.answer.manner import Manner
from onrecord.answer.marks import restyle_marks
from onrecord.answer.quotes import in_context, settled_answer
from onrecord.answer.write import as_stream, parts_to_search, write, write_several
from onrecord.archive.asking import (
    Ask,
    AskableArchive,
    cache_of,
    checked_question,
    choose_strategy,
    excluded_fields,
    retrieve,
)
from onrecord.archive.processor_slots import record_question
from onrecord.retrieve.candidates.whole import asks_for_all
from onrecord.retrieve.result_cache import ResultCache
from onrecord.retrieve.stage import LOAD, Tools
from onrecord.retrieve.wording import word_forms
from onrecord.settings.groups import AnswerSettings, Llm
from onrecord.settings.loading import checked_group
from onrecord.strategies import STRATEGIES, Strategy, reads_in_full, with_plan
from onrecord.types import (
    FILTER_FIELDS,
    Answer,
    Citation,
    Event,
    Evidence,
    FaqHit,
    Filter,
    Form,
    Plan,
    Question,
    Step,
)
from onrecord.understand.intents import language_of
from onrecord.understand.lexicon import Messages, messages_in


def stream_answer(archive: AskableArchive, ask: Ask) -> Iterator[Event]:
    """Yield the pieces of an answer as they are made: see `Archive.stream`."""
    record_question()
    began = perf_counter()
    notes: list[str] = []
    answerer = Answerer.of(archive, ask.form)
    with archive.store.snapshot(word_forms(ask.text)) as snapshot:
        fields, (strategy, trial) = excluded_fields(snapshot, ask.without), choose_strategy(archive, ask)
        question = checked_question(archive, ask)
        if courtesy := reply_to_courtesy(question, snapshot):
            yield from (courtesy.evidence, replace(courtesy, seconds={"total": perf_counter() - began}))
            return
        cache = cache_of(archive, snapshot)
        tools = archive.models.tools(snapshot, notes, strategy.reads, answerer.llm)
        tools = cache.tools(replace(tools, without=fields, explain=ask.explain))
        hit, reply = _reply_of_faq(archive, ask, question, notes, is_empty=not snapshot.timeline().names)
        if reply:
            reply = replace(reply, seconds={"total": perf_counter() - began})
            yield from (reply.evidence, *as_stream(reply, tools.roles))
            return
        needs_plan = question.hints or not isinstance(ask.strategy, Strategy)
        evidence = retrieve(question, with_plan(strategy) if needs_plan else strategy, tools, cache)
        seconds = part_seconds(evidence.trace, cache.embedder.seconds if cache.embedder else 0.0)
        yield from filter(None, (evidence.plan, evidence))
        plan = evidence.plan or Plan(question.text, language=language_of(question.text))
        search = partial(_search_without, question, strategy, tools, cache)
        pieces = answerer.write(question.text, strategy, evidence, tools, plan.language, search)
    for piece in answerer.with_form(pieces, hit):
        if isinstance(piece, str):
            seconds.setdefault("first_text", perf_counter() - began)
        elif isinstance(piece, Answer):
            seconds["total"] = perf_counter() - began
            piece = replace(piece, strategy=strategy.name, trial=trial, scope=question.scope, seconds=seconds)
            piece = replace(piece, notes=(*plan.notes, *piece.notes, *notes))
            if snapshot.version:
                archive.ledger.count(piece)
        yield piece
    archive.ledger.write_due()
    cache.write()  # written last, when nobody waits for the answer


def _search_without(
    question: Question, strategy: Strategy, tools: Tools, cache: ResultCache, fields: tuple[str, ...]
) -> Evidence:
    """Return the evidence for a question, without the filters on some fields."""
    tools = replace(tools, without=tuple(sorted({*tools.without, *fields})))
    return retrieve(question, with_plan(strategy), tools, cache)


def _reply_of_faq(
    archive: AskableArchive, ask: Ask, question: Question, notes: list[str], *, is_empty: bool
) -> tuple[FaqHit | None, Answer | None]:
    """Ask the FAQ if the user or the settings want it first, or the archive `is_empty`: see `ask_faq`."""
    if ask.faq is False or not (ask.faq or archive.settings.faq.first or is_empty):
        return None, None
    from onrecord.archive.faq_first import ask_faq  # imported late: most archives have no FAQ

    return ask_faq(archive, ask, question, notes, is_empty)


@dataclass(frozen=True, slots=True)
class Answerer:
    """A writer of the answer to one question.

    `answer` and `llm` are the settings with the user's form applied.
    """

    archive: AskableArchive
    answer: AnswerSettings
    llm: Llm

    @classmethod
    def of(cls, archive: AskableArchive, form: Form | None) -> Answerer:
        """Return the answerer for the user's form.

        Raises SettingError for a form with a value that the setting of that name does not allow.
        """
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

    # ---------------------------------------------------------------- content

    def write(
        self,
        question: str,
        strategy: Strategy,
        evidence: Evidence,
        tools: Tools,
        language: str | None,
        search_without: Callable[[tuple[str, ...]], Evidence],
    ) -> Iterator[Event]:
        """Return the pieces of the answer to a question, given as the user typed it.

        Quotes are chosen before this returns; the rest is made as the iterator is read. If nothing answers,
        `search_without` searches again without the fields that only earlier turns prefer.
        """
        if evidence.parts:
            parts = [self._answer_part(n, strategy, evidence, tools) for n in range(len(evidence.parts))]
            whole = Answer(question, "", "", "nothing_found", (), evidence)
            return write_several(parts, whole, tools, language, self._manner(in_full=False))
        writer = self._extractive(strategy, evidence)
        in_full = writer.outline or reads_in_full(strategy, evidence.plan)
        answer = settled_answer(evidence)
        compares = evidence.plan is not None and len(evidence.plan.sides) > 1
        if (in_full or compares) and evidence.moments and asks_for_all(evidence):  # "compare the two calls"
            limits = self.answer
            writer = Extractive(limits.outline_quotes, limits.outline_words, outline=True, whole=True)
            answer = writer.answer(evidence, tools, language=language)
        answer = answer or writer.answer(evidence, tools, language=language)
        if lent := _lent(answer, evidence.plan, question):
            again = search_without(tuple(each.field for each in lent))
            other = writer.answer(again, tools, language=language)
            if other.verdict not in (answer.verdict, "nothing_found"):
                answer = _noting_lent(other, lent, messages_in(language))
        return write(replace(answer, question=question), tools, language, self._manner(in_full))

    def _answer_part(self, number: int, strategy: Strategy, evidence: Evidence, tools: Tools) -> Answer:
        """Return the answer without a model to one of several questions, with its share of the words."""
        part = evidence.parts[number]
        text = evidence.plan.queries[number] if evidence.plan else part.question.text
        writer = self._extractive(strategy, part).sharing(parts_to_search(evidence))
        language = part.plan.language if part.plan else None
        answer = settled_answer(part) or writer.answer(part, tools, language=language)
        return replace(answer, question=text)

    def _extractive(self, strategy: Strategy, evidence: Evidence) -> Extractive:
        """Return the writer of quotes, or of an outline if the strategy of the evidence asks for one."""
        strategies = {strategy.name: strategy, **STRATEGIES, **self.archive.own_strategies}
        branch = strategies.get(evidence.plan.strategy if evidence.plan else strategy.name, strategy)
        limits = self.answer
        if branch.answer == "outline":
            return Extractive(limits.outline_quotes, limits.outline_words, outline=True)
        return Extractive(limits.quotes, limits.words, answered=self.archive.settings.reader.answered)

    def _manner(self, in_full: bool) -> Manner:
        """Return how a language model writes, and how much it reads: the best sources, or all of them."""
        llm = self.llm
        tokens = max(llm.window, self.answer.tokens) if in_full else self.answer.tokens
        return Manner(llm.instructions, llm.markdown, llm.length, self.answer.scores, tokens, in_full)

    # ---------------------------------------------------------------- form

    def with_form(self, pieces: Iterator[Event], faq: FaqHit | None) -> Iterator[Event]:
        """Yield the pieces of an answer with marks in the user's style and with words around citations."""
        contexts: dict[int, Citation] = {}
        for piece in pieces:
            if isinstance(piece, Citation) and self.answer.context:
                piece = in_context(piece, self.answer.context, self.archive.store)
                contexts[piece.number] = piece
            elif isinstance(piece, str):
                piece = restyle_marks(piece, self.answer.style)
            elif isinstance(piece, Answer):
                citations = list(piece.citations)
                for at, citation in enumerate(citations):
                    if wider := contexts.get(citation.number):
                        citations[at] = replace(citation, before=wider.before, after=wider.after)
                piece = replace(self._completed(piece), citations=tuple(citations), faq=faq)
            yield piece

    def _completed(self, answer: Answer) -> Answer:
        """Return an answer in the user's style, with suggestions if nothing answers, and the time budgets."""
        suggestions: tuple[str, ...] = ()
        if answer.refuses:
            offers = follow_ups(answer, self.archive.store)[: self.answer.suggestions]
            suggestions = tuple(offer.text for offer in offers)
        settings, style = self.archive.settings, self.answer.style
        milliseconds = {**settings.budgets.model_dump(), "rerank": settings.rerank.milliseconds}
        return replace(
            answer,
            text=restyle_marks(answer.text, style),
            style=style,
            suggestions=suggestions,
            budgets={part: value / 1000 for part, value in milliseconds.items()},
        )


def _lent(answer: Answer, plan: Plan | None, question: str) -> list[Filter]:
    """Return the preferences that only earlier turns name, and that keep a search from an answer.

    A recording does not if passages of it are near the question.
    """
    fields = {"nothing_found": FILTER_FIELDS, "low_relevance": ("speaker",)}.get(answer.verdict, ())
    preferences = plan.preferences if plan else ()
    return [each for each in preferences if each.field in fields and each.said not in question]


def _noting_lent(answer: Answer, lent: Sequence[Filter], messages: Messages) -> Answer:
    """Return an answer from a search without some preferences, with a note that names the people in them."""
    people = list(dict.fromkeys(each.value for each in lent if each.field == "speaker"))
    note = (messages.say("not_by", names=messages.choices(people)),) if people else ()
    return replace(answer, notes=(*note, *answer.notes))


# ---------------------------------------------------------------- seconds

_PARTS = {"Route": "plan", "Rerank": "rerank", LOAD: "load"}
"""Stages that have a part of their own. All other stages belong to "search"."""


def part_seconds(trace: Iterable[Step], embedding: float) -> dict[str, float]:
    """Return the seconds of "plan", "embed", "search", "rerank" and "load", as far as there were any.

    Args:
        trace: the steps of all stages.
        embedding: the seconds spent on embedding, which happens within stages that search.
    """
    spent = {"embed": embedding} if embedding else {}
    for step in trace:
        part = _PARTS.get(step.name, "search")
        spent[part] = spent.get(part, 0.0) + step.seconds
    if "search" in spent:
        spent["search"] = max(0.0, spent["search"] - embedding)
    return spent
