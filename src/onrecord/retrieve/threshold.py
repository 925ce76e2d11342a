"""Keeps what is near enough to the question, and never leaves the reader with nothing."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import ClassVar

from onrecord.errors import SettingError
from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Evidence


@dataclass(frozen=True)
class Threshold(Stage):
    """At most `most` moments whose cosine is at least `floor`; where fewer than `least` are, the best
    `least` whatever their score.

    `floor` None is a figure of the embedder's own calibration: `level` "sure" or "floor". A figure that the
    settings have for the question's intent (`retrieval.thresholds`) goes before either.
    """

    floor: float | None = None
    level: str = "sure"
    most: int = 10
    least: int = 3
    ranges: ClassVar = {"floor": (-1, 1), "most": (1, inf), "least": (0, inf)}

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.level not in ("sure", "floor"):
            raise SettingError("Threshold.level", self.level, "'sure' or 'floor'")

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        floor = self._floor(evidence, tools)
        near = [m for m in evidence.moments if m.scores.get("dense", m.score) >= floor]
        kept = near[: self.most] if len(near) >= self.least else evidence.moments[: self.least]
        return evidence.with_moments(tuple(kept))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        floor = self._floor(before, tools)
        near = sum(m.scores.get("dense", m.score) >= floor for m in before.moments)
        return f"{near} of cosine {floor:g} or more" + ("; the nearest are kept" if near < self.least else "")

    def _floor(self, evidence: Evidence, tools: Tools) -> float:
        intent = evidence.plan.intent if evidence.plan else ""
        if intent in tools.floors:
            return tools.floors[intent]
        if self.floor is not None:
            return self.floor
        if tools.embedder is None:
            return 0.0
        figure: float = getattr(tools.embedder.calibration, self.level)
        return figure
