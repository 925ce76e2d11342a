"""Stages: the steps from a question to its evidence, and how they are combined.

A stage is a frozen dataclass. Its fields are its settings, and its tools are arguments of the call. Its repr
is therefore its configuration, and equal stages do the same. Calling a stage adds one timed Step to the
trace::

    Search(dense=0.6, lexical=0.4) >> Smooth(sigma=1.8) >> Moments(words=1000)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date
from functools import cached_property
from itertools import chain
from math import inf
from numbers import Real
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, Self
from weakref import WeakKeyDictionary

from onrecord.errors import MissingToolError, RetrievalError, SettingError
from onrecord.models.base import Embedder, Reader, Reranker, Vocabulary
from onrecord.models.loading import seconds_of_loading
from onrecord.models.roles import ModelRoles
from onrecord.stores.base import Snapshot
from onrecord.stores.ranking import top
from onrecord.types import Curve, Evidence, Plan, Question, Raised, Step
from onrecord.understand.planner import Planner, plan

if TYPE_CHECKING:
    from onrecord.models.sparse import LazySparse, SparseEncoder


LOAD = "Load"
"""The name of the Step for one-time loading of models and patterns."""
SPELLING = "spelling"
"""A value of `Tools.without` that turns spelling correction off. The other values are fields of filters."""


@dataclass(frozen=True, slots=True)
class Tools:
    """The tools that stages work with.

    Args:
        embedder, reranker, reader, sparse: models; None if there is none.
        rerank_milliseconds, reader_milliseconds: time limits of these models, unless a stage sets its own.
        clock: returns the time in seconds.
        today: the date relative to which "last year" is resolved.
        roles: the language model for each role; all empty without a model.
        planner: plans questions instead of onrecord.
        without: fields of filters that are not read from a question; `SPELLING` leaves typos uncorrected.
        vocabulary: knows valid words, which are therefore not typos.
        floors: by intent, the least cosine of a relevant moment, in place of the stages' own.
        explain: whether each step also records which passages the graph raised.
    """

    store: Snapshot
    embedder: Embedder | None = None
    reranker: Reranker | None = None
    reader: Reader | None = None
    sparse: SparseEncoder | LazySparse | None = None
    rerank_milliseconds: float = 200
    reader_milliseconds: float = 600
    clock: Callable[[], float] = perf_counter
    today: Callable[[], date] = date.today
    roles: ModelRoles = field(default_factory=ModelRoles)
    planner: Planner | None = None
    vocabulary: Vocabulary | None = None
    without: tuple[str, ...] = ()
    floors: Mapping[str, float] = field(default_factory=dict)
    explain: bool = False

    @property
    def lacking(self) -> tuple[str, ...]:
        """The names of the tools that are None."""
        return tuple([name for name in _TOOLS if getattr(self, name) is None])

    def plan(self, question: Question, strategies: Collection[str]) -> Plan:
        """Return the plan of a question, with one of the strategies."""
        if self.planner:
            return self.planner(question, self.store, self.today(), strategies=strategies)
        return plan(question, self.store, self.today(), strategies=strategies, without=self.without)


_TOOLS = tuple(tool.name for tool in fields(Tools))


@dataclass(frozen=True)
class Stage:
    """The base class of all stages.

    A subclass implements `run`. It lists in `needs` the tools that it requires, and in `ranges` the least and
    the greatest value of its numeric fields. Raises SettingError for a value outside its range.
    """

    needs: ClassVar[tuple[str, ...]] = ()
    ranges: ClassVar[Mapping[str, tuple[float, float]]] = {}

    def __post_init__(self) -> None:
        for name, (least, most) in self.ranges.items():
            value = getattr(self, name)
            if value is not None and not (isinstance(value, Real) and least <= float(value) <= most):
                allowed = f"{least:g} or more" if most == inf else f"from {least:g} to {most:g}"
                raise SettingError(f"{type(self).__name__}.{name}", value, f"a number {allowed}")

    @classmethod
    def of(cls, **fields: Any) -> Self:
        """Return a stage with these field values; the other fields have their defaults."""
        return cls(**fields)

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        raise NotImplementedError

    @cached_property
    def inner(self) -> tuple[Stage, ...]:
        """The stages among the field values."""
        values = [getattr(self, each.name) for each in fields(self)]
        flat = (one for value in values for one in (value if isinstance(value, tuple) else (value,)))
        return tuple(one for one in flat if isinstance(one, Stage))

    @cached_property
    def label(self) -> str:
        """The name in a trace: the repr without nested stages, which add their own steps."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        own = ", ".join(f"{name}={value!r}" for name, value in values.items() if not holds_stages(value))
        return f"{type(self).__name__}({own})"

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        """Return a remark about this run for the trace; empty by default."""
        return ""

    def raised(self, before: Evidence, after: Evidence, tools: Tools) -> tuple[Raised, ...]:
        """Return the passages that the graph raised in this run; none by default."""
        return ()

    def check(self, tools: Tools) -> None:
        """Raise MissingToolError before anything runs if this stage, or a nested stage, lacks a tool.

        Raises SettingError if `needs` names an unknown tool.
        """
        for need in self.needs:
            if need not in _TOOLS:
                raise SettingError(f"{type(self).__name__}.needs", need, "one of " + ", ".join(_TOOLS))
            if getattr(tools, need) is None:
                what_to_do = "choose another strategy, or set a model for it (onrecord models list)"
                raise MissingToolError(f"the stage {self!r} needs an absent tool, {need!r}: {what_to_do}")
        for stage in self.inner:
            stage.check(tools)

    def __call__(self, evidence: Evidence, tools: Tools) -> Evidence:
        """Run the stage, and add a Step to the trace.

        Its seconds exclude those of nested stages, and those of one-time loading, which has its own Step.
        """
        began, loading = tools.clock(), seconds_of_loading()
        after = self.run(evidence, tools)
        if not isinstance(after, Evidence):
            raise RetrievalError(f"the stage {self.label} must return Evidence, not {type(after).__name__}")
        noted = sum([step.seconds for step in after.trace[len(evidence.trace) :] if step.stage == LOAD])
        loading = seconds_of_loading() - loading - noted
        if loading >= 0.001:  # otherwise it was loaded before, or nested stages have noted it
            once = Step(LOAD, _size(after), _size(after), loading, "once, for this and later questions")
            after = replace(after, trace=(*after.trace, once))
        inner_seconds = sum([step.seconds for step in after.trace[len(evidence.trace) :]])
        size_before, size_after, note = _size(evidence), _size(after), self.note(evidence, after, tools)
        order = changed(evidence, after) if size_before == size_after else ""  # else the sizes show it
        seconds = max(tools.clock() - began - inner_seconds, 0.0)
        note = "; ".join(filter(None, (order, note)))
        raised = self.raised(evidence, after, tools) if tools.explain else ()
        step = Step(self.label, size_before, size_after, seconds, note, raised=raised)
        return replace(after, trace=(*after.trace, step))

    def __rshift__(self, then: Stage) -> Sequence:
        parts = [stage.stages if isinstance(stage, Sequence) else (stage,) for stage in (self, then)]
        return Sequence(tuple(chain(*parts)))


