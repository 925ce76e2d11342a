"""The interfaces of SQL databases and nearest-neighbor indexes, and the errors that all databases share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import chain
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
        """Run a statement. Return a cursor with `fetchone` and `fetchall`, which iterates over tuples."""
        ...

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> Any:
        """Run a statement once for each row."""
        ...

    def insert(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], /) -> None:
        """Insert rows. Table and columns must be this package's own names."""
        ...

    def stream(self, sql: str, kinds: Sequence[str], values: Sequence[int], /) -> Iterable[Sequence[Any]]:
        """Yield the rows of a query. `kinds` are the PostgreSQL types of its columns."""
        ...


AT_ONCE = 400
"""Values in one query. Older versions of SQLite accept at most 999."""


def rows_among(
    connection: Connection, sql: str, values: Sequence[object], *before: object
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a query with ``{}`` in place of a list of values of any length.

    The values `before` are for the placeholders in front of the list.
    """
    batches = (values[at : at + AT_ONCE] for at in range(0, len(values), AT_ONCE))
    # A chain is faster than a generator. If it is abandoned, it closes no cursor after its connection.
    return chain.from_iterable(
        connection.execute(sql.format(", ".join("?" * len(batch))), (*before, *batch)) for batch in batches
    )


class WordIndex(Protocol):
    """The word index: the passages of a workspace that contain a term, and the number of occurrences."""

    def read(
        self, connection: Connection, workspace: int, terms: Mapping[str, Entry | None]
    ) -> list[tuple[Rows, Counts]]:
        """Return the posting list of each term: rows of passages, ascending, and occurrences in each.

        `terms` maps a term to a recording: only the recordings added after that one are read; None reads all.
        """
        ...

    def read_ahead(
        self, connection: Connection, workspace: int, terms: Sequence[str]
    ) -> Callable[[], list[tuple[Rows, Counts]]] | None:
        """Read complete posting lists along with the next statement, in the same round trip.

        Return a function that returns the posting lists after that statement; None where there are no round
        trips to save.
        """
        ...

    def count(self, connection: Connection, workspace: int, terms: Sequence[str]) -> list[int]:
        """Return, for each term, the number of passages that contain it."""
        ...

    def beginning(self, connection: Connection, workspace: int, letters: str) -> frozenset[str]:
        """Return the terms that begin with these letters."""
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
    """The differences between an index outside the database and the archive's vectors, in passages.

    `where` names the index. `waiting` passages have changes that were not sent yet; `missing` passages lack
    their point; `extra` points belong to no passage.
    """

    where: str
    waiting: int
    missing: int
    extra: int

    def __bool__(self) -> bool:
        """Return whether anything differs."""
        return bool(self.waiting or self.missing or self.extra)


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """A search in an index: the `most` passages of a workspace with the highest products with `query`.

    The query is a vector, or the weights of terms. A term contributes its weight times its saturation in the
    passage (`ranking.saturation`), so the order is that of BM25 except for the mean length of passages. Only
    passages with a vector of these `dimensions` are in the index. `keys` limits the search to these
    recordings; None searches all.
    """

    workspace: int
    dimensions: int
    query: Vector | Mapping[str, float]
    keys: Sequence[int] | None
    most: int


class Neighbours:
    """An index of nearest neighbors. It finds the passages near a vector without scoring every passage.

    The tables are authoritative; an index is derived from them. This class is the index of a file: it has
    none, and every vector is scored. An index inside the database inherits the no-op methods for an index
    outside it.
    """

    exact: int = maxsize
    """Up to this many passages of a workspace, memory holds all vectors and every vector is scored."""
    indexed: int = maxsize
    """From this many passages on, the index is searched."""
    most_dimensions: int = maxsize
    """Vectors with more dimensions are not in the index, and all of them are scored."""
    collection: str = ""
    """The name of the collection of an index outside the database; "" for an index inside it."""
    indexes_words: bool = False
    """Whether the query of a search may be the weights of terms."""

    def replace(
        self, connection: Connection, workspace: int, key: int, first: int, vectors: Vectors | None
    ) -> None:
        """Replace the indexed vectors of a recording's passages, of which the first is in row `first`.

        None removes them. This runs within the transaction that writes the vectors. An index outside the
        database does nothing here: the transaction adds a line to the outbox.
        """

    def nearest(self, connection: Connection, search: Search) -> list[tuple[Any, ...]]:
        """Return the results of a search, best first: product, row, and the columns `records.PASSAGE`.

        On a server, the first passage of a recording may have one more value: the recording's sections.
        """
        raise NotImplementedError("no archive has so many passages that this is asked")

    def settle(self, database: Database, workspace: str) -> None:
        """Send outstanding changes to an index outside the database. Runs after each commit.

        If the index cannot be reached, the changes wait, and no error is raised.
        """

    def compare(self, database: Database, workspace: str) -> Comparison | None:
        """Compare an index outside the database with the archive; None for an index inside it.

        Raises StoreError if the index cannot be reached.
        """
        return None

    def mend(self, database: Database, workspace: str) -> None:
        """Make the index agree with the archive. Raise StoreError if the index cannot be reached."""

    def close(self) -> None:
        """Release connections and files."""


class Database(Protocol):
    """Transactions on an archive, and every operation that differs between databases."""

    @property
    def words(self) -> WordIndex:
        """The word index."""
        ...

    @property
    def neighbours(self) -> Neighbours:
        """The database's own index of nearest neighbors."""
        ...

    def read_sections_ahead(
        self, connection: Connection, keys: Sequence[int]
    ) -> Callable[[], Mapping[int, list[Section]]] | None:
        """Read the sections of recordings along with the next statement, in the same round trip.

        Return a function that returns the sections by key after that statement; None where there are no round
        trips to save.
        """
        ...

    def reading(self) -> AbstractContextManager[Connection]:
        """Begin a read transaction: one consistent state, whatever is written meanwhile."""
        ...

    def writing(self, doing: str, patience: float | None = None) -> AbstractContextManager[Connection]:
        """Begin a write transaction. It commits at the end and rolls back on an error.

        `doing` names the purpose in error messages. `patience` is the time in seconds to wait for other
        writers. Raises LockedError.
        """
        ...

    def reserve(self, connection: Connection, workspace: int, passages: int) -> tuple[int, int]:
        """Reserve the key of a recording and the rows of its passages, and return the key and the first row.

        No key or row is ever used twice, and a later recording of a workspace has a higher key.
        """
        ...

    def wipe(self) -> None:
        """Remove deleted data from logs, as far as this is possible now."""
        ...

    def close(self) -> None:
        """Close all connections."""
        ...


# ---------------------------------------------------------------- errors that name the archive


def shown(url: str | PathLike[str]) -> str:
    """Return an address without its password, for display."""
    address = fspath(url)
    return re.sub(
        r"([?&](?:password|sslpassword)=)[^&]*",
        r"\1***",
        re.sub(r"(?<=://)([^/?#@:]*):[^?]*@", r"\1@", address),  # a password may hold a slash
    )


def check_format(archive: str, version: int, readable: range) -> None:
    """Raise NewerArchiveError or StoreError if this version of onrecord does not read an archive's format."""
    if version >= readable.stop:
        raise NewerArchiveError(
            f"{archive} was written by a newer onrecord (its format is {version}, this version reads up to "
            f"{readable[-1]}); upgrade with: pip install --upgrade onrecord"
        )
    if version < readable.start:
        raise StoreError(
            f"{archive} was written before the first release of onrecord (its format is {version}, this "
            f"version reads from {readable.start} on); add the recordings again, to a new archive"
        )


def locked(doing: str, archive: str, patience: float) -> LockedError:
    """Return the error for another process that has been writing for longer than `patience` seconds."""
    return LockedError(
        f"cannot {doing} {archive}: another process has been writing to it for more than {patience:g} s; "
        "try again when it is done"
    )


def disk_full(doing: str, archive: str) -> DiskFullError:
    """Return the error for a full disk."""
    return DiskFullError(
        f"cannot {doing} {archive}: the disk is full; nothing was changed; make room and try again"
    )


def half_surrogate(doing: str, archive: str, error: UnicodeEncodeError) -> StoreError:
    """Return the error for a text with a character that UTF-8 cannot encode."""
    half = error.object[error.start]
    return StoreError(
        f"cannot {doing} {archive}: a text holds {half!r}, half a surrogate pair, which no archive can keep; "
        "decode its source properly"
    )
