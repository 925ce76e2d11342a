"""Feedback on answers, and daily counts of answers and embeddings, for one workspace.

Counts are added up by day and kind, and written in batches, so that no question waits for a write.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, astuple, dataclass, fields, replace
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from onrecord.errors import StoreError
from onrecord.stores.database import Connection, Database
from onrecord.types import Exchange, Feedback, Quoted, Scope

if TYPE_CHECKING:
    from onrecord.stores.base import Store

T = TypeVar("T")
log = logging.getLogger(__name__)

EVERY = 1.0
"""Seconds between two writes. Counts since the last write are lost if the process is killed."""
KEY = 4
"""Number of key fields of a count (a dataclass). These come first; the other fields are added up."""
MOST_FEEDBACK = 50_000
"""Feedback entries that one workspace keeps at most; above that, the oldest are deleted first."""
_ASIDE = 0.1
"""Seconds that a write of counts waits for other writers, so that a question does not wait long."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The sums over the answers of one day (ISO, UTC) by one strategy with one verdict.

    `trial` says that the strategy was chosen at random. Embeddings for the archive have neither strategy nor
    verdict.

    `asked` is the number of answers. Of these, `written` come from a language model, `reranked` were
    reranked, and `remembered` come from a cache. They have `sentences`; `marked` ones are shown as doubtful,
    `withheld` ones are not shown. The calls of language models are counted in `calls`, tokens and `money`,
    and embeddings in `embedded_tokens` and `embedded_money`. `seconds` is the sum of the durations, `squares`
    the sum of their squares.
    """

    day: str
    strategy: str = ""
    verdict: str = ""
    trial: bool = False
    asked: int = 0
    written: int = 0
    reranked: int = 0
    remembered: int = 0
    sentences: int = 0
    marked: int = 0
    withheld: int = 0
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    money: float = 0.0
    embedded_tokens: int = 0
    embedded_money: float = 0.0
    seconds: float = 0.0
    squares: float = 0.0


def ledger_store(store: Store) -> LedgerStore | None:
    """Return the ledger of a store's workspace; None for an archive in memory, which has none."""
    database: Database | None = getattr(store, "database", None)
    return LedgerStore(database, store.workspace) if database else None


class LedgerStore:
    """The feedback and the counts of one workspace, isolated from other workspaces.

    Several threads and processes may use it. A writer that waits too long for others gets LockedError.
    """

    def __init__(self, database: Database, workspace: str = "default") -> None:
        self.database, self.workspace = database, workspace

    # ---- feedback

    def give(self, feedback: Feedback) -> None:
        """Store feedback, or replace the feedback with the same id."""
        value = json.dumps(asdict(feedback))
        with self.database.writing("keep feedback in") as connection:
            connection.execute(
                "INSERT INTO feedback (workspace, id, value) VALUES (?, ?, ?) "
                "ON CONFLICT (workspace, id) DO UPDATE SET value = excluded.value",
                (self.workspace, feedback.id, value),
            )
            connection.execute(
                "DELETE FROM feedback WHERE workspace = ? AND number <= (SELECT number FROM feedback "
                "WHERE workspace = ? ORDER BY number DESC LIMIT 1 OFFSET ?)",
                (self.workspace, self.workspace, MOST_FEEDBACK),
            )

    def withdraw(self, id: str) -> bool:  # noqa: A002 - the field's own name
        """Delete feedback and all its data. Return False if there is none with that id."""
        with self.database.writing("remove feedback from") as connection:
            sql = "DELETE FROM feedback WHERE workspace = ? AND id = ?"
            gone = connection.execute(sql, (self.workspace, id)).rowcount
        self.database.wipe()
        return bool(gone)

    def forget(self, recording: str) -> None:
        """Delete the feedback on answers that cite a recording, so that none of its text remains."""
        citing = [
            (self.workspace, feedback.id)
            for feedback in self.feedback()
            if any(quoted.recording == recording for quoted in feedback.evidence)
        ]
        if not citing:
            return
        with self.database.writing("remove feedback from") as connection:
            connection.executemany("DELETE FROM feedback WHERE workspace = ? AND id = ?", citing)
        self.database.wipe()

    def feedback(self) -> list[Feedback]:
        """Return all feedback, oldest first."""
        sql = "SELECT value FROM feedback WHERE workspace = ? ORDER BY number"
        with self.database.reading() as connection:
            return [_feedback(json.loads(value)) for (value,) in connection.execute(sql, (self.workspace,))]

    def find(self, id: str) -> Feedback | None:  # noqa: A002 - the field's own name
        """Return the feedback with this id; None if there is none."""
        sql = "SELECT value FROM feedback WHERE workspace = ? AND id = ?"
        with self.database.reading() as connection:
            row = connection.execute(sql, (self.workspace, id)).fetchone()
        return _feedback(json.loads(row[0])) if row else None

    # ---- counts of answers

    def count(self, tallies: Sequence[Tally]) -> None:
        """Add tallies to the stored counts."""
        with self.database.writing("count answers in", _ASIDE) as connection:
            insert_counts(connection, "tallies", self.workspace, tallies)

    def tallies(self) -> list[Tally]:
        """Return one Tally for each day, strategy, verdict and trial, in this order."""
        with self.database.reading() as connection:
            rows = read_counts(connection, "tallies", self.workspace, Tally)
            return [replace(tally, trial=bool(tally.trial)) for tally in (Tally(*row) for row in rows)]


