"""The seconds of each part of an answer: planning, embedding, searching, reranking, loading and writing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

from onrecord.models.base import Calibration, Embedder
from onrecord.models.loading import seconds_of_loading
from onrecord.retrieve.stage import LOAD
from onrecord.types import Step

if TYPE_CHECKING:
    from onrecord.types import Vector, Vectors

_PARTS = {"Route": "plan", "Rerank": "rerank", LOAD: "load"}
"""Stages that are a part of their own; all others search."""


class TimedEmbedder:
    """An embedder that counts the `seconds` it works, without those for loading its model."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.name: str = embedder.name
        self.fingerprint: str = embedder.fingerprint
        self.calibration: Calibration = embedder.calibration
        self.seconds = 0.0

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        with self._at_work():
            return self._embedder.embed(texts)

    def embed_query(self, text: str) -> Vector:
        with self._at_work():
            return self._embedder.embed_query(text)

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        began, waited = perf_counter(), seconds_of_loading()
        try:
            yield
        finally:
            self.seconds += perf_counter() - began - (seconds_of_loading() - waited)


def part_seconds(trace: Iterable[Step], embedding: float) -> dict[str, float]:
    """The seconds of "plan", "embed", "search", "rerank" and "load", as far as there were any.

    Args:
        trace: what every stage did.
        embedding: the seconds spent embedding, which happens within stages that search.
    """
    spent = {"embed": embedding} if embedding else {}
    for step in trace:
        part = next((part for name, part in _PARTS.items() if step.stage.startswith(name)), "search")
        spent[part] = spent.get(part, 0.0) + step.seconds
    if "search" in spent:
        spent["search"] = max(0.0, spent["search"] - embedding)
    return spent
