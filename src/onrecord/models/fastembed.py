"""``fastembed:NAME``: models of Qdrant's fastembed, on ONNX Runtime."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from onrecord.errors import ModelError
from onrecord.models.base import Calibration
from onrecord.models.vectors import encodable, first_line, import_extra, unit_vectors

if TYPE_CHECKING:
    from onrecord.types import Vector, Vectors


def on_device(device: str) -> dict[str, Any]:
    """The options of fastembed for a device: ``cpu``, ``cuda``, ``cuda:1``; none for an empty one."""
    if not device:
        return {}
    name, _, number = device.partition(":")
    return {"cuda": name == "cuda", **({"device_ids": [int(number)]} if number.isdigit() else {})}


class FastEmbedEmbedder:
    """A TextEmbedding on this machine. `path` is a folder with its files; else the library fetches them."""

    calibration = Calibration()

    def __init__(self, model: str, *, path: Path | None = None, device: str = "") -> None:
        library = import_extra("fastembed", "fastembed")
        self.name = f"fastembed:{model}"
        try:
            self._model = library.TextEmbedding(
                model, specific_model_path=str(path) if path else None, **on_device(device)
            )
        except Exception as error:  # the library and its hub client raise whatever they like
            raise ModelError(f"cannot load {self.name}: {first_line(error)}") from None
        self.dimensions = len(self.embed_query("dimensions"))
        self.fingerprint = f"{self.name}/{self.dimensions}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts, shape (texts, dimensions)."""
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        return unit_vectors(list(self._model.embed(encodable(texts))), len(texts), self.name)

    def embed_query(self, text: str) -> Vector:
        vector: Vector = unit_vectors(list(self._model.query_embed(encodable([text]))), 1, self.name)[0]
        return vector
