"""What a database of SQL tables must offer so that `stores.sql` can keep an archive in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from onrecord.types import Passage

if TYPE_CHECKING:
    from onrecord.types import Counts, Rows, Vector, Vectors


class Connection(Protocol):
    """A connection in a transaction. Statements have ``?`` where a value stands, and are of the SQL that
    SQLite and PostgreSQL share."""

    def execute(self, sql: str, values: Sequence[Any] = ..., /) -> Any:
        """Run a statement; gives a cursor with `fetchone`, `fetchall` and its rows as tuples."""
        ...

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> Any:
        """Run a statement for each of the rows."""
        ...

    def insert(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], /) -> None:
        """Insert rows. Table and columns are this package's own names."""
        ...

    def stream(self, sql: str, kinds: Sequence[str], values: Sequence[int], /) -> Iterable[Sequence[Any]]:
        """The rows of a query, one by one. `kinds` are the types of its columns in PostgreSQL."""
        ...


class Words(Protocol):
    """The word index: which passages of a workspace hold which term, and how often."""

    def read(self, connection: Connection, workspace: int, terms: Sequence[str]) -> list[tuple[Rows, Counts]]:
        """For each term the rows of the passages that hold it, rising, and how often they do."""
        ...

    def beginning(self, connection: Connection, workspace: int, letters: str) -> frozenset[str]:
        """The terms that begin with these letters."""
        ...

    def insert(self, connection: Connection, workspace: int, key: int, passages: Sequence[Passage]) -> None:
        """Index the passages, which have their rows, of the recording with this key."""
        ...

    def delete(self, connection: Connection, workspace: int, key: int, passages: Iterable[Passage]) -> None:
        """Take them out again."""
        ...

    def purge(self, connection: Connection) -> None:
        """Leave nothing of what was taken out."""
        ...


@dataclass(frozen=True, slots=True)
class Comparison:
    """What an index outside the database, `where`, has of the vectors in the archive, counted in passages:
    `waiting` ones that it has yet to be told of, `missing` points, and points too many (`extra`)."""

    where: str
    waiting: int
    missing: int
    extra: int

    def __bool__(self) -> bool:
        """Whether anything differs."""
        return bool(self.waiting or self.missing or self.extra)


class Neighbours(Protocol):
    """An index of nearest neighbours: it finds the passages near a vector without looking at every one. What
    a workspace has, the tables decide, never the index."""

    @property
    def exact(self) -> int:
        """Up to how many passages of a workspace every vector is in memory, and looked at."""
        ...

    @property
    def indexed(self) -> int:
        """From how many passages on `nearest` is asked."""
        ...

    @property
    def collection(self) -> str:
        """The name under which an index outside the database keeps its points; "" for one inside."""
        ...

    def replace(
        self, connection: Connection, workspace: int, key: int, first: int, vectors: Vectors | None
    ) -> None:
        """Index the vectors of the passages from row `first` on, in place of those of the recording with this
        key; None takes these out. Runs within the transaction that writes the vectors."""
        ...

    def nearest(
        self, connection: Connection, workspace: int, vector: Vector, keys: Sequence[int] | None, most: int
    ) -> list[tuple[Any, ...]]:
        """At most so many passages nearest to a vector, best first, of the recordings with these keys (None:
        all): the product, the row, and the values of the columns `records.PASSAGE`."""
        ...

    def settle(self, database: Database, workspace: str) -> None:
        """Tell an index outside the database what it has yet to be told. Runs after each commit. An index
        that is away is told later: nothing is raised."""
        ...

    def compare(self, database: Database, workspace: str) -> Comparison | None:
        """What an index outside the database has; None for one inside. Raises StoreError where it is away."""
        ...

    def mend(self, database: Database, workspace: str) -> None:
        """Put right what `compare` finds. Raises StoreError."""
        ...

    def close(self) -> None:
        """Give back what is open."""
        ...


class Database(Protocol):
    """Transactions on an archive, and what one database does otherwise than another."""

    @property
    def words(self) -> Words:
        """The index of words."""
        ...

    @property
    def neighbours(self) -> Neighbours:
        """The index of nearest neighbours that it keeps itself."""
        ...

    def reading(self) -> AbstractContextManager[Connection]:
        """A read transaction: one consistent state, whatever is written meanwhile."""
        ...

    def writing(self, doing: str, patience: float | None = None) -> AbstractContextManager[Connection]:
        """A write transaction, committed at the end, undone where an error leaves it. `doing` says what for
        in messages; `patience` is how long, in seconds, to wait for others who write. Raises LockedError."""
        ...

    def next_row(self, connection: Connection, count: int) -> int:
        """The first of so many rows that were never used, for passages."""
        ...

    def size(self, connection: Connection, workspace: int) -> int:
        """How many bytes the workspace takes, about."""
        ...

    def wipe(self) -> None:
        """Leave nothing of what was removed in logs, as far as that can be done now."""
        ...

    def close(self) -> None:
        """Give back what is open."""
        ...
