"""Cached values that wait to be written, so that no question waits for a write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from threading import Lock, Timer

Written = Callable[[int, dict[str, tuple[dict[bytes, bytes], int]], dict[str, tuple[int, int]]], None]
"""Writes down: the version they are of, values and room by kind, hits and misses by kind."""

_LOOKED = 4
"""Questions to a cache after which it is known which keys it has: a short command does not ask so often."""
MOST, SECONDS = 512, 0.2
"""How many values wait at most, and how long the first: others who ask the archive are to have them."""


class Pending:
    """Collects cached values and usage, and writes them together by `write`.

    It writes once there are `MOST` values, after `SECONDS` in a thread of its own, and before figures are
    read. If the process is killed, these values are lost.
    """

    def __init__(self, write: Written) -> None:
        self._write, self._lock = write, Lock()
        self._values: dict[str, dict[bytes, bytes]] = {}
        self._in_writing: dict[str, dict[bytes, bytes]] = {}
        self._room: dict[str, int] = {}
        self._usage: dict[str, Counter[bool]] = {}
        self._version = -1
        self._timer: Timer | None = None

    def get(self, kind: str, keys: Iterable[bytes], version: int) -> dict[bytes, bytes]:
        """The waiting values under these keys; a key without a value is left out."""
        with self._lock:
            if version != self._version:
                return {}
            values = {**self._in_writing.get(kind, {}), **self._values.get(kind, {})}
            return {key: values[key] for key in keys if key in values}

    def put(self, kind: str, values: Mapping[bytes, bytes], version: int, most: int) -> None:
        """Add values found at a version. The oldest leave once all take more than `most` bytes."""
        with self._lock:
            if version < self._version:
                return
            if version > self._version:
                self._values, self._in_writing, self._version = {}, {}, version
            kept = self._values.setdefault(kind, {})
            kept.update(values)
            self._room[kind] = most
            size = sum(len(key) + len(value) for key, value in kept.items())
            while size > most:
                key = next(iter(kept))
                size -= len(key) + len(kept.pop(key))
        self._write_when_due()

    def count(self, kind: str, hits: int, misses: int) -> None:
        """Add to a cache's hits and misses."""
        with self._lock:
            self._usage.setdefault(kind, Counter()).update({True: hits, False: misses})
        self._write_when_due()

    def flush(self) -> None:
        """Write everything now."""
        with self._lock:
            values, version = self._values, self._version
            usage = {kind: (counts[True], counts[False]) for kind, counts in self._usage.items()}
            self._values, self._usage, self._in_writing = {}, {}, values
            if self._timer:
                self._timer.cancel()
                self._timer = None
        if usage or any(values.values()):
            self._write(version, {kind: (some, self._room[kind]) for kind, some in values.items()}, usage)
        with self._lock:
            if self._in_writing is values:
                self._in_writing = {}

    def _write_when_due(self) -> None:
        with self._lock:
            due = sum(map(len, self._values.values())) >= MOST
            if not due and self._timer is None:
                self._timer = Timer(SECONDS, self.flush)
                self._timer.daemon = True
                self._timer.start()
        if due:
            self.flush()


class CachedKeys:
    """The keys that the caches of one state have, so that nothing is looked up in vain.

    A value that another process adds meanwhile is missed, and computed again.
    """

    def __init__(self) -> None:
        self._looked: Counter[str] = Counter()
        self._keys: dict[str, set[bytes]] = {}

    def may_have(self, kind: str, keys: list[bytes], read: Callable[[], set[bytes]]) -> list[bytes]:
        """Those of the keys that may have a value. `read` returns all keys that have one."""
        self._looked[kind] += 1
        if kind not in self._keys:
            if self._looked[kind] <= _LOOKED:
                return keys
            self._keys[kind] = read()
        return [key for key in keys if key in self._keys[kind]]

    def add(self, kind: str, keys: Iterable[bytes]) -> None:
        """Add keys that have a value now."""
        if kind in self._keys:
            self._keys[kind].update(keys)
