"""How sure an answer may be: a calibrated probability, and one of four verdicts.

The probability that what was found speaks to the question comes from logistic regression on signs that are
at hand when it is asked. What a cosine means differs from model to model, and enters through
`onrecord.models.base.Calibration`; the weights below were fitted offline and hold for all models.

They were fitted on questions put to archives of 5 and of all recordings of four sets (QMSum meetings,
Earnings-21, Earnings-22, Changelog podcasts): 900 that the archive answers (the asking turn left out of the
archive where a question is itself a turn), 2,560 that belong elsewhere (another set's, assistants', support
forums', encyclopaedia questions), either kind weighing the same. Fitted on three sets, tried on the fourth,
the area under the ROC curve is .97 for meetings and calls and .95 for podcasts, the expected calibration
error .03-.05 in archives of 5 recordings and of all alike (without the number of passages, of which the best
cosine is the greatest, .04-.12); by words alone .85-.94 and .04-.10.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, log1p

from onrecord.answer.about import LOOKED_AT
from onrecord.models.base import Calibration
from onrecord.retrieve.wording import Wording
from onrecord.types import Evidence

NOTHING = 0.07
"""Below it nothing that was found is worth showing: "nothing_found"."""
ANSWERED = 0.4
"""Below it what was found is only the nearest: "low_relevance"."""
SURE = 0.75
"""From here on an answer may say so."""


FEW = 40
"""In fewer passages the words of a question are weighed as in so many: of one passage, each word is in all,
and would tell nothing."""


@dataclass(frozen=True, slots=True)
class Signs:
    """What tells whether a question is answered.

    `closeness`: the best cosine of all passages, 0 at the model's floor and 1 where it is sure; None
    where words alone were compared. `coverage`: the share (0..1) of the question's weight that one
    passage carries; `matched`: that weight itself (see `Wording`). `absent`: the share of words that
    are said nowhere in scope; `passages`: how many are in scope. The best cosine of many is higher than
    the best of a few, by chance alone.
    """

    closeness: float | None
    coverage: float
    matched: float
    absent: float
    passages: int


def signs(
    evidence: Evidence,
    words: Wording,
    calibration: Calibration | None,
    passages: int,
    without_names: float | None = None,
) -> Signs:
    """The signs in the moments that quotes are chosen from; `calibration` is that of the embedder, if there
    is one, `passages` the number of them that were searched, and `without_names` the best cosine with the
    question without the names of those whose words alone are looked at: the closeness is the mean of both.

    Questions of QMSum about what one person says, put to their meeting (120) and, under the name of
    somebody there, to a meeting of another kind (101): with the names alone the area is .961 (calibration
    error .084, a quarter of the others answered), with the mean .985 (.030, 6 %).
    """
    best = [p.spoken for m in evidence.moments[:LOOKED_AT] for p in m.passages]
    coverage = max((words.coverage(text) for text in best), default=0.0)
    weight = sum(words.weights.values())
    nowhere = sum(w for w in words.weights.values() if w == 1.0)
    cosine = best_cosine(evidence)
    closeness = None
    if cosine is not None and without_names is not None:
        cosine = (cosine + without_names) / 2
    if cosine is not None and calibration is not None:
        closeness = (cosine - calibration.floor) / (calibration.sure - calibration.floor)
    return Signs(closeness, coverage, coverage * weight, nowhere / weight if weight else 0.0, passages)


def best_cosine(evidence: Evidence) -> float | None:
    """The best cosine of any passage; None where the best moment was found by words alone."""
    if not evidence.moments or not evidence.moments[0].scores.get("dense"):
        return None
    curve = evidence.curve
    if curve is not None and "dense" in curve.parts:
        return float(curve.parts["dense"].max())
    return max(m.scores.get("dense", 0.0) for m in evidence.moments)


# Weights of (1, closeness, coverage, ln(1 + matched), absent, ln passages) and of (1, coverage,
# ln(1 + matched), absent).
_WITH_MEANING = (2.03, 5.04, 2.36, 0.92, -2.13, -0.73)
_BY_WORDS = (-2.91, 1.94, 3.89, -4.38)
_FEWEST = 200
"""In fewer passages size tells nothing more. Of questions of QMSum put to their meeting alone (64 passages)
one in ten is so refused, and of others put to it one in twenty answered (error .04); with 330, which one in
twenty of the archives that were fitted on has not, one in nine and one in thirty (.06)."""


def confidence(seen: Signs) -> float:
    """The probability, in 0..1, that what was found speaks to the question."""
    if seen.closeness is not None:
        size = log(max(seen.passages, _FEWEST))
        values = (1.0, seen.closeness, seen.coverage, log1p(seen.matched), seen.absent, size)
        return _logistic(_weighed(_WITH_MEANING, values))
    return _logistic(_weighed(_BY_WORDS, (1.0, seen.coverage, log1p(seen.matched), seen.absent)))


# Weights of (1, the logit of the confidence, how much of the question's focus the quotes speak to). Fitted on
# half of 124 questions for one thing (salary, age, address, price, ...), English and French, put to five
# invented and five real recordings: 62 that are answered, 62 about what nobody says of somebody or something
# there. Of the other half 5 of 31 of these are taken for answered (21 without it) and 29 of 31 that are
# answered (31); the area is .95 (.84). The constant is higher than fitted: turning an answer down costs more.
_OF_ONE_THING = (-2.5, 0.2, 3.6)


def of_one_thing(sure: float, spoken: float) -> float:
    """The confidence in an answer to a question for one thing, of whose focus its quotes speak to the share
    `spoken` (see `onrecord.answer.focus`); never more than `sure`, which is without it, and which stands
    where they speak to all of it."""
    if spoken >= 1:
        return sure
    odds = log(sure / (1 - sure)) if 0 < sure < 1 else 0.0
    return min(sure, max(NOTHING, _logistic(_weighed(_OF_ONE_THING, (1.0, odds, spoken)))))


def _weighed(weights: Sequence[float], values: Sequence[float]) -> float:
    return sum(weight * value for weight, value in zip(weights, values, strict=True))


def verdict(evidence: Evidence, sure: float) -> str:
    """ "nothing_found", "low_relevance" or "answered", by confidence; "low_diversity" is for who has seen
    the quotes."""
    if not evidence.moments or sure < NOTHING:
        return "nothing_found"
    return "low_relevance" if sure < ANSWERED else "answered"


# Weights of (1, score, rank of the moment among those of its recording), of whether a quote lies in the
# stretch that a person marked; and of (1, standing of the recording), of whether a recording is one of those
# that answer. `benchmarks/quotes.py` fits and tries them: on meetings not fitted on, the place has an area
# under the ROC curve of .60 and a calibration error of .05-.06; fitted on MuSiQue and tried on HotpotQA,
# the recording has .78 and .08. Put to all meetings the product has .75 (the rank among all moments: .67),
# though what other meetings say counts as wrong there.
_IN_RECORDING = (-0.32, 0.83, -0.44)
_OF_RECORDING = (-9.24, 10.03)


def quote_confidence(score: float, rank: int, standing: float | None = None) -> float:
    """The probability, in 0..1, that a quote is one that a person would point at, given that the question
    is answered at all: that its recording is one of those that answer, times that it stands in the right
    place there.

    Args:
        score: of the quote (see `onrecord.answer.quotes.Quote`).
        rank: of the moment that it stands in among those of its recording, from 0.
        standing: the score of the best quote of its recording, beside the best of all (0..1); None where
            there is but one recording.
    """
    within = _logistic(_weighed(_IN_RECORDING, (1.0, score, rank)))
    return within if standing is None else within * _logistic(_weighed(_OF_RECORDING, (1.0, standing)))


def _logistic(x: float) -> float:
    return 1 / (1 + exp(-x))


def all_alike(found: int, twins: int) -> bool:
    """Whether all that was found is little more than one thing said again and again: of the quotes found,
    three or more, and three in five, are the best one and its twins.

    Texts are compared, not vectors: on calls with the same opening words everywhere, the passages found for
    a question about these words are no nearer to each other (mean cosine .5-.6) than those found for others
    (up to .66).
    """
    return twins >= 2 and twins + 1 >= 0.6 * found