@dataclass(frozen=True)
class Sequence(Stage):
    """A sequence of stages. Each stage adds its own Step; the sequence adds none."""

    stages: tuple[Stage, ...]

    def __call__(self, evidence: Evidence, tools: Tools) -> Evidence:
        for stage in self.stages:
            evidence = stage(evidence, tools)
        return evidence

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        return self(evidence, tools)

    def __repr__(self) -> str:
        return " >> ".join(map(repr, self.stages))


def holds_stages(value: object) -> bool:
    """Return whether a field value is a stage, or a tuple with at least one stage."""
    return isinstance(value, Stage) or (isinstance(value, tuple) and any(isinstance(v, Stage) for v in value))


def remarked(evidence: Evidence, stage: str, note: str, cut: bool = False) -> Evidence:
    """Return evidence with an extra Step that only remarks on a decision within a stage.

    `cut` marks work that was cut short.
    """
    size = _size(evidence)
    return replace(evidence, trace=(*evidence.trace, Step(stage, size, size, 0.0, note, cut)))


class Watch:
    """A stopwatch for the work since its creation, without the time for loading models and patterns."""

    def __init__(self, tools: Tools) -> None:
        self._clock = tools.clock
        self._began, self._waited = tools.clock(), seconds_of_loading()

    @property
    def milliseconds(self) -> float:
        return 1000 * (self._clock() - self._began - (seconds_of_loading() - self._waited))


def asking(evidence: Evidence, text: str) -> Evidence:
    """Return evidence with another text as the question, and without any search results."""
    return replace(evidence, question=replace(evidence.question, text=text), moments=(), curve=None, trace=())


def _size(evidence: Evidence) -> int:
    if evidence.moments:
        return len(evidence.moments)
    return len(evidence.curve.timeline) if evidence.curve is not None else 0


FIRST = 10
"""The number of top items that are compared."""


def changed(before: Evidence, after: Evidence) -> str:
    """Return a description of how the order of the passages on a curve, or of the moments, changed.

    Empty if the order did not change, and if there is nothing to compare.
    """
    if after is before or bool(before.moments) != bool(after.moments):
        return ""
    old, new = _first(before), _first(after)
    if old == new or not old or not new:
        return ""
    others = len(set(new) - set(old))
    return f"{others} of the first {len(new)} are others" if others else "the first in another order"


def _first(evidence: Evidence) -> list[int]:
    """Return the rows of the top items: the first passages of a curve, or the best passage of each moment."""
    if evidence.moments:
        return [moment.passages[moment.peak].row for moment in evidence.moments[:FIRST]]
    curve = evidence.curve
    if curve is None:
        return []
    if curve not in _FIRST_ROWS:
        _FIRST_ROWS[curve] = curve.timeline.rows[top(curve.score, FIRST)].tolist()
    return _FIRST_ROWS[curve]


_FIRST_ROWS: WeakKeyDictionary[Curve, list[int]] = WeakKeyDictionary()
"""The top rows of each curve, cached because each stage compares them with the result of the next stage."""