def _feedback(plain: dict[str, Any]) -> Feedback:
    lists: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in plain["scope"].items()
    }
    made = {
        "history": tuple(Exchange(**each) for each in plain["history"]),
        "scope": Scope(**lists),
        "evidence": tuple(Quoted(**each) for each in plain["evidence"]),
    }
    return Feedback(**{**plain, **made})


# ---------------------------------------------------------------- counts of any kind


def add_up(counts: Iterable[T]) -> list[T]:
    """Merge counts into one for each key, in the order of the keys."""
    sums: dict[tuple[Any, ...], list[float]] = {}
    kind: Any = None
    for count in counts:
        kind, values = type(count), astuple(count)  # type: ignore[call-overload]
        before = sums.setdefault(values[:KEY], [0] * (len(values) - KEY))
        before[:] = [a + b for a, b in zip(before, values[KEY:], strict=True)]
    return [kind(*key, *sums[key]) for key in sorted(sums)]


def insert_counts(connection: Connection, table: str, workspace: str, counts: Sequence[Any]) -> None:
    """Add counts to those of the workspace in a table, whose columns have the names of the fields."""
    if not counts:
        return
    names = [field.name for field in fields(counts[0])]
    columns = ("workspace", *names)
    sums = ", ".join(f"{name} = {table}.{name} + excluded.{name}" for name in names[KEY:])
    sql = (
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))}) "  # noqa: S608
        f"ON CONFLICT (workspace, {', '.join(names[:KEY])}) DO UPDATE SET {sums}"
    )
    rows = [
        [int(value) if isinstance(value, bool) else value for value in astuple(count)] for count in counts
    ]
    connection.executemany(sql, [(workspace, *row) for row in rows])


def read_counts(connection: Connection, table: str, workspace: str, kind: type) -> Iterator[tuple[Any, ...]]:
    """Yield the values of the counts of this kind in a table, in the order of their keys."""
    names = [field.name for field in fields(kind)]
    sql = (
        f"SELECT {', '.join(names)} FROM {table} WHERE workspace = ? "  # noqa: S608 - our own names
        f"ORDER BY {', '.join(names[:KEY])}"
    )
    yield from connection.execute(sql, (workspace,)).fetchall()


class Batches(Generic[T]):
    """Collects counts and writes their sums in batches.

    Counts that the store cannot write at the moment are written with the next batch.
    """

    def __init__(self, write: Callable[[Sequence[T]], None], clock: Callable[[], float]) -> None:
        self._write, self._clock = write, clock
        self._waiting: list[T] = []
        self._written = clock()
        self._lock = Lock()

    def add(self, count: T) -> None:
        """Add one count."""
        with self._lock:
            self._waiting.append(count)

    def write_due(self) -> None:
        """Write the sums if the last write was at least `EVERY` seconds ago.

        Call this when nobody is waiting for an answer.
        """
        with self._lock:
            due = not 0 <= self._clock() - self._written < EVERY
        if due:
            self.write()

    def write(self) -> None:
        """Write the sums now."""
        with self._lock:
            waiting, self._waiting = add_up(self._waiting), []
            self._written = self._clock()
        if not waiting:
            return
        try:
            self._write(waiting)
        except StoreError as error:
            log.info("counted later: %s", error)
            with self._lock:
                self._waiting = waiting + self._waiting
