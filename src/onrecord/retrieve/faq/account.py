"""The account of use, written in batches and read by day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from onrecord.retrieve.faq.judge import NOT_TRIGGERED
from onrecord.retrieve.faq.reply import CACHE, HIGH, RERANK_HIT, FaqReply
from onrecord.stores.faq import FaqStore, Usage
from onrecord.stores.ledger import Batches


@dataclass(frozen=True, slots=True)
class Day:
    """The questions of a workspace on one day, or on several.

    Of the `asked`, `cached` were answered from the cache, `direct` by stage one, and `rerank_hits` of the
    `reranked` by stage two. `calls`, tokens and `cost` are the LLM's.
    """

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
        self._batches: Batches[Usage] = Batches(store.count, clock)

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
        """Write the pending counts."""
        self._batches.write()

    def days(self) -> list[Day]:
        """The account by day, oldest first."""
        self.write()
        usage = self._store.usage()
        names = sorted({counted.day for counted in usage})
        return [day_of(name, (counted for counted in usage if counted.day == name)) for name in names]


def day_of(name: str, usage: Iterable[Usage]) -> Day:
    """The sums of some usage."""
    counts = list(usage)
    asked: Counter[str] = Counter()
    for counted in counts:
        asked[counted.stage] += counted.asked
    return Day(
        day=name,
        asked=asked.total(),
        cached=asked[CACHE],
        direct=asked[HIGH],
        reranked=sum(counted.asked for counted in counts if counted.gate),
        rerank_hits=asked[RERANK_HIT],
        calls=sum(counted.calls for counted in counts),
        prompt_tokens=sum(counted.prompt_tokens for counted in counts),
        completion_tokens=sum(counted.completion_tokens for counted in counts),
        cost=sum(counted.cost for counted in counts),
    )
