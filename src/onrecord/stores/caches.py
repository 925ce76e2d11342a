"""What is remembered of questions, in the archive: kept until anything is written to the workspace.

A value is found by the workspace, its kind and a key, which is a digest of everything that it depends on
besides the workspace's contents. The oldest leave first.
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
    """The values under those of the keys that there are."""
    wanted = list(dict.fromkeys(keys))
    found: dict[bytes, bytes] = {}
    for begin in range(0, len(wanted), _AT_ONCE):
        some = wanted[begin : begin + _AT_ONCE]
        marks = ", ".join("?" * len(some))
        sql = f"SELECT key, value FROM cached WHERE workspace = ? AND kind = ? AND key IN ({marks})"  # noqa: S608
        found.update(connection.execute(sql, (workspace, kind, *some)).fetchall())
    return found


def cached_keys(connection: Connection, workspace: int, kind: str) -> set[bytes]:
    """The keys under which there is something."""
    sql = "SELECT key FROM cached WHERE workspace = ? AND kind = ?"
    return {key for (key,) in connection.execute(sql, (workspace, kind))}


def insert_cached(
    connection: Connection, workspace: int, kind: str, values: Mapping[bytes, bytes], most: int
) -> None:
    """Keep values, and let the oldest go while all of this kind have more than `most` bytes."""
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
    """Add to how often a value was there, and was not."""
    connection.execute(
        "INSERT INTO cached_usage (workspace, kind, hits, misses) VALUES (?, ?, ?, ?) ON CONFLICT "
        "(workspace, kind) DO UPDATE SET hits = cached_usage.hits + excluded.hits, "
        "misses = cached_usage.misses + excluded.misses",
        (workspace, kind, hits, misses),
    )


def cache_stats(connection: Connection, workspace: int) -> dict[str, dict[str, Any]]:
    """For each kind: values and bytes that are kept, hits, misses and the share of hits."""
    sql = "SELECT kind, count(*), sum(size) FROM cached WHERE workspace = ? GROUP BY kind"
    kept = {kind: (count, int(size)) for kind, count, size in connection.execute(sql, (workspace,))}
    sql = "SELECT kind, hits, misses FROM cached_usage WHERE workspace = ?"
    used = {kind: (hits, misses) for kind, hits, misses in connection.execute(sql, (workspace,))}
    return {kind: cache_figures(*kept.get(kind, (0, 0)), *used.get(kind, (0, 0))) for kind in KINDS}


def cache_figures(kept: int, size: int, hits: int, misses: int) -> dict[str, Any]:
    """One cache's figures by name; `rate` is None before it was asked."""
    asked = hits + misses
    return {
        "kept": kept,
        "bytes": size,
        "hits": hits,
        "misses": misses,
        "rate": round(hits / asked, 4) if asked else None,
    }
