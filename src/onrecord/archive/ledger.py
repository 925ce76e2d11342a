"""The use of an archive: feedback on its answers, and their costs by day."""

from __future__ import annotations

import re
import secrets
from dataclasses import replace
from datetime import UTC, datetime
from time import time

from onrecord.answer.verify import verbatim
from onrecord.archive.models import Models
from onrecord.errors import InputError
from onrecord.ingest.language import sentence_spans
from onrecord.settings import Settings
from onrecord.stores import Store
from onrecord.stores.ledger import Batches, LedgerStore, Tally, ledger_store
from onrecord.types import Answer, Exchange, Feedback, Quoted

MOST_NOTE, MOST_TEXT, MOST_QUOTES = 2000, 20_000, 60
"""The most characters of a note and of an answer, and the most quotes, that are stored with one rating."""
_MILLION = 1_000_000


class Ledger:
    """A store of feedback and a counter of answers and embedding.

    Set `counting` to False while questions are only trials: then nothing is counted.
    """

    def __init__(self, store: Store, models: Models, settings: Settings) -> None:
        self._store, self._models, self._settings = store, models, settings
        self._ledger_store = ledger_store(store)
        self._batches: Batches[Tally] = Batches(lambda tallies: self._rows.count(tallies), time)
        self.counting = settings.account and self._ledger_store is not None

    # ---------------------------------------------------------------- feedback

    def rate(self, answer: Answer, good: bool, note: str = "") -> Feedback:
        """Store a user's rating of an answer. The `id` of the result withdraws it."""
        cited = (Quoted(c.recording.id, c.quote, c.start, c.end) for c in answer.citations)
        feedback = Feedback(
            id="",
            good=good,
            question=answer.question,
            note=note,
            history=answer.evidence.question.history,
            scope=answer.scope,
            strategy=answer.strategy,
            trial=answer.trial,
            verdict=answer.verdict,
            text="\n\n".join(part for part in (answer.heading, answer.text) if part),
            evidence=tuple(cited),
        )
        return self.give(feedback)

    def give(self, feedback: Feedback) -> Feedback:
        """Store feedback that was made elsewhere, in place of feedback with the same id.

        Without an id it gets one that nobody can guess. Its first `MOST_QUOTES` quotes are stored, and must
        stand verbatim in the archive. Raises InputError, NotFoundError, StoreError.
        """
        if not re.search(r"\w", feedback.question):
            raise InputError("the feedback has no question: say what was asked")
        evidence = feedback.evidence[:MOST_QUOTES]
        for number, quoted in enumerate(evidence, 1):
            if verbatim(quoted.quote, self._store.transcript(quoted.recording)) is None:
                raise InputError(f"quote {number} does not stand in the recording {quoted.recording[:100]!r}")
        stored = replace(
            feedback,
            id=feedback.id or secrets.token_hex(16),
            made=datetime.now(UTC).isoformat(timespec="seconds"),
            note=feedback.note[:MOST_NOTE],
            history=tuple(Exchange(turn.question) for turn in feedback.history),  # answers quote recordings
            text=feedback.text[:MOST_TEXT] if feedback.evidence else "",
            evidence=evidence,
            models=self._models.names,
        )
        self._rows.give(stored)
        return stored

    def feedback(self) -> list[Feedback]:
        """Return all feedback of the workspace, oldest first."""
        return self._ledger_store.feedback() if self._ledger_store else []

    def find(self, id: str) -> Feedback | None:  # noqa: A002 - the field's own name
        """Return feedback by its id; None if there is none."""
        return self._ledger_store.find(id) if self._ledger_store else None

    def withdraw(self, id: str) -> bool:  # noqa: A002 - the field's own name
        """Delete feedback. Return False if there is none with that id."""
        return self._rows.withdraw(id)

    # ---------------------------------------------------------------- the account

    def count(self, answer: Answer) -> None:
        """Count an answer, and the embedding for it."""
        if self.counting:
            tokens, money = self._embedded()
            self._batches.add(replace(tally_of(answer), embedded_tokens=tokens, embedded_money=money))

    def count_embedding(self, spent: int = 0) -> None:
        """Count the embedding of recordings, with the tokens `spent` by other processes."""
        tokens, money = self._embedded(spent)
        if self.counting and tokens:
            self._batches.add(Tally(_today(), embedded_tokens=tokens, embedded_money=money))

    def tallies(self) -> list[Tally]:
        """Return the counts by day, strategy and verdict."""
        self.write()
        return self._ledger_store.tallies() if self._ledger_store else []

    def write(self) -> None:
        """Write the pending counts."""
        self._batches.write()

    def write_due(self) -> None:
        """Write the pending counts if the last write was a while ago."""
        self._batches.write_due()

    @property
    def _rows(self) -> LedgerStore:
        """The ledger's store, in the archive itself. Raises InputError for an archive in memory."""
        if self._ledger_store is None:
            raise InputError("an archive in memory keeps no feedback: open one in a file")
        return self._ledger_store

    def _embedded(self, spent: int = 0) -> tuple[int, float]:
        """Return the tokens embedded since the last call, including other processes', and their price."""
        tokens = spent + self._models.spent()
        return tokens, tokens * self._settings.embedding.price / _MILLION


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


def tally_of(answer: Answer) -> Tally:
    """Return the counts of one answer: its verdict, sentences, calls and seconds, without its embedding."""
    stages = [step.name for step in answer.evidence.trace]
    written = any(call.role == "answer" and not call.failure for call in answer.calls)
    lines = answer.text.splitlines() if written else []
    seconds = answer.seconds.get("total", 0.0)
    return Tally(
        _today(),
        answer.strategy,
        answer.verdict,
        answer.trial,
        asked=1,
        written=int(written),
        reranked=int("Rerank" in stages),
        remembered=int("Remembered" in stages),
        sentences=sum(len(sentence_spans(line)) for line in lines),
        marked=answer.marked,
        withheld=len(answer.unsupported) - answer.marked,
        calls=len(answer.calls),
        prompt_tokens=sum(call.prompt_tokens for call in answer.calls),
        completion_tokens=sum(call.completion_tokens for call in answer.calls),
        money=sum(call.money for call in answer.calls),
        seconds=seconds,
        squares=seconds * seconds,
    )
