"""How good a ranking is: the usual measures of ranked units, and two of what is shown as words.

Ranked units are judged by Recall@K, Precision@K, the reciprocal rank and nDCG@K (Järvelin and Kekäläinen,
Cumulated gain-based evaluation of IR techniques, 2002; gain = grade, discount = log2(rank + 1), as
trec_eval has it).

A stretch of talk may be cut in many ways, and a larger passage would look better by being larger.
`gold_word_recall` and `slice_ndcg` therefore see what is shown as one stream of words, of which each is
gold or not, and are blind to how it was cut.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import TYPE_CHECKING

import numpy as np

from onrecord.evaluate.report import Measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Gold = NDArray[np.bool_]
    """Shape (words shown,), in the order shown: is this word part of what should be found?"""

Grades = Mapping[str, float]
"""How relevant each unit is; units that are not in it have grade 0."""


@dataclass(frozen=True, slots=True, eq=False)
class Retrieved:
    """What a strategy found for one question: `shown` says of every word shown whether it is gold, of
    `words` gold words in all; `ranked` are units, best first, and `grades` how relevant they are."""

    shown: Gold
    words: int
    ranked: Sequence[str]
    grades: Grades


@dataclass(frozen=True, slots=True)
class Yardstick:
    """How far measures look: at the first `words` words shown, and the first so many ranked units."""

    words: int = 1000
    recall: int = 5
    precision: int = 5
    ndcg: int = 10

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures in the order in which they are shown."""
        return (
            Measure("R", f"gold words shown, {self.words} words", "found"),
            Measure("S", f"gold words early, {self.words} words", "found"),
            Measure(f"recall@{self.recall}", f"Recall@{self.recall}", "ranked"),
            Measure(f"precision@{self.precision}", f"Precision@{self.precision}", "ranked"),
            Measure("mrr", "MRR", "ranked"),
            Measure(f"ndcg@{self.ndcg}", f"nDCG@{self.ndcg}", "ranked"),
        )

    def measured(self, found: Retrieved) -> dict[str, float]:
        """The value of every measure, by name."""
        ranked, grades = found.ranked, found.grades
        values = (
            gold_word_recall(found.shown, found.words, self.words),
            slice_ndcg(found.shown, found.words, width=max(1, self.words // 10)),
            recall_at(ranked, grades, self.recall),
            precision_at(ranked, grades, self.precision),
            reciprocal_rank(ranked, grades),
            ndcg_at(ranked, grades, self.ndcg),
        )
        return {measure.name: value for measure, value in zip(self.measures, values, strict=True)}


def recall_at(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """The share of the relevant units that stand among the first `k`; 0 where none is relevant."""
    relevant = _relevant(grades)
    return _found(ranked, relevant, k) / len(relevant) if relevant else 0.0


def precision_at(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """The share of the first `k` places that hold a relevant unit; empty places count as wrong."""
    return _found(ranked, _relevant(grades), k) / k


def reciprocal_rank(ranked: Sequence[str], grades: Grades) -> float:
    """1 / the rank of the first relevant unit; 0 where there is none. Its mean over questions is MRR."""
    relevant = _relevant(grades)
    return next((1 / rank for rank, unit in enumerate(ranked, 1) if unit in relevant), 0.0)


def ndcg_at(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """Discounted cumulated gain of the first `k`, as a share of the best there could be."""
    ideal = _gain(sorted((max(g, 0.0) for g in grades.values()), reverse=True)[:k])
    return _gain([max(grades.get(unit, 0.0), 0.0) for unit in ranked[:k]]) / ideal if ideal else 0.0


def gold_word_recall(shown: Gold, gold: int, budget: int = 1000) -> float:
    """R: gold words among the first `budget` words shown / min(`gold`, `budget`).

    `gold` counts the gold words of the whole archive.
    """
    return float(shown[:budget].sum()) / min(gold, budget) if gold else 0.0


def slice_ndcg(shown: Gold, gold: int, slices: int = 10, width: int = 100) -> float:
    """S: nDCG of the first `slices` slices of `width` words. The gain of a slice is its share of gold
    words (words that are not there are not gold); ideal is to show all gold words first."""
    words = np.zeros(slices * width)
    words[: len(shown)] = shown[: slices * width]
    gains = words.reshape(slices, width).mean(axis=1)
    best = np.clip((gold - width * np.arange(slices)) / width, 0, 1)
    ideal = _gain(best.tolist())
    return _gain(gains.tolist()) / ideal if ideal else 0.0


def _relevant(grades: Grades) -> set[str]:
    return {unit for unit, grade in grades.items() if grade > 0}


def _found(ranked: Sequence[str], relevant: set[str], k: int) -> int:
    return len(relevant.intersection(ranked[:k]))


def _gain(grades: Sequence[float]) -> float:
    return sum(grade / log2(rank + 1) for rank, grade in enumerate(grades, 1))
