"""A stand-in for an embedding model: no files, no randomness, microseconds. For tests."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from onrecord.models.base import Calibration

if TYPE_CHECKING:
    from onrecord.types import Vector, Vectors

WORD = re.compile(r"\w{4,}|\d+")


class HashingEmbedder:
    """Texts are alike where they share words: signed feature hashing (Weinberger et al. 2009).

    Words shorter than four letters do not count, so that most of what any two sentences share does not
    either. Coordinate 0 is for texts without words.
    """

    name = "hashing"
    calibration = Calibration(floor=0.1, sure=0.3)

    def __init__(self, dimensions: int = 256) -> None:
        self.dimensions = dimensions
        self.fingerprint = f"hashing/{dimensions}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            for word in WORD.findall(text.casefold()):
                code = zlib.crc32(word.encode("utf-8", "replace"))
                vector[1 + code // 2 % (self.dimensions - 1)] += 1 if code % 2 else -1
        vectors[~vectors.any(axis=1), 0] = 1
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors

    def embed_query(self, text: str) -> Vector:
        vector: Vector = self.embed([text])[0]
        return vector
