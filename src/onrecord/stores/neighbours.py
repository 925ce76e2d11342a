"""An index of nearest neighbours: it finds the passages near a vector without looking at every one."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from onrecord.stores.database import Connection

if TYPE_CHECKING:
    from onrecord.types import Vector, Vectors


class Neighbours(Protocol):
    """What `stores.sql` asks of an index. It never decides what a workspace has: the tables do."""

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

    def settle(self) -> None:
        """Bring an index outside the database up to date, as far as it can be reached. Runs after a commit,
        and never raises because the index is away."""
        ...

    def close(self) -> None:
        """Give back what is open."""
        ...


class NoIndex:
    """The `Neighbours` of a file: every vector is looked at."""

    exact = indexed = sys.maxsize
    collection = ""

    def replace(
        self, connection: Connection, workspace: int, key: int, first: int, vectors: Vectors | None
    ) -> None:
        """Nothing."""

    def nearest(
        self, connection: Connection, workspace: int, vector: Vector, keys: Sequence[int] | None, most: int
    ) -> list[tuple[Any, ...]]:
        raise NotImplementedError("no archive has so many passages that this is asked")

    def settle(self) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""
