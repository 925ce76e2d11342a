"""Likeness of short texts by runs of letters, which misspellings and endings leave mostly whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from onrecord.retrieve.faq.text import words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from onrecord.types import Rows, Scores

BITS = 16
BUCKETS = 1 << BITS
SIZES = (2, 3, 4)
_MIX = np.uint32(2654435761)


class Grams:
    """TF-IDF over runs of 2-4 letters within words, the spaces around a word included, hashed to 2^16
    buckets; likeness is the cosine. (Character n-grams: Cavnar and Trenkle 1994; hashing: Weinberger et
    al. 2009; idf = ln((1 + n) / (1 + df)) + 1, with occurrences in place of documents.)
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._buckets, counts = _grams(texts)
        self._ends = np.concatenate(([0], np.cumsum(counts)))
        times = np.bincount(self._buckets, minlength=BUCKETS)
        self._idf = (np.log((1 + len(texts)) / (1 + np.minimum(times, len(texts)))) + 1).astype(np.float32)
        squares = np.concatenate(([0], np.cumsum(self._idf[self._buckets].astype(np.float64) ** 2)))
        self._norms = np.sqrt(np.maximum(np.diff(squares[self._ends]), 1e-9)).astype(np.float32)

    def likeness(self, text: str, rows: Rows) -> Scores:
        """Cosine, in 0..1, of `text` with the texts of these rows."""
        found, _ = _grams([text])
        weights = np.zeros(BUCKETS, np.float32)
        np.add.at(weights, found, self._idf[found])
        norm = float(np.linalg.norm(weights)) or 1.0
        weights *= self._idf
        sizes = self._ends[rows + 1] - self._ends[rows]
        if not sizes.sum():
            return np.zeros(len(rows), np.float32)
        begins = np.cumsum(sizes) - sizes
        places = np.repeat(self._ends[rows] - begins, sizes) + np.arange(sizes.sum())
        sums = np.concatenate(([0], np.cumsum(weights[self._buckets[places]], dtype=np.float64)))
        products = sums[begins + sizes] - sums[begins]
        cosines: Scores = np.minimum(products / (norm * self._norms[rows]), 1).astype(np.float32)
        return cosines


def _grams(texts: Sequence[str]) -> tuple[NDArray[np.int32], Rows]:
    """The buckets of all texts, one text after the other, and how many each has."""
    lines = [f" {' '.join(found)} " if (found := words(text)) else "" for text in texts]
    joined = "\n".join([*lines, "\n\n\n"])
    codes = np.frombuffer(joined.encode("utf-32-le", "replace"), "<u4")
    size = len(codes) - max(SIZES) + 1
    gap = codes == ord(" ")
    end = codes == ord("\n")
    buckets = np.empty((size, len(SIZES)), np.int32)
    valid = np.empty((size, len(SIZES)), bool)
    for column, length in enumerate(SIZES):
        code = np.full(size, length, np.uint32)
        inside = np.zeros(size, bool)
        for step in range(length):
            here = slice(step, step + size)
            code = (code ^ codes[here]) * _MIX
            code ^= code >> np.uint32(15)
            inside |= end[here] | (gap[here] if 0 < step < length - 1 else False)
        buckets[:, column] = code >> np.uint32(32 - BITS)
        valid[:, column] = ~inside
    counts = np.add.reduceat(valid.sum(axis=1), _starts(lines)) if lines else np.zeros(0, np.int64)
    return buckets[valid], counts


def _starts(lines: Sequence[str]) -> Rows:
    return np.concatenate(([0], np.cumsum([len(line) + 1 for line in lines])))[:-1].astype(np.int64)
