"""An embedder and a reader that cache their results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from onrecord.models.base import Embedder, Reader, Reading
from onrecord.models.loading import seconds_of_loading

if TYPE_CHECKING:
    from onrecord.types import Vector, Vectors

Lookup = Callable[[Iterable[bytes]], Mapping[bytes, bytes]]
"""Returns the cached values of those keys that are in the cache, by key."""


class CachedEmbedder:
    """An embedder that asks `inner` only for vectors that `lookup` does not have.

    See `onrecord.models.base.Embedder`. A key is the SHA-256 of the model's fingerprint, of "question" or
    "passage", and of the text; a value is the vector as float32. `fresh` has the vectors that this object
    embedded. `hits` counts the vectors from the cache. Without a `lookup` nothing is cached. `seconds` is the
    time spent, without loading the model.
    """

    def __init__(self, inner: Embedder, lookup: Lookup | None = None) -> None:
        self._inner, self._lookup = inner, lookup
        self.name, self.fingerprint, self.calibration = inner.name, inner.fingerprint, inner.calibration
        self.fresh: dict[bytes, bytes] = {}
        self._cache: dict[bytes, bytes] = {}
        self.hits = 0
        self.seconds = 0.0

    @property
    def dimensions(self) -> int:
        return self._inner.dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self._vectors("passage", texts, self._inner.embed)

    def embed_query(self, text: str) -> Vector:
        vector: Vector = self._vectors("question", [text], lambda _: self._inner.embed_query(text)[None])[0]
        return vector

    def _vectors(self, kind: str, texts: Sequence[str], embed: Callable[[Sequence[str]], Vectors]) -> Vectors:
        began, loading = perf_counter(), seconds_of_loading()
        try:
            if not self._lookup:
                return embed(texts)
            bases = ("\0".join((self.fingerprint, kind, text)) for text in texts)
            keys = [sha256(basis.encode("utf-8", "surrogatepass")).digest() for basis in bases]
            self._cache.update(self._lookup([key for key in keys if key not in self._cache]))
            missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._cache}
            self.hits += len(keys) - len(missing)
            if missing:
                vectors = embed(list(missing.values())).astype("<f4")
                fresh = dict(zip(missing, (vector.tobytes() for vector in vectors), strict=True))
                self.fresh.update(fresh)
                self._cache.update(fresh)
            rows = [np.frombuffer(self._cache[key], "<f4") for key in keys]
            return np.array(rows, np.float32).reshape(len(keys), self.dimensions)
        finally:
            self.seconds += perf_counter() - began - (seconds_of_loading() - loading)


class CachedReader:
    """A reader that reads each passage once for a question. See `onrecord.models.base.Reader`.

    The stage that ranks passages and the answer that quotes them share the readings. With a `lookup` they
    outlive the question: if its time was over, the same question reads on the next time. A key is the SHA-256
    of the reader's fingerprint, the question and the sentences; a value is two rows of float32, `core` and
    `relevant`. `fresh` and `hits` are those of `CachedEmbedder`.
    """

    def __init__(self, inner: Reader, lookup: Lookup | None = None) -> None:
        self._inner, self._lookup = inner, lookup
        self.name, self.fingerprint = inner.name, inner.fingerprint
        self.fresh: dict[bytes, bytes] = {}
        self._readings: dict[bytes, Reading] = {}
        self.hits = 0

    def read(self, question: str, passages: Sequence[Sequence[str]]) -> list[Reading]:
        bases = (repr((self.fingerprint, "reading", question, *sentences)) for sentences in passages)
        keys = [sha256(basis.encode()).digest() for basis in bases]
        by_key = dict(zip(keys, passages, strict=True))
        missing = [key for key in by_key if key not in self._readings]
        if self._lookup and missing:
            stored = self._lookup(missing)
            self._readings.update({key: _unpacked(value) for key, value in stored.items()})
            missing = [key for key in missing if key not in stored]
        self.hits += len(keys) - len(missing)
        if missing:
            readings = self._inner.read(question, [by_key[key] for key in missing])
            self._readings.update(zip(missing, readings, strict=True))
            if self._lookup:
                self.fresh.update(zip(missing, map(_packed, readings), strict=True))
        return [self._readings[key] for key in keys]


def _packed(reading: Reading) -> bytes:
    return np.stack((reading.core, reading.relevant)).astype("<f4").tobytes()


def _unpacked(value: bytes) -> Reading:
    core, relevant = np.frombuffer(value, "<f4").reshape(2, -1)
    return Reading(core, relevant)
