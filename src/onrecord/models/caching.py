"""An embedder and a reader that do nothing twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np

from onrecord.models.base import Embedder, Reader, Reading

if TYPE_CHECKING:
    from onrecord.types import Vector, Vectors

Lookup = Callable[[Iterable[bytes]], Mapping[bytes, bytes]]
"""The values under those of the keys that there are."""


class CachedEmbedder:
    """Asks `inner` for what `lookup` does not have. See `onrecord.models.base.Embedder`.

    A key is the SHA-256 of the model's fingerprint, of whether it is a question, and of the text; a value
    is the vector as float32. `fresh` has what was embedded, `hits` counts what was not. Texts that are
    embedded while a question is answered are few and come again with the next one: the question itself and
    the sentences that may be quoted.
    """

    def __init__(self, inner: Embedder, lookup: Lookup) -> None:
        self._inner, self._lookup = inner, lookup
        self.name, self.fingerprint, self.calibration = inner.name, inner.fingerprint, inner.calibration
        self.fresh: dict[bytes, bytes] = {}
        self._known: dict[bytes, bytes] = {}
        self.hits = 0

    @property
    def dimensions(self) -> int:
        return self._inner.dimensions

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self._all("passage", texts, self._inner.embed)

    def embed_query(self, text: str) -> Vector:
        found: Vector = self._all("question", [text], lambda _: self._inner.embed_query(text)[None])[0]
        return found

    def _key(self, role: str, text: str) -> bytes:
        basis = "\0".join((self.fingerprint, role, text))
        return sha256(basis.encode("utf-8", "surrogatepass")).digest()

    def _all(self, role: str, texts: Sequence[str], embed: Callable[[Sequence[str]], Vectors]) -> Vectors:
        keys = [self._key(role, text) for text in texts]
        self._known.update(self._lookup([key for key in keys if key not in self._known]))
        known = {key: self._known[key] for key in keys if key in self._known}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        self.hits += len(keys) - len(missing)
        if missing:
            vectors = embed(list(missing.values())).astype("<f4")
            known.update(zip(missing, (vector.tobytes() for vector in vectors), strict=True))
            self.fresh.update((key, known[key]) for key in missing)
            self._known.update(self.fresh)
        rows = [np.frombuffer(known[key], "<f4") for key in keys]
        return np.array(rows, np.float32).reshape(len(keys), self.dimensions)


class CachedReader:
    """Reads each passage once for a question, as long as it lives: the stage that ranks passages and the
    answerer that quotes them share what was read. See `onrecord.models.base.Reader`."""

    def __init__(self, inner: Reader) -> None:
        self._inner = inner
        self.name, self.fingerprint = inner.name, inner.fingerprint
        self._known: dict[tuple[str, tuple[str, ...]], Reading] = {}

    def read(self, question: str, passages: Sequence[Sequence[str]]) -> list[Reading]:
        keys = [(question, tuple(sentences)) for sentences in passages]
        missing = [key for key in dict.fromkeys(keys) if key not in self._known]
        if missing:
            readings = self._inner.read(question, [sentences for _, sentences in missing])
            self._known.update(zip(missing, readings, strict=True))
        return [self._known[key] for key in keys]
