"""Feedback on answers, and the daily account of answers and embedding, of one workspace."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from onrecord.stores.batches import insert_counts, read_counts
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
        with self.database.writing("count answers in", _ASIDE) as connection:
            insert_counts(connection, "tallies", self.workspace, tallies)

    def tallies(self) -> list[Tally]:
        """The account: one Tally for each day, strategy, verdict and trial, in this order."""
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
