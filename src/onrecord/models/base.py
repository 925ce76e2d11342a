"""What a model must do. One Protocol each, the least work for whoever implements it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from onrecord.types import Scores, Vector, Vectors


@dataclass(frozen=True, slots=True)
class Calibration:
    """What a model's cosines mean. Thresholds depend on the model, so each carries its own.

    `floor`: below it the best passage of an archive says nothing about the question.
    `sure`: above it the best passage is about the question nearly always.
    """

    floor: float = 0.3
    sure: float = 0.6


class Embedder(Protocol):
    """Turns texts into unit vectors.

    `name` is what a user writes to get it ("minilm", "openai:text-embedding-3-small");
    `fingerprint` names the weights and everything else that changes the vectors' meaning: vectors of
    two embedders may be compared only where their fingerprints are equal.
    """

    name: str
    fingerprint: str
    calibration: Calibration

    @property
    def dimensions(self) -> int:
        """Numbers in a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages. Raises EmbeddingError."""
        ...

    def embed_query(self, text: str) -> Vector:
        """The vector of a question, with the model's instruction where it wants one."""
        ...


class Reranker(Protocol):
    """Judges passages against a question, reading both together."""

    name: str

    def score(self, question: str, texts: Sequence[str]) -> Scores:
        """Higher is better; in 0..1. Raises RerankError."""
        ...
