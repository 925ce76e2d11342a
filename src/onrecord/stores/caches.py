"""The caches for questions, in the archive: valid until the next write to the workspace.

A value has a workspace, a kind, and a key: a digest of everything that the value depends on besides the
workspace's contents. The oldest values are evicted first. New values wait in memory, so that no question
waits for a write.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from threading import Lock, Timer
from typing import Any, Generic, TypeVar

from onrecord.stores.database import Connection, rows_among

KINDS = ("embeddings", "results")
Key = TypeVar("Key")
Value = TypeVar("Value")

Written = Callable[[int, dict[str, tuple[dict[bytes, bytes], int]], dict[str, tuple[int, int]]], None]
"""Writes cached values. Parameters: their version, values and size limit by kind, hits and misses by kind."""

_LOOKED = 4
"""Lookups of a kind before its keys are read into memory. A short command makes fewer lookups."""
MOST, SECONDS = 512, 0.2
"""How many values wait at most, and for how many seconds, so that other readers of the archive soon get them.
"""


def read_cached(
    connection: Connection, workspace: int, kind: str, keys: Iterable[bytes]
) -> dict[bytes, bytes]:
    """Return the cached values under these keys; a key without a value is left out."""
    sql = "SELECT key, value FROM cached WHERE workspace = ? AND kind = ? AND key IN ({})"
    rows = rows_among(connection, sql, list(dict.fromkeys(keys)), workspace, kind)
    return {row[0]: row[1] for row in rows}


def cached_keys(connection: Connection, workspace: int, kind: str) -> set[bytes]:
    """Return all keys of a kind that have a value."""
    sql = "SELECT key FROM cached WHERE workspace = ? AND kind = ?"
    return {key for (key,) in connection.execute(sql, (workspace, kind))}


def insert_cached(
    connection: Connection, workspace: int, kind: str, values: Mapping[bytes, bytes], most: int
) -> None:
    """Store values. Then delete the oldest of this kind until all of them take at most `most` bytes."""
    sql = "DELETE FROM cached WHERE workspace = ? AND kind = ? AND key = ?"
    connection.executemany(sql, [(workspace, kind, key) for key in values])  # inserted again as the newest
    connection.insert(
        "cached",
        ("workspace", "kind", "key", "size", "value"),
        ((workspace, kind, key, len(key) + len(value), value) for key, value in values.items()),
    )
    connection.execute(
        "DELETE FROM cached WHERE number IN (SELECT number FROM (SELECT number, sum(size) OVER "
        "(ORDER BY number DESC) AS newer FROM cached WHERE workspace = ? AND kind = ?) AS aged "
        "WHERE newer > ?)",
        (workspace, kind, most),
    )


def delete_cached(connection: Connection, workspace: int) -> None:
    """Empty the workspace's caches."""
    connection.execute("DELETE FROM cached WHERE workspace = ?", (workspace,))


def count_cached(connection: Connection, workspace: int, kind: str, hits: int, misses: int) -> None:
    """Add to a cache's hits and misses."""
    connection.execute(
        "INSERT INTO cached_usage (workspace, kind, hits, misses) VALUES (?, ?, ?, ?) ON CONFLICT "
        "(workspace, kind) DO UPDATE SET hits = cached_usage.hits + excluded.hits, "
        "misses = cached_usage.misses + excluded.misses",
        (workspace, kind, hits, misses),
    )


def cache_stats(connection: Connection, workspace: int) -> dict[str, dict[str, Any]]:
    """Return the statistics of each cache by kind: see `cache_figures`."""
    sql = "SELECT kind, count(*), sum(size) FROM cached WHERE workspace = ? GROUP BY kind"
    contents = {kind: (count, int(size)) for kind, count, size in connection.execute(sql, (workspace,))}
    sql = "SELECT kind, hits, misses FROM cached_usage WHERE workspace = ?"
    usage = {kind: (hits, misses) for kind, hits, misses in connection.execute(sql, (workspace,))}
    return {kind: cache_figures(*contents.get(kind, (0, 0)), *usage.get(kind, (0, 0))) for kind in KINDS}


def cache_figures(kept: int, size: int, hits: int, misses: int) -> dict[str, Any]:
    """Return the statistics of one cache by name.

    `rate` is the share of hits, None before the first request.
    """
    requests = hits + misses
    return {
        "kept": kept,
        "bytes": size,
        "hits": hits,
        "misses": misses,
        "rate": round(hits / requests, 4) if requests else None,
    }


# ---------------------------------------------------------------- values waiting to be written


