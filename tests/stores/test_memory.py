"""The store in memory, and a store that has only the required methods.

The first passes the complete contract of stores, the second its required part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from onrecord.stores.base import Snapshot, Store
from onrecord.stores.contract import CompleteStoreContract, StoreContract
from onrecord.stores.graph.base import GraphSnapshot
from onrecord.stores.graph.memory import MemoryGraph
from onrecord.stores.memory import MemoryStore
from onrecord.types import Passage, PassageTimeline, Recording, Scope, Section

if TYPE_CHECKING:
    from onrecord.types import Knowledge, Rows, Scores, Vector, Vectors


class TestMemoryStore(CompleteStoreContract):
    def open(self, workspace: str = "default") -> Store:
        return MemoryStore(workspace)


class LeastSnapshot(Snapshot):
    """A reader that has only the eleven methods that a reader must have."""

    def __init__(self, inner: Snapshot) -> None:
        self.workspace, self.inner = inner.workspace, inner

    @property
    def version(self) -> int:
        return self.inner.version

    @property
    def graph(self) -> GraphSnapshot:
        return self.inner.graph

    def metas(self) -> dict[str, Any]:
        return self.inner.metas()

    def recording(self, id: str) -> Recording | None:  # noqa: A002 - the field's own name
        return self.inner.recording(id)

    def recordings(self, scope: Scope = Scope()) -> list[Recording]:  # noqa: B008 - frozen
        return self.inner.recordings(scope)

    def sections(self, recording: str) -> list[Section]:
        return self.inner.sections(recording)

    def passages(self, rows: Sequence[int] | Rows) -> list[Passage]:
        return self.inner.passages(rows)

    def timeline(self, scope: Scope = Scope()) -> PassageTimeline:  # noqa: B008 - frozen
        return self.inner.timeline(scope)

    def dense(self, vector: Vector, timeline: PassageTimeline) -> Scores:
        return self.inner.dense(vector, timeline)

    def keyword(self, words: Sequence[str], timeline: PassageTimeline) -> Scores:
        return self.inner.keyword(words, timeline)

    def vectors(self, rows: Sequence[int] | Rows) -> Vectors:
        return self.inner.vectors(rows)


class LeastStore(LeastSnapshot, Store):
    """A store that has only the methods that a store must have, eight more than `LeastSnapshot`."""

    inner: MemoryStore

    @property
    def graph(self) -> MemoryGraph:
        return self.inner.graph

    @contextmanager
    def snapshot(self, words: Sequence[str] = ()) -> Iterator[Snapshot]:
        with self.inner.snapshot() as now:
            yield LeastSnapshot(now)

    def add(
        self,
        recording: Recording,
        passages: Sequence[Passage],
        sections: Sequence[Section] = (),
        vectors: Vectors | None = None,
        knowledge: Knowledge | None = None,
    ) -> None:
        self.inner.add(recording, passages, sections, vectors, knowledge)

    def set_vectors(self, recording: str, vectors: Vectors) -> None:
        self.inner.set_vectors(recording, vectors)

    def set_sections(self, recording: str, passages: Sequence[Passage], sections: Sequence[Section]) -> None:
        self.inner.set_sections(recording, passages, sections)

    def remove(self, recording: str) -> bool:
        return self.inner.remove(recording)

    def set_meta(self, key: str, value: Any) -> None:
        self.inner.set_meta(key, value)

    def exchange_vectors(
        self, vectors: Iterable[tuple[str, Vectors]], model: Mapping[str, str] | None = None
    ) -> None:
        self.inner.exchange_vectors(vectors, model)

    def close(self) -> None:
        self.inner.close()


class TestLeastStore(StoreContract):
    def open(self, workspace: str = "default") -> Store:
        return LeastStore(MemoryStore(workspace))
