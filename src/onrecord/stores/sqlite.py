"""The embedded store: an archive in one SQLite file."""

from __future__ import annotations

from pathlib import Path

from onrecord.stores.connections import SqliteDatabase
from onrecord.stores.database import Neighbours
from onrecord.stores.file import ArchiveFile
from onrecord.stores.sql import SqlStore


class SqliteStore(SqlStore):
    """See `onrecord.stores.base.Store`. A writer waits `patience` seconds for others, then raises
    LockedError."""

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
