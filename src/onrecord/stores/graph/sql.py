"""The graph of one workspace of an archive, in SQL tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from onrecord.errors import NotFoundError
from onrecord.stores.caches import Recent
from onrecord.stores.catalogue import Catalogue
from onrecord.stores.database import AT_ONCE, Connection, rows_among
from onrecord.stores.graph.base import GraphSnapshot, Place, alias_order, entity_of, relation_order, spread
from onrecord.stores.graph.tables import delete_knowledge, entity_numbers, insert_aliases, insert_knowledge
from onrecord.stores.reading import OfSnapshot
from onrecord.types.graph import Alias, Entity, EntityName, Knowledge, Mention, NameAt, Relation

if TYPE_CHECKING:
    from onrecord.stores.base import Snapshot

_NAMES = "SELECT e.key, m.recording, m.position, e.passages, min(m.begin)"
_OF_NAMES = (
    "JOIN graph_entities e ON e.id = m.entity JOIN graph_forms f ON f.id = m.form AND f.rule <> 'phrase'"
)
_RELATIONS = (
    'SELECT r.id, s.key, r.relation, o.key, r.recording, r.position, r.begin, r."end", l.name, r.rule'
    " FROM graph_relations r JOIN graph_entities s ON s.id = r.subject"
    " JOIN graph_entities o ON o.id = r.object LEFT JOIN labels l"
    " ON l.recording = r.recording AND l.kind = 'speaker' AND l.number = r.voice"
)
_OWN = "AND recording BETWEEN ? AND ?"
"""Restricts a query to the workspace, whose first and last keys are the values. A server reads one partition.
"""
_GROUPED = "GROUP BY e.key, m.recording, m.position, e.passages"

_COLUMNS = 'recording, position, begin, "end", form, voice, entity'
_MENTIONS = f"SELECT {_COLUMNS} FROM pairs JOIN graph_mentions"  # noqa: S608 - our own columns
_SHARED = (
    "SELECT DISTINCT a.recording, a.position FROM graph_mentions a CROSS JOIN graph_mentions b"
    " WHERE b.entity IN ({}) AND a.recording BETWEEN ? AND ? AND a.entity IN ({})"
    " AND b.recording = +a.recording AND b.position = a.position LIMIT 300"
)
"""Passages of two sets of entities. "CROSS JOIN" and "+" make SQLite look up the second set in passages of
the first, instead of reading all passages of both."""
_ORDER = itemgetter(1, 2, 3, 4, 0, 7)
"""The sort key of mentions: recording, position, begin, end, entity, rule."""
_DRAWN = 1000
"""Number of hash values; a sample takes those below a limit."""
_RECORDINGS, _RECURS = 250, 4
"""Number of recordings from which mentions are sampled, and the passages per recording above which they are.
"""
_ENTITIES, _FORMS = 50_000, 50_000
"""Entities, and spellings of their names, that the cache of one state holds at most."""
_LABELS = 50_000
"""Speakers and aliases of recordings that the cache of one state holds at most, each."""

Form = tuple[str, str, str, str]
"""A spelling of an entity's name: the entity's key, the name, its kind and its rule."""


class GraphCaches:
    """Caches of the graph in one generation of a workspace, whose content never changes."""

    def __init__(self) -> None:
        self.entities: Recent[str, Entity] = Recent(_ENTITIES, lambda _: 1)
        self.forms: Recent[int, Form] = Recent(_FORMS, lambda _: 1)
        """Spellings by their numbers."""
        self.speakers: Recent[int, Mapping[int | None, str]] = Recent(_LABELS, lambda names: 1 + len(names))
        """Names of speakers by the numbers of their labels, by the numbers of recordings."""
        self.aliases: Recent[int, Mapping[str, list[Alias]]] = Recent(_LABELS, lambda own: 1 + len(own))
        """Aliases by their keys, by the numbers of the recordings in which they hold."""


class SqlGraphSnapshot:
    """A snapshot of the tables of `onrecord.stores.graph.tables` within a transaction that the caller holds.

    `catalogue` and `caches` belong to the same generation of the workspace.
    """

    def __init__(
        self, workspace: int, connection: Connection, catalogue: Catalogue, caches: GraphCaches
    ) -> None:
        self._workspace, self._connection = workspace, connection
        self._catalogue, self._caches = catalogue, caches
        entries = catalogue.entries
        self._span = (entries[0].key, entries[-1].key) if entries else (0, 0)
        """The first and the last key of the workspace's recordings: a server reads only its partition."""

    def entities(self, keys: Iterable[str]) -> dict[str, Entity]:
        return self._caches.entities.get(list(dict.fromkeys(keys)), self._read_entities)

    def _read_entities(self, keys: Sequence[str]) -> dict[str, Entity]:
        sql = (
            "SELECT e.key, e.passages, e.recordings, f.name, f.kind, f.rule, f.passages FROM graph_entities e"
            " JOIN graph_forms f ON f.entity = e.id WHERE e.workspace = ? AND e.key IN ({})"
        )
        forms: defaultdict[str, list[EntityName]] = defaultdict(list)
        counts: dict[str, tuple[int, int]] = {}
        rows = rows_among(self._connection, sql, keys, self._workspace)
        for key, passages, recordings, *form in rows:
            forms[key].append(EntityName(key, *form))
            counts[key] = passages, recordings
        return {key: entity_of(key, some, *counts[key]) for key, some in forms.items()}

    def mentions(self, keys: Iterable[tuple[str, str]], most: int = 2000) -> list[Mention]:
        distinct = list(dict.fromkeys(keys))
        entities = entity_numbers(self._connection, self._workspace, (key for key, _ in distinct))
        numbers = self._numbers_of(recording for _, recording in distinct if recording)
        rows: set[tuple[Any, ...]] = set()
        for key in {key for key, recording in distinct if not recording and key in entities}:
            rows.update(self._rows_of(entities[key], most))
        pairs = [
            (entities[key], numbers[name]) for key, name in distinct if key in entities and name in numbers
        ]
        by_pair: defaultdict[tuple[int, int], list[tuple[Any, ...]]] = defaultdict(list)
        for row in self._joined(f"{_MENTIONS} ON entity = a AND recording = b", pairs):
            by_pair[row[6], row[0]].append(row)
        for mentions_of_pair in by_pair.values():
            rows.update(spread(sorted(mentions_of_pair), most))
        return self._as_mentions(rows)

    def _rows_of(self, entity: int, most: int) -> Sequence[tuple[Any, ...]]:
        """Return at most `most` mentions of an entity.

        If there are far more, the database samples them by hashes of recordings and positions, so that little
        has to be read.
        """
        counts = "SELECT passages, recordings FROM graph_entities WHERE id = ?"
        passages, recordings = self._connection.execute(counts, (entity,)).fetchone()
        drawn, part = recordings, ""
        values: tuple[int, ...] = ()
        if passages > 2 * most:
            drawn = min(_RECORDINGS, recordings) if passages > _RECURS * recordings else recordings
            share = max(1, min(_DRAWN, round(_DRAWN * 1.5 * most * recordings / (passages * drawn))))
            part, values = "AND (recording * 7919 + position * 104729) % ? < ?", (_DRAWN, share)
        if drawn < recordings:
            sql = "SELECT key FROM recordings WHERE workspace = ? AND key * 6007 % ? < ?"
            most_hashed = max(1, round(_DRAWN * (drawn / recordings)))
            some = self._connection.execute(sql, (self._workspace, _DRAWN, most_hashed))
            pairs = [(entity, number) for (number,) in some]
            rows = self._joined(f"{_MENTIONS} ON entity = a AND recording = b {part}", pairs, *values)
        else:
            sql = f"SELECT {_COLUMNS} FROM graph_mentions WHERE entity = ? {_OWN} {part}"  # noqa: S608 - ours
            rows = self._connection.execute(sql, (entity, *self._span, *values))
        return spread(sorted(rows), most)

    def mentioned(self, places: Iterable[Place]) -> list[Mention]:
        return self._as_mentions(
            self._joined(
                f"{_MENTIONS} ON recording = a AND position = b {_OWN}", self._places(places), *self._span
            )
        )

    def shared(self, keys: Iterable[str], others: Iterable[str], most: int) -> list[Place]:
        sides = [self.entities(side).values() for side in (keys, others)]
        rarer, commoner = sorted(sides, key=lambda side: sum(entity.passages for entity in side))
        numbers = entity_numbers(self._connection, self._workspace, (e.key for e in (*rarer, *commoner)))
        beside = [numbers[e.key] for e in sorted(commoner, key=lambda e: -e.passages)][:AT_ONCE]
        sql = _SHARED.format(", ".join("?" * len(beside)), "{}")
        rows = rows_among(self._connection, sql, [numbers[e.key] for e in rarer], *beside, *self._span)
        ids = self._catalogue.ids
        return list(spread(sorted({(ids[at], position) for at, position in rows}), most))

    def _places(self, places: Iterable[Place]) -> list[tuple[int, int]]:
        """Return places with the numbers of their recordings; places in unknown recordings are left out."""
        distinct = list(dict.fromkeys(places))
        numbers = self._numbers_of(name for name, _ in distinct)
        return [(numbers[name], at) for name, at in distinct if name in numbers]

    def _joined(
        self, sql: str, pairs: Sequence[tuple[object, object]], *values: object
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query that joins the table `pairs`, with the columns a and b.

        `values` are for the placeholders after that table.
        """
        batches = (pairs[at : at + AT_ONCE] for at in range(0, len(pairs), AT_ONCE))
        return chain.from_iterable(
            self._connection.execute(
                f"WITH pairs (a, b) AS (VALUES {', '.join(['(?, ?)'] * len(batch))}) {sql}",
                (*chain.from_iterable(batch), *values),
            )
            for batch in batches
        )

    def names_in(self, places: Iterable[Place], widest: int) -> list[NameAt]:
        sql = (
            f"{_NAMES} FROM pairs JOIN graph_mentions m ON m.recording = a AND m.position = b {_OWN}"
            f" {_OF_NAMES} WHERE e.passages BETWEEN 2 AND ? {_GROUPED}"
        )
        return self._as_names(self._joined(sql, self._places(places), *self._span, widest))

    def names_of(self, keys: Iterable[str], widest: int) -> list[NameAt]:
        sql = (
            f"{_NAMES} FROM graph_mentions m {_OF_NAMES} {_OWN}"
            f" WHERE e.workspace = ? AND e.passages <= ? AND e.key IN ({{}}) {_GROUPED}"
        )
        distinct = list(dict.fromkeys(keys))
        values = (*self._span, self._workspace, widest)
        return self._as_names(rows_among(self._connection, sql, distinct, *values))

    def _as_names(self, rows: Iterable[Sequence[Any]]) -> list[NameAt]:
        ids = self._catalogue.ids
        return sorted(NameAt(row[0], ids[row[1]], row[2], row[3], row[4] < 0) for row in rows)

    def relations(self, keys: Iterable[str]) -> list[Relation]:
        entities = list(entity_numbers(self._connection, self._workspace, keys).values())
        return self._relations(("subject", "object"), entities)

    def _relations(self, columns: Sequence[str], values: Sequence[int]) -> list[Relation]:
        """Return the relations that have one of the values in one of these columns of their table."""
        rows: dict[int, tuple[Any, ...]] = {}
        for column in columns:
            sql = f"{_RELATIONS} WHERE r.recording BETWEEN ? AND ? AND r.{column} IN ({{}})"
            rows |= {row[0]: row for row in rows_among(self._connection, sql, values, *self._span)}
        ids = self._catalogue.ids
        relations = (
            Relation(subject, relation, object_, ids[recording], position, begin, end, voice, rule)
            for _, subject, relation, object_, recording, position, begin, end, voice, rule in rows.values()
        )
        return sorted(relations, key=relation_order)

    def aliases(self, keys: Iterable[str] = (), recordings: Iterable[str] = ()) -> list[Alias]:
        sql = "SELECT id, recording, alias, entity, score, reason FROM graph_aliases WHERE workspace = ? AND "
        rows: dict[int, tuple[int | None, str, str, float, str]] = {}
        distinct, named = list(dict.fromkeys(keys)), list(dict.fromkeys(recordings))
        within = set(self._numbers_of(named).values())
        columns = ("alias", "entity") if distinct else ("recording",)
        for column in columns:
            among = f"{sql}{column} IN ({{}})"
            for row in rows_among(self._connection, among, distinct or sorted(within), self._workspace):
                if not named or row[1] is None or row[1] in within:
                    rows[row[0]] = tuple(row)[1:]
        if not distinct:
            by_hand = self._connection.execute(f"{sql}recording IS NULL", (self._workspace,))
            rows |= {row[0]: tuple(row)[1:] for row in by_hand}
        by_hand = [Alias(*rows[number][1:]) for number in sorted(rows) if rows[number][0] is None]
        return [*self._as_aliases(row for row in rows.values() if row[0] is not None), *by_hand]

    def aliases_at(self, pairs: Iterable[tuple[str, str]]) -> list[Alias]:
        distinct = list(dict.fromkeys(pairs))
        numbers = self._numbers_of(name for _, name in distinct)
        of_recordings = self._caches.aliases.get(list(numbers.values()), self._read_aliases)
        own = (
            alias
            for key, name in distinct
            if name in numbers
            for alias in of_recordings[numbers[name]].get(key, ())
        )
        keys = {key for key, _ in distinct}
        by_hand = [alias for alias in self._aliases_by_hand if alias.alias in keys]
        return [*sorted(own, key=alias_order), *by_hand]

    def _read_aliases(self, recordings: Sequence[int]) -> dict[int, Mapping[str, list[Alias]]]:
        """Return the aliases of recordings by their keys, by the numbers of the recordings."""
        sql = "SELECT recording, alias, entity, score, reason FROM graph_aliases WHERE recording IN ({})"
        aliases: dict[int, defaultdict[str, list[Alias]]] = {at: defaultdict(list) for at in recordings}
        ids = self._catalogue.ids
        for at, alias, entity, score, reason in rows_among(self._connection, sql, recordings):
            aliases[at][alias].append(Alias(alias, entity, score, reason, ids[at]))
        return dict(aliases)

    @cached_property
    def _aliases_by_hand(self) -> list[Alias]:
        sql = (
            "SELECT alias, entity, score, reason FROM graph_aliases"
            " WHERE recording IS NULL AND +workspace = ? ORDER BY id"  # "+": use the index of recordings
        )
        return [Alias(*row) for row in self._connection.execute(sql, (self._workspace,))]

    def _as_aliases(self, rows: Iterable[Sequence[Any]]) -> list[Alias]:
        """Return the aliases of recordings from rows: recording's number, alias, entity, score, reason."""
        ids = self._catalogue.ids
        aliases = (Alias(alias, entity, score, reason, ids[at]) for at, alias, entity, score, reason in rows)
        return sorted(aliases, key=alias_order)

    def named(self, word: str, most: int = 50) -> list[Entity]:
        sql = (
            "SELECT e.key FROM graph_words w JOIN graph_entities e ON e.id = w.entity"
            " WHERE w.workspace = ? AND w.word = ? ORDER BY e.passages DESC, e.key LIMIT ?"
        )
        keys = [row[0] for row in self._connection.execute(sql, (self._workspace, word, most))]
        entities = self.entities(keys)
        return [entities[key] for key in keys]

    def beginning(self, letters: str, most: int = 20_000) -> list[str]:
        after = letters + "\U0010ffff"
        sql = (
            "SELECT key FROM graph_entities WHERE workspace = ? AND key >= ? AND key < ? UNION"
            " SELECT e.key FROM graph_words w JOIN graph_entities e ON e.id = w.entity"
            " WHERE w.workspace = ? AND w.word >= ? AND w.word < ? ORDER BY 1 LIMIT ?"
        )
        values = (*(self._workspace, letters, after) * 2, most)
        return [row[0] for row in self._connection.execute(sql, values)]

    def widest(self, across: int, most: int) -> list[Entity]:
        sql = (
            "SELECT key FROM graph_entities WHERE workspace = ? AND recordings >= ?"
            " ORDER BY recordings DESC, passages DESC, key LIMIT ?"
        )
        keys = [row[0] for row in self._connection.execute(sql, (self._workspace, across, most))]
        entities = self.entities(keys)
        return [entities[key] for key in keys]

    def knowledge(self, recording: str) -> Knowledge | None:
        number = self._numbers_of([recording]).get(recording)
        row = self._connection.execute(
            "SELECT capitals FROM graph_recordings WHERE recording = ?", (number,)
        ).fetchone()
        if number is None or row is None:
            return None
        sql = f"SELECT {_COLUMNS} FROM graph_mentions WHERE recording = ?"  # noqa: S608 - our own columns
        aliases = [alias for alias in self.aliases(recordings=[recording]) if alias.recording]
        read = self._connection.execute(
            "SELECT position FROM graph_readings WHERE recording = ? ORDER BY position", (number,)
        )
        return Knowledge(
            tuple(self._as_mentions(self._connection.execute(sql, (number,)))),
            tuple(self._relations(["recording"], [number])),
            tuple(aliases),
            bool(row[0]),
            tuple(position for (position,) in read),
        )

    def learnt(self, capitals: bool | None = None) -> dict[str, bool]:
        sql = (
            "SELECT r.id, g.capitals FROM graph_recordings g JOIN recordings r ON r.key = g.recording"
            " WHERE r.workspace = ?"
        )
        values: tuple[int, ...] = (self._workspace,)
        if capitals is not None:
            sql, values = f"{sql} AND g.capitals = ?", (self._workspace, int(capitals))
        return {row[0]: bool(row[1]) for row in self._connection.execute(sql, values)}

    # ---- conversion of numbers in the tables to names

    def _numbers_of(self, ids: Iterable[str]) -> dict[str, int]:
        """Return numbers of the workspace's recordings by their ids; unknown ids are left out."""
        entries = map(self._catalogue.entry, dict.fromkeys(ids))
        return {entry.recording.id: entry.key for entry in entries if entry}

    def _as_mentions(self, rows: Iterable[Sequence[Any]]) -> list[Mention]:
        """Return the mentions of these rows, sorted."""
        rows = list(rows)
        ids = self._catalogue.ids
        forms = self._caches.forms.get(list({row[4] for row in rows}), self._read_forms)
        speakers = self._caches.speakers.get(list({row[0] for row in rows}), self._read_speakers)
        mentions = [
            Mention(key, ids[at], position, begin, end, name, kind, rule, speakers[at].get(voice))
            for at, position, begin, end, form, voice, _ in rows
            for key, name, kind, rule in (forms[form],)
        ]
        mentions.sort(key=_ORDER)
        return mentions

    def _read_forms(self, numbers: Sequence[int]) -> dict[int, Form]:
        sql = (
            "SELECT f.id, e.key, f.name, f.kind, f.rule FROM graph_forms f"
            " JOIN graph_entities e ON e.id = f.entity WHERE f.id IN ({})"
        )
        rows = rows_among(self._connection, sql, numbers)
        return {number: (key, name, kind, rule) for number, key, name, kind, rule in rows}

    def _read_speakers(self, recordings: Sequence[int]) -> dict[int, Mapping[int | None, str]]:
        sql = "SELECT recording, number, name FROM labels WHERE kind = 'speaker' AND recording IN ({})"
        names: dict[int, dict[int | None, str]] = {recording: {} for recording in recordings}
        for recording, number, name in rows_among(self._connection, sql, recordings):
            names[recording][number] = name
        return dict(names)


class SqlGraph:
    """The graph of one workspace of an archive, for reading and writing: see `GraphStore`.

    `reading` opens its current state, `writing` a transaction: the connection, the workspace's number and its
    generation.
    """

    def __init__(
        self,
        reading: Callable[[], AbstractContextManager[Snapshot]],
        writing: Callable[[str], AbstractContextManager[tuple[Connection, int, int]]],
    ) -> None:
        self._reading, self._writing = reading, writing

    @contextmanager
    def snapshot(self) -> Iterator[GraphSnapshot]:
        """Open a snapshot of the current state."""
        with self._reading() as now:
            yield now.graph

    def learn(self, recording: str, knowledge: Knowledge) -> None:
        with self._writing(f"put the graph of {recording!r} in") as (connection, workspace, _):
            sql = "SELECT key FROM recordings WHERE workspace = ? AND id = ?"
            row = connection.execute(sql, (workspace, recording)).fetchone()
            if row is None:
                raise NotFoundError(f"there is no recording {recording!r}")
            delete_knowledge(connection, row[0])
            insert_knowledge(connection, workspace, row[0], knowledge)

    def name(self, alias: Alias) -> None:
        with self._writing("put an alias in") as (connection, workspace, _):
            insert_aliases(connection, workspace, None, [alias])

    entities = OfSnapshot()
    mentions = OfSnapshot()
    mentioned = OfSnapshot()
    shared = OfSnapshot()
    names_in = OfSnapshot()
    names_of = OfSnapshot()
    relations = OfSnapshot()
    aliases = OfSnapshot()
    aliases_at = OfSnapshot()
    named = OfSnapshot()
    beginning = OfSnapshot()
    widest = OfSnapshot()
    knowledge = OfSnapshot()
    learnt = OfSnapshot()
