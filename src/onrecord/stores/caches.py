"""The caches of questions, in the archive: valid until the next write to the workspace.

A value is found by its workspace, its kind, and a key: a digest of everything that it depends on besides the
workspace's contents. The oldest values leave first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from onrecord.stores.database import Connection

_AT_ONCE = 500
KINDS = ("embeddings", "results")


def read_cached(
    connection: Connection, workspace: int, kind: str, keys: Iterable[bytes]
) -> dict[bytes, bytes]:
    """The cached values under these keys; a key without a value is left out."""
    wanted = list(dict.fromkeys(keys))
    found: dict[bytes, bytes] = {}
    for begin in range(0, len(wanted), _AT_ONCE):
        some = wanted[begin : begin + _AT_ONCE]
        marks = ", ".join("?" * len(some))
        sql = f"SELECT key, value FROM cached WHERE workspace = ? AND kind = ? AND key IN ({marks})"  # noqa: S608
        found.update(connection.execute(sql, (workspace, kind, *some)).fetchall())
    return found


def cached_keys(connection: Connection, workspace: int, kind: str) -> set[bytes]:
    """All keys of a kind that have a value."""
    sql = "SELECT key FROM cached WHERE workspace = ? AND kind = ?"
    return {key for (key,) in connection.execute(sql, (workspace, kind))}


def insert_cached(
    connection: Connection, workspace: int, kind: str, values: Mapping[bytes, bytes], most: int
) -> None:
    """Store values. Then delete the oldest of this kind until all take at most `most` bytes."""
    keys = list(values)
    for begin in range(0, len(keys), _AT_ONCE):  # anew, so that they count as the newest
        some = keys[begin : begin + _AT_ONCE]
        marks = ", ".join("?" * len(some))
        sql = f"DELETE FROM cached WHERE workspace = ? AND kind = ? AND key IN ({marks})"  # noqa: S608
        connection.execute(sql, (workspace, kind, *some))
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
    """The figures of each cache, by kind: see `cache_figures`."""
    sql = "SELECT kind, count(*), sum(size) FROM cached WHERE workspace = ? GROUP BY kind"
    kept = {kind: (count, int(size)) for kind, count, size in connection.execute(sql, (workspace,))}
    sql = "SELECT kind, hits, misses FROM cached_usage WHERE workspace = ?"
    used = {kind: (hits, misses) for kind, hits, misses in connection.execute(sql, (workspace,))}
    return {kind: cache_figures(*kept.get(kind, (0, 0)), *used.get(kind, (0, 0))) for kind in KINDS}


def cache_figures(kept: int, size: int, hits: int, misses: int) -> dict[str, Any]:
    """The figures of one cache by name. `rate` is the share of hits, None before the first request."""
    asked = hits + misses
    return {
        "kept": kept,
        "bytes": size,
        "hits": hits,
        "misses": misses,
        "rate": round(hits / asked, 4) if asked else None,
    }
