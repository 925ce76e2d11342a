"""Spreads scores to neighbouring passages along the talk.

An answer is a stretch of talk, and most of its passages do not name what is asked. So `Smooth` spreads scores
along the timeline with Gaussian weights, w(j) = exp(-j^2 / (2 sigma^2)) for passages that lie j apart. The
sigma is wider forward than backward, for talk answers what came before. Scores are joined as a power mean:

    flow(i)^p = sum over j of w(j) s(i - j)^p  /  W,        score(i)^p = (1 - own) flow(i)^p + own s(i)^p

With p = 1 many middling passages would beat one that fits; the larger p is, the more the best of them count.
The passage's own score stays in the sum, so that a fact told in one line is not lost. W is the largest sum of
weights that a recording of that length can have, so that short recordings lose nothing. Where passages do not
follow one another (an encyclopaedia, a FAQ) scores stay as they are.

`Nearby` adds how much of the question is spoken of around each passage. BM25 asks how much of it one passage
says, but people who ask name things that are said one after the other. Here the occurrences of a term around
a passage are summed, less with distance, and saturated only then, so a stretch in which all terms occur beats
one that repeats a single term.

    f_t(i) = sum over j of w(j) b_t(i - j) / max b_t,        w as above, with w(0) = 1
    near(i) = sum over terms t of m_t f_t(i) / (f_t(i) + k)  /  sum over terms t of m_t,    m_t = max b_t

b_t(i) is BM25 of passage i for the term t alone, so m_t grows with its rarity. (Positions in longer windows
are counted likewise by Lv and Zhai, Positional language models for information retrieval, 2009.) `near` is
the share of the question's weight that is spoken of, in 0..1. It is not stretched to 0..1: in a long
question, of which no stretch says more than a little, it counts for little.

Where turns are short, the answer is an exchange of which no single passage stands out. There `NeighbourMean`
adds the mean of what lies around:

    steady(i) = sum over j of w(j) max(0, cos(i - j)) / W,        w and W as above

stretched to 0..1. cos is the cosine with the whole subject of the question, its occasion included ("... when
discussing the budget"), for the occasion is in the talk around. The mean of BM25 around counts likewise. Both
are weighted by how short the turns are:

    lively = 1 / (1 + (words of a turn / 20)^4)

which is nearly 1 in meetings (5 to 20 words a turn), .04 to .15 in podcasts (30 to 45) and next to nothing in
earnings calls and parliaments (50 to 90), where one turn answers and the mean would only blur it.

In meetings the answer is often several stretches of one discussion. Of two passages that are as good, the one
within some minutes of other good ones belongs to it. `WideNeighbourMean` adds how good that region is:

    region(i)^p = sum over j of w(j) r(i - j)^p / W,        w and W as above

stretched to 0..1, where r is the stretched curve; the region is far wider than a moment. (Close documents
should have close scores: Diaz, Regularizing ad hoc retrieval scores, CIKM 2005. There closeness is likeness,
here it is time, which gained as much and needs no comparing.)
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
from onrecord.stores.base import Reader
from onrecord.types import Curve, Evidence, PassageTimeline

if TYPE_CHECKING:
    from onrecord.retrieve.curve.layout import Signal, Weights
    from onrecord.types import Scores

NEAREST = 0.3
"""Least sigma in passages: a reply in few words is still found by the question before it."""


@dataclass(frozen=True)
class Smooth(CurveStage):
    """Smooths the curve: `forward` and `backward` are the sigmas in words, turned into passages by the
    mean length of those in scope; `own` is the share of a passage's own score; `power` is p."""

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
    """The Gaussian whose sigmas are so many words of a timeline, which is not empty; fewer in short
    recordings."""
    layout = layout_of(timeline)
    passages = layout.fullness / max(layout.mean_words, 1.0)
    return gaussian(max(forward * passages, NEAREST), max(backward * passages, NEAREST))


def gaussian(forward: float, backward: float) -> Weights:
    """Weights of a Gaussian with one sigma a side, in passages, cut off at three of the wider."""
    reach = max(1, round(3 * max(forward, backward)))
    distances = np.arange(-reach, reach + 1)
    sigmas = np.maximum(np.where(distances > 0, forward, backward), 1e-3)
    weights = np.exp(-0.5 * (distances / sigmas) ** 2)
    kernel: Weights = (weights / weights.sum()).astype(np.float32)
    return kernel


@dataclass(frozen=True)
class Nearby(CurveStage):
    """Mixes what is spoken of nearby into the curve: (1 - `share`) * score + `share` * near.

    `forward` and `backward` are the sigmas in words, as in `Smooth`; `saturation` is k. Comes after `Smooth`,
    whose flow it must not pass through again. Sets the part "nearby".
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
        near = covered(terms, timeline, weights / weights.max(), self.saturation)
        score = self.share * near
        score += (1 - self.share) * curve.score
        return with_score(curve, score, nearby=near)


def covered(
    terms: Iterable[Signal], timeline: PassageTimeline, weights: Weights, saturation: float
) -> Scores:
    """The share of the terms' weight that is spoken of around every passage, in 0..1.

    `terms` has for each term the passages that say it, and their scores, above 0; `weights` what counts at a
    distance, 1 in the middle.
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
"""Liveliness below which it is not worth the time."""


@dataclass(frozen=True)
class NeighbourMean(CurveStage):
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

    def changed(self, curve: Curve, evidence: Evidence, tools: Tools) -> Curve:
        counts = lively(curve, tools.store, self.turn)
        if counts < LEAST or tools.embedder is None or not curve.parts.keys() >= {"dense", "lexical"}:
            return curve
        text, near = evidence.question.text, curve.parts["dense"]
        if subject(text) != point(text):  # it names an occasion, which the search has left out
            near = tools.store.dense(tools.embedder.embed_query(subject(text)), curve.timeline)
        layout, weights = layout_of(curve.timeline), kernel(curve.timeline, self.forward, self.backward)
        steady = minmax(layout.flow(np.maximum(near, 0), weights))
        lexical = minmax(layout.flow(curve.parts["lexical"], weights))
        raised = counts * (self.share * steady + self.lexical * lexical)
        return with_score(curve, curve.score + raised, steady=steady)


def lively(curve: Curve, store: Reader, turn: float) -> float:
    """How short the turns of the one recording on a curve are, in 0..1: one half where they have `turn` words
    on average, less in a short recording; 0 where there are several recordings."""
    recording = store.recording(curve.timeline.names[0]) if len(curve.timeline.names) == 1 else None
    if recording is None or not (recording.turns and recording.words):
        return 0.0
    return float(layout_of(curve.timeline).fullness / (1 + (recording.words / recording.turns / turn) ** 4))


@dataclass(frozen=True)
class WideNeighbourMean(CurveStage):
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

    def changed(self, curve: Curve, evidence: Evidence, tools: Tools) -> Curve:
        counts = lively(curve, tools.store, self.turn)
        if counts < LEAST:
            return curve
        stretched = minmax(curve.score)
        weights = kernel(curve.timeline, self.words, self.words)
        flowed = layout_of(curve.timeline).flow(stretched**self.power, weights)
        region = minmax(flowed ** (1 / self.power))
        return with_score(curve, stretched + self.share * counts * region, region=region)
