"""One run of a language model over recordings within a budget: for summaries and for relations."""

from __future__ import annotations

from typing import TypeVar

from onrecord.models.base import LanguageModel
from onrecord.models.roles import Allowance, ModelRoles
from onrecord.settings.groups import Llm
from onrecord.types import Call

T = TypeVar("T")
_FAULTS = 3
"""The number of failures in a row after which the model is not asked again in this run."""


class ModelRun:
    """A run that asks a model in a `role`, at most `calls` times, and until `money` is spent.

    `money` is in the currency of the prices in `llm`; None means no limit.
    """

    def __init__(self, role: str, model: LanguageModel, llm: Llm, calls: int, money: float | None) -> None:
        limits = Allowance(
            calls=calls,
            decision_seconds=llm.decision_seconds,
            tokens=llm.tokens,
            prompt_price=llm.prompt_price,
            completion_price=llm.completion_price,
        )
        self._role, self._money = role, money
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
        if self._money is not None and sum(call.money for call in self.calls) >= self._money:
            return False
        return self._roles.calls_left(self._role) > 0

    def decide(self, instructions: str, material: str, shape: type[T]) -> T | None:
        """Return the model's reply as a value of `shape`; None if the call failed."""
        return self._roles.decide(self._role, instructions, material, shape)
