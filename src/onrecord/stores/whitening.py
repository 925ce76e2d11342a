"""A vector space in which the typical differences between neighboring passages count less.

Consecutive passages are mostly about the same subject. The differences between their vectors show the
speaker, the style and the length more than the subject. Within one recording, nothing else distinguishes
places. In a search over many recordings, the first question is which of them covers the subject, and there
these directions are noise. So cosines are also computed with these directions shrunk,

    cos(B q, B x),    B^2 = sum over j of u_j u_j^T / ((1 - s) l_j / mean l + s)

with u_j and l_j the eigenvectors and eigenvalues of the covariance of the differences between neighbors and s
= `SHRINKAGE` (within-class covariance normalization: Hatch, Kajarekar and Stolcke, Within-class covariance
normalization for SVM-based speaker recognition, 2006; here neighboring passages are a class). Only the
`DIRECTIONS` with the largest l_j have their own factors; all others shrink by the same factor. So the length
of B x takes only that many products, and the stored vectors stay as they are.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from onrecord.stores.catalogue import same_slots

if TYPE_CHECKING:
    from onrecord.stores.catalogue import Catalogue
    from onrecord.types import Rows, Scores, Vector, Vectors

Read = Callable[["Rows"], "Vectors"]
"""Reads the vectors in these slots."""

DIRECTIONS = 64
"""Number of directions with their own factors."""
SHRINKAGE = 0.3
"""The s of the formula, in 0..1: at 1, no direction shrinks."""
LEAST = 1000
"""Smallest number of pairs of neighbors to fit a space to: with fewer, the directions would be random."""
SAMPLE = 8192
"""Approximate number of passages to fit a space to: with more, the directions hardly change."""
_ROUND = 4
"""Significant binary digits of the rounded number of passages. A new fit needs 1/16 to 1/8 more passages."""
_AT_ONCE = 4096
"""Passages measured at once if there are many."""
_ONE_THREAD = 10
"""Passages measured at once if there are few: OpenBLAS then uses one thread, and no thread spins."""


@dataclass(frozen=True, slots=True, eq=False)
class Whitening:
    """The matrix B^2 of the module's docstring, as a multiple of the identity plus rank-one terms.

    B^2 is `rest` times the identity plus, along each of the `directions` (shape (k, d), unit length), the
    `gains` (shape (k,)).
    """

    directions: Vectors
    gains: Vector
    rest: float

    def query(self, vector: Vector) -> Vector:
        """Return the vector whose product with x is cos(B q, B x) times the length of B x."""
        along = self.directions @ vector
        whitened = self.rest * vector + (self.gains * along) @ self.directions
        length = np.sqrt(max(float(whitened @ vector), 0.0))
        scaled: Vector = (whitened / (length or 1.0)).astype(np.float32)
        return scaled

    def lengths(self, vectors: Vectors) -> Scores:
        """Return the length of B x for each of the vectors, which have unit length. Shape (n,)."""
        along = vectors @ self.directions.T
        # OpenBLAS may flag lanes that a small product leaves empty.
        with np.errstate(invalid="ignore"):
            squares = self.rest + np.square(along) @ self.gains
        lengths: Scores = np.sqrt(np.maximum(squares, np.finfo(np.float32).tiny))
        return lengths


def fit_whitening(differences: Vectors) -> Whitening | None:
    """Return the whitening for these differences between neighbors, shape (n, d).

    Return None if all differences are zero.
    """
    spread, axes = np.linalg.eigh((differences.T @ differences).astype(np.float64))
    if spread[-1] <= 0:
        return None
    squares = 1 / ((1 - SHRINKAGE) * np.maximum(spread, 0) / spread.mean() + SHRINKAGE)
    widest, others = slice(-DIRECTIONS, None), slice(None, -DIRECTIONS)
    rest = float(squares[others].mean()) if len(spread) > DIRECTIONS else 0.0
    directions, gains = axes[:, widest].T.astype(np.float32), (squares[widest] - rest).astype(np.float32)
    return Whitening(directions, gains, rest)


class Space:
    """The whitened space of one state of a workspace, fitted on first use.

    Several threads may use it. If the states before and after a change fit the space to the same recordings,
    the later state takes over the results of the one `before`.
    """

    def __init__(self, catalogue: Catalogue, before: Space | None = None) -> None:
        self._catalogue, self._lock = catalogue, Lock()
        self._fitted: list[Whitening | None] = []
        self._lengths: Scores = np.full(len(catalogue), np.nan, np.float32)
        self._measured = False
        self._sample = self._sampled()
        if not before or not before._fitted or catalogue.dimensions != before._catalogue.dimensions:
            return
        fitted_to, fitted_before = (
            [space._catalogue.entries[place] for place in space._sample.tolist()] for space in (self, before)
        )
        if len(fitted_to) == len(fitted_before) and all(map(operator.is_, fitted_to, fitted_before)):
            self._fitted = before._fitted
            for own, old in same_slots(catalogue, before._catalogue):
                self._lengths[own] = before._lengths[old]

    def whitening(self, read: Read) -> Whitening | None:
        """Return the whitening of the workspace; None if it has too few pairs of neighboring passages."""
        with self._lock:
            if not self._fitted:
                differences = self._differences(read)
                self._fitted = [fit_whitening(differences) if len(differences) >= LEAST else None]
            return self._fitted[0]

    def lengths(self, slots: Rows | None, whitening: Whitening, read: Read) -> Scores:
        """Return the length, in the space, of the passage in each of the slots (None: all)."""
        if not self._measured:
            known = self._lengths if slots is None else self._lengths[slots]
            unknown = np.flatnonzero(np.isnan(known)) if slots is None else slots[np.isnan(known)]
            at_once = _AT_ONCE if len(unknown) > _AT_ONCE else _ONE_THREAD
            for first in range(0, len(unknown), at_once):
                batch = unknown[first : first + at_once]
                self._lengths[batch] = whitening.lengths(read(batch))
            self._measured = slots is None
        return self._lengths if slots is None else self._lengths[slots]

    def _sampled(self) -> Rows:
        """Return the places of the recordings to fit the space to.

        They are evenly spaced among the recordings that contain the first passages of the workspace. The
        number of these passages is rounded down, so that a new recording seldom changes the sample.
        """
        entries, dimensions = self._catalogue.entries, self._catalogue.dimensions
        fits = np.array([entry.size > 1 and entry.dimensions == dimensions for entry in entries], bool)
        sizes = np.where(fits, self._catalogue.sizes, 0)
        total, begins = int(sizes.sum()), np.cumsum(sizes) - sizes
        step = 1 << max(total.bit_length() - _ROUND, 0)
        first = np.flatnonzero(fits & (begins < total // step * step))
        return first[:: max(1, -(-total // SAMPLE))]

    def _differences(self, read: Read) -> Vectors:
        """Return the differences between consecutive passages of the sampled recordings, shape (n, d)."""
        dimensions, places = self._catalogue.dimensions, self._sample
        sizes, starts = self._catalogue.sizes[places], self._catalogue.starts[places]
        runs = [np.arange(at, at + size) for at, size in zip(starts, sizes, strict=True)]
        if not runs:
            return np.empty((0, dimensions), np.float32)
        breaks = np.cumsum([len(run) for run in runs])[:-1]
        return np.delete(np.diff(read(np.concatenate(runs)), axis=0), breaks - 1, axis=0)
