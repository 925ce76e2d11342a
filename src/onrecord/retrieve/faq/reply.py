"""The replies of the FAQ, their serialization for the cache, and the account of replies by day."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any

from onrecord.retrieve.faq.index import Match
from onrecord.retrieve.faq.judge import NOT_TRIGGERED
from onrecord.stores.faq import FaqStore, Usage
from onrecord.stores.ledger import Batches
from onrecord.types import FaqEntry
from onrecord.understand.intents import language_of
from onrecord.understand.lexicon import messages_in

CACHE = "cache"
HIGH = "embedding_high"
TOO_LOW = "embedding_too_low"
RERANK_HIT = "rerank_hit"
RERANK_NONE = "rerank_none"
NO_CANDIDATES = "no_candidates"
STAGES = (CACHE, HIGH, TOO_LOW, RERANK_HIT, RERANK_NONE, NO_CANDIDATES)


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entry that the question may mean; `score` is the chance, in 0..1, that it does."""

    id: str
    question: str
    score: float


@dataclass(frozen=True, slots=True)
class Clarify:
    """A question back to the user if no entry answers: a message, and questions to choose from."""

    message: str
    options: tuple[Candidate, ...] = ()


@dataclass(frozen=True, slots=True)
class FaqReply:
    """The reply to a question: `answer` with its `entry`, or else `clarify`.

    `stage` is the stage that decided (see `STAGES`). `score` is the best candidate's score. `candidates` are
    the candidates of stage one, best first. Stage two gives its `gate` ("not_triggered" if it was not
    needed), the `reason`, the `model` that decided, its calls, tokens and their `cost`. Times are in
    milliseconds.
    """

    question: str
    stage: str
    score: float = 0.0
    answer: str | None = None
    entry: FaqEntry | None = None
    candidates: tuple[Candidate, ...] = ()
    clarify: Clarify | None = None
    gate: str = NOT_TRIGGERED
    reason: str = ""
    model: str = ""
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    rerank_ms: float = 0.0
    retrieval_ms: float = 0.0

    @property
    def cached(self) -> bool:
        """Whether the reply comes from the cache."""
        return self.stage == CACHE

    @property
    def reranked(self) -> bool:
        """Whether stage two decided."""
        return self.gate != NOT_TRIGGERED

    def to_json(self) -> dict[str, Any]:
        """Return the public part of the reply: answer, entry, stage, score, candidates, clarify."""
        entry = self.entry
        return {
            "answer": self.answer,
            "entry": entry and {name: getattr(entry, name) for name in ("id", "question", "tags", "link")},
            "stage": self.stage,
            "score": self.score,
            "candidates": [asdict(candidate) for candidate in self.candidates],
            "clarify": self.clarify and asdict(self.clarify),
        }

    def __str__(self) -> str:
        if self.clarify is None:
            return self.answer or ""
        return "\n".join([self.clarify.message, *(f"- {option.question}" for option in self.clarify.options)])


def answer_reply(question: str, stage: str, matches: Sequence[Match], pick: int = 0) -> FaqReply:
    """Return the reply with the answer of the match at this position."""
    entry = matches[pick].entry
    return replace(_reply(question, stage, matches), answer=entry.answer, entry=entry)


def clarify_reply(
    question: str, stage: str, matches: Sequence[Match], options: int = 3, behind: float = 0.2
) -> FaqReply:
    """Return a reply that asks back, with at most `options` questions to choose from.

    These are the best two, and further questions whose similarity is less than `behind` below the best.
    """
    reply = _reply(question, stage, matches)
    near = [match.likeness > matches[0].likeness - behind for match in matches[2:options]]
    count = min(options, 2 + (near.index(False) if False in near else len(near)))
    return replace(reply, clarify=Clarify(_message(question, stage), reply.candidates[:count]))


def _message(question: str, stage: str) -> str:
    """Return the message of a stage that found no answer, in the language of the question."""
    key = {TOO_LOW: "faq_no_answer", NO_CANDIDATES: "faq_empty"}.get(stage, "faq_unsure")
    return messages_in(language_of(question)).say(key)


def _reply(question: str, stage: str, matches: Sequence[Match]) -> FaqReply:
    candidates = tuple(Candidate(m.entry.id, m.entry.question, round(m.score, 4)) for m in matches)
    return FaqReply(question, stage, candidates[0].score if candidates else 0.0, candidates=candidates)


