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
    from onrecord.types import Counts, Scores

K1, B = 1.2, 0.75


def bm25(postings: Iterable[tuple[Counts, Counts]], lengths: Counts) -> Scores:
    """Scores of all passages, float32 of shape (n,), >= 0.

    `postings` has for each term asked for the indices of the passages that hold it (each once) and how
    often they do; `lengths` are the words of every passage.
    """
    scores = np.zeros(len(lengths), np.float32)
    mean = max(float(lengths.mean()), 1.0) if len(lengths) else 1.0
    for places, counts in postings:
        idf = log(1 + (len(lengths) - len(places) + 0.5) / (len(places) + 0.5))
        frequency = counts.astype(np.float32)
        penalty = K1 * (1 - B + B / mean * lengths[places].astype(np.float32))
        scores[places] += idf * (K1 + 1) * frequency / (frequency + penalty)
    return scores
