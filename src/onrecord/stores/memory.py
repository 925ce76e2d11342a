"""A store of one workspace in plain Python values: the test double and the reference for other stores."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from onrecord.errors import NotFoundError
from onrecord.stores.caches import KINDS, cache_figures
from onrecord.stores.catalogue import Catalogue, Entry, sections_of
from onrecord.stores.graph.memory import MemoryGraph
from onrecord.stores.ranking import Scored, divide_by_lengths, score_term
from onrecord.stores.reading import CatalogueSnapshot, CurrentState, check_passages, check_vectors
from onrecord.stores.records import with_rows
from onrecord.stores.whitening import Space
from onrecord.stores.words import terms
from onrecord.stores.writing import Addition, RecordingWriter
from onrecord.types import Passage, Section

if TYPE_CHECKING:
    from onrecord.types import Rows, Scores, Vectors

StoredParts = tuple[Entry, tuple[Passage, ...], tuple[Section, ...], "Vectors | None"]


class Caches:
    """The cached values and the usage statistics of one state."""

    def __init__(self, usage: dict[str, tuple[int, int]] | None = None) -> None:
        self.values: dict[str, dict[bytes, bytes]] = {kind: {} for kind in KINDS}
        self.usage = usage or dict.fromkeys(KINDS, (0, 0))


class MemorySnapshot(CatalogueSnapshot):
    """One state of a MemoryStore."""

    def __init__(
        self,
        workspace: str,
        stored: dict[str, StoredParts],
        metas: dict[str, str],
        version: int,
        caches: Caches,
        graph: MemoryGraph,
    ) -> None:
        self.workspace, self.stored, self.stored_metas = workspace, stored, metas
        self._version, self.cached_values, self._graph = version, caches, graph
        self.catalogue = Catalogue(entry for entry, *_ in stored.values())
        self.space = Space(self.catalogue)
        self._all = [passage for _, passages, *_ in stored.values() for passage in passages]

    def frozen(self) -> MemorySnapshot:
        """Return this state with a graph of its own, which learns nothing more."""
        state = copy(self)
        state._graph = self._graph.of(self.stored)
        return state

    @property
    def version(self) -> int:
        return self._version

    @property
    def graph(self) -> MemoryGraph:
        return self._graph

    def cached(self, kind: str, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        values = self.cached_values.values[kind]
        return {key: values[key] for key in keys if key in values}

    def metas(self) -> dict[str, Any]:
        values = {key: json.loads(value) for key, value in sorted(self.stored_metas.items())}
        return {key: value for key, value in values.items() if value is not None}

    def sections(self, recording: str) -> list[Section]:
        return list(self.stored[recording][2]) if recording in self.stored else []

    def passages(self, rows: Sequence[int] | Rows) -> list[Passage]:
        slots = self.catalogue.slots_of_rows(np.asarray(rows, np.int64))
        return [self._all[slot] for slot in slots if slot >= 0]

    def _scored(self, terms: Sequence[str]) -> list[Scored]:
        return [self._score(term) for term in terms]

    def _score(self, term: str) -> Scored:
        counts = np.array([terms(passage.spoken).count(term) for passage in self._all], np.int32)
        slots = np.flatnonzero(counts)
        lengths, mean = self.catalogue.lengths, self.catalogue.mean_length
        return slots, score_term(slots, counts[slots], lengths, mean)

    def _beginning(self, letters: str) -> frozenset[str]:
        terms_of_passages = (terms(passage.spoken) for passage in self._all)
        return frozenset(term for own in terms_of_passages for term in own if term.startswith(letters))

    def _matrix(self, dimensions: int) -> Vectors:
        parts: list[Vectors] = [np.zeros((0, dimensions), np.float32)]
        for entry, _, _, vectors in self.stored.values():
            if vectors is None or vectors.shape[1] != dimensions:
                vectors = np.zeros((entry.size, dimensions), np.float32)
            parts.append(vectors)
        return np.concatenate(parts)

    def _products(self, queries: Vectors, slots: Rows | None, lengths: Sequence[Scores | None]) -> Vectors:
        matrix = self._matrix(queries.shape[1])
        return divide_by_lengths(queries @ (matrix if slots is None else matrix[slots]).T, lengths)

    def _vectors(self, slots: Rows) -> Vectors:
        return self._matrix(self.catalogue.dimensions)[slots]

    def _caches(self) -> dict[str, dict[str, Any]]:
        return {
            kind: cache_figures(len(values), _size(values), *self.cached_values.usage[kind])
            for kind, values in self.cached_values.values.items()
        }

    def _bytes(self) -> int:
        return sum(len(passage.text) for passage in self._all)


class MemoryStore(CurrentState, RecordingWriter):
    """A store in memory: see `onrecord.stores.base.Store`.

    Each write creates a new state; a snapshot keeps the state that it began with.
    """

    def __init__(self, workspace: str = "default") -> None:
        self.workspace = workspace
        self._state = MemorySnapshot(workspace, {}, {}, 0, Caches(), MemoryGraph({}.__contains__))
        self._keys, self._next_row = count(1), 1

    @property
    def graph(self) -> MemoryGraph:
        return self._state.graph

    @contextmanager
    def snapshot(self, words: Sequence[str] = ()) -> Iterator[MemorySnapshot]:
        yield self._state.frozen()

    def _put(self, new: Addition) -> None:
        first = self._next_row
        self._next_row += len(new.passages)
        entry = Entry(
            key=next(self._keys),
            version=0,
            recording=new.recording,
            first=first,
            lengths=np.array([len(passage.text.split()) for passage in new.passages], np.int32),
            speakers=new.speakers_at,
            sections=new.sections_at,
            dimensions=0,
        )
        name, passages = new.recording.id, tuple(with_rows(new.passages, first))
        self.remove(name)
        self._replace_state({**self._state.stored, name: _with(entry, passages, new.sections, new.vectors)})
        if new.knowledge is not None:
            self.graph.learn(name, new.knowledge)

    def set_vectors(self, recording: str, vectors: Vectors) -> None:
        entry, passages, sections, _ = self._parts(recording)
        check_vectors(recording, len(passages), vectors)
        self._replace_state({**self._state.stored, recording: _with(entry, passages, sections, vectors)})

    def set_sections(self, recording: str, passages: Sequence[Passage], sections: Sequence[Section]) -> None:
        entry, before, _, vectors = self._parts(recording)
        check_passages(recording, passages, len(before))
        changed = tuple(
            replace(was, section=now.section, importance=now.importance, before=now.before, after=now.after)
            for was, now in zip(before, passages, strict=True)
        )
        entry = replace(entry, sections=sections_of(changed, sections))
        self._replace_state({**self._state.stored, recording: (entry, changed, tuple(sections), vectors)})

    def exchange_vectors(
        self, vectors: Iterable[tuple[str, Vectors]], model: Mapping[str, str] | None = None
    ) -> None:
        new_vectors = dict(vectors)
        fitting = {
            name: own
            for name, own in new_vectors.items()
            if len(own) == len(self._state.stored.get(name, ((), ()))[1])
        }
        for name, fit in fitting.items():
            check_vectors(name, len(fit), fit)
        stored = {name: _with(*stored[:3], fitting.get(name)) for name, stored in self._state.stored.items()}
        own = {} if model is None else {"model": json.dumps(dict(model))}
        self._replace_state(stored, {**self._state.stored_metas, **own})

    def remove(self, recording: str) -> bool:
        before = self._state.stored
        self._replace_state({name: stored for name, stored in before.items() if name != recording})
        return recording in before

    def set_meta(self, key: str, value: Any) -> None:
        self._replace_state(self._state.stored, {**self._state.stored_metas, key: json.dumps(value)})

    def cache(self, kind: str, values: Mapping[bytes, bytes], version: int, most: int) -> None:
        if version != self._state.version:
            return
        cached = self._state.cached_values.values[kind]
        cached.update(values)
        while _size(cached) > most:
            del cached[next(iter(cached))]

    def count(self, kind: str, hits: int, misses: int) -> None:
        before = self._state.cached_values.usage[kind]
        self._state.cached_values.usage[kind] = before[0] + hits, before[1] + misses

    def compare(self) -> None:
        """Return None: there is no index outside the store."""

    def mend(self) -> None:
        """Do nothing: there is no index outside the store."""

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _parts(self, recording: str) -> StoredParts:
        if recording not in self._state.stored:
            raise NotFoundError(f"there is no recording {recording!r} in workspace {self.workspace!r}")
        return self._state.stored[recording]

    def _replace_state(self, stored: dict[str, StoredParts], metas: dict[str, str] | None = None) -> None:
        self._state = MemorySnapshot(
            self.workspace,
            stored,
            self._state.stored_metas if metas is None else metas,
            self._state.version + 1,
            Caches(self._state.cached_values.usage),
            self._state.graph.of(stored),
        )


def _size(values: Mapping[bytes, bytes]) -> int:
    return sum(len(key) + len(value) for key, value in values.items())


def _with(
    entry: Entry, passages: tuple[Passage, ...], sections: Sequence[Section], vectors: Vectors | None
) -> StoredParts:
    dimensions = 0 if vectors is None else vectors.shape[1]
    matrix = None if vectors is None else np.array(vectors, np.float32)
    return replace(entry, dimensions=dimensions), passages, tuple(sections), matrix
