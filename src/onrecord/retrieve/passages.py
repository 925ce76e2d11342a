"""The best single passages of a curve."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import ClassVar

from onrecord.retrieve.ranking import top
from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Evidence, Moment


@dataclass(frozen=True)
class Passages(Stage):
    """The `most` passages with the highest scores on the curve, each a moment of its own, best first."""

    most: int = 20
    ranges: ClassVar = {"most": (1, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        curve = evidence.curve
        if curve is None:
            return evidence
        best = [at for at in top(curve.score, self.most).tolist() if curve.score[at] > 0]
        found = tools.store.passages(curve.line.rows[best])
        scores = [{name: float(part[at]) for name, part in curve.parts.items()} for at in best]
        return replace(
            evidence,
            moments=tuple(
                Moment((passage,), float(curve.score[at]), parts)
                for passage, at, parts in zip(found, best, scores, strict=True)
            ),
        )
