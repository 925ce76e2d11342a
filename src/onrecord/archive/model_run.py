"""One run of a language model over recordings within a budget: for summaries and for relations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from onrecord.models.base import LanguageModel
from onrecord.models.roles import Allowance, ModelRoles
from onrecord.settings.groups import Llm
from onrecord.types import Call, one_line

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RunReport:
    """The number of parts that a run left for another one, and its calls."""

    left: int = 0
    calls: tuple[Call, ...] = ()

    @property
    def money(self) -> float:
        """What the calls cost, in the currency of the prices."""
        return sum(call.money for call in self.calls)

    @property
    def failures(self) -> tuple[str, ...]:
        """The reasons of failed calls, each in one line. They may name the address of the model's server."""
        return tuple(one_line(call.failure) for call in self.calls if call.failure)

    def _described(self, done: str, *counts: tuple[int, str]) -> str:
        """Return what was done with the counts that are not 0, what was left, the failures and the money."""
        failed = len(self.failures)
        ends = (self.left, "left for another run"), (failed, "call failed" if failed == 1 else "calls failed")
        parts = [f"{count} {what}" for count, what in (*counts, *ends) if count]
        return ", ".join([done, *parts, *([f"{self.money:.4f} spent"] if self.money else [])])


_FAULTS = 3
"""The number of failures in a row after which the model is not asked again in this run."""


class ModelRun:
    """A run that asks a model in a `role`, at most `calls` times, for at most `money`.

    `money` is in the currency of the prices in `llm`; None means no limit. The run ends before a call that
    might exceed it, if the reply had all of `llm.tokens`. With 0 there is no call, whatever the prices.
    """

    def __init__(self, role: str, model: LanguageModel, llm: Llm, calls: int, money: float | None) -> None:
        limits = Allowance(
            calls=0 if money == 0 else calls,
            decision_seconds=llm.decision_seconds,
            tokens=llm.tokens,
            prompt_price=llm.prompt_price,
            completion_price=llm.completion_price,
            money=money,
        )
        self._role, self._affordable = role, True
        self._roles = ModelRoles({role: model}, limits)

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls so far."""
        return self._roles.calls

    def may_ask(self) -> bool:
        """Return whether calls and money are left, and the last calls did not all fail."""
        last = self.calls[-_FAULTS:]
        if len(last) == _FAULTS and all(call.failure for call in last):
            return False
        return self._affordable and self._roles.calls_left(self._role) > 0

    def decide(self, instructions: str, material: str, shape: type[T]) -> T | None:
        """Return the model's reply as a value of `shape`; None if the call failed or might cost too much."""
        self._affordable = self._roles.can_afford(instructions, material)
        if not self._affordable:
            return None
        return self._roles.decide(self._role, instructions, material, shape)
