"""Read-only tables and collections of text: PostgreSQL, Qdrant, Chroma."""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from onrecord.errors import FetchError, InputError, NotFoundError, OnRecordError, did_you_mean, nearest
from onrecord.types import printable

Row = Mapping[str, Any]
"""The values of one row by column; a column of JSON objects holds mappings."""

SAMPLE, BATCH = 200, 1000
"""`SAMPLE` is the number of rows that are read to learn the columns.

`BATCH` is the number of rows per read.
"""
KINDS = "postgresql://..., qdrant://HOST, qdrant:///FOLDER, chroma://HOST or chroma:///FOLDER"


class Table(ABC):
    """A table or collection: its `kind`, its `place` without passwords, and its `columns`.

    A key of a nested object is a column with a dot: ``metadata.speaker``.
    """

    kind: str
    own: Sequence[str] = ()
    """Columns that every row has. Further columns come from the first rows."""

    def __init__(self, place: str, own: Sequence[str]) -> None:
        self.place, self.own = place, own
        names = dict.fromkeys(own)
        for row in self.sample():
            names |= dict.fromkeys(_names(row))
        self.columns = tuple(names)

    @abstractmethod
    def sample(self) -> Iterable[Row]:
        """Return the first rows, at most `SAMPLE`."""

    @abstractmethod
    def count(self, group: str) -> int:
        """Count the distinct values of the column `group`."""

    @abstractmethod
    def groups(self, group: str, columns: Sequence[str]) -> Iterator[tuple[str, list[Row]]]:
        """Yield all rows with these columns, grouped by the column `group`.

        Rows without a value in that column are skipped.
        """

    @abstractmethod
    def close(self) -> None:
        """Close the connection."""

    def head(self, column: str) -> str:
        """Return the table's own column that holds a value: ``metadata`` for ``metadata.speaker``."""
        return column if column in self.own else column.partition(".")[0]


def value_at(row: Row, column: str) -> Any:
    """Return the value of a column, or of a key in an object (``metadata.speaker``), or None."""
    if column in row or "." not in column:
        return row.get(column)
    head, _, rest = column.partition(".")
    inner = row.get(head)
    return value_at(inner, rest) if isinstance(inner, Mapping) else None


def _names(row: Row, before: str = "") -> Iterator[str]:
    for name, value in row.items():
        yield before + name
        if isinstance(value, Mapping):
            yield from _names(value, f"{before}{name}.")


def open_table(address: str, name: str) -> Table:
    """Open the table or collection `name` at an address: see `KINDS`.

    The environment variables ``QDRANT_API_KEY`` and ``CHROMA_API_KEY`` hold the keys of servers. Raises
    InputError, NotFoundError, FetchError.
    """
    scheme = address.partition(":")[0].lower()
    if scheme in ("postgresql", "postgres"):
        return PostgresTable(address, name)
    kind = re.fullmatch(r"(qdrant|chroma)(\+https)?", scheme)
    if kind is None or "://" not in address:
        raise InputError(f"{_display_address(address)}: not the address of a table: name {KINDS}")
    return (QdrantTable if kind[1] == "qdrant" else ChromaTable)(address, name)


def _display_address(address: str) -> str:
    """Return an address without user, password and options, for display and storage."""
    return printable(re.sub(r"(?s)(?<=://)[^?]*@|[?#].*", "", address))


