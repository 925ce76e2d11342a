"""The store that all databases with SQL tables share.

The tables are authoritative. Memory holds only data derived from them, which is derived again after a write.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import Lock
from typing import TYPE_CHECKING, Any

from onrecord.errors import NotFoundError, StoreError
from onrecord.stores.caches import Pending, count_cached, delete_cached, insert_cached
from onrecord.stores.catalogue import Entry
from onrecord.stores.database import Comparison, Connection, Database, Neighbours
from onrecord.stores.graph.sql import SqlGraph
from onrecord.stores.outbox import attach
from onrecord.stores.reading import CurrentState, check_passages, check_vectors
from onrecord.stores.records import read_entries
from onrecord.stores.sql_snapshot import SqlSnapshot, WorkspaceState
from onrecord.stores.words import query_terms
from onrecord.stores.writing import Addition, RecordingTables, RecordingWriter, StoredRecording, Writing
from onrecord.types import Passage, Section

if TYPE_CHECKING:
    from onrecord.types import Vectors


class SqlStore(CurrentState, RecordingWriter):
    """A store in SQL tables: see `onrecord.stores.base.Store`.

    `neighbours` replaces the database's own index of nearest neighbors.
    """

    def __init__(self, database: Database, workspace: str, neighbours: Neighbours | None = None) -> None:
        self.database, self.workspace = database, workspace
        self.neighbours = neighbours or database.neighbours
        self.pending = Pending(self._write_cached)
        self._tables = RecordingTables(database, self.neighbours)
        self._state, self._deriving = WorkspaceState(), Lock()
        self._written = -1
        self._reader_number = 0
        """The workspace's number once a snapshot has read it, 0 before. It never changes."""

    # ---- reading

    @contextmanager
    def snapshot(self, words: Sequence[str] = ()) -> Iterator[SqlSnapshot]:
        with self.database.reading() as connection:
            terms = query_terms(words) if self._reader_number else []
            cached = self._state.contents.postings.get(terms)
            terms = [term for term in terms if term not in cached]
            postings = (
                self.database.words.read_ahead(connection, self._reader_number, terms) if terms else None
            )
            number, generation, collection = self._row(connection)
            self._reader_number = number
            state = self._state_of(connection, number, generation)
            indexed = collection == self.neighbours.collection
            snapshot = SqlSnapshot(self, connection, number, state, indexed=indexed)
            if postings:
                snapshot.add_postings(dict(zip(terms, postings(), strict=True)))
            yield snapshot

    def stats(self) -> dict[str, Any]:
        self.pending.flush()
        with self.snapshot() as now:
            return now.stats()

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
                    check_vectors(recording, stored.passages, own)
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
        """Write cached values and usage, unless others are writing at the moment.

        The values are dropped if the workspace was written to since their version.
        """
        with suppress(StoreError), self.database.writing("cache in", patience=0.0) as connection:
            workspace = self._number(connection)
            if self._row(connection)[1] == version:
                for kind, (batch, most) in values.items():
                    insert_cached(connection, workspace, kind, batch, most)
            for kind, (hits, misses) in usage.items():
                count_cached(connection, workspace, kind, hits, misses)

    def close(self) -> None:
        """Write pending cache values, and close the index and the database."""
        self.pending.flush()
        self.neighbours.close()
        self.database.close()

    def compare(self) -> Comparison | None:
        return self.neighbours.compare(self.database, self.workspace)

    def mend(self) -> None:
        if self.neighbours.collection:
            with self._write("mend the index of"):  # this attaches the workspace, if it is not attached
                pass
        self.neighbours.mend(self.database, self.workspace)

    # ---- states

    @contextmanager
    def _write(self, doing: str) -> Iterator[Writing]:
        """Begin a write transaction on the workspace. It empties the caches."""
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
        """Return the workspace's number. Assign one if it has none."""
        if not (number := self._row(connection)[0]):
            sql = "INSERT INTO workspaces (name, generation) VALUES (?, 0) ON CONFLICT (name) DO NOTHING"
            connection.execute(sql, (self.workspace,))
            number = self._row(connection)[0]
        return number

    def _row(self, connection: Connection) -> tuple[int, int, str]:
        """Return the workspace's number, its generation, and its collection outside the database.

        Return zeros and "" for a workspace that was never written to. The collection holds the workspace's
        vectors; it is "" if there is none.
        """
        sql = "SELECT id, generation, coalesce(collection, '') FROM workspaces WHERE name = ?"
        return connection.execute(sql, (self.workspace,)).fetchone() or (0, 0, "")

    def _stored(self, writing: Writing, recording: str) -> StoredRecording:
        stored = self._tables.find(writing, recording)
        if stored is None:
            raise NotFoundError(f"there is no recording {recording!r} in workspace {self.workspace!r}")
        return stored

    def _state_of(self, connection: Connection, workspace: int, generation: int) -> WorkspaceState:
        """Return the derived state of this generation. Only what has changed is derived again."""
        with self._deriving:
            before = self._state
            if before.generation == generation:
                return before
            state = WorkspaceState(
                generation, self._entries(connection, workspace, generation, before), before
            )
            if generation > self._state.generation:
                self._state = state
            return state

    def _entries(
        self, connection: Connection, workspace: int, generation: int, before: WorkspaceState
    ) -> list[Entry]:
        """Return the entries of the workspace's recordings, in the order in which they were added.

        Read only the recordings written since the state before. For a snapshot older than that state, read
        only the recordings that the state does not have in that version.
        """
        own = "FROM recordings WHERE workspace = ?"
        known = {entry.key: entry for entry in before.catalogue.entries if entry.version <= generation}
        since = before.generation if before.generation < generation else -1
        sql = f"SELECT key {own} AND version > ?"
        written = [key for (key,) in connection.execute(sql, (workspace, since))]
        unread = [key for key in written if since >= 0 or key not in known]
        entries = known | read_entries(connection, unread)
        if len(entries) > connection.execute(f"SELECT count(*) {own}", (workspace,)).fetchone()[0]:
            keys = {key for (key,) in connection.execute(f"SELECT key {own}", (workspace,))}
            entries = {key: entry for key, entry in entries.items() if key in keys}
        return [entries[key] for key in sorted(entries)]


def _put_meta(writing: Writing, key: str, value: Any) -> None:
    connection, workspace, _ = writing
    connection.execute("DELETE FROM metas WHERE workspace = ? AND key = ?", (workspace, key))
    if value is not None:
        sql = "INSERT INTO metas (workspace, key, value) VALUES (?, ?, ?)"
        connection.execute(sql, (workspace, key, json.dumps(value)))
