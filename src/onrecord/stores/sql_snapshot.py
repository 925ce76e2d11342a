"""A snapshot of a workspace in SQL tables."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from onrecord.stores.caches import CachedKeys, Pending, Recent, cache_stats, cached_keys, read_cached
from onrecord.stores.catalogue import Catalogue, Entry, distinct
from onrecord.stores.database import Connection, Database, Neighbours, Search
from onrecord.stores.graph.base import GraphSnapshot
from onrecord.stores.graph.sql import GraphCaches, SqlGraphSnapshot
from onrecord.stores.matrix import Matrix
from onrecord.stores.ranking import K1, Scored, divide_by_lengths, idf, saturation, score_term
from onrecord.stores.reading import CatalogueSnapshot
from onrecord.stores.records import PASSAGE, as_passage, read_passages, read_sections, read_vectors
from onrecord.stores.whitening import Space
from onrecord.stores.words import query_terms, terms
from onrecord.types import Passage, PassageTimeline, Section

if TYPE_CHECKING:
    from onrecord.stores.matrix import Stored
    from onrecord.types import Counts, Rows, Scores, Vector, Vectors


_POSTINGS = 8_000_000
"""Posting-list entries that the cache holds at most: 40 MB."""
_SCORES = 4_000_000
"""Per-term passage scores that the cache of one state holds at most: 32 MB."""
_FREQUENCIES = 100_000
"""Terms whose number of passages the cache of one state holds at most."""
_CHARACTERS = 8_000_000
"""Characters of passages that the cache holds at most."""
_SECTIONS = 20_000
"""Sections that the cache holds at most."""
_VECTOR_BYTES = 256_000_000
"""Bytes of vectors that the cache holds at most, for a workspace too large to hold all vectors in memory."""
_MOST_NEAR = 1000
"""Largest number of passages to request from the index."""
_LEAST_MATCHES = 100
"""Smallest number of passages to request from the index in a word search, before BM25 ranks them."""
_NEAR_PASSAGES = 20_000
"""Approximate number of passages that `dense` scores exactly if memory does not hold all vectors.

