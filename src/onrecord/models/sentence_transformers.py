"""``sentence-transformers:NAME``: any model of that library (BGE-M3, E5, ...), by hub name or folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from onrecord.errors import ModelError
from onrecord.models.base import Calibration
from onrecord.models.vectors import encodable, first_line, import_extra, unit_vectors

if TYPE_CHECKING:
    from onrecord.types import Vector, Vectors


class SentenceTransformersEmbedder:
    """A SentenceTransformer on this machine.

    Questions get the model's query prompt, if it has one. Code that comes with a model is never run.
    """

    calibration = Calibration()

    def __init__(self, model: str, *, device: str = "") -> None:
        library = import_extra("sentence_transformers", "sentence-transformers")
        self.name = f"sentence-transformers:{model}"
        try:
            self._model = library.SentenceTransformer(model, trust_remote_code=False, device=device or None)
        except (OSError, ValueError, RuntimeError, AssertionError) as error:  # of a device that is not there
            raise ModelError(f"cannot load {self.name}: {first_line(error)}") from None
        self.dimensions = len(self.embed_query("dimensions"))
        self.fingerprint = f"{self.name}/{self.dimensions}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts, shape (texts, dimensions)."""
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        return unit_vectors(self._model.encode_document(encodable(texts)), len(texts), self.name)

    def embed_query(self, text: str) -> Vector:
        vector: Vector = unit_vectors(self._model.encode_query(encodable([text])), 1, self.name)[0]
        return vector
