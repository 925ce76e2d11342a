"""Raises what lies in a good region of a lively recording.

Where turns are short, the answer is several stretches of one discussion: of two passages that are as good,
the one that lies within some minutes of other good ones belongs to it. So how good the region around each
passage is counts as well,

    region(i)^p = sum over j of w(j) r(i - j)^p / W,        w and W as in `smooth`

stretched to 0..1, where r is the curve so stretched; the region is far wider than a moment. (That the
scores of what lies close shall be close is score regularization: Diaz, Regularizing ad hoc retrieval scores,
CIKM 2005; there by likeness of documents, here in time, which gained as much and needs no comparing.)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import ClassVar

import numpy as np

from onrecord.retrieve.fuse import minmax
from onrecord.retrieve.smooth import flow, kernel
from onrecord.retrieve.stage import Stage, Tools
from onrecord.retrieve.steady import LEAST, lively
from onrecord.types import Evidence


@dataclass(frozen=True)
class Region(Stage):
    """Stretches the curve of one recording to 0..1 and adds `share` * lively * region.

    `words` is the sigma on both sides, in words, `power` is p; lively, with `turn`, is that of `Steady`,
    after which it comes. Changes nothing where several recordings are in scope, and where the recording's
    turns are not counted. Sets the part "region". With what `Steady` takes from words, R rises on QMSum by
    .013 and S by .005, meeting known; on podcasts nDCG@10 falls by .004 (changelog, within chance).
    """

    share: float = 0.15
    words: float = 500
    power: float = 2
    turn: float = 20
    ranges: ClassVar = {"share": (0, inf), "words": (0, inf), "power": (0.1, 100), "turn": (1, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        curve = evidence.curve
        if curve is None:
            return evidence
        counts = lively(curve, tools.store, self.turn)
        if counts < LEAST:
            return evidence
        stretched = minmax(curve.score)
        weights = kernel(curve.line, self.words, self.words)
        region = minmax(flow(stretched**self.power, curve.line, weights) ** (1 / self.power))
        score = (stretched + self.share * counts * region).astype(np.float32)
        return replace(evidence, curve=replace(curve, score=score, parts={**curve.parts, "region": region}))
