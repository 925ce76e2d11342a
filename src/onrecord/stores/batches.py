"""Counts are written in batches, so that no question waits for a disk."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from threading import Lock
from typing import Generic, TypeVar

from onrecord.errors import StoreError

T = TypeVar("T")
log = logging.getLogger(__name__)

EVERY = 1.0
"""Seconds between two writes; what was counted since the last one is lost with the process."""


class Batches(Generic[T]):
    """Collects items and writes them now and then. `add_up` merges many items into few. Items that the store
    cannot take now are written with the next batch."""

    def __init__(
        self,
        write: Callable[[Sequence[T]], None],
        add_up: Callable[[Iterable[T]], list[T]],
        clock: Callable[[], float],
    ) -> None:
        self._write, self._add_up, self._clock = write, add_up, clock
        self._waiting: list[T] = []
        self._written = clock()
        self._lock = Lock()

    def add(self, item: T) -> None:
        """Collect one item."""
        with self._lock:
            self._waiting.append(item)

    def write_due(self) -> None:
        """Write the items if the last write is a second ago. Call it when nobody waits for an answer."""
        with self._lock:
            due = not 0 <= self._clock() - self._written < EVERY
        if due:
            self.write()

    def write(self) -> None:
        """Write the items now."""
        with self._lock:
            waiting, self._waiting = self._add_up(self._waiting), []
            self._written = self._clock()
        if not waiting:
            return
        try:
            self._write(waiting)
        except StoreError as error:
            log.info("counted later: %s", error)
            with self._lock:
                self._waiting = waiting + self._waiting
