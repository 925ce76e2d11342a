"""Everything that was said, in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import ClassVar

from onrecord.retrieve.context import tokens_of
from onrecord.retrieve.curves import recordings_by_score
from onrecord.retrieve.outline import outline
from onrecord.retrieve.sections import moments_of
from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Evidence, Moment, Passage


@dataclass(frozen=True)
class Full(Stage):
    """All passages of the best `recordings` on the curve, in order: a moment a section, and a section of
    more than `tokens` in several. No passage is cut, none is left out.

    What is more than a model can read at once is thus read part by part, and never cut within a source.
    `Moment.scores` has its "rank", from 0: the moments are in the order of talk.
    """

    tokens: int = 4000
    recordings: int = 1
    ranges: ClassVar = {"tokens": (1, inf), "recordings": (1, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        curve = evidence.curve
        if curve is None or not len(curve.line):
            return evidence
        best = recordings_by_score(curve, 3) or list(range(len(curve.line.names)))
        parts = [p for n in best[: self.recordings] for p in outline(curve.line, n, tools.store)]
        whole = [
            moment
            for part in parts
            for moment in moments_of(part, curve, tools, float(curve.score[part.at].max()))
        ]
        return replace(evidence, moments=ranked([m for part in whole for m in pieces(part, self.tokens)]))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        taken = dict.fromkeys(moment.recording for moment in after.moments)
        tokens = sum(tokens_of(p.text) for m in after.moments for p in m.passages)
        of = len(set(before.curve.line.recordings.tolist())) if before.curve is not None else 0
        return f"{len(taken)} of {of} recordings, {tokens} tokens in {len(after.moments)} parts"


def pieces(moment: Moment, tokens: int) -> list[Moment]:
    """A moment in pieces of at most so many tokens, cut between passages; a longer passage is one alone."""
    groups: list[list[Passage]] = [[]]
    size = 0
    for passage in moment.passages:
        size += (need := tokens_of(passage.text))
        if size > tokens and groups[-1]:
            groups.append([])
            size = need
        groups[-1].append(passage)
    found, begin = [], 0
    for group in groups:
        peak = moment.peak - begin
        found.append(replace(moment, passages=tuple(group), peak=peak if 0 <= peak < len(group) else 0))
        begin += len(group)
    return found


def ranked(moments: Sequence[Moment]) -> tuple[Moment, ...]:
    """Moments in their order, each with its rank by score among them."""
    order = sorted(range(len(moments)), key=lambda at: -moments[at].score)
    ranks = {at: float(rank) for rank, at in enumerate(order)}
    return tuple(replace(m, scores={**m.scores, "rank": ranks[at]}) for at, m in enumerate(moments))
