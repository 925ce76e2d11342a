"""The stores in PostgreSQL: transactions on a server, and its differences from a file."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import Any

import psycopg
from psycopg_pool import ConnectionPool, PoolTimeout

from onrecord.errors import LockedError, StoreError, UnusableError
from onrecord.stores.database import Connection, Neighbours, half_surrogate
from onrecord.stores.faq.sql import SqlFaqStore
from onrecord.stores.postgres.connection import CONNECT, PostgresConnection, Raw
from onrecord.stores.postgres.nearest import HnswTables
from onrecord.stores.postgres.partitions import reserve
from onrecord.stores.postgres.server import Address, address, prepare, translate_error
from onrecord.stores.postgres.words import TableWordIndex
from onrecord.stores.records import SECTIONS
from onrecord.stores.sql import SqlStore
from onrecord.types import Section

_LEAST_PATIENCE = 2.0
"""Shortest time in seconds that a writer waits, if it waits: a server responds more slowly than a file."""
_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"


class PostgresDatabase:
    """A `stores.database.Database` for one workspace on a server.

    Up to `exact` passages, memory holds all vectors and scores them; from `indexed` passages on, the index is
    searched for the nearest. `trips` counts the round trips that a caller waited for. Writers of a workspace
    take turns by an advisory lock, as those of a file do.
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
        exact: int = 1_000_000,
        indexed: int = 20_000,
    ) -> None:
        self.address, self.patience, self.read_only = address, patience, read_only
        self.words, self.neighbours = TableWordIndex(), HnswTables(exact, indexed)
        self.trips = 0
        digest = sha256(f"{address.schema}\0{workspace}".encode("utf-8", "surrogatepass")).digest()
        self._lock_key = int.from_bytes(digest[:8], "big", signed=True)
        self._types: dict[str, dict[str, int]] = {}
        self._closed = False
        with self.translated_errors("open"), psycopg.connect(address.conninfo, **CONNECT) as raw:
            prepare(raw, address, make=make and not read_only)
        logging.getLogger("psycopg").setLevel(logging.ERROR)
        self._pool: ConnectionPool[Raw] = ConnectionPool(
            address.conninfo,
            kwargs=CONNECT,
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
        with self.translated_errors("read"):
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
        with self.translated_errors(doing, patience):
            wait = f"SET LOCAL lock_timeout = {max(int(patience * 1000), 1)}"
            connection = PostgresConnection(self, ["BEGIN", wait])
            try:
                if patience > 0:
                    connection.execute("SELECT pg_advisory_xact_lock(?)", (self._lock_key,))
                else:
                    sql = "SELECT pg_try_advisory_xact_lock(?)"
                    if connection.execute(sql, (self._lock_key,)).fetchone() != (True,):
                        raise LockedError(f"cannot {doing} {self.address.shown}: others are writing to it")
                yield connection
                connection.execute("COMMIT")
            finally:
                self._end(connection.raw)

    def lend(self) -> Raw:
        """Take a connection from the pool."""
        if self._closed:
            raise StoreError(f"{self.address.shown} has been closed; open it again")
        return self._pool.getconn()

    def lend_anew(self, broken: Raw) -> Raw:
        """Take another connection in place of one that broke while it was idle."""
        self._pool.putconn(broken)
        self._pool.check()
        return self.lend()

    def _end(self, raw: Raw) -> None:
        """End the transaction in the background and return the connection to the pool."""
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
        """Do nothing: the log belongs to the server."""

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._ending.shutdown()
            self._pool.close()

    # ---- differences from a file

    def reserve(self, connection: Connection, workspace: int, passages: int) -> tuple[int, int]:
        return reserve(connection, workspace, passages)

    def read_sections_ahead(
        self, connection: Connection, keys: Sequence[int]
    ) -> Callable[[], Mapping[int, list[Section]]]:
        assert isinstance(connection, PostgresConnection)  # noqa: S101 - `reading` yields this type
        sql = (
            f"SELECT recording, {SECTIONS} FROM sections WHERE recording = ANY(?) ORDER BY recording, number"  # noqa: S608 - our columns
        )
        rows = connection.execute_ahead(sql, (list(keys),))

        def by_recording() -> Mapping[int, list[Section]]:
            sections: dict[int, list[Section]] = {key: [] for key in keys}
            for key, *values in rows():
                sections[key].append(Section(*values))
            return sections

        return by_recording

    def types(self, connection: PostgresConnection, table: str) -> dict[str, int]:
        """Return the types of a table's columns, by name."""
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
            raw.execute("SELECT '[1]'::vector")  # loads pgvector, so that the server knows its settings
            raw.execute("SET hnsw.iterative_scan = strict_order")
            raw.execute("SET hnsw.ef_search = 400")

    # ---- errors

    @contextmanager
    def translated_errors(self, doing: str, patience: float | None = None) -> Iterator[None]:
        """Translate the server's errors into errors of this package, which name the archive.

        The message never contains the password.
        """
        shown = self.address.shown
        try:
            yield
        except UnicodeEncodeError as error:
            raise half_surrogate(doing, shown, error) from error
        except PoolTimeout as error:
            raise LockedError(
                f"cannot {doing} {shown}: no connection came free in time, or the server is away; try again, "
                "or raise the setting postgres.connections"
            ) from error
        except psycopg.Error as error:
            raise translate_error(
                doing, shown, error, self.patience if patience is None else patience
            ) from error


class PostgresStore(SqlStore):
    """A store on a server: see `onrecord.stores.base.Store`. `options` are those of `PostgresDatabase`."""

    def __init__(
        self, url: str, workspace: str = "default", neighbours: Neighbours | None = None, **options: Any
    ) -> None:
        super().__init__(PostgresDatabase(address(url), workspace, **options), workspace, neighbours)


class PostgresFaqStore(SqlFaqStore):
    """A FAQ store on a server: see `onrecord.stores.faq.base.FaqStore`.

    `options` are those of `PostgresDatabase`.
    """

    def __init__(self, url: str, workspace: str = "default", **options: Any) -> None:
        database = PostgresDatabase(address(url), workspace, **{"connections": 4, **options})
        super().__init__(database, workspace)


def workspaces_of(url: str) -> list[str]:
    """Return the sorted names of all workspaces of an archive, with recordings or a FAQ."""
    database = PostgresDatabase(address(url), "", make=False, connections=1)
    try:
        with database.reading() as connection:
            names = connection.execute("SELECT name FROM workspaces UNION SELECT name FROM faq_workspaces")
            return sorted(name for (name,) in names.fetchall())
    finally:
        database.close()
