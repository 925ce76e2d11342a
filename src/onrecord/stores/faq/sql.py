"""The FAQ of one workspace in the tables of an archive."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np

from onrecord.stores.database import Connection, Database
from onrecord.stores.faq.base import (
    MOST_REPLIES,
    LiveEntries,
    QuestionState,
    Thresholds,
    Usage,
    check_entries,
    check_status,
    missing_vectors,
    unknown_entry,
)
from onrecord.stores.ledger import insert_counts, read_counts
from onrecord.types import FaqEntry

if TYPE_CHECKING:
    from onrecord.types import Vectors

CACHE_PATIENCE = 0.1
"""Seconds that writes of cached replies and usage counts wait for other writers, so that no question waits
long."""

_MOST_BYTES = 1000
"""Longest question, in bytes, that is its own cache key. The key of a longer question is its digest."""

_CHECK_EVERY = 256
"""Replies after which the store checks whether the cache has too many. The check takes a millisecond."""

_ENTRY = "id, question, answer, variants, tags, link, status"


class SqlFaqStore:
    """A FAQ store in SQL tables: see `onrecord.stores.faq.base.FaqStore`."""

    def __init__(self, database: Database, workspace: str = "default") -> None:
        self.database, self.workspace = database, workspace
        self.most_replies, self.check_every = MOST_REPLIES, _CHECK_EVERY
        self._replies_written = 0

    # ---- entries

    def put(self, entries: Sequence[FaqEntry], vectors: Vectors | None = None, model: str = "") -> None:
        check_entries(entries, vectors)
        sql = (
            "INSERT INTO faq_entries (workspace, id, question, answer, variants, tags, link, status, model, "
            "vectors) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (workspace, id) DO UPDATE SET "
            "question = excluded.question, answer = excluded.answer, variants = excluded.variants, "
            "tags = excluded.tags, link = excluded.link, status = excluded.status, model = excluded.model, "
            "vectors = excluded.vectors"
        )
        with self._change("add FAQ entries to") as connection:
            begin = 0
            for entry in entries:
                end = begin + len(entry.wordings)
                packed = (
                    None if vectors is None else np.ascontiguousarray(vectors[begin:end], "<f4").tobytes()
                )
                begin = end
                lists = [json.dumps(each, ensure_ascii=False) for each in (entry.variants, entry.tags)]
                texts = (entry.id, entry.question, entry.answer, *lists, entry.link, entry.status)
                made_by = None if vectors is None else model
                connection.execute(sql, (self.workspace, *texts, made_by, packed))

    def set_status(self, ids: Sequence[str], status: str) -> None:
        check_status(status)
        with self._change("change FAQ entries in") as connection:
            self._entries(connection, ids)
            if status == "live":
                sql = "SELECT id FROM faq_entries WHERE workspace = ? AND vectors IS NULL"
                without = {row[0] for row in connection.execute(sql, (self.workspace,))}
                if without.intersection(ids):
                    raise missing_vectors([name for name in ids if name in without])
            sql = "UPDATE faq_entries SET status = ? WHERE workspace = ? AND id = ?"
            connection.executemany(sql, [(status, self.workspace, name) for name in ids])

    def remove(self, ids: Sequence[str]) -> None:
        with self._change("remove FAQ entries from") as connection:
            self._entries(connection, ids)
            sql = "DELETE FROM faq_entries WHERE workspace = ? AND id = ?"
            connection.executemany(sql, [(self.workspace, name) for name in ids])
        self.database.wipe()

    def entries(self, ids: Sequence[str] | None = None, status: str | None = None) -> list[FaqEntry]:
        with self.database.reading() as connection:
            entries = self._entries(connection, ids)
        return [entry for entry in entries if status in (None, entry.status)]

    def _entries(self, connection: Connection, ids: Sequence[str] | None) -> list[FaqEntry]:
        sql = f"SELECT {_ENTRY} FROM faq_entries WHERE workspace = ? ORDER BY key"  # noqa: S608 - ours
        rows = {row[0]: row for row in connection.execute(sql, (self.workspace,))}
        if ids is None:
            return [_entry(row) for row in rows.values()]
        for name in ids:
            if name not in rows:
                raise unknown_entry(name, rows)
        return [_entry(rows[name]) for name in ids]

    def live(self) -> LiveEntries:
        sql = (
            f"SELECT {_ENTRY}, model, vectors FROM faq_entries "  # noqa: S608 - ours
            "WHERE workspace = ? AND status = 'live' ORDER BY key"
        )
        with self.database.reading() as connection:
            version = self._version(connection)
            rows = connection.execute(sql, (self.workspace,)).fetchall()
        entries, models = tuple(_entry(row[:7]) for row in rows), frozenset(row[7] for row in rows)
        count = sum(len(entry.wordings) for entry in entries) if len(models) == 1 else 0
        if not count:
            return LiveEntries(version, entries, np.zeros((0, 0), np.float32), models)
        numbers = np.frombuffer(b"".join(row[8] for row in rows), "<f4")
        vectors = numbers.astype(np.float32, copy=False).reshape(count, -1)
        return LiveEntries(version, entries, vectors, models)

    # ---- thresholds

    def set_thresholds(self, model: str, thresholds: Thresholds | None) -> None:
        key = (self.workspace, model)
        with self._change("set thresholds in") as connection:
            connection.execute("DELETE FROM faq_thresholds WHERE workspace = ? AND model = ?", key)
            if thresholds:
                values = (*key, thresholds.high, thresholds.low)
                connection.execute("INSERT INTO faq_thresholds VALUES (?, ?, ?, ?)", values)

    # ---- the cache

    def recall(self, question: str, basis: str, model: str, since: float) -> QuestionState:
        with self.database.reading() as connection:
            version = self._version(connection)
            thresholds = connection.execute(
                "SELECT high, low FROM faq_thresholds WHERE workspace = ? AND model = ?",
                (self.workspace, model),
            ).fetchone()
            reply = connection.execute(
                "SELECT reply FROM faq_replies WHERE workspace = ? AND question = ? AND basis = ? "
                "AND made >= ?",
                (self.workspace, _cache_text(question), basis, since),
            ).fetchone()
        return QuestionState(version, Thresholds(*thresholds) if thresholds else None, reply and reply[0])

    def remember(self, question: str, basis: str, reply: str, now: float, keep: float, version: int) -> None:
        with self.database.writing("remember a reply in", CACHE_PATIENCE) as connection:
            if self._version(connection) != version:
                return
            connection.execute(
                "INSERT INTO faq_replies (workspace, question, basis, made, reply) VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (workspace, question, basis) DO UPDATE SET made = excluded.made, "
                "reply = excluded.reply",
                (self.workspace, _cache_text(question), basis, now, reply),
            )
            sql = "DELETE FROM faq_replies WHERE workspace = ? AND made < ?"
            connection.execute(sql, (self.workspace, keep))
            self._replies_written += 1
            if self._replies_written % self.check_every == 0:
                connection.execute(
                    "DELETE FROM faq_replies WHERE workspace = ? AND made < (SELECT made FROM faq_replies "
                    "WHERE workspace = ? ORDER BY made DESC LIMIT 1 OFFSET ?)",
                    (self.workspace, self.workspace, self.most_replies - 1),
                )

    # ---- usage counts

    def count(self, usage: Sequence[Usage]) -> None:
        with self.database.writing("count questions in", CACHE_PATIENCE) as connection:
            insert_counts(connection, "faq_usage", self.workspace, usage)

    def usage(self) -> list[Usage]:
        with self.database.reading() as connection:
            return [Usage(*row) for row in read_counts(connection, "faq_usage", self.workspace, Usage)]

    # ---- versions

    def close(self) -> None:
        """Close the database connections."""
        self.database.close()

    @contextmanager
    def _change(self, doing: str) -> Iterator[Connection]:
        """Begin a change that creates a new version and empties the cache."""
        with self.database.writing(doing) as connection:
            connection.execute(
                "INSERT INTO faq_workspaces (name, version) VALUES (?, 1) ON CONFLICT (name) DO UPDATE "
                "SET version = faq_workspaces.version + 1",
                (self.workspace,),
            )
            connection.execute("DELETE FROM faq_replies WHERE workspace = ?", (self.workspace,))
            yield connection

    def _version(self, connection: Connection) -> int:
        sql = "SELECT version FROM faq_workspaces WHERE name = ?"
        row = connection.execute(sql, (self.workspace,)).fetchone()
        return row[0] if row else 0


def _entry(row: tuple[Any, ...]) -> FaqEntry:
    id, question, answer, variants, tags, link, status = row  # noqa: A001 - the field's own name
    return FaqEntry(id, question, answer, tuple(json.loads(variants)), tuple(json.loads(tags)), link, status)


def _cache_text(question: str) -> str:
    """Return the cache key of a question, without lone surrogates and zero characters.

    No archive can store lone surrogates, and some cannot store zero characters.
    """
    written = question.encode("utf-8", "backslashreplace")
    if len(written) > _MOST_BYTES:  # an index does not accept longer keys
        return sha256(written).hexdigest()
    return written.decode().replace("\0", "\\0")
