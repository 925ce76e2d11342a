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
    """Keeps the `most` moments that are most important to the question, most important first:

        (1 - relevance) * importance + relevance * score

    The importance of a moment is that of its best passage, judged when the recording was added, whatever is
    asked; its score is stretched to 0..1, and stands alone for one that was not judged. What is equal stays
    in its order. `relevance` 0 looks at nothing but importance: it keeps what weighs much in a talk, however
    little that speaks to the question.
    """

    most: int = 10
    relevance: float = 0.75
    ranges: ClassVar = {"most": (1, inf), "relevance": (0, 1)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        scores = minmax(np.array([moment.score for moment in evidence.moments], np.float32)).tolist()
        judged = [moment.passages[moment.peak].importance for moment in evidence.moments]
        worth = [self._worth(known, score) for known, score in zip(judged, scores, strict=True)]
        order = sorted(range(len(worth)), key=lambda at: -worth[at])[: self.most]
        return evidence.with_moments(tuple(evidence.moments[at] for at in order))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        bare = sum(moment.passages[moment.peak].importance is None for moment in before.moments)
        return f"by score: the importance of {bare} of {len(before.moments)} is not known" if bare else ""

    def _worth(self, importance: float | None, score: float) -> float:
        if importance is None:
            return score
        return (1 - self.relevance) * importance + self.relevance * score
