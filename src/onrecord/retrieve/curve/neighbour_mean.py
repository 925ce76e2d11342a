"""Raises what lies in talk that keeps to the subject, near and far around it.

`Smooth` lets the best of what lies around a passage count most, which finds the place where something is
said. Where turns are short nobody says it in one place: the answer is all of an exchange, of which no passage
stands out. So there the mean of what lies around counts as well,

    steady(i) = sum over j of w(j) max(0, cos(i - j)) / W,        w and W as in `smooth`

stretched to 0..1, where cos is the cosine with all that the question is about, its occasion included ("...
when discussing the budget"): the occasion is in the talk around, if not in the passage. The mean of BM25
around counts likewise. How much they count falls with the words that a turn has,

    lively = 1 / (1 + (words of a turn / 20)^4)

which is nearly 1 in meetings (5 to 20 words a turn), .04 to .15 in podcasts (30 to 45) and next to nothing in
earnings calls and parliaments (50 to 90), where one turn answers and what lies around it would only blur it.

The answer there is several stretches of one discussion: of two passages that are as good,
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
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from onrecord.retrieve.candidates.fuse import minmax
from onrecord.retrieve.curve.smooth import flow, kernel
from onrecord.retrieve.question import point, subject
from onrecord.retrieve.stage import Stage, Tools
from onrecord.stores.base import Reader
from onrecord.types import Curve, Evidence

if TYPE_CHECKING:
    from onrecord.models.base import Embedder
    from onrecord.types import Scores


LEAST = 0.05
"""Liveliness below which it is not worth the time."""


@dataclass(frozen=True)
class NeighbourMean(Stage):
    """Adds lively * (`share` * steady + `lexical` * steady by BM25) to the curve of one recording.

    `forward` and `backward` are the sigmas in words, as in `Smooth`; `turn` is the words of a turn at which
    it counts half. Comes after `Smooth`. Changes nothing where several recordings are in scope (the place
    that says it must win over a recording that keeps near the subject), without an embedder, and where the
    recording's turns are not counted. Sets the part "steady". On QMSum, meeting known, R rises by
    .023 and S by .02; with the same share in Earnings-21 nDCG@10 would fall from .43 to .30.
    """

    share: float = 0.2
    lexical: float = 0.05
    forward: float = 300
    backward: float = 150
    turn: float = 20
    ranges: ClassVar = {
        "share": (0, inf),
        "lexical": (0, inf),
        "forward": (0, inf),
        "backward": (0, inf),
        "turn": (1, inf),
    }

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        curve = evidence.curve
        if curve is None or not curve.parts.keys() >= {"dense", "lexical"} or tools.embedder is None:
            return evidence
        counts = lively(curve, tools.store, self.turn)
        if counts < LEAST:
            return evidence
        near = _cosines(evidence.question.text, curve, tools, tools.embedder)
        weights = kernel(curve.timeline, self.forward, self.backward)
        steady = minmax(flow(np.maximum(near, 0), curve.timeline, weights))
        said = minmax(flow(curve.parts["lexical"], curve.timeline, weights))
        score = (curve.score + counts * (self.share * steady + self.lexical * said)).astype(np.float32)
        return replace(evidence, curve=replace(curve, score=score, parts={**curve.parts, "steady": steady}))


def lively(curve: Curve, store: Reader, turn: float) -> float:
    """How short the turns of the one recording on a curve are, in 0..1: one half where they have `turn` words
    on average; 0 where there are several recordings."""
    recording = store.recording(curve.timeline.names[0]) if len(curve.timeline.names) == 1 else None
    if recording is None or not (recording.turns and recording.words):
        return 0.0
    return float(1 / (1 + (recording.words / recording.turns / turn) ** 4))


def _cosines(text: str, curve: Curve, tools: Tools, embedder: Embedder) -> Scores:
    """With all that the question is about; where it names no occasion, they are known from the search."""
    if subject(text) == point(text):
        return curve.parts["dense"]
    return tools.store.dense(embedder.embed_query(subject(text)), curve.timeline)


@dataclass(frozen=True)
class WideNeighbourMean(Stage):
    """Stretches the curve of one recording to 0..1 and adds `share` * lively * region.

    `words` is the sigma on both sides, in words, `power` is p; lively, with `turn`, is that of
    `NeighbourMean`, after which it comes. Changes nothing where several recordings are in scope, and where
    the recording's turns are not counted. Sets the part "region". With what `NeighbourMean` takes from words,
    R rises on QMSum by .013 and S by .005, meeting known; on podcasts nDCG@10 falls by .004
    (changelog, within chance).
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
        weights = kernel(curve.timeline, self.words, self.words)
        region = minmax(flow(stretched**self.power, curve.timeline, weights) ** (1 / self.power))
        score = (stretched + self.share * counts * region).astype(np.float32)
        return replace(evidence, curve=replace(curve, score=score, parts={**curve.parts, "region": region}))
