"""Models: what turns texts into vectors, and judges passages."""

from onrecord.models.base import Calibration, Embedder, Reranker
from onrecord.models.minilm.weights import fetch_weights
from onrecord.models.providers import open_embedder

__all__ = ["Calibration", "Embedder", "Reranker", "fetch_weights", "open_embedder"]
