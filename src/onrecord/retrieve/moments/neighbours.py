"""What stands beside moments, added where it belongs to them or is a small gap between two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf
from typing import ClassVar

from onrecord.retrieve.moments.budget import tokens_of
from onrecord.retrieve.moments.moments import Place, in_scope, place, places
from onrecord.retrieve.moments.order import in_reading_order, together
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
        widened = [self._widened(moment, evidence, tools, seen) for moment in evidence.moments]
        return evidence.with_moments(tuple(widened))

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


@dataclass(frozen=True)
class FillGaps(Stage):
    """Fills the gaps of fewer than `smaller` passages between moments of a recording, the smallest first,
    for as long as all that is read has at most `tokens`.

    Moments come out in reading order, and those whose gap was filled as one. A gap is filled wholly or not
    at all; no passage is taken twice, none is counted twice, and none is out of the question's scope.
    """

    smaller: int = 5
    tokens: int = 4000
    ranges: ClassVar = {"smaller": (1, inf), "tokens": (0, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        moments = in_reading_order(evidence.moments)
        left = self.tokens - sum(tokens_of(p.text) for m in moments for p in m.passages)
        fillings = {
            at: f for at in range(1, len(moments)) if (f := self._filling(moments, at, evidence, tools))
        }
        chosen: dict[int, Moment] = {}
        for at in sorted(fillings, key=lambda at: (len(fillings[at].passages), at)):
            need = sum(tokens_of(p.text) for p in fillings[at].passages)
            if need <= left:
                chosen[at] = fillings[at]
                left -= need
        return evidence.with_moments(_filled(moments, chosen))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        added = len(places(after.moments)) - len(places(before.moments))
        return f"{added} passages filled in" if added else ""

    def _filling(self, moments: Sequence[Moment], at: int, evidence: Evidence, tools: Tools) -> Moment | None:
        """What lies between the moment before `at` and the one there, as a moment that is worth nothing."""
        last, then = moments[at - 1].passages[-1], moments[at].passages[0]
        missing = then.position - last.position - 1
        if last.recording != then.recording or not 0 < missing < self.smaller:
            return None
        between = tools.store.transcript(last.recording, last.position + 1, then.position - 1)
        allowed = in_scope(between, evidence.question.scope, tools.store)
        return Moment(tuple(allowed), -inf) if len(allowed) == missing else None


def _filled(moments: Sequence[Moment], fillings: dict[int, Moment]) -> tuple[Moment, ...]:
    filled = list(moments[:1])
    for at, (_, moment) in enumerate(pairwise(moments), 1):
        if at in fillings:
            filled[-1] = together(together(filled[-1], fillings[at]), moment)
        else:
            filled.append(moment)
    return tuple(filled)
