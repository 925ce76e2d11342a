"""Looks again for what the first pass has not found."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import ClassVar

from onrecord.retrieve.curves import with_more
from onrecord.retrieve.grade import judge, mentions
from onrecord.retrieve.question import subject
from onrecord.retrieve.spans import interleaved
from onrecord.retrieve.stage import Stage, Tools, Watch, asking, remarked
from onrecord.types import Evidence, Moment


@dataclass(frozen=True)
class Iterate(Stage):
    """Runs `stage`, sees which entities and aspects of the question have no evidence, and runs it again for
    each of them; what speaks of them goes in between what was found first, no passage twice.

    It stops when nothing is missing, when a pass brought nothing new, after `rounds`, or when looking again
    took `milliseconds`; a pass that has begun is ended. At most `each` moments are added for a gap.
    """

    stage: Stage
    rounds: int = 2
    each: int = 3
    milliseconds: float = 300
    ranges: ClassVar = {"rounds": (0, inf), "each": (1, inf), "milliseconds": (0, inf)}

    def check(self, tools: Tools) -> None:
        self.stage.check(tools)

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        found = self.stage(evidence, tools)
        watch = Watch(tools)  # the first pass is what was asked for, however long it takes
        tried: set[str] = set()
        for number in range(1, self.rounds + 1):
            gaps = [gap for gap in judge(found, tools).gaps if gap not in tried]
            if not gaps:
                break
            if watch.milliseconds >= self.milliseconds:
                return remarked(found, f"Iterate, pass {number + 1}", "left out: the time was over", cut=True)
            tried.update(gaps)
            found = self._filled(found, gaps, number, tools)
        return found

    def _filled(self, found: Evidence, gaps: list[str], number: int, tools: Tools) -> Evidence:
        passes = [self.stage(asking(found, _about(gap, found)), tools) for gap in gaps]
        extra = [
            _that_mention(gap, seen.moments)[: self.each] for gap, seen in zip(gaps, passes, strict=True)
        ]
        line = tools.store.line(found.question.scope)
        after = with_more(found, passes, interleaved([found.moments, *extra]), line)
        told = "; ".join(f"{gap}: {len(new)} found" for gap, new in zip(gaps, extra, strict=True))
        return remarked(after, f"Iterate, pass {number + 1}", told)


def _about(gap: str, evidence: Evidence) -> str:
    """What is missing, and what is asked of it: an aspect is a question of its own."""
    if evidence.plan is not None and gap in evidence.plan.queries:
        return gap
    return f"{gap} {subject(evidence.question.text)}"


def _that_mention(gap: str, moments: tuple[Moment, ...]) -> tuple[Moment, ...]:
    return tuple(moment for moment in moments if mentions(gap, moment))
