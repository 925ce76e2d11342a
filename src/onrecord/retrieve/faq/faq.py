"""The FAQ of a workspace, which manages entries and answers questions."""

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
from onrecord.retrieve.faq.index import FaqIndex, Match, Scale
from onrecord.retrieve.faq.judge import LLM_SAID_NONE, NOT_TRIGGERED, PASSED, Judge
from onrecord.retrieve.faq.reply import (
    HIGH,
    NO_CANDIDATES,
    RERANK_HIT,
    RERANK_NONE,
    TOO_LOW,
    Account,
    Day,
    FaqReply,
    answer_reply,
    clarify_reply,
    dump_reply,
    load_reply,
)
from onrecord.retrieve.faq.settings import FaqSettings
from onrecord.retrieve.faq.text import cache_key, normalize
from onrecord.stores.faq import FaqStore, QuestionState, Thresholds
from onrecord.types import FaqEntry, collapsed

log = logging.getLogger(__name__)

BATCH = 256
REPLY_VERSION = "2"
"""A part of the cache key. Change it when replies change, so that old cached replies are not used."""

Progress = Callable[[int, int], None]
"""A callback that gets the number of texts embedded so far, and the total number."""


@dataclass(frozen=True, slots=True)
class FaqAdded:
    """The outcome of adding entries. A changed entry is a draft again, unless it was added as live."""

    added: tuple[FaqEntry, ...] = ()
    changed: tuple[FaqEntry, ...] = ()
    unchanged: tuple[FaqEntry, ...] = ()


