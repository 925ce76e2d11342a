"""What the knowledge graph keeps of a recording: mentions, relations between them, and names for the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

KINDS = ("person", "organization", "place", "product", "practice", "outcome", "concept", "name")
"""What an entity may be; a "name" is one of which nothing tells what it is."""
PHRASE_KINDS = ("practice", "outcome", "concept")
"""What common nouns may be."""
MODEL = "model"
"""The rule of what a language model read off a passage."""
RULES = ("speaker", "person", "attribute", "title", "name", "phrase", MODEL)
"""Why something is taken for an entity, the surest first."""


class Mention(NamedTuple):
    """A place where an entity is named: characters `begin`..`end` of a passage.

    `entity` is its key: the folded singulars of its words ("heat pump"). `name` is how it is written there,
    `kind` one of `KINDS`, `rule` one of `RULES`, `speaker` who says it. Where it speaks itself (rule
    "speaker") the characters are those that it says; where the recording's details name it, they are -1..-1.
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
    """A passage that names an entity, and how many passages name it in all.

    It is `titled` where its recording's details name it, as the title of a paragraph.
    """

    entity: str
    recording: str
    position: int
    passages: int
    titled: bool


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation that a passage states: "Freight costs" "causes" "thin margins".

    Characters `begin`..`end` state it. `rule` is "cue" where its words stand between the two, `MODEL` where a
    language model read it.
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
    """`alias` is a name of `entity`, both as keys, with a reason and a score in 0..1.

    One that a recording tells holds in that `recording` and leaves with it. One without a recording was made
    by hand and holds everywhere; a score of 0 says that the two are not the same, whatever recordings tell.
    """

    alias: str
    entity: str
    score: float
    reason: str
    recording: str = ""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What one recording adds to the graph, and takes along when it is removed.

    `capitals` says whether its capitals tell names; `read` are the positions of the passages that a language
    model has read.
    """

    mentions: tuple[Mention, ...] = ()
    relations: tuple[Relation, ...] = ()
    aliases: tuple[Alias, ...] = ()
    capitals: bool = True
    read: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class EntityName:
    """One name of an entity as it is written: in how many passages, and by what rule."""

    entity: str
    name: str
    kind: str
    rule: str
    passages: int


@dataclass(frozen=True, slots=True)
class GraphSource:
    """What the graph knows, as the source of a line of an answer: `entity` `relation` `object`, by name.

    `type` is "relation" where words state it, "mention" where somebody speaks of the object, "inferred" where
    the two are named together or near one another. `description` is the line.
    """

    type: str
    entity: str
    relation: str
    object: str
    description: str


@dataclass(frozen=True, slots=True)
class Entity:
    """Somebody or something that is spoken of, by its most frequent name, and how widely it is named."""

    key: str
    name: str
    kind: str
    passages: int
    recordings: int
