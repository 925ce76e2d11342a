"""The embedded store: one SQLite file, which is the truth, and light forms of it in memory, which are
derived from it whenever it has changed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from onrecord.errors import NotFoundError, StoreError
from onrecord.stores.caches import cache_stats, count_cached, delete_cached, insert_cached, read_cached
from onrecord.stores.catalogue import Catalogue, Entry
from onrecord.stores.connections import WorkspaceFile
from onrecord.stores.graph.base import GraphReader
from onrecord.stores.graph.sqlite import SqliteGraph, SqliteGraphReader
from onrecord.stores.matrix import Matrix
from onrecord.stores.postings import Postings
from onrecord.stores.reading import CatalogueReader, check_passages, check_recording, check_vectors
from onrecord.stores.records import (
    insert,
    read_entries,
    read_passages,
    read_postings,
    read_sections,
    read_terms,
    read_vectors,
)
from onrecord.stores.whitening import Space
from onrecord.stores.writing import (
    delete_recording,
    delete_vectors,
    find,
    insert_recording,
    prepare,
    purge_words,
    replace_sections,
    replace_vectors,
)
from onrecord.types import Line, Passage, Recording, Scope, Section

if TYPE_CHECKING:
    from onrecord.types import Counts, Knowledge, Rows, Scores, Vector, Vectors


_REMEMBERED = 4_000_000
"""Postings that are kept in memory: 32 MB."""


class _State:
    """What memory holds of one generation of a workspace."""

    def __init__(self, generation: int, entries: Sequence[Entry] = (), before: _State | None = None) -> None:
        self.generation = generation
        self.catalogue = Catalogue(entries)
        self.matrix: Matrix = Matrix(entries, before.matrix.blocks if before else ())
        self.space = Space(self.catalogue)
        self.postings = Postings(_REMEMBERED)


class SqliteReader(CatalogueReader):
    """One state of a workspace: a read transaction and what memory holds of it."""

    def __init__(self, workspace: str, number: int, connection: sqlite3.Connection, state: _State) -> None:
        self.workspace = workspace
        self.catalogue, self.space = state.catalogue, state.space
        self._number, self._connection, self._state = number, connection, state

    @property
    def version(self) -> int:
        return self._state.generation

    @cached_property
    def graph(self) -> GraphReader:
        return SqliteGraphReader(self._number, self._connection)

    def cached(self, kind: str, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        return read_cached(self._connection, self._number, kind, keys)

    def meta(self, key: str) -> Any:
        sql = "SELECT value FROM metas WHERE workspace = ? AND key = ?"
        row = self._connection.execute(sql, (self._number, key)).fetchone()
        return json.loads(row[0]) if row else None

    def sections(self, recording: str) -> list[Section]:
        entry = self.catalogue.entry(recording)
        return read_sections(self._connection, entry.key) if entry else []

    def passages(self, rows: Sequence[int] | Rows) -> list[Passage]:
        slots = self.catalogue.slots_of_rows(np.asarray(rows, np.int64))
        found = {}
        for entry, first, last in self.catalogue.runs(slots[slots >= 0]):
            for passage in read_passages(self._connection, entry, first, last):
                found[passage.row] = passage
        return [found[int(row)] for row in rows if int(row) in found]

    def transcript(self, recording: str, first: int = 0, last: int | None = None) -> list[Passage]:
        entry = self.catalogue.entry(recording)
        if entry is None:
            return []
        end = entry.size - 1 if last is None else last
        return list(read_passages(self._connection, entry, max(first, 0), end))

    def _postings(self, term: str) -> tuple[Counts, Counts]:
        return self._state.postings.get(term, lambda: self._read_postings(term))

    def _read_postings(self, term: str) -> tuple[Counts, Counts]:
        rows, counts = read_postings(self._connection, self._number, term)
        return self.catalogue.slots_of_all(rows).astype(np.int32), counts

    def _beginning(self, letters: str) -> frozenset[str]:
        return read_terms(self._connection, self._number, letters)

    def _products(self, queries: Vectors, slots: Rows | None) -> Vectors:
        if slots is None:
            return self._state.matrix.products(queries, self._load)
        return self._state.matrix.some_products(queries, slots, self._load)

    def _vectors(self, slots: Rows) -> Vectors:
        return self._state.matrix.rows(slots, self.catalogue.dimensions, self._load)

    def _load(self, entry: Entry, into: Vectors) -> None:
        read_vectors(self._connection, entry.key, into)

    def _caches(self) -> dict[str, dict[str, Any]]:
        return cache_stats(self._connection, self._number)

    def _bytes(self) -> int:
        passages = (
            'SELECT total(length(text) + length(marks)) FROM recordings JOIN passages ON "row" '
            "BETWEEN first_row AND first_row + length(lengths) / 4 - 1 WHERE workspace = ?"
        )
        vectors = (
            "SELECT total(length(data)) FROM recordings JOIN vectors ON recording = key WHERE workspace = ?"
        )
        number = (self._number,)
        return sum(int(self._connection.execute(sql, number).fetchone()[0]) for sql in (passages, vectors))


class SqliteStore(WorkspaceFile):
    """See `onrecord.stores.base.Store`."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._state, self._deriving = _State(generation=-1), Lock()

    # ---- reading

    @contextmanager
    def snapshot(self) -> Iterator[SqliteReader]:
        with self._connections.reading() as connection:
            number, generation = self._generation(connection)
            state = self._state_of(connection, number, generation)
            yield SqliteReader(self.workspace, number, connection, state)

    @property
    def version(self) -> int:
        with self.snapshot() as now:
            return now.version

    def cached(self, kind: str, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        with self.snapshot() as now:
            return now.cached(kind, keys)

    def meta(self, key: str) -> Any:
        with self.snapshot() as now:
            return now.meta(key)

    def recording(self, id: str) -> Recording | None:  # noqa: A002 - the field's own name
        with self.snapshot() as now:
            return now.recording(id)

    def recordings(self, scope: Scope = Scope()) -> list[Recording]:  # noqa: B008 - frozen
        with self.snapshot() as now:
            return now.recordings(scope)

    def without_vectors(self) -> list[str]:
        with self.snapshot() as now:
            return now.without_vectors()

    def sections(self, recording: str) -> list[Section]:
        with self.snapshot() as now:
            return now.sections(recording)

    def passages(self, rows: Sequence[int] | Rows) -> list[Passage]:
        with self.snapshot() as now:
            return now.passages(rows)

    def transcript(self, recording: str, first: int = 0, last: int | None = None) -> list[Passage]:
        with self.snapshot() as now:
            return now.transcript(recording, first, last)

    def stats(self) -> dict[str, Any]:
        with self.snapshot() as now:
            return now.stats()

    def line(self, scope: Scope = Scope()) -> Line:  # noqa: B008 - frozen
        with self.snapshot() as now:
            return now.line(scope)

    def dense(self, vector: Vector, line: Line) -> Scores:
        with self.snapshot() as now:
            return now.dense(vector, line)

    def whitened(self, vector: Vector, line: Line) -> tuple[Scores, Scores]:
        with self.snapshot() as now:
            return now.whitened(vector, line)

    def keyword(self, words: Sequence[str], line: Line) -> Scores:
        with self.snapshot() as now:
            return now.keyword(words, line)

    def heard(self, words: Iterable[str]) -> frozenset[str]:
        with self.snapshot() as now:
            return now.heard(words)

    def holding(self, term: str, most: int) -> Rows:
        with self.snapshot() as now:
            return now.holding(term, most)

    def beginning(self, letters: str) -> frozenset[str]:
        with self.snapshot() as now:
            return now.beginning(letters)

    def vectors(self, rows: Sequence[int] | Rows) -> Vectors:
        with self.snapshot() as now:
            return now.vectors(rows)

    # ---- writing

    @property
    def graph(self) -> SqliteGraph:
        return SqliteGraph(self.snapshot, self._write)

    def add(
        self,
        recording: Recording,
        passages: Sequence[Passage],
        sections: Sequence[Section] = (),
        vectors: Vectors | None = None,
        knowledge: Knowledge | None = None,
    ) -> None:
        check_recording(recording, passages, vectors)
        new = prepare(recording, passages, sections, vectors, knowledge)
        with self._write(f"add {recording.id!r} to") as (connection, workspace, generation):
            delete_recording(connection, workspace, recording.id)
            insert_recording(connection, workspace, generation, new)

    def set_vectors(self, recording: str, vectors: Vectors) -> None:
        with self._write(f"set vectors of {recording!r} in") as (connection, workspace, generation):
            found = find(connection, workspace, recording)
            if found is None:
                raise NotFoundError(f"there is no recording {recording!r} in workspace {self.workspace!r}")
            check_vectors(recording, found.passages, vectors)
            replace_vectors(connection, found, generation, vectors)

    def set_sections(self, recording: str, passages: Sequence[Passage], sections: Sequence[Section]) -> None:
        with self._write(f"set sections of {recording!r} in") as (connection, workspace, generation):
            found = find(connection, workspace, recording)
            if found is None:
                raise NotFoundError(f"there is no recording {recording!r} in workspace {self.workspace!r}")
            check_passages(recording, passages, found.passages)
            replace_sections(connection, found, generation, passages, sections)

    def exchange_vectors(
        self, vectors: Iterable[tuple[str, Vectors]], model: Mapping[str, str] | None = None
    ) -> None:
        with self._write("exchange the vectors of") as (connection, workspace, generation):
            delete_vectors(connection, workspace, generation)
            for recording, own in vectors:
                found = find(connection, workspace, recording)
                if found is not None and found.passages == len(own):
                    replace_vectors(connection, found, generation, own)
            if model is not None:
                _put_meta(connection, workspace, "model", model)

    def remove(self, recording: str) -> bool:
        with self._write(f"remove {recording!r} from") as (connection, workspace, _):
            there = delete_recording(connection, workspace, recording)
            if there:
                purge_words(connection)
        self._connections.wipe_log()
        return there

    def set_meta(self, key: str, value: Any) -> None:
        with self._write(f"set {key!r} in") as (connection, workspace, _):
            _put_meta(connection, workspace, key, value)

    def cache(self, kind: str, values: Mapping[bytes, bytes], version: int, most: int) -> None:
        with suppress(StoreError), self._connections.writing("cache in", patience=0.0) as connection:
            workspace, generation = self._generation(connection)
            if workspace and generation == version:
                insert_cached(connection, workspace, kind, values, most)

    def count(self, kind: str, hits: int, misses: int) -> None:
        with suppress(StoreError), self._connections.writing("count in", patience=0.0) as connection:
            count_cached(connection, self._number(connection), kind, hits, misses)

    # ---- states

    @contextmanager
    def _write(self, doing: str) -> Iterator[tuple[sqlite3.Connection, int, int]]:
        """A write transaction on the workspace, whose caches it empties: the connection, the workspace's
        number and its new generation."""
        with self._connections.writing(doing) as connection:
            workspace = self._number(connection)
            connection.execute("UPDATE workspaces SET generation = generation + 1 WHERE id = ?", (workspace,))
            delete_cached(connection, workspace)
            yield connection, *self._generation(connection)

    def _number(self, connection: sqlite3.Connection) -> int:
        """The workspace's number, given to it now where it has none."""
        connection.execute(
            "INSERT OR IGNORE INTO workspaces (name, generation) VALUES (?, 0)", (self.workspace,)
        )
        return self._generation(connection)[0]

    def _generation(self, connection: sqlite3.Connection) -> tuple[int, int]:
        """The workspace's number and generation; zeros before anything was put into it."""
        sql = "SELECT id, generation FROM workspaces WHERE name = ?"
        return connection.execute(sql, (self.workspace,)).fetchone() or (0, 0)

    def _state_of(self, connection: sqlite3.Connection, workspace: int, generation: int) -> _State:
        """What memory holds of this generation, made from the one before where it has changed."""
        with self._deriving:
            before = self._state
            if before.generation == generation:
                return before
            entries = self._entries(connection, workspace, before.catalogue)
            self._state = _State(generation, entries, before)
            return self._state

    def _entries(self, connection: sqlite3.Connection, workspace: int, before: Catalogue) -> list[Entry]:
        """The workspace's recordings in the order in which they came; only what changed is read."""
        sql = "SELECT key, version FROM recordings WHERE workspace = ? ORDER BY key"
        now = connection.execute(sql, (workspace,)).fetchall()
        known = {(entry.key, entry.version): entry for entry in before.entries}
        read = read_entries(connection, [key for key, version in now if (key, version) not in known])
        return [known[key, version] if (key, version) in known else read[key] for key, version in now]


def _put_meta(connection: sqlite3.Connection, workspace: int, key: str, value: Any) -> None:
    connection.execute("DELETE FROM metas WHERE workspace = ? AND key = ?", (workspace, key))
    if value is not None:
        insert(connection, "metas", {"workspace": workspace, "key": key, "value": json.dumps(value)})
