"""The roles that language models fill while onrecord answers one question, and the cost of their calls.

Every role has a local stand-in. If a model fails, or no calls are left, the stand-in does the work, and
`ModelRoles.calls` records the reason.
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
"""The role of a call that takes notes on one part of a long recording. The model in the role "answer" fills
it, and its calls are counted separately."""
_BYTES = 4
"""UTF-8 bytes of a token. The figure is on the safe side for European languages."""
MODEL_ROLES = (
    *("plan", "expand", "filter", "sections", "rerank", "grade"),
    *("answer", "check", "summarize", "extract"),
)


@dataclass(frozen=True, slots=True)
class Allowance:
    """The limits of one question: calls, time, tokens and money.

    Args:
        calls: most calls of all roles together. One call is reserved for the answer, and one for its check.
        part_calls: most calls for notes on parts, in addition to `calls`.
        seconds: most seconds for the call that writes the answer.
        decision_seconds: most seconds for any other call.
        tokens: most tokens of one reply.
        prompt_price, completion_price: price of a million tokens.
        temperature: temperature of the written answer, 0..2; None: the model's least random setting.
        money: most money for all calls together; None: no limit. The cost is estimated before each call as if
            the reply had all `tokens`.
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
        """Return the price of a call with these numbers of tokens."""
        return (prompt_tokens * self.prompt_price + completion_tokens * self.completion_price) / 1e6


