"""Stage one of the FAQ: scores all live entries for a question, and estimates the chance of the best entry.

The score combines the similarity to the wordings of an entry, a small classifier trained on all wordings, and
the calibration of the model's cosines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from onrecord.models.base import Calibration, Embedder
from onrecord.retrieve.faq.text import Grams, Spelling, is_negated
from onrecord.types import FaqEntry

if TYPE_CHECKING:
    from onrecord.types import Rows, Scores, Vector, Vectors


COMMON = 20
"""Strength, in entries, of the prior that pulls the common mean towards zero.

With few entries, the mean says little about what all questions have in common.
"""


class Classes:
    """A classifier by linear discriminant analysis (Fisher 1936) with a shrunk covariance.

    It gives the cosine to the mean of each entry, in a space where the wordings of one entry vary equally in
    all directions.

    With d dimensions and f = rows - entries degrees of freedom, the covariance within entries is S = (1 - s)
    W + s v I, s = d / (d + f), where v is the mean variance of a unit vector about the common mean. Without
    variants s is 1, and the result is the cosine of centered vectors.
    """

    def __init__(self, vectors: Vectors, owners: Rows, entries: int) -> None:
        """Fit the classifier. `owners` has the entry of each row, rising from 0 to entries - 1."""
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
        """Return the cosines of a question's vector with the means of these entries, in -1..1."""
        whitened = _unit(np.asarray((vector - self._mean) @ self._whiten, np.float32))
        cosines: Scores = self._means[entries] @ whitened
        return cosines


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: Vectors = np.asarray(vectors / np.maximum(lengths, 1e-9), np.float32)
    return unit


HEAD = 96
"""Number of principal components in the first comparison of many rows.

They take a quarter of the memory to read.
"""
CLOSER = 1024
"""Number of rows that are then compared in full.

They miss 2 in 10,000 of the 5 nearest of 17,000 real questions; with a head of 64, 3 in 1,000.
"""
FEW = 8192
"""Number of rows up to which all rows are compared in full."""


class NearestEntries:
    """A search for the nearest entries. The cosine of an entry is that of its nearest wording."""

    def __init__(self, vectors: Vectors, owners: Rows) -> None:
        self._vectors, self._owners = vectors, owners
        self._axes: Vectors | None = None
        if len(vectors) > FEW and vectors.shape[1] > HEAD:
            _, axes = np.linalg.eigh(vectors.T @ vectors)
            self._axes = axes[:, -HEAD:].astype(np.float32)
            self._heads = np.ascontiguousarray((vectors @ self._axes).T)  # twice as fast to read as rows

    def entries(self, vector: Vector, count: int) -> Rows:
        """Return the `count` nearest entries, nearest first."""
        axes = self._axes
        estimates = self._vectors @ vector if axes is None else (vector @ axes) @ self._heads
        rows = np.arange(len(estimates))
        if len(rows) > CLOSER:
            rows = np.argpartition(estimates, -CLOSER)[-CLOSER:]
        cosines = estimates[rows] if axes is None else self._vectors[rows] @ vector
        owners = self._owners[rows[np.argsort(-cosines, kind="stable")]]
        _, first = np.unique(owners, return_index=True)
        nearest: Rows = owners[np.sort(first)[:count]]
        return nearest


REFERENCE = Calibration(floor=0.3, sure=0.6)
"""The calibration with which the constants of stage one were measured: that of all-MiniLM-L6-v2."""
MIDDLE, SLOPE = 0.5, 13.0
SLOPE_OF_LEAD = 20.0


@dataclass(frozen=True, slots=True)
class Scale:
    """A mapping from a model's cosines to the scale of the model that the FAQ was measured with."""

    model: Calibration = REFERENCE

    @classmethod
    def of(cls, embedder: Embedder) -> Scale:
        """Return the scale of an embedder, from its calibration."""
        return cls() if embedder.name == "minilm" else cls(embedder.calibration)

    def cosines(self, cosines: Scores) -> Scores:
        """Return the cosines on the reference scale.

        They are interpolated linearly between four points: -1, the model's `floor` and `sure`, and 1.
        """
        if self.model == REFERENCE:
            return cosines
        theirs = [-1, self.model.floor, self.model.sure, 1]
        return np.interp(cosines, theirs, [-1, REFERENCE.floor, REFERENCE.sure, 1]).astype(np.float32)

    def chances(self, fits: Scores, leads: Scores) -> Scores:
        """Return the chance, in 0..1, that each entry is the right one.

        It is the chance that the FAQ answers the question, times the chance that this entry does. Both are
        logistic, fitted by maximum likelihood on labeled questions with equal weight for each set.
        """
        in_scope = 1 / (1 + np.exp(-SLOPE * (fits - MIDDLE)))
        this_one = 1 / (1 + np.exp(-SLOPE_OF_LEAD * leads))
        chances: Scores = (in_scope * this_one).astype(np.float32)
        return chances


