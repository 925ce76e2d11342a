"""The router, which plans a question and runs the branch that fits the plan."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

from onrecord.errors import MissingToolError, SettingError
from onrecord.retrieve.curve.prefer import preferred_timeline, prefers
from onrecord.retrieve.model_calls import revise_plan
from onrecord.retrieve.moments.moments import interleaved
from onrecord.retrieve.moments.order import own_language_first
from onrecord.retrieve.stage import SPELLING, Stage, Tools
from onrecord.types import Evidence, Plan, Raised
from onrecord.understand.reading import corrected


@dataclass(frozen=True)
class Branch(Stage):
    """A stage with the name by which a plan selects it."""

    name: str
    stage: Stage

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        return self.stage(evidence, tools)


@dataclass(frozen=True, repr=False)
class Route(Stage):
    """A stage that plans the question, and runs the branch that the plan names, or the first branch.

    If the facts in the plan already answer the question, no branch runs. The plan comes from `Tools.plan`; a
    language model in the role "plan" may improve all of it except its filters. After planning, the evidence
    has the planned question: its text can be understood without the conversation, and its scope is narrowed
    by the exact filters. A branch that lacks a tool is ignored. If the text contains several questions, each
    runs its own branch.
    """

    branches: tuple[Branch, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.branches or not all(isinstance(branch, Branch) for branch in self.branches):
            raise SettingError(
                "Route.branches", self.branches, "one or more stages `Branch`, each with a name"
            )

    def __repr__(self) -> str:
        return f"Route({', '.join(branch.name for branch in self.branches)})"

    def check(self, tools: Tools) -> None:
        """Raise MissingToolError if no branch has its tools; it names what the first branch lacks."""
        if not self._open(tools):
            self.branches[0].check(tools)

    def __call__(self, evidence: Evidence, tools: Tools) -> Evidence:
        """Plan, which adds its own Step, then run the chosen branch, which adds its steps."""
        planned = super().__call__(evidence, tools)
        parts = [self._follow(part, tools) for part in planned.parts]
        if not parts:
            return self._follow(planned, tools)
        return replace(
            planned,
            moments=interleaved([part.moments for part in parts]),
            trace=(*planned.trace, *(step for part in parts for step in part.trace)),
            parts=tuple(parts),
        )

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        plan, asked = self.planned(evidence, tools), evidence.question
        parts = [Evidence(replace(asked, text=each.text, scope=each.scope), plan=each) for each in plan.parts]
        question = replace(asked, text=plan.text, scope=plan.scope)
        return replace(evidence, question=question, plan=plan, parts=tuple(parts))

    def _follow(self, planned: Evidence, tools: Tools) -> Evidence:
        """Return the evidence of the branch that a question's plan names."""
        plan = planned.plan
        if plan is None or plan.settled:
            return planned
        branch = next(branch for branch in self.branches if branch.name == plan.strategy)
        if not prefers(branch):  # without a curve it cannot apply preferences
            _, scope = preferred_timeline(planned, tools.store)
            planned = replace(planned, question=replace(planned.question, scope=scope))
        return own_language_first(branch.stage(planned, tools), tools.store)

    def planned(self, evidence: Evidence, tools: Tools) -> Plan:
        """Return the plan of a question, with a strategy among the open branches."""
        strategies = self._open(tools)
        question, corrections = evidence.question, None
        if SPELLING not in tools.without:
            question, corrections = corrected(question, tools.store, tools.vocabulary)
        plan = tools.plan(question, strategies)
        if "plan" in tools.roles.models:
            plan = revise_plan(plan, question, tools.roles, strategies)
        if corrections:
            plan = replace(plan, notes=(*corrections.notes(plan.language, plan.filters), *plan.notes))
        return _with_open_branch(plan, strategies)

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        if after.plan is None:
            return ""
        if after.plan.settled:
            return "known without a search"
        if after.parts:
            return f"{len(after.parts)} questions, one by one"
        filters = ", ".join(
            f"{'' if each.exact else 'preferring '}{each.field} {each.value}" for each in after.plan.filters
        )
        return f"{after.plan.intent} -> {after.plan.strategy}" + (f"; {filters}" if filters else "")

    def raised(self, before: Evidence, after: Evidence, tools: Tools) -> tuple[Raised, ...]:
        from onrecord.retrieve.raising import raised_by_facts  # only for a question that asks to explain

        plans = after.plan.parts or (after.plan,) if after.plan else ()
        return raised_by_facts([fact for plan in plans for fact in plan.facts], tools.store)

    def _open(self, tools: Tools) -> tuple[str, ...]:
        """Return the names of the branches whose stages have the tools they need."""
        lacking = tools.lacking
        if lacking not in self._open_without:
            names = []
            for branch in self.branches:
                with suppress(MissingToolError):
                    branch.check(tools)
                    names.append(branch.name)
            self._open_without[lacking] = tuple(names)
        return self._open_without[lacking]

    @cached_property
    def _open_without(self) -> dict[tuple[str, ...], tuple[str, ...]]:
        """The names of the open branches by the tools that are lacking, for each question after the first."""
        return {}


def _with_open_branch(plan: Plan, names: Sequence[str]) -> Plan:
    """Return the plan and its parts; a plan that names none of these branches gets the first one."""
    parts = tuple(_with_open_branch(part, names) for part in plan.parts)
    return replace(plan, parts=parts, strategy=plan.strategy if plan.strategy in names else names[0])
