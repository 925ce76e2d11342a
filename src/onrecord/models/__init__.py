"""Models: what turns texts into vectors, and judges passages."""

from onrecord.models.base import Calibration, Embedder, Reader, Reading, Reranker
from onrecord.models.minilm.weights import fetch_weights, weights_present
from onrecord.models.providers import describe, open_embedder, open_reader, open_reranker

__all__ = [
    "Calibration",
    "Embedder",
    "Reader",
    "Reading",
    "Reranker",
    "describe",
    "fetch_weights",
    "open_embedder",
    "open_reader",
    "open_reranker",
    "weights_present",
]