class Pending:
    """Collects cached values and usage, and writes them in batches by calling `write`.

    It writes once there are `MOST` values, after `SECONDS` in a separate thread, and before statistics are
    read. If the process is killed, these values are lost. A batch can be read until the next one is written,
    because a snapshot that began before it was written does not see it in the database.
    """

    def __init__(self, write: Written) -> None:
        self._write, self._lock = write, Lock()
        self._values: dict[str, dict[bytes, bytes]] = {}
        self._last_batch: dict[str, dict[bytes, bytes]] = {}
        self._room: dict[str, int] = {}
        self._usage: dict[str, Counter[bool]] = {}
        self._version = -1
        self._timer: Timer | None = None

    def get(self, kind: str, keys: Iterable[bytes], version: int) -> dict[bytes, bytes]:
        """Return the waiting values under these keys; a key without a value is left out."""
        with self._lock:
            if version != self._version:
                return {}
            values = {**self._last_batch.get(kind, {}), **self._values.get(kind, {})}
            return {key: values[key] for key in keys if key in values}

    def put(self, kind: str, values: Mapping[bytes, bytes], version: int, most: int) -> None:
        """Add values computed at a version. The oldest are evicted while all take more than `most` bytes."""
        with self._lock:
            if version < self._version:
                return
            if version > self._version:
                self._values, self._last_batch, self._version = {}, {}, version
            waiting = self._values.setdefault(kind, {})
            waiting.update(values)
            self._room[kind] = most
            size = sum(len(key) + len(value) for key, value in waiting.items())
            while size > most:
                key = next(iter(waiting))
                size -= len(key) + len(waiting.pop(key))
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
            self._values, self._usage = {}, {}
            if any(values.values()):
                self._last_batch = values
            if self._timer:
                self._timer.cancel()
                self._timer = None
        if usage or any(values.values()):
            self._write(version, {kind: (some, self._room[kind]) for kind, some in values.items()}, usage)

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
    """The keys in the caches of one state, so that the database is not searched for missing keys.

    A value that another process adds meanwhile is missed, and computed again.
    """

    def __init__(self) -> None:
        self._looked: Counter[str] = Counter()
        self._keys: dict[str, set[bytes]] = {}

    def may_have(self, kind: str, keys: list[bytes], read: Callable[[], set[bytes]]) -> list[bytes]:
        """Return the keys that may have a value. `read` returns all keys that have a value."""
        self._looked[kind] += 1
        if kind not in self._keys:
            if self._looked[kind] <= _LOOKED:
                return keys
            self._keys[kind] = read()
        return [key for key in keys if key in self._keys[kind]]

    def add(self, kind: str, keys: Iterable[bytes]) -> None:
        """Add keys that now have a value."""
        if kind in self._keys:
            self._keys[kind].update(keys)


# ---------------------------------------------------------------- values read before, in memory


class Recent(Generic[Key, Value]):
    """A cache of values by key, with a total weight of at most `limit`.

    The least recently used values are evicted first. Several threads may use it.
    """

    def __init__(self, limit: int, weigh: Callable[[Value], int]) -> None:
        self._limit, self._weigh, self._weight = limit, weigh, 0
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def get(
        self, keys: Sequence[Key], read: Callable[[list[Key]], Mapping[Key, Value]] | None = None
    ) -> dict[Key, Value]:
        """Return the values of these keys.

        `read` is called once with the keys that are not in the cache; it may leave some out. Without `read`,
        only cached values are returned.
        """
        with self._lock:
            cached = {key: self._values[key] for key in keys if key in self._values}
            for key in cached:
                self._values.move_to_end(key)
        missing = [key for key in dict.fromkeys(keys) if key not in cached]
        if not missing or read is None:
            return cached
        read_now = read(missing)
        self.put(read_now)
        return {**cached, **read_now}

    def put(self, values: Mapping[Key, Value]) -> None:
        """Add values. A cached value stays."""
        with self._lock:
            for key, value in values.items():
                self._put(key, value)

    def replace(self, values: Mapping[Key, Value], age: Callable[[Value], int]) -> None:
        """Add values. A cached value is replaced if its `age` is lower than that of the new value."""
        with self._lock:
            for key, value in values.items():
                if key in self._values and age(self._values[key]) < age(value):
                    self._weight -= self._weigh(self._values.pop(key))
                self._put(key, value)

    def _put(self, key: Key, value: Value) -> None:
        if key in self._values:
            return
        self._values[key] = value
        self._weight += self._weigh(value)
        while self._weight > self._limit:
            _, oldest = self._values.popitem(last=False)
            self._weight -= self._weigh(oldest)
