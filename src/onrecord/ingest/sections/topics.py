"""Topic boundaries: change points in the meaning of passages, supported by words, speakers and phrases.

The cost of a segmentation is the spread of its segments around their means (kernel change-point detection:
Arlot, Celisse and Harchaoui, A Kernel Multiple Change-point Algorithm via Model Selection, 2019), plus a
price for every segment, minus the evidence for its boundaries. Dynamic programming finds the segmentation
with the lowest cost. The evidence is a linear score of cosines between the windows on both sides (Hearst,
TextTiling, 1997), changes of speaker, many short turns before, and phrases. Its weights were fitted on half
of QMSum's meetings: see benchmarks/sections.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from onrecord.ingest.sections.words import BUCKETS, Words, count_cues, is_opener, unit_rows
from onrecord.types import Passage

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from onrecord.types import Scores, Vectors

    Sums = NDArray[np.float64]

NEAR, FAR = 2, 4
"""Passages that are compared on each side of a boundary, in a short and a long window."""
_TAIL, _HEAD = 30, 50
"""Words before and after a boundary that are searched for phrases."""
_WEIGHTS = np.array((-0.23, -0.34, -0.17, -0.14, 0.45, 0.24, 0.27, 0.49), np.float32)
_CONSTANT = -4.13


@dataclass(frozen=True, slots=True)
class Topics:
    """Finds topics of `least` to `longest` passages.

    `smooth` is the standard deviation, in passages, of the Gaussian that smooths their vectors. The `price`
    of a segment and the `worth` of evidence for a boundary are shares of a recording's total spread.
    """

    smooth: float = 3.0
    price: float = 0.04
    worth: float = 0.04
    least: int = 3
    longest: int = 60

    def begins(self, passages: Sequence[Passage], words: Words, vectors: Vectors | None) -> list[int]:
        """Return the positions at which topics begin, the first 0; without `vectors`, by words alone."""
        if len(passages) < 2 * self.least + 2:
            return [0] if passages else []
        lexical = words.matrix()
        meaning = lexical if vectors is None else vectors
        points = smooth_rows(meaning - meaning.mean(axis=0), self.smooth)
        evidence = boundary_signals(passages, words, meaning, lexical) @ _WEIGHTS + _CONSTANT
        return self._cut(np.asarray(points, np.float64), evidence)

    def _cut(self, points: Sums, evidence: Scores) -> list[int]:
        """Return the cheapest segmentation, by `evidence` for a boundary before point 1, 2, ..."""
        count = len(points)
        sums = np.vstack([np.zeros(points.shape[1]), points.cumsum(axis=0)])
        norms = (sums**2).sum(axis=1)
        squares = np.append(0.0, (points**2).sum(axis=1).cumsum())
        unit_price = (squares[-1] - norms[-1] / count) / count * min(max(count, 50), 120)
        price = unit_price * (self.price - self.worth * np.append(0.0, evidence))
        price[0] = unit_price * self.price
        best, before = np.full(count + 1, np.inf), np.zeros(count + 1, np.int64)
        best[0] = 0.0
        for end in range(self.least, count + 1):
            first = np.arange(max(0, end - self.longest), end - self.least + 1)
            within = norms[first] + norms[end] - 2 * (sums[first] @ sums[end])
            costs = best[first] + squares[end] - squares[first] - within / (end - first) + price[first]
            choice = int(costs.argmin())
            best[end], before[end] = costs[choice], first[choice]
        begins = [int(before[-1])]
        while begins[-1] > 0:
            begins.append(int(before[begins[-1]]))
        return begins[::-1]


def boundary_signals(
    passages: Sequence[Passage], words: Words, meaning: Vectors, lexical: Vectors
) -> Vectors:
    """Return eight signals for the boundary before passage 1, 2, ..., in the order of the weights."""
    tokens, positions = words.tokens, range(1, len(passages))
    voices = [len(passage.voices) or 1 for passage in passages]
    return np.column_stack(
        [
            _standardize(window_cosines(meaning, FAR)),
            _standardize(window_cosines(lexical, NEAR)),
            _standardize(window_cosines(lexical, FAR)),
            _standardize(window_cosines(speaker_shares(passages), FAR)),
            [passages[at].speaker != passages[at - 1].speaker for at in positions],
            np.log(voices[:-1]),
            [count_cues(tokens[at - 1][-_TAIL:]) for at in positions],
            [count_cues(tokens[at][:_HEAD]) + is_opener(tokens[at]) for at in positions],
        ]
    ).astype(np.float32)


def window_cosines(rows: Vectors, window: int) -> Scores:
    """Return the cosine of the sums of `window` rows on both sides of each boundary; shape (n - 1,)."""
    count = len(rows)
    sums = np.vstack([np.zeros((1, rows.shape[1]), np.float32), rows.cumsum(axis=0)])
    at = np.arange(1, count)
    left = unit_rows(sums[at] - sums[np.maximum(at - window, 0)])
    right = unit_rows(sums[np.minimum(at + window, count)] - sums[at])
    return np.asarray(np.einsum("ij,ij->i", left, right), np.float32)


def speaker_shares(passages: Sequence[Passage]) -> Vectors:
    """Return unit vectors of each speaker's number of characters in each passage."""
    number: dict[str | None, int] = {}
    shares: list[tuple[int, int, int]] = []
    for row, passage in enumerate(passages):
        for begin, end, name in passage.turns:
            shares.append((row, number.setdefault(name, len(number) % BUCKETS), end - begin))
    rows = np.zeros((len(passages), min(max(len(number), 1), BUCKETS)), np.float32)
    for row, column, size in shares:
        rows[row, column] += size
    return unit_rows(rows)


def smooth_rows(rows: Vectors, deviation: float) -> Vectors:
    """Return each row as the mean of the rows around it, weighted by a Gaussian."""
    reach = min(int(3 * deviation), len(rows) - 1)
    total, weights = np.zeros_like(rows), np.zeros((len(rows), 1), np.float32)
    for shift in range(-reach, reach + 1):
        weight = np.float32(np.exp(-(shift**2) / (2 * deviation**2)))
        to = slice(max(0, -shift), len(rows) - max(0, shift))
        of = slice(max(0, shift), len(rows) - max(0, -shift))
        total[to] += weight * rows[of]
        weights[to] += weight
    return total / weights


def _standardize(values: Scores) -> Scores:
    """Return values as distances from the recording's mean, in standard deviations."""
    return np.asarray((values - values.mean()) / (values.std() + 1e-6), np.float32)
