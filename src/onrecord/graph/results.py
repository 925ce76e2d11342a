"""Results of queries to the graph. `plain` converts them to JSON values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, is_dataclass
from typing import Any

from onrecord.types.graph import Alias, Entity


@dataclass(frozen=True, slots=True)
class Quote:
    """Verbatim words of a passage, with speaker, source and timestamps.

    `start` and `end` are in seconds, and `link` opens the recording at `start`. `begin` is the character of
    the passage at which the quote begins.
    """

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
    """A relation `subject` `relation` `object`, by name, with the quotes that show it.

    An `inferred` edge is not stated: the two entities are mentioned together or near one another, or speak in
    one recording. `strength` is in 0..1; `count` is the number of passages that show it. Every quote shows
    both entities unless `apart`: then the first quote shows one entity and the second quote the other.
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
    """A speaker who mentions an entity: in how many passages and recordings, since and until when.

    `since` and `until` are dates. `quote` is an example.
    """

    speaker: str
    passages: int
    recordings: int
    since: str | None
    until: str | None
    quote: Quote | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A recording that mentions an entity, and the number of its passages that do."""

    recording: str
    title: str
    date: str | None
    passages: int


@dataclass(frozen=True, slots=True)
class About:
    """The archive's knowledge of an entity.

    `voices` are the speakers who mention it, apart from the entity itself; `own` describes its own speech, or
    is None if it never speaks. `note` explains how the name was resolved if it differs from the entity's
    name.
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
    """Edges from one entity to another. `score`, in 0..1, falls with each step and with common entities."""

    steps: tuple[Edge, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Between:
    """The connections of two entities: paths, the best first, or none."""

    one: Entity
    other: Entity
    paths: tuple[Path, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Causes:
    """The stated causes of an entity: chains that end in it, from `origin` on if one was given."""

    entity: Entity
    origin: Entity | None
    paths: tuple[Path, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Point:
    """The number of passages of a period that mention an entity, in total and by speaker.

    `period` is like "2024-03" or "2024", "" for recordings without a date. In `speakers`, "" counts the
    passages without a known speaker. A passage may count for several speakers.
    """

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
    """An entity that people talk about, with quotes of each compared entity, in their order."""

    entity: Entity
    quotes: tuple[tuple[Quote, ...], ...]


@dataclass(frozen=True, slots=True)
class Common:
    """The topics that several people share, and the topics of only one of them.

    The result does not say whether they agree; the quotes do.
    """

    entities: tuple[Entity, ...]
    shared: tuple[Topic, ...]
    only: tuple[tuple[Topic, ...], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Concept:
    """An entity that several recordings mention."""

    entity: Entity
    quotes: tuple[Quote, ...]


def plain(value: Any) -> Any:
    """Convert a result to JSON values: mappings, lists, strings, numbers.

    Later versions may add fields, but do not change or remove any.
    """
    if is_dataclass(value) and not isinstance(value, type):
        return plain(asdict(value))
    if isinstance(value, Mapping):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return round(value, 4) if isinstance(value, float) else value
