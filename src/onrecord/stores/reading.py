"""The part of reading that all stores share, independent of where they store their data."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from onrecord.errors import StoreError
from onrecord.stores.base import Snapshot
from onrecord.stores.catalogue import Catalogue
from onrecord.stores.ranking import Scored, bm25, within
from onrecord.stores.whitening import Space
from onrecord.stores.words import query_terms, terms
from onrecord.types import Passage, PassageTimeline, Recording, Scope, to_millisecond

if TYPE_CHECKING:
    from onrecord.types import Counts, Rows, Scores, Vector, Vectors

_NARROW = 1 / 8
"""Share of the passages below which looking up each one in the posting lists is faster than scoring all."""


class CatalogueSnapshot(Snapshot):
    """The methods of a Snapshot that follow from a catalogue, posting lists, and vectors by slot."""

    catalogue: Catalogue
    space: Space

    @abstractmethod
    def _scored(self, terms: Sequence[str]) -> list[Scored]:
        """Return, for each term, the slots of the passages that contain it, and their BM25 for it."""

    @abstractmethod
    def _beginning(self, letters: str) -> frozenset[str]:
        """Return the terms of the workspace that begin with these letters or digits."""

    @abstractmethod
    def _products(self, queries: Vectors, slots: Rows | None, lengths: Sequence[Scores | None]) -> Vectors:
        """Return the products of each query with the vectors in these slots (None: all).

        The shape is (queries, slots); a passage without a vector gets 0. The products of a query are divided
        by its `lengths`, unless these are None.
        """

    @abstractmethod
    def _vectors(self, slots: Rows) -> Vectors:
        """Return the vectors in these slots, of shape (slots, catalogue's dimensions)."""

    @abstractmethod
    def _bytes(self) -> int:
        """Return the size of the workspace in bytes."""

    @abstractmethod
    def _caches(self) -> dict[str, dict[str, Any]]:
        """Return the statistics of each cache, by kind."""

    def recording(self, id: str) -> Recording | None:  # noqa: A002 - the field's own name
        entry = self.catalogue.entry(id)
        return entry.recording if entry else None

    def recordings(self, scope: Scope = Scope()) -> list[Recording]:  # noqa: B008 - frozen
        inside = set(self.timeline(scope).names)
        return sorted((e.recording for e in self.catalogue.entries if e.recording.id in inside), key=by_date)

    def without_vectors(self) -> list[str]:
        return list(self.catalogue.without_vectors)

    def stats(self) -> dict[str, Any]:
        entries = self.catalogue.entries
        return {
            "recordings": len(entries),
            "passages": len(self.catalogue),
            "words": int(self.catalogue.lengths.sum()),
            "seconds": to_millisecond(sum(entry.recording.seconds or 0.0 for entry in entries)),
            "speakers": len({name for entry in entries for name in entry.speakers}),
            "embedded": sum(entry.size for entry in entries if entry.dimensions),
            "bytes": self._bytes(),
            "caches": self._caches(),
        }

    def timeline(self, scope: Scope = Scope()) -> PassageTimeline:  # noqa: B008 - frozen
        return self.catalogue.timeline(scope)

    def dense(self, vector: Vector, timeline: PassageTimeline) -> Scores:
        query = np.asarray(vector, np.float32)
        return self._spread(timeline, lambda slots: self._products(query[None], slots, [None])[0])

    def whitened(self, vector: Vector, timeline: PassageTimeline) -> tuple[Scores, Scores]:
        query = np.asarray(vector, np.float32)
        whitening = self.space.whitening(self._vectors) if len(query) == self.catalogue.dimensions else None
        if whitening is None:
            plain = self.dense(query, timeline)
            return plain, plain
        queries = np.stack((query, whitening.query(query)))

        def cosines(slots: Rows | None) -> Vectors:
            lengths = self.space.lengths(slots, whitening, self._vectors)
            return self._products(queries, slots, [None, lengths])

        plain, whitened = self._spread(timeline, cosines)
        return plain, whitened

    def keyword(self, words: Sequence[str], timeline: PassageTimeline) -> Scores:
        scored, passages = self._scored(query_terms(words)), len(self.catalogue)
        if len(timeline) < _NARROW * passages:
            return self._spread(timeline, lambda slots: bm25(scored, passages, slots))
        scores = bm25(scored, passages)
        return self._spread(timeline, lambda slots: scores if slots is None else scores[slots])

    def term_scores(
        self, words: Sequence[str], timeline: PassageTimeline
    ) -> Iterator[tuple[Rows | Counts, Scores]]:
        scored = self._scored(query_terms(words))
        if timeline is self.catalogue.whole:
            yield from scored
            return
        slots = self.catalogue.slots(timeline)
        present = np.flatnonzero(slots >= 0)
        for term in scored:
            at, scores = within(term, slots[present])
            yield present[at], scores

    def heard(self, words: Iterable[str]) -> frozenset[str]:
        cuts = {word: terms(word) for word in words}
        distinct = list(dict.fromkeys(term for cut in cuts.values() for term in cut))
        spoken = {
            term for term, (slots, _) in zip(distinct, self._scored(distinct), strict=True) if len(slots)
        }
        return frozenset(word for word, cut in cuts.items() if cut and spoken.issuperset(cut))

    def frequencies(self, terms: Iterable[str]) -> dict[str, int]:
        distinct = list(dict.fromkeys(terms))
        return {term: len(slots) for term, (slots, _) in zip(distinct, self._scored(distinct), strict=True)}

    def holding(self, word: str, most: int) -> Rows:
        of_terms = [slots for slots, _ in self._scored(terms(word))]
        slots = reduce(np.intersect1d, of_terms) if of_terms else np.empty(0, np.int64)
        rows: Rows = self.catalogue.whole.rows[slots[:most]]
        return rows

    def beginning(self, letters: str) -> frozenset[str]:
        return self._beginning(letters) if letters.isalnum() else frozenset()

    def vectors(self, rows: Sequence[int] | Rows) -> Vectors:
        slots = self.catalogue.slots_of_rows(np.asarray(rows, np.int64))
        exists = slots >= 0
        vectors = np.zeros((len(slots), self.catalogue.dimensions), np.float32)
        if self.catalogue.dimensions:
            vectors[exists] = self._vectors(slots[exists])
        return vectors

    def _spread(self, timeline: PassageTimeline, score: Callable[[Rows | None], Scores]) -> Scores:
        """Return scores of the timeline's passages, computed by slot; 0 for deleted passages.

        `score` returns the scores of these slots (None: all slots).
        """
        if timeline is self.catalogue.whole:
            return score(None)
        slots = self.catalogue.slots(timeline)
        exists = slots >= 0
        scores_of_slots = score(slots[exists])
        scores = np.zeros((*scores_of_slots.shape[:-1], len(timeline)), np.float32)
        scores[..., exists] = scores_of_slots
        return scores


class OfSnapshot:
    """A method that opens a new snapshot and calls the snapshot's method of the same name."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, store: Any, owner: type) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            with store.snapshot() as now:
                return getattr(now, self._name)(*arguments, **options)

        return call


class CurrentState(ABC):
    """The part of `onrecord.stores.base.Store` that reads. Each call reads a new snapshot."""

    @abstractmethod
    def snapshot(self, words: Sequence[str] = ()) -> AbstractContextManager[Snapshot]:
        """Open a snapshot of the current state."""

    @property
    def version(self) -> int:
        with self.snapshot() as now:
            return now.version

    def term_scores(
        self, words: Sequence[str], timeline: PassageTimeline
    ) -> Iterator[tuple[Rows | Counts, Scores]]:
        with self.snapshot() as now:
            yield from now.term_scores(words, timeline)

    cached = OfSnapshot()
    metas = OfSnapshot()
    meta = OfSnapshot()
    recording = OfSnapshot()
    recordings = OfSnapshot()
    without_vectors = OfSnapshot()
    sections = OfSnapshot()
    passages = OfSnapshot()
    transcript = OfSnapshot()
    stats = OfSnapshot()
    timeline = OfSnapshot()
    dense = OfSnapshot()
    nearest = OfSnapshot()
    whitened = OfSnapshot()
    keyword = OfSnapshot()
    best_matches = OfSnapshot()
    heard = OfSnapshot()
    frequencies = OfSnapshot()
    holding = OfSnapshot()
    beginning = OfSnapshot()
    vectors = OfSnapshot()


def by_date(recording: Recording) -> tuple[bool, str, str, str]:
    """Return a sort key for recordings: by date, then title; undated recordings last."""
    date = recording.details.date
    return date is None, date or "", recording.title.casefold(), recording.id


def check_passages(recording: str, passages: Sequence[Passage], count: int) -> None:
    """Raise StoreError unless these are all `count` passages of the recording, in order."""
    for at, passage in enumerate(passages):
        if passage.recording != recording or passage.position != at:
            raise StoreError(
                f"cannot keep recording {recording!r}: its passage {at} says it is "
                f"{passage.position} of {passage.recording!r}; positions must run 0, 1, 2, ..."
            )
    if len(passages) != count:
        raise StoreError(
            f"cannot keep the sections of {recording!r}: it has {count} passages, and {len(passages)} "
            "were given; give all of them"
        )


def check_vectors(recording: str, passages: int, vectors: Vectors | None) -> None:
    """Raise StoreError unless there is one row of finite numbers for each passage."""
    if vectors is None:
        return
    if vectors.ndim != 2 or len(vectors) != passages:
        raise StoreError(
            f"cannot keep the vectors of {recording!r}: expected one row for each of its {passages} "
            f"passages, found an array of shape {vectors.shape}"
        )
    if not np.isfinite(vectors).all():
        raise StoreError(f"cannot keep the vectors of {recording!r}: some numbers are not finite")
