"""What every store in SQL tables shares: the tables are the truth; light forms of them in memory are derived
whenever they have changed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from onrecord.errors import NotFoundError, StoreError
from onrecord.stores.caches import (
    cache_stats,
    cached_keys,
    count_cached,
    delete_cached,
    insert_cached,
    read_cached,
)
from onrecord.stores.catalogue import Catalogue, Entry, distinct
from onrecord.stores.database import Connection, Database
from onrecord.stores.graph.base import GraphReader
from onrecord.stores.graph.sql import SqlGraph, SqlGraphReader
from onrecord.stores.matrix import Matrix
from onrecord.stores.pending import CachedKeys, Pending
from onrecord.stores.reading import CatalogueReader, check_passages, check_recording, check_vectors
from onrecord.stores.recent import Recent
from onrecord.stores.records import as_passage, read_entries, read_passages, read_sections, read_vectors
from onrecord.stores.whitening import Space
from onrecord.stores.writing import (
    delete_recording,
    delete_vectors,
    find,
    insert_recording,
    prepare,
    replace_sections,
    replace_vectors,
)
from onrecord.types import Passage, PassageTimeline, Recording, Scope, Section

if TYPE_CHECKING:
    from onrecord.types import Counts, Knowledge, Rows, Scores, Vector, Vectors


_POSTINGS = 4_000_000
"""Postings that are kept in memory: 32 MB."""
_CHARACTERS = 8_000_000
"""Characters of passages that are kept in memory."""
_SECTIONS = 20_000
_VECTOR_BYTES = 256_000_000
"""Vectors that are kept in memory where not all are."""
_MOST_NEAR = 1000
"""Passages that are looked for by the index at most."""
_NEAR_PASSAGES = 20_000
"""Passages, about, of the recordings that are looked at in full where not all are."""


class _State:
    """What memory holds of one generation of a workspace."""

    def __init__(self, generation: int, entries: Sequence[Entry] = (), before: _State | None = None) -> None:
        self.generation = generation
        self.catalogue = Catalogue(entries)
        self.matrix: Matrix = Matrix(entries, before.matrix.blocks if before else ())
        self.space = Space(self.catalogue)
        self.postings: Recent[str, tuple[Counts, Counts]] = Recent(_POSTINGS, lambda found: 1 + len(found[0]))
        self.passages: Recent[int, Passage] = Recent(_CHARACTERS, lambda passage: 100 + len(passage.text))
        self.sections: Recent[int, list[Section]] = Recent(_SECTIONS, lambda found: 1 + len(found))
        self.vectors: Recent[int, Vectors] = Recent(_VECTOR_BYTES, lambda found: found.nbytes)
        self.cached = CachedKeys()


class SqlReader(CatalogueReader):
    """One state of a workspace: a read transaction and what memory holds of it."""

    def __init__(self, store: SqlStore, number: int, connection: Connection, state: _State) -> None:
        self.workspace = store.workspace
        self.catalogue, self.space = state.catalogue, state.space
        self._store, self._number, self._connection, self._state = store, number, connection, state

    @property
    def version(self) -> int:
        return self._state.generation

    @cached_property
    def graph(self) -> GraphReader:
        return SqlGraphReader(self._number, self._connection)

    def cached(self, kind: str, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        wanted = list(dict.fromkeys(keys))
        waiting = self._store.pending.get(kind, wanted, self.version)
        there = self._state.cached.may_have(
            kind,
            [key for key in wanted if key not in waiting],
            lambda: cached_keys(self._connection, self._number, kind),
        )
        return {**waiting, **read_cached(self._connection, self._number, kind, there)}

    def metas(self) -> dict[str, Any]:
        sql = "SELECT key, value FROM metas WHERE workspace = ? ORDER BY key"
        return {key: json.loads(value) for key, value in self._connection.execute(sql, (self._number,))}

    def meta(self, key: str) -> Any:
        sql = "SELECT value FROM metas WHERE workspace = ? AND key = ?"
        row = self._connection.execute(sql, (self._number, key)).fetchone()
        return json.loads(row[0]) if row else None

    def sections(self, recording: str) -> list[Section]:
        entry = self.catalogue.entry(recording)
        return list(self._sections(entry.key)) if entry else []

    def _sections(self, key: int) -> list[Section]:
        return self._state.sections.get([key], lambda _: {key: read_sections(self._connection, key)})[key]

    def passages(self, rows: Sequence[int] | Rows) -> list[Passage]:
        wanted = np.asarray(rows, np.int64)
        there = wanted[self.catalogue.slots_of_rows(wanted) >= 0].tolist()
        found = self._state.passages.get(there, self._read_passages)
        return [found[row] for row in there if row in found]

    def transcript(self, recording: str, first: int = 0, last: int | None = None) -> list[Passage]:
        entry = self.catalogue.entry(recording)
        if entry is None:
            return []
        end = entry.size if last is None else min(last + 1, entry.size)
        return self.passages(range(entry.first + max(first, 0), entry.first + end))

    def _read_passages(self, rows: list[int]) -> dict[int, Passage]:
        slots = self.catalogue.slots_of_rows(np.array(rows, np.int64))
        runs = self.catalogue.runs(slots)
        return {passage.row: passage for passage in read_passages(self._connection, runs)}

    def _postings(self, terms: Sequence[str]) -> list[tuple[Counts, Counts]]:
        found = self._state.postings.get(terms, self._read_postings)
        return [found[term] for term in terms]

    def _read_postings(self, terms: list[str]) -> dict[str, tuple[Counts, Counts]]:
        found = self._store.database.words.read(self._connection, self._number, terms)
        slots_of = self.catalogue.slots_of_all
        return {
            term: (slots_of(rows).astype(np.int32), counts)
            for term, (rows, counts) in zip(terms, found, strict=True)
        }

    def _beginning(self, letters: str) -> frozenset[str]:
        return self._store.database.words.beginning(self._connection, self._number, letters)

    # ---- vectors: all in memory up to a size, above it those of the recordings that are near

    def dense(self, vector: Vector, timeline: PassageTimeline) -> Scores:
        if self._all or len(timeline) <= _NEAR_PASSAGES:
            return super().dense(vector, timeline)
        return self._dense_near(np.asarray(vector, np.float32), timeline)

    def whitened(self, vector: Vector, timeline: PassageTimeline) -> tuple[Scores, Scores]:
        if self._all:
            return super().whitened(vector, timeline)
        plain = self.dense(vector, timeline)
        return plain, plain

    def nearest(self, vector: Vector, timeline: PassageTimeline, most: int) -> tuple[Rows, Scores]:
        query = np.asarray(vector, np.float32)
        if len(self.catalogue) < self._store.database.indexed or len(query) != self.catalogue.dimensions:
            return super().nearest(query, timeline, most)
        found = self._near(query, timeline, most)
        return np.array([row for row, _ in found], np.int64), np.array([p for _, p in found], np.float32)

    @property
    def _all(self) -> bool:
        """Whether all vectors are in memory."""
        return len(self.catalogue) <= self._store.database.exact

    def _near(self, query: Vector, timeline: PassageTimeline, most: int) -> list[tuple[int, float]]:
        """Rows of the timeline near a vector, best first, and their products. Those that lie in its
        recordings and not on it are left out, so more are asked for."""
        keys = None
        if len(timeline) < len(self.catalogue):
            entries = [self.catalogue.entry(name) for name in timeline.names]
            keys = [entry.key for entry in entries if entry]
        on_timeline, wanted = set(timeline.rows.tolist()) if keys is not None else None, most
        while True:
            database, number = self._store.database, self._number
            read = database.nearest(self._connection, number, query, keys, wanted)
            self._keep_passages([values for _, *values in read])
            found = [(row, float(p)) for p, row, *_ in read if on_timeline is None or row in on_timeline]
            if len(found) >= most or len(read) < wanted or wanted >= _MOST_NEAR:
                return found[:most]
            wanted = min(4 * wanted, _MOST_NEAR)

    def _keep_passages(self, read: Sequence[Sequence[Any]]) -> None:
        """Passages that were read on the way, for whoever asks next."""
        slots = self.catalogue.slots_of_rows(np.array([values[0] for values in read], np.int64))
        places = np.searchsorted(self.catalogue.starts, slots, "right") - 1
        made = {
            values[0]: as_passage(self.catalogue.entries[place], values)
            for place, values in zip(places, read, strict=True)
        }
        self._state.passages.get(list(made), lambda rows: {row: made[row] for row in rows})

    def _dense_near(self, query: Vector, timeline: PassageTimeline) -> Scores:
        """The products of the passages in the recordings that have those nearest to a vector; all others as
        low as the lowest of these."""
        chosen: set[str] = set()
        size = 0
        for row, _ in self._near(query, timeline, _MOST_NEAR):
            slot = self.catalogue.slots_of_rows(np.array([row], np.int64))[0]
            entry = self.catalogue.entries[np.searchsorted(self.catalogue.starts, slot, "right") - 1]
            if entry.recording.id not in chosen and size < _NEAR_PASSAGES:
                chosen.add(entry.recording.id)
                size += entry.size
        near = np.array([name in chosen for name in timeline.names], bool)[timeline.recordings]
        some = np.flatnonzero(near)
        scores = np.zeros(len(timeline), np.float32)
        scores[some] = self._products(query[None], self.catalogue.slots_of_rows(timeline.rows[some]))[0]
        scores[~near] = scores[some].min(initial=0.0)
        return scores

    def _products(self, queries: Vectors, slots: Rows | None) -> Vectors:
        if not self._all:
            return queries @ self._vectors(np.arange(len(self.catalogue)) if slots is None else slots).T
        if slots is None:
            return self._state.matrix.products(queries, self._load)
        return self._state.matrix.some_products(queries, slots, self._load)

    def _vectors(self, slots: Rows) -> Vectors:
        if self._all:
            return self._state.matrix.rows(slots, self.catalogue.dimensions, self._load)
        places = np.searchsorted(self.catalogue.starts, slots, "right") - 1
        wanted = [int(place) for place in distinct(places)]
        held = self._state.vectors.get(wanted, self._read_vectors)
        found = np.zeros((len(slots), self.catalogue.dimensions), np.float32)
        for place in wanted:
            inside = places == place
            found[inside] = held[place][slots[inside] - self.catalogue.starts[place]]
        return found

    def _read_vectors(self, places: list[int]) -> dict[int, Vectors]:
        """All vectors of the recordings at these places; zeros where they have none of this length."""
        entries, dimensions = self.catalogue.entries, self.catalogue.dimensions
        made: dict[int, Vectors] = {
            place: np.zeros((entries[place].size, dimensions), np.float32) for place in places
        }
        self._load([(entries[p], made[p]) for p in places if entries[p].dimensions == dimensions])
        return made

    def _load(self, wanted: Sequence[tuple[Entry, Vectors]]) -> None:
        read_vectors(self._connection, {entry.key: into for entry, into in wanted})

    def _caches(self) -> dict[str, dict[str, Any]]:
        self._store.pending.flush()
        with self._store.database.reading() as now:  # later than the snapshot, which has none of these
            return cache_stats(now, self._number)

    def _bytes(self) -> int:
        return self._store.database.size(self._connection, self._number)


class SqlStore:
    """See `onrecord.stores.base.Store`."""

    def __init__(self, database: Database, workspace: str) -> None:
        self.database, self.workspace = database, workspace
        self.pending = Pending(self._write_cached)
        self._state, self._deriving = _State(generation=-1), Lock()
        self._written = -1

    # ---- reading

    @contextmanager
    def snapshot(self) -> Iterator[SqlReader]:
        with self.database.reading() as connection:
            number, generation = self._generation(connection)
            state = self._state_of(connection, number, generation)
            yield SqlReader(self, number, connection, state)

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
            delete_recording(self.database, connection, workspace, recording.id)
            insert_recording(self.database, connection, workspace, generation, new)

    def set_vectors(self, recording: str, vectors: Vectors) -> None:
        with self._write(f"set vectors of {recording!r} in") as (connection, workspace, generation):
            found = find(connection, workspace, recording)
            if found is None:
                raise NotFoundError(f"there is no recording {recording!r} in workspace {self.workspace!r}")
            check_vectors(recording, found.passages, vectors)
            replace_vectors(self.database, connection, workspace, found, generation, vectors)

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
            delete_vectors(self.database, connection, workspace, generation)
            for recording, own in vectors:
                found = find(connection, workspace, recording)
                if found is not None and found.passages == len(own):
                    replace_vectors(self.database, connection, workspace, found, generation, own)
            if model is not None:
                _put_meta(connection, workspace, "model", model)

    def remove(self, recording: str) -> bool:
        with self._write(f"remove {recording!r} from") as (connection, workspace, _):
            there = delete_recording(self.database, connection, workspace, recording)
            if there:
                self.database.words.purge(connection)
        self.database.wipe()
        return there

    def set_meta(self, key: str, value: Any) -> None:
        with self._write(f"set {key!r} in") as (connection, workspace, _):
            _put_meta(connection, workspace, key, value)

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
        """Write down what waits, unless others are writing just now; values only if nothing was written since
        their version."""
        with suppress(StoreError), self.database.writing("cache in", patience=0.0) as connection:
            workspace = self._number(connection)
            if self._generation(connection)[1] == version:
                for kind, (some, most) in values.items():
                    insert_cached(connection, workspace, kind, some, most)
            for kind, (hits, misses) in usage.items():
                count_cached(connection, workspace, kind, hits, misses)

    def close(self) -> None:
        """Write down what waits, and give back what is open."""
        self.pending.flush()
        self.database.close()

    # ---- states

    @contextmanager
    def _write(self, doing: str) -> Iterator[tuple[Connection, int, int]]:
        """A write transaction on the workspace, whose caches it empties: the connection, the workspace's
        number and its new generation."""
        with self.database.writing(doing) as connection:
            workspace = self._number(connection)
            connection.execute("UPDATE workspaces SET generation = generation + 1 WHERE id = ?", (workspace,))
            delete_cached(connection, workspace)
            number, generation = self._generation(connection)
            yield connection, number, generation
        self._written = max(self._written, generation)

    def _number(self, connection: Connection) -> int:
        """The workspace's number, given to it now where it has none."""
        connection.execute(
            "INSERT INTO workspaces (name, generation) VALUES (?, 0) ON CONFLICT (name) DO NOTHING",
            (self.workspace,),
        )
        return self._generation(connection)[0]

    def _generation(self, connection: Connection) -> tuple[int, int]:
        """The workspace's number and generation; zeros before anything was put into it."""
        sql = "SELECT id, generation FROM workspaces WHERE name = ?"
        return connection.execute(sql, (self.workspace,)).fetchone() or (0, 0)

    def _state_of(self, connection: Connection, workspace: int, generation: int) -> _State:
        """What memory holds of this generation, made from the one before where it has changed."""
        with self._deriving:
            before = self._state
            if before.generation == generation:
                return before
            entries = self._entries(connection, workspace, before.catalogue)
            self._state = _State(generation, entries, before)
            return self._state

    def _entries(self, connection: Connection, workspace: int, before: Catalogue) -> list[Entry]:
        """The workspace's recordings in the order in which they came; only what changed is read."""
        sql = "SELECT key, version FROM recordings WHERE workspace = ? ORDER BY key"
        now = connection.execute(sql, (workspace,)).fetchall()
        known = {(entry.key, entry.version): entry for entry in before.entries}
        read = read_entries(connection, [key for key, version in now if (key, version) not in known])
        return [known[key, version] if (key, version) in known else read[key] for key, version in now]


def _put_meta(connection: Connection, workspace: int, key: str, value: Any) -> None:
    connection.execute("DELETE FROM metas WHERE workspace = ? AND key = ?", (workspace, key))
    if value is not None:
        sql = "INSERT INTO metas (workspace, key, value) VALUES (?, ?, ?)"
        connection.execute(sql, (workspace, key, json.dumps(value)))
