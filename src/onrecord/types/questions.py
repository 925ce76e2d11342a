"""What is asked, where, and what was understood of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations


@dataclass(frozen=True, slots=True)
class Scope:
    """Which passages a question is put to. An empty scope is the whole workspace.

    Every field narrows. Texts are compared without regard to case and accents; `speakers` match whole
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
    """A question that was asked before in the same conversation, and what was answered."""

    question: str
    answer: str = ""


INTENTS = ("factual", "definition", "causal", "summary", "comparison", "exploratory", "multi_entity")
"""What a question may want."""


@dataclass(frozen=True, slots=True)
class QuestionHints:
    """What a question means, as whoever asks it says: in place of what would be read from its words.

    `intent` is one of `INTENTS`; `language` the ISO 639-1 code of the one that the question is in; `entities`
    are the people and things that it is about; `queries` are the questions to ask one by one. What is None or
    empty is read.
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
    """How an answer is to look, as whoever asks wants it. What is None is as the settings say.

    `style` is one of `STYLES`; `context` counts words given before and after each quote; `quotes` and `words`
    are the most of an answer that is made of quotes. Of one that a language model writes: `temperature`,
    `instructions` (persona, tone, manner), and `length` in words, about.
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
    """A question as asked, the passages it is put to, what was asked before it, oldest first, and what is
    meant by it, where that is said."""

    text: str
    scope: Scope = field(default_factory=Scope)
    history: tuple[Exchange, ...] = ()
    hints: QuestionHints = field(default_factory=QuestionHints)


FILTER_FIELDS = ("recording", "speaker", "since", "until", "language", "section")
"""What filters are of, besides attributes of recordings."""


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition that was read from a question.

    `field` is one of `FILTER_FIELDS` or the name of an attribute; `value` is what `Scope` wants to
    see; `said` are the question's own words for it. One that is `exact` excludes what does not fit; any
    other prefers what does.
    """

    field: str
    value: str
    said: str
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Fact:
    """What an archive knows and a question asks for: told by its recordings, or counted over all that is in
    scope; never guessed from what was found.

    `text` is one line, `items` are further ones, a list of what it is about. What it rests on, so that it can
    be checked: `recordings` are the ids of those that it names; `place` is where something is said: the id of
    the recording, the position of the passage, the character of its text, and the character `until` which it
    is, where that is not one sentence. `whole` tells whether the question
    asks for nothing else: then nothing is searched for.
    """

    text: str
    items: tuple[str, ...] = ()
    recordings: tuple[str, ...] = ()
    place: tuple[str, int, int] | None = None
    whole: bool = True
    until: int | None = None


_RELATIONS = {"causal": "causes", "comparison": "differs from", "multi_entity": "goes with"}


@dataclass(frozen=True, slots=True)
class Plan:
    """What was understood of a question, and the way that is taken to its answer.

    `text` is the question to search for: a follow-up with what it leans on, without the words of its filters.
    `intent` is one of `INTENTS`; `language` an ISO 639-1 code; `entities` are the people and things it names;
    `scope` is the one that was given, narrowed by those of the `filters` that are exact; `strategy` is the
    name of the route; `queries` are the questions to ask one by one (the sides of a comparison, the parts of
    a question in several), empty where there is one; `notes` are remarks for the user: a filter that was left
    out, a name that could be two; `facts` are what the archive knows of what is asked. `act` is what is done
    in speaking that it asks for ("decision", "task", ...: `onrecord.understand.ACTS`), empty where it asks
    for none. `sides` are the plans of the sides of a comparison, one for each of `queries`. `parts` are the
    plans of the questions of a text that asks several which have nothing to do with one another, one for each
    of `queries`; empty where it asks one.
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
    parts: tuple[Plan, ...] = ()
    sides: tuple[Plan, ...] = ()

    @property
    def preferences(self) -> tuple[Filter, ...]:
        """The conditions that prefer what fits and exclude nothing."""
        return tuple(each for each in self.filters if not each.exact)

    @property
    def settled(self) -> bool:
        """Whether its facts are all that the question asks for."""
        return bool(self.facts) and all(fact.whole for fact in self.facts)

    @property
    def relations(self) -> tuple[tuple[str, str, str], ...]:
        """What the question wants to know of each two things that it names: (one, relation, other), where the
        relation is "causes", "differs from" or "goes with"; empty where it relates nothing."""
        relation = _RELATIONS.get(self.intent, "")
        pairs = combinations(self.entities, 2) if relation else ()
        return tuple((one, relation, other) for one, other in pairs)

    @property
    def complexity(self) -> str:
        """One of "simple", "moderate" or "complex": a question in several, one of several things, and one
        that asks how things hang together, make it harder, one step each."""
        steps = (len(self.queries) > 1) + (len(self.entities) > 1) + (self.intent in _RELATIONS)
        return ("simple", "moderate", "complex", "complex")[steps]