def _library(name: str, extra: str, what: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise InputError(
            f"{what} is read with a package that is not installed: pip install {extra!r}"
        ) from None


def _folder(address: str) -> str:
    """Return the folder of ``qdrant:///data`` or ``chroma:////var/data``; "" for a server's address."""
    parts = urlsplit(address)
    if parts.netloc:
        return ""
    folder = parts.path.removeprefix("/")
    if not Path(folder).is_dir():  # else the clients would create it
        raise NotFoundError(f"{printable(folder)}: there is no such folder")
    return folder


def _not_found(what: str, name: str, names: Iterable[str]) -> NotFoundError:
    ordered = sorted(names)
    listing = ", ".join(map(printable, ordered[:20])) or "none at all"
    hint = did_you_mean(nearest(name, ordered), "; ")
    return NotFoundError(f"there is no {what} {printable(name)!r}: there are {listing}{hint}")


# ---------------------------------------------------------------- PostgreSQL


class PostgresTable(Table):
    """A table or view, ``schema.table``, read in one transaction."""

    kind = "postgresql"

    def __init__(self, address: str, name: str) -> None:
        self._psycopg = _library("psycopg", "onrecord[postgres]", "PostgreSQL")
        from psycopg import sql
        from psycopg.rows import dict_row

        self._sql, self._table = sql, sql.Identifier(*name.split("."))
        with self._errors(_display_address(address)):
            self._connection = self._psycopg.connect(_readable(address), row_factory=dict_row)
            self._connection.read_only = True
            self._connection.isolation_level = self._psycopg.IsolationLevel.REPEATABLE_READ
            try:
                head = self._connection.execute(self._query("SELECT * FROM {table} LIMIT 0"))
            except (self._psycopg.errors.UndefinedTable, self._psycopg.errors.InvalidSchemaName):
                self._connection.rollback()
                tables = [row["name"] for row in self._connection.execute(_TABLES)]
                self._connection.close()
                raise _not_found("table", name, tables) from None
            columns = [column.name for column in head.description or ()]
            super().__init__(f"{_display_address(address)}/{printable(name)}", columns)

    def sample(self) -> Iterable[Row]:
        return list(self._connection.execute(self._query("SELECT * FROM {table} LIMIT %s"), [SAMPLE]))

    def count(self, group: str) -> int:
        query = self._query("SELECT count(DISTINCT {group}) AS n FROM {table}", group)
        with self._errors(self.place):
            return int(self._connection.execute(query).fetchone()["n"])

    def groups(self, group: str, columns: Sequence[str]) -> Iterator[tuple[str, list[Row]]]:
        heads = self._sql.SQL(", ").join(
            map(self._sql.Identifier, dict.fromkeys(map(self.head, (group, *columns))))
        )
        text = "SELECT {heads} FROM {table} WHERE {group} IS NOT NULL ORDER BY {group}"
        with self._errors(self.place), self._connection.cursor("rows") as cursor:
            cursor.itersize = BATCH
            cursor.execute(self._query(text, group, heads=heads))
            for key, rows in groupby(cursor, lambda row: str(value_at(row, group))):
                yield key, list(rows)

    def close(self) -> None:
        self._connection.close()

    def _query(self, text: str, group: str = "", **parts: Any) -> Any:
        """Return SQL with quoted names: ``{group}`` is a column, or a key in a JSON column."""
        head = self.head(group) if group else ""
        column: Any = self._sql.Identifier(head)
        if head != group:
            keys = self._sql.Literal(group.removeprefix(f"{head}.").split("."))
            column = self._sql.SQL("{} #>> {}").format(column, keys)
        return self._sql.SQL(text).format(table=self._table, group=column, **parts)

    @contextmanager
    def _errors(self, place: str) -> Iterator[None]:
        try:
            yield
        except self._psycopg.Error as error:
            raise FetchError(
                f"{place}: {str(error).splitlines()[0] if str(error) else 'no answer'}"
            ) from None


def _readable(address: str) -> str:
    """Return an address that libpq can read.

    Raises InputError without libpq's message, which may quote the password.
    """
    from psycopg import ProgrammingError
    from psycopg.conninfo import conninfo_to_dict

    try:
        conninfo_to_dict(address)
    except ProgrammingError:
        reason = "it has %25 for %, %20 for a space and %40 for @ in a password, and only options of libpq"
        raise InputError(f"{_display_address(address)}: not an address of a server: {reason}") from None
    return address


_TABLES = """SELECT table_schema || '.' || table_name AS name FROM information_schema.tables
WHERE table_schema NOT IN ('pg_catalog', 'information_schema')"""


# ---------------------------------------------------------------- collections


class _Collection(Table):
    """A collection of rows with ids.

    It first groups the ids, then reads the rows of each group.
    """

    def __init__(self, place: str, own: Sequence[str]) -> None:
        self._ids: dict[str, dict[str, list[Any]]] = {}
        super().__init__(place, own)

    @abstractmethod
    def _keys(self, group: str) -> Iterator[tuple[Any, Any]]:
        """Yield the id of every row and its value in the column `group`."""

    @abstractmethod
    def _read(self, ids: Sequence[Any], columns: Sequence[str]) -> Iterable[tuple[Any, Row]]:
        """Return the rows with these ids, each with its id, in any order."""

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Raise FetchError for any error of a client, because the clients' errors share no class."""
        try:
            yield
        except OnRecordError:
            raise
        except Exception as error:
            raise FetchError(f"{self.place}: {printable(str(error)[:300])}") from None

    def count(self, group: str) -> int:
        return len(self._grouped(group))

    def groups(self, group: str, columns: Sequence[str]) -> Iterator[tuple[str, list[Row]]]:
        for key, ids in self._grouped(group).items():
            rows: dict[Any, Row] = {}
            with self._errors():
                for first in range(0, len(ids), BATCH):
                    rows.update(self._read(ids[first : first + BATCH], columns))
            yield key, [rows[id_] for id_ in ids if id_ in rows]

    def _grouped(self, group: str) -> dict[str, list[Any]]:
        if group not in self._ids:
            ids: dict[str, list[Any]] = {}
            with self._errors():
                for id_, value in self._keys(group):
                    if value is not None:
                        ids.setdefault(str(value), []).append(id_)
            self._ids[group] = ids
        return self._ids[group]


class QdrantTable(_Collection):
    """A Qdrant collection. Its columns are ``id``, keys of payloads, and named vectors or ``vector``."""

    kind = "qdrant"

    def __init__(self, address: str, name: str) -> None:
        library = _library("qdrant_client", "onrecord[qdrant]", "Qdrant")
        self.place, self._name = f"{_display_address(address)}/{printable(name)}", name
        with self._errors():
            folder, key = _folder(address), os.environ.get("QDRANT_API_KEY")
            url = re.sub(r"^qdrant(\+https)?", lambda m: "https" if m[1] else "http", address)
            self._client = library.QdrantClient(
                **({"path": folder} if folder else {"url": url, "api_key": key})
            )
            collections = [collection.name for collection in self._client.get_collections().collections]
            if name not in collections:
                self._client.close()
                raise _not_found("collection", name, collections)
            vectors = self._client.get_collection(name).config.params.vectors
            self._vectors = list(vectors) if isinstance(vectors, Mapping) else ["vector"]
            super().__init__(self.place, ["id", *self._vectors])

    def sample(self) -> Iterable[Row]:
        points, _ = self._client.scroll(self._name, limit=SAMPLE, with_payload=True)
        return [point.payload or {} for point in points]

    def _keys(self, group: str) -> Iterator[tuple[Any, Any]]:
        offset = None
        while True:
            points, offset = self._client.scroll(
                self._name, limit=BATCH, offset=offset, with_payload=[self.head(group)]
            )
            for point in points:
                yield point.id, value_at({"id": point.id, **(point.payload or {})}, group)
            if offset is None:
                return

    def _read(self, ids: Sequence[Any], columns: Sequence[str]) -> Iterable[tuple[Any, Row]]:
        names = [name for name in self._vectors if name in columns]
        with_vectors = names if names and names != ["vector"] else bool(names)
        payload = list(dict.fromkeys(map(self.head, columns)))
        for point in self._client.retrieve(self._name, ids, with_payload=payload, with_vectors=with_vectors):
            vectors = point.vector if isinstance(point.vector, Mapping) else {"vector": point.vector}
            yield point.id, {**(point.payload or {}), **vectors, "id": point.id}

    def close(self) -> None:
        self._client.close()


class ChromaTable(_Collection):
    """A Chroma collection. Its columns are ``id``, ``document``, ``embedding`` and keys of metadata."""

    kind = "chroma"

    def __init__(self, address: str, name: str) -> None:
        library = _library("chromadb", "onrecord[chroma]", "Chroma")
        self.place = f"{_display_address(address)}/{printable(name)}"
        with self._errors():
            folder, parts = _folder(address), urlsplit(address)
            settings = library.Settings(anonymized_telemetry=False)
            if folder:
                client = library.PersistentClient(folder, settings)
            else:
                key = os.environ.get("CHROMA_API_KEY")
                client = library.HttpClient(
                    parts.hostname or "",
                    parts.port or 8000,
                    ssl=parts.scheme.endswith("https"),
                    headers={"x-chroma-token": key} if key else None,
                    settings=settings,
                )
            collections = [collection.name for collection in client.list_collections()]
            if name not in collections:
                raise _not_found("collection", name, collections)
            self._collection = client.get_collection(name, embedding_function=None)
            super().__init__(self.place, ["id", "document", "embedding"])

    def sample(self) -> Iterable[Row]:
        return [row or {} for row in self._collection.get(limit=SAMPLE, include=["metadatas"])["metadatas"]]

    def _keys(self, group: str) -> Iterator[tuple[Any, Any]]:
        for offset in range(0, self._collection.count(), BATCH):
            rows = self._collection.get(limit=BATCH, offset=offset, include=["metadatas"])
            for id_, metadata in zip(rows["ids"], rows["metadatas"], strict=True):
                yield id_, {**(metadata or {}), "id": id_}.get(group)

    def _read(self, ids: Sequence[Any], columns: Sequence[str]) -> Iterable[tuple[Any, Row]]:
        include = ["metadatas", "documents", *(["embeddings"] if "embedding" in columns else [])]
        rows = self._collection.get(ids=list(ids), include=include)
        for at, id_ in enumerate(rows["ids"]):
            vector = rows["embeddings"][at] if "embeddings" in include else None
            own = {"id": id_, "document": rows["documents"][at], "embedding": vector}
            yield id_, {**(rows["metadatas"][at] or {}), **own}

    def close(self) -> None:
        """Do nothing: the client closes its own files."""
