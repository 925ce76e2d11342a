"""The outbox: changes of vectors that an index outside the database does not have yet.

The tables are authoritative. A transaction that changes the vectors of a recording also writes a line into
the table `outbox`, if the workspace has such an index (`workspaces.collection`). Every writer does so,
whether or not it can reach the index. The line is deleted once the index has been updated. A crash leaves
lines behind; applying one twice does no harm.

Vectors have a `stamp`, a random number that changes whenever they do (`recordings.stamp`). No stamp is drawn
twice. So points with the recording's stamp are current, and all others are obsolete, even if an archive was
copied or restored.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from secrets import randbits, token_hex

from onrecord.stores.database import Connection

_AT_ONCE = 50
"""Lines that are applied together. Memory holds all their vectors at once."""


@dataclass(frozen=True, slots=True)
class Line:
    """One change: write the points of a recording, or (`gone`) delete the points with a stamp."""

    number: int
    recording: int
    stamp: int
    dimensions: int
    gone: bool


def new_stamp() -> int:
    """Return a random number from 1 to 2^63 - 1, which every database can store."""
    return randbits(63) or 1


def post_line(connection: Connection, workspace: int, key: int, *, gone: bool) -> None:
    """Add a line: the vectors of a recording were written, or (`gone`) are about to be deleted.

    Do nothing for a workspace without an index outside the database.
    """
    connection.execute(
        "INSERT INTO outbox (workspace, recording, stamp, dimensions, gone) "
        "SELECT workspaces.id, key, stamp, dimensions, CAST(? AS INTEGER) FROM workspaces "
        "JOIN recordings ON key = ? JOIN vectors ON recording = key "
        "WHERE workspaces.id = ? AND collection IS NOT NULL",
        (int(gone), key, workspace),
    )


def attach(connection: Connection, workspace: int, collection: str) -> None:
    """Store a workspace's vectors in this collection from now on. Post all of them under new stamps.

    The stamps are new because the archive may be a copy of another archive whose points are in the
    collection.
    """
    keys = connection.execute("SELECT key FROM recordings WHERE workspace = ?", (workspace,)).fetchall()
    sql = "UPDATE recordings SET stamp = ? WHERE key = ?"
    connection.executemany(sql, [(new_stamp(), key) for (key,) in keys])
    sql = "UPDATE workspaces SET collection = ?, tenant = ? WHERE id = ?"
    connection.execute(sql, (collection, token_hex(16), workspace))
    connection.execute("DELETE FROM outbox WHERE workspace = ?", (workspace,))
    repost(connection, workspace, stamps=None)


def repost(connection: Connection, workspace: int, stamps: Iterable[int] | None) -> None:
    """Post the vectors with these stamps (None: all of the workspace) again."""
    sql = (
        "INSERT INTO outbox (workspace, recording, stamp, dimensions, gone) "
        "SELECT workspace, vectors.recording, stamp, dimensions, 0 FROM vectors "
        "JOIN recordings ON key = vectors.recording WHERE workspace = ?"
    )
    if stamps is None:
        connection.execute(f"{sql} ORDER BY key", (workspace,))
    else:
        connection.executemany(f"{sql} AND stamp = ?", [(workspace, stamp) for stamp in stamps])


def read_lines(connection: Connection, workspace: int) -> list[Line]:
    """Return the oldest lines, as many as are applied together."""
    rows = connection.execute(
        "SELECT number, recording, stamp, dimensions, gone FROM outbox WHERE workspace = ? "
        "ORDER BY number LIMIT ?",
        (workspace, _AT_ONCE),
    )
    return [Line(number, key, stamp, size, bool(gone)) for number, key, stamp, size, gone in rows]


def late_recordings(connection: Connection, workspace: int) -> list[int]:
    """Return the keys of the recordings whose points may be missing because some of their lines wait."""
    sql = "SELECT DISTINCT recording FROM outbox WHERE workspace = ? AND gone = 0"
    return [key for (key,) in connection.execute(sql, (workspace,))]


def delete_lines(connection: Connection, lines: Sequence[Line]) -> None:
    """Delete lines that were applied."""
    connection.executemany("DELETE FROM outbox WHERE number = ?", [(line.number,) for line in lines])


def read_collections(connection: Connection) -> list[tuple[str, str, str]]:
    """Return name, collection and tenant of each workspace with an index outside the database."""
    sql = "SELECT name, collection, tenant FROM workspaces WHERE collection IS NOT NULL"
    return connection.execute(sql).fetchall()  # type: ignore[no-any-return]


def restore_collections(connection: Connection, collections: Iterable[tuple[str, str, str]]) -> None:
    """Give the workspaces their collections back after a backup has replaced the whole archive.

    The backup may come from another archive. All vectors are posted; until they are written, searches read
    them from the archive.
    """
    connection.execute("UPDATE workspaces SET collection = NULL, tenant = NULL")
    connection.execute("DELETE FROM outbox")
    for name, collection, tenant in collections:
        sql = "UPDATE workspaces SET collection = ?, tenant = ? WHERE name = ? RETURNING id"
        for (workspace,) in connection.execute(sql, (collection, tenant, name)).fetchall():
            repost(connection, workspace, stamps=None)
