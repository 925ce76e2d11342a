"""What a store must do. It keeps what it is given and takes vectors, never an embedder.

Who writes one inherits `Reader` and `Store`, and writes the twenty methods that end in ``...``. The others
are made of those; a store that can do one quicker has its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

from onrecord.stores.graph.base import GraphReader, GraphStore
from onrecord.stores.words import terms
from onrecord.types import Passage, PassageTimeline, Recording, Scope, Section, to_millisecond

if TYPE_CHECKING:
    from onrecord.stores.database import Comparison
    from onrecord.types import Knowledge, Rows, Scores, Vector, Vectors


class Reader(Protocol):
    """What can be read of one workspace. Nothing of another workspace can be seen through it.

    Row numbers are never used twice, so a Line that has outlived a passage does no harm: what is gone
    scores 0, has a zero vector, and is left out of `passages`.
    """

    workspace: str

    @property
    def version(self) -> int:
        """A number that rises with every write to the workspace."""
        ...

    @property
    def graph(self) -> GraphReader:
        """What the workspace speaks of, and how that hangs together."""
        ...

    def metas(self) -> dict[str, Any]:
        """The values kept by `Store.set_meta`, by their keys."""
        ...

    def recording(self, id: str) -> Recording | None:  # noqa: A002 - the field's own name
        """The recording of that id, or None."""
        ...

    def recordings(self, scope: Scope = ...) -> list[Recording]:
        """The recordings that have passages in scope, by date, then title; undated last."""
        ...

    def sections(self, recording: str) -> list[Section]:
        """The sections of a recording, as they were given; none where there is no such recording."""
        ...

    def passages(self, rows: Sequence[int] | Rows) -> list[Passage]:
        """The passages of these rows, in the order asked."""
        ...

    def timeline(self, scope: Scope = ...) -> PassageTimeline:
        """All passages in scope, in order."""
        ...

    def dense(self, vector: Vector, timeline: PassageTimeline) -> Scores:
        """Cosine of every passage of the timeline with `vector`, exact; 0 for one without a vector."""
        ...

    def keyword(self, words: Sequence[str], timeline: PassageTimeline) -> Scores:
        """BM25 of every passage of the timeline for `words` (plain text, never query syntax), >= 0."""
        ...

    def vectors(self, rows: Sequence[int] | Rows) -> Vectors:
        """The stored vectors of these rows, in the order asked; zeros where there is none."""
        ...

    # ---- made of those

    def meta(self, key: str) -> Any:
        """The value kept under `key`, or None."""
        return self.metas().get(key)

    def transcript(self, recording: str, first: int = 0, last: int | None = None) -> list[Passage]:
        """Passages `first`..`last` (inclusive) of a recording, in order."""
        rows = self.timeline(Scope(recordings=(recording,))).rows
        return self.passages(rows[max(first, 0) : None if last is None else last + 1])

    def stats(self) -> dict[str, Any]:
        """Counts and sizes: recordings, passages, words, seconds, speakers, embedded, bytes; and `caches`,
        where there are any: for "embeddings" and "results" what is kept, bytes, hits, misses, rate."""
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
        """Ids of recordings whose passages have no vectors yet."""
        timeline = self.timeline()
        given = self.vectors(timeline.rows).any(axis=1)
        there, bare = ({int(place) for place in timeline.recordings[some]} for some in (given, ~given))
        return [name for place, name in enumerate(timeline.names) if place in bare - there]

    def whitened(self, vector: Vector, timeline: PassageTimeline) -> tuple[Scores, Scores]:
        """`dense`, and the same in the workspace's whitened space (see `stores.whitening`), with one look at
        each vector; twice `dense` where the workspace has too few passages for one, or no such space."""
        plain = self.dense(vector, timeline)
        return plain, plain

    def heard(self, words: Iterable[str]) -> frozenset[str]:
        """Those words of which every term is said in the workspace; quicker than `keyword`."""
        cuts = {word: terms(word) for word in words}
        timeline = self.timeline()
        said = {
            term: bool(self.keyword([term], timeline).any())
            for term in dict.fromkeys(t for c in cuts.values() for t in c)
        }
        return frozenset(word for word, cut in cuts.items() if cut and all(map(said.get, cut)))

    def holding(self, term: str, most: int) -> Rows:
        """Rows of the first passages that have a term, at most so many; quicker than `keyword`."""
        timeline = self.timeline()
        rows: Rows = timeline.rows[self.keyword([term], timeline).nonzero()[0][:most]]
        return rows

    def beginning(self, letters: str) -> frozenset[str]:
        """The terms that are said in the workspace and begin with these letters, one or more; none where the
        store cannot list its terms: then nothing is taken for misspelt."""
        return frozenset()

    def nearest(self, vector: Vector, timeline: PassageTimeline, most: int) -> tuple[Rows, Scores]:
        """Rows of at most so many passages of the timeline nearest to `vector`, best first, and their
        cosines. What is equal is in the order of the timeline. A store with an index may miss a few."""
        from onrecord.stores.ranking import best

        return best(timeline, self.dense(vector, timeline), most)

    def cached(self, kind: str, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """What `Store.cache` kept under those of the keys for which there is something."""
        return {}


class Store(Reader, Protocol):
    """The passages of one workspace, to read and to write.

    Every call sees one consistent state while a writer adds; several calls agree with one another
    when made on a `snapshot`. Writers of several processes take turns; one that waits too long gets
    `LockedError`. A store may be used from several threads.
    """

    @property
    def graph(self) -> GraphStore: ...

    def snapshot(self) -> AbstractContextManager[Reader]:
        """The store as it is now, whatever is written meanwhile. Ask one question on one snapshot."""
        ...

    def add(
        self,
        recording: Recording,
        passages: Sequence[Passage],
        sections: Sequence[Section] = (),
        vectors: Vectors | None = None,
        knowledge: Knowledge | None = None,
    ) -> None:
        """Put a recording in, wholly or not at all, in place of the one with the same id.

        `vectors` has one row a passage, or is None where no model was at hand. `knowledge` is what it adds to
        the graph, None where nobody has read it off; what the one before added leaves with it.
        """
        ...

    def set_vectors(self, recording: str, vectors: Vectors) -> None:
        """Give a recording its vectors, or other ones. Raises NotFoundError."""
        ...

    def set_sections(self, recording: str, passages: Sequence[Passage], sections: Sequence[Section]) -> None:
        """Give a recording other sections, and its passages, all of which are given, what they say of
        their section, importance, `before` and `after`. Words, times and vectors stay as they are.

        Raises NotFoundError, and StoreError where the passages are not those of the recording.
        """
        ...

    def remove(self, recording: str) -> bool:
        """Take a recording out, leaving nothing behind. False where there is none of that id."""
        ...

    def set_meta(self, key: str, value: Any) -> None:
        """Keep a small JSON value for the workspace (the model's fingerprint, ...). None deletes."""
        ...

    def exchange_vectors(
        self, vectors: Iterable[tuple[str, Vectors]], model: Mapping[str, str] | None = None
    ) -> None:
        """Put vectors of another model in place of all that there are, in one step: until that is done, or
        where it fails, the old ones stay. `model` becomes the meta value "model".

        Recordings of which none are given have none afterwards, nor has one that was changed meanwhile.
        """
        ...

    def close(self) -> None:
        """Give back what is open. The store is of no use afterwards."""
        ...

    # ---- done without, where a store has none of its own

    def compare(self) -> Comparison | None:
        """What an index outside the archive has of its vectors; None where there is no such index."""
        return None

    def mend(self) -> None:
        """Put right what `compare` finds. Raises StoreError where the index cannot be reached."""

    def cache(self, kind: str, values: Mapping[bytes, bytes], version: int, most: int) -> None:
        """Keep values of a kind ("embeddings" or "results"), by their keys, until anything is written to the
        workspace. The oldest leave when all of the kind have more than `most` bytes.

        Nothing is kept, and nothing is raised, where the workspace was written to since `version`, where
        others are writing just now, and where the archive cannot be written.
        """

    def count(self, kind: str, hits: int, misses: int) -> None:
        """Add to how often what was looked for in a cache was there, and was not; as far as that can be
        written just now."""
