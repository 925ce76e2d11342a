"""Opening a store by its address."""

from __future__ import annotations

import re
from os import PathLike, fspath
from pathlib import Path

from onrecord.errors import SettingError
from onrecord.stores.base import Store

_KNOWN = "the path of a file or sqlite:///PATH"


def open_store(
    url: str | PathLike[str], workspace: str = "default", *, read_only: bool = False, make: bool = True
) -> Store:
    """The store at a path, or at an address: ``talks.db``, ``sqlite:///talks.db``, ``sqlite:////var/talks.db``.

    A file that is not there is made, unless `read_only` or not `make`. Raises SettingError for an unknown
    kind of address, and StoreError or NotFoundError for a file that cannot be opened.
    """
    address = fspath(url)
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]+)://", address)
    if scheme and scheme[1].lower() != "sqlite":
        raise SettingError(
            "archive", address, f"{_KNOWN}; postgresql://, qdrant:// and neo4j:// are yet to come"
        )
    path = re.sub(r"^sqlite:///?", "", address, flags=re.IGNORECASE)
    if not path:
        raise SettingError("archive", address, _KNOWN)
    from onrecord.stores.file import check
    from onrecord.stores.sqlite import SqliteStore

    if not make:
        check(Path(path), read_only=True)
    return SqliteStore(path, workspace, read_only=read_only)