def dump_reply(reply: FaqReply) -> str:
    """Return the reply as a string for the cache, without the question, times and costs.

    Of a message, the stage is stored: `load_reply` writes the message in the language of the question.
    """
    fields = {name: getattr(reply, name) for name in ("stage", "score", "answer", "reason")}
    return json.dumps(
        {
            **fields,
            "entry": reply.entry and asdict(reply.entry),
            "candidates": [asdict(candidate) for candidate in reply.candidates],
            "options": reply.clarify and [asdict(option) for option in reply.clarify.options],
        },
        ensure_ascii=False,
    )


def load_reply(text: str, question: str) -> FaqReply:
    """Return the reply from a string in the cache."""
    fields: dict[str, Any] = json.loads(text)
    entry, options = fields["entry"], fields["options"]
    return FaqReply(
        question=question,
        stage=CACHE,
        score=fields["score"],
        answer=fields["answer"],
        reason=fields["reason"],
        entry=entry
        and FaqEntry(**{**entry, "variants": tuple(entry["variants"]), "tags": tuple(entry["tags"])}),
        candidates=tuple(Candidate(**candidate) for candidate in fields["candidates"]),
        clarify=None
        if options is None
        else Clarify(_message(question, fields["stage"]), tuple(Candidate(**option) for option in options)),
    )


# ---------------------------------------------------------------- the account


@dataclass(frozen=True, slots=True)
class Day:
    """The questions of a workspace on one day, or over several days.

    Of the `asked` questions, `cached` were answered from the cache, `direct` by stage one, and `rerank_hits`
    of the `reranked` by stage two. `calls`, tokens and `cost` are the LLM's.
    """

    day: str
    asked: int
    cached: int
    direct: int
    reranked: int
    rerank_hits: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float

    def to_json(self) -> dict[str, Any]:
        """Return all figures, including the rates."""
        return {**asdict(self), "cache_hit_rate": self.cache_hit_rate, "rerank_rate": self.rerank_rate}

    @property
    def cache_hit_rate(self) -> float:
        """Share of questions that were answered from the cache, in 0..1."""
        return self.cached / self.asked if self.asked else 0.0

    @property
    def rerank_rate(self) -> float:
        """Share of questions that went to stage two, in 0..1."""
        return self.reranked / self.asked if self.asked else 0.0


class Account:
    """A counter of replies by day."""

    def __init__(self, store: FaqStore, clock: Callable[[], float]) -> None:
        self._store, self._clock = store, clock
        self._batches: Batches[Usage] = Batches(store.count, clock)

    def count(self, reply: FaqReply) -> None:
        """Add a reply to the counts."""
        usage = Usage(
            day=datetime.fromtimestamp(self._clock(), UTC).date().isoformat(),
            stage=reply.stage,
            gate="" if reply.gate == NOT_TRIGGERED else reply.gate,
            model=reply.model,
            calls=reply.calls,
            prompt_tokens=reply.prompt_tokens,
            completion_tokens=reply.completion_tokens,
            cost=reply.cost,
        )
        self._batches.add(usage)
        self._batches.write_due()

    def write(self) -> None:
        """Write the pending counts."""
        self._batches.write()

    def days(self) -> list[Day]:
        """Return the account by day, oldest first."""
        self.write()
        usage = self._store.usage()
        names = sorted({counted.day for counted in usage})
        return [day_of(name, (counted for counted in usage if counted.day == name)) for name in names]


def day_of(name: str, usage: Iterable[Usage]) -> Day:
    """Return the totals of some usage as one day with this name."""
    counts = list(usage)
    asked: Counter[str] = Counter()
    for counted in counts:
        asked[counted.stage] += counted.asked
    return Day(
        day=name,
        asked=asked.total(),
        cached=asked[CACHE],
        direct=asked[HIGH],
        reranked=sum(counted.asked for counted in counts if counted.gate),
        rerank_hits=asked[RERANK_HIT],
        calls=sum(counted.calls for counted in counts),
        prompt_tokens=sum(counted.prompt_tokens for counted in counts),
        completion_tokens=sum(counted.completion_tokens for counted in counts),
        cost=sum(counted.cost for counted in counts),
    )
