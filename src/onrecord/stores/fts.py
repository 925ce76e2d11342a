"""The word index of an archive file: FTS5 without a copy of the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np

from onrecord.stores.database import Connection
from onrecord.stores.words import terms
from onrecord.types import Passage

if TYPE_CHECKING:
    from onrecord.stores.catalogue import Entry
    from onrecord.types import Counts, Rows

_AT_ONCE = 100
"""Terms looked up by one statement."""
_TIMES = 3
"""Occurrence counts looked up by one statement, for terms that a passage contains at least once.

More occurrences in one passage are rare.
"""
_LONGEST = 8000
"""Longest term in characters: FTS5 cuts a token at 32,768 bytes, and the number of occurrences with it.

The digest of a longer term stands for it.
"""


class FtsWordIndex:
    """A `stores.database.WordIndex`.

    BM25 is computed from these posting lists and not by FTS5's bm25(): at 200,000 passages, for a term in 8%
    of them, bm25() takes 20 ms and this 2 ms; and bm25() counts over all workspaces. The number of
    occurrences is part of the token, so the index needs no positions: it takes half the space, and two thirds
    of the time to read.
    """

    def read(
        self, connection: Connection, workspace: int, terms: Mapping[str, Entry | None]
    ) -> list[tuple[Rows, Counts]]:
        lookups = [(term, last.first + last.size if last else 0) for term, last in terms.items()]
        postings: list[tuple[Rows, Counts]] = [_NONE] * len(lookups)
        waiting, times = list(range(len(lookups))), range(1, 2)
        while waiting:
            frequent = []
            for begin in range(0, len(waiting), _AT_ONCE):
                batch = waiting[begin : begin + _AT_ONCE]
                levels_of_terms = _levels(connection, workspace, [lookups[at] for at in batch], times)
                for at, levels in zip(batch, levels_of_terms, strict=True):
                    postings[at] = _counted(postings[at], levels, times.start)
                    if len(levels) == len(times):
                        frequent.append(at)
            waiting, times = frequent, range(times.stop, times.stop + _TIMES)
        return postings

    def read_ahead(self, connection: Connection, workspace: int, terms: Sequence[str]) -> None:
        return None

    def count(self, connection: Connection, workspace: int, terms: Sequence[str]) -> list[int]:
        connection.execute(_VOCABULARY)
        sql = "SELECT coalesce(max(doc), 0) FROM temp.said WHERE term = ?"
        tokens = [_token(workspace, term, 1) for term in terms]
        return [connection.execute(sql, (token,)).fetchone()[0] for token in tokens]

    def beginning(self, connection: Connection, workspace: int, letters: str) -> frozenset[str]:
        """Return the terms that begin with these letters. A thousand terms take 1 to 2 ms.

        SQLite joins them into one text, because fetching them one by one takes half as long again.
        """
        connection.execute(_VOCABULARY)
        first = f"{workspace}:{letters}"
        sql = "SELECT group_concat(substr(term, ?), ' ') FROM temp.said WHERE term >= ? AND term < ?"
        begin = len(first) - len(letters) + 1
        joined = connection.execute(sql, (begin, first, first + "\U0010ffff")).fetchone()[0] or ""
        return frozenset(term for term in joined.split(" ") if term and "^" not in term)

    def insert(self, connection: Connection, workspace: int, key: int, passages: Sequence[Passage]) -> None:
        connection.insert("words", ("rowid", "terms"), ((p.row, _indexed(workspace, p)) for p in passages))

    def delete(self, connection: Connection, workspace: int, key: int, passages: Iterable[Passage]) -> None:
        gone = [("delete", passage.row, _indexed(workspace, passage)) for passage in passages]
        connection.insert("words", ("words", "rowid", "terms"), gone)

    def purge(self, connection: Connection) -> None:
        """Merge the index, which until then only marks terms as deleted."""
        connection.execute("INSERT INTO words (words) VALUES ('optimize')")


_VOCABULARY = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.said USING fts5vocab(main, words, row)"
_NONE = np.empty(0, np.int64), np.empty(0, np.int32)


def _indexed(workspace: int, passage: Passage) -> str:
    """Return the tokens of a passage: its terms, each after the workspace's number.

    A term that occurs three times becomes 3:freight 3:freight^2 3:freight^3.
    """
    counts = Counter(terms(passage.spoken))
    return " ".join(_token(workspace, term, n) for term, count in counts.items() for n in range(1, count + 1))


def _token(workspace: int, term: str, times: int) -> str:
    if len(term) > _LONGEST:
        term = f"^{sha256(term.encode('utf-8', 'surrogatepass')).hexdigest()}"
    return f"{workspace}:{term}" if times == 1 else f"{workspace}:{term}^{times}"


def _levels(
    connection: Connection, workspace: int, lookups: Sequence[tuple[str, int]], times: range
) -> list[list[Rows]]:
    """Return, for each term and each of `times`, the rows with at least that many occurrences.

    `lookups` pairs a term with the first row to read. Empty lists of rows are left out. A term has no quotes
    in it, so it cannot end the quoted token. SQLite joins the rows into one text: fetching them one by one
    takes four times as long, and group_concat a tenth longer.
    """
    statement = "SELECT json_group_array(rowid) FROM words WHERE words MATCH ? AND rowid >= ?"
    values = [v for term, row in lookups for n in times for v in (f'"{_token(workspace, term, n)}"', row)]
    joined_rows = connection.execute(" UNION ALL ".join([statement] * (len(values) // 2)), values).fetchall()
    rows = [np.fromstring(joined[1:-1], np.int64, sep=",") for (joined,) in joined_rows]
    groups = [rows[at : at + len(times)] for at in range(0, len(rows), len(times))]
    return [[level for level in group if len(level)] for group in groups]


def _counted(before: tuple[Rows, Counts], levels: Sequence[Rows], first: int) -> tuple[Rows, Counts]:
    """Add levels to a posting list. The first level holds the rows with at least `first` occurrences."""
    rows, counts = before
    for times, level in enumerate(levels, first):
        if times == 1:
            rows, counts = level, np.ones(len(level), np.int32)
        else:
            counts[np.searchsorted(rows, level)] = times
    return rows, counts
