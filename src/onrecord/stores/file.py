"""The archive file: opening it, leaving other programs' files untouched, and explaining errors."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from onrecord.errors import NotAnArchiveError, NotFoundError, OnRecordError, StoreError, UnusableError
from onrecord.stores.database import check_format, disk_full, half_surrogate, locked
from onrecord.stores.schema import APPLICATION_ID, FIRST, MIGRATIONS, formats, migrate, version

_MAGIC = b"SQLite format 3\x00"
"""The first bytes of a SQLite file."""
_CACHE_KIB = 4 * 1024
"""SQLite's page cache for each connection, in KiB."""
_CHECKPOINT_PAGES = 4000
"""Pages of the write-ahead log after which SQLite checkpoints it."""


class ArchiveConnection(sqlite3.Connection):
    """A connection to an archive file: see `stores.database.Connection`."""

    def insert(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        names = ", ".join(f'"{column}"' for column in columns)
        marks = ", ".join("?" * len(columns))
        sql = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608 - no value is in it
        self.executemany(sql, rows)

    def stream(self, sql: str, kinds: Sequence[str], values: Sequence[int]) -> Iterable[Sequence[Any]]:
        return self.execute(sql, values)


class ArchiveFile:
    """A file that is an archive, or becomes one at the first write.

    `patience` is the time in seconds to wait for other writers.
    """

    def __init__(self, path: Path, *, read_only: bool = False, patience: float = 10.0) -> None:
        self.path, self.patience = path, patience
        check(path, read_only=read_only)
        self.read_only = read_only or (path.exists() and not os.access(path, os.W_OK))

    def open(self) -> ArchiveConnection:
        """Open the first connection. Create the tables, or update them."""
        with self.translated_errors("open"):
            connection = self.connect()
            try:
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise
            return connection

    def blank(self) -> ArchiveConnection:
        """Return a connection to an empty archive in memory, for reading before the file exists."""
        connection = sqlite3.connect(
            ":memory:", isolation_level=None, check_same_thread=False, factory=ArchiveConnection
        )
        migrate(connection, MIGRATIONS)
        return connection

    def connect(self) -> ArchiveConnection:
        """Open a connection that any thread may use. The caller begins transactions."""
        mode = "rwc"
        if self.read_only:
            log = self.path.with_name(self.path.name + "-wal")
            # On read-only media, SQLite reads a file only if the address says that the file does not change.
            # Elsewhere, another process may remove the log at any time.
            fixed = not os.access(self.path.parent, os.W_OK) and not (log.exists() and log.stat().st_size)
            mode = "ro&immutable=1" if fixed else "ro"
        connection = sqlite3.connect(
            f"{self.path.absolute().as_uri()}?mode={mode}",
            uri=True,
            timeout=self.patience,
            isolation_level=None,
            check_same_thread=False,
            factory=ArchiveConnection,
        )
        connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
        return connection

    @contextmanager
    def translated_errors(self, doing: str, name: str | Path = "") -> Iterator[None]:
        """Translate SQLite's errors into errors of this package, which name the file (as `name` if set)."""
        archive = str(name or self.path)
        try:
            yield
        except UnicodeEncodeError as error:
            raise half_surrogate(doing, archive, error) from error
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code == sqlite3.SQLITE_BUSY:
                raise locked(doing, archive, self.patience) from error
            if code == sqlite3.SQLITE_FULL:
                raise disk_full(doing, archive) from error
            kind, reason = _ERRORS.get(code, (StoreError, "{error}"))
            raise kind(f"cannot {doing} {archive}: {reason.format(error=error)}") from error

    def _prepare(self, connection: sqlite3.Connection) -> None:
        format_version, readable = version(connection), formats(FIRST, MIGRATIONS)
        if format_version:
            check_format(str(self.path), format_version, readable)
        if self.read_only:
            if format_version < readable[-1]:
                raise StoreError(
                    f"{self.path} was written by an older onrecord and cannot be brought up to date while it "
                    "is read-only; open it once for writing"
                )
            return
        migrate(connection, MIGRATIONS)
        with suppress(sqlite3.OperationalError):  # another process has it open: a later opening sets it
            connection.execute("PRAGMA journal_mode = WAL")


_ERRORS: dict[int, tuple[type[OnRecordError], str]] = {
    sqlite3.SQLITE_NOTADB: (NotAnArchiveError, "it is not an onrecord archive"),
    sqlite3.SQLITE_READONLY: (UnusableError, "it may only be read: allow writing to the file and its folder"),
    sqlite3.SQLITE_IOERR: (UnusableError, "reading or writing failed ({error}); is the disk all right?"),
    sqlite3.SQLITE_CANTOPEN: (UnusableError, "it or its folder cannot be opened ({error})"),
    sqlite3.SQLITE_CORRUPT: (
        UnusableError,
        "the file is damaged ({error}); restore it from a copy, or add anew",
    ),
}


def check(path: Path, *, read_only: bool) -> None:
    """Raise an error if the path cannot be an archive. Change nothing."""
    if path.is_dir():
        raise NotAnArchiveError(
            f"{path} is a folder, not an onrecord archive; name a file in it, such as talks.db"
        )
    if not path.exists() and read_only:
        raise NotFoundError(
            f"there is no archive {path}; make one with: onrecord add FOLDER (a FAQ: onrecord faq add FILE)"
        )
    if not path.parent.is_dir():
        raise NotFoundError(f"cannot open {path}: there is no folder {path.parent}; make it first")
    if not path.exists():
        if not os.access(path.parent, os.W_OK):
            raise UnusableError(f"cannot make {path}: the folder {path.parent} cannot be written")
        return
    head = _head(path)
    database = head.startswith(_MAGIC)
    if database and head[68:72] == APPLICATION_ID.to_bytes(4, "big"):
        return
    if head or read_only:
        kind = "a database of another program" if database else "some other file" if head else "empty"
        raise NotAnArchiveError(f"{path} is not an onrecord archive but {kind}; it was left as it is")


def is_database(path: Path) -> bool:
    """Return whether a path is a file that SQLite wrote: an archive, or a database of another program."""
    return path.is_file() and _head(path).startswith(_MAGIC)


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(100)
    except OSError as error:
        raise StoreError(f"cannot open {path}: {error.strerror}") from error
