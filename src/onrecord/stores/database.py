"""What `stores.sql` needs of a database with SQL tables, and of an index of nearest neighbours. Errors that
mean the same in every database."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from os import PathLike, fspath
from sys import maxsize
from typing import TYPE_CHECKING, Any, Protocol

from onrecord.errors import DiskFullError, LockedError, NewerArchiveError, StoreError
from onrecord.types import Passage, Section

if TYPE_CHECKING:
    from onrecord.stores.catalogue import Entry
    from onrecord.types import Counts, Rows, Vector, Vectors


class Connection(Protocol):
    """A connection in a transaction.

    Statements have ``?`` in place of values, and use the SQL that SQLite and PostgreSQL share.
    """

    def execute(self, sql: str, values: Sequence[Any] = ..., /) -> Any:
        """Run a statement. Returns a cursor with `fetchone` and `fetchall`, which iterates over tuples."""
        ...

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> Any:
        """Run a statement once for each of the rows."""
        ...

    def insert(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], /) -> None:
        """Insert rows. Table and columns must be this package's own names."""
        ...

    def stream(self, sql: str, kinds: Sequence[str], values: Sequence[int], /) -> Iterable[Sequence[Any]]:
        """Yield the rows of a query. `kinds` are the PostgreSQL types of its columns."""
        ...


AT_ONCE = 400
"""Values in one query: older versions of SQLite take 999."""


