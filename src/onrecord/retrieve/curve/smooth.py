"""Lets scores flow to the neighbours of a passage along the talk.

What answers a question is a stretch of talk in which most passages do not name what is asked. Scores flow
along the timeline as a Gaussian, w(j) = exp(-j^2 / (2 sigma^2)) for passages that lie j apart, with a wider
sigma forward than backward: talk answers what came before. They are joined as a power mean,

    flow(i)^p = sum over j of w(j) s(i - j)^p  /  W,        score(i)^p = (1 - own) flow(i)^p + own s(i)^p

With p = 1 a moment would be as good as its passages on average, and many middling ones would beat one
that fits; the larger p is, the more the best of them count. The passage's own score stays in the sum, for
a fact told in one line must not drown. W is the largest sum of weights that a recording of that length
can have, so that short recordings lose nothing; where passages do not follow one another (an encyclopaedia,
a FAQ) there is nothing to flow, and all keep their scores.

`Nearby` adds how much of the question is spoken of around each passage. BM25 asks how much of the question
one passage says, and a person who asks names things that are said one after the other. Here a term counts
in a passage for as often as it is said around it, less with distance, and is saturated only then, so that a
stretch in which all terms occur beats one that repeats a single term:

    f_t(i) = sum over j of w(j) b_t(i - j) / max b_t,        w as in `smooth`, with w(0) = 1
    near(i) = sum over terms t of m_t f_t(i) / (f_t(i) + k)  /  sum over terms t of m_t,    m_t = max b_t

b_t(i) is BM25 of passage i for the term t alone, so m_t grows with its rarity. The terms' positions in longer
windows are counted likewise by Lv and Zhai, Positional language models for information retrieval, 2009.
`near` is in 0..1: the share of the question's weight that is spoken of. It is not stretched to 0..1: in a
long question, of which no stretch says more than a little, it shall count for little.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from onrecord.retrieve.question import subject
from onrecord.retrieve.stage import Stage, Tools
from onrecord.stores.words import asked
from onrecord.types import Evidence, PassageTimeline

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from onrecord.types import Rows, Scores

    Weights = NDArray[np.float32]
    """Shape (2 reach + 1,): how much flows to the passage -reach, ..., reach places further on; sum 1."""


@dataclass(frozen=True)
class Smooth(Stage):
    """Smooths the curve: `forward` and `backward` are the sigmas in words, turned into passages by the
    mean length of those in scope; `own` is the share of a passage's own score; `power` is p."""

    forward: float = 400
    backward: float = 180
    own: float = 0.2
    power: float = 6
    ranges: ClassVar = {"forward": (0, inf), "backward": (0, inf), "own": (0, 1), "power": (0.1, 100)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        curve = evidence.curve
        if curve is None or not len(curve.timeline):
            return evidence
        raised = curve.score**self.power
        flowed = flow(raised, curve.timeline, kernel(curve.timeline, self.forward, self.backward))
        score = ((1 - self.own) * flowed + self.own * raised) ** (1 / self.power)
        return replace(evidence, curve=replace(curve, score=score.astype(np.float32)))


def kernel(timeline: PassageTimeline, forward: float, backward: float) -> Weights:
    """The Gaussian whose sigmas are so many words of a timeline, which is not empty."""
    length = max(float(timeline.words.mean()), 1.0)
    return gaussian(forward / length, backward / length)


def gaussian(forward: float, backward: float) -> Weights:
    """Weights of a Gaussian with one sigma a side, in passages, cut off at three of the wider."""
    reach = max(1, round(3 * max(forward, backward)))
    distances = np.arange(-reach, reach + 1)
    sigmas = np.maximum(np.where(distances > 0, forward, backward), 1e-3)
    weights = np.exp(-0.5 * (distances / sigmas) ** 2)
    kernel: Weights = (weights / weights.sum()).astype(np.float32)
    return kernel


def flow(scores: Scores, timeline: PassageTimeline, weights: Weights) -> Scores:
    """Scores spread within each recording of the timeline, by position: passages that are not in the timeline
    lie between those that are, and give nothing."""
    passages = np.bincount(timeline.recordings, minlength=len(timeline.names))
    if passages.max(initial=0) < 2:
        return scores
    reach = len(weights) // 2
    places = places_of(timeline, reach)
    spread = np.zeros(places[-1] + 1, np.float32)
    spread[places] = scores
    flowed: Scores = convolved(spread, weights)[places + reach]
    flowed /= _most(weights, passages)[timeline.recordings]
    return flowed


def places_of(timeline: PassageTimeline, reach: int) -> Rows:
    """Where each passage stands when all are laid out by position, from 0: recordings, and passages with
    more than `reach` others between them, are too far apart for anything to flow."""
    steps = np.diff(timeline.positions)
    steps = np.where(np.diff(timeline.recordings) == 0, np.minimum(steps, reach + 1), reach + 1)
    return np.concatenate(([0], np.cumsum(steps, dtype=np.int64)))


def convolved(scores: Scores, weights: Weights) -> Scores:
    """As np.convolve, which takes four times as long on a long timeline."""
    out = np.zeros(len(scores) + len(weights) - 1, np.float32)
    weighed = np.empty_like(scores)
    for shift, weight in enumerate(weights):
        np.multiply(scores, weight, out=weighed)
        out[shift : shift + len(scores)] += weighed
    return out


def _most(weights: Weights, passages: NDArray[np.int64]) -> Weights:
    """The largest sum of so many weights in a row, for every number of passages."""
    sums = np.concatenate(([0], np.cumsum(weights)))
    counts = np.minimum(np.arange(passages.max(initial=0) + 1), len(weights))
    table = np.array(
        [(sums[n:] - sums[: len(sums) - n]).max() for n in counts[: len(weights) + 1]], np.float32
    )
    most: Weights = table[np.minimum(passages, len(table) - 1)]
    return most


_MANY = 1 / 16
"""Share of the passages from which on it is quicker to look at all of them."""


@dataclass(frozen=True)
class Nearby(Stage):
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

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        curve = evidence.curve
        if curve is None or not len(curve.timeline):
            return evidence
        timeline = curve.timeline
        weights = kernel(timeline, self.forward, self.backward)
        words = asked([subject(evidence.question.text)])
        terms = (tools.store.keyword([word], timeline) for word in words)
        near = covered(terms, timeline, weights / weights.max(), self.saturation)
        score = (1 - self.share) * curve.score + self.share * near
        return replace(evidence, curve=replace(curve, score=score, parts={**curve.parts, "nearby": near}))


def covered(
    terms: Iterable[Scores], timeline: PassageTimeline, weights: Weights, saturation: float
) -> Scores:
    """The share of the terms' weight that is spoken of around every passage, in 0..1.

    `terms` has each term's scores along the timeline; `weights` what counts at a distance, 1 in the middle.
    """
    reach = len(weights) // 2
    places = places_of(timeline, reach)
    near, total = np.zeros(int(places[-1]) + len(weights), np.float32), 0.0
    for scores in terms:
        most = float(scores.max(initial=0))
        if most > 0:
            around = _spread(scores / most, places, weights)
            around /= around + saturation
            around *= most
            near += around
            total += most
    share: Scores = near[places + reach] / (total or 1.0)
    return share


def _spread(scores: Scores, places: Rows, weights: Weights) -> Scores:
    """Scores laid out at their places, `reach` further on, and spread by the weights. Most passages do not
    say most terms: only those that do are looked at."""
    said = np.flatnonzero(scores)
    at, values = places[said], scores[said]
    if len(said) > _MANY * len(scores):
        laid = np.zeros(int(places[-1]) + 1, np.float32)
        laid[at] = values
        return convolved(laid, weights)
    spread = np.zeros(int(places[-1]) + len(weights), np.float32)
    for shift, weight in enumerate(weights):
        spread[at + shift] += weight * values
    return spread
