"""How surely quotes answer a question: the confidence of an answer, its verdict, and the key of its heading.

Without a reader, the confidence of an answer is the probability that the quotes hold the answer. Logistic
regression computes it from three values: how near the best passage is, how much of the question's words one
passage carries, and how many passages there are. The meaning of a cosine differs between models; it enters
through `onrecord.models.base.Calibration`. The regression was fitted on the questions of the shared data
`questions` with -3- in their id, put to all recordings and to their own recording. Its target was whether the
quotes hold a marked sentence. As much weight went to questions that belong elsewhere
(`benchmarks/honesty.py`). The two kinds of question are separated with an area under the ROC curve of .98, or
.88 by words alone. On the questions with -4- in their id the expected calibration error is .13.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

from onrecord.answer.judging import MOMENTS
from onrecord.answer.quotes import Quote
from onrecord.models.base import Calibration
from onrecord.retrieve.wording import Wording
from onrecord.types import Evidence

NOTHING = 0.11
"""The confidence, in 0..1, below which no match is worth showing: the verdict is "nothing_found"."""
ANSWERED = 0.25
"""The confidence, in 0..1, below which quotes are only the nearest matches, "low_relevance" by verdict."""
LIKELY, SURE = 0.6, 0.75
"""The confidences, in 0..1, from which the heading calls an answer likely or sure."""

_WITH_MEANING = (-1.54, 2.03, 1.57, -0.21)
"""Weights of (1, closeness, coverage, ln passages).

The weight of the passage count is negative because the best cosine of many passages is higher by chance
alone.
"""
_FEWEST = 200
"""The passage count below which the size of the archive makes no further difference."""
_BY_WORDS = (-3.24, 4.93)
"""Weights of (1, coverage) where words alone were compared."""


def confidence(evidence: Evidence, words: Wording, passages: int, calibration: Calibration | None) -> float:
    """Return the probability, in 0..1, that the evidence answers the question of `words`.

    Args:
        passages: the number of passages that were searched.
        calibration: the calibration of the embedder; None without an embedder.
    """
    coverage = best_coverage(evidence, words)
    cosine = best_cosine(evidence)
    if cosine is None or calibration is None:
        constant, of_words = _BY_WORDS
        odds = constant + of_words * coverage
    else:
        constant, of_meaning, of_words, of_size = _WITH_MEANING
        closeness = (cosine - calibration.floor) / (calibration.sure - calibration.floor)
        size = log(max(passages, _FEWEST))
        odds = constant + of_meaning * closeness + of_words * coverage + of_size * size
    return 1 / (1 + exp(-odds))


def best_coverage(evidence: Evidence, words: Wording) -> float:
    """Return the largest share, in 0..1, of the question's weight that one of the best passages carries."""
    best = 0.0
    for moment in evidence.moments[:MOMENTS]:
        for passage in moment.passages:
            best = max(best, words.coverage(passage.spoken))
    return best


def best_cosine(evidence: Evidence) -> float | None:
    """Return the best cosine of any passage; None where words alone retrieved the best moment."""
    if not evidence.moments or not evidence.moments[0].scores.get("dense"):
        return None
    curve = evidence.curve
    if curve is not None and "dense" in curve.parts:
        return float(curve.parts["dense"].max())
    return max(m.scores.get("dense", 0.0) for m in evidence.moments)


def verdict_for(evidence: Evidence, sure: float) -> str:
    """Return the verdict for a confidence: "nothing_found", "low_relevance" or "answered"."""
    if not evidence.moments or sure < NOTHING:
        return "nothing_found"
    return "low_relevance" if sure < ANSWERED else "answered"


def heading_key(sure: float) -> str:
    """Return the key of the heading's message for a confidence: "sure", "likely" or "may"."""
    return "sure" if sure >= SURE else "likely" if sure >= LIKELY else "may"


# ---------------------------------------------------------------- by a reader

_SLOPE, _SHIFT = 1.35, 1.68
"""Platt scaling from the reader's chance for the quotes to how often such quotes answer.

Fitted with `onrecord.answer.judging.NONE`, by whether the quotes hold a sentence that was marked as an
answer.
"""
_FULL_COVERAGE, _COVERED = 0.99, 0.5
"""The coverage from which a quote has all of the question's words, and what that adds to negative log-odds.

Of 919 questions to recordings that the reader was trained on, quotes covered 32 in full. Half of these quotes
answered, and none of the 15 that the reader doubted: a near miss often repeats the question. A least
confidence of .7 then, as before, is right for .749 of the questions and refuses .831 of the near misses; .5
for .757 and .859. The built-in examples need it: of nine that are covered in full and doubted, all are
answered, two of them only by this. More coverage, the rarest word and the kind of answer (number, person)
were also tried, as weights of a logistic regression. By cross-validation over recordings they add nothing to
the reader's chance (area under the ROC curve .932, without them .933). No near miss among the 15 has only one
such word: who asks what was said about prices asks no more, so one word is given even odds.
"""
UNREAD = 0.55
"""The most confidence, headed "may", if the likeliest quote is in a language that the reader does not read.

There the reader sees only names and figures. To judge such quotes by score is no better: of 17 French
questions of the built-in examples, 10 have their answer quoted either way.
"""


def confidence_by_reading(quotes: Sequence[Quote], words: Wording) -> float:
    """Return the probability, in 0..1, that quotes hold the answer to the question of `words`.

    It is the sum of the quotes' chances, calibrated. A quote that has all of the question's words is somewhat
    likelier to answer than a doubting reader says: a person who asks what was said about freight wants
    nothing more. The speaker's name is not one of these words: a quote in which Ann speaks of salaries need
    not speak of her own.
    """
    chance = min(max(sum([quote.score for quote in quotes]), 1e-6), 1 - 1e-6)
    odds = _SLOPE * log(chance / (1 - chance)) + _SHIFT
    coverage = max([words.coverage(quote.text) for quote in quotes], default=0.0)
    if words.weights and coverage > _FULL_COVERAGE:
        odds = max(odds, min(odds + _COVERED, 0.0) if len(words.weights) > 1 else 0.0)
    return 1 / (1 + exp(-odds))
