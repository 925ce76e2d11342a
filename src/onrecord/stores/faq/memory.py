"""A FAQ store that forgets: the double that tests build on, and the measure of what a FAQ store means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from onrecord.stores.faq.base import MOST_REPLIES, Live, Remembered, Thresholds, Usage, summed
from onrecord.stores.faq.checks import check_put, check_status, missing, no_vectors
from onrecord.types import FaqEntry

if TYPE_CHECKING:
    from onrecord.types import Vectors

Kept = tuple[FaqEntry, "Vectors | None", str]


class MemoryFaqStore:
    """See `onrecord.stores.faq.base.FaqStore`."""

    def __init__(self, workspace: str = "default") -> None:
        self.workspace = workspace
        self._kept: dict[str, Kept] = {}
        self._version = 0
        self._thresholds: dict[str, Thresholds] = {}
        self._replies: dict[tuple[str, str], tuple[float, str]] = {}
        self._usage: list[Usage] = []
        self._lock = Lock()
        self.most_replies = MOST_REPLIES

    def put(self, entries: Sequence[FaqEntry], vectors: Vectors | None = None, model: str = "") -> None:
        check_put(entries, vectors)
        ends = np.cumsum([len(entry.ways) for entry in entries])
        parts = [None] * len(entries) if vectors is None else np.split(np.array(vectors, np.float32), ends)
        new = {e.id: (e, part, model) for e, part in zip(entries, parts, strict=False)}
        self._change({**self._kept, **new})

    def set_status(self, ids: Sequence[str], status: str) -> None:
        check_status(status)
        chosen = [self._found(name) for name in ids]
        if status == "live" and any(vectors is None for _, vectors, _ in chosen):
            raise no_vectors([entry.id for entry, vectors, _ in chosen if vectors is None])
        new = {kept[0].id: (replace(kept[0], status=status), *kept[1:]) for kept in chosen}
        self._change({**self._kept, **new})

    def remove(self, ids: Sequence[str]) -> None:
        gone = {self._found(name)[0].id for name in ids}
        self._change({name: kept for name, kept in self._kept.items() if name not in gone})

    def entries(self, ids: Sequence[str] | None = None, status: str | None = None) -> list[FaqEntry]:
        kept = self._kept.values() if ids is None else [self._found(name) for name in ids]
        return [entry for entry, *_ in kept if status in (None, entry.status)]

    def live(self) -> Live:
        with self._lock:
            version, kept = self._version, [k for k in self._kept.values() if k[0].status == "live"]
        models = frozenset(model for *_, model in kept)
        parts = [vectors for _, vectors, _ in kept if vectors is not None and len(models) == 1]
        joined = np.concatenate(parts) if parts else np.zeros((0, 0), np.float32)
        return Live(version, tuple(entry for entry, *_ in kept), joined, models)

    def set_thresholds(self, model: str, thresholds: Thresholds | None) -> None:
        self._thresholds.pop(model, None)
        if thresholds:
            self._thresholds[model] = thresholds
        self._change(self._kept)

    def recall(self, question: str, basis: str, model: str, since: float) -> Remembered:
        with self._lock:
            made, reply = self._replies.get((question, basis), (since - 1, ""))
            return Remembered(self._version, self._thresholds.get(model), reply if made >= since else None)

    def remember(self, question: str, basis: str, reply: str, now: float, keep: float, version: int) -> None:
        with self._lock:
            if version != self._version:
                return
            self._replies[question, basis] = (now, reply)
            fresh = sorted((kept, key) for key, kept in self._replies.items() if kept[0] >= keep)
            self._replies = {key: kept for kept, key in fresh[-self.most_replies :]}

    def count(self, usage: Sequence[Usage]) -> None:
        with self._lock:
            self._usage = summed([*self._usage, *usage])

    def usage(self) -> list[Usage]:
        return list(self._usage)

    def close(self) -> None:
        """Nothing to close."""

    def _found(self, name: str) -> Kept:
        if name not in self._kept:
            raise missing(name, self._kept)
        return self._kept[name]

    def _change(self, kept: dict[str, Kept]) -> None:
        with self._lock:
            self._kept, self._version, self._replies = kept, self._version + 1, {}
