"""The BM25 scores of passages, and the selection of the highest scores.

BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009), for every passage at once.

score(q, d) = sum over terms t of q of  idf(t) * f * (k1 + 1) / (f + k1 * (1 - b + b * |d| / mean |d|))

f is the number of occurrences of t in d, |d| the number of words of d, and idf(t) = ln(1 + (N - n + 1/2) / (n
+ 1/2)), with N passages in the workspace, n of them with t. This form of idf is never negative.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log
from typing import TYPE_CHECKING

import numpy as np

from onrecord.types import PassageTimeline

if TYPE_CHECKING:
    from onrecord.types import Counts, Rows, Scores, Vectors

_BLOCK = 64
"""Scores in one block of `top`."""
K1, B = 1.2, 0.75
"""The parameters k1 and b of BM25."""


Scored = tuple["Rows | Counts", "Scores"]
"""The indices of the passages that contain a term (each once, ascending), and their BM25 for it, above 0."""


def score_term(places: Rows | Counts, counts: Counts, lengths: Counts, mean: float) -> Scores:
    """Return the BM25, for one term, of the passages at the indices `places`.

    They contain the term `counts` times. `lengths` are the numbers of words of every passage of the
    workspace, `mean` is their mean.
    """
    scores = saturation(counts, lengths[places], mean)
    scores *= idf(len(lengths), len(places)) * (K1 + 1)
    return scores


def bm25(terms: Iterable[Scored], passages: int, chosen: Rows | None = None) -> Scores:
    """Return the sums of the terms' scores, float32 of shape (n,), >= 0.

    The n passages are all `passages`, or those at the indices `chosen` (each once).
    """
    scores = np.zeros(passages if chosen is None else len(chosen), np.float32)
    for term in terms:
        at, own = term if chosen is None else within(term, chosen)
        scores[at] += own
    return scores


def within(term: Scored, chosen: Rows) -> Scored:
    """Return the passages at the indices `chosen` that contain a term, and their scores.

    The passages are positions in `chosen`.
    """
    places, scores = term
    if not len(places):
        return np.empty(0, np.int64), scores
    nearest = np.searchsorted(places, chosen)  # both ascend
    nearest[nearest == len(places)] = 0
    at = np.flatnonzero(places[nearest] == chosen)
    return at, scores[nearest[at]]


def idf(passages: int, holders: int) -> float:
    """Return the weight of a term that `holders` of the `passages` contain, above 0."""
    return log(1 + (passages - holders + 0.5) / (holders + 0.5))


def saturation(counts: Counts, lengths: Counts, mean: float) -> Scores:
    """Return the factor of BM25 that depends on the passage, in 0..1.

    It increases with the number of occurrences of a term, and decreases with the length of the passage.
    """
    frequency = counts.astype(np.float32)
    shares = lengths.astype(np.float32)
    shares *= K1 * B / max(mean, 1.0)
    shares += K1 * (1 - B)
    shares += frequency
    return np.divide(frequency, shares, out=shares)


# ---------------------------------------------------------------- the highest scores


def top(scores: Scores, most: int) -> Rows:
    """Return the indices of the `most` highest scores, best first; ties in the order of their indices."""
    heads = scores[: len(scores) // _BLOCK * _BLOCK].reshape(-1, _BLOCK).max(axis=1, initial=-np.inf)
    if 0 < most < len(heads):
        # `most` blocks have a score of at least `least`, so no lower score can be among the highest.
        least = np.partition(heads, -most)[-most]
        blocks = np.flatnonzero(heads >= least)[:, None] * _BLOCK + np.arange(_BLOCK)
        candidates = np.concatenate((blocks.ravel(), np.arange(len(heads) * _BLOCK, len(scores))))
        candidates = candidates[scores[candidates] >= least]
    else:
        candidates = np.arange(len(scores))
    return candidates[np.argsort(-scores[candidates], kind="stable")][: max(most, 0)]


def best(timeline: PassageTimeline, scores: Scores, most: int) -> tuple[Rows, Scores]:
    """Return rows and scores of the `most` passages of a timeline with the highest scores, best first."""
    chosen = top(scores, most)
    return timeline.rows[chosen], scores[chosen]


def divide_by_lengths(scores: Vectors, lengths: Sequence[Scores | None]) -> Vectors:
    """Divide the scores of each query, in place, by its lengths; None divides by nothing."""
    for own, divisors in zip(scores, lengths, strict=True):
        if divisors is not None:
            own /= divisors
    return scores
