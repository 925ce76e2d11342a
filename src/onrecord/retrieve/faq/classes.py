"""A small classifier over vectors: which entry a question belongs to, learned from all ways of asking."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from onrecord.types import Rows, Scores, Vector, Vectors

COMMON = 20
"""Entries' worth of nothing that the common mean is drawn towards zero by, so that few entries, which say
little about what all questions have in common, are not pulled apart by it."""


class Classes:
    """Linear discriminant analysis (Fisher 1936), its covariance shrunk: cosine to the means of the entries
    in a space where the ways of asking the same thing differ alike in every direction.

    With d dimensions and f = rows - entries degrees of freedom, the covariance within entries is
    S = (1 - s) W + s v I, s = d / (d + f), where v is the mean variance of a unit vector about the common
    mean. Without variants s is 1, and what is left is the cosine of centred vectors.
    """

    def __init__(self, vectors: Vectors, owners: Rows, entries: int) -> None:
        """`owners` has the entry of each row, rising from 0 to entries - 1."""
        rows, dimensions = vectors.shape
        sizes = np.bincount(owners, minlength=entries).astype(np.float32)
        starts = np.concatenate(([0], np.cumsum(sizes)))[:-1].astype(np.int64)
        means = np.add.reduceat(vectors, starts, axis=0) / sizes[:, None]
        self._mean: Vector = np.asarray(means.sum(axis=0) / (entries + COMMON), np.float32)
        freedom = rows - entries
        shrinkage = dimensions / (dimensions + freedom)
        variance = (1 - float(self._mean @ self._mean)) / dimensions
        covariance = shrinkage * variance * np.eye(dimensions)
        if freedom:
            scatter = vectors.T @ vectors - (means * sizes[:, None]).T @ means
            covariance += (1 - shrinkage) * scatter / freedom
        self._whiten: Vectors = np.linalg.cholesky(np.linalg.inv(covariance)).astype(np.float32)
        self._means = _unit(np.asarray((means - self._mean) @ self._whiten, np.float32))

    def cosines(self, vector: Vector, entries: Rows) -> Scores:
        """Of the question's vector with these entries, in -1..1."""
        asked = _unit(np.asarray((vector - self._mean) @ self._whiten, np.float32))
        cosines: Scores = self._means[entries] @ asked
        return cosines


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: Vectors = np.asarray(vectors / np.maximum(lengths, 1e-9), np.float32)
    return unit
