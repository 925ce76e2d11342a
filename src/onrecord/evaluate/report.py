"""What was measured, and what chance leaves of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from onrecord.types import Call, Evidence

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[np.float64]
    """Shape (questions,); NaN where a measure says nothing about a question."""


class Question(Protocol):
    """What a report knows of a question."""

    @property
    def id(self) -> str:
        """What tells it from the others of its file."""
        ...

    @property
    def text(self) -> str:
        """What was asked."""
        ...

    @property
    def type(self) -> str:
        """Its kind, by which figures are shown apart."""
        ...


_LAST = ("Answer", "total")

Progress = Callable[[int, int, str], None]
"""Called with how many are done, of how many, and the name of the one at hand."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure as reports show it. `kind` is "found", "ranked" or "answered"; `higher` says whether more
    is better. All lie in 0..1."""

    name: str
    label: str
    kind: str
    higher: bool = True


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, and the interval that holds the true one with 95 % confidence; NaN where there is nothing."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


@dataclass(frozen=True, slots=True)
class Difference(Estimate):
    """How much one strategy is above another on the same questions: the mean of the differences."""

    def __str__(self) -> str:
        return f"{self.mean:+.3f} [{self.low:+.3f}, {self.high:+.3f}]"

    @property
    def certain(self) -> bool:
        """Whether the interval leaves 0 out."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one question: the verdict, the answer's text, where its citations stand, and what a
    language model was asked for."""

    verdict: str
    text: str = ""
    sources: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """What was measured. `values[strategy][measure]` has one value a question, in the order of
    `questions`; `seconds[strategy][stage]` what each stage took, NaN where it did not run, with "Answer"
    and "total"; `outcomes[strategy]` what was answered, where answers were asked for."""

    questions: tuple[Question, ...]
    measures: tuple[Measure, ...]
    values: Mapping[str, Mapping[str, Values]]
    seconds: Mapping[str, Mapping[str, Values]]
    outcomes: Mapping[str, tuple[Outcome, ...]] = field(default_factory=dict)
    seed: int = 0

    @property
    def strategies(self) -> tuple[str, ...]:
        """Their names; the first is what the others are compared with."""
        return tuple(self.values)

    @property
    def types(self) -> tuple[str, ...]:
        """The types of questions, in the order in which they come."""
        return tuple(dict.fromkeys(question.type for question in self.questions))

    def count(self, measure: str) -> int:
        """How many questions a measure says something about, by any strategy."""
        seen = [~np.isnan(of[measure]) for of in self.values.values() if measure in of]
        return int(np.logical_or.reduce(seen).sum()) if seen else 0

    def mean(self, strategy: str, measure: str) -> float:
        """The mean over the questions that the measure says something about; NaN where there are none."""
        return _mean(self.values[strategy][measure])

    def estimate(self, strategy: str, measure: str) -> Estimate:
        """The mean, and its interval."""
        return bootstrap(self.values[strategy][measure], seed=self.seed)

    def difference(self, strategy: str, base: str, measure: str) -> Difference:
        """How much `strategy` is above `base`, over the questions for which both have a value."""
        found = bootstrap(self.values[strategy][measure] - self.values[base][measure], seed=self.seed)
        return Difference(found.mean, found.low, found.high)

    def percentile(self, strategy: str, share: float = 50) -> Mapping[str, float]:
        """The seconds that each stage took in `share` per cent of the questions for which it ran, and
        "total"."""
        return {
            name: float(np.percentile(seconds[~np.isnan(seconds)], share))
            for name, seconds in self.seconds[strategy].items()
            if not np.isnan(seconds).all()
        }

    def of_type(self, type: str) -> Report:  # noqa: A002 - the field's own name
        """The part that is about questions of one type."""
        keep = np.array([question.type == type for question in self.questions], bool)
        return replace(
            self,
            questions=tuple(q for q in self.questions if q.type == type),
            values={name: {m: v[keep] for m, v in of.items()} for name, of in self.values.items()},
            seconds={name: {s: v[keep] for s, v in of.items()} for name, of in self.seconds.items()},
            outcomes={
                name: tuple(o for o, kept in zip(of, keep, strict=True) if kept)
                for name, of in self.outcomes.items()
            },
        )


def bootstrap(values: Values, rounds: int = 2000, seed: int = 0) -> Estimate:
    """The mean of values and its 95 % interval by the percentile bootstrap (Efron 1979; for retrieval
    Sakai, Evaluating evaluation metrics based on the bootstrap, 2006): `rounds` samples of the same
    size, drawn with replacement. NaN is left out. The seed makes the same figures come out again."""
    known = values[~np.isnan(values)]
    if not len(known):
        return Estimate(float("nan"), float("nan"), float("nan"))
    picks = np.random.default_rng(seed).integers(0, len(known), (rounds, len(known)))
    low, high = np.percentile(known[picks].mean(axis=1), [2.5, 97.5])
    return Estimate(float(known.mean()), float(low), float(high))


def columns(
    rows: Mapping[str, Sequence[Mapping[str, float]]], names: Sequence[str] = ()
) -> dict[str, dict[str, Values]]:
    """One array for every name in a strategy's rows and in `names`, NaN where a row has no such name."""
    made = {}
    for strategy, of in rows.items():
        found = dict.fromkeys([*names, *(name for row in of for name in row)])
        made[strategy] = {name: np.array([row.get(name, np.nan) for row in of]) for name in in_order(found)}
    return made


def in_order(names: Iterable[str]) -> list[str]:
    """Stages as they come, then "Answer", then "total"."""
    return sorted(dict.fromkeys(names), key=lambda name: _LAST.index(name) if name in _LAST else -1)


def stage_seconds(evidence: Evidence, total: float, answered: bool) -> dict[str, float]:
    """What each stage took, by its name without its settings, and the `total` that was measured; what is
    left of it is the time of the answer, where there was one: choosing and checking quotes, a model."""
    seconds: dict[str, float] = {}
    for step in evidence.trace:
        name = step.stage.partition("(")[0]
        seconds[name] = seconds.get(name, 0.0) + step.seconds
    answer, whole = _LAST
    left = {answer: max(0.0, total - sum(seconds.values()))} if answered else {}
    return {**seconds, **left, whole: total}


def _mean(values: Values) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")
