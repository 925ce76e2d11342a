"""The account of use: written in batches, read by the day."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from onrecord.retrieve.faq.judge import NOT_TRIGGERED
from onrecord.retrieve.faq.reply import CACHE, HIGH, RERANK_HIT, FaqReply
from onrecord.stores.batches import Batches
from onrecord.stores.faq import FaqStore, Usage
from onrecord.stores.faq.base import summed


@dataclass(frozen=True, slots=True)
class Day:
    """One day of a workspace, or several. Of `asked`, some were answered from the cache, some at once, some
    by stage two (`rerank_hits` of `reranked`); `calls` of the LLM with tokens and cost."""

    day: str
    asked: int
    cached: int
    direct: int
    reranked: int
    rerank_hits: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float

    def to_json(self) -> dict[str, Any]:
        """All figures, the rates among them."""
        return {**asdict(self), "cache_hit_rate": self.cache_hit_rate, "rerank_rate": self.rerank_rate}

    @property
    def cache_hit_rate(self) -> float:
        """Share of questions that were answered from the cache."""
        return self.cached / self.asked if self.asked else 0.0

    @property
    def rerank_rate(self) -> float:
        """Share of questions that went to stage two."""
        return self.reranked / self.asked if self.asked else 0.0


class Account:
    """Counts replies."""

    def __init__(self, store: FaqStore, clock: Callable[[], float]) -> None:
        self._store, self._clock = store, clock
        self._batches: Batches[Usage] = Batches(store.count, summed, clock)

    def count(self, reply: FaqReply) -> None:
        """Add a reply."""
        usage = Usage(
            day=datetime.fromtimestamp(self._clock(), UTC).date().isoformat(),
            stage=reply.stage,
            gate="" if reply.gate == NOT_TRIGGERED else reply.gate,
            model=reply.model,
            calls=reply.calls,
            prompt_tokens=reply.prompt_tokens,
            completion_tokens=reply.completion_tokens,
            cost=reply.cost,
        )
        self._batches.add(usage)
        self._batches.write_due()

    def write(self) -> None:
        """Write what was counted."""
        self._batches.write()

    def days(self) -> list[Day]:
        """By the day, the first one first."""
        self.write()
        usage = self._store.usage()
        names = sorted({one.day for one in usage})
        return [day_of(name, (one for one in usage if one.day == name)) for name in names]


def day_of(name: str, usage: Iterable[Usage]) -> Day:
    """The sums of some usage."""
    counts = list(usage)

    def asked(fits: Callable[[Usage], bool]) -> int:
        return sum(one.asked for one in counts if fits(one))

    return Day(
        day=name,
        asked=asked(lambda one: True),
        cached=asked(lambda one: one.stage == CACHE),
        direct=asked(lambda one: one.stage == HIGH),
        reranked=asked(lambda one: one.gate != ""),
        rerank_hits=asked(lambda one: one.stage == RERANK_HIT),
        calls=sum(one.calls for one in counts),
        prompt_tokens=sum(one.prompt_tokens for one in counts),
        completion_tokens=sum(one.completion_tokens for one in counts),
        cost=sum(one.cost for one in counts),
    )