class Faq:
    """Questions and answers of one workspace.

    Args:
        store: holds the entries, cached replies, and the account.
        embedder: opens the embedding model; called at its first use.
        llm, reranker: decide in stage two, the LLM if there are both; without either, a local classifier
            decides.
        settings: see `FaqSettings`.
        clock: returns seconds since 1970.
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
        """The name of the workspace."""
        return self.store.workspace

    # ---------------------------------------------------------------- entries

    def add(
        self, *sources: str | Path | FaqEntry, live: bool = False, progress: Progress | None = None
    ) -> FaqAdded:
        """Add entries, or the entries of CSV, YAML and JSON files.

        They begin as drafts, which answer nothing until they are promoted, unless `live` is set. An entry
        replaces the stored one with its id if they differ. Raises FormatError for a file that cannot be read;
        then nothing is added.
        """
        entries = _read_entries(sources)
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
        """Return the entries in the order of adding, all or those with one status."""
        return self.store.entries(status=status)

    def entry(self, id: str) -> FaqEntry:  # noqa: A002 - the field's own name
        """Return the entry with this id. Raises NotFoundError."""
        return self.store.entries([id])[0]

    def promote(self, *ids: str, progress: Progress | None = None) -> list[FaqEntry]:
        """Make entries live, which embeds their wordings.

        Raises NotFoundError for an unknown id; then nothing is changed.
        """
        self._put_live(self.store.entries(tuple(dict.fromkeys(ids))), progress)
        return self.store.entries(ids)

    def retire(self, *ids: str) -> list[FaqEntry]:
        """Retire entries: they no longer answer questions, but stay stored."""
        self.store.set_status(ids, "retired")
        return self.store.entries(ids)

    def remove(self, *ids: str) -> list[FaqEntry]:
        """Remove entries with all their data, and return them."""
        entries = self.store.entries(ids)
        self.store.remove(ids)
        return entries

    def _put_live(self, entries: Sequence[FaqEntry], progress: Progress | None) -> None:
        if not entries:
            return
        texts = [normalize(wording) for entry in entries for wording in entry.wordings]
        parts = []
        for begin in range(0, len(texts), BATCH):
            parts.append(self._embedder.embed(texts[begin : begin + BATCH]))
            if progress:
                progress(min(begin + BATCH, len(texts)), len(texts))
        live = [replace(entry, status="live") for entry in entries]
        self.store.put(live, np.concatenate(parts), self._embedder.fingerprint)

    # ---------------------------------------------------------------- questions

    def ask(self, question: str) -> FaqReply:
        """Return the reply to a question: an entry's answer, or two or three questions to choose from.

        Raises InputError for an empty or too long question, ModelMismatchError if another model embedded the
        entries, and EmbeddingError. If stage two fails, the reply asks back.
        """
        began = time.perf_counter()
        question = self._checked(question)
        key, now = cache_key(question), self._clock()
        recalled = self.store.recall(
            key, self._basis, self._embedder.fingerprint, now - self.settings.cache_seconds
        )
        if recalled.reply is not None and self.settings.cache_seconds:
            reply = load_reply(recalled.reply, question)
            reply = replace(reply, retrieval_ms=_elapsed_ms(began))
        else:
            version, index = self._index_of(recalled.version)
            matches = self._matches(index, question)
            reply = self._decide(question, matches, recalled, _elapsed_ms(began))
            self._remember(key, reply, now, version)
        self._account.count(reply)
        return reply

    def match(self, question: str) -> tuple[Match, ...]:
        """Return the result of stage one: the best entries, best first.

        The cache and the account are not used.
        """
        text = self._checked(question)
        recalled = self.store.recall("", "", self._embedder.fingerprint, 0)
        return self._matches(self._index_of(recalled.version)[1], text)

    def thresholds(self) -> Thresholds:
        """Return the thresholds in force."""
        recalled = self.store.recall("", "", self._embedder.fingerprint, 0)
        return self.settings.thresholds(self._embedder.name, recalled.thresholds)

    def set_thresholds(self, thresholds: Thresholds | None) -> None:
        """Set the thresholds of this workspace and model; None restores the model's own."""
        if thresholds:
            FaqSettings(high=thresholds.high, low=thresholds.low).thresholds(self._embedder.name, None)
        self.store.set_thresholds(self._embedder.fingerprint, thresholds)

    @property
    def decides(self) -> bool:
        """Whether a model decides in stage two, rather than the local classifier."""
        return bool(self._judge.name)

    def costs(self) -> list[Day]:
        """Return the account by day."""
        return self._account.days()

    def close(self) -> None:
        """Write the pending counts, and close the store."""
        self._account.write()
        self.store.close()

    # ---------------------------------------------------------------- stage one

    @cached_property
    def _embedder(self) -> Embedder:
        return self._open_embedder()

    @cached_property
    def _basis(self) -> str:
        """A key for everything that replies depend on besides entries and calibrated thresholds."""
        s = self.settings
        offered = (s.candidates, s.options, s.options_behind)
        decides = (s.reason_characters, s.reply_tokens, s.rerank_score, s.local_score, s.margin)
        set_by_hand = (s.high, s.low, *offered, *decides)
        return " ".join(map(str, (REPLY_VERSION, self._embedder.fingerprint, *set_by_hand, self._judge.name)))

    def _checked(self, question: str) -> str:
        """Return the question with single spaces. Raises InputError if it is empty or too long."""
        text, limit = collapsed(question), self.settings.question_characters
        if not normalize(text):
            raise InputError("the question is empty: ask something")
        if len(text) > limit:
            raise InputError(f"the question has {len(text):,} characters; at most {limit:,} are allowed")
        return text

    def _index_of(self, version: int) -> tuple[int, FaqIndex]:
        """Return the index of a version of the entries, or of a later version, with its version number."""
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
        """Match the question as it is, or with corrected spelling if that matches better."""
        if not index.entries:
            return ()
        text = normalize(question)
        with self._cores:  # more threads than cores would slow each other down
            count = self.settings.candidates
            matches = index.match(self._embedder.embed_query(text), text, count)
            correct = index.spelling.correct(text)
            if correct == text:
                return matches
            of_corrected = index.match(self._embedder.embed_query(correct), correct, count)
            return max(matches, of_corrected, key=lambda candidates: candidates[0].score)

    def _decide(
        self, question: str, matches: Sequence[Match], recalled: QuestionState, took: float
    ) -> FaqReply:
        if not matches:
            return replace(self._clarify(question, NO_CANDIDATES, ()), retrieval_ms=took)
        thresholds = self.settings.thresholds(self._embedder.name, recalled.thresholds)
        if matches[0].score >= thresholds.high:
            reply = answer_reply(question, HIGH, matches)
        elif matches[0].score < thresholds.low:
            reply = self._clarify(question, TOO_LOW, matches)
        else:
            reply = self._decide_by_model(question, matches)
        return replace(reply, retrieval_ms=took)

    def _clarify(self, question: str, stage: str, matches: Sequence[Match]) -> FaqReply:
        return clarify_reply(question, stage, matches, self.settings.options, self.settings.options_behind)

    def _remember(self, key: str, reply: FaqReply, now: float, version: int) -> None:
        """Cache a reply, unless stage two failed, because it may work the next time."""
        if not self.settings.cache_seconds or reply.gate not in (NOT_TRIGGERED, PASSED, LLM_SAID_NONE):
            return
        oldest = now - self.settings.cache_seconds
        try:
            self.store.remember(key, self._basis, dump_reply(reply), now, oldest, version)
        except StoreError as error:
            log.info("a reply is not kept: %s", error)

    # ---------------------------------------------------------------- stage two

    def _decide_by_model(self, question: str, matches: Sequence[Match]) -> FaqReply:
        began = time.perf_counter()
        decision = self._judge.decide(question, matches)
        verdict = decision.verdict
        if verdict.gate == PASSED:
            reply = answer_reply(question, RERANK_HIT, matches, verdict.pick)
        else:
            reply = self._clarify(question, RERANK_NONE, matches)
        return replace(
            reply,
            gate=verdict.gate,
            reason=verdict.reason,
            model=decision.model,
            calls=decision.calls,
            prompt_tokens=decision.prompt_tokens,
            completion_tokens=decision.completion_tokens,
            cost=self.settings.cost(decision.prompt_tokens, decision.completion_tokens),
            rerank_ms=_elapsed_ms(began),
        )


def _read_entries(sources: Sequence[str | Path | FaqEntry]) -> list[FaqEntry]:
    """Return the entries of all sources, each once.

    Raises InputError if two different entries have the same id.
    """
    entries: list[FaqEntry] = []
    for source in sources:
        if isinstance(source, FaqEntry):
            entries.append(source)
        else:
            entries += read_faq(str(source), read_bytes(Path(source)))
    by_id: dict[str, FaqEntry] = {}
    for entry in entries:
        if by_id.setdefault(entry.id, entry) != entry:
            raise InputError(f"two different entries have the id {entry.id!r}: give each its own")
    return list(by_id.values())


def _elapsed_ms(began: float) -> float:
    """Return the milliseconds since `began`."""
    return (time.perf_counter() - began) * 1000
