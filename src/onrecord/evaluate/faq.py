"""Measures how often the FAQ is right, and proposes its two thresholds."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np

from onrecord.errors import InputError, did_you_mean, nearest
from onrecord.evaluate.intervals import Z95, Share
from onrecord.retrieve.faq import Faq
from onrecord.stores.faq import Thresholds

RATES = ("precision", "answered", "clarified", "lost", "between")


@dataclass(frozen=True, slots=True)
class LabelledMatch:
    """The match of stage one for a labeled question.

    `expected` is the id of the entry that answers the question ("" for none). `best` is the id of the entry
    with the highest `score`. `near` says whether `expected` is among the first three entries.
    """

    question: str
    expected: str
    best: str
    score: float
    near: bool

    @property
    def right(self) -> bool:
        """Whether an answer by the best entry would be right."""
        return self.best == self.expected != ""


@dataclass(frozen=True, slots=True)
class Rates:
    """The effect of two thresholds on labeled questions, without stage two.

    precision: of the questions answered at once, the share answered correctly.
    answered: of the questions that an entry answers, the share answered at once.
    clarified: of all questions, the share asked back at once.
    lost: of the questions that an entry answers, the share asked back at once.
    between: of all questions, the share left to stage two. With a language model it is the LLM rate.
    """

    thresholds: Thresholds
    precision: Share
    answered: Share
    clarified: Share
    lost: Share
    between: Share

    def to_json(self) -> dict[str, Any]:
        """Return the thresholds, and each share with its interval."""
        shares = {name: getattr(self, name) for name in RATES}
        values = {name: {"value": share.value, "interval": share.interval} for name, share in shares.items()}
        return {"high": self.thresholds.high, "low": self.thresholds.low, **values}


def match_labelled(faq: Faq, labelled: Sequence[tuple[str, str]]) -> list[LabelledMatch]:
    """Match questions, each labeled with the entry that answers it: its id, its question, or "" for none.

    Raises InputError for an entry that is not live.
    """
    live = faq.entries("live")
    names = {entry.question.casefold(): entry.id for entry in live} | {entry.id: entry.id for entry in live}
    labelled_matches = []
    for question, entry in labelled:
        expected = names.get(entry, names.get(entry.casefold(), "")) if entry else ""
        if entry and not expected:
            hint = did_you_mean(nearest(entry, names), "; ")
            raise InputError(
                f"{question!r} is labelled with {entry!r}, which is no live FAQ entry's id or question{hint}"
            )
        matches = faq.match(question)
        ids = [match.entry.id for match in matches]
        best = matches[0] if matches else None
        score = best.score if best else 0.0
        labelled_matches.append(
            LabelledMatch(question, expected, ids[0] if ids else "", score, expected in ids[:3])
        )
    return labelled_matches


def measure_rates(matches: Sequence[LabelledMatch], thresholds: Thresholds) -> Rates:
    """Return the rates of these thresholds."""
    direct = [match for match in matches if match.score >= thresholds.high]
    low = [match for match in matches if match.score < thresholds.low]
    in_scope = sum(1 for match in matches if match.expected)
    return Rates(
        thresholds,
        precision=Share(sum(match.right for match in direct), len(direct)),
        answered=Share(sum(1 for match in direct if match.expected), in_scope),
        clarified=Share(len(low), len(matches)),
        lost=Share(sum(1 for match in low if match.expected), in_scope),
        between=Share(len(matches) - len(direct) - len(low), len(matches)),
    )


def choose_thresholds(
    matches: Sequence[LabelledMatch], precision: float = 0.95, lost: float = 0.02
) -> Thresholds | None:
    """Choose the lowest `high` and the highest `low` that satisfy `precision` and `lost`; None if none does.

    Of the questions that score at least `high`, the share `precision` is answered correctly. At most the
    share `lost` of the questions that an entry answers scores below `low`. Each threshold lies in the middle
    between two scores, so that a few questions do not pull it to either score.
    """
    scores = sorted(match.score for match in matches)
    ranked = sorted(matches, key=lambda match: -match.score)
    right = np.cumsum([match.right for match in ranked])
    last = [i for i in range(len(ranked)) if i + 1 == len(ranked) or ranked[i].score > ranked[i + 1].score]
    good = [i for i in last if right[i] >= precision * (i + 1)]
    if not good:
        return None
    high = _under(ranked[good[-1]].score, scores)
    in_scope = sorted(match.score for match in matches if match.expected)
    low = min(_under(in_scope[int(lost * len(in_scope))], scores), high) if in_scope else high
    return Thresholds(high, low)


def _under(score: float, scores: Sequence[float]) -> float:
    """Return the middle between a score and the next lower score.

    It is rounded to four decimals if these distinguish the two.
    """
    at = bisect_left(scores, score)
    below = scores[at - 1] if at else 0.0
    middle = _down((score + below) / 2)
    return middle if middle > below else _down(score)


def forecast_rates(
    matches: Sequence[LabelledMatch], precision: float = 0.95, lost: float = 0.02
) -> Rates | None:
    """Choose thresholds on one half of the questions, measure them on the other, both ways, and add up.

    Thresholds look better on the questions that they were chosen on. The rates are reported at the mean of
    both thresholds. None if a half allows no thresholds.
    """
    halves = (matches[::2], matches[1::2])
    first, second = (choose_thresholds(half, precision, lost) for half in halves)
    if first is None or second is None:
        return None
    one, other = measure_rates(halves[1], first), measure_rates(halves[0], second)
    shares = {name: (getattr(one, name), getattr(other, name)) for name in RATES}
    return Rates(
        Thresholds((first.high + second.high) / 2, (first.low + second.low) / 2),
        **{name: Share(a.hits + b.hits, a.total + b.total) for name, (a, b) in shares.items()},
    )


@dataclass(frozen=True, slots=True)
class Proposal:
    """The thresholds `chosen` for a `precision`, None if no thresholds reach it, and their rates.

    `now` are the rates of the current thresholds, `proposed` the rates of the chosen thresholds, and
    `forecast` their expected rates by `forecast_rates`.
    """

    chosen: Thresholds | None
    now: Rates
    proposed: Rates | None
    forecast: Rates | None
    precision: float

    @property
    def needed(self) -> int:
        """How many questions the proposed thresholds must answer at once to prove their precision.

        If all of them were right, the required precision (at most .99) would be the lower end of their Wilson
        interval.
        """
        precision = min(self.precision, 0.99)
        return ceil(Z95**2 * precision / (1 - precision))

    @property
    def enough(self) -> bool:
        """Whether `needed` is reached. In a small sample, a single mistake moves a threshold anywhere."""
        return self.proposed is not None and self.proposed.precision.total >= self.needed

    @property
    def within_reach(self) -> bool:
        """Whether the precision can be reached.

        It cannot if no thresholds reach it, or if the forecast stays below it even at the upper end of its
        interval.
        """
        if self.chosen is None:
            return False
        return self.forecast is None or self.forecast.precision.interval[1] >= self.precision

    @property
    def may_be_used(self) -> bool:
        """Whether `thresholds` may replace the current ones: not if too few questions prove a precision."""
        return self.enough or not self.within_reach

    def to_json(self) -> dict[str, Any]:
        """Return the rates of the thresholds, and whether these are reachable and proven."""
        measured = {name: getattr(self, name) for name in ("now", "proposed", "forecast")}
        return {
            "within_reach": self.within_reach,
            "enough": self.enough,
            "needed": self.needed,
            **{name: rates and rates.to_json() for name, rates in measured.items()},
        }

    def thresholds(self, decides: bool) -> Thresholds:
        """Return the proposed thresholds, or the current ones if there are too few questions.

        If the precision is out of reach, no question is answered at once. `decides` says whether a language
        model decides in stage two; otherwise the reply asks back.
        """
        if self.chosen is not None and self.within_reach:
            return self.chosen if self.enough else self.now.thresholds
        low = self.chosen or self.now.thresholds
        return Thresholds(1.0, low.low if decides else 1.0)


def propose_thresholds(
    faq: Faq, labelled: Sequence[tuple[str, str]], precision: float = 0.95, lost: float = 0.02
) -> tuple[list[LabelledMatch], Proposal]:
    """Match labelled questions and propose thresholds by them. Raises InputError as `match_labelled`."""
    matches = match_labelled(faq, labelled)
    chosen = choose_thresholds(matches, precision, lost)
    proposal = Proposal(
        chosen,
        measure_rates(matches, faq.thresholds()),
        measure_rates(matches, chosen) if chosen else None,
        forecast_rates(matches, precision, lost),
        precision,
    )
    return matches, proposal


def auroc(matches: Sequence[LabelledMatch]) -> float:
    """Return the chance that a question with an answering entry scores higher than a question without one.

    The Mann-Whitney statistic; ties count half. 0.5 if all questions are of one kind.
    """
    scores = np.array([match.score for match in matches])
    inside = np.array([match.expected != "" for match in matches], bool)
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    n, m = int(inside.sum()), int((~inside).sum())
    return float((ranks[inside].sum() - n * (n + 1) / 2) / (n * m)) if n and m else 0.5


def _down(score: float) -> float:
    """Round a score down to four decimals, as people write it, so that the score itself still passes."""
    return int(score * 10_000) / 10_000
