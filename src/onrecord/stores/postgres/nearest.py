"""The index of nearest neighbors in PostgreSQL: HNSW of pgvector, over vectors in half precision.

Each workspace and vector length has a table, so that a search stays within the workspace. Vectors have unit
length, so the inner product is the cosine. HNSW: Malkov and Yashunin, Efficient and robust approximate
nearest neighbor search using hierarchical navigable small world graphs, 2018.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from onrecord.stores.database import Connection, Neighbours, Search
from onrecord.stores.postgres.connection import OWN_TABLE, PostgresConnection
from onrecord.stores.records import PASSAGE, SECTIONS

if TYPE_CHECKING:
    from onrecord.types import Vector, Vectors

MOST_DIMENSIONS = 4000
"""Most dimensions that HNSW accepts in half precision. Longer vectors are not indexed."""
_ROW_BYTES = 60
"""Approximate bytes of a row of such a table, without its vector."""
_WITH_SECTIONS = 50
"""Passages, the nearest first, for which a search also returns the sections of their recordings."""
_SIGNATURE = b"PGCOPY\n\xff\r\n\0" + bytes(8)


def table_of(workspace: int, dimensions: int) -> str:
    """Return the name of the table for a workspace and a vector length."""
    return f"nearest_{int(workspace)}_{int(dimensions)}"


def pack_rows(key: int, first: int, vectors: Vectors) -> bytes:
    """Return rows in PostgreSQL's binary format: the number of fields, and each field after its length."""
    count, dimensions = vectors.shape
    fields = [("fields", ">i2"), ("l1", ">i4"), ("row", ">i8"), ("l2", ">i4"), ("recording", ">i8")]
    fields += [("l3", ">i4"), ("dimensions", ">i2"), ("unused", ">i2")]
    rows = np.zeros(count, np.dtype([*fields, ("vector", ">f2", (dimensions,))]))
    rows["fields"], rows["l1"], rows["l2"], rows["l3"] = 3, 8, 8, 4 + 2 * dimensions
    rows["row"], rows["recording"] = np.arange(first, first + count), key
    rows["dimensions"], rows["vector"] = dimensions, vectors
    return _SIGNATURE + rows.tobytes() + b"\xff\xff"


def nearest_statement(workspace: int, dimensions: int, *, filtered: bool) -> str:
    """Return the SQL for the rows nearest to a vector, best first, with products and columns of passages.

    The first row of a recording also has its sections, which an answer names, so they take no extra round
    trip. The values of the statement are the vector, the keys of recordings if `filtered`, the vector again,
    and the number of rows. The order is by the distance alone, because the index would not be used otherwise.
    If `filtered`, pgvector reads on until there are enough rows (`hnsw.iterative_scan`).
    """
    name, kind = table_of(workspace, dimensions), f"halfvec({int(dimensions)})"
    columns = ", ".join(f'passages."{column}"' for column in ("row", *PASSAGE))
    first_of_recording = (
        "row_number() OVER (PARTITION BY passages.recording ORDER BY product DESC) = 1 "
        f"AND row_number() OVER (ORDER BY product DESC) <= {_WITH_SECTIONS}"
    )
    sections = (
        f"(SELECT coalesce(json_agg(json_build_array({SECTIONS}) ORDER BY number), '[]') FROM sections "  # noqa: S608 - ours
        "WHERE sections.recording = passages.recording)"
    )
    where = "WHERE recording = ANY(?) " if filtered else ""
    near = (
        f'SELECT "row" AS place, -(vector <#> ?::{kind}) AS product FROM {name} {where}'  # noqa: S608 - ours
        f"ORDER BY vector <#> ?::{kind} LIMIT ?"
    )
    return (
        f"SELECT product, {columns}, CASE WHEN {first_of_recording} THEN {sections} END "  # noqa: S608
        f'FROM ({near}) AS near JOIN passages ON passages."row" = place '
        'ORDER BY product DESC, passages."row"'
    )


def as_text(vector: Vector) -> str:
    """Return a vector in pgvector's text format."""
    return "[" + ",".join(f"{number:.6g}" for number in vector.tolist()) + "]"


class HnswTables(Neighbours):
    """The index of nearest neighbors on a server; `exact` and `indexed` as in `PostgresDatabase`.

    A table gets its index once it has about `indexed` rows: below that number, it is not searched.
    """

    most_dimensions = MOST_DIMENSIONS

    def __init__(self, exact: int, indexed: int) -> None:
        self.exact, self.indexed = exact, indexed

    def replace(
        self, connection: Connection, workspace: int, key: int, first: int, vectors: Vectors | None
    ) -> None:
        if vectors is None:
            sql = "SELECT dimensions FROM vectors WHERE recording = ?"
            for (dimensions,) in connection.execute(sql, (key,)).fetchall():
                table = table_of(workspace, dimensions)
                if connection.execute(f"SELECT {OWN_TABLE}", (table,)).fetchone()[0]:
                    connection.execute(f"DELETE FROM {table} WHERE recording = ?", (key,))  # noqa: S608
        elif 0 < vectors.shape[1] <= MOST_DIMENSIONS:
            self._insert(connection, table_of(workspace, vectors.shape[1]), key, first, vectors)

    def _insert(self, connection: Connection, table: str, key: int, first: int, vectors: Vectors) -> None:
        sql = f"SELECT pg_relation_size({OWN_TABLE}), {OWN_TABLE}"
        size, index = connection.execute(sql, (table, f"{table}_by_vector")).fetchone()
        if size is None:
            connection.execute(
                f'CREATE TABLE IF NOT EXISTS {table} ("row" BIGINT PRIMARY KEY, recording BIGINT NOT NULL, '
                f"vector halfvec({vectors.shape[1]}) NOT NULL)"
            )
            connection.execute(f"CREATE INDEX IF NOT EXISTS {table}_of_recording ON {table} (recording)")
        assert isinstance(connection, PostgresConnection)  # noqa: S101 - `writing` yields this type
        sql = f'COPY {table} ("row", recording, vector) FROM STDIN (FORMAT BINARY)'
        connection.copy_in(sql, pack_rows(key, first, vectors))
        rows = (size or 0) // (2 * vectors.shape[1] + _ROW_BYTES) + len(vectors)
        if index is None and rows >= self.indexed:
            # Building the index from many rows is several times faster than adding rows one by one.
            sql = (
                f"CREATE INDEX IF NOT EXISTS {table}_by_vector ON {table} USING hnsw (vector halfvec_ip_ops)"
            )
            connection.execute(sql)

    def nearest(self, connection: Connection, search: Search) -> list[tuple[Any, ...]]:
        sql = nearest_statement(search.workspace, search.dimensions, filtered=search.keys is not None)
        text = as_text(cast("Vector", search.query))
        among = [] if search.keys is None else [list(search.keys)]
        values = (text, *among, text, search.most)
        return connection.execute(sql, values).fetchall()  # type: ignore[no-any-return]
