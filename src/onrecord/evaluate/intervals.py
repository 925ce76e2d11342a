"""Means, shares and differences with their 95 % confidence intervals."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[np.float64]
    """Shape (questions,); NaN if a measure does not apply to a question."""

Z95 = 1.959964
"""Half the width, in standard deviations, of the middle 95 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its 95 % confidence interval; NaN if there are no values."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


@dataclass(frozen=True, slots=True)
class Difference(Estimate):
    """The difference between two strategies on the same questions: the mean of the differences."""

    def __str__(self) -> str:
        return f"{self.mean:+.3f} [{self.low:+.3f}, {self.high:+.3f}]"

    @property
    def certain(self) -> bool:
        """Whether the interval excludes 0."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True, slots=True)
class Share:
    """A share, `hits` of `total`, with its 95 % confidence interval."""

    hits: int
    total: int

    @property
    def value(self) -> float:
        """The share in 0..1; 0 if `total` is 0."""
        return self.hits / self.total if self.total else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The lower and upper end of Wilson's score interval (Wilson 1927)."""
        if not self.total:
            return 0.0, 1.0
        n, share, square = self.total, self.value, Z95**2
        middle = (share + square / (2 * n)) / (1 + square / n)
        half = Z95 / (1 + square / n) * sqrt(share * (1 - share) / n + square / (4 * n * n))
        return max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share))

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.value:6.1%}  [{low:.1%}, {high:.1%}]  {self.hits} of {self.total}"


def bootstrap(values: Values, rounds: int = 2000, seed: int = 0) -> Estimate:
    """Return the mean of the values that are not NaN, with its 95 % interval by the percentile bootstrap.

    Draws `rounds` samples of the same size with replacement (Efron 1979; for retrieval Sakai, Evaluating
    evaluation metrics based on the bootstrap, 2006). The same seed gives the same figures.
    """
    defined = values[~np.isnan(values)]
    if not len(defined):
        return Estimate(float("nan"), float("nan"), float("nan"))
    picks = np.random.default_rng(seed).integers(0, len(defined), (rounds, len(defined)))
    low, high = np.percentile(defined[picks].mean(axis=1), [2.5, 97.5])
    return Estimate(float(defined.mean()), float(low), float(high))


def mean_of(count: int, total: float, squares: float) -> Estimate:
    """Return a mean and its normal interval, from a count, a sum and a sum of squares."""
    if not count:
        return Estimate(float("nan"), float("nan"), float("nan"))
    mean = total / count
    spread = max(squares / count - mean * mean, 0.0) * count / max(count - 1, 1)
    half = Z95 * sqrt(spread / count)
    return Estimate(mean, mean - half, mean + half)


def share_difference(share: Share, base: Share) -> Difference:
    """Return the difference of two shares, over different questions, with its 95 % interval.

    Newcombe's hybrid score method (Interval estimation for the difference between independent proportions,
    1998, method 10). The interval is -1..1 if either share has a total of 0.
    """
    if not share.total or not base.total:
        return Difference(float("nan"), -1.0, 1.0)
    (low, high), (base_low, base_high) = share.interval, base.interval
    mean = share.value - base.value
    below = sqrt((share.value - low) ** 2 + (base_high - base.value) ** 2)
    above = sqrt((high - share.value) ** 2 + (base.value - base_low) ** 2)
    return Difference(mean, mean - below, mean + above)
