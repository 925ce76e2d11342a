"""One score of several signals: by meaning, by words, by the graph, by a reranker, by what is known of it.

    score(m) = sum over signals of weight * (s(m) - min s) / (max s - min s)

which is the convex combination of `fuse`, of what stages before have left in `Moment.scores`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from onrecord.retrieve.fuse import minmax
from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Evidence, Moment

if TYPE_CHECKING:
    from onrecord.types import Scores


@dataclass(frozen=True)
class Weigh(Stage):
    """Ranks moments by the weighted sum of their signals, each stretched to 0..1.

    `dense`, `lexical`, `graph` and `rerank` are weights of what these gave; `importance` of how much the
    best passage says; `recency` of the recording's date, the newest first. What a moment does not have
    counts as the least that any has; a signal that none has is left out.
    """

    dense: float = 0.5
    lexical: float = 0.2
    graph: float = 0.1
    rerank: float = 0.1
    importance: float = 0.1
    recency: float = 0.0
    ranges: ClassVar = dict.fromkeys(
        ("dense", "lexical", "graph", "rerank", "importance", "recency"), (0.0, inf)
    )

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        if not evidence.moments:
            return evidence
        score = np.zeros(len(evidence.moments), np.float32)
        for name in self.ranges:
            score += getattr(self, name) * minmax(_filled(self._signal(name, evidence, tools)))
        order = np.argsort(-score, kind="stable")
        return evidence.with_moments(
            tuple(replace(evidence.moments[at], score=float(score[at])) for at in order)
        )

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        none = [
            name
            for name in self.ranges
            if getattr(self, name) and not any(v is not None for v in self._signal(name, before, tools))
        ]
        return f"without {', '.join(none)}: none of the moments has it" if none and before.moments else ""

    def _signal(self, name: str, evidence: Evidence, tools: Tools) -> list[float | None]:
        if name == "recency":
            return _recency(evidence.moments, tools)
        if name == "importance":
            return [moment.passages[moment.peak].importance for moment in evidence.moments]
        return [moment.scores.get(name) for moment in evidence.moments]


def _recency(moments: tuple[Moment, ...], tools: Tools) -> list[float | None]:
    """The place of each moment's date among all their dates, from 0; None without a date."""
    names = dict.fromkeys(moment.recording for moment in moments)
    known = {name: recording.details.date for name in names if (recording := tools.store.recording(name))}
    dates = sorted({date for date in known.values() if date})
    return [dates.index(date) if (date := known.get(m.recording)) else None for m in moments]


def _filled(signal: list[float | None]) -> Scores:
    least = min((value for value in signal if value is not None), default=0.0)
    return np.array([least if value is None else value for value in signal], np.float32)
