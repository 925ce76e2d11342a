"""Feedback on answers, and the daily account of answers and embedding, of one workspace."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, astuple, dataclass, fields
from typing import Any

from onrecord.stores.database import Database
from onrecord.types import Exchange, Feedback, Quoted, Scope

MOST_FEEDBACK = 50_000
"""Judgements that one workspace keeps; beyond it the oldest go first."""
_ASIDE = 0.1
"""Seconds that the account waits for others who write: a question is not kept waiting."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The sums over the answers of one day (ISO, UTC) by one strategy with one verdict.

    `trial`: chance chose the strategy. Embedding for the archive has neither strategy nor verdict.

    `asked` answers, of which `written` ones come from a language model, `reranked` ones were reranked,
    `remembered` ones come from a cache. They have `sentences`; `marked` ones are shown as doubtful,
    `withheld` ones not at all. `calls` of language models, with tokens and `money`; the same of embedding;
    `seconds` in all, and their `squares`.
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


_KEY = 4
"""The first fields of a Tally say what it is of; the others are added up."""
_NAMES = [field.name for field in fields(Tally)]


def add_up(tallies: Iterable[Tally]) -> list[Tally]:
    """Merge tallies into one for each day, strategy, verdict and trial, in this order."""
    sums: dict[tuple[Any, ...], list[float]] = {}
    for values in map(astuple, tallies):
        before = sums.setdefault(values[:_KEY], [0] * (len(values) - _KEY))
        before[:] = [a + b for a, b in zip(before, values[_KEY:], strict=True)]
    return [Tally(*key, *sums[key]) for key in sorted(sums)]


class LedgerStore:
    """The ledger of one workspace; nothing of another workspace can be seen through it.

    Usable from several threads and processes. A writer that waits too long for others gets LockedError.
    """

    def __init__(self, database: Database, workspace: str = "default") -> None:
        self.database, self.workspace = database, workspace

    # ---- feedback

    def give(self, feedback: Feedback) -> None:
        """Store a judgement, in place of the one with the same id."""
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
        """Delete a judgement and all traces of it. Returns False if there is none with that id."""
        with self.database.writing("remove feedback from") as connection:
            sql = "DELETE FROM feedback WHERE workspace = ? AND id = ?"
            gone = connection.execute(sql, (self.workspace, id)).rowcount
        self.database.wipe()
        return bool(gone)

    def forget(self, recording: str) -> None:
        """Delete the judgements whose answers cite a recording, so that none of its words remain."""
        citing = [
            (self.workspace, feedback.id)
            for feedback in self.feedback()
            if any(quoted.recording == recording for quoted in feedback.evidence)
        ]
        with self.database.writing("remove feedback from") as connection:
            connection.executemany("DELETE FROM feedback WHERE workspace = ? AND id = ?", citing)
        self.database.wipe()

    def feedback(self) -> list[Feedback]:
        """All judgements, oldest first."""
        sql = "SELECT value FROM feedback WHERE workspace = ? ORDER BY number"
        with self.database.reading() as connection:
            return [_feedback(json.loads(value)) for (value,) in connection.execute(sql, (self.workspace,))]

    def find(self, id: str) -> Feedback | None:  # noqa: A002 - the field's own name
        """The judgement with this id; None if there is none."""
        sql = "SELECT value FROM feedback WHERE workspace = ? AND id = ?"
        with self.database.reading() as connection:
            row = connection.execute(sql, (self.workspace, id)).fetchone()
        return _feedback(json.loads(row[0])) if row else None

    # ---- the account

    def count(self, tallies: Sequence[Tally]) -> None:
        """Add tallies to the account."""
        key, sums = _NAMES[:_KEY], _NAMES[_KEY:]
        columns = ("workspace", *_NAMES)
        sql = (
            f"INSERT INTO tallies ({', '.join(columns)}) "  # noqa: S608 - our own names
            f"VALUES ({', '.join('?' for _ in columns)}) "
            f"ON CONFLICT (workspace, {', '.join(key)}) DO UPDATE SET "
            + ", ".join(f"{name} = tallies.{name} + excluded.{name}" for name in sums)
        )
        rows = [(self.workspace, *map(_number, astuple(tally))) for tally in tallies]
        with self.database.writing("count answers in", _ASIDE) as connection:
            connection.executemany(sql, rows)

    def tallies(self) -> list[Tally]:
        """The account: one Tally for each day, strategy, verdict and trial, in this order."""
        names = ", ".join(_NAMES)
        sql = f"SELECT {names} FROM tallies WHERE workspace = ? "  # noqa: S608 - our own names
        with self.database.reading() as connection:
            rows = connection.execute(f"{sql} ORDER BY day, strategy, verdict, trial", (self.workspace,))
            return [Tally(**{**dict(zip(_NAMES, row, strict=True)), "trial": bool(row[3])}) for row in rows]


def _number(value: Any) -> Any:
    """A bool as 0 or 1, as the tables store it; any other value as it is."""
    return int(value) if isinstance(value, bool) else value


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
