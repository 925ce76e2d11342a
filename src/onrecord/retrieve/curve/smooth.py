"""Stages that spread scores to neighboring passages along the talk.

An answer is a span of talk, and most of its passages do not name the subject of the question. So `Smooth`
spreads scores along the timeline with Gaussian weights, w(j) = exp(-j^2 / (2 sigma^2)) for passages j
positions apart. The sigma is wider forward than backward, because talk answers what came before. Scores are
combined as a power mean:

    flow(i)^p = sum over j of w(j) s(i - j)^p  /  W,        score(i)^p = (1 - own) flow(i)^p + own s(i)^p

With p = 1, many middling passages would beat one that matches well; the larger p is, the more the best of
them count. The passage's own score stays in the sum, so that a fact in a single line is not lost. W is the
largest sum of weights that a recording of that length can have, so that short recordings lose nothing. If
passages do not follow one another (an encyclopedia, a FAQ), scores stay unchanged.

`Nearby` adds the share of the question that is mentioned around each passage. BM25 measures the share in one
passage, but questions name things that speakers mention one after the other. Here the occurrences of a term
around a passage are summed, with weights that fall with distance, and saturated only after that. So a span in
which all terms occur beats one that repeats a single term.

    f_t(i) = sum over j of w(j) b_t(i - j) / max b_t,        w as above, with w(0) = 1
    near(i) = sum over terms t of m_t f_t(i) / (f_t(i) + k)  /  sum over terms t of m_t,    m_t = max b_t

b_t(i) is BM25 of passage i for the term t alone, so m_t grows with the rarity of t. (Positions in longer
windows are counted likewise by Lv and Zhai, Positional language models for information retrieval, 2009.)
`near` is the share of the question's weight that is mentioned, in 0..1. It is not scaled to 0..1, so that it
counts for little in a long question of which no span mentions more than a small part.

If turns are short, the answer is an exchange in which no single passage stands out. There `NeighbourMean`
adds the mean of the surrounding passages:

    steady(i) = sum over j of w(j) max(0, cos(i - j)) / W,        w and W as above

scaled to 0..1. cos is the cosine with the whole subject of the question, including its occasion ("... when
discussing the budget"), because the surrounding talk is about the occasion. The mean of BM25 over the
surrounding passages is added likewise. Both are weighted by how short the turns are:

    lively = 1 / (1 + (words of a turn / 20)^4)

which is nearly 1 in meetings (5 to 20 words a turn), .04 to .15 in podcasts (30 to 45) and close to 0 in
earnings calls and parliaments (50 to 90), where one turn answers and the mean would only blur it.

In meetings the answer is often several spans of one discussion. Of two passages with the same score, the one
within some minutes of other good passages belongs to it. `WideNeighbourMean` adds a score for that region:

    region(i)^p = sum over j of w(j) r(i - j)^p / W,        w and W as above

scaled to 0..1, where r is the scaled curve; the region is far wider than a moment. (Close documents should
have close scores: Diaz, Regularizing ad hoc retrieval scores, CIKM 2005. There closeness is similarity; here
it is time, which gained as much and needs no comparisons.)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from onrecord.retrieve.curve.curves import CurveStage, minmax, with_score
from onrecord.retrieve.curve.layout import layout_of
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.wording import point, subject
from onrecord.stores.base import Snapshot
from onrecord.types import Curve, Evidence, PassageTimeline

if TYPE_CHECKING:
    from onrecord.retrieve.curve.layout import Signal, Weights
    from onrecord.types import Scores

NEAREST = 0.3
"""Least sigma in passages, so that the question before a short reply still raises the reply."""


@dataclass(frozen=True)
class Smooth(CurveStage):
    """A stage that smooths the curve.

    `forward` and `backward` are the sigmas in words, converted to passages by the mean length of the passages
    in scope; `own` is the share of a passage's own score; `power` is p.
    """

    forward: float = 400
    backward: float = 180
    own: float = 0.2
    power: float = 6
    ranges: ClassVar = {"forward": (0, inf), "backward": (0, inf), "own": (0, 1), "power": (0.1, 100)}

    def changed(self, curve: Curve, evidence: Evidence, tools: Tools) -> Curve:
        raised = curve.score**self.power
        weights = kernel(curve.timeline, self.forward, self.backward)
        score = (1 - self.own) * layout_of(curve.timeline).flow(raised, weights)
        raised *= self.own
        score += raised
        return with_score(curve, score ** (1 / self.power))


def kernel(timeline: PassageTimeline, forward: float, backward: float) -> Weights:
    """Return the Gaussian weights whose sigmas have this many words of a timeline that is not empty.

    Sigmas are smaller in short recordings.
    """
    layout = layout_of(timeline)
    passages = layout.fullness / max(layout.mean_words, 1.0)
    return gaussian(max(forward * passages, NEAREST), max(backward * passages, NEAREST))


def gaussian(forward: float, backward: float) -> Weights:
    """Return the weights of a Gaussian with one sigma for each side, in passages.

    It is cut off at three times the wider sigma. The weights sum to 1.
    """
    reach = max(1, round(3 * max(forward, backward)))
    distances = np.arange(-reach, reach + 1)
    sigmas = np.maximum(np.where(distances > 0, forward, backward), 1e-3)
    weights = np.exp(-0.5 * (distances / sigmas) ** 2)
    kernel: Weights = (weights / weights.sum()).astype(np.float32)
    return kernel


@dataclass(frozen=True)
class Nearby(CurveStage):
    """A stage that mixes mentions nearby into the curve: (1 - `share`) * score + `share` * near.

    `forward` and `backward` are the sigmas in words, as in `Smooth`; `saturation` is k. Place it after
    `Smooth`, which must not smooth it again. It sets the part "nearby".
    """

    share: float = 0.5
    forward: float = 400
    backward: float = 180
    saturation: float = 0.6
    ranges: ClassVar = {
        "share": (0, 1),
        "forward": (0, inf),
        "backward": (0, inf),
        "saturation": (0.01, 100),
    }

    def changed(self, curve: Curve, evidence: Evidence, tools: Tools) -> Curve:
        timeline = curve.timeline
        weights = kernel(timeline, self.forward, self.backward)
        terms = list(tools.store.term_scores([subject(evidence.question.text)], timeline))
        near = mentions_nearby(terms, timeline, weights / weights.max(), self.saturation)
        score = self.share * near
        score += (1 - self.share) * curve.score
        return with_score(curve, score, nearby=near)


def mentions_nearby(
    terms: Iterable[Signal], timeline: PassageTimeline, weights: Weights, saturation: float
) -> Scores:
    """Return the share of the terms' weight that is mentioned around every passage, in 0..1.

    `terms` has for each term the passages that contain it, and their scores, above 0. `weights` has the
    weight of each distance, 1 in the middle.
    """
    said = [(at, scores, float(scores.max())) for at, scores in terms if len(scores)]
    most = [highest for *_, highest in said]

    def saturate(term: int, around: Scores) -> None:
        around /= around + saturation
        around *= most[term]

    signals = [(at, scores / highest) for at, scores, highest in said]
    near = layout_of(timeline).spread(signals, weights, saturate)
    near /= sum(most) or 1.0
    return near


# ---------------------------------------------------------------- where turns are short

LEAST = 0.05
"""Liveliness below which the stages for short turns are not worth their time."""


@dataclass(frozen=True)
class NeighbourMean(CurveStage):
    """A stage that adds lively * (`share` * steady + `lexical` * steady by BM25) to one recording's curve.

    `forward` and `backward` are the sigmas in words, as in `Smooth`; `turn` is the number of words of a turn
    at which lively is one half. Place it after `Smooth`. It changes nothing if several recordings are in
    scope (there, a passage that answers must win over a recording that stays close to the subject), without
    an embedder, or if the recording's turns were not counted. It sets the part "steady". On QMSum, meeting
    known, R rises by .023 and S by .02; with the same share in Earnings-21 nDCG@10 would fall from .43 to
    .30.
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

    def changed(self, curve: Curve, evidence: Evidence, tools: Tools) -> Curve:
        counts = lively(curve, tools.store, self.turn)
        if counts < LEAST or tools.embedder is None or not curve.parts.keys() >= {"dense", "lexical"}:
            return curve
        question, near = evidence.question.text, curve.parts["dense"]
        whole = subject(question)
        if whole != point(question):  # the search has left out an occasion that the question names
            near = tools.store.dense(tools.embedder.embed_query(whole), curve.timeline)
        layout, weights = layout_of(curve.timeline), kernel(curve.timeline, self.forward, self.backward)
        steady = minmax(layout.flow(np.maximum(near, 0), weights))
        lexical = minmax(layout.flow(curve.parts["lexical"], weights))
        raised = counts * (self.share * steady + self.lexical * lexical)
        return with_score(curve, curve.score + raised, steady=steady)


