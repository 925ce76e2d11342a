"""Connections to a PostgreSQL server, transactions on them, and what it does otherwise than SQLite."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import lru_cache
from hashlib import sha256
from threading import RLock
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import errors
from psycopg_pool import ConnectionPool, PoolTimeout

from onrecord.errors import (
    DiskFullError,
    LockedError,
    NewerArchiveError,
    NotAnArchiveError,
    NotFoundError,
    OnRecordError,
    StoreError,
    UnusableError,
)
from onrecord.stores.database import Connection
from onrecord.stores.postgres.address import Address
from onrecord.stores.postgres.nearest import (
    MOST_DIMENSIONS,
    copying,
    making,
    packed,
    query,
    table_of,
    written,
)
from onrecord.stores.postgres.schema import MIGRATIONS
from onrecord.stores.postgres.words import TableWords

if TYPE_CHECKING:
    from onrecord.types import Vector, Vectors

    Raw = psycopg.Connection[tuple[Any, ...]]

OLDEST_SERVER, OLDEST_VECTOR = 14, (0, 8)
"""Versions of PostgreSQL and pgvector below which an archive is not opened: iterative scans came with 0.8."""
BLOCK = 1 << 20
"""Rows that are set aside for a recording."""
_LEAST_PATIENCE = 2.0
"""Seconds that a writer waits at least, if at all: a server is further away than a file."""
_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"


class PostgresConnection:
    """A connection in a transaction: see `stores.database.Connection`. The transaction begins with the first
    statement, in one message; one that finds the server restarted begins anew."""

    def __init__(self, database: PostgresDatabase, begin: Sequence[str]) -> None:
        self._database, self._begin = database, list(begin)
        self.raw = database.lend()
        self._lock = RLock()

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> psycopg.Cursor[tuple[Any, ...]]:
        with self._lock:
            if self._begin:
                return self._first(sql, values)
            self._database.trips += 1
            return self.raw.execute(_marks(sql), values, binary=True)

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> None:
        self.start()
        with self._lock, self.raw.cursor() as cursor:
            self._database.trips += 1
            cursor.executemany(_marks(sql), rows)

    def insert(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], /) -> None:
        self.start()
        types = self._database.types(self, table)
        names = ", ".join(f'"{column}"' for column in columns)
        with self._lock, self.raw.cursor() as cursor:
            self._database.trips += 1
            with cursor.copy(f"COPY {table} ({names}) FROM STDIN (FORMAT BINARY)") as copy:
                copy.set_types([types[column] for column in columns])
                for row in rows:
                    copy.write_row(row)

    def copy_in(self, statement: str, data: bytes) -> None:
        """Copy data that is already in PostgreSQL's binary form."""
        with self._lock, self.raw.cursor() as cursor:
            self._database.trips += 1
            with cursor.copy(statement) as copy:
                copy.write(data)

    def stream(self, sql: str, kinds: Sequence[str], values: Sequence[int]) -> Iterator[tuple[Any, ...]]:
        """The rows of a query one by one, by binary COPY: none waits in memory for the others."""
        self.start()
        for value in values:
            sql = sql.replace("?", str(int(value)), 1)
        with self._lock, self.raw.cursor() as cursor:
            self._database.trips += 1
            with cursor.copy(f"COPY ({sql}) TO STDOUT (FORMAT BINARY)") as copy:
                copy.set_types(kinds)
                yield from copy.rows()

    def start(self) -> None:
        """Begin the transaction, if nothing did yet."""
        if self._begin:
            self.execute("SELECT 1")

    def _first(self, sql: str, values: Sequence[Any]) -> psycopg.Cursor[tuple[Any, ...]]:
        try:
            return self._started(sql, values)
        except psycopg.OperationalError:
            if not self.raw.broken:
                raise
            self.raw = self._database.lend_anew(self.raw)
            return self._started(sql, values)

    def _started(self, sql: str, values: Sequence[Any]) -> psycopg.Cursor[tuple[Any, ...]]:
        self._database.trips += 1
        with self.raw.pipeline():
            for statement in self._begin:
                self.raw.execute(statement)
            cursor = self.raw.execute(_marks(sql), values, binary=True)
        self._begin = []
        return cursor


@lru_cache(512)
def _marks(sql: str) -> str:
    return sql.replace("?", "%s")


