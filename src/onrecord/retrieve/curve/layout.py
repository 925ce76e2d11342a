"""Lays the passages of a timeline out by position, and spreads scores there.

Recordings, and passages with many others between them, are set so far apart that nothing flows from one to
the other. A sum with weights is then a product of windows of the scores with one small matrix,

    y(k s + c) = sum over m of x(k s + m - r) M(m, c),        M(m, c) = w(2 r - m + c)

for r = reach of the weights w, and s scores at once. A window is as long as all that the weights reach from s
scores. This takes a fifth of the time of adding shifted scores, weight by weight: 1.7 ms for a million scores
and 23 weights, where that takes 8.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
from numpy.lib.stride_tricks import as_strided

from onrecord.types import PassageTimeline

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from onrecord.types import Counts, Rows, Scores

    Weights = NDArray[np.float32]
    """Shape (2 reach + 1,): how much flows to the passage -reach, ..., reach places further on."""
    Signal = tuple[Rows | Counts | slice, Scores]
    """Indices of passages, rising, and their values; all other passages have 0."""
    Join = Callable[[int, Scores], object]

FULL = 1000
"""Words of a recording from which on scores flow as far as a stage says. A scene of 300 words is about one
thing: if they flowed as far as in an hour of talk, all of it would score alike. Chosen on 300 questions of
FriendsQA and as many of LoCoMo, beside `onrecord eval examples`."""

_GAP = 16
"""Places between recordings are a multiple of this, so that stages which reach almost as far share them."""
_STEP = 32
"""Scores at once, if the weights reach no further than half of it: the quickest of 32, 48 and 64."""
_PIECE = 65_536
"""Scores that fit into the cache of one core, with as many sums: 16,384 take a tenth longer."""
_FEW = 1 / 4
"""Scores for each window below which only the windows are multiplied that have any: of a rare word."""
_ONE_THREAD = 4 * 65_536
"""Multiplications up to which OpenBLAS uses one thread. More take eight times the processor time, as its
threads wait for work by asking again and again."""


class Layout:
    """What follows from a timeline alone. Use `layout_of`."""

    def __init__(self, timeline: PassageTimeline) -> None:
        self.count = len(timeline)
        self.passages = np.bincount(timeline.recordings, minlength=len(timeline.names))
        """Passages of each recording."""
        self.words = np.maximum(timeline.words, 1).astype(np.float32)
        """Words of each passage, at least 1."""
        self.mean_words = float(timeline.words.mean()) if self.count else 0.0
        words = np.bincount(timeline.recordings, weights=timeline.words)
        length = float(words @ words) / max(float(words.sum()), 1.0)
        self.fullness = min(1.0, length / FULL) ** 2
        """How far scores may flow, in 0..1: the square of the length of recordings divided by `FULL`. Their
        length is the mean over all words of the length of the recording that a word is in."""
        self._steps = np.diff(timeline.positions)
        self._steps[np.diff(timeline.recordings) != 0] = np.iinfo(np.int32).max
        """How many positions each passage stands behind the one before; very many in another recording."""
        self._places: dict[int, Rows] = {}
        """Where each passage stands, from 0, if no more than so many places lie between two."""

    @cached_property
    def firsts(self) -> Rows:
        """The index of the first passage of each recording that has any."""
        firsts: Rows = (np.cumsum(self.passages) - self.passages)[self.passages > 0]
        return firsts

    @cached_property
    def words_of_recordings(self) -> Scores:
        """Words of each recording that has passages."""
        sums: Scores = np.add.reduceat(self.words, self.firsts)
        return sums

    def flow(self, scores: Scores, weights: Weights) -> Scores:
        """Scores spread within each recording, by position: passages that are not in the timeline lie between
        those that are, and give nothing. Divided by the largest sum of weights that a recording can have."""
        if self.passages.max(initial=0) < 2:
            return scores
        flowed = self.spread([(slice(None), scores)], weights)
        sums = np.concatenate(([0], np.cumsum(weights)))
        longest = min(int(self.passages.max()), len(weights))
        largest = [(sums[n:] - sums[: len(sums) - n]).max() for n in range(longest + 1)]  # of n in a row
        most = np.array(largest, np.float32)[np.minimum(self.passages, longest)]
        flowed /= most[0] if (most == most[0]).all() else np.repeat(most, self.passages)
        return flowed

    def spread(self, signals: Sequence[Signal], weights: Weights, join: Join | None = None) -> Scores:
        """The sum of the signals around each passage, weighed by distance.

        `join` changes what a signal sums up to, in place: it gets the signal's number and some of the sums.
        It leaves 0 as it is.
        """
        gap = -(-(len(weights) // 2) // _GAP) * _GAP
        if gap not in self._places:
            steps = np.minimum(self._steps, gap + 1)
            self._places[gap] = np.concatenate(([0], np.cumsum(steps, dtype=np.int64)))
        places = self._places[gap]
        windows = _Windows(weights, int(places[-1]) + 1)
        return windows.sums([(places[at], values) for at, values in signals], join)[places]


_LAYOUTS: WeakKeyDictionary[PassageTimeline, Layout] = WeakKeyDictionary()


def layout_of(timeline: PassageTimeline) -> Layout:
    """The layout of a timeline, made once as long as the timeline lives."""
    layout = _LAYOUTS.get(timeline)
    if layout is None:
        layout = _LAYOUTS[timeline] = Layout(timeline)
    return layout


class _Windows:
    """Weighed sums of scores on so many `places`, by windows, in pieces that stay in the cache of one core.

    Windows overlap, and BLAS takes rows that do not. So every other one is taken at once.
    """

    def __init__(self, weights: Weights, places: int) -> None:
        self._reach = len(weights) // 2
        self._step = max(_STEP, -(-2 * self._reach // _STEP) * _STEP)
        beside = np.zeros(self._step - 1, np.float32)
        backward = np.concatenate((beside, weights[::-1], beside))
        size, height = backward.itemsize, self._step + len(weights) - 1
        shifted = as_strided(backward[self._step - 1 :], (height, self._step), (size, -size))
        self._matrix = np.ascontiguousarray(shifted)
        """M of the module's docstring, shape (step + 2 reach, step)."""
        self._at_once = 2 * max(1, _ONE_THREAD // self._matrix.size)
        self.size = -(-places // self._step) * self._step
        self._piece = min(self.size, _PIECE // self._step * self._step or self._step)

    def sums(self, signals: Sequence[tuple[Rows, Scores]], join: Join | None) -> Scores:
        """The sums of all signals, each of which is given by its places, rising, and its values."""
        sums = np.zeros(self.size, np.float32)
        laid = np.zeros(self._piece + 2 * self._reach, np.float32)
        products = np.empty((self._piece // self._step, self._step), np.float32)
        for first in range(0, self.size, self._piece):
            own = sums[first : first + self._piece].reshape(-1, self._step)
            windows = as_strided(
                laid, (len(own), len(self._matrix)), (self._step * laid.itemsize, laid.itemsize)
            )
            for number, (places, values) in enumerate(signals):
                begin, end = np.searchsorted(places, (first - self._reach, first + own.size + self._reach))
                if begin == end:
                    continue
                inside = places[begin:end] - first
                laid[inside + self._reach] = values[begin:end]
                if end - begin < _FEW * len(own):
                    self._add_some(windows, own, inside, number, join)
                    laid[inside + self._reach] = 0
                    continue
                around = products[: len(own)] if len(signals) > 1 else own
                self._multiply(windows, around)
                if join is not None:
                    join(number, around)
                if around is not own:
                    own += around
                laid.fill(0)
        return sums

    def _multiply(self, windows: Scores, out: Scores) -> None:
        for first in range(0, len(out), self._at_once):
            for begin in (first, first + 1):
                some = slice(begin, first + self._at_once, 2)
                np.matmul(windows[some], self._matrix, out=out[some])

    def _add_some(self, windows: Scores, own: Scores, places: Rows, number: int, join: Join | None) -> None:
        """Add to `own` the sums in the windows that some places flow into; those in all others are 0."""
        is_reached = np.zeros(len(own) + 2, bool)  # a place may lie beside the first window, or the last
        is_reached[(places - self._reach) // self._step + 1] = True
        is_reached[(places + self._reach) // self._step + 1] = True  # none flows into more than two
        reached = np.flatnonzero(is_reached[1:-1])
        for first in range(0, len(reached), self._at_once // 2):
            some = reached[first : first + self._at_once // 2]
            around = windows[some] @ self._matrix
            if join is not None:
                join(number, around)
            own[some] += around
