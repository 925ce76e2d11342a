"""Lets the score of every passage flow to its neighbours in time.

What answers a question is a stretch of talk in which most passages do not name what is asked. With a
Gaussian along the line, w(j) = exp(-j^2 / (2 sigma^2)) for a distance of j passages,

    smooth(i) = sum over j of w(j) s(i + j)  /  sum over all j of w(j)

where passages outside the recording, and those left out of the scope, count as 0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Evidence, Line

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from onrecord.types import Scores


def smooth(scores: Scores, line: Line, sigma: float) -> Scores:
    """Scores smoothed within each recording of the line, by positions: passages that are not in the
    line lie between those that are. A recording of one passage keeps its score as it is."""
    if sigma <= 0 or len(line) < 2:
        return scores
    reach = max(1, round(3 * sigma))
    steps = np.diff(line.positions)
    steps = np.where(np.diff(line.recordings) == 0, np.minimum(steps, reach + 1), reach + 1)
    places = np.concatenate(([0], np.cumsum(steps, dtype=np.int64)))
    spread = np.zeros(places[-1] + 1, np.float32)
    spread[places] = scores
    flowed = np.convolve(spread, _gaussian(sigma, reach))[places + reach]
    return np.where(_alone(line), scores, flowed)


def _gaussian(sigma: float, reach: int) -> NDArray[np.float32]:
    distances = np.arange(-reach, reach + 1)
    weights = np.exp(-(distances**2) / (2 * sigma**2))
    kernel: NDArray[np.float32] = (weights / weights.sum()).astype(np.float32)
    return kernel


def _alone(line: Line) -> NDArray[np.bool_]:
    """Which passages are the only ones of their recording in the line."""
    counts = np.bincount(line.recordings, minlength=len(line.names))
    alone: NDArray[np.bool_] = counts[line.recordings] == 1
    return alone


@dataclass(frozen=True)
class Smooth(Stage):
    """The curve's score becomes (1 - `own`) * smoothed + `own` * its own: a fact told in one line must
    not drown in its neighbours. `sigma` counts passages."""

    sigma: float = 1.8
    own: float = 0.2

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        curve = evidence.curve
        if curve is None:
            return evidence
        flowed = smooth(curve.score, curve.line, self.sigma)
        score = (1 - self.own) * flowed + self.own * curve.score
        return replace(evidence, curve=replace(curve, score=score.astype(np.float32)))
