"""The passages that say most."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import ClassVar

import numpy as np

from onrecord.retrieve.fuse import minmax
from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Evidence


@dataclass(frozen=True)
class Important(Stage):
    """Keeps the `most` moments of the highest importance, most important first.

    The importance of a moment is that of its best passage, judged when the recording was added; for one
    that was not judged its score, stretched to 0..1, stands in. What is equal stays in its order.
    """

    most: int = 10
    ranges: ClassVar = {"most": (1, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        scores = minmax(np.array([moment.score for moment in evidence.moments], np.float32)).tolist()
        judged = [moment.passages[moment.peak].importance for moment in evidence.moments]
        worth = [score if known is None else known for known, score in zip(judged, scores, strict=True)]
        order = sorted(range(len(worth)), key=lambda at: -worth[at])[: self.most]
        return evidence.with_moments(tuple(evidence.moments[at] for at in order))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        bare = sum(moment.passages[moment.peak].importance is None for moment in before.moments)
        return f"by score: the importance of {bare} of {len(before.moments)} is not known" if bare else ""