These are the passages of the recordings that contain the nearest passages.
"""


class Owner(Protocol):
    """The attributes of a store that its snapshots use."""

    workspace: str
    database: Database
    neighbours: Neighbours
    pending: Pending


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """The posting list of a term in one generation.

    `rows` are the rows of the passages that contain the term, ascending. `counts` are the numbers of
    occurrences in these passages. `last` is the last recording of the workspace in that generation.
    """

    rows: Rows
    counts: Counts
    generation: int
    last: Entry | None


Revision = tuple[int, int]
"""A row or key, and the version of its recording. The content that this pair identifies never changes."""


class Contents:
    """Caches of a workspace's contents, shared by all generations.

    An old snapshot never sees newer contents: keys contain the version, and posting lists their generation.
    """

    def __init__(self) -> None:
        self.postings: Recent[str, Postings] = Recent(_POSTINGS, lambda postings: 1 + len(postings.rows))
        self.passages: Recent[Revision, Passage] = Recent(_CHARACTERS, lambda p: 100 + len(p.text))
        self.sections: Recent[Revision, list[Section]] = Recent(_SECTIONS, lambda sections: 1 + len(sections))
        self.vectors: Recent[Revision, Vectors] = Recent(_VECTOR_BYTES, lambda vectors: vectors.nbytes)


class WorkspaceState:
    """The data derived from one generation of a workspace.

    A new state takes over unchanged parts from the state before it.
    """

    def __init__(
        self, generation: int = -1, entries: Sequence[Entry] = (), before: WorkspaceState | None = None
    ) -> None:
        self.generation = generation
        self.catalogue = Catalogue(entries)
        self.matrix: Matrix = Matrix(entries, before.matrix.blocks if before else ())
        self.space: Space = Space(self.catalogue, before.space if before else None)
        # An older generation reads for itself: `removed` of the later ones does not say what left since.
        shared = before.contents if before and before.generation < generation else None
        self.contents: Contents = shared or Contents()
        self.removed = generation
        """The last generation that removed recordings of the generation before it."""
        if before and {entry.key for entry in before.catalogue.entries} <= {entry.key for entry in entries}:
            self.removed = before.removed
        self.scored: Recent[str, Scored] = Recent(_SCORES, lambda scored: 1 + len(scored[0]))
        self.frequencies: Recent[str, int] = Recent(_FREQUENCIES, lambda _: 1)
        self.cached = CachedKeys()
        self.graph = GraphCaches()


class SqlSnapshot(CatalogueSnapshot):
    """One snapshot of a workspace: a read transaction, and the state derived from its generation.

    `indexed` says whether the store's index of nearest neighbors contains this workspace. If it does not,
    every vector is scored.
    """

    def __init__(
        self, store: Owner, connection: Connection, number: int, state: WorkspaceState, *, indexed: bool
    ) -> None:
        self.workspace = store.workspace
        self.catalogue, self.space, self._contents = state.catalogue, state.space, state.contents
        self._store, self._number, self._connection, self._state = store, number, connection, state
        self._database, self._neighbours = store.database, store.neighbours
        indexed = indexed and self.catalogue.dimensions <= self._neighbours.most_dimensions
        self._all = not indexed or len(self.catalogue) <= self._neighbours.exact
        """Whether memory holds all vectors."""
        self._asks_index = indexed and len(self.catalogue) >= self._neighbours.indexed
        self._asks_words = self._asks_index and self._neighbours.indexes_words

    @property
    def version(self) -> int:
        return self._state.generation

    @cached_property
    def graph(self) -> GraphSnapshot:
        return SqlGraphSnapshot(self._number, self._connection, self.catalogue, self._state.graph)

    def cached(self, kind: str, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        distinct_keys = list(dict.fromkeys(keys))
        waiting = self._store.pending.get(kind, distinct_keys, self.version)
        stored = self._state.cached.may_have(
            kind,
            [key for key in distinct_keys if key not in waiting],
            lambda: cached_keys(self._connection, self._number, kind),
        )
        return {**waiting, **read_cached(self._connection, self._number, kind, stored)}

    def metas(self) -> dict[str, Any]:
        sql = "SELECT key, value FROM metas WHERE workspace = ? ORDER BY key"
        return {key: json.loads(value) for key, value in self._connection.execute(sql, (self._number,))}

    def meta(self, key: str) -> Any:
        sql = "SELECT value FROM metas WHERE workspace = ? AND key = ?"
        row = self._connection.execute(sql, (self._number, key)).fetchone()
        return json.loads(row[0]) if row else None

    def sections(self, recording: str) -> list[Section]:
        entry = self.catalogue.entry(recording)
        if entry is None:
            return []
        revision = entry.key, entry.version
        sections = self._contents.sections.get(
            [revision], lambda _: {revision: read_sections(self._connection, entry.key)}
        )
        return list(sections[revision])

    def passages(self, rows: Sequence[int] | Rows) -> list[Passage]:
        numbers = np.asarray(rows, np.int64)
        existing = self.catalogue.revisions(numbers[self.catalogue.slots_of_rows(numbers) >= 0])
        passages = self._contents.passages.get(existing, self._read_passages)
        return [passages[revision] for revision in existing if revision in passages]

    def transcript(self, recording: str, first: int = 0, last: int | None = None) -> list[Passage]:
        entry = self.catalogue.entry(recording)
        if entry is None:
            return []
        end = entry.size if last is None else min(last + 1, entry.size)
        return self.passages(range(entry.first + max(first, 0), entry.first + end))

    def _read_passages(self, revisions: list[Revision]) -> dict[Revision, Passage]:
        version = dict(revisions)
        slots = self.catalogue.slots_of_rows(np.array(list(version), np.int64))
        runs = list(self.catalogue.runs(slots))
        of_recordings = {entry.key: entry.version for entry, *_ in runs}
        sections = self._database.read_sections_ahead(self._connection, list(of_recordings))
        passages = {
            (p.row, version[p.row]): p for p in read_passages(self._connection, runs) if p.row in version
        }
        if sections:
            self._contents.sections.put({(key, of_recordings[key]): own for key, own in sections().items()})
        return passages

    def _scored(self, terms: Sequence[str]) -> list[Scored]:
        scored = self._state.scored.get(terms, self._score_terms)
        return [scored[term] for term in terms]

    def _score_terms(self, terms: list[str]) -> dict[str, Scored]:
        lengths, mean = self.catalogue.lengths, self.catalogue.mean_length
        scored: dict[str, Scored] = {}
        for term, postings in self._postings(terms).items():
            slots = self.catalogue.slots_of_all(postings.rows).astype(np.int32)
            scored[term] = slots, score_term(slots, postings.counts, lengths, mean)
        return scored

    def _postings(self, terms: list[str]) -> dict[str, Postings]:
        """Return the posting list of each term.

        For a cached posting list, this reads only the recordings that were added since.
        """
        cached = self._contents.postings.get(terms)
        cached = {term: own for term, own in cached.items() if own.generation <= self.version}
        asked = [term for term in terms if term not in cached or cached[term].generation < self.version]
        last_read = {term: cached[term].last if term in cached else None for term in asked}
        added = self._database.words.read(self._connection, self._number, last_read) if asked else []
        current = {
            term: self._joined(cached.get(term), *postings)
            for term, postings in zip(asked, added, strict=True)
        }
        self._contents.postings.replace(current, lambda own: own.generation)
        return {term: current.get(term) or cached[term] for term in terms}

    def add_postings(self, postings: Mapping[str, tuple[Rows, Counts]]) -> None:
        """Cache complete posting lists that were read in this snapshot."""
        current = {term: self._joined(None, *whole) for term, whole in postings.items()}
        self._contents.postings.replace(current, lambda own: own.generation)

    def _joined(self, before: Postings | None, rows: Rows, counts: Counts) -> Postings:
        """Return the current posting list, made from an earlier one and the postings added since.

        Passages that were removed since then are left out. Without an earlier posting list, `rows` and
        `counts` must be complete.
        """
        if before:
            rows = np.concatenate((before.rows, rows)) if len(rows) else before.rows
            counts = np.concatenate((before.counts, counts)) if len(counts) else before.counts
            if before.generation < self._state.removed:
                exists = self.catalogue.slots_of_rows(rows) >= 0
                rows, counts = rows[exists], counts[exists]
        last = self.catalogue.entries[-1] if self.catalogue.entries else None
        return Postings(_narrow(rows, np.int32), _narrow(counts, np.int8), self.version, last)

    def _beginning(self, letters: str) -> frozenset[str]:
        return self._database.words.beginning(self._connection, self._number, letters)

    # ---- vectors: memory holds all of them up to a size, and above it those of the nearest recordings

    def dense(self, vector: Vector, timeline: PassageTimeline) -> Scores:
        if self._all or len(timeline) <= _NEAR_PASSAGES:
            return super().dense(vector, timeline)
        query = np.asarray(vector, np.float32)
        if len(query) != self.catalogue.dimensions:
            return np.zeros(len(timeline), np.float32)
        rows, products = self._candidates(query, timeline, _MOST_NEAR)
        # Score the recordings of the nearest passages exactly. All others get the lowest of these scores.
        whole_recordings: set[str] = set()
        room = _NEAR_PASSAGES
        for place in dict.fromkeys((np.searchsorted(self.catalogue.firsts, rows, "right") - 1).tolist()):
            if room <= 0:
                break
            entry = self.catalogue.entries[place]
            whole_recordings.add(entry.recording.id)
            room -= entry.size
        whole = np.array([name in whole_recordings for name in timeline.names], bool)[timeline.recordings]
        slots = self.catalogue.slots_of_rows(timeline.rows[whole])
        exact = self._products(query[None], slots, [None])[0]
        scores = np.full(len(timeline), exact.min(initial=0.0), np.float32)
        at = np.minimum(np.searchsorted(timeline.rows, rows), len(timeline) - 1)
        there = timeline.rows[at] == rows  # a timeline may be older than the snapshot
        scores[at[there]] = products[there]
        scores[whole] = exact
        return scores

    def whitened(self, vector: Vector, timeline: PassageTimeline) -> tuple[Scores, Scores]:
        if self._all:
            return super().whitened(vector, timeline)
        plain = self.dense(vector, timeline)
        return plain, plain

    def nearest(self, vector: Vector, timeline: PassageTimeline, most: int) -> tuple[Rows, Scores]:
        query = np.asarray(vector, np.float32)
        if not self._asks_index or len(query) != self.catalogue.dimensions:
            return super().nearest(query, timeline, most)
        return self._candidates(query, timeline, most)

    def frequencies(self, terms: Iterable[str]) -> dict[str, int]:
        return self._state.frequencies.get(list(dict.fromkeys(terms)), self._count)

    def _count(self, terms: list[str]) -> dict[str, int]:
        counts = self._database.words.count(self._connection, self._number, terms)
        return dict(zip(terms, counts, strict=True))

    def best_matches(self, words: Sequence[str], timeline: PassageTimeline, most: int) -> tuple[Rows, Scores]:
        query = query_terms(words)
        if not self._asks_words or not query or not self.catalogue.all_have_vectors:
            return super().best_matches(words, timeline, most)
        counts = self.frequencies(query)
        weights = {term: idf(len(self.catalogue), counts[term]) for term in query}
        rows, _ = self._candidates(weights, timeline, min(max(2 * most, _LEAST_MATCHES), _MOST_NEAR))
        lengths = self.catalogue.lengths[self.catalogue.slots_of_rows(rows)]
        counts_of = [Counter(terms(passage.spoken)) for passage in self.passages(rows)]
        scores = np.zeros(len(rows), np.float32)  # the same BM25 scores as `keyword` returns
        for term, weight in weights.items():
            own = np.array([count[term] for count in counts_of], np.int32)
            scores += saturation(own, lengths, self.catalogue.mean_length) * (weight * (K1 + 1))
        best = np.lexsort((rows, -scores))[: min(most, int((scores > 0).sum()))]
        return rows[best], scores[best]

    def _candidates(
        self, query: Vector | Mapping[str, float], timeline: PassageTimeline, most: int
    ) -> tuple[Rows, Scores]:
        """Return the first rows of the timeline that the index finds for a query, and their products.

        The index may also return passages of these recordings that are not on the timeline. These are
        dropped, so the search is repeated with a higher limit.
        """
        keys, whole = None, self.catalogue.whole
        if timeline is not whole and not np.array_equal(timeline.rows, whole.rows):
            entries = [self.catalogue.entry(name) for name in timeline.names]
            keys = [entry.key for entry in entries if entry]
        on_timeline, limit = set(timeline.rows.tolist()) if keys is not None else None, most
        while True:
            search = Search(self._number, self.catalogue.dimensions, query, keys, limit)
            matches = self._neighbours.nearest(self._connection, search)
            self._cache_passages([values for _, *values in matches])
            on_line = [each for each in matches if on_timeline is None or each[1] in on_timeline][:most]
            if len(on_line) == most or len(matches) < limit or limit >= _MOST_NEAR:
                rows, products = np.array([row for _, row, *_ in on_line]), np.array([p for p, *_ in on_line])
                return rows.astype(np.int64), products.astype(np.float32)
            limit = min(4 * limit, _MOST_NEAR)

    def _cache_passages(self, rows: Sequence[Sequence[Any]]) -> None:
        """Cache the passages that a search returned, and the sections in its rows."""
        slots = self.catalogue.slots_of_rows(np.array([values[0] for values in rows], np.int64))
        places = np.searchsorted(self.catalogue.starts, slots, "right") - 1
        passages: dict[Revision, Passage] = {}
        sections: dict[Revision, list[Section]] = {}
        for place, (row, *values) in zip(places, rows, strict=True):
            entry, own = self.catalogue.entries[place], values[len(PASSAGE) :]
            passages[row, entry.version] = as_passage(entry, (row, *values[: len(PASSAGE)]))
            if own and own[0] is not None:
                sections[entry.key, entry.version] = [Section(*each) for each in own[0]]
        self._contents.sections.put(sections)
        self._contents.passages.put(passages)

    def _products(self, queries: Vectors, slots: Rows | None, lengths: Sequence[Scores | None]) -> Vectors:
        if self._all:
            return self._state.matrix.products(queries, slots, lengths, self._load)
        slots = np.arange(len(self.catalogue)) if slots is None else slots
        return divide_by_lengths(queries @ self._rows(slots, queries.shape[1]).T, lengths)

    def _vectors(self, slots: Rows) -> Vectors:
        return self._rows(slots, self.catalogue.dimensions)

    def _rows(self, slots: Rows, dimensions: int) -> Vectors:
        """Return the vectors of this length in these slots; a passage without one gets zeros."""
        if self._all:
            return self._state.matrix.rows(slots, dimensions, self._load)
        places, entries = np.searchsorted(self.catalogue.starts, slots, "right") - 1, self.catalogue.entries
        place_of = {(entries[at].key, entries[at].version): at for at in distinct(places).tolist()}
        with_vectors = [each for each, at in place_of.items() if entries[at].dimensions == dimensions]
        vectors = np.zeros((len(slots), dimensions), np.float32)
        for revision, rows in self._contents.vectors.get(with_vectors, self._read_vectors).items():
            inside = places == place_of[revision]
            vectors[inside] = rows[slots[inside] - self.catalogue.starts[place_of[revision]]]
        return vectors

    def _read_vectors(self, revisions: list[Revision]) -> dict[Revision, Vectors]:
        version = dict(revisions)
        return {
            (key, version[key]): np.multiply(rows, np.float32(scale), dtype=np.float32)
            for key, scale, rows in read_vectors(self._connection, list(version))
        }

    def _load(self, entries: Sequence[Entry]) -> Iterator[Stored]:
        return read_vectors(self._connection, [entry.key for entry in entries])

    def _caches(self) -> dict[str, dict[str, Any]]:
        return cache_stats(self._connection, self._number)

    def _bytes(self) -> int:
        passages = (
            'SELECT coalesce(sum(length(text) + length(marks)), 0) FROM recordings JOIN passages ON "row" '
            "BETWEEN first_row AND first_row + length(lengths) / 4 - 1 WHERE workspace = ?"
        )
        vectors = (
            "SELECT coalesce(sum(length(data)), 0) FROM recordings JOIN vectors ON recording = key "
            "WHERE workspace = ?"
        )
        rows = [self._connection.execute(sql, (self._number,)).fetchone() for sql in (passages, vectors)]
        return sum(int(size) for (size,) in rows)


def _narrow(numbers: Rows | Counts, kind: type[np.signedinteger[Any]]) -> Any:
    """Convert the numbers to the smaller type if all of them fit."""
    return numbers.astype(kind) if numbers.max(initial=0) <= np.iinfo(kind).max else numbers
