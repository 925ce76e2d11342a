"""The word index in PostgreSQL: a row for each term and recording, with the passages that contain it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np

from onrecord.stores.database import Connection
from onrecord.stores.postgres.connection import PostgresConnection
from onrecord.stores.words import terms
from onrecord.types import Passage

if TYPE_CHECKING:
    from onrecord.stores.catalogue import Entry
    from onrecord.types import Counts, Rows

_LONGEST = 500
"""Longest term in characters: a B-tree takes at most 2,700 bytes. A longer term is stored as its digest."""


class TableWordIndex:
    """A `stores.database.WordIndex`.

    BM25 is computed from these posting lists, because PostgreSQL's `ts_rank` has no idf. The server joins the
    postings of a term over all recordings.
    """

    def read(
        self, connection: Connection, workspace: int, terms: Mapping[str, Entry | None]
    ) -> list[tuple[Rows, Counts]]:
        stored_terms = [_short(term) for term in terms]
        last = [entry.key if entry else 0 for entry in terms.values()]
        return _decode(stored_terms, connection.execute(_READ, (stored_terms, last, workspace)))

    def read_ahead(
        self, connection: Connection, workspace: int, terms: Sequence[str]
    ) -> Callable[[], list[tuple[Rows, Counts]]]:
        assert isinstance(connection, PostgresConnection)  # noqa: S101 - `reading` yields this type
        stored_terms = [_short(term) for term in terms]
        rows = connection.execute_ahead(_READ, (stored_terms, [0] * len(terms), workspace))
        return lambda: _decode(stored_terms, rows())

    def count(self, connection: Connection, workspace: int, terms: Sequence[str]) -> list[int]:
        sql = (
            "SELECT term, sum(length(counts) / 4)::int8 FROM words "
            "WHERE workspace = ? AND term = ANY(?) GROUP BY term"
        )
        stored_terms = [_short(term) for term in terms]
        counts = dict(connection.execute(sql, (workspace, stored_terms)).fetchall())
        return [counts.get(term, 0) for term in stored_terms]

    def beginning(self, connection: Connection, workspace: int, letters: str) -> frozenset[str]:
        sql = "SELECT DISTINCT term FROM words WHERE workspace = ? AND term >= ? AND term < ?"
        rows = connection.execute(sql, (workspace, letters, letters + "\U0010ffff"))
        return frozenset(term for (term,) in rows if "\n" not in term)

    def insert(self, connection: Connection, workspace: int, key: int, passages: Sequence[Passage]) -> None:
        postings: dict[str, tuple[list[int], list[int]]] = {}
        for passage in passages:
            for term, count in Counter(map(_short, terms(passage.spoken))).items():
                rows, counts = postings.setdefault(term, ([], []))
                rows.append(passage.row)
                counts.append(count)
        connection.insert(
            "words",
            ("workspace", "term", "recording", "rows", "counts"),
            (
                (workspace, term, key, np.array(rows, "<i8").tobytes(), np.array(counts, "<i4").tobytes())
                for term, (rows, counts) in postings.items()
            ),
        )

    def delete(self, connection: Connection, workspace: int, key: int, passages: Iterable[Passage]) -> None:
        connection.execute("DELETE FROM words WHERE workspace = ? AND recording = ?", (workspace, key))

    def purge(self, connection: Connection) -> None:
        """Do nothing: deleted rows cannot be seen, and vacuum reuses their space."""


_READ = (
    "SELECT term, string_agg(rows, ''::bytea ORDER BY recording), "
    "string_agg(counts, ''::bytea ORDER BY recording) FROM words "
    "JOIN unnest(?::text[], ?::bigint[]) AS asked (wanted, last) ON term = wanted "
    "WHERE workspace = ? AND recording > last GROUP BY term"
)
_NONE = np.empty(0, np.int64), np.empty(0, np.int32)


def _decode(terms: Sequence[str], read: Iterable[tuple[str, bytes, bytes]]) -> list[tuple[Rows, Counts]]:
    """Return the posting lists of these terms, in their order."""
    postings = {
        term: (np.frombuffer(rows, "<i8"), np.frombuffer(counts, "<i4")) for term, rows, counts in read
    }
    return [postings.get(term, _NONE) for term in terms]


def _short(term: str) -> str:
    if len(term) <= _LONGEST:
        return term
    return term[:20] + "\n" + sha256(term.encode("utf-8", "surrogatepass")).hexdigest()
