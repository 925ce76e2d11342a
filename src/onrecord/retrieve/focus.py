"""Chooses the recording first, then the moments in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import ClassVar

import numpy as np

from onrecord.retrieve.curves import narrowed, recordings_by_score
from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Evidence


@dataclass(frozen=True)
class Focus(Stage):
    """Leaves on the curve only the best `recordings`, by the mean of their best `passages`."""

    recordings: int = 1
    passages: int = 5
    ranges: ClassVar = {"recordings": (1, inf), "passages": (1, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        curve = evidence.curve
        if curve is None:
            return evidence
        best = recordings_by_score(curve, self.passages)[: self.recordings]
        kept = np.flatnonzero(np.isin(curve.line.recordings, best))
        return replace(evidence, curve=narrowed(curve, kept))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        if before.curve is None or after.curve is None:
            return ""
        kept, all_ = (len(set(c.line.recordings.tolist())) for c in (after.curve, before.curve))
        return f"{kept} of {all_} recordings"
