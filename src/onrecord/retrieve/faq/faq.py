"""The FAQ of a workspace: its entries, and the questions put to it."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from threading import BoundedSemaphore, Lock

import numpy as np

from onrecord.errors import InputError, ModelMismatchError, StoreError
from onrecord.ingest.faq import read_bytes, read_faq
from onrecord.models.base import LLM, Embedder, Reranker
from onrecord.retrieve.faq.account import Account, Day
from onrecord.retrieve.faq.index import FaqIndex, Match, Scale
from onrecord.retrieve.faq.judge import NOT_TRIGGERED, PASSED, SAID_NONE, Judge
from onrecord.retrieve.faq.reply import (
    HIGH,
    NO_CANDIDATES,
    RERANK_HIT,
    RERANK_NONE,
    TOO_LOW,
    FaqReply,
    answered,
    clarified,
    packed,
    unpacked,
)
from onrecord.retrieve.faq.settings import FaqSettings
from onrecord.retrieve.faq.text import cache_key, for_matching
from onrecord.stores.faq import FaqStore, Remembered, Thresholds
from onrecord.types import FaqEntry

log = logging.getLogger(__name__)

BATCH = 256
MEANING = "1"
"""Changes when replies would: kept ones of another meaning are not given again."""

Progress = Callable[[int, int], None]
"""Called with how many texts are embedded, and how many there are."""


@dataclass(frozen=True, slots=True)
class FaqAdded:
    """What became of the entries that were added. A changed one is a draft again, unless it was added as
    live."""

    added: tuple[FaqEntry, ...] = ()
    changed: tuple[FaqEntry, ...] = ()
    unchanged: tuple[FaqEntry, ...] = ()


class Faq:
    """Questions and answers of one workspace.

    Args:
        store: keeps the entries, replies given before, and the account.
        embedder: opens the embedding model; called when it is first needed.
        llm, reranker: decide in stage two, the first of the two that there is; else it is decided locally.
        settings: see `FaqSettings`.
        clock: seconds since 1970.
    """

    def __init__(
        self,
        store: FaqStore,
        embedder: Callable[[], Embedder],
        *,
        llm: LLM | None = None,
        reranker: Reranker | None = None,
        settings: FaqSettings = FaqSettings(),  # noqa: B008 - frozen
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.store, self.settings = store, settings
        self._open_embedder, self._clock = embedder, clock
        self._judge = Judge(llm, reranker, settings)
        self._account = Account(store, clock)
        self._index: tuple[int, FaqIndex] | None = None
        self._lock = Lock()
        self._cores = BoundedSemaphore(os.cpu_count() or 1)

    @property
    def workspace(self) -> str:
        """Whose it is."""
        return self.store.workspace

    # ---------------------------------------------------------------- entries

    def add(
        self, *sources: str | Path | FaqEntry, live: bool = False, progress: Progress | None = None
    ) -> FaqAdded:
        """Add entries: from CSV, YAML and JSON files, or as they are.

        They begin as drafts, which answer nothing until they are promoted, or are `live` at once. An entry
        with a known id takes the place of the old one; one that is there already and has not changed is left
        as it is. Raises FormatError for a file that cannot be read; then nothing is added.
        """
        entries = _once([entry for source in sources for entry in _entries_of(source)])
        stored = {entry.id: entry for entry in self.store.entries()}
        added = [entry for entry in entries if entry.id not in stored]
        existing = [entry for entry in entries if entry.id in stored]
        changed = [
            entry for entry in existing if replace(entry, status=stored[entry.id].status) != stored[entry.id]
        ]
        unchanged = [entry for entry in existing if entry not in changed]
        drafts = [entry for entry in unchanged if live and stored[entry.id].status == "draft"]
        new = [*added, *changed, *drafts]
        if live:
            self._put_live(new, progress)
        elif new:
            self.store.put([replace(entry, status="draft") for entry in new])
        groups = (self.store.entries([entry.id for entry in group]) for group in (added, changed, unchanged))
        return FaqAdded(*(tuple(group) for group in groups))

    def entries(self, status: str | None = None) -> list[FaqEntry]:
        """The entries, in the order in which they came; of one status, where it is given."""
        return self.store.entries(status=status)

    def entry(self, id: str) -> FaqEntry:  # noqa: A002 - the field's own name
        """The entry of this id. Raises NotFoundError."""
        return self.store.entries([id])[0]

    def promote(self, *ids: str, progress: Progress | None = None) -> list[FaqEntry]:
        """Make entries live: embed their ways of asking, by the model in the settings. Raises NotFoundError
        for an id that is none; then nothing is changed."""
        self._put_live(self.store.entries(tuple(dict.fromkeys(ids))), progress)
        return self.store.entries(ids)

    def retire(self, *ids: str) -> list[FaqEntry]:
        """Keep entries, but answer by them no longer."""
        self.store.set_status(ids, "retired")
        return self.store.entries(ids)

    def remove(self, *ids: str) -> list[FaqEntry]:
        """Remove entries; nothing of them is left behind."""
        entries = self.store.entries(ids)
        self.store.remove(ids)
        return entries

    def _put_live(self, entries: Sequence[FaqEntry], progress: Progress | None) -> None:
        if not entries:
            return
        texts = [for_matching(way) for entry in entries for way in entry.ways]
        parts = []
        for begin in range(0, len(texts), BATCH):
            parts.append(self._embedder.embed(texts[begin : begin + BATCH]))
            if progress:
                progress(min(begin + BATCH, len(texts)), len(texts))
        live = [replace(entry, status="live") for entry in entries]
        self.store.put(live, np.concatenate(parts), self._embedder.fingerprint)

    # ---------------------------------------------------------------- questions

    def ask(self, question: str) -> FaqReply:
        """The reply to a question: an entry's answer, or two or three questions to choose from.

        Raises InputError for a question that cannot be asked, ModelMismatchError where the entries were
        embedded by another model, and EmbeddingError. Whatever goes wrong in stage two, the reply is to
        ask back.
        """
        began = time.perf_counter()
        asked = self._checked(question)
        key, now = cache_key(asked), self._clock()
        recalled = self.store.recall(
            key, self._basis, self._embedder.fingerprint, now - self.settings.cache_seconds
        )
        if recalled.reply is not None and self.settings.cache_seconds:
            reply = unpacked(recalled.reply, question)
            reply = replace(reply, retrieval_ms=_since(began))
        else:
            version, index = self._index_of(recalled.version)
            matches = self._matches(index, asked)
            reply = replace(self._decided(asked, matches, recalled, _since(began)), question=question)
            self._remember(key, reply, now, version)
        self._account.count(reply)
        return reply

    def match(self, question: str) -> tuple[Match, ...]:
        """Stage one alone: the entries that fit best, best first, past the cache and the account."""
        asked = self._checked(question)
        recalled = self.store.recall("", "", self._embedder.fingerprint, 0)
        return self._matches(self._index_of(recalled.version)[1], asked)

    def thresholds(self) -> Thresholds:
        """The thresholds in force."""
        recalled = self.store.recall("", "", self._embedder.fingerprint, 0)
        return self.settings.thresholds(self._embedder.name, recalled.thresholds)

    def set_thresholds(self, thresholds: Thresholds | None) -> None:
        """Use these for this workspace and model from now on; None: the model's own."""
        if thresholds:
            FaqSettings(high=thresholds.high, low=thresholds.low).thresholds(self._embedder.name, None)
        self.store.set_thresholds(self._embedder.fingerprint, thresholds)

    @property
    def decides(self) -> bool:
        """Whether a model decides in stage two, and not the local classifier."""
        return bool(self._judge.name)

    def costs(self) -> list[Day]:
        """The account, by the day."""
        return self._account.days()

    def close(self) -> None:
        """Writes what is counted, and closes the store."""
        self._account.write()
        self.store.close()

    # ---------------------------------------------------------------- stage one

    @cached_property
    def _embedder(self) -> Embedder:
        return self._open_embedder()

    @cached_property
    def _basis(self) -> str:
        """What replies depend on besides entries and calibrated thresholds."""
        s = self.settings
        offered = (s.candidates, s.options, s.options_behind)
        decides = (s.reason_characters, s.reply_tokens, s.rerank_score, s.local_score, s.margin)
        set_by_hand = (s.high, s.low, *offered, *decides)
        return " ".join(map(str, (MEANING, self._embedder.fingerprint, *set_by_hand, self._judge.name)))

    def _checked(self, question: str) -> str:
        if not for_matching(question):
            raise InputError("the question is empty: ask something")
        if len(question) > self.settings.question_characters:
            most = self.settings.question_characters
            raise InputError(f"the question has {len(question):,} characters; at most {most:,} are allowed")
        return question

    def _index_of(self, version: int) -> tuple[int, FaqIndex]:
        """The index of a version of the entries, or of a later one."""
        with self._lock:
            if self._index is None or self._index[0] != version:
                live = self.store.live()
                if live.models - {self._embedder.fingerprint}:
                    raise ModelMismatchError(
                        f"the FAQ was embedded by another model than {self._embedder.name!r}; embed it anew "
                        "with: onrecord faq promote --all"
                    )
                self._index = live.version, FaqIndex(live.entries, live.vectors, Scale.of(self._embedder))
            return self._index

    def _matches(self, index: FaqIndex, question: str) -> tuple[Match, ...]:
        """By the question as it is, or with its misspelt words set right if that fits better."""
        if not index.entries:
            return ()
        text = for_matching(question)
        with self._cores:  # more at once than there are cores would only slow each other down
            count = self.settings.candidates
            matches = index.match(self._embedder.embed_query(text), text, count)
            corrected = index.spelling.corrected(text)
            if corrected == text:
                return matches
            of_corrected = index.match(self._embedder.embed_query(corrected), corrected, count)
            return max(matches, of_corrected, key=lambda each: each[0].score)

    def _decided(
        self, question: str, matches: Sequence[Match], recalled: Remembered, took: float
    ) -> FaqReply:
        if not matches:
            return replace(self._clarified(question, NO_CANDIDATES, ()), retrieval_ms=took)
        thresholds = self.settings.thresholds(self._embedder.name, recalled.thresholds)
        if matches[0].score >= thresholds.high:
            reply = answered(question, HIGH, matches)
        elif matches[0].score < thresholds.low:
            reply = self._clarified(question, TOO_LOW, matches)
        else:
            reply = self._reranked(question, matches)
        return replace(reply, retrieval_ms=took)

    def _clarified(self, question: str, stage: str, matches: Sequence[Match]) -> FaqReply:
        return clarified(question, stage, matches, self.settings.options, self.settings.options_behind)

    def _remember(self, key: str, reply: FaqReply, now: float, version: int) -> None:
        """Keep a reply, unless it came of a fault, which may be over by the next time."""
        if not self.settings.cache_seconds or reply.gate not in (NOT_TRIGGERED, PASSED, SAID_NONE):
            return
        oldest = now - self.settings.cache_seconds
        try:
            self.store.remember(key, self._basis, packed(reply), now, oldest, version)
        except StoreError as error:
            log.info("a reply is not kept: %s", error)

    # ---------------------------------------------------------------- stage two

    def _reranked(self, question: str, matches: Sequence[Match]) -> FaqReply:
        began = time.perf_counter()
        decision = self._judge.decide(question, matches)
        verdict = decision.verdict
        if verdict.gate == PASSED:
            reply = answered(question, RERANK_HIT, matches, verdict.pick)
        else:
            reply = self._clarified(question, RERANK_NONE, matches)
        return replace(
            reply,
            gate=verdict.gate,
            reason=verdict.reason,
            model=decision.model,
            calls=decision.calls,
            prompt_tokens=decision.prompt_tokens,
            completion_tokens=decision.completion_tokens,
            cost=self.settings.cost(decision.prompt_tokens, decision.completion_tokens),
            rerank_ms=_since(began),
        )


def _entries_of(source: str | Path | FaqEntry) -> list[FaqEntry]:
    if isinstance(source, FaqEntry):
        return [source]
    return read_faq(str(source), read_bytes(Path(source)))


def _once(entries: Sequence[FaqEntry]) -> list[FaqEntry]:
    """Each entry once. Raises InputError where two that differ have the same id."""
    by_id: dict[str, FaqEntry] = {}
    for entry in entries:
        if by_id.setdefault(entry.id, entry) != entry:
            raise InputError(f"two different entries have the id {entry.id!r}: give each its own")
    return list(by_id.values())


def _since(began: float) -> float:
    """Milliseconds."""
    return (time.perf_counter() - began) * 1000
