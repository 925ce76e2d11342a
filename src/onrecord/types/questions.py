"""Questions with their scope and hints, and the plan that onrecord makes for a question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from types import NoneType, UnionType
from typing import Any, get_args

from onrecord.errors import InputError
from onrecord.types.graph import GraphSource
from onrecord.types.text import several

_NOUNS: Mapping[type, str] = {str: "a text", bool: "True or False"}


def check_type(value: object, kind: type | UnionType, name: str) -> None:
    """Raise InputError with the value's `name` unless the value is of this type."""
    if not isinstance(value, kind):
        kinds = (each for each in get_args(kind) or (kind,) if each is not NoneType)
        expected = " or ".join(_NOUNS.get(each, f"a {each.__name__}") for each in kinds)
        raise InputError(f"{name} must be {expected}, not {value!r:.100}")


def make_tuples(of: object, kind: type, *fields: str) -> None:
    """Make tuples of the values that a caller gave as a list, or as one text.

    Raises InputError for values of another type than `kind`.
    """
    for name in fields:
        value = getattr(of, name)
        values = several(value) if isinstance(value, Iterable) else (None,)
        if not all(isinstance(each, kind) for each in values):
            expected = "texts" if kind is str else f"{kind.__name__}s"
            raise InputError(f"{name} must be a list of {expected}, not {value!r:.100}")
        object.__setattr__(of, name, values)


@dataclass(frozen=True, slots=True)
class Scope:
    """The passages in which a question is searched. An empty scope is the whole workspace.

    Every field narrows it. Texts are compared without regard to case and accents. `speakers` match whole
    names or whole words of a name ("kelly" is Brendan Kelly, "al" is not Alan). `sections` match titles and
    kinds. `since` and `until` are inclusive ISO dates of any precision: until="2024" includes all of 2024. A
    recording without a date is outside any dated scope.
    """

    recordings: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None
    languages: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        make_tuples(self, str, "recordings", "speakers", "languages", "sections")
        check_type(self.since, str | None, "since")
        check_type(self.until, str | None, "until")
        check_type(self.attributes, Mapping, "attributes")

    def __bool__(self) -> bool:
        return self != Scope()

    @property
    def conditions(self) -> dict[str, Any]:
        """The fields that are set, by name."""
        return {name: value for name, value in asdict(self).items() if value}

    def narrowed(self, filters: Iterable[Filter]) -> Scope:
        """Return the scope with the values of filters in their fields, instead of its own values there."""
        values: dict[str, Any] = {"attributes": dict(self.attributes)}
        for each in filters:
            if each.field in ("since", "until"):
                values[each.field] = each.value
            elif each.field in FILTER_FIELDS:
                values[f"{each.field}s"] = (*values.get(f"{each.field}s", ()), each.value)
            else:
                values["attributes"][each.field] = each.value
        return replace(self, **values)


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier question of the same conversation, and its answer.

    `recordings` are the ids of the recordings that the answer cites. If none are given, recordings count
    whose titles stand in the text of the answer: see `Answer.exchange`.
    """

    question: str
    answer: str = ""
    recordings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_type(self.question, str, "question")
        check_type(self.answer, str, "answer")
        make_tuples(self, str, "recordings")


INTENTS = ("factual", "definition", "causal", "summary", "comparison", "exploratory", "multi_entity")
"""The kinds of questions."""


@dataclass(frozen=True, slots=True)
class QuestionHints:
    """The user's description of a question, which replaces what onrecord would read from its words.

    `intent` is one of `INTENTS`; `language` is the ISO 639-1 code of the question's language; `entities` are
    the people and things that it is about; `queries` are the questions to ask one by one. A field that is
    None or empty is read from the words.
    """

    intent: str | None = None
    language: str | None = None
    entities: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_type(self.intent, str | None, "intent")
        check_type(self.language, str | None, "language")
        make_tuples(self, str, "entities", "queries")

    def __bool__(self) -> bool:
        return self != QuestionHints()


STYLES = ("numbers", "sources")
"""The styles of citation marks in the text of an answer: [1], or [Source 1]."""


@dataclass(frozen=True, slots=True)
class Form:
    """The form of an answer. A field that is None takes its value from the settings.

    `style` is one of `STYLES`; `context` counts the words shown before and after each quote; `quotes` and
    `words` limit an answer made of quotes. For an answer that a language model writes: `temperature`,
    `instructions` (persona, tone, manner), and the approximate number of words (`length`).
    """

    style: str | None = None
    context: int | None = None
    quotes: int | None = None
    words: int | None = None
    temperature: float | None = None
    instructions: str | None = None
    length: int | None = None

    def __bool__(self) -> bool:
        return self != Form()


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its scope, the conversation before it, oldest first, and hints at its meaning."""

    text: str
    scope: Scope = field(default_factory=Scope)
    history: tuple[Exchange, ...] = ()
    hints: QuestionHints = field(default_factory=QuestionHints)

    def __post_init__(self) -> None:
        check_type(self.text, str, "the question")
        check_type(self.scope, Scope, "scope")
        make_tuples(self, Exchange, "history")
        check_type(self.hints, QuestionHints, "hints")


