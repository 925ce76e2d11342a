"""The seconds of each part of an answer: planning, embedding, searching, reranking, loading and writing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

from onrecord.models.base import Calibration, Embedder
from onrecord.models.loading import seconds_of_loading
from onrecord.retrieve.stage import LOAD
from onrecord.types import Answer, Event, Step

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


def with_seconds(
    pieces: Iterable[Event],
    began: float,
    seconds: dict[str, float],
    before: Iterable[str],
    after: Iterable[str],
) -> Iterator[Event]:
    """The pieces of an answer as they come, the Answer with its seconds and more notes.

    Args:
        began: when the question was asked, by perf_counter.
        seconds: those of the parts so far; "first_text" and "total" are added.
        before, after: notes before and after the answer's own.
    """
    for piece in pieces:
        if isinstance(piece, str):
            seconds.setdefault("first_text", perf_counter() - began)
        if isinstance(piece, Answer):
            seconds["total"] = perf_counter() - began
            piece = replace(piece, notes=(*before, *piece.notes, *after), seconds=seconds)
        yield piece
