"""What a model's cosines, and the scores made of them, are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from onrecord.models.base import Calibration, Embedder

if TYPE_CHECKING:
    from onrecord.types import Scores

HERE = Calibration(floor=0.3, sure=0.6)
"""The scale on which everything in stage one was measured: that of all-MiniLM-L6-v2."""
MIDDLE, SLOPE = 0.5, 13.0
SLOPE_OF_LEAD = 20.0


@dataclass(frozen=True, slots=True)
class Scale:
    """A model's cosines on the scale of the one that the FAQ was measured with."""

    model: Calibration = HERE

    @classmethod
    def of(cls, embedder: Embedder) -> Scale:
        """The embedded model is the measure; others are read by their own calibration."""
        return cls() if embedder.name == "minilm" else cls(embedder.calibration)

    def cosines(self, cosines: Scores) -> Scores:
        """Straight between four points: -1, the model's `floor` and `sure`, and 1."""
        if self.model == HERE:
            return cosines
        theirs = [-1, self.model.floor, self.model.sure, 1]
        return np.interp(cosines, theirs, [-1, HERE.floor, HERE.sure, 1]).astype(np.float32)

    def chances(self, fits: Scores, leads: Scores) -> Scores:
        """The chance that each entry is the right one: that the question is one of those that the FAQ
        answers, times that it is this one of them. (Logistic in both; fitted by maximum likelihood on
        labelled questions, the sets weighted alike.)"""
        asked = 1 / (1 + np.exp(-SLOPE * (fits - MIDDLE)))
        this_one = 1 / (1 + np.exp(-SLOPE_OF_LEAD * leads))
        chances: Scores = (asked * this_one).astype(np.float32)
        return chances
