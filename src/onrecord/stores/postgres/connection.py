"""A pooled connection to a PostgreSQL server, used for one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import lru_cache
from threading import RLock
from typing import Any, Protocol

import psycopg

Raw = psycopg.Connection[tuple[Any, ...]]
Rows = psycopg.Cursor[tuple[Any, ...]]
CONNECT: dict[str, Any] = {
    "autocommit": True,
    "connect_timeout": 10,
    "application_name": "onrecord",
    "client_encoding": "utf8",  # takes precedence over PGCLIENTENCODING
}
"""Options of every connection."""
OWN_TABLE = "to_regclass(quote_ident(current_schema()) || '.' || ?)"
"""SQL for the archive's own table or index with a name.

The search path also contains `public`, where another archive may have a table with that name.
"""


class Lender(Protocol):
    """A pool of connections. `trips` counts the round trips to the server that a caller waited for."""

    trips: int

    def lend(self) -> Raw:
        """Take a connection from the pool."""
        ...

    def lend_anew(self, broken: Raw) -> Raw:
        """Take another connection in place of one that broke while it was idle."""
        ...

    def types(self, connection: PostgresConnection, table: str) -> dict[str, int]:
        """Return the types of a table's columns, by name."""
        ...


class PostgresConnection:
    """A connection in a transaction: see `stores.database.Connection`.

    The transaction begins with the first statement, in the same round trip. If the server was restarted
    before that, the transaction begins on another connection.
    """

    def __init__(self, lender: Lender, begin: Sequence[str]) -> None:
        self._lender, self._begin = lender, list(begin)
        self._ahead: list[_Statement] = []
        self.raw = lender.lend()
        self._lock = RLock()

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Rows:
        statement = _Statement(sql, values)
        with self._lock:
            ahead, self._ahead = self._ahead, []
            if not self._begin:
                self._lender.trips += 1
                return self._send(statement, ahead)
            try:
                return self._started(statement, ahead)
            except psycopg.OperationalError:
                if not self.raw.broken:
                    raise
                self.raw = self._lender.lend_anew(self.raw)
                return self._started(statement, ahead)

    def execute_ahead(self, sql: str, values: Sequence[Any], /) -> Callable[[], Rows]:
        """Send a statement along with the next one, in the same round trip.

        Return a function that returns the rows of this statement, once the next one was executed.
        """
        statement = _Statement(sql, values)
        self._ahead.append(statement)
        return lambda: statement.rows

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> None:
        self.start()
        with self._lock, self.raw.cursor() as cursor:
            self._lender.trips += 1
            cursor.executemany(_marks(sql), rows)

    def insert(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], /) -> None:
        self.start()
        types = self._lender.types(self, table)
        names = ", ".join(f'"{column}"' for column in columns)
        with self._lock, self.raw.cursor() as cursor:
            self._lender.trips += 1
            with cursor.copy(f"COPY {table} ({names}) FROM STDIN (FORMAT BINARY)") as copy:
                copy.set_types([types[column] for column in columns])
                for row in rows:
                    copy.write_row(row)

    def copy_in(self, statement: str, data: bytes) -> None:
        """Copy data in that is already in PostgreSQL's binary format."""
        with self._lock, self.raw.cursor() as cursor:
            self._lender.trips += 1
            with cursor.copy(statement) as copy:
                copy.write(data)

    def stream(self, sql: str, kinds: Sequence[str], values: Sequence[int]) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query, by binary COPY: they need not fit into memory."""
        self.start()
        for value in values:
            sql = sql.replace("?", str(int(value)), 1)
        with self._lock, self.raw.cursor() as cursor:
            self._lender.trips += 1
            with cursor.copy(f"COPY ({sql}) TO STDOUT (FORMAT BINARY)") as copy:
                copy.set_types(kinds)
                yield from copy.rows()

    def start(self) -> None:
        """Begin the transaction, unless it has begun."""
        if self._begin:
            self.execute("SELECT 1")

    def _started(self, statement: _Statement, ahead: Sequence[_Statement]) -> Rows:
        self._lender.trips += 1
        with self.raw.pipeline():
            for begin in self._begin:
                self.raw.execute(begin)
            rows = self._send(statement, ahead)
        self._begin = []
        return rows

    def _send(self, statement: _Statement, ahead: Sequence[_Statement]) -> Rows:
        """Send statements together. Return the rows of the first one."""
        with self.raw.pipeline() if ahead else nullcontext():
            for each in (statement, *ahead):
                each.rows = self.raw.execute(_marks(each.sql), each.values, binary=True)
        return statement.rows


@dataclass(slots=True)
class _Statement:
    """A statement, and its rows after it was sent."""

    sql: str
    values: Sequence[Any]
    rows: Rows = field(init=False)


@lru_cache(512)
def _marks(sql: str) -> str:
    return sql.replace("%", "%%").replace("?", "%s")
