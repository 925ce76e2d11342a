"""Helpers that the adapters of other packages' models share: imports, texts, vectors, error messages."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from onrecord.errors import EmbeddingError, ModelError

if TYPE_CHECKING:
    from onrecord.types import Vectors


def unit_vectors(vectors: Sequence[Any], count: int, model: str) -> Vectors:
    """Return the rows as float32 of unit length, shape (count, dimensions). A zero row stays zero.

    Raises EmbeddingError unless `vectors` are `count` rows of the same length with finite numbers.
    """
    import numpy as np

    try:
        rows = np.array(vectors, dtype=np.float32)
    except (TypeError, ValueError):
        raise EmbeddingError(f"{model} gave vectors of several lengths, or of no numbers") from None
    if rows.ndim != 2 or len(rows) != count or not rows.shape[1]:
        raise EmbeddingError(f"{model} gave vectors of shape {rows.shape} for {count} texts")
    if not np.isfinite(rows).all():
        raise EmbeddingError(f"{model} gave vectors with numbers that are not finite")
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    rows /= np.where(lengths > 0, lengths, 1)
    return rows


def encodable(texts: Sequence[str]) -> list[str]:
    """Make texts acceptable to every tokenizer.

    Lone surrogates become question marks, and an empty text becomes a space.
    """
    return [text.encode("utf-8", "replace").decode() or " " for text in texts]


_TELEMETRY = ("ORT_DISABLE_TELEMETRY", "HF_HUB_DISABLE_TELEMETRY")
"""Environment variables that turn off the telemetry of ONNX Runtime (from 1.29 on) and of the model hub's
client."""


def disable_telemetry() -> None:
    """Turn off the telemetry of libraries that run models. Call this before they are imported.

    The libraries read the environment once. A variable that the user has set stays as it is.
    """
    for variable in _TELEMETRY:
        os.environ.setdefault(variable, "1")


def import_extra(module: str, name: str) -> Any:
    """Import a module of an optional package, with telemetry turned off.

    Raises ModelError with the command that installs it.
    """
    disable_telemetry()
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ModelError(
            f"{name} needs a package that is not installed ({error}): pip install 'onrecord[{name}]'"
        ) from None


def first_line(error: Exception) -> str:
    """Return the first line of an error's message, or the name of its class."""
    return str(error).splitlines()[0] if str(error) else type(error).__name__
