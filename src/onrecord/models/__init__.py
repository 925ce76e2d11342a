"""Models that embed texts, rerank passages, read sentences and write."""

from onrecord.models.base import Calibration, Embedder, Reader, Reading, Reranker
from onrecord.models.providers import describe, open_embedder, open_reader, open_reranker

__all__ = [
    "Calibration",
    "Embedder",
    "Reader",
    "Reading",
    "Reranker",
    "describe",
    "open_embedder",
    "open_reader",
    "open_reranker",
]
