"""Protocols of models, each with as few methods as possible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    from onrecord.types import Scores, Vector, Vectors

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Calibration:
    """Two cosine thresholds of an embedding model. They depend on the model, so each model has its own.

    floor: below this cosine, the best passage of an archive says nothing about the question.
    sure: above this cosine, the best passage is nearly always about the question.
    """

    floor: float = 0.3
    sure: float = 0.6


class Embedder(Protocol):
    """A model that turns texts into unit vectors.

    `name` is the name in the settings ("minilm", "openai:text-embedding-3-small"). `fingerprint` identifies
    the weights and everything else that changes the vectors' meaning: compare the vectors of two embedders
    only if their fingerprints are equal.
    """

    name: str
    fingerprint: str
    calibration: Calibration

    @property
    def dimensions(self) -> int:
        """Numbers in a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of passages. Raises EmbeddingError."""
        ...

    def embed_query(self, text: str) -> Vector:
        """Return the vector of a question, embedded with the model's instruction if it needs one."""
        ...


@runtime_checkable
class Loads(Protocol):
    """An embedder that loads its model when it first embeds a text, or earlier by `load`."""

    def load(self) -> None: ...


@runtime_checkable
class Metered(Protocol):
    """An embedder that costs money for each token."""

    def spent(self) -> int:
        """Return the number of tokens embedded since the last call of this method."""
        ...


@runtime_checkable
class Vocabulary(Protocol):
    """An embedder whose vocabulary has the most common English words as single pieces."""

    def has_word(self, word: str) -> bool:
        """Return whether the vocabulary has a word, given in lower case without accents."""
        ...


class Reranker(Protocol):
    """A model that scores passages for a question, reading both together.

    A reranker with a `share` in 0..1 decides only that share of the ranking; the rest comes from the search.
    Without a `share`, the ranking is the reranker's.
    """

    name: str

    def score(self, question: str, texts: Sequence[str]) -> Scores:
        """Return a score in 0..1 for each text; higher is better. Raises RerankError."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """How well each sentence of one passage answers a question.

    core: log-odds that the sentence holds the answer, against 0 for "no sentence does"; shape (sentences,).
        They are comparable across all passages read for one question.
    relevant: the probability, in 0..1, that the sentence answers or is needed to understand the answer; shape
        (sentences,).
    """

    core: Scores
    relevant: Scores


class Reader(Protocol):
    """A model that reads a question together with passages, sentence by sentence.

    `fingerprint` identifies the weights: two readers with equal fingerprints give equal readings.
    """

    name: str
    fingerprint: str

    def read(self, question: str, passages: Sequence[Sequence[str]]) -> list[Reading]:
        """Read each passage, given as its sentences in order. Raises ModelError.

        A sentence begins with the name of its speaker if another person spoke before.
        """
        ...


@dataclass(frozen=True, slots=True)
class Message:
    """A message of a conversation; `role` is "system", "user" or "assistant"."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Completion:
    """The text that a model wrote, and the tokens that it counted (0 if it reports none).

    `whole` is False if the reply was cut at the limit of tokens.
    """

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Decision(Generic[T]):
    """The value that a model decided, and the tokens that it counted (0 if it reports none)."""

    value: T
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True)
class CallLimits:
    """The limits of one call.

    seconds: most seconds in all, connecting and retries included.
    tokens: most tokens of the reply.
    temperature: temperature of the text, 0..2; None: the provider's least random setting.
    setting: the setting of `seconds`, which the error names when they are over; empty: none.
    """

    seconds: float
    tokens: int
    temperature: float | None = None
    setting: str = ""


class LLM(Protocol):
    """A language model that answers messages with one text. The FAQ needs nothing more."""

    name: str

    def complete(self, messages: Sequence[Message], limits: CallLimits) -> Completion:
        """Continue the conversation. Raises GenerationTimeoutError, or another GenerationError."""
        ...


class LanguageModel(Protocol):
    """A language model that fills roles: it makes structured decisions, and writes text as a stream.

    `instructions` are onrecord's own; `material` is data: the words of users and transcripts. `decide` and
    `write` raise a GenerationError that describes the failure.
    """

    name: str

    def warm(self) -> None:
        """Load everything that the first call needs, without a request. Raises ModelError."""
        ...

    def decide(self, instructions: str, material: str, shape: type[T], limits: CallLimits) -> Decision[T]:
        """Return a value of `shape`, a pydantic model."""
        ...

    def write(self, instructions: str, material: str, limits: CallLimits) -> Iterator[str | Completion]:
        """Yield text in pieces as it arrives, then the Completion. Closing the iterator ends the call."""
        ...
