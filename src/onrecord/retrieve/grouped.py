"""Moments by recording, the recording that fits best first."""

from __future__ import annotations

from dataclasses import dataclass, replace

from onrecord.retrieve.balance import by
from onrecord.retrieve.order import by_rank
from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Evidence, Moment


@dataclass(frozen=True)
class Grouped(Stage):
    """Puts the moments of each recording together: the recordings by the mean score of their moments, the
    moments within them by their own, both falling.

    `Moment.scores` keeps their "rank", from 0, and the mean as "recording".
    """

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        ranked = [
            replace(moment, scores={**moment.scores, "rank": float(rank)})
            for rank, moment in enumerate(by_rank(evidence.moments))
        ]
        groups = [_with_mean(group) for group in by(lambda moment: moment.recording, tuple(ranked))]
        groups.sort(key=lambda group: -group[0].scores["recording"])
        return evidence.with_moments(tuple(moment for group in groups for moment in group))


def _with_mean(group: list[Moment]) -> list[Moment]:
    mean = sum(moment.score for moment in group) / len(group)
    told = [replace(moment, scores={**moment.scores, "recording": mean}) for moment in group]
    return sorted(told, key=lambda moment: -moment.score)
