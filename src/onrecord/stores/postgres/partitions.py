"""Tables partitioned by workspace, whose number is the upper part of their keys and rows.

The key of a recording is its number plus `RECORDINGS` times its workspace. Its passages have the rows from
`PASSAGES` times the key on. So a workspace is a range of keys and rows, and the server prunes a query that
names a key or a row to one partition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from onrecord.errors import StoreError
from onrecord.stores.postgres.connection import OWN_TABLE

if TYPE_CHECKING:
    from onrecord.stores.database import Connection
    from onrecord.stores.postgres.connection import Raw

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


def partition_tables(raw: Raw) -> None:
    """Partition the tables of an archive that stores the recordings of all workspaces together. A migration.

    Their rows stay where they are, in a partition below those of all workspaces, until a recording is added
    again. Only the words move.
    """
    raw.execute("ALTER SEQUENCE row_blocks RENAME TO recording_numbers")
    numbered = "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attidentity <> ''"
    for table in ("recordings", *PARTITIONED):  # a partition may not have an identity column
        for (column,) in raw.execute(numbered, (table,)).fetchall():
            raw.execute(f'ALTER TABLE {table} ALTER COLUMN "{column}" DROP IDENTITY')
    raw.execute("CREATE SEQUENCE relation_numbers")
    raw.execute("SELECT setval('relation_numbers', 1 + coalesce(max(id), 0)) FROM graph_relations")
    raw.execute("ALTER TABLE graph_relations ALTER COLUMN id SET DEFAULT nextval('relation_numbers')")
    empty = _first_row(raw, "SELECT NOT EXISTS (SELECT FROM recordings)")[0]
    for table, (_, width) in PARTITIONED.items():
        _replace_by_partitioned(raw, table)
        if empty:
            raw.execute(f"DROP TABLE {table}_before")
        elif table != "words":
            raw.execute(
                f"ALTER TABLE {table} ATTACH PARTITION {table}_before FOR VALUES FROM (MINVALUE) TO ({width})"
            )
    for (workspace,) in raw.execute("SELECT id FROM workspaces").fetchall():
        for statement in partition_statements(workspace):
            raw.execute(statement)
    if not empty:
        raw.execute("INSERT INTO words SELECT * FROM words_before")
        raw.execute("DROP TABLE words_before")


def _replace_by_partitioned(raw: Raw, table: str) -> None:
    """Rename a table to ``..._before``, and create a partitioned one with its columns, key and indexes."""
    column, _ = PARTITIONED[table]
    indexes = raw.execute(
        "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema AND tablename = %s "
        "AND indexname <> %s",
        (table, f"{table}_pkey"),
    ).fetchall()
    sql = (
        "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = %s::regclass AND contype = 'p'"
    )
    key = str(_first_row(raw, sql, table)[0])
    if column not in key:  # the key of a partitioned table must contain the column
        raw.execute(f"ALTER TABLE {table} DROP CONSTRAINT {table}_pkey")
        key = key.replace(")", f", {column})")
    raw.execute(f"ALTER TABLE {table} RENAME TO {table}_before")
    for name, _ in indexes:
        raw.execute(f"ALTER INDEX {name} RENAME TO {name}_before")
    raw.execute(
        f"CREATE TABLE {table} (LIKE {table}_before INCLUDING DEFAULTS INCLUDING STORAGE) "
        f'PARTITION BY RANGE ("{column}")'
    )
    raw.execute(f"ALTER TABLE {table} ADD {key}")
    for _, definition in indexes:
        raw.execute(definition)


def _name(table: str, workspace: int) -> str:
    return f"{table}_{int(workspace)}"


def _first_row(raw: Raw, sql: str, *values: str) -> tuple[Any, ...]:
    row = raw.execute(sql, values).fetchone()
    assert row is not None  # noqa: S101 - each of the statements returns one
    return row
