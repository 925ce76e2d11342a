"""The interface of a store. A store takes vectors, never an embedder.

To write one, inherit `Snapshot` and `Store` and define the methods that end in ``...``. The other methods
call these; override one if your store can do it faster.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

from onrecord.stores.graph.base import GraphSnapshot, GraphStore
from onrecord.stores.words import query_terms, terms
from onrecord.types import Passage, PassageTimeline, Recording, Scope, Section, to_millisecond

if TYPE_CHECKING:
    from onrecord.stores.database import Comparison
    from onrecord.types import Counts, Knowledge, Rows, Scores, Vector, Vectors


class Snapshot(Protocol):
    """Read access to one workspace, isolated from all other workspaces.

    A row number is never used twice, so a timeline may outlive its passages: a deleted passage scores 0, has
    a zero vector, and is left out of `passages`.
    """

    workspace: str

    @property
    def version(self) -> int:
        """A number that increases with every write to the workspace."""
        ...

    @property
    def graph(self) -> GraphSnapshot:
        """The people, places and concepts that the workspace mentions, and the relations between them."""
        ...

    def metas(self) -> dict[str, Any]:
        """Return all values that `Store.set_meta` stored, by key."""
        ...

    def recording(self, id: str) -> Recording | None:  # noqa: A002 - the field's own name
        """Return the recording with this id; None if there is none."""
        ...

    def recordings(self, scope: Scope = ...) -> list[Recording]:
        """Return the recordings with passages in scope, by date, then title. Undated recordings come last."""
        ...

    def sections(self, recording: str) -> list[Section]:
        """Return the sections of a recording as they were added; an empty list for an unknown recording."""
        ...

    def passages(self, rows: Sequence[int] | Rows) -> list[Passage]:
        """Return the passages in these rows, in the order of the rows."""
        ...

    def timeline(self, scope: Scope = ...) -> PassageTimeline:
        """Return all passages in scope, by recording, then position. Raise SettingError for a bad date."""
        ...

    def dense(self, vector: Vector, timeline: PassageTimeline) -> Scores:
        """Return the cosine similarity of `vector` and every passage of the timeline.

        The scores are float32 of shape (passages,). They are exact as long as the store holds all vectors in
        memory. Above that size, the scores are exact for the recordings with the nearest passages, and every
        other passage gets the lowest of these scores. A passage without a vector scores 0.
        """
        ...

    def keyword(self, words: Sequence[str], timeline: PassageTimeline) -> Scores:
        """Return the BM25 score of every passage of the timeline for `words`.

        The scores are float32 of shape (passages,), >= 0. The words are plain text, never query syntax.
        """
        ...

    def vectors(self, rows: Sequence[int] | Rows) -> Vectors:
        """Return the stored vectors of these rows, in the order of the rows.

        The result is float32 of shape (rows, dimensions). A row without a vector gets zeros.
        """
        ...

    # ---- methods that call the methods above

    def meta(self, key: str) -> Any:
        """Return the value stored under `key`; None if there is none."""
        return self.metas().get(key)

    def transcript(self, recording: str, first: int = 0, last: int | None = None) -> list[Passage]:
        """Return passages `first` to `last` (inclusive; None: to the end) of a recording, in order."""
        rows = self.timeline(Scope(recordings=(recording,))).rows
        return self.passages(rows[max(first, 0) : None if last is None else last + 1])

    def stats(self) -> dict[str, Any]:
        """Return counts and sizes by name.

        The names are recordings, passages, words, seconds, speakers, embedded, bytes, caches. For
        "embeddings" and "results", `caches` has the number of values, bytes, hits, misses and the hit rate.
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
        """Return the ids of the recordings whose passages have no vectors yet."""
        timeline = self.timeline()
        has_vector = self.vectors(timeline.rows).any(axis=1)
        embedded, bare = (
            {int(place) for place in timeline.recordings[mask]} for mask in (has_vector, ~has_vector)
        )
        return [name for place, name in enumerate(timeline.names) if place in bare - embedded]

    def whitened(self, vector: Vector, timeline: PassageTimeline) -> tuple[Scores, Scores]:
        """Return two scores of every passage of the timeline: plain and whitened cosine similarity.

        The first is that of `dense`, the second the similarity in the workspace's whitened space. One pass
        over the vectors computes both (see `stores.whitening`). Both are `dense` if the workspace has too few
        passages for a whitened space, or more vectors than memory holds.
        """
        plain = self.dense(vector, timeline)
        return plain, plain

    def term_scores(
        self, words: Sequence[str], timeline: PassageTimeline
    ) -> Iterator[tuple[Rows | Counts, Scores]]:
        """Yield a pair for each term of the words: the passages with that term, and their scores.

        The passages are indices into the timeline, ascending. The scores are their BM25 for this term alone,
        above 0. This is faster than one call of `keyword` for each term.
        """
        for term in query_terms(words):
            scores = self.keyword([term], timeline)
            at = scores.nonzero()[0]
            yield at, scores[at]

    def heard(self, words: Iterable[str]) -> frozenset[str]:
        """Return the words of which every term occurs in the workspace. Faster than `keyword`."""
        cuts = {word: terms(word) for word in words}
        timeline = self.timeline()
        spoken = {
            term: bool(self.keyword([term], timeline).any())
            for term in dict.fromkeys(t for c in cuts.values() for t in c)
        }
        return frozenset(word for word, cut in cuts.items() if cut and all(map(spoken.get, cut)))

    def frequencies(self, terms: Iterable[str]) -> dict[str, int]:
        """Return the document frequency of each term: the number of passages that contain it.

        The terms must be some that `stores.words.terms` returns. Faster than `keyword`.
        """
        timeline = self.timeline()
        return {term: int((self.keyword([term], timeline) > 0).sum()) for term in terms}

    def holding(self, word: str, most: int) -> Rows:
        """Return the rows of the first `most` passages with all terms of a word. Faster than `keyword`."""
        timeline = self.timeline()
        rows = [timeline.rows[self.keyword([term], timeline) > 0] for term in terms(word)]
        of_all = set(rows[0]).intersection(*rows[1:]) if rows else set()
        held: Rows = timeline.rows[[row in of_all for row in timeline.rows]][:most]
        return held

    def beginning(self, letters: str) -> frozenset[str]:
        """Return the terms of the workspace that begin with these letters (one or more).

        A store that cannot list its terms returns none; then no word of a question counts as misspelled.
        """
        return frozenset()

    def nearest(self, vector: Vector, timeline: PassageTimeline, most: int) -> tuple[Rows, Scores]:
        """Return rows and cosine similarities of the `most` passages nearest to `vector`, best first.

        Only passages of the timeline count. Passages with equal scores come in the order of the timeline. A
        store with an index may miss a few.
        """
        from onrecord.stores.ranking import best

        return best(timeline, self.dense(vector, timeline), most)

    def best_matches(self, words: Sequence[str], timeline: PassageTimeline, most: int) -> tuple[Rows, Scores]:
        """Return rows and scores of the `most` passages with the highest BM25 for the words, best first.

        Only passages of the timeline count. Passages with none of the words are left out. Passages with equal
        scores come in the order of the timeline. A store with an index may miss a few.
        """
        from onrecord.stores.ranking import best

        rows, scores = best(timeline, self.keyword(words, timeline), most)
        return rows[scores > 0], scores[scores > 0]

    def cached(self, kind: str, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return the values that `Store.cache` stored under these keys; a key without a value is left out."""
        return {}


class Store(Snapshot, Protocol):
    """Read and write access to one workspace.

    Every call sees one consistent state while others write. To make several calls on the same state, take a
    `snapshot`. Writers of several processes take turns; a writer that waits too long gets LockedError.
    Several threads may use one store.
    """

    @property
    def graph(self) -> GraphStore: ...

    def snapshot(self, words: Sequence[str] = ()) -> AbstractContextManager[Snapshot]:
        """Open a snapshot of the current state, which later writes do not change.

        Answer one question from one snapshot. A store on a server reads the posting lists of these `words` in
        the round trip that begins the snapshot.
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
        """Add a recording, or replace the recording with the same id, in one transaction.

        `vectors` has one row for each passage, or is None if no model was available. `knowledge` is what the
        recording adds to the graph; None if nobody has extracted it. What the replaced recording added to the
        graph is removed. Raises StoreError if passages or vectors do not fit the recording.
        """
        ...

    def set_vectors(self, recording: str, vectors: Vectors) -> None:
        """Set the vectors of a recording. Raise NotFoundError, and StoreError for a wrong shape."""
        ...

    def set_sections(self, recording: str, passages: Sequence[Passage], sections: Sequence[Section]) -> None:
        """Replace a recording's sections, and the section, importance, `before` and `after` of its passages.

        The call must pass all passages of the recording. Their words, times and vectors stay as they are.
        Raises NotFoundError, and StoreError if the passages are not those of the recording.
        """
        ...

    def remove(self, recording: str) -> bool:
        """Delete a recording and all its data. Return False if there is no recording with that id."""
        ...

    def set_meta(self, key: str, value: Any) -> None:
        """Store a small JSON value for the workspace, such as the model's fingerprint. None deletes it."""
        ...

    def exchange_vectors(
        self, vectors: Iterable[tuple[str, Vectors]], model: Mapping[str, str] | None = None
    ) -> None:
        """Replace all vectors of the workspace with the vectors of another model, in one transaction.

        If this fails, the old vectors stay. `model` becomes the meta value "model". A recording that is not
        in `vectors`, or that was changed meanwhile, has no vectors afterwards. Raises StoreError for vectors
        that are not finite.
        """
        ...

    def close(self) -> None:
        """Release connections and files. The store cannot be used afterwards."""
        ...

    # ---- methods with defaults, for a store without an external index or caches

    def compare(self) -> Comparison | None:
        """Compare an index outside the archive with the archive's vectors; None without such an index."""
        return None

    def mend(self) -> None:
        """Make an index outside the archive agree with it. Raise StoreError if it cannot be reached."""

    def cache(self, kind: str, values: Mapping[bytes, bytes], version: int, most: int) -> None:
        """Cache values of a kind ("embeddings" or "results") until the next write to the workspace.

        The oldest values are evicted while all values of the kind take more than `most` bytes. The call
        stores and raises nothing if the workspace was written to since `version`, if others are writing at
        the moment, or if the archive cannot be written.
        """

    def count(self, kind: str, hits: int, misses: int) -> None:
        """Add to a cache's hits and misses. They are lost if the archive cannot be written at the moment."""
