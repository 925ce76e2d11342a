"""The interface of a store. A store takes vectors, never an embedder.

To write one, inherit `Reader` and `Store` and define the methods that end in ``...``. The others are derived
from those; override one if your store can do it quicker.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

from onrecord.stores.graph.base import GraphReader, GraphStore
from onrecord.stores.words import query_terms, terms
from onrecord.types import Passage, PassageTimeline, Recording, Scope, Section, to_millisecond

if TYPE_CHECKING:
    from onrecord.stores.database import Comparison
    from onrecord.types import Counts, Knowledge, Rows, Scores, Vector, Vectors


class Reader(Protocol):
    """Read access to one workspace. Nothing of another workspace can be seen through it.

    A row number is never used twice, so a timeline may outlive its passages: a deleted passage scores 0, has
    a zero vector, and is left out of `passages`.
    """

    workspace: str

    @property
    def version(self) -> int:
        """A number that rises with every write to the workspace."""
        ...

    @property
    def graph(self) -> GraphReader:
        """The people, places and concepts that the workspace mentions, and the relations between them."""
        ...

    def metas(self) -> dict[str, Any]:
        """All values that `Store.set_meta` stored, by key."""
        ...

    def recording(self, id: str) -> Recording | None:  # noqa: A002 - the field's own name
        """The recording with this id; None if there is none."""
        ...

    def recordings(self, scope: Scope = ...) -> list[Recording]:
        """The recordings with passages in scope, by date, then title. Undated ones come last."""
        ...

    def sections(self, recording: str) -> list[Section]:
        """The sections of a recording as they were added; an empty list if there is no such recording."""
        ...

    def passages(self, rows: Sequence[int] | Rows) -> list[Passage]:
        """The passages in these rows, in the order of the rows."""
        ...

    def timeline(self, scope: Scope = ...) -> PassageTimeline:
        """All passages in scope, by recording, then position. Raises SettingError for a bad date."""
        ...

    def dense(self, vector: Vector, timeline: PassageTimeline) -> Scores:
        """The cosine of every passage of the timeline with `vector`, float32 of shape (passages,).

        It is exact as long as the store holds all vectors in memory. Above that size it is exact for the
        recordings with the nearest passages, and all others score as the lowest of these. A passage without a
        vector scores 0.
        """
        ...

    def keyword(self, words: Sequence[str], timeline: PassageTimeline) -> Scores:
        """The BM25 score of every passage of the timeline for `words`, float32 of shape (passages,), >= 0.
        The words are plain text, never query syntax."""
        ...

    def vectors(self, rows: Sequence[int] | Rows) -> Vectors:
        """The stored vectors of these rows, float32 of shape (rows, dimensions), in the order of the rows. A
        row without a vector gets zeros."""
        ...

    # ---- made of those

    def meta(self, key: str) -> Any:
        """The value stored under `key`; None if there is none."""
        return self.metas().get(key)

    def transcript(self, recording: str, first: int = 0, last: int | None = None) -> list[Passage]:
        """Passages `first` to `last` (inclusive; None: to the end) of a recording, in order."""
        rows = self.timeline(Scope(recordings=(recording,))).rows
        return self.passages(rows[max(first, 0) : None if last is None else last + 1])

    def stats(self) -> dict[str, Any]:
        """Counts and sizes by name: recordings, passages, words, seconds, speakers, embedded, bytes, caches.

        `caches` has, for "embeddings" and "results", the number of values, bytes, hits, misses and the hit
        rate.
        """
        recordings, timeline, bare = self.recordings(), self.timeline(), set(self.without_vectors())
        return {
            "recordings": len(recordings),
            "passages": len(timeline),
            "words": int(timeline.words.sum()),
            "seconds": to_millisecond(sum(recording.seconds or 0.0 for recording in recordings)),
            "speakers": len({name for recording in recordings for name in recording.speakers}),
            "embedded": sum(timeline.names[place] not in bare for place in timeline.recordings),
            "bytes": sum(len(passage.text.encode()) for passage in self.passages(timeline.rows)),
            "caches": {},
        }

    def without_vectors(self) -> list[str]:
        """The ids of the recordings whose passages have no vectors yet."""
        timeline = self.timeline()
        has_vector = self.vectors(timeline.rows).any(axis=1)
        embedded, bare = (
            {int(place) for place in timeline.recordings[mask]} for mask in (has_vector, ~has_vector)
        )
        return [name for place, name in enumerate(timeline.names) if place in bare - embedded]

    def whitened(self, vector: Vector, timeline: PassageTimeline) -> tuple[Scores, Scores]:
        """Two scores of every passage of the timeline: `dense`, and the cosine in the workspace's whitened
        space.

        One pass over the vectors makes both (see `stores.whitening`). Both are `dense` if the workspace has
        too few passages for such a space.
        """
        plain = self.dense(vector, timeline)
        return plain, plain

    def term_scores(
        self, words: Sequence[str], timeline: PassageTimeline
    ) -> Iterator[tuple[Rows | Counts, Scores]]:
        """For each term of the words, the indices of the passages of the timeline that contain it, rising,
        and their BM25 for it alone, above 0. Quicker than `keyword` for each."""
        for term in query_terms(words):
            scores = self.keyword([term], timeline)
            at = scores.nonzero()[0]
            yield at, scores[at]

    def heard(self, words: Iterable[str]) -> frozenset[str]:
        """Those of the words whose every term occurs in the workspace. Quicker than `keyword`."""
        cuts = {word: terms(word) for word in words}
        timeline = self.timeline()
        spoken = {
            term: bool(self.keyword([term], timeline).any())
            for term in dict.fromkeys(t for c in cuts.values() for t in c)
        }
        return frozenset(word for word, cut in cuts.items() if cut and all(map(spoken.get, cut)))

    def holding(self, word: str, most: int) -> Rows:
        """Rows of the first `most` passages that contain a word: all of its terms. Quicker than `keyword`."""
        timeline = self.timeline()
        rows = [timeline.rows[self.keyword([term], timeline) > 0] for term in terms(word)]
        of_all = set(rows[0]).intersection(*rows[1:]) if rows else set()
        held: Rows = timeline.rows[[row in of_all for row in timeline.rows]][:most]
        return held

    def beginning(self, letters: str) -> frozenset[str]:
        """The terms of the workspace that begin with these letters (one or more).

        A store that cannot list its terms returns none; then no word of a question counts as misspelt.
        """
        return frozenset()

    def nearest(self, vector: Vector, timeline: PassageTimeline, most: int) -> tuple[Rows, Scores]:
        """Rows of the `most` passages of the timeline nearest to `vector`, and their cosines, best first.

        Equal passages come in the order of the timeline. A store with an index may miss a few.
        """
        from onrecord.stores.ranking import best

        return best(timeline, self.dense(vector, timeline), most)

    def best_matches(self, words: Sequence[str], timeline: PassageTimeline, most: int) -> tuple[Rows, Scores]:
        """Rows and scores of the `most` passages of the timeline with the highest BM25 for words, best first.

        Passages with none of the words are left out. Equal ones come in the order of the timeline. A store
        with an index may miss a few.
        """
        from onrecord.stores.ranking import best

        rows, scores = best(timeline, self.keyword(words, timeline), most)
        return rows[scores > 0], scores[scores > 0]

    def cached(self, kind: str, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """The values that `Store.cache` stored under these keys; a key without a value is left out."""
        return {}


class Store(Reader, Protocol):
    """Read and write access to one workspace.

    Every call sees one consistent state while others write. For several calls that must agree, take a
    `snapshot`. Writers of several processes take turns; one that waits too long gets LockedError. A store may
    be used from several threads.
    """

    @property
    def graph(self) -> GraphStore: ...

    def snapshot(self, words: Sequence[str] = ()) -> AbstractContextManager[Reader]:
        """The store as it is now, whatever is written meanwhile. Ask one question on one snapshot.

        A store on a server reads where these `words` occur in the round trip that begins the snapshot.
        """
        ...

    def add(
        self,
        recording: Recording,
        passages: Sequence[Passage],
        sections: Sequence[Section] = (),
        vectors: Vectors | None = None,
        knowledge: Knowledge | None = None,
    ) -> None:
        """Add a recording, wholly or not at all, in place of the one with the same id.

        `vectors` has one row for each passage, or is None if no model was at hand. `knowledge` is what the
        recording adds to the graph; None if nobody has extracted it. What the replaced recording added to the
        graph leaves with it. Raises StoreError if passages or vectors do not fit the recording.
        """
        ...

    def set_vectors(self, recording: str, vectors: Vectors) -> None:
        """Set the vectors of a recording. Raises NotFoundError, and StoreError for a wrong shape."""
        ...

    def set_sections(self, recording: str, passages: Sequence[Passage], sections: Sequence[Section]) -> None:
        """Replace a recording's sections, and the section, importance, `before` and `after` of its passages.

        All its passages must be given. Their words, times and vectors stay as they are. Raises NotFoundError,
        and StoreError if the passages are not those of the recording.
        """
        ...

    def remove(self, recording: str) -> bool:
        """Delete a recording and all traces of it. Returns False if there is no recording with that id."""
        ...

    def set_meta(self, key: str, value: Any) -> None:
        """Store a small JSON value for the workspace, such as the model's fingerprint. None deletes it."""
        ...

    def exchange_vectors(
        self, vectors: Iterable[tuple[str, Vectors]], model: Mapping[str, str] | None = None
    ) -> None:
        """Replace all vectors of the workspace by those of another model, in one step.

        If this fails, the old ones stay. `model` becomes the meta value "model". A recording that is not in
        `vectors`, or that was changed meanwhile, has none afterwards.
        """
        ...

    def close(self) -> None:
        """Release connections and files. The store cannot be used afterwards."""
        ...

    # ---- done without, where a store has none of its own

    def compare(self) -> Comparison | None:
        """How an index outside the archive differs from its vectors; None without such an index."""
        return None

    def mend(self) -> None:
        """Bring such an index into agreement with the archive. Raises StoreError if it cannot be reached."""

    def cache(self, kind: str, values: Mapping[bytes, bytes], version: int, most: int) -> None:
        """Cache values of a kind ("embeddings" or "results") until the next write to the workspace.

        The oldest leave once all values of the kind take more than `most` bytes. Nothing is stored, and
        nothing raised, if the workspace was written to since `version`, if others are writing just now, or if
        the archive cannot be written.
        """

    def count(self, kind: str, hits: int, misses: int) -> None:
        """Add to a cache's hits and misses, as far as they can be written just now."""
