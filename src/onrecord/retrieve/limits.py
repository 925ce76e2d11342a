"""As many passages as a question of its kind wants."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import ClassVar

from onrecord.retrieve.context import around_peak
from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Evidence, Moment


@dataclass(frozen=True)
class Limits(Stage):
    """Keeps the best passages, at most so many as the intent of the plan wants; `unplanned` without one.

    A fact is told in one place, a summary or a question to everything wants many. A moment that does not
    fit whole is cut to the passages around its best, and that is the last one.
    """

    factual: int = 3
    definition: int = 3
    causal: int = 8
    multi_entity: int = 15
    comparison: int = 20
    summary: int = 50
    exploratory: int = 50
    unplanned: int = 10
    ranges: ClassVar = dict.fromkeys(
        (
            *("factual", "definition", "causal", "multi_entity", "comparison", "summary"),
            *("exploratory", "unplanned"),
        ),
        (1, inf),
    )

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        left, kept = self.most(evidence), list[Moment]()
        for moment in evidence.moments:
            if len(moment.passages) > left:
                kept += around_peak(moment, left, lambda _: 1)
                break
            kept.append(moment)
            left -= len(moment.passages)
        return evidence.with_moments(tuple(kept))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        return f"{before.plan.intent}: {self.most(before)} passages at most" if before.plan else ""

    def most(self, evidence: Evidence) -> int:
        """How many passages are kept of this evidence."""
        limit: int = getattr(self, evidence.plan.intent if evidence.plan else "unplanned", self.unplanned)
        return limit
