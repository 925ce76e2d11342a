"""What questions to the graph are answered with. `plain` makes JSON values of all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, is_dataclass
from typing import Any

from onrecord.types.graph import Alias, Entity


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a passage, verbatim, with who says them and where; `link` opens at `start`, in seconds, and
    `begin` is the character of the passage at which they begin."""

    text: str
    speaker: str | None
    recording: str
    title: str
    date: str | None
    position: int
    begin: int
    start: float | None
    end: float | None
    link: str | None


@dataclass(frozen=True, slots=True)
class Edge:
    """`subject` `relation` `object`, by name, and the quotes that show it.

    One that is `inferred` is not stated: the two are named together, or near one another, or speak in one
    recording. `strength` is in 0..1; `count` is in how many passages it shows. Every quote shows both, unless
    they are `apart`: then there are two, the first of one and the second of the other.
    """

    subject: str
    relation: str
    object: str
    inferred: bool
    strength: float
    count: int
    quotes: tuple[Quote, ...] = ()
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Voice:
    """Somebody who speaks of something: in how many passages and recordings, on which first and last day, and
    in which words."""

    speaker: str
    passages: int
    recordings: int
    since: str | None
    until: str | None
    quote: Quote | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A recording in which something is named, and in how many of its passages."""

    recording: str
    title: str
    date: str | None
    passages: int


@dataclass(frozen=True, slots=True)
class About:
    """What the archive knows of an entity.

    `voices` are those who name it, without its own speaking; `own` tells where it speaks itself, None where
    it does not. `note` tells how the name was read, where it was read otherwise.
    """

    entity: Entity
    aliases: tuple[Alias, ...]
    voices: tuple[Voice, ...]
    places: tuple[Place, ...]
    since: str | None
    until: str | None
    relations: tuple[Edge, ...]
    together: tuple[Edge, ...]
    quotes: tuple[Quote, ...]
    note: str = ""
    own: Voice | None = None


@dataclass(frozen=True, slots=True)
class Path:
    """Edges from one entity to another; `score` in 0..1 falls with every step and with what is common."""

    steps: tuple[Edge, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Between:
    """How two entities hang together: the best paths first, none where they do not."""

    one: Entity
    other: Entity
    paths: tuple[Path, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Causes:
    """What is stated to cause an entity: chains that end in it, from `origin` on where one was named; none
    where nobody states any."""

    entity: Entity
    origin: Entity | None
    paths: tuple[Path, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Point:
    """How many passages of a period ("2024-03", "2024"; "" where undated) name something, and of those in
    which each speaker names it ("" where nobody is known to speak); several may in one passage."""

    period: str
    passages: int
    speakers: Mapping[str, int]
    quote: Quote | None = None


@dataclass(frozen=True, slots=True)
class Timeline:
    """Mentions of an entity over time, the oldest period first."""

    entity: Entity
    points: tuple[Point, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Topic:
    """Something that is spoken of, with the quotes of each of those who are compared, in their order."""

    entity: Entity
    quotes: tuple[tuple[Quote, ...], ...]


@dataclass(frozen=True, slots=True)
class Common:
    """What several speak of, and what only one of them does. Whether they agree is for the reader to see."""

    entities: tuple[Entity, ...]
    shared: tuple[Topic, ...]
    only: tuple[tuple[Topic, ...], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Concept:
    """Something that is spoken of in several recordings."""

    entity: Entity
    quotes: tuple[Quote, ...]


def plain(value: Any) -> Any:
    """A result as JSON values: mappings, lists, texts, numbers. Fields may be added; none changes or goes."""
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, Mapping):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return round(value, 4) if isinstance(value, float) else value
