"""The roles that language models may fill while one question is answered, and what the calls cost.

Every role has a local stand-in. A model that fails, or has no calls left, leaves its role empty: the work
goes on without it, and `ModelRoles.calls` tells why.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar, cast

from onrecord.errors import GenerationError, ModelError
from onrecord.models.base import CallLimits, Completion, Decision, LanguageModel
from onrecord.types import Call

if TYPE_CHECKING:
    from onrecord.models.reasoning import Reset

T = TypeVar("T")
PART = "part"
"""Notes on one part of what is too long for one call, by the model in the role "answer"; counted apart."""
_BYTES = 4
"""Of UTF-8 text a token: errs on the safe side for European languages."""
MODEL_ROLES = (
    "plan",
    "expand",
    "filter",
    "sections",
    "rerank",
    "grade",
    "answer",
    "check",
    "summarize",
    "extract",
)


@dataclass(frozen=True, slots=True)
class Allowance:
    """Args:
    calls: of any model, for one question. One is kept for the answer.
    part_calls: besides, for notes of parts.
    seconds: that an answer may take; `decision_seconds`: that any other call may.
    tokens: that a reply may have.
    temperature: of what is written; None: as even as the model can.
    money: that the calls for one question may cost, counted before each as if its reply had all `tokens`;
        None: any sum.
    prompt_price, completion_price: for a million tokens.
    """

    calls: int = 3
    part_calls: int = 24
    seconds: float = 30.0
    decision_seconds: float = 8.0
    tokens: int = 1500
    prompt_price: float = 0.0
    completion_price: float = 0.0
    temperature: float | None = None
    money: float | None = None

    def cost(self, prompt_tokens: float, completion_tokens: float) -> float:
        """The money for a call of so many tokens."""
        return (prompt_tokens * self.prompt_price + completion_tokens * self.completion_price) / 1e6


@dataclass
class ModelRoles:
    """Which model fills which role, for one question. May be used from several threads."""

    models: Mapping[str, LanguageModel] = field(default_factory=dict)
    limits: Allowance = field(default_factory=Allowance)
    _calls: list[Call] = field(default_factory=list, init=False)
    _begun: list[str] = field(default_factory=list, init=False)
    _promised: float = field(default=0.0, init=False)
    _decided: dict[tuple[str, str], object] = field(default_factory=dict, init=False, repr=False)
    _lock: Lock = field(default_factory=Lock, init=False, repr=False)

    @property
    def calls(self) -> tuple[Call, ...]:
        """What was asked, in the order in which it ended, and what could not be asked any more."""
        with self._lock:
            return tuple(self._calls)

    def is_filled(self, role: str) -> bool:
        """Whether a model fills the role."""
        return role in self.models or (role == PART and "answer" in self.models)

    def calls_left(self, role: str) -> int:
        """How many calls there still are for a role."""
        parts = self._begun.count(PART)
        if role == PART:
            return max(0, self.limits.part_calls - parts)
        kept = role != "answer" and self.is_filled("answer") and "answer" not in self._begun
        return max(0, self.limits.calls - (len(self._begun) - parts) - kept)

    def decide(self, role: str, instructions: str, material: str, shape: type[T]) -> T | None:
        """What the model in a role decides, as a value of `shape`; None where the stand-in has to. Asked the
        same again, it says the same, without a call."""
        known = self._decided.get((role, material))
        if known is not None or not self.is_filled(role):
            return cast("T | None", known)
        most = self._begin(role, instructions, material)
        if most is None:
            return None
        began, limits = perf_counter(), self.limits
        try:
            decision: Decision[T] = self._model(role).decide(
                instructions, material, shape, CallLimits(limits.decision_seconds, limits.tokens)
            )
        except ModelError as error:
            self._record(role, began, failure=str(error))
            return None
        self._record(role, began, decision.prompt_tokens, decision.completion_tokens, most=most)
        self._decided[role, material] = decision.value
        return decision.value

    def write(self, role: str, instructions: str, material: str) -> Iterator[str | Reset | Completion]:
        """What the model in a role says, without what it thinks: see `LanguageModel.write` and
        `onrecord.models.reasoning`. Raises ModelError."""
        from onrecord.models.reasoning import aloud

        most = self._begin(role, instructions, material)
        if most is None:
            raise GenerationError(self._calls[-1].failure)
        began, failure, end = perf_counter(), "nobody waited for the rest", Completion("")
        limits = CallLimits(self.limits.seconds, self.limits.tokens, self.limits.temperature)
        pieces = self._model(role).write(instructions, material, limits)
        last: list[Completion] = []
        try:
            yield from aloud(_texts(pieces, last))
            if last:
                end, failure = last[0], ""
                yield end
        except ModelError as error:
            failure = str(error)
            raise
        finally:
            getattr(pieces, "close", lambda: None)()
            self._record(role, began, end.prompt_tokens, end.completion_tokens, failure, most)

    def _model(self, role: str) -> LanguageModel:
        return self.models["answer" if role == PART else role]

    def _begin(self, role: str, *texts: str) -> float | None:
        """The most that a call with these texts may cost; None, and recorded so, where a limit forbids it."""
        most = self.limits.cost(sum(len(text.encode()) for text in texts) / _BYTES, self.limits.tokens)
        with self._lock:
            left = self.calls_left(role)
            if left and self._is_paid_for(most):
                self._begun.append(role)
                self._promised += most
                return most
        if left:
            reason = f"it might cost more than the {self.limits.money:g} for a question (setting llm.money)"
        else:
            name = "part_calls" if role == PART else "calls"
            limit = getattr(self.limits, name)
            reason = f"there are {limit} calls for a question, and no more is left (setting llm.{name})"
        self._record(role, perf_counter(), failure=f"not asked: {reason}")
        return None

    def _is_paid_for(self, most: float) -> bool:
        """Whether the money is enough for a call of `most`, with what calls cost, or still may."""
        return self.limits.money is None or self._promised + most <= self.limits.money

    def _record(
        self,
        role: str,
        began: float,
        prompt_tokens: int = 0,
        completion_tokens: int = 0,
        failure: str = "",
        most: float = 0.0,
    ) -> None:
        """Record a call that ended. One that failed may be charged: it counts at its `most`."""
        money = self.limits.cost(prompt_tokens, completion_tokens)
        seconds = perf_counter() - began
        call = Call(role, self._model(role).name, seconds, prompt_tokens, completion_tokens, money, failure)
        with self._lock:
            self._calls.append(call)
            if not failure:
                self._promised += money - most


def _texts(pieces: Iterable[str | Completion], last: list[Completion]) -> Iterator[str]:
    """The texts among what a model writes; what it says at the end of itself is put into `last`."""
    for piece in pieces:
        if isinstance(piece, str):
            yield piece
        else:
            last.append(piece)
