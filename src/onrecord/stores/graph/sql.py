"""The graph of one workspace of an archive, as it is in one transaction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from typing import Any, Protocol

from onrecord.errors import NotFoundError
from onrecord.stores.database import Connection
from onrecord.stores.graph.base import GraphReader, Place, entity_of, relation_order, spread
from onrecord.stores.graph.tables import (
    asked,
    chunks,
    delete_knowledge,
    insert_aliases,
    insert_knowledge,
    numbers,
)
from onrecord.types.graph import Alias, Entity, Form, Knowledge, Mention, NameAt, Relation

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
_GROUPED = "GROUP BY e.key, m.recording, m.position, e.passages"

_Row = tuple[str, int, int, int, int, int | None, int, int]
"""Id of the recording, position, begin, end, form, voice, entity, number of the recording."""


class SqlGraphReader:
    """Reads the tables of `onrecord.stores.graph.tables` within a transaction that the caller holds."""

    def __init__(self, workspace: int, connection: Connection) -> None:
        self._workspace, self._connection = workspace, connection
        self._forms: dict[int, tuple[str, str, str]] = {}
        self._keys: dict[int, str] = {}

    def entities(self, keys: Iterable[str]) -> dict[str, Entity]:
        sql = (
            "SELECT e.key, e.passages, e.recordings, f.name, f.kind, f.rule, f.passages FROM graph_entities e"
            " JOIN graph_forms f ON f.entity = e.id WHERE e.workspace = ? AND e.key IN ({})"
        )
        forms: defaultdict[str, list[Form]] = defaultdict(list)
        counts: dict[str, tuple[int, int]] = {}
        for some in chunks(list(dict.fromkeys(keys))):
            for key, passages, recordings, *form in asked(self._connection, sql, some, self._workspace):
                forms[key].append(Form(key, *form))
                counts[key] = passages, recordings
        return {key: entity_of(key, some, *counts[key]) for key, some in forms.items()}

    def mentions(self, keys: Iterable[tuple[str, str]], most: int = 2000) -> list[Mention]:
        wanted = list(dict.fromkeys(keys))
        known = numbers(self._connection, self._workspace, (key for key, _ in wanted))
        found: dict[_Row, None] = {}
        for key, recording in wanted:
            if key in known and (not recording or recording in self._numbers):
                rows = self._rows_of(known[key], self._numbers[recording] if recording else None)
                found |= dict.fromkeys(spread(sorted(rows, key=_order), most))
        return self._made(sorted(found, key=_order))

    def _rows_of(self, entity: int, recording: int | None) -> list[_Row]:
        sql = 'SELECT recording, position, begin, "end", form, voice FROM graph_mentions WHERE entity = ?'
        values: tuple[int, ...] = (entity,)
        if recording is not None:
            sql, values = f"{sql} AND recording = ?", (entity, recording)
        ids = self._ids
        return [(ids[row[0]], *row[1:], entity, row[0]) for row in self._connection.execute(sql, values)]

    def mentioned(self, places: Iterable[Place]) -> list[Mention]:
        held = [(self._numbers[name], at) for name, at in dict.fromkeys(places) if name in self._numbers]
        ids, found = self._ids, []
        for some in chunks(held):
            sql = (
                f"WITH places (r, p) AS (VALUES {', '.join(['(?, ?)'] * len(some))})"  # noqa: S608 - marks only
                ' SELECT recording, position, begin, "end", form, voice, entity FROM places'
                " JOIN graph_mentions ON recording = r AND position = p"
            )
            values = [value for place in some for value in place]  # type: ignore[attr-defined]
            found += [(ids[row[0]], *row[1:], row[0]) for row in self._connection.execute(sql, values)]
        return self._made(sorted(found, key=_order))

    def names_in(self, places: Iterable[Place], widest: int) -> list[NameAt]:
        held = [(self._numbers[name], at) for name, at in dict.fromkeys(places) if name in self._numbers]
        found: list[NameAt] = []
        for some in chunks(held):
            marks = ", ".join(["(?, ?)"] * len(some))
            sql = (
                f"WITH places (r, p) AS (VALUES {marks}) {_NAMES} FROM places"
                " JOIN graph_mentions m ON m.recording = r AND m.position = p"
                f" {_OF_NAMES} WHERE e.passages BETWEEN 2 AND ? {_GROUPED}"
            )
            values = [value for place in some for value in place]  # type: ignore[attr-defined]
            found += self._named(self._connection.execute(sql, (*values, widest)))
        return sorted(found)

    def names_of(self, keys: Iterable[str], widest: int) -> list[NameAt]:
        sql = (
            f"{_NAMES} FROM graph_mentions m {_OF_NAMES}"
            f" WHERE e.workspace = ? AND e.passages <= ? AND e.key IN ({{}}) {_GROUPED}"
        )
        found: list[NameAt] = []
        for some in chunks(list(dict.fromkeys(keys))):
            found += self._named(asked(self._connection, sql, some, self._workspace, widest))
        return sorted(found)

    def _named(self, rows: Iterable[Sequence[Any]]) -> Iterator[NameAt]:
        ids = self._ids
        return (NameAt(row[0], ids[row[1]], row[2], row[3], row[4] < 0) for row in rows)

    def relations(self, keys: Iterable[str]) -> list[Relation]:
        known = list(numbers(self._connection, self._workspace, keys).values())
        rows = {row[0]: row for column in ("subject", "object") for row in self._relation_rows(column, known)}
        return self._as_relations(rows.values())

    def _relation_rows(self, column: str, values: Sequence[int]) -> Iterator[Sequence[Any]]:
        """Rows of the relations that have one of the values in a column of their table."""
        sql = f"{_RELATIONS} WHERE r.{column} IN ({{}})"
        return (row for some in chunks(values) for row in asked(self._connection, sql, some))

    def _as_relations(self, rows: Iterable[Sequence[Any]]) -> list[Relation]:
        ids = self._ids
        found = (
            Relation(subject, relation, object_, ids[recording], position, begin, end, voice, rule)
            for _, subject, relation, object_, recording, position, begin, end, voice, rule in rows
        )
        return sorted(found, key=relation_order)

    def aliases(self, keys: Iterable[str] = (), recordings: Iterable[str] = ()) -> list[Alias]:
        sql = "SELECT id, recording, alias, entity, score, reason FROM graph_aliases WHERE workspace = ? AND "
        rows: dict[int, tuple[int | None, str, str, float, str]] = {}
        wanted, named = list(dict.fromkeys(keys)), list(dict.fromkeys(recordings))
        within = {self._numbers[name] for name in named if name in self._numbers}
        columns = ("alias", "entity") if wanted else ("recording",)
        for column in columns:
            for some in chunks(wanted or sorted(within)):
                for row in asked(self._connection, f"{sql}{column} IN ({{}})", some, self._workspace):
                    if not named or row[1] is None or row[1] in within:
                        rows[row[0]] = tuple(row)[1:]
        if not wanted:
            by_hand = self._connection.execute(f"{sql}recording IS NULL", (self._workspace,))
            rows |= {row[0]: tuple(row)[1:] for row in by_hand}
        told = [Alias(*row[1:], self._ids[row[0]]) for row in rows.values() if row[0] is not None]
        by_hand = [Alias(*rows[number][1:]) for number in sorted(rows) if rows[number][0] is None]
        return [*sorted(told, key=lambda a: (a.recording, a.alias, a.entity)), *by_hand]

    def named(self, word: str, most: int = 50) -> list[Entity]:
        sql = (
            "SELECT e.key FROM graph_words w JOIN graph_entities e ON e.id = w.entity"
            " WHERE w.workspace = ? AND w.word = ? ORDER BY e.passages DESC, e.key LIMIT ?"
        )
        keys = [row[0] for row in self._connection.execute(sql, (self._workspace, word, most))]
        known = self.entities(keys)
        return [known[key] for key in keys]

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
        known = self.entities(keys)
        return [known[key] for key in keys]

    def knowledge(self, recording: str) -> Knowledge | None:
        number = self._numbers.get(recording)
        row = self._connection.execute(
            "SELECT capitals FROM graph_recordings WHERE recording = ?", (number,)
        ).fetchone()
        if number is None or row is None:
            return None
        mentions = self._connection.execute(
            'SELECT position, begin, "end", form, voice, entity FROM graph_mentions WHERE recording = ?',
            (number,),
        )
        rows = [(recording, *found, number) for found in mentions]
        told = [alias for alias in self.aliases(recordings=[recording]) if alias.recording]
        read = self._connection.execute(
            "SELECT position FROM graph_readings WHERE recording = ? ORDER BY position", (number,)
        )
        return Knowledge(
            tuple(self._made(sorted(rows, key=_order))),
            tuple(self._as_relations(self._relation_rows("recording", [number]))),
            tuple(told),
            bool(row[0]),
            tuple(position for (position,) in read),
        )

    def learnt(self) -> dict[str, bool]:
        sql = "SELECT recording, capitals FROM graph_recordings"
        return {
            self._ids[row[0]]: bool(row[1]) for row in self._connection.execute(sql) if row[0] in self._ids
        }

    # ---- numbers of the file to what they stand for

    @cached_property
    def _ids(self) -> dict[int, str]:
        sql = "SELECT key, id FROM recordings WHERE workspace = ?"
        return {row[0]: row[1] for row in self._connection.execute(sql, (self._workspace,))}

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in self._ids.items()}

    def _made(self, rows: Sequence[_Row]) -> list[Mention]:
        """The mentions of some rows."""
        self._know({row[4] for row in rows})
        voices = self._voices({row[7] for row in rows})
        return [
            Mention(
                self._keys[row[6]], row[0], row[1], row[2], row[3], *self._forms[row[4]],
                voices.get((row[7], row[5])) if row[5] is not None else None,
            )
            for row in rows
        ]  # fmt: skip

    def _know(self, forms: set[int]) -> None:
        """Read how forms are written, and the keys of their entities."""
        sql = (
            "SELECT f.id, f.name, f.kind, f.rule, e.id, e.key FROM graph_forms f"
            " JOIN graph_entities e ON e.id = f.entity WHERE f.id IN ({})"
        )
        for some in chunks(sorted(forms - self._forms.keys())):
            for number, name, kind, rule, entity, key in asked(self._connection, sql, some):
                self._forms[number] = (name, kind, rule)
                self._keys[entity] = key

    def _voices(self, recordings: set[int]) -> dict[tuple[int, int | None], str]:
        sql = "SELECT recording, number, name FROM labels WHERE kind = 'speaker' AND recording IN ({})"
        rows = (row for some in chunks(sorted(recordings)) for row in asked(self._connection, sql, some))
        return {(row[0], row[1]): row[2] for row in rows}


class SqlGraph:
    """The graph of one workspace of an archive, to read and to write: see `GraphStore`. `reading` gives
    its present state, `writing` a transaction: the connection, the workspace's number and its generation."""

    def __init__(
        self,
        reading: Callable[[], AbstractContextManager[_HasGraph]],
        writing: Callable[[str], AbstractContextManager[tuple[Connection, int, int]]],
    ) -> None:
        self._reading, self._writing = reading, writing

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

    def entities(self, keys: Iterable[str]) -> dict[str, Entity]:
        with self._reading() as now:
            return now.graph.entities(keys)

    def mentions(self, keys: Iterable[tuple[str, str]], most: int = 2000) -> list[Mention]:
        with self._reading() as now:
            return now.graph.mentions(keys, most)

    def mentioned(self, places: Iterable[Place]) -> list[Mention]:
        with self._reading() as now:
            return now.graph.mentioned(places)

    def names_in(self, places: Iterable[Place], widest: int) -> list[NameAt]:
        with self._reading() as now:
            return now.graph.names_in(places, widest)

    def names_of(self, keys: Iterable[str], widest: int) -> list[NameAt]:
        with self._reading() as now:
            return now.graph.names_of(keys, widest)

    def relations(self, keys: Iterable[str]) -> list[Relation]:
        with self._reading() as now:
            return now.graph.relations(keys)

    def aliases(self, keys: Iterable[str] = (), recordings: Iterable[str] = ()) -> list[Alias]:
        with self._reading() as now:
            return now.graph.aliases(keys, recordings)

    def named(self, word: str, most: int = 50) -> list[Entity]:
        with self._reading() as now:
            return now.graph.named(word, most)

    def beginning(self, letters: str, most: int = 20_000) -> list[str]:
        with self._reading() as now:
            return now.graph.beginning(letters, most)

    def widest(self, across: int, most: int) -> list[Entity]:
        with self._reading() as now:
            return now.graph.widest(across, most)

    def knowledge(self, recording: str) -> Knowledge | None:
        with self._reading() as now:
            return now.graph.knowledge(recording)

    def learnt(self) -> dict[str, bool]:
        with self._reading() as now:
            return now.graph.learnt()


class _HasGraph(Protocol):
    @property
    def graph(self) -> GraphReader: ...


def _order(row: _Row) -> tuple[str, int, int, int, int]:
    return (*row[:4], row[6])
