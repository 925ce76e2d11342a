"""Counts of what was asked: summed up by day and kind, and written in batches, so that no question waits."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple, fields
from threading import Lock
from typing import Any, Generic, TypeVar

from onrecord.errors import StoreError
from onrecord.stores.database import Connection

T = TypeVar("T")
log = logging.getLogger(__name__)

EVERY = 1.0
"""Seconds between two writes; what was counted since the last one is lost with the process."""
KEY = 4
"""The first fields of a count (a dataclass) say what it is of; the others are added up."""


def add_up(counts: Iterable[T]) -> list[T]:
    """Merge counts into one for each key, in the order of the keys."""
    sums: dict[tuple[Any, ...], list[float]] = {}
    kind: Any = None
    for count in counts:
        kind, values = type(count), astuple(count)  # type: ignore[call-overload]
        before = sums.setdefault(values[:KEY], [0] * (len(values) - KEY))
        before[:] = [a + b for a, b in zip(before, values[KEY:], strict=True)]
    return [kind(*key, *sums[key]) for key in sorted(sums)]


def insert_counts(connection: Connection, table: str, workspace: str, counts: Sequence[Any]) -> None:
    """Add counts to those of the workspace in their table, whose columns have the names of the fields."""
    if not counts:
        return
    names = [field.name for field in fields(counts[0])]
    columns = ("workspace", *names)
    sums = ", ".join(f"{name} = {table}.{name} + excluded.{name}" for name in names[KEY:])
    sql = (
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))}) "  # noqa: S608
        f"ON CONFLICT (workspace, {', '.join(names[:KEY])}) DO UPDATE SET {sums}"
    )
    rows = [
        [int(value) if isinstance(value, bool) else value for value in astuple(count)] for count in counts
    ]
    connection.executemany(sql, [(workspace, *row) for row in rows])


def read_counts(connection: Connection, table: str, workspace: str, kind: type) -> Iterator[tuple[Any, ...]]:
    """Yield the values of the counts of this kind in a table, in the order of their keys."""
    names = [field.name for field in fields(kind)]
    sql = (
        f"SELECT {', '.join(names)} FROM {table} WHERE workspace = ? "  # noqa: S608 - our own names
        f"ORDER BY {', '.join(names[:KEY])}"
    )
    yield from connection.execute(sql, (workspace,))


class Batches(Generic[T]):
    """Collects counts and writes their sums now and then. Those that the store cannot take now are written
    with the next batch."""

    def __init__(self, write: Callable[[Sequence[T]], None], clock: Callable[[], float]) -> None:
        self._write, self._clock = write, clock
        self._waiting: list[T] = []
        self._written = clock()
        self._lock = Lock()

    def add(self, count: T) -> None:
        """Collect one count."""
        with self._lock:
            self._waiting.append(count)

    def write_due(self) -> None:
        """Write the sums if the last write is a second ago. Call it when nobody waits for an answer."""
        with self._lock:
            due = not 0 <= self._clock() - self._written < EVERY
        if due:
            self.write()

    def write(self) -> None:
        """Write the sums now."""
        with self._lock:
            waiting, self._waiting = add_up(self._waiting), []
            self._written = self._clock()
        if not waiting:
            return
        try:
            self._write(waiting)
        except StoreError as error:
            log.info("counted later: %s", error)
            with self._lock:
                self._waiting = waiting + self._waiting
