"""Tables partitioned by workspace, whose number is the upper part of their keys and rows.

The key of a recording is its number plus `RECORDINGS` times its workspace. Its passages have the rows from
`PASSAGES` times the key on. So a workspace is a range of keys and rows, and the server prunes a query that
names a key or a row to one partition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from onrecord.errors import StoreError
from onrecord.stores.postgres.connection import OWN_TABLE

if TYPE_CHECKING:
    from onrecord.stores.database import Connection

PASSAGES = 1 << 20
"""Number of rows reserved for a recording."""
RECORDINGS = 1 << 26
"""Number of keys reserved for a workspace."""
WORKSPACES = (1 << 17) - 2
"""Most workspaces of an archive, so that the last row fits into 63 bits."""

PARTITIONED = {
    "passages": ("row", RECORDINGS * PASSAGES),
    "words": ("workspace", 1),
    **dict.fromkeys(
        (
            *("labels", "sections", "vectors"),
            *("graph_recordings", "graph_mentions", "graph_relations", "graph_readings"),
        ),
        ("recording", RECORDINGS),
    ),
}
"""For each table, the column by which it is partitioned, and the number of its values for one workspace."""


def reserve(connection: Connection, workspace: int, passages: int) -> tuple[int, int]:
    """Reserve the key of a recording and the rows of its passages, and return the key and the first row.

    The first recording of a workspace creates its partitions. Raises StoreError above one of the limits.
    """
    if passages > PASSAGES:
        raise StoreError(f"a recording of {passages} passages is too long: at most {PASSAGES} are stored")
    if workspace > WORKSPACES:
        raise StoreError(f"an archive on a server takes at most {WORKSPACES} workspaces")
    sql = f"SELECT nextval('recording_numbers'), {OWN_TABLE}"
    number, partition = connection.execute(sql, (_name("passages", workspace),)).fetchone()
    if number >= RECORDINGS:
        raise StoreError(
            f"recordings were added or replaced {RECORDINGS} times: copy the archive to a new schema"
        )
    if partition is None:
        for statement in partition_statements(workspace):
            connection.execute(statement)
    key = workspace * RECORDINGS + number
    return key, key * PASSAGES


def partition_statements(workspace: int) -> list[str]:
    """Return the statements that create the partitions of a workspace.

    A table is attached as a partition, because that blocks only other attachments. Creating it as a partition
    would wait for all readers.
    """
    statements = []
    for table, (_, width) in PARTITIONED.items():
        name, first = _name(table, workspace), int(workspace) * width
        statements += [
            f"CREATE TABLE {name} (LIKE {table} INCLUDING DEFAULTS INCLUDING STORAGE INCLUDING INDEXES)",
            f"ALTER TABLE {table} ATTACH PARTITION {name} FOR VALUES FROM ({first}) TO ({first + width})",
        ]
    return statements


def _name(table: str, workspace: int) -> str:
    return f"{table}_{int(workspace)}"