def rows_among(
    connection: Connection, sql: str, values: Sequence[object], *before: object
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a query with ``{}`` in place of a list of values, however many.

    The values `before` are for the marks in front of it. An abandoned iterator holds no open cursor, so the
    connection may close before it.
    """
    for at in range(0, len(values), AT_ONCE):
        batch = values[at : at + AT_ONCE]
        cursor = connection.execute(sql.format(", ".join("?" * len(batch))), (*before, *batch))
        yield from cursor.fetchall()


class Words(Protocol):
    """The word index: which passages of a workspace contain which term, and how often."""

    def read(
        self, connection: Connection, workspace: int, terms: Mapping[str, Entry | None]
    ) -> list[tuple[Rows, Counts]]:
        """For each term, the rows of the passages that contain it, rising, and how often they do: of the
        recordings added after the one that the term has; None for all."""
        ...

    def read_ahead(
        self, connection: Connection, workspace: int, terms: Sequence[str]
    ) -> Callable[[], list[tuple[Rows, Counts]]] | None:
        """Read whole postings along with the next statement, in the same round trip. Returns what gives them
        after it; None where there are no round trips to save."""
        ...

    def count(self, connection: Connection, workspace: int, terms: Sequence[str]) -> list[int]:
        """For each term, how many passages contain it."""
        ...

    def beginning(self, connection: Connection, workspace: int, letters: str) -> frozenset[str]:
        """The terms that begin with these letters."""
        ...

    def insert(self, connection: Connection, workspace: int, key: int, passages: Sequence[Passage]) -> None:
        """Index the passages (with their rows) of the recording with this key."""
        ...

    def delete(self, connection: Connection, workspace: int, key: int, passages: Iterable[Passage]) -> None:
        """Remove the passages of this recording from the index."""
        ...

    def purge(self, connection: Connection) -> None:
        """Remove all traces of deleted passages."""
        ...


@dataclass(frozen=True, slots=True)
class Comparison:
    """How an index outside the database differs from the archive's vectors, counted in passages.

    `where` names the index. Of `waiting` passages it has not been told yet; `missing` ones lack their point;
    `extra` points belong to no passage.
    """

    where: str
    waiting: int
    missing: int
    extra: int

    def __bool__(self) -> bool:
        """Whether anything differs."""
        return bool(self.waiting or self.missing or self.extra)


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """What an index is asked for: the `most` passages of a workspace with the highest products with `query`.

    The query is a vector, or the weights of terms. A term counts its weight, times how much of the passage it
    is, so the order is that of BM25 but for the mean length of passages. Only passages with a vector of these
    `dimensions` are in the index. `keys` limits the search to these recordings; None searches all.
    """

    workspace: int
    dimensions: int
    query: Vector | Mapping[str, float]
    keys: Sequence[int] | None
    most: int


class Neighbours:
    """An index of nearest neighbours. It finds the passages near a vector without scoring every one.

    The tables are the truth; an index is derived from them. This is that of a file: there is none, and every
    vector is scored. An index inside the database inherits what concerns one outside it.
    """

    exact: int = maxsize
    """Up to this many passages of a workspace, all vectors are in memory and every one is scored."""
    indexed: int = maxsize
    """From this many passages on, the index is asked."""
    collection: str = ""
    """The name of the collection of an index outside the database; "" for an index inside it."""
    indexes_words: bool = False
    """Whether a search may have the weights of terms."""

    def replace(
        self, connection: Connection, workspace: int, key: int, first: int, vectors: Vectors | None
    ) -> None:
        """Index the vectors of a recording's passages, the first of which is in row `first`, in place of its
        old ones.

        None removes them. This runs within the transaction that writes the vectors. An index outside the
        database does nothing here: the transaction leaves a line in the outbox.
        """

    def nearest(self, connection: Connection, search: Search) -> list[tuple[Any, ...]]:
        """The passages that are searched for, best first: product, row, and the columns `records.PASSAGE`.

        On a server, the first passage of a recording may have one value more: the recording's sections.
        """
        raise NotImplementedError("no archive has so many passages that this is asked")

    def settle(self, database: Database, workspace: str) -> None:
        """Send outstanding changes to an index outside the database. Runs after each commit.

        If the index is away, the changes wait; nothing is raised.
        """

    def compare(self, database: Database, workspace: str) -> Comparison | None:
        """Compare an index outside the database with the archive; None for an index inside it. Raises
        StoreError if it is away."""
        return None

    def mend(self, database: Database, workspace: str) -> None:
        """Make the index agree with the archive. Raises StoreError if it is away."""

    def close(self) -> None:
        """Release connections and files."""


class Database(Protocol):
    """Transactions on an archive, and everything in which databases differ."""

    @property
    def words(self) -> Words:
        """The word index."""
        ...

    @property
    def neighbours(self) -> Neighbours:
        """The database's own index of nearest neighbours."""
        ...

    def read_sections_ahead(
        self, connection: Connection, keys: Sequence[int]
    ) -> Callable[[], Mapping[int, list[Section]]] | None:
        """Read the sections of recordings along with the next statement, in the same round trip. Returns what
        gives them after it, by key; None where there are no round trips to save."""
        ...

    def reading(self) -> AbstractContextManager[Connection]:
        """A read transaction: one consistent state, whatever is written meanwhile."""
        ...

    def writing(self, doing: str, patience: float | None = None) -> AbstractContextManager[Connection]:
        """A write transaction, committed at the end and rolled back on an error.

        `doing` names the purpose in error messages. `patience` is how long, in seconds, to wait for other
        writers. Raises LockedError.
        """
        ...

    def reserve(self, connection: Connection, workspace: int, passages: int) -> tuple[int, int]:
        """Reserve the key of a recording and the rows of its passages, and return the key and the first row.

        None of them is ever used twice, and a later recording of a workspace has a higher key.
        """
        ...

    def wipe(self) -> None:
        """Remove deleted data from logs, as far as that is possible now."""
        ...

    def close(self) -> None:
        """Close all connections."""
        ...


# ---------------------------------------------------------------- errors, which name the archive


def shown(url: str | PathLike[str]) -> str:
    """An address without its password, to be displayed."""
    address = fspath(url)
    return re.sub(
        r"([?&](?:password|sslpassword)=)[^&]*",
        r"\1***",
        re.sub(r"(?<=://)([^/?#@:]*):[^/?#]*@", r"\1@", address),
    )


def newer_archive(archive: str, version: int, readable: int) -> NewerArchiveError:
    """The archive's format is above those that this version reads."""
    return NewerArchiveError(
        f"{archive} was written by a newer onrecord (its format is {version}, this version reads up to "
        f"{readable}); upgrade with: pip install --upgrade onrecord"
    )


def locked(doing: str, archive: str, patience: float) -> LockedError:
    """Somebody else has been writing for longer than `patience` seconds."""
    return LockedError(
        f"cannot {doing} {archive}: another process has been writing to it for more than {patience:g} s; "
        "try again when it is done"
    )


def disk_full(doing: str, archive: str) -> DiskFullError:
    """The disk of the archive has no room left."""
    return DiskFullError(
        f"cannot {doing} {archive}: the disk is full; nothing was changed; make room and try again"
    )


def half_surrogate(doing: str, archive: str, error: UnicodeEncodeError) -> StoreError:
    """A text has a character that UTF-8 cannot write."""
    half = error.object[error.start]
    return StoreError(
        f"cannot {doing} {archive}: a text holds {half!r}, half a surrogate pair, which no archive can keep; "
        "decode its source properly"
    )