FILTER_FIELDS = ("recording", "speaker", "since", "until", "language", "section")
"""The fields of filters, in addition to attributes of recordings."""


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition that was read from a question.

    `field` is one of `FILTER_FIELDS` or the name of an attribute; `value` is spelled as in a `Scope`; `said`
    are the question's words for the condition. An `exact` filter excludes passages that do not match; any
    other filter prefers passages that do. A `cited` filter names people or recordings that only earlier turns
    name or cite, and narrows nothing.
    """

    field: str
    value: str
    said: str
    exact: bool = True
    cited: bool = False


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of the catalog that a question asks for, read or counted over the whole scope.

    `text` is one line, `items` are further lines of a list. The evidence of the fact, so that it can be
    checked: `recordings` are the ids of the recordings that it names; `place` is the place of the words that
    state it (id of the recording, position of the passage, character of its text), which end at the character
    `until` if they are longer than a sentence. `whole` says whether the question asks for nothing else; then
    nothing is searched. `graph` is the fact of the graph, if the line comes from the graph.
    """

    text: str
    items: tuple[str, ...] = ()
    recordings: tuple[str, ...] = ()
    place: tuple[str, int, int] | None = None
    whole: bool = True
    until: int | None = None
    graph: GraphSource | None = None


_RELATIONS = {"causal": "causes", "comparison": "differs from", "multi_entity": "goes with"}


@dataclass(frozen=True, slots=True)
class Plan:
    """onrecord's interpretation of a question, and the branch of the strategy that it takes.

    `text` is the question to search for: a follow-up includes the words that it refers to, and the words of
    filters are removed. `intent` is one of `INTENTS`; `language` is an ISO 639-1 code; `entities` are the
    people and things that the question names. `scope` is the user's scope, narrowed by the exact `filters`;
    `strategy` is the name of the branch. `queries` are the questions to ask one by one (the sides of a
    comparison, or the parts of several questions), empty if there is a single question. `notes` are for the
    user: a filter that was left out, a name that matches two people. `facts` are facts of the catalog about
    the question. `act` is the dialogue act that it asks for ("decision", "task", ...), empty for none.

    `whole` is true if the question asks for everything in its scope and names no subject ("Summarize episode
    4", "Compare the two calls"). `sides` are the plans of the sides of a comparison, `parts` the plans of
    several independent questions in one text: one for each of `queries`. `unmet_date` are the question's
    words for a date on which nothing was recorded.
    """

    text: str
    intent: str = "factual"
    language: str | None = None
    entities: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()
    scope: Scope = field(default_factory=Scope)
    strategy: str = "balanced"
    queries: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    act: str = ""
    whole: bool = False
    parts: tuple[Plan, ...] = ()
    sides: tuple[Plan, ...] = ()
    unmet_date: str = ""

    @property
    def preferences(self) -> tuple[Filter, ...]:
        """The filters that prefer matching passages and exclude none."""
        return tuple(each for each in self.filters if not each.exact)

    @property
    def settled(self) -> bool:
        """Whether the facts are all that the question asks for."""
        return bool(self.facts) and all(fact.whole for fact in self.facts)

    @property
    def relations(self) -> tuple[tuple[str, str, str], ...]:
        """The relations that the question asks for between each two entities, as (one, relation, other).

        The relation is "causes", "differs from" or "goes with"; empty if the question asks for no relation.
        """
        relation = _RELATIONS.get(self.intent, "")
        pairs = combinations(self.entities, 2) if relation else ()
        return tuple((one, relation, other) for one, other in pairs)

    @property
    def complexity(self) -> str:
        """ "simple", "moderate" or "complex".

        Several queries, several entities and a relation add a step each.
        """
        steps = (len(self.queries) > 1) + (len(self.entities) > 1) + (self.intent in _RELATIONS)
        return ("simple", "moderate", "complex", "complex")[steps]
