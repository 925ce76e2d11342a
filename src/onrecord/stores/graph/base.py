"""The interface of a store of the knowledge graph: it stores what recordings add, and counts it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from onrecord.types.graph import RULES, Alias, Entity, EntityName, Knowledge, Mention, NameAt, Relation

T = TypeVar("T")
Place = tuple[str, int]
"""A passage: the id of its recording, its position."""


class GraphReader(Protocol):
    """Read access to the graph of one workspace. Lists are sorted by recording, position, character."""

    def entities(self, keys: Iterable[str]) -> dict[str, Entity]:
        """The entities with these keys; a key that nothing mentions is left out."""
        ...

    def mentions(self, keys: Iterable[tuple[str, str]], most: int = 2000) -> list[Mention]:
        """The mentions of keys in recordings: (key, recording id), or (key, "") for all recordings.

        At most `most` of each key, spread evenly over the passages.
        """
        ...

    def mentioned(self, places: Iterable[Place]) -> list[Mention]:
        """The mentions in these passages."""
        ...

    def names_in(self, places: Iterable[Place], widest: int) -> list[NameAt]:
        """The names in these passages that 2 to `widest` passages of the workspace have; no phrases."""
        ...

    def names_of(self, keys: Iterable[str], widest: int) -> list[NameAt]:
        """The passages that name these keys; keys that more than `widest` passages name are left out."""
        ...

    def relations(self, keys: Iterable[str]) -> list[Relation]:
        """The relations with one of these keys as subject or object."""
        ...

    def aliases(self, keys: Iterable[str] = (), recordings: Iterable[str] = ()) -> list[Alias]:
        """Aliases with one of the keys as alias or entity (no keys: all).

        Those of the `recordings` (none: of all) come first, then all made by hand, in the order in which they
        were made.
        """
        ...

    def aliases_at(self, pairs: Iterable[tuple[str, str]]) -> list[Alias]:
        """The aliases of (key of the alias, recording id), and those of these keys that were made by hand, in
        the order of `aliases`."""
        ...

    def named(self, word: str, most: int = 50) -> list[Entity]:
        """The names that contain a word, which is spelt as in keys; most passages first. Not phrases."""
        ...

    def beginning(self, letters: str, most: int = 20_000) -> list[str]:
        """The keys that begin with these letters, and the names with a word that does."""
        ...

    def widest(self, across: int, most: int) -> list[Entity]:
        """The entities in at least `across` recordings: most recordings first, then most passages."""
        ...

    def knowledge(self, recording: str) -> Knowledge | None:
        """All that a recording adds; None if nobody has extracted it."""
        ...

    def learnt(self, capitals: bool | None = None) -> dict[str, bool]:
        """By recording id, whether its capitals mark names, for recordings whose knowledge was extracted.

        With `capitals`, only the recordings of which this is so (True) or is not (False).
        """
        ...


class GraphStore(GraphReader, Protocol):
    """Read and write access to the graph of one workspace.

    What a recording adds is added and removed with it, in one step: see `Store.add`.
    """

    def learn(self, recording: str, knowledge: Knowledge) -> None:
        """Replace what a recording adds. Raises NotFoundError."""
        ...

    def name(self, alias: Alias) -> None:
        """Add an alias that was made by hand. None is removed: of two with the same keys the later counts."""
        ...


def entity_of(key: str, forms: Sequence[EntityName], passages: int, recordings: int) -> Entity:
    """An entity with its surest and most frequent name, and the kind of most of its surest mentions."""
    best = min(forms, key=lambda form: (RULES.index(form.rule), -form.passages, form.name))
    kinds: dict[str, tuple[int, int]] = {}
    for form in forms:
        rank, count = kinds.get(form.kind, (len(RULES), 0))
        kinds[form.kind] = min(rank, RULES.index(form.rule)), count + form.passages
    kinds_known = {kind: rank_count for kind, rank_count in kinds.items() if kind != "name"} or kinds
    kind = min(kinds_known, key=lambda name: (kinds_known[name][0], -kinds_known[name][1], name))
    return Entity(key, best.name, kind, passages, recordings)


def relation_order(r: Relation) -> tuple[str, int, int, int, str, str, str]:
    """The sort key of relations."""
    return r.recording, r.position, r.begin, r.end, r.subject, r.object, r.relation


def spread(values: Sequence[T], most: int) -> Sequence[T]:
    """At most `most` of the values, evenly spaced."""
    if len(values) <= most:
        return values
    return [values[at * len(values) // most] for at in range(most)]


def effective_aliases(aliases: Iterable[Alias]) -> Mapping[tuple[str, str, str], Alias]:
    """The aliases in force, by alias, entity and recording. The last one made by hand decides."""
    by_hand = {(each.alias, each.entity): each for each in aliases if not each.recording}
    by_recording = {
        (each.alias, each.entity, each.recording): each
        for each in aliases
        if each.recording and (each.alias, each.entity) not in by_hand
    }
    in_force = {(*pair, ""): each for pair, each in by_hand.items() if each.score > 0}
    return {**by_recording, **in_force}
