"""What a store of the knowledge graph must do. It keeps what it is given, and counts it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from onrecord.types.graph import RULES, Alias, Entity, Form, Knowledge, Mention, NameAt, Relation

T = TypeVar("T")
Place = tuple[str, int]
"""A passage: the id of its recording, its position."""


class GraphReader(Protocol):
    """What can be read of one workspace's graph. All lists are in order of recording, position, character."""

    def entities(self, keys: Iterable[str]) -> dict[str, Entity]:
        """Those of the keys that are mentioned anywhere."""
        ...

    def mentions(self, keys: Iterable[tuple[str, str]], most: int = 2000) -> list[Mention]:
        """The mentions of (key, recording id), of all recordings where that is empty; at most so many of each
        key, spread evenly over the passages."""
        ...

    def mentioned(self, places: Iterable[Place]) -> list[Mention]:
        """What these passages mention."""
        ...

    def names_in(self, places: Iterable[Place], widest: int) -> list[NameAt]:
        """The names, not phrases, in these passages that two or more, and at most `widest`, passages have."""
        ...

    def names_of(self, keys: Iterable[str], widest: int) -> list[NameAt]:
        """Where names of these keys stand that at most `widest` passages have."""
        ...

    def relations(self, keys: Iterable[str]) -> list[Relation]:
        """The relations that entities of these keys are stated to have, in either direction."""
        ...

    def aliases(self, keys: Iterable[str] = (), recordings: Iterable[str] = ()) -> list[Alias]:
        """Aliases that have one of the keys on either side, all where none is named, and that are made by
        hand or told by one of the recordings, by any where none is named. Those made by hand come last, in
        the order in which they were made."""
        ...

    def aliases_at(self, pairs: Iterable[tuple[str, str]]) -> list[Alias]:
        """Aliases by (key of the alias, recording id) that the recording tells, and those made by hand of
        these keys, in the order of `aliases`."""
        ...

    def named(self, word: str, most: int = 50) -> list[Entity]:
        """Names that have a word, as keys have it; phrases are not looked through. Most passages first."""
        ...

    def beginning(self, letters: str, most: int = 20_000) -> list[str]:
        """Keys that begin with these letters, and names that have a word which does."""
        ...

    def widest(self, across: int, most: int) -> list[Entity]:
        """Entities named in at least so many recordings: those of most recordings first, then of most
        passages."""
        ...

    def knowledge(self, recording: str) -> Knowledge | None:
        """All that a recording adds; None where its knowledge is not there."""
        ...

    def learnt(self, capitals: bool | None = None) -> dict[str, bool]:
        """Ids of the recordings whose knowledge is there, be it empty, and whether their capitals tell
        names; with `capitals` only of those that do, or do not."""
        ...


class GraphStore(GraphReader, Protocol):
    """The graph of one workspace, to read and to write. What a recording adds comes and goes with it, in one
    step: see `Store.add`."""

    def learn(self, recording: str, knowledge: Knowledge) -> None:
        """Put what a recording adds in place of what it added before. Raises NotFoundError."""
        ...

    def name(self, alias: Alias) -> None:
        """Add an alias that was made by hand. None is ever taken away: a later one of the same two counts."""
        ...


def entity_of(key: str, forms: Sequence[Form], passages: int, recordings: int) -> Entity:
    """An entity as it is shown: by its surest and most frequent name, of the kind that most of its surest
    mentions have."""
    best = min(forms, key=lambda form: (RULES.index(form.rule), -form.passages, form.name))
    kinds: dict[str, tuple[int, int]] = {}
    for form in forms:
        rank, count = kinds.get(form.kind, (len(RULES), 0))
        kinds[form.kind] = min(rank, RULES.index(form.rule)), count + form.passages
    kinds_known = {kind: rank_count for kind, rank_count in kinds.items() if kind != "name"} or kinds
    kind = min(kinds_known, key=lambda name: (kinds_known[name][0], -kinds_known[name][1], name))
    return Entity(key, best.name, kind, passages, recordings)


def relation_order(r: Relation) -> tuple[str, int, int, int, str, str, str]:
    """By which lists of relations are sorted."""
    return r.recording, r.position, r.begin, r.end, r.subject, r.object, r.relation


def spread(some: Sequence[T], most: int) -> Sequence[T]:
    """At most so many of some, evenly."""
    if len(some) <= most:
        return some
    return [some[at * len(some) // most] for at in range(most)]


def effective_aliases(aliases: Iterable[Alias]) -> Mapping[tuple[str, str, str], Alias]:
    """Aliases that hold, by alias, entity and recording: what was last made by hand decides."""
    by_hand = {(each.alias, each.entity): each for each in aliases if not each.recording}
    by_recording = {
        (each.alias, each.entity, each.recording): each
        for each in aliases
        if each.recording and (each.alias, each.entity) not in by_hand
    }
    in_force = {(*pair, ""): each for pair, each in by_hand.items() if each.score > 0}
    return {**by_recording, **in_force}
