"""The user's question to an archive: its checks, its plan, and the retrieval of its evidence."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Protocol, TypedDict, Unpack

from onrecord.archive.lookup import resolve_scope
from onrecord.archive.models import Models
from onrecord.archive.processor_slots import record_question
from onrecord.errors import InputError, did_you_mean, nearest
from onrecord.ingest.details import attribute_name
from onrecord.ingest.language import CODES, language_code
from onrecord.retrieve.route import Route
from onrecord.retrieve.stage import SPELLING, Tools
from onrecord.retrieve.wording import word_forms
from onrecord.settings import Settings
from onrecord.stores import Store
from onrecord.stores.base import Snapshot
from onrecord.strategies import Strategy, with_plan
from onrecord.types import (
    FILTER_FIELDS,
    INTENTS,
    Evidence,
    Exchange,
    Form,
    Plan,
    Question,
    QuestionHints,
    Scope,
    collapsed,
    one_line,
)
from onrecord.types.questions import check_type, make_tuples

if TYPE_CHECKING:
    from onrecord.archive.ledger import Ledger
    from onrecord.retrieve.faq import Faq
    from onrecord.retrieve.result_cache import ResultCache

_EXCLUDABLE = (*FILTER_FIELDS, SPELLING)
_DATE_FIELDS = {"date": ("since", "until")}
_MOST_TURNS = 100
"""The most exchanges of a conversation to read; the last ones count."""
_MOST_QUERIES = 5
"""The most sub-questions, because they share the words of one answer."""
_MOST_NAMES, _LONGEST_NAME = 20, 200
_MOST_LISTED = 20
_WRITING_ROLES = {"answer", "check", "summarize", "extract"}
"""Roles of language models that have no influence on the evidence."""


class AskOptions(TypedDict, total=False):
    """The fields of an `Ask` that `Archive.ask` and similar methods take as keywords; None is the default."""

    scope: Scope | None
    history: Sequence[Exchange]
    without: Collection[str]
    hints: QuestionHints | None
    form: Form | None
    faq: bool | None
    explain: bool | None


@dataclass(frozen=True, slots=True)
class Ask(Question):
    """A question with all of the user's options for its answer.

    Args:
        text: the question, in words.
        scope: the passages to search. Filters of other fields are still read from the question.
        history: the earlier exchanges of the same conversation, oldest first.
        hints: the meaning of the question, in place of what would be read from its words.
        strategy: a name or a `Strategy`. None: the strategy of the settings. A `Strategy` gets the question
            as it is, unless there are `hints`.
        without: fields of filters that are not to be read from the question: "speaker", "date", the name of
            an attribute. "spelling" searches every word as it is spelled.
        form: the form of the answer. It takes precedence over the settings.
        faq: whether to ask the FAQ first, and the archive only if the FAQ has no answer. None: as the setting
            `faq.first` says.
        explain: whether the trace also says which edges of the graph raised which passages. Such a question
            is always searched anew.

    Raises InputError for a value of another type.
    """

    strategy: Strategy | str | None = None
    without: tuple[str, ...] = ()
    form: Form | None = None
    faq: bool | None = None
    explain: bool = False

    def __post_init__(self) -> None:
        Question.__post_init__(self)  # `super()` knows no class with slots
        check_type(self.strategy, Strategy | str | None, "strategy")
        make_tuples(self, str, "without")
        check_type(self.form, Form | None, "form")
        check_type(self.faq, bool | None, "faq")
        check_type(self.explain, bool, "explain")

    @classmethod
    def of(
        cls, question: str | Ask, strategy: Strategy | str | None = None, **options: Unpack[AskOptions]
    ) -> Ask:
        """Return an Ask for a question, or the given Ask with all fields that are not None replaced."""
        fields: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
        if strategy is not None:
            fields["strategy"] = strategy
        return replace(question if isinstance(question, Ask) else cls(question), **fields)


class AskableArchive(Protocol):
    """The part of an `Archive` that answers need."""

    store: Store
    settings: Settings
    models: Models

    @property
    def own_strategies(self) -> Mapping[str, Strategy]: ...

    @property
    def faq(self) -> Faq: ...

    @property
    def ledger(self) -> Ledger: ...

    def strategy(self, strategy: Strategy | str | None = None) -> Strategy: ...


def find_evidence(archive: AskableArchive, ask: Ask) -> Evidence:
    """Return the moments that match a question, ranked: see `Archive.search`."""
    record_question()
    with archive.store.snapshot(word_forms(ask.text)) as snapshot, cache_of(archive, snapshot) as cache:
        fields, strategy = excluded_fields(snapshot, ask.without), archive.strategy(ask.strategy)
        tools = archive.models.tools(snapshot, [], strategy.reads)
        tools = cache.tools(replace(tools, without=fields, explain=ask.explain))
        question = checked_question(archive, ask)
        if question.hints or (ask.history and not isinstance(ask.strategy, Strategy)):
            strategy = with_plan(strategy)
        evidence = retrieve(question, strategy, tools, cache)
        plans = evidence.plan.parts or (evidence.plan,) if evidence.plan else ()
        if plans and all(plan.settled for plan in plans):  # a search wants moments, even if facts answer
            tools = _without_facts(tools)
            evidence = retrieve(question, strategy, tools, cache, "moments")
        return evidence


def plan_question(archive: AskableArchive, ask: Ask) -> Plan:
    """Return the plan of a question without a search: see `Archive.plan`."""
    with archive.store.snapshot() as snapshot:
        fields = excluded_fields(snapshot, ask.without)
        tools = replace(archive.models.tools(snapshot, [], reads=False), without=fields)
        route = with_plan(archive.strategy(ask.strategy)).stages
        assert isinstance(route, Route)  # noqa: S101 - what `with_plan` makes
        return route.planned(Evidence(checked_question(archive, ask)), tools)


def choose_strategy(archive: AskableArchive, ask: Ask) -> tuple[Strategy, bool]:
    """Return the strategy for a question, and whether it was assigned by the trial.

    If the user names no strategy, the strategy on trial gets a fixed share of the questions, always the same
    ones.
    """
    trial = archive.settings.trial
    if ask.strategy is not None or not trial.strategy:
        return archive.strategy(ask.strategy), False
    drawn = sha256(f"{trial.strategy}\0{collapsed(ask.text)}".encode("utf-8", "surrogatepass")).digest()
    on_trial = int.from_bytes(drawn[:4]) < trial.share * 2**32
    return archive.strategy(trial.strategy if on_trial else None), True


def cache_of(archive: AskableArchive, snapshot: Snapshot) -> ResultCache:
    """Return the cache of results for questions to one snapshot of the store."""
    from onrecord.retrieve.result_cache import ResultCache  # imported late, because no plan needs it

    sizes = archive.settings.cache
    return ResultCache(archive.store, snapshot, sizes.embeddings * 1_000_000, sizes.results * 1_000_000)


def retrieve(
    question: Question, strategy: Strategy, tools: Tools, cache: ResultCache, *basis: object
) -> Evidence:
    """Return the evidence for a checked question, from a new search or from the cache.

    `basis` holds what the evidence depends on besides the question, the strategy and the tools. Evidence that
    a language model influences is never cached, because the model may decide otherwise next time. Evidence to
    explain is not cached, either: its steps say what was done.
    """
    tools.store.heard(word_forms(question.text))
    if tools.explain:
        from onrecord.retrieve.raising import with_raised_of_evidence

        return with_raised_of_evidence(strategy.retrieve(question, tools))
    if tools.roles.models.keys() - _WRITING_ROLES:
        return strategy.retrieve(question, tools)
    models = [
        getattr(tools.embedder, "fingerprint", None),
        getattr(tools.embedder, "calibration", None),
        getattr(tools.reranker, "name", None),
        getattr(tools.reader, "fingerprint", None),
    ]
    day = tools.today().isoformat()
    key = (strategy, question, models, tools.floors, day, tools.without, *basis)
    return cache.evidence(*key, find=lambda: strategy.retrieve(question, tools))


def _without_facts(tools: Tools) -> Tools:
    """Return tools whose plans have no facts, so that transcripts are searched in any case."""

    def planner(question: Question, *_: object, strategies: Collection[str]) -> Plan:
        plan = tools.plan(question, strategies)
        return replace(plan, facts=(), parts=tuple(replace(part, facts=()) for part in plan.parts))

    return replace(tools, planner=planner)


# ---------------------------------------------------------------- checks


def checked_question(archive: AskableArchive, ask: Ask) -> Question:
    """Return the question to search for: with single spaces, recordings by id, and hints by name.

    Raises InputError for a question without words, one of more than `limits.question_characters`, dates that
    leave no day, or invalid hints; NotFoundError for an unknown recording.
    """
    text, longest = collapsed(ask.text), archive.settings.limits.question_characters
    if not re.search(r"\w", text):
        raise InputError("the question has no words: ask something like 'Why did margins fall?'")
    if len(text) > longest:
        raise InputError(
            f"the question has {len(text)} characters; at most {longest} are read "
            "(setting limits.question_characters)"
        )
    scope = resolve_scope(archive.store, ask.scope) if ask.scope else ask.scope
    hints = _checked_hints(ask.hints, longest) if ask.hints else ask.hints
    if not ask.history:
        return Question(text, scope, (), hints)
    from onrecord.answer import conversation  # imported late, because most questions do not need it

    turns = [
        replace(turn, question=collapsed(turn.question)[:longest], answer=collapsed(turn.answer)[:longest])
        for turn in ask.history[-_MOST_TURNS:]
    ]
    return Question(text, scope, conversation.without_courtesies(turns), hints)


# ---------------------------------------------------------------- filters that are not read


def excluded_fields(snapshot: Snapshot, names: Collection[str]) -> tuple[str, ...]:
    """Return the fields that `Ask.without` names, sorted. Case does not matter.

    "date" stands for "since" and "until". Raises InputError for a name other than `FILTER_FIELDS`, "spelling"
    and the attributes in the archive.
    """
    if not names:
        return ()
    attributed = [attribute_name(name) for name in names]
    wanted = {field for name in attributed for field in _DATE_FIELDS.get(name, (name,))}
    if wanted.issubset(_EXCLUDABLE):
        return tuple(sorted(wanted))
    attributes = sorted({name for r in snapshot.recordings() for name in r.details.attributes})
    fields = {attribute_name(name): name for name in (*attributes, *_EXCLUDABLE)}
    for name in sorted(wanted.difference(fields)):
        hint = did_you_mean(nearest(name, (*fields, *_DATE_FIELDS)), " ")
        listed = ", ".join((*_EXCLUDABLE, *attributes[:_MOST_LISTED]))
        raise InputError(f"no filter is of {name[:100]!r}, so none can be left out:{hint} there are {listed}")
    return tuple(sorted(fields[name] for name in wanted))


# ---------------------------------------------------------------- hints


def _checked_hints(hints: QuestionHints, longest: int) -> QuestionHints:
    """Return hints with normalized intent and language, and each text once.

    Hints may say "Multi-entity", "fr-CA" or "French", for example. Raises InputError for an invalid hint.
    """
    intent, text = None, hints.intent
    if text is not None:
        intent = re.sub(r"[\s-]+", "_", text.strip().lower())
        if intent not in INTENTS:
            hint = did_you_mean(nearest(intent, INTENTS), " ")
            raise InputError(f"there is no intent {text[:100]!r}:{hint} there are {', '.join(INTENTS)}")
    code, text = None, hints.language
    if text is not None:
        code = language_code(text)
        if code not in CODES.values():
            hint = did_you_mean([CODES[name] for name in nearest(text.strip(), CODES)], " ")
            raise InputError(
                f"no language is known as {text[:100]!r}:{hint} give its code, such as en, fr or de"
            )
    entities = _texts(hints.entities, "name that the question is about", _MOST_NAMES, _LONGEST_NAME)
    return QuestionHints(
        intent, code, entities, _texts(hints.queries, "sub-question", _MOST_QUERIES, longest)
    )


def _texts(values: Collection[str], what: str, most: int, longest: int) -> tuple[str, ...]:
    texts = [one_line(text).strip() for text in ([values] if isinstance(values, str) else values)]
    if not all(re.search(r"\w", text) for text in texts):
        raise InputError(f"a {what} has no words: write it out, or leave it out")
    if any(len(text) > longest for text in texts):
        raise InputError(f"a {what} has {max(map(len, texts))} characters: at most {longest} are read")
    texts = list(dict.fromkeys(texts))
    if len(texts) > most:
        raise InputError(f"there are {len(texts)} times a {what}: at most {most} are taken")
    return tuple(texts)
