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
