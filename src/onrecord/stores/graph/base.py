"""The interface of a store of the knowledge graph: it stores and counts what recordings add."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from onrecord.types.graph import RULES, Alias, Entity, EntityName, Knowledge, Mention, NameAt, Relation

T = TypeVar("T")
Place = tuple[str, int]
"""A passage: the id of its recording, and its position."""
_OFTEN = 0.25
"""Lowest ratio of a form with a capital to all phrases without, for it to be the name."""


class GraphSnapshot(Protocol):
    """Read access to the graph of one workspace. Lists are sorted by recording, position, character."""

    def entities(self, keys: Iterable[str]) -> dict[str, Entity]:
        """Return the entities with these keys; a key without mentions is left out."""
        ...

    def mentions(self, keys: Iterable[tuple[str, str]], most: int = 2000) -> list[Mention]:
        """Return the mentions of keys in recordings.

        A pair is (key, recording id), or (key, "") for all recordings. At most `most` mentions of each pair
        are returned, spread evenly over the passages.
        """
        ...

    def mentioned(self, places: Iterable[Place]) -> list[Mention]:
        """Return the mentions in these passages."""
        ...

    def shared(self, keys: Iterable[str], others: Iterable[str], most: int) -> list[Place]:
        """Return at most `most` passages that mention one of the keys and one of the others, sorted.

        If there are more, they are a sample.
        """
        ...

    def names_in(self, places: Iterable[Place], widest: int) -> list[NameAt]:
        """Return the names in these passages that occur in 2 to `widest` passages of the workspace.

        Phrases are left out.
        """
        ...

    def names_of(self, keys: Iterable[str], widest: int) -> list[NameAt]:
        """Return the passages that name these keys, except keys named by more than `widest` passages."""
        ...

    def relations(self, keys: Iterable[str]) -> list[Relation]:
        """Return the relations with one of these keys as subject or object."""
        ...

    def aliases(self, keys: Iterable[str] = (), recordings: Iterable[str] = ()) -> list[Alias]:
        """Return the aliases with one of the keys as alias or entity (no keys: all).

        Aliases from `recordings` (none: from all recordings) come first. All aliases made by hand follow, in
        the order in which they were made.
        """
        ...

    def aliases_at(self, pairs: Iterable[tuple[str, str]]) -> list[Alias]:
        """Return the aliases of pairs (key of the alias, recording id), and those of these keys made by hand.

        The order is that of `aliases`.
        """
        ...

    def named(self, word: str, most: int = 50) -> list[Entity]:
        """Return the entities with a word in their key, most passages first. Phrases are left out.

        The word must be folded as in keys.
        """
        ...

    def beginning(self, letters: str, most: int = 20_000) -> list[str]:
        """Return the keys that begin with these letters, and the keys of names with a word that does."""
        ...

    def widest(self, across: int, most: int) -> list[Entity]:
        """Return the entities in at least `across` recordings: most recordings first, then most passages."""
        ...

    def knowledge(self, recording: str) -> Knowledge | None:
        """Return everything that a recording adds; None if nobody has extracted it."""
        ...

    def learnt(self, capitals: bool | None = None) -> dict[str, bool]:
        """Return, by id, whether a recording's capitals mark names, for recordings with extracted knowledge.

        With `capitals`, only the recordings with this value.
        """
        ...


class GraphStore(GraphSnapshot, Protocol):
    """Read and write access to the graph of one workspace.

    The knowledge of a recording is added and removed with the recording, in one transaction: see `Store.add`.
    """

    def learn(self, recording: str, knowledge: Knowledge) -> None:
        """Replace what a recording adds. Raise NotFoundError."""
        ...

    def name(self, alias: Alias) -> None:
        """Add an alias made by hand.

        Aliases made by hand are never removed: of two with the same keys, the later one counts.
        """
        ...


def entity_of(key: str, forms: Sequence[EntityName], passages: int, recordings: int) -> Entity:
    """Return an entity, with its name and kind chosen from its forms.

    The name is the form with the surest rule, then with the most passages. A form with a capital that is rare
    among phrases is not surer than they are: "States", where most write "state". The kind is that of the
    mentions with the surest rule, then of most passages; the kind "name" is chosen only if there is no other.
    """
    rare = _OFTEN * sum(form.passages for form in forms if form.rule == "phrase")
    best = min(
        forms,
        key=lambda form: (
            RULES.index("phrase" if form.rule == "name" and form.passages < rare else form.rule),
            -form.passages,
            form.name,
        ),
    )
    kinds: dict[str, tuple[int, int]] = {}
    for form in forms:
        rank, count = kinds.get(form.kind, (len(RULES), 0))
        kinds[form.kind] = min(rank, RULES.index(form.rule)), count + form.passages
    kinds_known = {kind: rank_count for kind, rank_count in kinds.items() if kind != "name"} or kinds
    kind = min(kinds_known, key=lambda name: (kinds_known[name][0], -kinds_known[name][1], name))
    return Entity(key, best.name, kind, passages, recordings)


def relation_order(r: Relation) -> tuple[str, int, int, int, str, str, str]:
    """Return the sort key of a relation."""
    return r.recording, r.position, r.begin, r.end, r.subject, r.object, r.relation


def alias_order(a: Alias) -> tuple[str, str, str]:
    """Return the sort key of an alias."""
    return a.recording, a.alias, a.entity


def spread(values: Sequence[T], most: int) -> Sequence[T]:
    """Return at most `most` of the values, evenly spaced."""
    if len(values) <= most:
        return values
    return [values[at * len(values) // most] for at in range(most)]


def effective_aliases(aliases: Sequence[Alias]) -> Mapping[tuple[str, str, str], Alias]:
    """Return the aliases in force, by alias, entity and recording.

    Of the entities for which an alias stands by hand, the last one counts, in place of what recordings say.
    """
    by_hand: dict[tuple[str, str], Alias] = {}
    for each in aliases:
        if not each.recording:
            by_hand.pop((each.alias, each.entity), None)  # the last action comes last
            by_hand[each.alias, each.entity] = each
    last = {each.alias: each for each in by_hand.values() if each.score > 0}
    by_recording = {
        (each.alias, each.entity, each.recording): each
        for each in aliases
        if each.recording and each.alias not in last and (each.alias, each.entity) not in by_hand
    }
    return {**by_recording, **{(alias, each.entity, ""): each for alias, each in last.items()}}