def lively(curve: Curve, store: Snapshot, turn: float) -> float:
    """Return how short the turns of the one recording on a curve are, in 0..1.

    It is one half if turns have `turn` words on average, less in a short recording, and 0 if there are
    several recordings or the turns were not counted.
    """
    recording = store.recording(curve.timeline.names[0]) if len(curve.timeline.names) == 1 else None
    if recording is None or not (recording.turns and recording.words):
        return 0.0
    return float(layout_of(curve.timeline).fullness / (1 + (recording.words / recording.turns / turn) ** 4))


@dataclass(frozen=True)
class WideNeighbourMean(CurveStage):
    """A stage that scales the curve of one recording to 0..1 and adds `share` * lively * region.

    `words` is the sigma on both sides, in words, and `power` is p. lively and `turn` are as in
    `NeighbourMean`, after which this stage is placed. It changes nothing if several recordings are in scope,
    or if the recording's turns were not counted. It sets the part "region". Together with the lexical part of
    `NeighbourMean`, it raises R on QMSum by .013 and S by .005, meeting known; on podcasts nDCG@10 falls by
    .004 (changelog, within chance).
    """

    share: float = 0.15
    words: float = 500
    power: float = 2
    turn: float = 20
    ranges: ClassVar = {"share": (0, inf), "words": (0, inf), "power": (0.1, 100), "turn": (1, inf)}

    def changed(self, curve: Curve, evidence: Evidence, tools: Tools) -> Curve:
        counts = lively(curve, tools.store, self.turn)
        if counts < LEAST:
            return curve
        stretched = minmax(curve.score)
        weights = kernel(curve.timeline, self.words, self.words)
        flowed = layout_of(curve.timeline).flow(stretched**self.power, weights)
        region = minmax(flowed ** (1 / self.power))
        return with_score(curve, stretched + self.share * counts * region, region=region)
