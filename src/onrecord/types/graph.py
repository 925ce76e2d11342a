"""The values of the knowledge graph: mentions, relations between entities, and aliases of entities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

KINDS = ("person", "organization", "place", "product", "practice", "outcome", "concept", "name")
"""The kinds of entities. A "name" is an entity of unknown kind."""
PHRASE_KINDS = ("practice", "outcome", "concept")
"""The kinds that common nouns may have."""
MODEL = "model"
"""The rule of mentions and relations that a language model read from a passage."""
RULES = ("speaker", "person", "attribute", "title", "name", "phrase", MODEL)
"""The rules that recognize an entity, most reliable first."""


class Mention(NamedTuple):
    """A mention of an entity: characters `begin`..`end` of a passage.

    `entity` is the entity's key: the folded singulars of its words ("heat pump"). `name` is its spelling in
    the passage, `kind` one of `KINDS`, `rule` one of `RULES`, and `speaker` the person who mentions it. If
    the entity itself speaks (rule "speaker"), the characters are the words that it speaks. If the recording's
    details name it, the characters are -1..-1.
    """

    entity: str
    recording: str
    position: int
    begin: int
    end: int
    name: str
    kind: str
    rule: str
    speaker: str | None = None


class NameAt(NamedTuple):
    """A passage that names an entity, with the number of all passages that name it.

    `titled` is true if the recording's details name the entity, for example as the title of a paragraph.
    """

    entity: str
    recording: str
    position: int
    passages: int
    titled: bool


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation that a passage states: "Freight costs" "causes" "thin margins".

    Characters `begin`..`end` state it. `rule` is "cue" if cue words stand between subject and object, `MODEL`
    if a language model read it.
    """

    subject: str
    relation: str
    object: str
    recording: str
    position: int
    begin: int
    end: int
    speaker: str | None = None
    rule: str = "cue"


@dataclass(frozen=True, slots=True)
class Alias:
    """A statement that `alias` is a name of `entity`, both as keys, with a reason and a score in 0..1.

    An alias with a `recording` holds in that recording only, and is removed with it. An alias without a
    recording was made by hand and holds everywhere. A score of 0 means that the two are not the same,
    whatever recordings suggest.
    """

    alias: str
    entity: str
    score: float
    reason: str
    recording: str = ""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The part of the graph that one recording contributes, and that is removed with the recording.

    `capitals` says whether capital letters mark names in the recording; `read` are the positions of the
    passages that a language model has read.
    """

    mentions: tuple[Mention, ...] = ()
    relations: tuple[Relation, ...] = ()
    aliases: tuple[Alias, ...] = ()
    capitals: bool = True
    read: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class EntityName:
    """One spelling of an entity's name, with its rule and the number of passages that use it."""

    entity: str
    name: str
    kind: str
    rule: str
    passages: int


@dataclass(frozen=True, slots=True)
class GraphSource:
    """A fact of the graph, as the source of a line of an answer: `entity` `relation` `object`, by name.

    `type` is "relation" if words state it, "mention" if somebody or a passage mentions the object, and
    "inferred" if the two are named together or near one another. `description` is the line.
    """

    type: str
    entity: str
    relation: str
    object: str
    description: str


@dataclass(frozen=True, slots=True)
class RaisingEdge:
    """An edge of the graph that raised a passage.

    `gained` is the part of the passage's score that came over the edge, or None if the passage was found by
    the edge alone. `via` is another passage that names the same entity (id of its recording, position), or
    None if the question names it. `quote` is the words that state a relation, or empty; a fact of an answer
    has its quote in the citation.
    """

    source: GraphSource
    gained: float | None = None
    via: tuple[str, int] | None = None
    quote: str = ""

    def __str__(self) -> str:
        gained = "" if self.gained is None else f"+{self.gained:.3f}  "
        return f"{gained}{self.source.description}" + (f"  “{self.quote}”" if self.quote else "")


@dataclass(frozen=True, slots=True)
class Raised:
    """A passage that the graph raised, with the edges that raised it, the strongest first.

    `place` is its place in the ranking of a stage, from 1, and `without` its place without the graph: a later
    one, or None if it was found by the graph alone. `title` is that of its recording.
    """

    recording: str
    title: str
    position: int
    place: int
    without: int | None
    edges: tuple[RaisingEdge, ...]

    def __str__(self) -> str:
        before = "found by the graph alone" if self.without is None else f"from place {self.without}"
        return f"raised {self.title}, passage {self.position + 1}, to place {self.place}, {before}"


@dataclass(frozen=True, slots=True)
class Entity:
    """A person or thing that recordings name, with the numbers of passages and recordings that name it.

    `name` is its most frequent name.
    """

    key: str
    name: str
    kind: str
    passages: int
    recordings: int
