"""Measures of rankings: the usual measures of ranked units, and two measures of the words shown.

Ranked units are measured by Recall@K, Precision@K, the reciprocal rank and nDCG@K (Järvelin and Kekäläinen,
Cumulated gain-based evaluation of IR techniques, 2002; gain = grade, discount = log2(rank + 1), as in
trec_eval).

Speech can be cut into passages in many ways, and a larger passage would score better only because it is
larger. `gold_word_recall` and `slice_ndcg` therefore treat the shown text as one stream of words, each gold
or not, and ignore passage boundaries. `pk` and `window_diff` compare the segmentation of a text with that of
people.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import TYPE_CHECKING

import numpy as np

from onrecord.evaluate.report import Measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Gold = NDArray[np.bool_]
    """Shape (words shown,), in the order shown: whether each word is part of the answer."""
    Counts = NDArray[np.int64]

Grades = Mapping[str, float]
"""The relevance of each unit; units that are not in it have grade 0."""


@dataclass(frozen=True, slots=True, eq=False)
class Retrieved:
    """The result of a strategy for one question.

    `shown` says of every shown word whether it is gold, `words` is the number of all gold words, `ranked` are
    units, best first, and `grades` gives the relevance of units.
    """

    shown: Gold
    words: int
    ranked: Sequence[str]
    grades: Grades


@dataclass(frozen=True, slots=True)
class Yardstick:
    """The depths of the measures: the number of words shown, and of ranked units for each measure."""

    words: int = 1000
    recall: int = 5
    precision: int = 5
    ndcg: int = 10

    @classmethod
    def at(cls, words: int, k: int | None) -> Yardstick:
        """Return the depths for `words` words, and `k` ranked units for each measure (None: the defaults)."""
        return cls(words, k, k, k) if k else cls(words)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures in the order in which reports show them."""
        return (
            Measure("R", f"gold words shown, {self.words} words", "found"),
            Measure("S", f"gold words early, {self.words} words", "found"),
            Measure(f"recall@{self.recall}", f"Recall@{self.recall}", "ranked"),
            Measure(f"precision@{self.precision}", f"Precision@{self.precision}", "ranked"),
            Measure("mrr", "MRR", "ranked"),
            Measure(f"ndcg@{self.ndcg}", f"nDCG@{self.ndcg}", "ranked"),
        )

    def measure(self, retrieved: Retrieved) -> dict[str, float]:
        """Return the value of every measure, by name."""
        ranked, grades = retrieved.ranked, retrieved.grades
        values = (
            gold_word_recall(retrieved.shown, retrieved.words, self.words),
            slice_ndcg(retrieved.shown, retrieved.words, width=max(1, self.words // 10)),
            recall_at(ranked, grades, self.recall),
            precision_at(ranked, grades, self.precision),
            reciprocal_rank(ranked, grades),
            ndcg_at(ranked, grades, self.ndcg),
        )
        return {measure.name: value for measure, value in zip(self.measures, values, strict=True)}


def recall_at(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """Return the share of the relevant units that are among the first `k`; 0 if none is relevant."""
    relevant = _relevant(grades)
    return len(relevant.intersection(ranked[:k])) / len(relevant) if relevant else 0.0


def precision_at(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """Return the share of the first `k` ranks that have a relevant unit; empty ranks count as wrong."""
    return len(_relevant(grades).intersection(ranked[:k])) / k


def reciprocal_rank(ranked: Sequence[str], grades: Grades) -> float:
    """Return 1 / the rank of the first relevant unit; 0 if there is none.

    Its mean over questions is MRR.
    """
    relevant = _relevant(grades)
    return next((1 / rank for rank, unit in enumerate(ranked, 1) if unit in relevant), 0.0)


def ndcg_at(ranked: Sequence[str], grades: Grades, k: int) -> float:
    """Return the discounted cumulated gain of the first `k`, as a share of the highest possible gain."""
    ideal = _gain(sorted((max(g, 0.0) for g in grades.values()), reverse=True)[:k])
    return _gain([max(grades.get(unit, 0.0), 0.0) for unit in ranked[:k]]) / ideal if ideal else 0.0


def gold_word_recall(shown: Gold, gold: int, budget: int = 1000) -> float:
    """Return R: gold words among the first `budget` words shown / min(`gold`, `budget`).

    `gold` counts the gold words of the whole archive.
    """
    return float(shown[:budget].sum()) / min(gold, budget) if gold else 0.0


def slice_ndcg(shown: Gold, gold: int, slices: int = 10, width: int = 100) -> float:
    """Return S: nDCG of the first `slices` slices of `width` words.

    The gain of a slice is its share of gold words (missing words are not gold). The ideal ranking shows all
    gold words first.
    """
    words = np.zeros(slices * width)
    words[: len(shown)] = shown[: slices * width]
    gains = words.reshape(slices, width).mean(axis=1)
    best = np.clip((gold - width * np.arange(slices)) / width, 0, 1)
    ideal = _gain(best.tolist())
    return _gain(gains.tolist()) / ideal if ideal else 0.0


def _relevant(grades: Grades) -> set[str]:
    return {unit for unit, grade in grades.items() if grade > 0}


def _gain(grades: Sequence[float]) -> float:
    return sum(grade / log2(rank + 1) for rank, grade in enumerate(grades, 1))


# ---------------------------------------------------------------- segmentation


def segmentation_window(boundaries: Iterable[int], length: int) -> int:
    """Return the window of `pk` and `window_diff`: half the mean segment length, at least 2 units."""
    return max(2, round(length / (len(set(boundaries)) + 1) / 2))


def pk(reference: Iterable[int], hypothesis: Iterable[int], length: int, k: int | None = None) -> float:
    """Return Pk: the share of pairs of units, `k` apart, that one segmentation joins and the other separates.

    Beeferman, Berger and Lafferty (Statistical Models for Text Segmentation, 1999). Boundaries are the units,
    from 0 to length-1, at which a segment begins; 0 is not counted as a boundary. Lower is better; `k` is by
    default `segmentation_window` of the reference.
    """
    expected, actual = _count_boundaries(reference, hypothesis, length, k)
    return float(((expected > 0) != (actual > 0)).mean())


def window_diff(
    reference: Iterable[int], hypothesis: Iterable[int], length: int, k: int | None = None
) -> float:
    """Return WindowDiff: the share of windows of `k` units whose numbers of boundaries differ.

    Pevzner and Hearst (A Critique and Improvement of an Evaluation Metric for Text Segmentation, 2002). Lower
    is better.
    """
    expected, actual = _count_boundaries(reference, hypothesis, length, k)
    return float((expected != actual).mean())


def _count_boundaries(
    reference: Iterable[int], hypothesis: Iterable[int], length: int, k: int | None
) -> tuple[Counts, Counts]:
    """Return the number of boundaries between each unit and the unit `k` after it, in either segmentation."""
    k = min(k or segmentation_window(reference, length), length - 1)

    def count(boundaries: Iterable[int]) -> Counts:
        marks = np.zeros(length, np.int64)
        marks[[at for at in boundaries if 0 < at < length]] = 1
        segment = marks.cumsum()
        counts: Counts = segment[k:] - segment[: length - k]
        return counts

    return count(reference), count(hypothesis)
