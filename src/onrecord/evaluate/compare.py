"""Strategies side by side on the same questions, with what chance leaves of the differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

import numpy as np

from onrecord.evaluate.datasets import Dataset, Labelled
from onrecord.evaluate.hiding import Hiding
from onrecord.evaluate.judge import Judge
from onrecord.evaluate.measures import (
    gold_word_recall,
    ndcg_at,
    precision_at,
    recall_at,
    reciprocal_rank,
    slice_ndcg,
)
from onrecord.retrieve import Tools
from onrecord.stores.base import Reader
from onrecord.strategies import Strategy
from onrecord.types import Evidence, Question, Scope

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

MEASURES = ("R", "S", "recall@5", "precision@5", "mrr", "ndcg@10")


@dataclass(frozen=True, slots=True)
class Difference:
    """How much one strategy is above another on the same questions: the mean of the differences, and
    the interval that holds it with 95 % confidence."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:+.3f} [{self.low:+.3f}, {self.high:+.3f}]"


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """What was measured. `values[strategy][measure]` has one value a question, in the order of
    `questions`; `seconds[strategy][stage]` what each stage took, one value a question."""

    questions: tuple[Labelled, ...]
    values: Mapping[str, Mapping[str, Values]]
    seconds: Mapping[str, Mapping[str, Values]]

    def mean(self, strategy: str, measure: str) -> float:
        return float(self.values[strategy][measure].mean())

    def difference(self, strategy: str, base: str, measure: str) -> Difference:
        """How much `strategy` is above `base`."""
        return bootstrap(self.values[strategy][measure] - self.values[base][measure])

    def percentile(self, strategy: str, share: float = 50) -> Mapping[str, float]:
        """The seconds that each stage took in `share` per cent of the questions, and "total"."""
        stages = {name: float(np.percentile(s, share)) for name, s in self.seconds[strategy].items()}
        total = np.sum(list(self.seconds[strategy].values()), axis=0)
        return {**stages, "total": float(np.percentile(total, share))}

    def of_type(self, type: str) -> Report:  # noqa: A002 - the field's own name
        """The part that is about questions of one type."""
        keep = np.array([question.type == type for question in self.questions])
        return Report(
            tuple(q for q in self.questions if q.type == type),
            {name: {m: v[keep] for m, v in of.items()} for name, of in self.values.items()},
            {name: {s: v[keep] for s, v in of.items()} for name, of in self.seconds.items()},
        )


def compare(tools: Tools, dataset: Dataset, strategies: Sequence[Strategy], *, known: bool = False) -> Report:
    """Put the dataset's questions to each strategy over a store that `datasets.fill` filled.

    `known` tells whether a question is put to the recording it was asked about alone, or to all.
    Excluded units are hidden from the search: a passage that holds a word of one is on no line.
    """
    judge = Judge(dataset, tools.store)
    asked = [(labelled, *_put(labelled, tools, judge, known)) for labelled in dataset.questions]
    values: dict[str, list[Mapping[str, float]]] = {strategy.name: [] for strategy in strategies}
    seconds: dict[str, list[Mapping[str, float]]] = {strategy.name: [] for strategy in strategies}
    for labelled, question, seen in asked:
        for strategy in strategies:
            evidence = strategy.retrieve(question, seen)
            values[strategy.name].append(measured(judge, evidence, labelled))
            seconds[strategy.name].append(_seconds(evidence))
    return Report(tuple(dataset.questions), _columns(values), _columns(seconds))


def _put(labelled: Labelled, tools: Tools, judge: Judge, known: bool) -> tuple[Question, Tools]:
    scope = Scope(recordings=(labelled.recording,)) if known and labelled.recording else Scope()
    question = Question(labelled.text, scope)
    if not labelled.exclude:
        return question, tools
    return question, replace(tools, store=cast(Reader, Hiding(tools.store, judge.rows(labelled.exclude))))


def _seconds(evidence: Evidence) -> dict[str, float]:
    seconds: dict[str, float] = {}
    for step in evidence.trail:
        seconds[step.stage] = seconds.get(step.stage, 0.0) + step.seconds
    return seconds


def measured(judge: Judge, evidence: Evidence, question: Labelled) -> dict[str, float]:
    """All measures of one evidence."""
    shown, gold = judge.shown(evidence, question), judge.gold(question)
    ranked, grades = judge.ranked(evidence), question.grades
    return {
        "R": gold_word_recall(shown, gold),
        "S": slice_ndcg(shown, gold),
        "recall@5": recall_at(ranked, grades, 5),
        "precision@5": precision_at(ranked, grades, 5),
        "mrr": reciprocal_rank(ranked, grades),
        "ndcg@10": ndcg_at(ranked, grades, 10),
    }


def bootstrap(values: Values, rounds: int = 2000, seed: int = 0) -> Difference:
    """The mean of values and its 95 % interval by the percentile bootstrap (Efron 1979; for retrieval
    Sakai, Evaluating evaluation metrics based on the bootstrap, 2006): `rounds` samples of the same
    size, drawn with replacement. The seed makes the same figures come out again."""
    if not len(values):
        return Difference(0.0, 0.0, 0.0)
    picks = np.random.default_rng(seed).integers(0, len(values), (rounds, len(values)))
    low, high = np.percentile(values[picks].mean(axis=1), [2.5, 97.5])
    return Difference(float(values.mean()), float(low), float(high))


def _columns(rows: Mapping[str, Sequence[Mapping[str, float]]]) -> dict[str, dict[str, Values]]:
    """One array for every name in a strategy's rows."""
    return {
        strategy: {name: np.array([row[name] for row in of]) for name in (of[0] if of else ())}
        for strategy, of in rows.items()
    }
