"""Cuts moments: stretches of talk that belong together, ranked, within a budget of words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from onrecord.retrieve.stage import Stage, Tools
from onrecord.stores.base import Reader
from onrecord.types import Curve, Evidence, Line, Moment, Passage

if TYPE_CHECKING:
    from onrecord.types import Counts, Rows, Scores


def best_passages(line: Line, scores: Scores, most: int, store: Reader, name: str) -> tuple[Moment, ...]:
    """The passages with the highest scores, each a moment of its own, best first; what is equal in the
    order of the line. `name` says in `Moment.scores` what the score is."""
    best = top(scores, most)
    return tuple(
        Moment((passage,), float(scores[at]), {name: float(scores[at])})
        for at, passage in zip(best, store.passages(line.rows[best]), strict=True)
    )


def top(scores: Scores, most: int) -> Rows:
    """Indices of the `most` highest scores, best first; what is equal in order of index."""
    if most >= len(scores):
        return np.argsort(-scores, kind="stable")
    least = np.partition(scores, len(scores) - most)[len(scores) - most] if most > 0 else np.inf
    some = np.flatnonzero(scores >= least)
    return some[np.argsort(-scores[some], kind="stable")][: max(most, 0)]


@dataclass(frozen=True)
class Moments(Stage):
    """Cuts moments of at most `words` words in all.

    From a curve: the highest passages are taken until the budget is used up, and those that follow
    one another in a recording become one moment; without a curve, the same with the passages of the
    moments found before. A moment's score is its best passage's. No passage is in two moments;
    passages within a moment stand as they were spoken. The best passage is taken even if it alone
    is over the budget.
    """

    words: int = 1000

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        if evidence.curve is not None:
            return replace(evidence, moments=self._from_curve(evidence.curve, tools.store))
        return replace(evidence, moments=self._from_moments(evidence.moments))

    def _from_curve(self, curve: Curve, store: Reader) -> tuple[Moment, ...]:
        line = curve.line
        chosen = _affordable(curve.score, line.words, self.words)
        passages = dict(zip(chosen.tolist(), store.passages(line.rows[chosen]), strict=True))
        singles = [
            Moment((passage,), float(curve.score[at]), {n: float(s[at]) for n, s in curve.parts.items()})
            for at, passage in passages.items()
        ]
        return joined(singles)

    def _from_moments(self, moments: Sequence[Moment]) -> tuple[Moment, ...]:
        kept: list[Moment] = []
        seen: set[tuple[str, int]] = set()
        left = self.words
        for single in _singles(moments):
            passage = single.passages[0]
            place = (passage.recording, passage.position)
            if place in seen:
                continue
            if single.words > left and kept:
                break
            seen.add(place)
            left -= single.words
            kept.append(single)
        return joined(kept)


def joined(singles: Iterable[Moment]) -> tuple[Moment, ...]:
    """Moments of one passage each, put together where they follow one another in a recording, best
    first. Each signal in `scores` is the best of its passages."""
    groups: list[list[Moment]] = []
    for single in sorted(singles, key=_place):
        last = groups[-1][-1].passages[0] if groups else None
        if last is not None and _follows(last, single.passages[0]):
            groups[-1].append(single)
        else:
            groups.append([single])
    return tuple(sorted(map(_one, groups), key=lambda moment: -moment.score))


def _one(group: Sequence[Moment]) -> Moment:
    peak = max(range(len(group)), key=lambda i: group[i].score)
    names = dict.fromkeys(name for moment in group for name in moment.scores)
    scores = {name: max(m.scores[name] for m in group if name in m.scores) for name in names}
    return Moment(tuple(m.passages[0] for m in group), group[peak].score, scores, peak)


def _place(moment: Moment) -> tuple[str, int]:
    return moment.recording, moment.passages[0].position


def _follows(last: Passage, then: Passage) -> bool:
    return last.recording == then.recording and last.position + 1 == then.position


def _singles(moments: Iterable[Moment]) -> Iterable[Moment]:
    for moment in moments:
        for passage in moment.passages:
            yield Moment((passage,), moment.score, moment.scores)


def _affordable(scores: Scores, words: Counts, budget: int) -> Rows:
    """Indices of the highest scores, best first, until the next would be over the budget. At least one
    where there is any."""
    most = 64
    while True:
        best = top(scores, most)
        within = int(np.searchsorted(np.cumsum(words[best]), budget, "right"))
        if within < len(best) or len(best) == len(scores):
            return best[: max(within, 1)]
        most *= 4
