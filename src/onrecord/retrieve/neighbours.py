"""Adds what stands before and after a moment where the two belong together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from onrecord.retrieve.spans import Place, in_scope, place, places
from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Evidence, Moment, Passage


@dataclass(frozen=True)
class Neighbours(Stage):
    """Adds the passage before a moment, and the one after it, where their relevance to it is over `over`.

    How much the passages beside one belong to it (`Passage.before`, `Passage.after`, 0..1) is judged when
    a recording is added; where it was not, the cosine of the two vectors stands for it. No passage is
    added that another moment has, or that is out of the question's scope.
    """

    over: float = 0.7
    ranges: ClassVar = {"over": (0, 1)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        seen = places(evidence.moments)
        found = [self._widened(moment, evidence, tools, seen) for moment in evidence.moments]
        return evidence.with_moments(tuple(found))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        added = len(places(after.moments)) - len(places(before.moments))
        return f"{added} passages added" if added else ""

    def _widened(self, moment: Moment, evidence: Evidence, tools: Tools, seen: set[Place]) -> Moment:
        first, last = moment.passages[0], moment.passages[-1]
        around = tools.store.transcript(moment.recording, max(first.position - 1, 0), last.position + 1)
        allowed = [p for p in in_scope(around, evidence.question.scope, tools.store) if place(p) not in seen]
        before = [p for p in allowed if p.position < first.position and self._belongs(first, p, tools)]
        after = [p for p in allowed if p.position > last.position and self._belongs(last, p, tools)]
        seen |= {place(p) for p in (*before, *after)}
        return replace(moment, passages=(*before, *moment.passages, *after), peak=moment.peak + len(before))

    def _belongs(self, passage: Passage, beside: Passage, tools: Tools) -> bool:
        judged = passage.before if beside.position < passage.position else passage.after
        if judged is None:
            one, other = tools.store.vectors([passage.row, beside.row])
            judged = float(one @ other)
        return judged > self.over
