"""The layout of a timeline's passages by position, and a fast way to spread scores along it.

Recordings, and passages with many others between them, are placed so far apart that no score spreads from one
to the other. A weighted sum is then a product of windows of the scores with one small matrix,

    y(k s + c) = sum over m of x(k s + m - r) M(m, c),        M(m, c) = w(2 r - m + c)

for r = reach of the weights w, and s scores at once. A window covers all places that the weights reach from s
scores. This takes a fifth of the time of adding shifted scores, weight by weight: 1.7 ms for a million scores
and 23 weights, compared with 8 ms.
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
    """Weights of shape (2 reach + 1,): the share that flows to the passage -reach, ..., reach places on."""
    Signal = tuple[Rows | Counts | slice, Scores]
    """Indices of passages, rising, and their values; all other passages have 0."""
    Join = Callable[[int, Scores], object]

FULL = 1000
"""Words of a recording at or above which scores flow the full distance that a stage sets.

A scene of 300 words is about one thing: if scores flowed as far there as in an hour of talk, all of it would
score alike. Chosen on 300 questions of FriendsQA and as many of LoCoMo, beside `onrecord eval examples`.
"""

_GAP = 16
"""The places between recordings are a multiple of this, so that stages with similar reach share a layout."""
_STEP = 32
"""Scores at once, if the weights reach at most half as far: the fastest of 32, 48 and 64."""
_PIECE = 65_536
"""Scores that fit into the cache of one core together with as many sums: 16,384 take a tenth longer."""
_FEW = 1 / 4
"""Scores per window below which only windows with scores are multiplied, as for a rare word."""
_ONE_THREAD = 4 * 65_536
"""Multiplications up to which OpenBLAS uses one thread.

More take eight times the processor time, because its threads busy-wait for work.
"""


class Layout:
    """Values that depend only on a timeline. Use `layout_of` to get them."""

    def __init__(self, timeline: PassageTimeline) -> None:
        self.count = len(timeline)
        self.passages = np.bincount(timeline.recordings, minlength=len(timeline.names))
        """Number of passages of each recording."""
        self.words = np.maximum(timeline.words, 1).astype(np.float32)
        """Number of words of each passage, at least 1."""
        self.mean_words = float(timeline.words.mean()) if self.count else 0.0
        words = np.bincount(timeline.recordings, weights=timeline.words)
        length = float(words @ words) / max(float(words.sum()), 1.0)
        self.fullness = min(1.0, length / FULL) ** 2
        """How far scores may flow, in 0..1.

        It is the square of min(1, the length of recordings / `FULL`). Their length is the mean, over all
        words, of the length of the recording that contains the word.
        """
        self._steps = np.diff(timeline.positions)
        self._steps[np.diff(timeline.recordings) != 0] = np.iinfo(np.int32).max
        """The distance in positions of each passage from the one before; very large between recordings."""
        self._places: dict[int, Rows] = {}
        """The place of each passage, from 0, for each limit on the number of places between two passages."""

    @cached_property
    def firsts(self) -> Rows:
        """The index of the first passage of each recording that has any."""
        firsts: Rows = (np.cumsum(self.passages) - self.passages)[self.passages > 0]
        return firsts

    @cached_property
    def words_of_recordings(self) -> Scores:
        """The number of words of each recording that has passages."""
        sums: Scores = np.add.reduceat(self.words, self.firsts)
        return sums

    def flow(self, scores: Scores, weights: Weights) -> Scores:
        """Return scores spread within each recording, by position.

        Passages that are missing from the timeline still take up a position, and contribute nothing. The sums
        are divided by the largest sum of weights that a recording can have.
        """
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
        """Return the sum of the signals around each passage, weighted by distance.

        `join` changes the sums of a signal in place: it gets the signal's number and some of its sums. It
        must leave 0 unchanged.
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
    """Return the layout of a timeline, computed once and cached while the timeline exists."""
    layout = _LAYOUTS.get(timeline)
    if layout is None:
        layout = _LAYOUTS[timeline] = Layout(timeline)
    return layout


class _Windows:
    """Weighted sums of scores over `places` places, computed by windows.

    The places are split into pieces whose scores stay in the cache of one core. Windows overlap, but BLAS
    needs rows that do not. So every other window is taken at once.
    """

    def __init__(self, weights: Weights, places: int) -> None:
        self._reach = len(weights) // 2
        self._step = max(_STEP, -(-2 * self._reach // _STEP) * _STEP)
        beside = np.zeros(self._step - 1, np.float32)
        backward = np.concatenate((beside, weights[::-1], beside))
        size, height = backward.itemsize, self._step + len(weights) - 1
        shifted = as_strided(backward[self._step - 1 :], (height, self._step), (size, -size))
        self._matrix = np.ascontiguousarray(shifted)
        """The matrix M of the module's docstring, shape (step + 2 reach, step)."""
        self._at_once = 2 * max(1, _ONE_THREAD // self._matrix.size)
        self.size = -(-places // self._step) * self._step
        self._piece = min(self.size, _PIECE // self._step * self._step or self._step)

    def sums(self, signals: Sequence[tuple[Rows, Scores]], join: Join | None) -> Scores:
        """Return the sums of all signals. Each signal is given by its places, rising, and its values."""
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
        """Add to `own` the sums in the windows that these places flow into; the sums in all others are 0."""
        is_reached = np.zeros(len(own) + 2, bool)  # a place may lie beside the first window, or the last
        is_reached[(places - self._reach) // self._step + 1] = True
        is_reached[(places + self._reach) // self._step + 1] = True  # no place flows into more than two
        reached = np.flatnonzero(is_reached[1:-1])
        for first in range(0, len(reached), self._at_once // 2):
            some = reached[first : first + self._at_once // 2]
            around = windows[some] @ self._matrix
            if join is not None:
                join(number, around)
            own[some] += around
