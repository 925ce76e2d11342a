"""Lets no single recording have all the places."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import inf
from typing import ClassVar

from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Evidence, Moment


@dataclass(frozen=True)
class Cap(Stage):
    """Keeps the best `each` moments of every recording, in their order."""

    each: int = 3
    ranges: ClassVar = {"each": (1, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        seen: Counter[str] = Counter()
        kept: list[Moment] = []
        for moment in evidence.moments:
            seen[moment.recording] += 1
            if seen[moment.recording] <= self.each:
                kept.append(moment)
        return evidence.with_moments(tuple(kept))
