"""Functions that open a store by its address."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import closing
from importlib.util import find_spec
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from onrecord.errors import SettingError
from onrecord.stores.base import Store
from onrecord.stores.database import shown

if TYPE_CHECKING:
    from onrecord.stores.database import Neighbours
    from onrecord.stores.faq import FaqStore

_KNOWN = "the path of a file, sqlite:///PATH or postgresql://USER@HOST/DATABASE"
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{1,40})://")


def open_store(
    url: str | PathLike[str],
    workspace: str = "default",
    *,
    read_only: bool = False,
    make: bool = True,
    vectors: Mapping[str, Any] | None = None,
    **options: int,
) -> Store:
    """Open the store at a path or an address.

    Examples: ``talks.db``, ``sqlite:///talks.db``, ``sqlite:////var/talks.db``,
    ``postgresql://ann@db.example.org/talks``.

    Args:
        make: whether to create an archive where there is none. The first write creates a file; opening
            creates the tables on a server. With `read_only`, no archive is created either.
        vectors: the settings `vectors` of a Qdrant that also stores the vectors, by name: "url", ...
        options: of `PostgresDatabase`.

    An address with another scheme is opened by the plug-in of that name. Raises SettingError for a scheme
    without a plug-in or for a missing package, and StoreError or NotFoundError for an archive that cannot be
    opened.
    """
    neighbours = _qdrant(**vectors) if vectors and vectors.get("url") else None
    if _on_server(url):
        from onrecord.stores.postgres import PostgresStore

        server = {"make": make, "read_only": read_only, **options}
        return PostgresStore(fspath(url), workspace, neighbours, **server)
    if plugin := _plugin(url):
        store: Store = plugin(fspath(url), workspace, make=make, read_only=read_only)
        return store
    path = path_of(url)
    from onrecord.stores.file import check
    from onrecord.stores.sqlite import SqliteStore

    if not make:
        check(Path(path), read_only=True)
    return SqliteStore(path, workspace, neighbours, read_only=read_only)


def _qdrant(url: str, collection: str = "onrecord", quantization: str = "none", **sizes: int) -> Neighbours:
    """Return the index on a Qdrant server or in a folder. Raise SettingError if a package is missing."""
    server = re.match(r"https?://", url, re.IGNORECASE)
    package, extra = ("qdrant_client", "qdrant") if server else ("qdrant_edge", "qdrant-edge")
    if find_spec(package) is None:
        missing = f"empty, until its package is installed: pip install 'onrecord[{extra}]'"
        raise SettingError("vectors.url", shown(url), missing)
    from onrecord.stores.qdrant import EdgePoints, QdrantNeighbours, QdrantPoints

    points = (QdrantPoints if server else EdgePoints)(url, collection, quantization=quantization)
    return QdrantNeighbours(points, **sizes)


def open_faq_store(url: str | PathLike[str], workspace: str = "default") -> FaqStore:
    """Open the FAQ of a workspace, which is in the same archive as its recordings."""
    if _on_server(url):
        from onrecord.stores.postgres import PostgresFaqStore

        return PostgresFaqStore(fspath(url), workspace)
    from onrecord.stores.sqlite import SqliteFaqStore

    return SqliteFaqStore(path_of(url), workspace)


def workspaces(url: str | PathLike[str]) -> list[str]:
    """Return the sorted names of all workspaces of an archive, with recordings or a FAQ.

    The list is empty for a plug-in's archive. Call this only for users who may see the whole archive.
    """
    if _on_server(url):
        from onrecord.stores.postgres import workspaces_of

        return workspaces_of(fspath(url))
    if _plugin(url):
        return []
    from onrecord.stores.file import ArchiveFile

    file = ArchiveFile(Path(path_of(url)))
    with closing(file.open()) as connection, file.translated_errors("read"):
        names = connection.execute("SELECT name FROM workspaces UNION SELECT name FROM faq_workspaces")
        return sorted(name for (name,) in names)


def is_file(url: str | PathLike[str]) -> bool:
    """Return whether an address is that of a file on this machine."""
    return not _on_server(url)


def _on_server(url: str | PathLike[str]) -> bool:
    """Return whether an address is that of a PostgreSQL server. Raise SettingError for a missing package."""
    if not re.match(r"postgres(?:ql)?://", fspath(url), re.IGNORECASE):
        return False
    if find_spec("psycopg") is None or find_spec("psycopg_pool") is None:
        raise SettingError(
            "archive",
            shown(url),
            "a file, until what a server needs is installed: pip install 'onrecord[postgres]'",
        )
    return True


def _plugin(url: str | PathLike[str]) -> Any:
    """Return the plug-in function that opens addresses with this scheme; None for built-in schemes."""
    scheme = _SCHEME.match(fspath(url))
    if scheme is None or scheme[1].lower() == "sqlite":
        return None
    from onrecord.plugins import STORES, load_plugin

    return load_plugin(STORES, scheme[1].lower(), "archive")


def path_of(url: str | PathLike[str]) -> str:
    """Return the path in an address. Raise SettingError for another kind of address."""
    address = fspath(url)
    scheme = _SCHEME.match(address)
    if scheme and scheme[1].lower() != "sqlite":
        expected = f"{_KNOWN}, or an address of a plug-in; a Qdrant beside it is the setting vectors.url"
        raise SettingError("archive", shown(address), expected)
    path = re.sub(r"^sqlite:///?", "", address, flags=re.IGNORECASE)
    if not path:
        raise SettingError("archive", address, _KNOWN)
    return path