class PostgresDatabase:
    """A `stores.database.Database` for one workspace on a server. `exact` is up to how many passages every
    vector is looked at, `indexed` from how many on the nearest passages are found by the index. `trips`
    counts the messages that somebody waited for.

    Writers of a workspace take turns by an advisory lock, as those of a file do.
    """

    def __init__(
        self,
        address: Address,
        workspace: str,
        *,
        make: bool = True,
        read_only: bool = False,
        patience: float = 10.0,
        connections: int = 8,
        exact: int = 200_000,
        indexed: int = 20_000,
    ) -> None:
        self.address, self.patience, self.exact, self.indexed = address, patience, exact, indexed
        self.trips, self.words, self.read_only = 0, TableWords(), read_only
        digest = sha256(f"{address.schema}\0{workspace}".encode("utf-8", "surrogatepass")).digest()
        self._lock_key = int.from_bytes(digest[:8], "big", signed=True)
        self._types: dict[str, dict[str, int]] = {}
        self._tables: set[str] = set()
        self._closed = False
        with self.problems("open"):
            self._prepare(make=make and not read_only)
        logging.getLogger("psycopg").setLevel(logging.ERROR)
        self._pool: ConnectionPool[Raw] = ConnectionPool(
            address.conninfo,
            kwargs={"autocommit": True, "connect_timeout": 10, "application_name": "onrecord"},
            min_size=1,
            max_size=max(connections, 1),
            timeout=patience or 0.1,
            configure=self._configure,
            open=True,
        )
        self._ending = ThreadPoolExecutor(1, "onrecord-snapshot")

    # ---- transactions

    @contextmanager
    def reading(self) -> Iterator[PostgresConnection]:
        with self.problems("read"):
            connection = PostgresConnection(self, [_SNAPSHOT])
            try:
                yield connection
            finally:
                self._end(connection.raw)

    @contextmanager
    def writing(self, doing: str, patience: float | None = None) -> Iterator[PostgresConnection]:
        patience = self.patience if patience is None else patience and max(patience, _LEAST_PATIENCE)
        if self.read_only:
            raise UnusableError(f"cannot {doing} {self.address.shown}: it was opened to be read only")
        with self.problems(doing, patience):
            wait = f"SET LOCAL lock_timeout = {max(int(patience * 1000), 1)}"
            connection = PostgresConnection(self, ["BEGIN", wait])
            try:
                if patience > 0:
                    connection.execute("SELECT pg_advisory_xact_lock(?)", (self._lock_key,))
                elif not _free(connection.execute("SELECT pg_try_advisory_xact_lock(?)", (self._lock_key,))):
                    raise LockedError(f"cannot {doing} {self.address.shown}: others are writing to it")
                yield connection
                connection.execute("COMMIT")
            finally:
                self._end(connection.raw)

    def lend(self) -> Raw:
        """A connection of one's own."""
        if self._closed:
            raise StoreError(f"{self.address.shown} has been closed; open it again")
        return self._pool.getconn()

    def lend_anew(self, broken: Raw) -> Raw:
        """Another one in place of one that broke while it waited."""
        self._pool.putconn(broken)
        self._pool.check()
        return self.lend()

    def _end(self, raw: Raw) -> None:
        """End the transaction, without anybody waiting for it, and take the connection back."""
        if raw.closed or raw.info.transaction_status == psycopg.pq.TransactionStatus.IDLE:
            self._pool.putconn(raw)
            return
        try:
            self._ending.submit(self._roll_back, raw)
        except RuntimeError:  # closed meanwhile
            self._roll_back(raw)

    def _roll_back(self, raw: Raw) -> None:
        with suppress(psycopg.Error):
            raw.execute("ROLLBACK")
        self._pool.putconn(raw)

    def wipe(self) -> None:
        """Nothing: the log of a server is its own."""

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._ending.shutdown()
            self._pool.close()

    # ---- what differs

    def next_row(self, connection: Connection, count: int) -> int:
        if count > BLOCK:
            raise StoreError(f"a recording of {count} passages is too long: at most {BLOCK} are kept")
        return int(connection.execute("SELECT nextval('row_blocks')").fetchone()[0]) * BLOCK

    def size(self, connection: Connection, workspace: int) -> int:
        passages = (
            "SELECT coalesce(sum(length(text) + length(marks)), 0) FROM recordings JOIN passages "
            "ON recording = key WHERE workspace = ?"
        )
        vectors = (
            "SELECT coalesce(sum(length(data)), 0) FROM recordings JOIN vectors ON recording = key "
            "WHERE workspace = ?"
        )
        return sum(int(connection.execute(sql, (workspace,)).fetchone()[0]) for sql in (passages, vectors))

    def set_nearest(
        self, connection: Connection, workspace: int, key: int, first: int, vectors: Vectors | None
    ) -> None:
        assert isinstance(connection, PostgresConnection)  # noqa: S101 - what `writing` gives
        if vectors is None:
            sql = "SELECT dimensions FROM vectors WHERE recording = ?"
            for (dimensions,) in connection.execute(sql, (key,)).fetchall():
                if dimensions <= MOST_DIMENSIONS:
                    table = table_of(workspace, dimensions)
                    connection.execute(f"DELETE FROM {table} WHERE recording = ?", (key,))  # noqa: S608
        elif 0 < vectors.shape[1] <= MOST_DIMENSIONS:
            table = table_of(workspace, vectors.shape[1])
            if table not in self._tables:
                for statement in making(workspace, vectors.shape[1]):
                    connection.execute(statement)
            connection.copy_in(copying(table), packed(key, first, vectors))
            self._tables.add(table)

    def nearest(
        self, connection: Connection, workspace: int, vector: Vector, keys: Sequence[int] | None, most: int
    ) -> list[tuple[Any, ...]]:
        sql = query(workspace, len(vector), filtered=keys is not None)
        given = written(vector)
        values = (given, given, most) if keys is None else (given, list(keys), given, most)
        return connection.execute(sql, values).fetchall()  # type: ignore[no-any-return]

    def types(self, connection: PostgresConnection, table: str) -> dict[str, int]:
        """The types of a table's columns, by name."""
        if table not in self._types:
            sql = (
                "SELECT attname, atttypid::int8 FROM pg_attribute WHERE attrelid = ?::regclass AND attnum > 0"
            )
            self._types[table] = dict(connection.execute(sql, (table,)).fetchall())
        return self._types[table]

    # ---- opening

    def _configure(self, raw: Raw) -> None:
        home = raw.execute(
            "SELECT nspname FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace "
            "WHERE extname = 'vector'"
        ).fetchone()
        raw.execute(f'SET search_path TO "{self.address.schema}", "{home[0] if home else "public"}"')
        if home:
            raw.execute("SELECT '[1]'::vector")  # loads it, so that it knows its settings
            raw.execute("SET hnsw.iterative_scan = strict_order")
            raw.execute("SET hnsw.ef_search = 400")

    def _prepare(self, make: bool) -> None:
        """See that the server can hold an archive, and make its tables or bring them up to date."""
        shown, schema = self.address.shown, self.address.schema
        with psycopg.connect(self.address.conninfo, autocommit=True, connect_timeout=10) as raw:
            check_server(raw, shown, make)
            found = version(raw, schema)
            if found is None and not make:
                raise NotFoundError(f"there is no archive in {shown}; make one with: onrecord add FOLDER")
            if found is not None and found > len(MIGRATIONS):
                raise NewerArchiveError(
                    f"{shown} was written by a newer onrecord (its format is {found}, this version reads up "
                    f"to {len(MIGRATIONS)}); upgrade with: pip install --upgrade onrecord"
                )
            if found is not None and found < len(MIGRATIONS) and not make:
                raise StoreError(f"{shown} was written by an older onrecord; open it once for writing")
            if found is None or found < len(MIGRATIONS):
                self._migrate(raw)

    def _migrate(self, raw: Raw) -> None:
        schema = self.address.schema
        with raw.transaction():
            raw.execute("SELECT pg_advisory_xact_lock(%s)", (sum(map(ord, schema)) + 0x4F4E5245,))
            raw.execute(f'CREATE SCHEMA IF NOT EXISTS "{schema}"')
            raw.execute(f'SET LOCAL search_path TO "{schema}"')
            raw.execute("CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY)")
            for number in range((version(raw, schema) or 0) + 1, len(MIGRATIONS) + 1):
                raw.execute(MIGRATIONS[number - 1])
                raw.execute("INSERT INTO migrations VALUES (%s)", (number,))

    # ---- errors

    @contextmanager
    def problems(self, doing: str, patience: float | None = None) -> Iterator[None]:
        """Turns the server's errors into ours, which name the archive and never its password."""
        shown = self.address.shown
        try:
            yield
        except UnicodeEncodeError as error:
            half = error.object[error.start]
            raise StoreError(
                f"cannot {doing} {shown}: a text holds {half!r}, half a surrogate pair, which no archive can "
                "keep; decode its source properly"
            ) from error
        except PoolTimeout as error:
            raise LockedError(
                f"cannot {doing} {shown}: no connection came free in time, or the server is away; try again, "
                "or raise the setting postgres.connections"
            ) from error
        except psycopg.Error as error:
            raise problem(doing, shown, error, self.patience if patience is None else patience) from error