@dataclass
class ModelRoles:
    """The models that fill the roles for one question. Several threads may use one object."""

    models: Mapping[str, LanguageModel] = field(default_factory=dict)
    limits: Allowance = field(default_factory=Allowance)
    _calls: list[Call] = field(default_factory=list, init=False)
    _started: list[str] = field(default_factory=list, init=False)
    _reserved: float = field(default=0.0, init=False)
    _decisions: dict[tuple[str, str], object] = field(default_factory=dict, init=False, repr=False)
    _lock: Lock = field(default_factory=Lock, init=False, repr=False)

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls in the order in which they ended, including calls that a limit forbade."""
        with self._lock:
            return tuple(self._calls)

    def is_filled(self, role: str) -> bool:
        """Return whether a model fills the role."""
        return role in self.models or (role == PART and "answer" in self.models)

    def calls_left(self, role: str) -> int:
        """Return how many calls a role may still make."""
        parts = self._started.count(PART)
        if role == PART:
            return max(0, self.limits.part_calls - parts)
        later = {"answer": (), "check": ("answer",)}.get(role, ("answer", "check"))
        reserved = sum(self.is_filled(other) and other not in self._started for other in later)
        return max(0, self.limits.calls - (len(self._started) - parts) - reserved)

    def decide(self, role: str, instructions: str, material: str, shape: type[T]) -> T | None:
        """Ask the model in a role for a decision, a value of `shape`.

        Returns None if the stand-in has to decide. The same material gets the same decision again, without a
        call.
        """
        cached = self._decisions.get((role, material))
        if cached is not None or not self.is_filled(role):
            return cast("T | None", cached)
        max_cost = self._start(role, instructions, material)
        if max_cost is None:
            return None
        began, seconds = perf_counter(), self.limits.decision_seconds
        limits = CallLimits(seconds, self.limits.tokens, setting="llm.decision_seconds")
        try:
            decision: Decision[T] = self._model(role).decide(instructions, material, shape, limits)
        except ModelError as error:
            self._record(role, began, failure=str(error))
            return None
        self._record(role, began, decision.prompt_tokens, decision.completion_tokens, max_cost=max_cost)
        self._decisions[role, material] = decision.value
        return decision.value

    def write(self, role: str, instructions: str, material: str) -> Iterator[str | Reset | Completion]:
        """Yield the text that the model in a role writes, without its reasoning. Raises ModelError.

        See `LanguageModel.write` and `onrecord.models.reasoning`.
        """
        max_cost = self._start(role, instructions, material)
        if max_cost is None:
            raise GenerationError(self._calls[-1].failure)
        began, failure, end = perf_counter(), "the caller stopped before the end", Completion("")
        limits = CallLimits(self.limits.seconds, self.limits.tokens, self.limits.temperature, "llm.seconds")
        pieces = self._model(role).write(instructions, material, limits)
        completions: list[Completion] = []
        try:
            yield from _without_thoughts(self._model(role).name, _texts(pieces, completions))
            if completions:
                end, failure = completions[0], ""
                yield end
        except ModelError as error:
            failure = str(error)
            raise
        finally:
            getattr(pieces, "close", lambda: None)()
            self._record(role, began, end.prompt_tokens, end.completion_tokens, failure, max_cost)

    def marks_thoughts(self, role: str) -> bool:
        """Return whether the model in a role is known to mark its reasoning, if it writes any."""
        return _UNMARKED.get(self._model(role).name) is False

    def _model(self, role: str) -> LanguageModel:
        return self.models["answer" if role == PART else role]

    def can_afford(self, *texts: str) -> bool:
        """Return whether a call with these texts costs no more than is left, even if its reply is longest."""
        # `_reserved` holds the cost of ended calls and the highest cost of running calls
        return self.limits.money is None or self._reserved + self._max_cost(texts) <= self.limits.money

    def _max_cost(self, texts: Iterable[str]) -> float:
        return self.limits.cost(sum(len(text.encode()) for text in texts) / _BYTES, self.limits.tokens)

    def _start(self, role: str, *texts: str) -> float | None:
        """Start a call with these texts. Return the most that it may cost, or None if a limit forbids it."""
        max_cost = self._max_cost(texts)
        with self._lock:
            calls_left = self.calls_left(role)
            if calls_left and self.can_afford(*texts):
                self._started.append(role)
                self._reserved += max_cost
                return max_cost
        if calls_left:
            reason = f"it might cost more than the {self.limits.money:g} for a question (setting llm.money)"
        else:
            name = "part_calls" if role == PART else "calls"
            limit = getattr(self.limits, name)
            reason = f"all {limit} calls for one question are used (setting llm.{name})"
        self._record(role, perf_counter(), failure=f"not asked: {reason}")
        return None

    def _record(
        self,
        role: str,
        began: float,
        prompt_tokens: int = 0,
        completion_tokens: int = 0,
        failure: str = "",
        max_cost: float = 0.0,
    ) -> None:
        """Record a call that ended. A failed call counts at its `max_cost`, as the provider may charge it."""
        money = self.limits.cost(prompt_tokens, completion_tokens)
        seconds = perf_counter() - began
        call = Call(role, self._model(role).name, seconds, prompt_tokens, completion_tokens, money, failure)
        with self._lock:
            self._calls.append(call)
            if not failure:
                self._reserved += money - max_cost


def _texts(pieces: Iterable[str | Completion], completions: list[Completion]) -> Iterator[str]:
    """Yield the texts that a model writes, and put the Completion at their end into `completions`."""
    for piece in pieces:
        if isinstance(piece, str):
            yield piece
        else:
            completions.append(piece)


_UNMARKED: dict[str, bool] = {}
"""By the name of a model: whether its last whole reply ended reasoning that nothing opened."""


def _without_thoughts(name: str, pieces: Iterable[str]) -> Iterator[str | Reset]:
    """Yield the text without reasoning.

    A model whose last reply had unmarked reasoning may begin with it again. Its text is held back until a
    closing mark shows that, or until the reply ends.
    """
    from onrecord.models.reasoning import Reset, strip_reasoning

    waiting: list[str] | None = [] if _UNMARKED.get(name) else None
    unmarked = False
    for piece in strip_reasoning(pieces):
        if isinstance(piece, Reset):
            _UNMARKED[name] = unmarked = True
            waiting = None
            yield piece
        elif waiting is None:
            yield piece
        else:
            waiting.append(piece)
    _UNMARKED[name] = unmarked
    yield from waiting or ()
