"""Adds how much of the question is spoken of around each passage.

BM25 asks how much of the question one passage says, and a person who asks names things that are said one
after the other. Here a term counts in a passage for as often as it is said around it, less with distance, and
is saturated only then, so that a stretch in which all terms occur beats one that repeats a single term:

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
from onrecord.retrieve.smooth import convolved, kernel, places_of
from onrecord.retrieve.stage import Stage, Tools
from onrecord.stores.words import asked
from onrecord.types import Evidence, Line

if TYPE_CHECKING:
    from onrecord.retrieve.smooth import Weights
    from onrecord.types import Rows, Scores

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
        if curve is None or not len(curve.line):
            return evidence
        line = curve.line
        weights = kernel(line, self.forward, self.backward)
        words = asked([subject(evidence.question.text)])
        terms = (tools.store.keyword([word], line) for word in words)
        near = covered(terms, line, weights / weights.max(), self.saturation)
        score = (1 - self.share) * curve.score + self.share * near
        return replace(evidence, curve=replace(curve, score=score, parts={**curve.parts, "nearby": near}))


def covered(terms: Iterable[Scores], line: Line, weights: Weights, saturation: float) -> Scores:
    """The share of the terms' weight that is spoken of around every passage, in 0..1.

    `terms` has for each term its scores along the line; `weights` what counts at a distance, 1 at its middle.
    """
    reach = len(weights) // 2
    places = places_of(line, reach)
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
