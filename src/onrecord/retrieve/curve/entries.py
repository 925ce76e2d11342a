"""Scores entries: passages that stand alone, each a recording of its own, as paragraphs of an encyclopaedia.

Nothing follows an entry and nothing precedes it, so scores have nowhere to flow to. What names its subject is
its title, which its text may leave out:

    score(i) = dense * minmax(cosine(i)) + lexical * minmax(BM25(i)) + title * share(title(i))

share is how much of the question's weight, by inverse document frequency, the words of the title carry.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import ClassVar

import numpy as np

from onrecord.retrieve.candidates.fuse import convex
from onrecord.retrieve.curve.curves import CurveStage, with_score
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.wording import subject, wording
from onrecord.stores.ranking import top
from onrecord.types import Curve, Evidence


def stands_alone(curve: Curve | None) -> bool:
    """Whether the curve has several passages, none of which follows another, with vectors and a score."""
    return (
        curve is not None
        and 1 < len(curve.timeline) <= len(curve.timeline.names)  # else some recording has two
        and "dense" in curve.parts
        and bool(np.bincount(curve.timeline.recordings).max() < 2)
        and bool(curve.score.max() > 0)
    )


@dataclass(frozen=True)
class Entries(CurveStage):
    """Replaces the curve by one of single entries, and reads the titles of the best `read` of them.

    Runs only where no recording in scope has two passages, and with vectors.
    """

    dense: float = 0.7
    lexical: float = 0.3
    title: float = 0.2
    read: int = 50
    ranges: ClassVar = {"dense": (0, inf), "lexical": (0, inf), "title": (0, inf), "read": (0, inf)}

    def changed(self, curve: Curve, evidence: Evidence, tools: Tools) -> Curve:
        if not stands_alone(curve):
            return curve
        parts, timeline = curve.parts, curve.timeline
        score = convex([(self.dense, parts["dense"]), (self.lexical, parts["lexical"])])
        words = wording(subject(evidence.question.text), timeline, tools.store)
        for at in top(score, self.read).tolist():
            score[at] += self.title * words.coverage(title_of(timeline.names[timeline.recordings[at]], tools))
        return with_score(curve, score)


def title_of(recording: str, tools: Tools) -> str:
    """The title in a recording's details; empty where it has none."""
    known = tools.store.recording(recording)
    return (known.details.title if known else None) or ""
