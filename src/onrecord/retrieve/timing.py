"""How long the parts of finding took: understanding the question, embedding it, searching, reranking."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING

from onrecord.models.base import Calibration, Embedder
from onrecord.types import Step

if TYPE_CHECKING:
    from onrecord.types import Vector, Vectors

_PARTS = {"Route": "plan", "Rerank": "rerank"}
"""Stages that are a part of their own; all others search."""


class TimedEmbedder:
    """An embedder as it is, which counts the `seconds` that it is at work."""

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
        began = perf_counter()
        try:
            return self._embedder.embed(texts)
        finally:
            self.seconds += perf_counter() - began

    def embed_query(self, text: str) -> Vector:
        began = perf_counter()
        try:
            return self._embedder.embed_query(text)
        finally:
            self.seconds += perf_counter() - began


def part_seconds(trail: Iterable[Step], embedding: float) -> dict[str, float]:
    """The seconds of "plan", "embed", "search" and "rerank", as far as there were any.

    Args:
        trail: what every stage did.
        embedding: the seconds spent embedding, which happens within stages that search.
    """
    spent = {"embed": embedding} if embedding else {}
    for step in trail:
        part = next((part for name, part in _PARTS.items() if step.stage.startswith(name)), "search")
        spent[part] = spent.get(part, 0.0) + step.seconds
    if "search" in spent:
        spent["search"] = max(0.0, spent["search"] - embedding)
    return spent
