"""The protocol of FAQ stores, which take vectors, never an embedder, and what every store refuses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from onrecord.errors import InputError, NotFoundError, SettingError, StoreError, did_you_mean, nearest
from onrecord.types import FaqEntry

if TYPE_CHECKING:
    from onrecord.types import Vectors

STATUSES = ("draft", "live", "retired")
MOST_REPLIES = 20_000
"""Replies in the cache of one workspace. If there are more, a store removes the oldest in time."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Scores that decide: from `high` on an entry answers at once, below `low` none does."""

    high: float
    low: float


@dataclass(frozen=True, slots=True, eq=False)
class LiveEntries:
    """All live entries at one `version`.

    `vectors` has a row for every wording of a question: the first entry's `ways`, then the second's, ...
    `models` are the fingerprints of the models that made them. If there are several, the vectors cannot be
    compared, and `vectors` is empty.
    """

    version: int
    entries: tuple[FaqEntry, ...]
    vectors: Vectors
    models: frozenset[str]


@dataclass(frozen=True, slots=True)
class QuestionState:
    """What the store has for a question: the entries' version, the model's thresholds, a cached reply."""

    version: int
    thresholds: Thresholds | None = None
    reply: str | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """The questions of one day (ISO, UTC) with the same outcome.

    `stage` and `gate` are as in the reply; `model` is the LLM or reranker that decided, "" if none did;
    `calls`, tokens and `cost` are the LLM's.
    """

    day: str
    stage: str
    gate: str = ""
    model: str = ""
    asked: int = 1
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0


class FaqStore(Protocol):
    """The FAQ of one workspace, isolated from other workspaces.

    Every call sees one consistent state. Every change of entries or thresholds makes a new version and
    empties the workspace's cache in the same transaction. A store may be used from several threads and
    processes; a writer that waits too long for others gets `LockedError`.
    """

    workspace: str

    # ---- entries

    def put(self, entries: Sequence[FaqEntry], vectors: Vectors | None = None, model: str = "") -> None:
        """Add or replace entries by their ids, all or none.

        `vectors` has a row for each of their `ways`, one entry after the other, made by `model` (a
        fingerprint). Without vectors, no entry may be live.
        """
        ...

    def set_status(self, ids: Sequence[str], status: str) -> None:
        """Change the status of entries, all or none. Raises NotFoundError, and InputError without vectors."""
        ...

    def remove(self, ids: Sequence[str]) -> None:
        """Remove entries with all their data, all or none. Raises NotFoundError."""
        ...

    def entries(self, ids: Sequence[str] | None = None, status: str | None = None) -> list[FaqEntry]:
        """The entries in the order of adding, or in that of `ids`; only those of a status if it is set.

        Raises NotFoundError for an unknown id.
        """
        ...

    def live(self) -> LiveEntries:
        """The live entries, with which questions are compared."""
        ...

    # ---- thresholds

    def set_thresholds(self, model: str, thresholds: Thresholds | None) -> None:
        """Set the thresholds for questions embedded by `model` (a fingerprint); None: the defaults."""
        ...

    # ---- the cache

    def recall(self, question: str, basis: str, model: str, since: float) -> QuestionState:
        """The state for a normalized question.

        The cached reply has the same `basis` and was made at or after `since` (seconds since 1970). The
        thresholds are those of `model`.
        """
        ...

    def remember(self, question: str, basis: str, reply: str, now: float, keep: float, version: int) -> None:
        """Cache a reply made `now`, and remove those made before `keep`.

        Does nothing if the entries have changed since `version`, as the reply may be outdated.
        """
        ...

    # ---- the account

    def count(self, usage: Sequence[Usage]) -> None:
        """Add to the account."""
        ...

    def usage(self) -> list[Usage]:
        """The account, by day, stage, gate and model."""
        ...

    def close(self) -> None:
        """Close connections. The store cannot be used afterwards."""
        ...


# ---------------------------------------------------------------- what every store refuses


def check_entries(entries: Sequence[FaqEntry], vectors: Vectors | None) -> None:
    """Raise StoreError, SettingError or InputError if entries and vectors do not fit together."""
    for entry in entries:
        check_status(entry.status)
    ways = sum(len(entry.ways) for entry in entries)
    if vectors is not None and len(vectors) != ways:
        raise StoreError(f"{len(vectors)} vectors for {ways} ways of asking: there must be one for each")
    if vectors is None and any(entry.status == "live" for entry in entries):
        raise missing_vectors([entry.id for entry in entries if entry.status == "live"])
    if len({entry.id for entry in entries}) < len(entries):
        raise StoreError("two entries have the same id: give each its own")


def check_status(status: str) -> None:
    """Raise SettingError for an unknown status."""
    if status not in STATUSES:
        raise SettingError("status", status, "one of " + ", ".join(STATUSES))


def missing_vectors(ids: Sequence[str]) -> InputError:
    """The error for entries that cannot be live yet."""
    return InputError(f"no vectors of the FAQ entries {', '.join(ids[:5])}: promote them, which embeds them")


def unknown_entry(name: str, known: Iterable[str]) -> NotFoundError:
    """The error for an unknown id."""
    hint = did_you_mean(nearest(name, known)) or "see: onrecord faq list"
    return NotFoundError(f"there is no FAQ entry {name!r} in this workspace; {hint}")
