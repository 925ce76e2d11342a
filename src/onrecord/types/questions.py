"""Questions: their scope and hints, and the plan that onrecord makes of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations

from onrecord.types.graph import GraphSource


@dataclass(frozen=True, slots=True)
class Scope:
    """The passages that a question is searched in. An empty scope is the whole workspace.

    Every field narrows it. Texts are compared without regard to case and accents; `speakers` match whole
    names or whole words of a name ("kelly" is Brendan Kelly, "al" is not Alan); `sections` match titles
    and kinds. `since` and `until` are inclusive ISO dates of any precision: until="2024" includes all of
    2024; a recording without a date is outside any dated scope.
    """

    recordings: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None
    languages: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return self != Scope()


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier question of the same conversation, and its answer.

    `recordings` are the ids of those that the answer cites. Where none are given, those whose titles stand in
    its text count: see `Answer.exchange`.
    """

    question: str
    answer: str = ""
    recordings: tuple[str, ...] = ()


INTENTS = ("factual", "definition", "causal", "summary", "comparison", "exploratory", "multi_entity")
"""The kinds of questions."""


@dataclass(frozen=True, slots=True)
class QuestionHints:
    """What a question means, as the user says, in place of what onrecord would read from its words.

    `intent` is one of `INTENTS`; `language` is the ISO 639-1 code of the question's own; `entities` are the
    people and things that it is about; `queries` are the questions to ask one by one. A field that is None or
    empty is read from the words.
    """

    intent: str | None = None
    language: str | None = None
    entities: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self != QuestionHints()


STYLES = ("numbers", "sources")
"""How citations are marked in the text of an answer: [1], or [Source 1]."""


@dataclass(frozen=True, slots=True)
class Form:
    """How an answer is to look. A field that is None is as the settings say.

    `style` is one of `STYLES`; `context` counts the words shown before and after each quote; `quotes` and
    `words` limit an answer made of quotes. For an answer that a language model writes: `temperature`,
    `instructions` (persona, tone, manner), and about how many words (`length`).
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


FILTER_FIELDS = ("recording", "speaker", "since", "until", "language", "section")
"""The fields of filters, besides attributes of recordings."""


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition that was read from a question.

    `field` is one of `FILTER_FIELDS` or the name of an attribute; `value` is spelt as `Scope` takes it;
    `said` are the question's own words for it. An `exact` filter excludes passages that do not match; any
    other prefers those that do. One that is `cited`, of recordings that only the answer before cites, narrows
    nothing.
    """

    field: str
    value: str
    said: str
    exact: bool = True
    cited: bool = False


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that the catalogue knows and a question asks for, read or counted over the whole scope.

    `text` is one line, `items` are further lines of a list. What it rests on, so that it can be checked:
    `recordings` are the ids of those that it names; `place` is where it is said (id of the recording,
    position of the passage, character of its text), up to the character `until` if it is longer than a
    sentence. `whole` says whether the question asks for nothing else: then nothing is searched. `graph` is
    what the graph knows, where the line is of the graph.
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
    """What onrecord understood of a question, and the branch of the strategy that it takes.

    `text` is the question to search for: a follow-up with the words that it refers to, without those of its
    filters. `intent` is one of `INTENTS`; `language` an ISO 639-1 code; `entities` are the people and things
    that it names. `scope` is the user's, narrowed by the exact `filters`; `strategy` is the name of the
    branch. `queries` are the questions to ask one by one (the sides of a comparison, the parts of several
    questions), empty where there is one. `notes` are for the user: a filter that was left out, a name that
    matches two people. `facts` are what the catalogue knows of the question. `act` is the dialogue act that
    it asks for ("decision", "task", ...), empty for none. `whole` says that it asks for all that is said
    where it looks, and names no subject ("Summarize episode 4", "Compare the two calls"). `sides` are the
    plans of the sides of a comparison, `parts` those of several independent questions in one text: one for
    each of `queries`. `unmet_date` are the question's words for a date on which nothing was recorded.
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
        """The filters that prefer what matches and exclude nothing."""
        return tuple(each for each in self.filters if not each.exact)

    @property
    def settled(self) -> bool:
        """Whether its facts are all that the question asks for."""
        return bool(self.facts) and all(fact.whole for fact in self.facts)

    @property
    def relations(self) -> tuple[tuple[str, str, str], ...]:
        """How the question relates each two things that it names, as (one, relation, other).

        The relation is "causes", "differs from" or "goes with"; empty where it relates nothing.
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
