"""How often the FAQ is right, and where its two thresholds should lie."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Any

import numpy as np

from onrecord.errors import InputError
from onrecord.retrieve.faq import Faq
from onrecord.stores.faq import Thresholds

Z95 = 1.959964
RATES = ("precision", "answered", "clarified", "lost", "between")


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

    def to_json(self) -> dict[str, Any]:
        """The thresholds, and each share with its interval."""
        shares = {name: getattr(self, name) for name in RATES}
        values = {name: {"value": each.value, "interval": each.interval} for name, each in shares.items()}
        return {"high": self.thresholds.high, "low": self.thresholds.low, **values}


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


@dataclass(frozen=True, slots=True)
class Proposal:
    """Two thresholds for a wanted precision, None where none can be had, and what they do: those in force,
    those proposed, and what is forecast of them (see `held_out`)."""

    chosen: Thresholds | None
    now: Rates
    proposed: Rates | None
    forecast: Rates | None
    wanted: float

    @property
    def needed(self) -> int:
        """How many questions the proposed thresholds must answer at once to show that they hold: were all of
        them right, the wanted precision (at most .99) would be the lower end of their interval (Wilson)."""
        wanted = min(self.wanted, 0.99)
        return ceil(Z95**2 * wanted / (1 - wanted))

    @property
    def enough(self) -> bool:
        """Whether there are so many. On a handful one mistake more or less moves a threshold anywhere."""
        return self.proposed is not None and self.proposed.precision.total >= self.needed

    @property
    def within_reach(self) -> bool:
        """Whether the precision can be had: no threshold, or one that holds on the other half with less, even
        at the upper end of its interval, says that it cannot."""
        if self.chosen is None:
            return False
        return self.forecast is None or self.forecast.precision.interval[1] >= self.wanted

    def to_json(self) -> dict[str, Any]:
        """What the thresholds do, and whether they can be had and are shown to hold."""
        measured = {name: getattr(self, name) for name in ("now", "proposed", "forecast")}
        return {
            "within_reach": self.within_reach,
            "enough": self.enough,
            "needed": self.needed,
            **{name: rates and rates.to_json() for name, rates in measured.items()},
        }

    def thresholds(self, decides: bool) -> Thresholds:
        """Those to use: the proposed ones, or those in force where there are too few questions to tell. Where
        the precision is out of reach, those that answer nothing at once: whoever `decides` in stage two is
        asked, and where only the local classifier could, the reply is to ask back."""
        if self.chosen is not None and self.within_reach:
            return self.chosen if self.enough else self.now.thresholds
        low = self.chosen or self.now.thresholds
        return Thresholds(1.0, low.low if decides else 1.0)


def proposal(
    faq: Faq, labelled: Sequence[tuple[str, str]], precision: float = 0.95, lost: float = 0.02
) -> tuple[list[Judged], Proposal]:
    """Labelled questions as stage one sees them, and what to make of them. Raises InputError as `judge`."""
    judged = judge(faq, labelled)
    chosen = propose(judged, precision, lost)
    made = Proposal(
        chosen,
        rates(judged, faq.thresholds()),
        rates(judged, chosen) if chosen else None,
        held_out(judged, precision, lost),
        precision,
    )
    return judged, made


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
