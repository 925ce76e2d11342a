"""Local models of two packages: `sentence-transformers:NAME` and `fastembed:NAME`.

Embedders are any model of those libraries (BGE-M3, E5, ...), by hub name or folder. Rerankers are
cross-encoders, which read question and passage together (Nogueira and Cho, Passage Re-ranking with BERT,
2019).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from onrecord.errors import ModelError, RerankError
from onrecord.models.base import Calibration
from onrecord.models.vectors import encodable, first_line, import_extra, unit_vectors

if TYPE_CHECKING:
    from onrecord.types import Scores, Vector, Vectors


def on_device(device: str) -> dict[str, Any]:
    """Return fastembed's options for a device: ``cpu``, ``cuda``, ``cuda:1``; none for an empty name."""
    if not device:
        return {}
    name, _, number = device.partition(":")
    return {"cuda": name == "cuda", **({"device_ids": [int(number)]} if number.isdigit() else {})}


class _LocalEmbedder:
    """An embedder made of two functions of a library: one embeds texts, the other questions."""

    calibration = Calibration()

    def __init__(self, name: str, encode: Callable[..., Any], encode_query: Callable[..., Any]) -> None:
        self.name, self._encode, self._encode_query = name, encode, encode_query
        self.dimensions = len(self.embed_query("dimensions"))
        self.fingerprint = f"{name}/{self.dimensions}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts, shape (texts, dimensions)."""
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        return unit_vectors(list(self._encode(encodable(texts))), len(texts), self.name)

    def embed_query(self, text: str) -> Vector:
        vector: Vector = unit_vectors(list(self._encode_query(encodable([text]))), 1, self.name)[0]
        return vector


class FastEmbedEmbedder(_LocalEmbedder):
    """A local TextEmbedding of fastembed.

    `path` is a folder with the model's files; without it, the library fetches them.
    """

    def __init__(self, model: str, *, path: Path | None = None, device: str = "") -> None:
        library, name = import_extra("fastembed", "fastembed"), f"fastembed:{model}"
        try:
            loaded = library.TextEmbedding(
                model, specific_model_path=str(path) if path else None, **on_device(device)
            )
        except Exception as error:  # the library and its hub client raise errors of any class
            raise ModelError(f"cannot load {name}: {first_line(error)}") from None
        super().__init__(name, loaded.embed, loaded.query_embed)


class SentenceTransformersEmbedder(_LocalEmbedder):
    """A local SentenceTransformer.

    Questions get the model's query prompt, if it has one. Code that comes with a model is never run.
    """

    def __init__(self, model: str, *, device: str = "") -> None:
        library = import_extra("sentence_transformers", "sentence-transformers")
        name = f"sentence-transformers:{model}"
        try:
            loaded = library.SentenceTransformer(model, trust_remote_code=False, device=device or None)
        except (OSError, ValueError, RuntimeError, AssertionError) as error:  # as for a missing device
            raise ModelError(f"cannot load {name}: {first_line(error)}") from None
        super().__init__(name, loaded.encode_document, loaded.encode_query)


_MOST_TOKENS = 512
"""Most tokens of question and passage together. These models were trained on this length, and it keeps them
fast."""


class SentenceTransformersReranker:
    """A local CrossEncoder of sentence-transformers with one output (ms-marco, BGE reranker, ...).

    Code that comes with a model is never run. `device` is "cpu", "cuda", ...; `precision` is "float32",
    "float16" or "bfloat16". If either is empty, the library chooses.
    """

    def __init__(self, model: str, *, device: str = "", precision: str = "") -> None:
        library = import_extra("sentence_transformers", "sentence-transformers")
        self.name = f"sentence-transformers:{model}"
        try:
            kind = {"model_kwargs": {"torch_dtype": precision}} if precision else {}
            self._model = library.CrossEncoder(
                model, trust_remote_code=False, max_length=_MOST_TOKENS, device=device or None, **kind
            )
            outputs = self._model.num_labels
        except Exception as error:  # the library and its hub client raise errors of any class
            raise ModelError(f"cannot load {self.name}: {first_line(error)}") from None
        if outputs != 1:
            raise ModelError(f"{self.name} is no reranker: it has {outputs} outputs, and a reranker has one")

    def score(self, question: str, texts: Sequence[str]) -> Scores:
        """Return the scores of texts, shape (texts,), in 0..1. Raises RerankError."""
        as_it_is = import_extra("torch.nn", "sentence-transformers").Identity()
        (query,) = encodable([question])
        pairs = [(query, text) for text in encodable(texts)]
        if not pairs:
            return _probabilities((), 0, self.name)
        try:
            logits = self._model.predict(pairs, activation_fn=as_it_is, show_progress_bar=False)
        except (RuntimeError, ValueError, TypeError) as error:
            raise RerankError(f"{self.name} could not read {len(pairs)} texts: {first_line(error)}") from None
        return _probabilities(logits, len(pairs), self.name)


class FastEmbedReranker:
    """A TextCrossEncoder of Qdrant's fastembed, on ONNX Runtime.

    `path` is a folder with the model's files; without it, the library fetches them.
    """

    def __init__(self, model: str, *, path: Path | None = None, device: str = "") -> None:
        import_extra("fastembed", "fastembed")
        library = import_extra("fastembed.rerank.cross_encoder", "fastembed")
        self.name = f"fastembed:{model}"
        try:
            self._model = library.TextCrossEncoder(
                model, specific_model_path=str(path) if path else None, **on_device(device)
            )
        except Exception as error:  # the library and its hub client raise errors of any class
            raise ModelError(f"cannot load {self.name}: {first_line(error)}") from None

    def score(self, question: str, texts: Sequence[str]) -> Scores:
        """Return the scores of texts, shape (texts,), in 0..1. Raises RerankError."""
        (query,) = encodable([question])
        try:
            logits = list(self._model.rerank(query, encodable(texts))) if texts else []
        except (RuntimeError, ValueError, TypeError) as error:
            raise RerankError(f"{self.name} could not read {len(texts)} texts: {first_line(error)}") from None
        return _probabilities(logits, len(texts), self.name)


def _probabilities(values: Any, count: int, model: str) -> Scores:
    """Convert a model's logits to probabilities: 1 / (1 + exp(-x)).

    Raises RerankError for a wrong count or values that are not finite.
    """
    import numpy as np

    logits = np.asarray(values, np.float64).reshape(-1)
    if len(logits) != count or not np.isfinite(logits).all():
        raise RerankError(f"{model} gave {len(logits)} scores for {count} texts, or none that is a number")
    probabilities: Scores = (1 / (1 + np.exp(-np.clip(logits, -60, 60)))).astype(np.float32)
    return probabilities
