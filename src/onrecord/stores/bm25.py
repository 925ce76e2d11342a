"""BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009), for every passage at once.

score(q, d) = sum over terms t of q of  idf(t) * f * (k1 + 1) / (f + k1 * (1 - b + b * |d| / mean |d|))

f is how often t stands in d, |d| the words of d, and idf(t) = ln(1 + (N - n + 1/2) / (n + 1/2)), with N
passages in the workspace, n of them with t: the form that is never negative.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import log
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from onrecord.types import Counts, Rows, Scores

K1, B = 1.2, 0.75


Postings = tuple["Counts", "Counts"]
"""The indices of the passages that contain a term (each once, rising), and how often they do."""


def bm25(postings: Iterable[Postings], lengths: Counts, mean: float, some: Rows | None = None) -> Scores:
    """BM25 scores, float32 of shape (n,), >= 0: of all passages, or of those at the indices `some` (each
    once).

    `postings` are those of each query term. `lengths` are the words of every passage, `mean` is their mean.
    """
    scores = np.zeros(len(lengths) if some is None else len(some), np.float32)
    for each in postings:
        at, own = bm25_of_term(each, lengths, mean, some)
        scores[at] += own
    return scores


def bm25_of_term(
    postings: Postings, lengths: Counts, mean: float, some: Rows | None = None
) -> tuple[Rows | Counts, Scores]:
    """The passages that contain one term, as positions in `some` or among all, rising, and their scores."""
    places, counts = postings
    weight = idf(len(lengths), len(places))
    at: Rows | Counts = places
    if some is not None:
        at, held = _intersect(some, places)
        places, counts = places[held], counts[held]
    scores = saturation(counts, lengths[places], mean)
    scores *= weight * (K1 + 1)
    return at, scores


def idf(passages: int, holders: int) -> float:
    """The weight of a term that `holders` of the `passages` contain, above 0."""
    return log(1 + (passages - holders + 0.5) / (holders + 0.5))


def saturation(counts: Counts, lengths: Counts, mean: float) -> Scores:
    """The part of BM25 that depends on the passage, in 0..1: how often it has a term, for its length."""
    frequency = counts.astype(np.float32)
    shares = lengths.astype(np.float32)
    shares *= K1 * B / max(mean, 1.0)
    shares += K1 * (1 - B)
    shares += frequency
    return np.divide(frequency, shares, out=shares)


def _intersect(some: Rows, places: Counts) -> tuple[Rows, Rows]:
    """The positions in `some` and in `places` of the indices that both have. Both must rise."""
    found = np.searchsorted(places, some)
    found[found == len(places)] = 0
    into = np.flatnonzero(places[found] == some) if len(places) else np.empty(0, np.int64)
    return into, found[into]
