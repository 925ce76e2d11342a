"""The stores in one SQLite file: its pooled connections, and transactions on them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Lock

from onrecord.errors import LockedError, StoreError
from onrecord.stores.database import Connection, Neighbours
from onrecord.stores.faq.sql import SqlFaqStore
from onrecord.stores.file import ArchiveConnection, ArchiveFile
from onrecord.stores.fts import FtsWordIndex
from onrecord.stores.sql import SqlStore


class SqliteDatabase:
    """A `stores.database.Database` in a file.

    It opens as many connections as threads use at the same time, and reuses them. The first writer creates
    the file; a reader never does.
    """

    def __init__(self, file: ArchiveFile) -> None:
        self.file, self.words, self.neighbours = file, FtsWordIndex(), Neighbours()
        self._idle = [file.open()] if file.path.exists() else []
        self._opened = bool(self._idle)
        self._lending, self._writing = Lock(), Lock()
        self._closed = False

    @contextmanager
    def reading(self) -> Iterator[ArchiveConnection]:
        exists = self._opened or self._closed or self.file.path.exists()
        with (
            self.file.translated_errors("read"),
            self._lent() if exists else closing(self.file.blank()) as connection,
        ):
            connection.execute("BEGIN")
            yield connection

    @contextmanager
    def writing(self, doing: str, patience: float | None = None) -> Iterator[ArchiveConnection]:
        patience = self.file.patience if patience is None else patience
        if not self._writing.acquire(timeout=patience):
            raise LockedError(f"cannot {doing} {self.file.path}: another thread is still writing to it")
        try:
            with self.file.translated_errors(doing), self._lent() as connection:
                connection.execute(f"PRAGMA busy_timeout = {int(patience * 1000)}")
                try:
                    connection.execute("BEGIN IMMEDIATE")
                finally:
                    connection.execute(f"PRAGMA busy_timeout = {int(self.file.patience * 1000)}")
                yield connection
                connection.execute("COMMIT")
        finally:
            self._writing.release()

    def reserve(self, connection: Connection, workspace: int, passages: int) -> tuple[int, int]:
        used = dict(connection.execute("SELECT name, seq FROM sqlite_sequence"))
        return used.get("recordings", 0) + 1, used.get("passages", 0) + 1

    def read_sections_ahead(self, connection: Connection, keys: Sequence[int]) -> None:
        return None

    def wipe(self) -> None:
        """Truncate the write-ahead log, which may still contain removed text, unless somebody is reading."""
        with suppress(sqlite3.Error), self._lent() as connection:
            connection.execute("PRAGMA busy_timeout = 0")
            try:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            finally:
                connection.execute(f"PRAGMA busy_timeout = {int(self.file.patience * 1000)}")

    def close(self) -> None:
        """Close idle connections now, and lent connections when they are returned."""
        with self._lending:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    @contextmanager
    def _lent(self) -> Iterator[ArchiveConnection]:
        with self._lending:
            if self._closed:
                raise StoreError(f"{self.file.path} has been closed; open it again")
            connection = self._idle.pop() if self._idle else None
        connection = connection or (self.file.connect() if self._opened else self.file.open())
        self._opened = True
        try:
            yield connection
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            with self._lending:
                closed = self._closed
                if not closed:
                    self._idle.append(connection)
            if closed:
                connection.close()


class SqliteStore(SqlStore):
    """A store in a SQLite file: see `onrecord.stores.base.Store`.

    A writer waits `patience` seconds for others, then raises LockedError.
    """

    def __init__(
        self,
        path: str | Path,
        workspace: str = "default",
        neighbours: Neighbours | None = None,
        *,
        read_only: bool = False,
        patience: float = 10.0,
    ) -> None:
        file = ArchiveFile(Path(path), read_only=read_only, patience=patience)
        super().__init__(SqliteDatabase(file), workspace, neighbours)


class SqliteFaqStore(SqlFaqStore):
    """A FAQ store in a SQLite file: see `onrecord.stores.faq.base.FaqStore`."""

    def __init__(
        self, path: str | Path, workspace: str = "default", *, read_only: bool = False, patience: float = 10.0
    ) -> None:
        file = ArchiveFile(Path(path), read_only=read_only, patience=patience)
        super().__init__(SqliteDatabase(file), workspace)
