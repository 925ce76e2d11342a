"""Stages for recordings and speakers: a prior for each recording, and curves narrowed to some of them.

If many recordings mention the same subject, a recording that discusses it repeatedly is a better answer than
one good passage. So the scores of each recording are aggregated as a soft maximum,

    likely(r) = T log( sum over its words of exp(score / T)  /  its words )

and each passage is lowered by the difference between the likeliest recording and its own. A mean over words
gives long recordings no advantage, though more of their passages match by chance. (Documents judged by all
their passages: Callan, Passage-level evidence in document retrieval, SIGIR 1994.)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import ClassVar

import numpy as np

from onrecord.retrieve.curve.curves import CurveStage, narrowed, recordings_by_score, with_score
from onrecord.retrieve.curve.entries import has_entries
from onrecord.retrieve.curve.layout import layout_of
from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Curve, Evidence


@dataclass(frozen=True)
class RecordingPrior(CurveStage):
    """A stage that lowers each passage by `share` * (the highest likely(r) - likely of its recording).

    The curve stays at 0 or more. `softness` is T: near 0 only the best passage of a recording counts; far
    above the scores their mean counts. The stage changes nothing if one recording is in scope, or if most are
    entries. It sets the parts "likely" and "alone"; "alone" is the curve before the change, which scores each
    passage by itself.
    """

    share: float = 0.75
    softness: float = 0.06
    ranges: ClassVar = {"share": (0, inf), "softness": (0.001, 100)}

    def changed(self, curve: Curve, evidence: Evidence, tools: Tools) -> Curve:
        if len(curve.timeline.names) < 2 or not len(curve.timeline) or has_entries(curve, tools.store):
            return curve
        layout, best = layout_of(curve.timeline), curve.score.max()
        raised = curve.score - best
        raised /= np.float32(self.softness)
        np.exp(raised, out=raised)
        raised *= layout.words
        means = np.add.reduceat(raised, layout.firsts) / layout.words_of_recordings
        soft_maxima = np.full(len(layout.passages), -np.inf, np.float32)
        logarithms = np.log(np.maximum(means, np.finfo(np.float32).tiny))
        soft_maxima[layout.passages > 0] = best + self.softness * logarithms
        likely = np.repeat(soft_maxima, layout.passages)
        score = likely - likely.max()
        score *= self.share
        score += curve.score
        np.maximum(score, 0, out=score)
        return with_score(curve, score, likely=likely, alone=curve.score)

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        curve = after.curve
        if curve is None or "likely" not in curve.parts or np.ptp(curve.parts["likely"]) == 0:
            return ""
        timeline = curve.timeline
        first = tools.store.recording(timeline.names[timeline.recordings[curve.parts["likely"].argmax()]])
        return f"likeliest of {len(timeline.names)}: {first.title}" if first else ""


@dataclass(frozen=True)
class Focus(CurveStage):
    """A stage that keeps only the best `recordings` on the curve, by the mean of their best passages."""

    recordings: int = 1
    ranges: ClassVar = {"recordings": (1, inf)}

    def changed(self, curve: Curve, evidence: Evidence, tools: Tools) -> Curve:
        best = recordings_by_score(curve)[: self.recordings]
        return narrowed(curve, np.flatnonzero(np.isin(curve.timeline.recordings, best)))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        if before.curve is None or after.curve is None:
            return ""
        best, total = (len(set(c.timeline.recordings.tolist())) for c in (after.curve, before.curve))
        return f"{best} of {total} recordings"


@dataclass(frozen=True)
class Within(Stage):
    """A stage that runs `stage` on all speakers of the recordings in scope, then keeps the speakers in scope.

    An answer seldom repeats the words of its question: "what did Kelly say about tariffs" is answered by
    "three things at once", after another speaker's question. Scores must spread from that question before
    other speakers are removed. Without speakers in scope, only `stage` runs.
    """

    stage: Stage

    def __call__(self, evidence: Evidence, tools: Tools) -> Evidence:
        """Run the stage, which adds its steps; removing speakers adds another Step."""
        if evidence.question.scope.speakers:
            return super().__call__(evidence, tools)
        return self.stage(evidence, tools)

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        question = evidence.question
        everybody = replace(question, scope=replace(question.scope, speakers=()))
        evidence = self.stage(replace(evidence, question=everybody), tools)
        evidence = replace(evidence, question=question)
        curve = evidence.curve
        if curve is None:
            return evidence
        in_scope = np.isin(curve.timeline.rows, tools.store.timeline(question.scope).rows)
        return replace(evidence, curve=narrowed(curve, np.flatnonzero(in_scope)))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        return f"only {', '.join(before.question.scope.speakers)}"