def problem(doing: str, shown: str, error: psycopg.Error, patience: float) -> OnRecordError:
    """What an error of the server means for whoever uses the archive."""
    said = (error.diag.message_primary or str(error)).strip().splitlines()[0]
    about = f"cannot {doing} {shown}: "
    if isinstance(error, errors.LockNotAvailable | errors.DeadlockDetected):
        return LockedError(
            f"{about}another process has been writing to it for more than {patience:g} s; try again when it "
            "is done"
        )
    if isinstance(error, errors.DiskFull):
        return DiskFullError(
            f"{about}the server's disk is full; nothing was changed; make room and try again"
        )
    if isinstance(error, errors.InsufficientPrivilege):
        return UnusableError(
            f"{about}its user lacks a right ({said}); `onrecord doctor` says which are needed"
        )
    if isinstance(error, errors.UndefinedTable):
        return NotAnArchiveError(f"{about}a table is missing ({said}); was it removed by hand?")
    if isinstance(error, errors.ReadOnlySqlTransaction):
        return UnusableError(f"{about}the server takes no writes ({said}); is it a copy of another one?")
    if isinstance(error, psycopg.DataError) and ("NUL" in said or "0x00" in said):
        return StoreError(f"{about}a text holds a zero character, which PostgreSQL cannot keep")
    if isinstance(error, psycopg.OperationalError):
        return UnusableError(f"{about}the server cannot be reached, or went away ({said})")
    return StoreError(f"{about}{said}")


