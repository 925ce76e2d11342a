"""Opening a store by its address."""

from __future__ import annotations

import re
from contextlib import closing
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

from onrecord.errors import SettingError
from onrecord.stores.base import Store

if TYPE_CHECKING:
    from onrecord.stores.faq import FaqStore
    from onrecord.stores.ledger import LedgerStore

_KNOWN = "the path of a file or sqlite:///PATH"


def open_store(
    url: str | PathLike[str], workspace: str = "default", *, read_only: bool = False, make: bool = True
) -> Store:
    """The store at a path, or at an address: ``talks.db``, ``sqlite:///talks.db``, ``sqlite:////var/talks.db``.

    A file that is not there is made by what is first written to it, unless `read_only` or not `make`. Raises
    SettingError for an unknown kind of address, and StoreError or NotFoundError for a file that cannot be
    opened.
    """
    path = _file(url)
    from onrecord.stores.file import check
    from onrecord.stores.sqlite import SqliteStore

    if not make:
        check(Path(path), read_only=True)
    return SqliteStore(path, workspace, read_only=read_only)


def open_faq_store(url: str | PathLike[str], workspace: str = "default") -> FaqStore:
    """The FAQ of a workspace, kept in the same archive as its recordings."""
    from onrecord.stores.faq.sqlite import SqliteFaqStore

    return SqliteFaqStore(_file(url), workspace)


def open_ledger(url: str | PathLike[str], workspace: str = "default") -> LedgerStore:
    """What is kept of the use of a workspace, in the same archive as its recordings."""
    from onrecord.stores.connections import SqliteDatabase
    from onrecord.stores.file import ArchiveFile
    from onrecord.stores.ledger import LedgerStore

    return LedgerStore(SqliteDatabase(ArchiveFile(Path(_file(url)))), workspace)


def workspaces(url: str | PathLike[str]) -> list[str]:
    """The names of all workspaces in an archive, of recordings or of a FAQ, in order. For whoever has the
    whole file before them, never for those who may see one workspace."""
    from onrecord.stores.file import ArchiveFile

    file = ArchiveFile(Path(_file(url)))
    with closing(file.open()) as connection, file.problems("read"):
        found = connection.execute("SELECT name FROM workspaces UNION SELECT name FROM faq_workspaces")
        return sorted(name for (name,) in found)


def _file(url: str | PathLike[str]) -> str:
    """The path that an address means. Raises SettingError for another kind of address."""
    address = fspath(url)
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]{1,40})://", address)
    if scheme and scheme[1].lower() != "sqlite":
        raise SettingError(
            "archive", address, f"{_KNOWN}; postgresql://, qdrant:// and neo4j:// are yet to come"
        )
    path = re.sub(r"^sqlite:///?", "", address, flags=re.IGNORECASE)
    if not path:
        raise SettingError("archive", address, _KNOWN)
    return path
