"""The protocol of FAQ stores, which take vectors, never an embedder, and the checks that all of them make."""

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
"""Replies in the cache of one workspace. A store removes the oldest ones above this number, with some delay.
"""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Two scores: an entry with at least `high` answers at once, below `low` no entry answers."""

    high: float
    low: float


@dataclass(frozen=True, slots=True, eq=False)
class LiveEntries:
    """All live entries at one `version`.

    `vectors` has a row for every wording of a question: the first entry's `wordings`, then the second's, ...
    `models` are the fingerprints of the models that made the vectors. The vectors of several models cannot be
    compared; then `vectors` is empty.
    """

    version: int
    entries: tuple[FaqEntry, ...]
    vectors: Vectors
    models: frozenset[str]


@dataclass(frozen=True, slots=True)
class QuestionState:
    """The stored data for a question: the entries' version, the model's thresholds, a cached reply."""

    version: int
    thresholds: Thresholds | None = None
    reply: str | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """The questions of one day (ISO, UTC) with the same outcome.

    `stage` and `gate` are as in the reply; `model` is the LLM or reranker that decided, "" if there was none;
    `calls`, tokens and `cost` are those of the LLM.
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

    Every call sees one consistent state. Every change of entries or thresholds creates a new version and
    empties the workspace's cache in the same transaction. Several threads and processes may use a store; a
    writer that waits too long for others gets `LockedError`.
    """

    workspace: str

    # ---- entries

    def put(self, entries: Sequence[FaqEntry], vectors: Vectors | None = None, model: str = "") -> None:
        """Add entries, or replace those with the same ids, in one transaction.

        `vectors` has a row for each of their `wordings`, one entry after the other, computed by `model` (a
        fingerprint). Without vectors, no entry may be live.
        """
        ...

    def set_status(self, ids: Sequence[str], status: str) -> None:
        """Change the status of entries in one transaction. Raise NotFoundError, or InputError without
        vectors."""
        ...

    def remove(self, ids: Sequence[str]) -> None:
        """Remove entries with all their data in one transaction. Raise NotFoundError."""
        ...

    def entries(self, ids: Sequence[str] | None = None, status: str | None = None) -> list[FaqEntry]:
        """Return the entries in the order of adding, or of `ids`; with `status`, only those of that status.

        Raises NotFoundError for an unknown id.
        """
        ...

    def live(self) -> LiveEntries:
        """Return the live entries, which questions are compared with."""
        ...

    # ---- thresholds

    def set_thresholds(self, model: str, thresholds: Thresholds | None) -> None:
        """Set the thresholds for questions embedded by `model` (a fingerprint); None: the defaults."""
        ...

    # ---- the cache

    def recall(self, question: str, basis: str, model: str, since: float) -> QuestionState:
        """Return the stored state for a normalized question.

        The cached reply has the same `basis` and was made at or after `since` (seconds since 1970). The
        thresholds are those of `model`.
        """
        ...

    def remember(self, question: str, basis: str, reply: str, now: float, keep: float, version: int) -> None:
        """Cache a reply made `now`, and remove replies made before `keep`.

        Do nothing if the entries have changed since `version`, because the reply may be outdated.
        """
        ...

    # ---- usage counts

    def count(self, usage: Sequence[Usage]) -> None:
        """Add to the usage counts."""
        ...

    def usage(self) -> list[Usage]:
        """Return the usage counts, by day, stage, gate and model."""
        ...

    def close(self) -> None:
        """Close connections. The store cannot be used afterwards."""
        ...


# ---------------------------------------------------------------- checks that every store makes


def check_entries(entries: Sequence[FaqEntry], vectors: Vectors | None) -> None:
    """Raise StoreError, SettingError or InputError if entries and vectors do not fit together."""
    for entry in entries:
        check_status(entry.status)
    count = sum(len(entry.wordings) for entry in entries)
    if vectors is not None and len(vectors) != count:
        raise StoreError(f"{len(vectors)} vectors for {count} ways of asking: there must be one for each")
    if vectors is None and any(entry.status == "live" for entry in entries):
        raise missing_vectors([entry.id for entry in entries if entry.status == "live"])
    if len({entry.id for entry in entries}) < len(entries):
        raise StoreError("two entries have the same id: give each its own")


def check_status(status: str) -> None:
    """Raise SettingError for an unknown status."""
    if status not in STATUSES:
        raise SettingError("status", status, "one of " + ", ".join(STATUSES))


def missing_vectors(ids: Sequence[str]) -> InputError:
    """Return the error for entries that cannot be live because they have no vectors."""
    return InputError(f"no vectors of the FAQ entries {', '.join(ids[:5])}: promote them, which embeds them")


def unknown_entry(name: str, known: Iterable[str]) -> NotFoundError:
    """Return the error for an unknown id."""
    hint = did_you_mean(nearest(name, known)) or "see: onrecord faq list"
    return NotFoundError(f"there is no FAQ entry {name!r} in this workspace; {hint}")
