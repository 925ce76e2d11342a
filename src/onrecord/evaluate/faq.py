"""How often the FAQ is right, and where its two thresholds should lie."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from onrecord.errors import InputError
from onrecord.retrieve.faq import Faq
from onrecord.stores.faq import Thresholds

Z95 = 1.959964


@dataclass(frozen=True, slots=True)
class Share:
    """`hits` of `total`, as a share with the interval that holds the true one with 95 % confidence."""

    hits: int
    total: int

    @property
    def value(self) -> float:
        """0..1; 0 where there are none at all."""
        return self.hits / self.total if self.total else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's score interval (Wilson 1927)."""
        if not self.total:
            return 0.0, 1.0
        n, share, square = self.total, self.value, Z95**2
        middle = (share + square / (2 * n)) / (1 + square / n)
        half = Z95 / (1 + square / n) * sqrt(share * (1 - share) / n + square / (4 * n * n))
        return max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share))

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.value:6.1%}  [{low:.1%}, {high:.1%}]  {self.hits} of {self.total}"


@dataclass(frozen=True, slots=True)
class Judged:
    """A labelled question as stage one sees it: the entry `wanted` ("" where none answers it) and `found`,
    the score, and whether the one wanted is among the first three."""

    question: str
    wanted: str
    found: str
    score: float
    near: bool

    @property
    def right(self) -> bool:
        """Whether an answer by the best entry would be right."""
        return self.found == self.wanted != ""


@dataclass(frozen=True, slots=True)
class Rates:
    """What two thresholds do on labelled questions, without stage two.

    precision: of what is answered at once, what is right.
    answered: of the questions that an entry answers, those answered at once.
    clarified: of all, those asked back at once; `lost` are those of them that an entry answers.
    between: of all, those left to stage two, which is the LLM rate where there is an LLM.
    """

    thresholds: Thresholds
    precision: Share
    answered: Share
    clarified: Share
    lost: Share
    between: Share


def judge(faq: Faq, labelled: Sequence[tuple[str, str]]) -> list[Judged]:
    """Stage one's view of questions with the entry that answers each: its id, or its question, or "".

    Raises InputError for an entry that is not live.
    """
    live = faq.entries("live")
    names = {entry.question.casefold(): entry.id for entry in live} | {entry.id: entry.id for entry in live}
    judged = []
    for question, entry in labelled:
        wanted = names.get(entry, names.get(entry.casefold(), "")) if entry else ""
        if entry and not wanted:
            raise InputError(
                f"{question!r} is labelled with {entry!r}, which is no live FAQ entry's id or question"
            )
        found = faq.match(question)
        ids = [match.entry.id for match in found]
        best = found[0] if found else None
        judged.append(
            Judged(question, wanted, ids[0] if ids else "", best.score if best else 0.0, wanted in ids[:3])
        )
    return judged


def rates(judged: Sequence[Judged], thresholds: Thresholds) -> Rates:
    """What these thresholds do."""
    direct = [one for one in judged if one.score >= thresholds.high]
    low = [one for one in judged if one.score < thresholds.low]
    in_scope = sum(1 for one in judged if one.wanted)
    return Rates(
        thresholds,
        precision=Share(sum(one.right for one in direct), len(direct)),
        answered=Share(sum(1 for one in direct if one.wanted), in_scope),
        clarified=Share(len(low), len(judged)),
        lost=Share(sum(1 for one in low if one.wanted), in_scope),
        between=Share(len(judged) - len(direct) - len(low), len(judged)),
    )


def propose(judged: Sequence[Judged], precision: float = 0.95, lost: float = 0.02) -> Thresholds | None:
    """The lowest `high` at which what is answered at once is right as often as `precision`, and the highest
    `low` that asks back at once no more than the share `lost` of questions which an entry answers.

    Each lies in the middle between two scores, so that a few questions do not draw it to either. None where
    no threshold is right so often.
    """
    every = sorted(one.score for one in judged)
    ranked = sorted(judged, key=lambda one: -one.score)
    right = np.cumsum([one.right for one in ranked])
    last = [i for i in range(len(ranked)) if i + 1 == len(ranked) or ranked[i].score > ranked[i + 1].score]
    good = [i for i in last if right[i] >= precision * (i + 1)]
    if not good:
        return None
    high = _under(ranked[good[-1]].score, every)
    scores = sorted(one.score for one in judged if one.wanted)
    low = min(_under(scores[int(lost * len(scores))], every), high) if scores else high
    return Thresholds(high, low)


def _under(score: float, every: Sequence[float]) -> float:
    """In the middle between a score and the next one under it, to four decimals where these tell them
    apart."""
    at = bisect_left(every, score)
    below = every[at - 1] if at else 0.0
    middle = _down((score + below) / 2)
    return middle if middle > below else _down(score)


def held_out(judged: Sequence[Judged], precision: float = 0.95, lost: float = 0.02) -> Rates | None:
    """What thresholds proposed on one half of the questions do on the other, both ways, summed up: an
    honest forecast, as thresholds look better on what they were chosen on. None where a half has none."""
    halves = (judged[::2], judged[1::2])
    chosen = [propose(half, precision, lost) for half in halves]
    one, other = chosen
    if one is None or other is None:
        return None
    return _summed(rates(halves[1], one), rates(halves[0], other))


def _summed(one: Rates, other: Rates) -> Rates:
    def both(a: Share, b: Share) -> Share:
        return Share(a.hits + b.hits, a.total + b.total)

    middle = Thresholds(
        (one.thresholds.high + other.thresholds.high) / 2, (one.thresholds.low + other.thresholds.low) / 2
    )
    return Rates(
        middle,
        both(one.precision, other.precision),
        both(one.answered, other.answered),
        both(one.clarified, other.clarified),
        both(one.lost, other.lost),
        both(one.between, other.between),
    )


def auroc(judged: Sequence[Judged]) -> float:
    """The chance that a question which an entry answers scores higher than one which none does (the
    Mann-Whitney statistic; ties count half). 0.5 where there are only questions of one kind."""
    scores = np.array([one.score for one in judged])
    inside = np.array([one.wanted != "" for one in judged], bool)
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    n, m = int(inside.sum()), int((~inside).sum())
    return float((ranks[inside].sum() - n * (n + 1) / 2) / (n * m)) if n and m else 0.5


def _down(score: float) -> float:
    """Rounded down to what people write, so that the score itself still passes."""
    return int(score * 10_000) / 10_000