def check_server(raw: Raw, shown: str, make: bool) -> None:
    """Raises StoreError where the server is too old, or pgvector missing and not to be had."""
    if raw.info.server_version < OLDEST_SERVER * 10_000:
        raise StoreError(
            f"{shown} runs PostgreSQL {raw.info.server_version // 10_000}; onrecord needs {OLDEST_SERVER} or "
            "newer"
        )
    found = extension(raw)
    if found is None and make:
        try:
            raw.execute("CREATE EXTENSION IF NOT EXISTS vector")
        except psycopg.Error as error:
            raise StoreError(
                f"{shown} lacks the extension vector ({(error.diag.message_primary or str(error)).strip()}): "
                "install pgvector 0.8 or newer on the server, then let somebody with the right to run: "
                "CREATE EXTENSION vector"
            ) from error
        found = extension(raw)
    if found is not None and found < OLDEST_VECTOR:
        raise StoreError(
            f"{shown} has pgvector {'.'.join(map(str, found))}; onrecord needs 0.8 or newer: install it, "
            "then run: ALTER EXTENSION vector UPDATE"
        )


def extension(raw: Raw) -> tuple[int, ...] | None:
    """The version of pgvector in the database; None where it is not made."""
    row = raw.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchone()
    return tuple(int(part) for part in row[0].split(".")[:3]) if row else None


def version(raw: Raw, schema: str) -> int | None:
    """How many migrations the archive in a schema has seen; None where there is none."""
    if raw.execute("SELECT to_regclass(%s)", (f"{schema}.migrations",)).fetchone() == (None,):
        return None
    row = raw.execute(f'SELECT max(number) FROM "{schema}".migrations').fetchone()  # noqa: S608
    return row[0] or 0 if row else 0


def _free(cursor: psycopg.Cursor[tuple[Any, ...]]) -> bool:
    row = cursor.fetchone()
    return bool(row and row[0])
