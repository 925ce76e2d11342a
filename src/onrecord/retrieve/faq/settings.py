"""The settings of the FAQ."""

from __future__ import annotations

from dataclasses import dataclass

from onrecord.errors import SettingError
from onrecord.stores.faq import Thresholds

MEASURED: dict[str, Thresholds] = {"minilm": Thresholds(high=0.75, low=0.2)}
"""Thresholds by embedding model, measured on labeled questions (docs/faq.md)."""
_WHOLE = {
    "candidates": (1, 20),
    "options": (1, 9),
    "reason_characters": (0, 1000),
    "question_characters": (10, 100_000),
    "reply_tokens": (20, 10_000),
}
OTHERWISE = Thresholds(high=0.8, low=0.2)
"""More careful thresholds for models that were not measured."""


@dataclass(frozen=True, slots=True)
class FaqSettings:
    """Settings of the FAQ.

    Args:
        high, low: the least score for an immediate answer, and the score below which no entry answers, 0..1;
            None: the thresholds calibrated for the workspace, or else the model's own.
        cache_seconds: how long a cached reply is valid; 0: no cache.
        rerank_seconds: the time limit of stage two in all.
        candidates: number of entries among which stage two chooses.
        options: the most questions that are offered if no entry answers.
        options_behind: how far the similarity of a third or later question may be below the best, 0..1.
        reason_characters: the least length of the reason that stage two gives.
        reply_tokens: the most tokens of the LLM's reply.
        rerank_score, local_score, margin: the least score of an entry by a reranker or the local classifier,
            and its least lead, 0..1.
        prompt_price, completion_price: the LLM's prices for a million tokens, in `currency`.
        question_characters: the most characters of a question.
    """

    high: float | None = None
    low: float | None = None
    cache_seconds: float = 3600.0
    rerank_seconds: float = 3.0
    candidates: int = 5
    options: int = 3
    options_behind: float = 0.2
    reply_tokens: int = 200
    reason_characters: int = 10
    rerank_score: float = 0.5
    local_score: float = 0.5
    margin: float = 0.2
    prompt_price: float = 0.0
    completion_price: float = 0.0
    currency: str = "USD"
    question_characters: int = 2000

    def __post_init__(self) -> None:
        for name in ("high", "low", "rerank_score", "local_score", "margin", "options_behind"):
            value = getattr(self, name)
            if value is not None and not 0 <= value <= 1:
                raise SettingError(f"faq.{name}", value, "a number from 0 to 1")
        for name, (least, most) in _WHOLE.items():
            if not least <= getattr(self, name) <= most:
                allowed = f"a whole number from {least} to {most}"
                raise SettingError(f"faq.{name}", getattr(self, name), allowed)
        for name in ("cache_seconds", "rerank_seconds", "prompt_price", "completion_price"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise SettingError(f"faq.{name}", getattr(self, name), "a number, 0 or more")

    def thresholds(self, model: str, calibrated: Thresholds | None) -> Thresholds:
        """Return the thresholds in force: those set, or else the calibrated ones, or else the model's own.

        Raises SettingError if the low threshold is above the high one.
        """
        base = calibrated or MEASURED.get(model, OTHERWISE)
        high = base.high if self.high is None else self.high
        low = base.low if self.low is None else self.low
        if low > high:
            raise SettingError("faq.low", low, f"at most faq.high, which is {high:g}")
        return Thresholds(high, low)

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Return the cost of a call, in `currency`."""
        return (prompt_tokens * self.prompt_price + completion_tokens * self.completion_price) / 1e6
