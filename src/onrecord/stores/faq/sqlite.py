"""The FAQ of one workspace in an archive file."""

from __future__ import annotations

from pathlib import Path

from onrecord.stores.faq.sql import SqlFaqStore
from onrecord.stores.file import ArchiveFile
from onrecord.stores.sqlite import SqliteDatabase


class SqliteFaqStore(SqlFaqStore):
    """See `onrecord.stores.faq.base.FaqStore`."""

    def __init__(
        self, path: str | Path, workspace: str = "default", *, read_only: bool = False, patience: float = 10.0
    ) -> None:
        file = ArchiveFile(Path(path), read_only=read_only, patience=patience)
        super().__init__(SqliteDatabase(file), workspace)
