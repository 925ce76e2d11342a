"""Reports: the values for each question and strategy, with confidence intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from onrecord.evaluate.intervals import Difference, Estimate, bootstrap
from onrecord.types import Call, Evidence

if TYPE_CHECKING:
    from onrecord.evaluate.intervals import Values


class Question(Protocol):
    """The attributes of a question that a report uses: an id that is unique in its file, text, and group."""

    @property
    def id(self) -> str: ...

    @property
    def text(self) -> str: ...

    @property
    def type(self) -> str: ...


_LAST = ("Answer", "total")


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure as reports show it; all values lie in 0..1.

    `kind` is "found", "ranked" or "answered"; `higher` says whether higher is better.
    """

    name: str
    label: str
    kind: str
    higher: bool = True


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one question: verdict, text, sources of the citations, and calls of language models."""

    verdict: str
    text: str = ""
    sources: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """The values of all measures, by strategy, in the order of `questions`.

    `values[strategy][measure]` has one value for each question. `seconds[strategy][stage]` has the time of
    each stage, NaN if it did not run, with "Answer" and "total". `outcomes[strategy]` has the answers, if
    questions were answered.
    """

    questions: tuple[Question, ...]
    measures: tuple[Measure, ...]
    values: Mapping[str, Mapping[str, Values]]
    seconds: Mapping[str, Mapping[str, Values]]
    outcomes: Mapping[str, tuple[Outcome, ...]] = field(default_factory=dict)
    seed: int = 0

    @property
    def strategies(self) -> tuple[str, ...]:
        """Names of the strategies; reports compare the others with the first."""
        return tuple(self.values)

    @property
    def types(self) -> tuple[str, ...]:
        """The types of questions, in order of appearance."""
        return tuple(dict.fromkeys(question.type for question in self.questions))

    def count(self, measure: str) -> int:
        """Return the number of questions that a measure applies to, for any strategy."""
        defined = [~np.isnan(measured[measure]) for measured in self.values.values() if measure in measured]
        return int(np.logical_or.reduce(defined).sum()) if defined else 0

    def mean(self, strategy: str, measure: str) -> float:
        """Return the mean over the questions that the measure applies to; NaN if there are none."""
        values = self.values[strategy][measure]
        return float(np.nanmean(values)) if not np.isnan(values).all() else float("nan")

    def estimate(self, strategy: str, measure: str) -> Estimate:
        """Return the mean with its interval."""
        return bootstrap(self.values[strategy][measure], seed=self.seed)

    def difference(self, strategy: str, base: str, measure: str) -> Difference:
        """Return how much `strategy` is above `base`, over the questions for which both have values."""
        estimate = bootstrap(self.values[strategy][measure] - self.values[base][measure], seed=self.seed)
        return Difference(estimate.mean, estimate.low, estimate.high)

    def percentile(self, strategy: str, share: float = 50) -> Mapping[str, float]:
        """Return the `share`-th percentile of each stage's seconds, over the questions for which it ran."""
        return {
            name: float(np.percentile(seconds[~np.isnan(seconds)], share))
            for name, seconds in self.seconds[strategy].items()
            if not np.isnan(seconds).all()
        }

    def of_type(self, type: str) -> Report:  # noqa: A002 - the field's own name
        """Return the report on the questions of one type."""
        keep = np.array([question.type == type for question in self.questions], bool)
        return replace(
            self,
            questions=tuple(q for q in self.questions if q.type == type),
            values={name: {m: v[keep] for m, v in rows.items()} for name, rows in self.values.items()},
            seconds={name: {s: v[keep] for s, v in rows.items()} for name, rows in self.seconds.items()},
            outcomes={
                name: tuple(o for o, keeps in zip(rows, keep, strict=True) if keeps)
                for name, rows in self.outcomes.items()
            },
        )


def columns(
    rows: Mapping[str, Sequence[Mapping[str, float]]], names: Sequence[str] = ()
) -> dict[str, dict[str, Values]]:
    """Return one array for every name in a strategy's rows and in `names`; NaN if a row lacks the name."""
    columns_by_strategy = {}
    for strategy, strategy_rows in rows.items():
        column_names = dict.fromkeys([*names, *(name for row in strategy_rows for name in row)])
        columns_by_strategy[strategy] = {
            name: np.array([row.get(name, np.nan) for row in strategy_rows])
            for name in in_order(column_names)
        }
    return columns_by_strategy


def in_order(names: Iterable[str]) -> list[str]:
    """Return stages in order of appearance, then "Answer", then "total"."""
    return sorted(dict.fromkeys(names), key=lambda name: _LAST.index(name) if name in _LAST else -1)


def stage_seconds(evidence: Evidence, total: float, answered: bool) -> dict[str, float]:
    """Return the seconds of each stage, by its name without settings, and `total`.

    If the question was answered, "Answer" is the rest of the total: choosing and checking quotes, and the
    language model.
    """
    seconds: dict[str, float] = {}
    for step in evidence.trace:
        seconds[step.name] = seconds.get(step.name, 0.0) + step.seconds
    answer, whole = _LAST
    rest = {answer: max(0.0, total - sum(seconds.values()))} if answered else {}
    return {**seconds, **rest, whole: total}
