"""What a store of FAQ entries must do. It keeps what it is given and takes vectors, never an embedder."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from onrecord.types import FaqEntry

if TYPE_CHECKING:
    from onrecord.types import Vectors

STATUSES = ("draft", "live", "retired")
MOST_REPLIES = 20_000
"""Replies that the cache of one workspace holds, or a few more; beyond it the oldest go first."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Scores that part the ways: at `high` and above an entry answers at once, under `low` none does."""

    high: float
    low: float


@dataclass(frozen=True, slots=True, eq=False)
class Live:
    """All live entries in one state. `vectors` has a row for every way in which an entry is asked: the
    first entry's `ways`, then the second's, ...; `models` are the fingerprints of what made them. Where
    there are several, they cannot be compared, and `vectors` is empty."""

    version: int
    entries: tuple[FaqEntry, ...]
    vectors: Vectors
    models: frozenset[str]


@dataclass(frozen=True, slots=True)
class Remembered:
    """What the store holds about a question: the version of the entries, the thresholds that were set for
    the model, and a reply given before."""

    version: int
    thresholds: Thresholds | None = None
    reply: str | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Questions of one day (ISO, UTC) that came to one end: `stage` and `gate` as in the reply, `model` the
    LLM or reranker that decided ("" where none did). `calls` of the LLM, its tokens and their `cost`."""

    day: str
    stage: str
    gate: str = ""
    model: str = ""
    asked: int = 1
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0


def summed(usage: Iterable[Usage]) -> list[Usage]:
    """One Usage for each day, stage, gate and model, in this order."""
    sums: dict[tuple[str, str, str, str], Usage] = {}
    for one in usage:
        key = (one.day, one.stage, one.gate, one.model)
        before = sums.get(key, Usage(*key, asked=0))
        sums[key] = Usage(
            *key,
            asked=before.asked + one.asked,
            calls=before.calls + one.calls,
            prompt_tokens=before.prompt_tokens + one.prompt_tokens,
            completion_tokens=before.completion_tokens + one.completion_tokens,
            cost=before.cost + one.cost,
        )
    return [sums[key] for key in sorted(sums)]


class FaqStore(Protocol):
    """The FAQ of one workspace. Nothing of another workspace can be seen through it.

    Every call sees one consistent state. Every change to entries or thresholds makes a new version and
    empties the workspace's cache in the same step. A store may be used from several threads and
    processes; a writer that waits too long for others gets `LockedError`.
    """

    workspace: str

    # ---- entries

    def put(self, entries: Sequence[FaqEntry], vectors: Vectors | None = None, model: str = "") -> None:
        """Keep entries, all or none, each in place of the one with its id.

        `vectors` has a row for each of their `ways`, one entry after the other, made by `model` (a
        fingerprint). Without vectors the entries must not be live.
        """
        ...

    def set_status(self, ids: Sequence[str], status: str) -> None:
        """Give entries another status, all or none. To "live" only what has vectors. Raises
        NotFoundError."""
        ...

    def remove(self, ids: Sequence[str]) -> None:
        """Take entries out, all or none, leaving nothing behind. Raises NotFoundError."""
        ...

    def entries(self, ids: Sequence[str] | None = None, status: str | None = None) -> list[FaqEntry]:
        """The entries in the order in which they came, of one status, or those of these ids in the order
        asked. Raises NotFoundError for an id that is none."""
        ...

    def live(self) -> Live:
        """What questions are compared with: the live entries as they are now."""
        ...

    # ---- thresholds

    def set_thresholds(self, model: str, thresholds: Thresholds | None) -> None:
        """Use these for questions embedded by `model` (a fingerprint) from now on; None: the defaults."""
        ...

    # ---- the cache

    def recall(self, question: str, basis: str, model: str, since: float) -> Remembered:
        """What is known about a normalized question: its reply is one on the same `basis`, made at or
        after `since` (seconds since 1970). `model` is whose thresholds are meant."""
        ...

    def remember(self, question: str, basis: str, reply: str, now: float, keep: float, version: int) -> None:
        """Keep a reply made now, and forget those made before `keep`. Does nothing where the entries have
        changed since `version`: the reply may stand on what is gone."""
        ...

    # ---- the account

    def count(self, usage: Sequence[Usage]) -> None:
        """Add to the account."""
        ...

    def usage(self) -> list[Usage]:
        """The account, by day, stage, gate and model."""
        ...

    def close(self) -> None:
        """Give back what is open. The store is of no use afterwards."""
        ...