SHORTLIST = 20
"""Number of entries, the nearest by their best wording, that are scored in full."""
WORDINGS = 16
"""Most wordings of each entry that are compared, nearest first."""
GRAM_WEIGHT = 0.3
"""Weight of character n-grams relative to vectors."""
TEMPERATURE = 0.05
"""Temperature of the soft maximum over wordings; near 0, only the best counts."""
CLASS_WEIGHT = 0.25
"""Weight of the classifier relative to the similarity to wordings."""
LEAD_WEIGHT = 0.25
"""Weight of the lead over the best other entry; the lead is limited to MOST_LEAD."""
MOST_LEAD = 0.3
NOTHING = 0.5
"""A floor for the best other fit, so that the best of very few entries also needs a lead."""
NEGATION = 0.1
"""Penalty for a negation in the question that the entry's wordings do not have."""


@dataclass(frozen=True, slots=True)
class Match:
    """An entry that may answer a question.

    `score` is the chance, in 0..1, that the entry answers the question. It combines the `likeness` to its
    wordings, `belonging`, the classifier's cosine, and the `lead` over the best other entry, which may be
    negative.
    """

    entry: FaqEntry
    score: float
    likeness: float
    belonging: float
    lead: float


class FaqIndex:
    """The live entries of one version, in memory.

    `vectors` has a row for every wording, entry by entry; `scale` calibrates the model's cosines.
    """

    def __init__(self, entries: Sequence[FaqEntry], vectors: Vectors, scale: Scale) -> None:
        self.entries = tuple(entries)
        self._vectors, self._scale = vectors, scale
        texts = [wording for entry in entries for wording in entry.wordings]
        sizes = [len(entry.wordings) for entry in entries]
        owners = np.repeat(np.arange(len(entries)), sizes)
        self._starts: Rows = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        self._affirmed = np.array([not is_negated(text) for text in texts], np.float32)
        self._grams = Grams(texts)
        self._nearest = NearestEntries(vectors, owners)
        self._classes = Classes(vectors, owners, len(entries)) if entries else None
        self.spelling = Spelling(texts)

    def match(self, vector: Vector, text: str, count: int = 5) -> tuple[Match, ...]:
        """Return the `count` best entries, best first."""
        if self._classes is None:
            return ()
        entries = self._nearest.entries(vector, SHORTLIST)
        likeness, affirmed = self._likeness(entries, vector, text)
        belonging = self._classes.cosines(vector, entries)
        lead = np.clip(_leads(likeness + belonging) / 2, -MOST_LEAD, MOST_LEAD)
        fit = (1 - CLASS_WEIGHT) * likeness + CLASS_WEIGHT * belonging + LEAD_WEIGHT * lead
        if is_negated(text):
            fit -= NEGATION * affirmed
        scores = self._scale.chances(np.asarray(fit, np.float32), np.asarray(lead, np.float32))
        values = np.stack([scores, likeness, belonging, lead], axis=1)
        best = np.argsort(-scores, kind="stable")[:count]
        return tuple(Match(self.entries[entries[place]], *values[place].tolist()) for place in best)

    def _likeness(self, entries: Rows, vector: Vector, text: str) -> tuple[Scores, Scores]:
        """Return the similarity of the question to each entry, and its share of wordings without negation.

        The similarity is the soft maximum over wordings, so that several good wordings count more than one.
        The share is weighted by the same softmax.
        """
        parts = [self._nearest_wordings(entry, vector) for entry in entries]
        sizes = np.array([len(rows) for rows, _ in parts], np.int64)
        starts = np.cumsum(sizes) - sizes
        rows = np.concatenate([rows for rows, _ in parts])
        cosines = self._scale.cosines(np.concatenate([cosines for _, cosines in parts]))
        likeness = (1 - GRAM_WEIGHT) * cosines + GRAM_WEIGHT * self._grams.likeness(text, rows)
        peaks = np.maximum.reduceat(likeness, starts)
        weights = np.exp((likeness - np.repeat(peaks, sizes)) / TEMPERATURE)
        totals = np.add.reduceat(weights, starts)
        affirmed = np.add.reduceat(weights * self._affirmed[rows], starts) / totals
        return (peaks + TEMPERATURE * np.log(totals)).astype(np.float32), affirmed.astype(np.float32)

    def _nearest_wordings(self, entry: int, vector: Vector) -> tuple[Rows, Scores]:
        """Return the rows and cosines of an entry's nearest wordings."""
        first, end = self._starts[entry], self._starts[entry + 1]
        cosines = self._vectors[first:end] @ vector
        if len(cosines) <= WORDINGS:
            return np.arange(first, end), cosines
        best = np.argpartition(-cosines, WORDINGS)[:WORDINGS]
        return first + best, cosines[best]


def _leads(fits: Scores) -> Scores:
    """Return the lead of each fit over the best other fit, or over `NOTHING`."""
    best = int(fits.argmax())
    leads: Scores = fits - fits[best]
    leads[best] = fits[best] - np.delete(fits, best).max(initial=NOTHING)
    return leads
