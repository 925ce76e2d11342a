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
from onrecord.models.base import Completion, Decision, LanguageModel
from onrecord.types import Call

if TYPE_CHECKING:
    from onrecord.models.reasoning import Reset

T = TypeVar("T")
PART = "part"
"""Notes on one part of what is too long for one call, by the model in the role "answer"; counted apart."""
MODEL_ROLES = ("plan", "expand", "filter", "sections", "rerank", "grade", "answer", "check", "summarize")


@dataclass(frozen=True, slots=True)
class Allowance:
    """Args:
    calls: of any model, for one question. One is kept for the answer.
    part_calls: besides, for notes of parts.
    seconds: that an answer may take; `decision_seconds`: that any other call may.
    tokens: that a reply may have.
    temperature: of what is written; None: as even as the model can.
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

    def money(self, prompt_tokens: int, completion_tokens: int) -> float:
        return (prompt_tokens * self.prompt_price + completion_tokens * self.completion_price) / 1e6


@dataclass
class ModelRoles:
    """Which model fills which role, for one question. May be used from several threads."""

    models: Mapping[str, LanguageModel] = field(default_factory=dict)
    limits: Allowance = field(default_factory=Allowance)
    _calls: list[Call] = field(default_factory=list, init=False)
    _begun: list[str] = field(default_factory=list, init=False)
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
        if known is not None or not self.is_filled(role) or not self._begin(role):
            return cast("T | None", known)
        began, limits = perf_counter(), self.limits
        try:
            decision: Decision[T] = self._model(role).decide(
                instructions, material, shape, seconds=limits.decision_seconds, tokens=limits.tokens
            )
        except ModelError as error:
            self._record(role, began, failure=str(error))
            return None
        self._record(role, began, decision.prompt_tokens, decision.completion_tokens)
        self._decided[role, material] = decision.value
        return decision.value

    def write(self, role: str, instructions: str, material: str) -> Iterator[str | Reset | Completion]:
        """What the model in a role says, without what it thinks: see `LanguageModel.write` and
        `onrecord.models.reasoning`. Raises ModelError."""
        from onrecord.models.reasoning import aloud

        if not self._begin(role):
            raise GenerationError(self._calls[-1].failure)
        began, failure, end = perf_counter(), "nobody waited for the rest", Completion("")
        limits = self.limits
        freely = {} if limits.temperature is None else {"temperature": limits.temperature}
        pieces = self._model(role).write(
            instructions, material, seconds=limits.seconds, tokens=limits.tokens, **freely
        )
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
            self._record(role, began, end.prompt_tokens, end.completion_tokens, failure)

    def _model(self, role: str) -> LanguageModel:
        return self.models["answer" if role == PART else role]

    def _begin(self, role: str) -> bool:
        with self._lock:
            if self.calls_left(role):
                self._begun.append(role)
                return True
        name = "part_calls" if role == PART else "calls"
        limit = getattr(self.limits, name)
        told = f"not asked: there are {limit} calls for a question, and no more is left (setting llm.{name})"
        self._record(role, perf_counter(), failure=told)
        return False

    def _record(
        self, role: str, began: float, prompt_tokens: int = 0, completion_tokens: int = 0, failure: str = ""
    ) -> None:
        money = self.limits.money(prompt_tokens, completion_tokens)
        seconds = perf_counter() - began
        call = Call(role, self._model(role).name, seconds, prompt_tokens, completion_tokens, money, failure)
        with self._lock:
            self._calls.append(call)


def _texts(pieces: Iterable[str | Completion], last: list[Completion]) -> Iterator[str]:
    """The texts among what a model writes; what it says at the end of itself is put into `last`."""
    for piece in pieces:
        if isinstance(piece, str):
            yield piece
        else:
            last.append(piece)
