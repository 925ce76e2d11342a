"""The store that all databases with SQL tables share.

The tables are the truth. What memory holds is derived from them, and derived again after each write.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import Lock
from typing import TYPE_CHECKING, Any

from onrecord.errors import NotFoundError, StoreError
from onrecord.stores.caches import Pending, count_cached, delete_cached, insert_cached
from onrecord.stores.catalogue import Catalogue, Entry
from onrecord.stores.database import Comparison, Connection, Database, Neighbours
from onrecord.stores.graph.sql import SqlGraph
from onrecord.stores.outbox import attach
from onrecord.stores.reading import check_passages, check_vectors
from onrecord.stores.records import read_entries
from onrecord.stores.sql_reader import SqlReader, WorkspaceState
from onrecord.stores.writing import Addition, RecordingTables, RecordingWriter, StoredRecording, Writing
from onrecord.types import Passage, PassageTimeline, Recording, Scope, Section

if TYPE_CHECKING:
    from onrecord.types import Counts, Rows, Scores, Vector, Vectors


class SqlStore(RecordingWriter):
    """See `onrecord.stores.base.Store`. `neighbours` replaces the database's own index."""

    def __init__(self, database: Database, workspace: str, neighbours: Neighbours | None = None) -> None:
        self.database, self.workspace = database, workspace
        self.neighbours = neighbours or database.neighbours
        self.pending = Pending(self._write_cached)
        self._tables = RecordingTables(database, self.neighbours)
        self._state, self._deriving = WorkspaceState(generation=-1), Lock()
        self._written = -1

    # ---- reading

    @contextmanager
    def snapshot(self) -> Iterator[SqlReader]:
        with self.database.reading() as connection:
            number, generation, collection = self._row(connection)
            state = self._state_of(connection, number, generation)
            yield SqlReader(self, connection, number, state, indexed=collection == self.neighbours.collection)

    @property
    def version(self) -> int:
        with self.snapshot() as now:
            return now.version

    def cached(self, kind: str, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        with self.snapshot() as now:
            return now.cached(kind, keys)

    def metas(self) -> dict[str, Any]:
        with self.snapshot() as now:
            return now.metas()

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

    def timeline(self, scope: Scope = Scope()) -> PassageTimeline:  # noqa: B008 - frozen
        with self.snapshot() as now:
            return now.timeline(scope)

    def dense(self, vector: Vector, timeline: PassageTimeline) -> Scores:
        with self.snapshot() as now:
            return now.dense(vector, timeline)

    def nearest(self, vector: Vector, timeline: PassageTimeline, most: int) -> tuple[Rows, Scores]:
        with self.snapshot() as now:
            return now.nearest(vector, timeline, most)

    def whitened(self, vector: Vector, timeline: PassageTimeline) -> tuple[Scores, Scores]:
        with self.snapshot() as now:
            return now.whitened(vector, timeline)

    def keyword(self, words: Sequence[str], timeline: PassageTimeline) -> Scores:
        with self.snapshot() as now:
            return now.keyword(words, timeline)

    def term_scores(
        self, words: Sequence[str], timeline: PassageTimeline
    ) -> Iterator[tuple[Rows | Counts, Scores]]:
        with self.snapshot() as now:
            yield from now.term_scores(words, timeline)

    def best_matches(self, words: Sequence[str], timeline: PassageTimeline, most: int) -> tuple[Rows, Scores]:
        with self.snapshot() as now:
            return now.best_matches(words, timeline, most)

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
    def graph(self) -> SqlGraph:
        return SqlGraph(self.snapshot, self._write)

    def _put(self, new: Addition) -> None:
        with self._write(f"add {new.recording.id!r} to") as writing:
            self._tables.delete(writing, new.recording.id)
            self._tables.insert(writing, new)

    def set_vectors(self, recording: str, vectors: Vectors) -> None:
        with self._write(f"set vectors of {recording!r} in") as writing:
            stored = self._stored(writing, recording)
            check_vectors(recording, stored.passages, vectors)
            self._tables.replace_vectors(writing, stored, vectors)

    def set_sections(self, recording: str, passages: Sequence[Passage], sections: Sequence[Section]) -> None:
        with self._write(f"set sections of {recording!r} in") as writing:
            stored = self._stored(writing, recording)
            check_passages(recording, passages, stored.passages)
            self._tables.replace_sections(writing, stored, passages, sections)

    def exchange_vectors(
        self, vectors: Iterable[tuple[str, Vectors]], model: Mapping[str, str] | None = None
    ) -> None:
        with self._write("exchange the vectors of") as writing:
            self._tables.delete_vectors(writing)
            for recording, own in vectors:
                stored = self._tables.find(writing, recording)
                if stored is not None and stored.passages == len(own):
                    self._tables.replace_vectors(writing, stored, own)
            if model is not None:
                _put_meta(writing, "model", model)

    def remove(self, recording: str) -> bool:
        with self._write(f"remove {recording!r} from") as writing:
            removed = self._tables.delete(writing, recording)
            if removed:
                self.database.words.purge(writing.connection)
        self.database.wipe()
        return removed

    def set_meta(self, key: str, value: Any) -> None:
        with self._write("write to") as writing:
            _put_meta(writing, key, value)

    def cache(self, kind: str, values: Mapping[bytes, bytes], version: int, most: int) -> None:
        if version == max(self._state.generation, self._written):
            self._state.cached.add(kind, values)
            self.pending.put(kind, values, version, most)

    def count(self, kind: str, hits: int, misses: int) -> None:
        self.pending.count(kind, hits, misses)

    def _write_cached(
        self,
        version: int,
        values: Mapping[str, tuple[Mapping[bytes, bytes], int]],
        usage: Mapping[str, tuple[int, int]],
    ) -> None:
        """Write cached values and usage, unless others are writing just now.

        The values are dropped if the workspace was written to since their version.
        """
        with suppress(StoreError), self.database.writing("cache in", patience=0.0) as connection:
            workspace = self._number(connection)
            if self._row(connection)[1] == version:
                for kind, (some, most) in values.items():
                    insert_cached(connection, workspace, kind, some, most)
            for kind, (hits, misses) in usage.items():
                count_cached(connection, workspace, kind, hits, misses)

    def close(self) -> None:
        """Write cached values, and close the index and the database."""
        self.pending.flush()
        self.neighbours.close()
        self.database.close()

    def compare(self) -> Comparison | None:
        return self.neighbours.compare(self.database, self.workspace)

    def mend(self) -> None:
        if self.neighbours.collection:
            with self._write("mend the index of"):  # which attaches a workspace that is not yet
                pass
        self.neighbours.mend(self.database, self.workspace)

    # ---- states

    @contextmanager
    def _write(self, doing: str) -> Iterator[Writing]:
        """A write transaction on the workspace. It empties the caches."""
        with self.database.writing(doing) as connection:
            workspace = self._number(connection)
            connection.execute("UPDATE workspaces SET generation = generation + 1 WHERE id = ?", (workspace,))
            delete_cached(connection, workspace)
            _, generation, collection = self._row(connection)
            if self.neighbours.collection not in ("", collection):
                attach(connection, workspace, self.neighbours.collection)
            yield Writing(connection, workspace, generation)
        self._written = max(self._written, generation)
        self.neighbours.settle(self.database, self.workspace)

    def _number(self, connection: Connection) -> int:
        """The workspace's number, which is assigned now if it has none."""
        connection.execute(
            "INSERT INTO workspaces (name, generation) VALUES (?, 0) ON CONFLICT (name) DO NOTHING",
            (self.workspace,),
        )
        return self._row(connection)[0]

    def _row(self, connection: Connection) -> tuple[int, int, str]:
        """The workspace's number and generation, and the collection outside the database that has its
        vectors.

        Zeros and "" for a workspace that was never written to.
        """
        sql = "SELECT id, generation, coalesce(collection, '') FROM workspaces WHERE name = ?"
        return connection.execute(sql, (self.workspace,)).fetchone() or (0, 0, "")

    def _stored(self, writing: Writing, recording: str) -> StoredRecording:
        stored = self._tables.find(writing, recording)
        if stored is None:
            raise NotFoundError(f"there is no recording {recording!r} in workspace {self.workspace!r}")
        return stored

    def _state_of(self, connection: Connection, workspace: int, generation: int) -> WorkspaceState:
        """The derived state of this generation. Only what has changed is derived again."""
        with self._deriving:
            before = self._state
            if before.generation == generation:
                return before
            entries = self._entries(connection, workspace, before.catalogue)
            self._state = WorkspaceState(generation, entries, before)
            return self._state

    def _entries(self, connection: Connection, workspace: int, before: Catalogue) -> list[Entry]:
        """The entries of the workspace's recordings, in the order in which they were added. Only changed ones
        are read."""
        sql = "SELECT key, version FROM recordings WHERE workspace = ? ORDER BY key"
        now = connection.execute(sql, (workspace,)).fetchall()
        known = {(entry.key, entry.version): entry for entry in before.entries}
        read = read_entries(connection, [key for key, version in now if (key, version) not in known])
        return [known[key, version] if (key, version) in known else read[key] for key, version in now]


def _put_meta(writing: Writing, key: str, value: Any) -> None:
    connection, workspace, _ = writing
    connection.execute("DELETE FROM metas WHERE workspace = ? AND key = ?", (workspace, key))
    if value is not None:
        sql = "INSERT INTO metas (workspace, key, value) VALUES (?, ?, ?)"
        connection.execute(sql, (workspace, key, json.dumps(value)))
