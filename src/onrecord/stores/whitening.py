"""A space in which what sets neighbouring passages apart counts less.

Passages that follow one another are mostly about the same: in what their vectors differ tells how something
is said, by whom and at what length, more than what is spoken of. In one recording there is nothing else to
tell places apart by. Where many are searched, the first question is which of them speaks of it, and there
these directions disturb. So cosines are also taken where they are shrunk,

    cos(B q, B x),    B^2 = sum over j of u_j u_j^T / ((1 - s) l_j / mean l + s)

with u_j and l_j the eigenvectors and eigenvalues of the covariance of the differences between neighbours and
s = `SHRINKAGE` (within-class covariance normalization: Hatch, Kajarekar and Stolcke, Within-class covariance
normalization for SVM-based speaker recognition, 2006; here passages next to each other are a class). Only
the `DIRECTIONS` with the largest l_j are told apart, the others shrink alike: so the length of B x takes no
more than so many products, and the vectors that are kept stay as they are.
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
"""The vectors in these slots."""

DIRECTIONS = 64
SHRINKAGE = 0.3
LEAST = 1000
"""Pairs of neighbours below which nothing is fitted: of fewer the directions would be chance."""
SAMPLE = 8192
"""Passages, about, that are looked at: with more the directions hardly change."""
_ROUND = 4
"""Binary digits of a round number of passages: a sixteenth to an eighth more are fitted anew."""
_AT_ONCE = 4096
_ONE_THREAD = 10
"""Passages measured at once if they are few: OpenBLAS then uses one thread, and no thread spins."""


@dataclass(frozen=True, slots=True, eq=False)
class Whitening:
    """B^2 as `rest` times the identity and, along each of the `directions` (shape (k, d), unit length),
    `gains` (shape (k,)) more than that."""

    directions: Vectors
    gains: Vector
    rest: float

    def query(self, vector: Vector) -> Vector:
        """What to multiply passages with: its product with x is cos(B q, B x) times the length of B x."""
        along = self.directions @ vector
        whitened = self.rest * vector + (self.gains * along) @ self.directions
        length = np.sqrt(max(float(whitened @ vector), 0.0))
        scaled: Vector = (whitened / (length or 1.0)).astype(np.float32)
        return scaled

    def lengths(self, vectors: Vectors) -> Scores:
        """The length of B x for each of the vectors, which have unit length. Shape (n,)."""
        along = vectors @ self.directions.T
        # OpenBLAS may flag lanes that a small product leaves empty.
        with np.errstate(invalid="ignore"):
            squares = self.rest + np.square(along) @ self.gains
        lengths: Scores = np.sqrt(np.maximum(squares, np.finfo(np.float32).tiny))
        return lengths


def fit_whitening(differences: Vectors) -> Whitening | None:
    """The whitening for these differences between neighbours, shape (n, d); None where they do not differ."""
    spread, axes = np.linalg.eigh((differences.T @ differences).astype(np.float64))
    if spread[-1] <= 0:
        return None
    squares = 1 / ((1 - SHRINKAGE) * np.maximum(spread, 0) / spread.mean() + SHRINKAGE)
    widest, others = slice(-DIRECTIONS, None), slice(None, -DIRECTIONS)
    rest = float(squares[others].mean()) if len(spread) > DIRECTIONS else 0.0
    directions, gains = axes[:, widest].T.astype(np.float32), (squares[widest] - rest).astype(np.float32)
    return Whitening(directions, gains, rest)


class Space:
    """The whitened space of one state of a workspace, fitted when it is first asked for. May be used from
    several threads.

    Of two states that fit it to the same recordings, the later takes over what the one `before` has computed.
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
        """What fits the workspace; None where too few passages follow one another."""
        with self._lock:
            if not self._fitted:
                differences = self._differences(read)
                self._fitted = [fit_whitening(differences) if len(differences) >= LEAST else None]
            return self._fitted[0]

    def lengths(self, slots: Rows | None, whitening: Whitening, read: Read) -> Scores:
        """How long the passage in each of the slots (None: all) is in the space."""
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
        """The places of the recordings that the space is fitted to: evenly taken from those that hold the
        first passages of all, a round number. So a new recording seldom changes them."""
        entries, dimensions = self._catalogue.entries, self._catalogue.dimensions
        fits = np.array([entry.size > 1 and entry.dimensions == dimensions for entry in entries], bool)
        sizes = np.where(fits, self._catalogue.sizes, 0)
        total, begins = int(sizes.sum()), np.cumsum(sizes) - sizes
        step = 1 << max(total.bit_length() - _ROUND, 0)
        first = np.flatnonzero(fits & (begins < total // step * step))
        return first[:: max(1, -(-total // SAMPLE))]

    def _differences(self, read: Read) -> Vectors:
        """Between passages that follow one another, in recordings evenly taken from all. Shape (n, d)."""
        dimensions, places = self._catalogue.dimensions, self._sample
        sizes, starts = self._catalogue.sizes[places], self._catalogue.starts[places]
        runs = [np.arange(at, at + size) for at, size in zip(starts, sizes, strict=True)]
        if not runs:
            return np.empty((0, dimensions), np.float32)
        breaks = np.cumsum([len(run) for run in runs])[:-1]
        return np.delete(np.diff(read(np.concatenate(runs)), axis=0), breaks - 1, axis=0)
