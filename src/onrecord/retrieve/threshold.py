"""Keeps what is near enough to the question, and never leaves the reader with nothing."""

from __future__ import annotations

from dataclasses import dataclass

from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Evidence


@dataclass(frozen=True)
class Threshold(Stage):
    """At most `most` moments whose cosine is at least `floor`; where fewer than `least` are, the best
    `least` whatever their score.

    `floor` None is the figure at which the embedder's own calibration is sure.
    """

    floor: float | None = None
    most: int = 10
    least: int = 3

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        floor = self._floor(tools)
        near = [m for m in evidence.moments if m.scores.get("dense", m.score) >= floor]
        kept = near[: self.most] if len(near) >= self.least else evidence.moments[: self.least]
        return evidence.with_moments(tuple(kept))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        floor = self._floor(tools)
        near = sum(m.scores.get("dense", m.score) >= floor for m in before.moments)
        return f"{near} of cosine {floor:g} or more" + ("; the nearest are kept" if near < self.least else "")

    def _floor(self, tools: Tools) -> float:
        if self.floor is not None:
            return self.floor
        return tools.embedder.calibration.sure if tools.embedder is not None else 0.0
