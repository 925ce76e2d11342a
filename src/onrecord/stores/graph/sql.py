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
from onrecord.stores.database import AT_ONCE, Connection, rows_among
from onrecord.stores.graph.base import GraphSnapshot, Place, entity_of, relation_order, spread
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
_ORDER = itemgetter(1, 2, 3, 4, 0, 7)
"""The sort key of mentions: recording, position, begin, end, entity, rule."""
_DRAWN = 1000
"""Number of hash values; a sample takes those below a limit."""
_RECORDINGS, _RECURS = 250, 4
"""Number of recordings from which mentions are sampled, and the passages per recording above which they are.
"""


class SqlGraphSnapshot:
    """A snapshot of the tables of `onrecord.stores.graph.tables` within a transaction that the caller holds.

    `keys` are the first and the last keys of the workspace's recordings: a server reads only its partition.
    """

    def __init__(self, workspace: int, connection: Connection, keys: tuple[int, int]) -> None:
        self._workspace, self._connection, self._span = workspace, connection, keys
        self._ids: dict[int, str] = {}
        self._forms: dict[int, tuple[str, str, str]] = {}
        """Name, kind and rule of forms, by the forms' numbers."""
        self._keys: dict[int, str] = {}
        """Keys of entities, by the entities' numbers."""
        self._speakers: dict[int, dict[int | None, str]] = {}
        """Names of speakers, by the numbers of recordings and of labels."""

    def entities(self, keys: Iterable[str]) -> dict[str, Entity]:
        sql = (
            "SELECT e.key, e.passages, e.recordings, f.name, f.kind, f.rule, f.passages FROM graph_entities e"
            " JOIN graph_forms f ON f.entity = e.id WHERE e.workspace = ? AND e.key IN ({})"
        )
        forms: defaultdict[str, list[EntityName]] = defaultdict(list)
        counts: dict[str, tuple[int, int]] = {}
        rows = rows_among(self._connection, sql, list(dict.fromkeys(keys)), self._workspace)
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
            share = min(_DRAWN, round(_DRAWN * 1.5 * most * recordings / (passages * drawn)))
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
        rows = list(rows)
        ids = self._ids_of(row[1] for row in rows)
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
        ids = self._ids_of(row[4] for row in rows.values())
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
        sql = (
            "SELECT recording, alias, entity, score, reason FROM pairs"
            " JOIN graph_aliases ON recording = a AND alias = b"
        )
        rows = self._joined(sql, [(numbers[name], key) for key, name in distinct if name in numbers])
        keys = {key for key, _ in distinct}
        return [*self._as_aliases(rows), *(alias for alias in self._aliases_by_hand if alias.alias in keys)]

    @cached_property
    def _aliases_by_hand(self) -> list[Alias]:
        sql = (
            "SELECT alias, entity, score, reason FROM graph_aliases"
            " WHERE recording IS NULL AND +workspace = ? ORDER BY id"  # "+": use the index of recordings
        )
        return [Alias(*row) for row in self._connection.execute(sql, (self._workspace,))]

    def _as_aliases(self, rows: Iterable[Sequence[Any]]) -> list[Alias]:
        """Return the aliases of recordings from rows: recording's number, alias, entity, score, reason."""
        rows = list(rows)
        ids = self._ids_of(row[0] for row in rows)
        aliases = (Alias(alias, entity, score, reason, ids[at]) for at, alias, entity, score, reason in rows)
        return sorted(aliases, key=lambda a: (a.recording, a.alias, a.entity))

    def named(self, word: str, most: int = 50) -> list[Entity]:
        sql = (
            "SELECT e.key FROM graph_words w JOIN graph_entities e ON e.id = w.entity"
            " WHERE w.workspace = ? AND w.word = ? ORDER BY e.passages DESC, e.key LIMIT ?"
        )
        keys = [row[0] for row in self._connection.execute(sql, (self._workspace, word, most))]
        entities = self.entities(keys)
        return [entities[key] for key in keys]

    def beginning(self, letters: str, most: int = 20_000) -> list[str]:
        after = letters[:-1] + chr(ord(letters[-1]) + 1)
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

    # ---- conversion of numbers in the tables to ids and names

    def _ids_of(self, numbers: Iterable[int]) -> Mapping[int, str]:
        """Return ids of recordings by their numbers. The result may contain more numbers."""
        unknown = sorted(set(numbers) - self._ids.keys())
        sql = "SELECT key, id FROM recordings WHERE key IN ({})"
        self._ids.update((row[0], row[1]) for row in rows_among(self._connection, sql, unknown))
        return self._ids

    def _numbers_of(self, ids: Iterable[str]) -> dict[str, int]:
        """Return numbers of the workspace's recordings by their ids; unknown ids are left out."""
        sql = "SELECT id, key FROM recordings WHERE workspace = ? AND id IN ({})"
        rows = rows_among(self._connection, sql, sorted(set(ids)), self._workspace)
        return {row[0]: row[1] for row in rows}

    def _as_mentions(self, rows: Iterable[Sequence[Any]]) -> list[Mention]:
        """Return the mentions of these rows, sorted."""
        rows = list(rows)
        keys, forms, speakers = self._keys, self._forms, self._speakers
        sql = (
            "SELECT f.id, f.name, f.kind, f.rule, e.id, e.key FROM graph_forms f"
            " JOIN graph_entities e ON e.id = f.entity WHERE f.id IN ({})"
        )
        unread = sorted({row[4] for row in rows} - forms.keys())
        for number, name, kind, rule, entity, key in rows_among(self._connection, sql, unread):
            forms[number] = (name, kind, rule)
            keys[entity] = key
        recordings = {row[0] for row in rows}
        ids = self._ids_of(recordings)
        unread = sorted(recordings - speakers.keys())
        speakers |= {recording: {} for recording in unread}
        sql = "SELECT recording, number, name FROM labels WHERE kind = 'speaker' AND recording IN ({})"
        for recording, number, name in rows_among(self._connection, sql, unread):
            speakers[recording][number] = name
        make = Mention._make  # faster than a call with arguments
        mentions = [
            make((keys[entity], ids[recording], *place, *forms[form], speakers[recording].get(voice)))
            for recording, *place, form, voice, entity in rows
        ]
        mentions.sort(key=_ORDER)
        return mentions


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
