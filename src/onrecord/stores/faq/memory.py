"""A FAQ store in memory: the test double, and the reference for other stores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from onrecord.stores.faq.base import (
    MOST_REPLIES,
    LiveEntries,
    QuestionState,
    Thresholds,
    Usage,
    check_entries,
    check_status,
    missing_vectors,
    unknown_entry,
)
from onrecord.stores.ledger import add_up
from onrecord.types import FaqEntry

if TYPE_CHECKING:
    from onrecord.types import Vectors

StoredEntry = tuple[FaqEntry, "Vectors | None", str]


class MemoryFaqStore:
    """A FAQ store in memory: see `onrecord.stores.faq.base.FaqStore`."""

    def __init__(self, workspace: str = "default") -> None:
        self.workspace = workspace
        self._stored: dict[str, StoredEntry] = {}
        self._version = 0
        self._thresholds: dict[str, Thresholds] = {}
        self._replies: dict[tuple[str, str], tuple[float, str]] = {}
        self._usage: list[Usage] = []
        self._lock = Lock()
        self.most_replies = MOST_REPLIES

    def put(self, entries: Sequence[FaqEntry], vectors: Vectors | None = None, model: str = "") -> None:
        check_entries(entries, vectors)
        ends = np.cumsum([len(entry.wordings) for entry in entries])
        parts = [None] * len(entries) if vectors is None else np.split(np.array(vectors, np.float32), ends)
        new = {e.id: (e, part, model) for e, part in zip(entries, parts, strict=False)}
        self._change({**self._stored, **new})

    def set_status(self, ids: Sequence[str], status: str) -> None:
        check_status(status)
        chosen = [self._get(name) for name in ids]
        if status == "live" and any(vectors is None for _, vectors, _ in chosen):
            raise missing_vectors([entry.id for entry, vectors, _ in chosen if vectors is None])
        new = {stored[0].id: (replace(stored[0], status=status), *stored[1:]) for stored in chosen}
        self._change({**self._stored, **new})

    def remove(self, ids: Sequence[str]) -> None:
        gone = {self._get(name)[0].id for name in ids}
        self._change({name: stored for name, stored in self._stored.items() if name not in gone})

    def entries(self, ids: Sequence[str] | None = None, status: str | None = None) -> list[FaqEntry]:
        stored = self._stored.values() if ids is None else [self._get(name) for name in ids]
        return [entry for entry, *_ in stored if status in (None, entry.status)]

    def live(self) -> LiveEntries:
        with self._lock:
            version, stored = (
                self._version,
                [pair for pair in self._stored.values() if pair[0].status == "live"],
            )
        models = frozenset(model for *_, model in stored)
        parts = [vectors for _, vectors, _ in stored if vectors is not None and len(models) == 1]
        joined = np.concatenate(parts) if parts else np.zeros((0, 0), np.float32)
        return LiveEntries(version, tuple(entry for entry, *_ in stored), joined, models)

    def set_thresholds(self, model: str, thresholds: Thresholds | None) -> None:
        self._thresholds.pop(model, None)
        if thresholds:
            self._thresholds[model] = thresholds
        self._change(self._stored)

    def recall(self, question: str, basis: str, model: str, since: float) -> QuestionState:
        with self._lock:
            made, reply = self._replies.get((question, basis), (since - 1, ""))
            return QuestionState(self._version, self._thresholds.get(model), reply if made >= since else None)

    def remember(self, question: str, basis: str, reply: str, now: float, keep: float, version: int) -> None:
        with self._lock:
            if version != self._version:
                return
            self._replies[question, basis] = (now, reply)
            fresh = sorted((timed, key) for key, timed in self._replies.items() if timed[0] >= keep)
            self._replies = {key: timed for timed, key in fresh[-self.most_replies :]}

    def count(self, usage: Sequence[Usage]) -> None:
        with self._lock:
            self._usage = add_up([*self._usage, *usage])

    def usage(self) -> list[Usage]:
        return list(self._usage)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _get(self, name: str) -> StoredEntry:
        if name not in self._stored:
            raise unknown_entry(name, self._stored)
        return self._stored[name]

    def _change(self, stored: dict[str, StoredEntry]) -> None:
        with self._lock:
            self._stored, self._version, self._replies = stored, self._version + 1, {}
