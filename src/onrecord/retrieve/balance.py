"""Lets every speaker have a say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import ClassVar

from onrecord.retrieve.spans import interleaved
from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Evidence, Moment


@dataclass(frozen=True)
class Balance(Stage):
    """Takes the best moment of each speaker, then the second of each, ...: at most `each` of a speaker and
    `most` in all. Whoever says the best passage of a moment is its speaker; moments without a known
    speaker take their turns as one more."""

    each: int = 3
    most: int = 10
    ranges: ClassVar = {"each": (1, inf), "most": (1, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        turns = by(lambda moment: moment.passages[moment.peak].speaker, evidence.moments)
        return evidence.with_moments(interleaved([turn[: self.each] for turn in turns])[: self.most])

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        names = dict.fromkeys(m.passages[m.peak].speaker or "somebody" for m in after.moments)
        return ", ".join(names)


def by(key: Callable[[Moment], object], moments: tuple[Moment, ...]) -> list[list[Moment]]:
    """Moments in groups of one key, in the order of the best of each."""
    groups: dict[object, list[Moment]] = {}
    for moment in moments:
        groups.setdefault(key(moment), []).append(moment)
    return list(groups.values())
