"""How sure an answer may be without a reader: one calibrated line, and the verdicts.

The probability that quotes hold the answer, by logistic regression on how near the best passage is, how
much of the question's words one passage carries, and how many passages there are. What a cosine means
differs from model to model, and enters through `onrecord.models.base.Calibration`. Fitted on the questions
with -3- in their id of shared data `questions`, put to all recordings and to their own, by whether quotes
hold a marked sentence, and on as much weight of questions that belong elsewhere (`benchmarks/honesty.py`):
both kinds are told apart with an area under the ROC curve of .98, by words alone of .88. On the questions
with -4- the expected calibration error is .13.
"""

from __future__ import annotations

from math import exp, log

from onrecord.models.base import Calibration
from onrecord.retrieve.wording import Wording
from onrecord.types import Evidence

NOTHING = 0.11
"""Below it nothing that was found is worth showing: "nothing_found"."""
ANSWERED = 0.25
"""Below it what was found is only the nearest: "low_relevance"."""
SURE = 0.75
"""From here on an answer may say so."""
LOOKED_AT = 8
"""How many of the best moments tell whether a question is answered; quotes are chosen from as many."""
FEW = 40
"""In fewer passages the words of a question are weighed as in so many: of one passage, each word is in all,
and would tell nothing."""

_WITH_MEANING = (-1.54, 2.03, 1.57, -0.21)
"""Weights of (1, closeness, coverage, ln passages): the best cosine of many is higher by chance alone."""
_FEWEST = 200
"""In fewer passages size tells nothing more."""
_BY_WORDS = (-3.24, 4.93)
"""Weights of (1, coverage) where words alone were compared."""


def confidence(evidence: Evidence, words: Wording, passages: int, calibration: Calibration | None) -> float:
    """The probability, in 0..1, that what was found speaks to the question of `words`, put to so many
    passages; `calibration` is that of the embedder, if there is one."""
    coverage = covered(evidence, words)
    cosine = best_cosine(evidence)
    if cosine is None or calibration is None:
        one, of_words = _BY_WORDS
        return _logistic(one + of_words * coverage)
    one, of_meaning, of_words, of_size = _WITH_MEANING
    closeness = (cosine - calibration.floor) / (calibration.sure - calibration.floor)
    size = log(max(passages, _FEWEST))
    return _logistic(one + of_meaning * closeness + of_words * coverage + of_size * size)


def covered(evidence: Evidence, words: Wording) -> float:
    """The share, in 0..1, of the question's weight that one of the best passages carries."""
    best = (p.spoken for m in evidence.moments[:LOOKED_AT] for p in m.passages)
    return max((words.coverage(text) for text in best), default=0.0)


def best_cosine(evidence: Evidence) -> float | None:
    """The best cosine of any passage; None where the best moment was found by words alone."""
    if not evidence.moments or not evidence.moments[0].scores.get("dense"):
        return None
    curve = evidence.curve
    if curve is not None and "dense" in curve.parts:
        return float(curve.parts["dense"].max())
    return max(m.scores.get("dense", 0.0) for m in evidence.moments)


def verdict_for(evidence: Evidence, sure: float) -> str:
    """ "nothing_found", "low_relevance" or "answered", by confidence; "low_diversity" is for who has seen
    the quotes."""
    if not evidence.moments or sure < NOTHING:
        return "nothing_found"
    return "low_relevance" if sure < ANSWERED else "answered"


def _logistic(x: float) -> float:
    return 1 / (1 + exp(-x))
