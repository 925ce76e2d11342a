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
    """What a model's cosines mean. Thresholds depend on the model, so each has its own.

    floor: below it, the best passage of an archive says nothing about the question.
    sure: above it, the best passage is nearly always about the question.
    """

    floor: float = 0.3
    sure: float = 0.6


class Embedder(Protocol):
    """Turns texts into unit vectors.

    `name` is what a user writes to get it ("minilm", "openai:text-embedding-3-small"). `fingerprint` names
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
        """Vectors of passages. Raises EmbeddingError."""
        ...

    def embed_query(self, text: str) -> Vector:
        """The vector of a question, with the model's instruction if it needs one."""
        ...


@runtime_checkable
class Loads(Protocol):
    """An embedder that loads its model when it first embeds a text, or earlier by `load`."""

    def load(self) -> None: ...


@runtime_checkable
class Metered(Protocol):
    """An embedder that is paid by the token."""

    def spent(self) -> int:
        """Tokens embedded since the last call of this method."""
        ...


@runtime_checkable
class Vocabulary(Protocol):
    """An embedder whose vocabulary has the commonest English words as single pieces."""

    def has_word(self, word: str) -> bool:
        """Whether the vocabulary has a word, in lower case without accents."""
        ...


class Reranker(Protocol):
    """Judges passages against a question, reading both together.

    A reranker with a `share` in 0..1 decides only that share of the ranking; the rest stays what it was.
    Without it, the ranking is the reranker's.
    """

    name: str

    def score(self, question: str, texts: Sequence[str]) -> Scores:
        """Higher is better; in 0..1. Raises RerankError."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """How well each sentence of one passage answers a question.

    core: log-odds that the sentence holds the answer, against 0 for "no sentence does"; shape (sentences,).
        They can be compared over all passages read for one question.
    relevant: the probability, in 0..1, that the sentence answers or is needed to understand the answer; shape
        (sentences,).
    answers: log-odds that the passage answers at all.
    """

    core: Scores
    relevant: Scores
    answers: float


class Reader(Protocol):
    """Reads a question together with passages, sentence by sentence.

    `fingerprint` names the weights: two readers with equal fingerprints read alike.
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
    """`role` is "system", "user" or "assistant"."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model wrote, and the tokens it counted, 0 if it does not say.

    `whole` is False if the reply was cut at the limit of tokens.
    """

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Decision(Generic[T]):
    """What a model decided, and the tokens it counted, 0 if it does not say."""

    value: T
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True)
class CallLimits:
    """Limits of one call.

    seconds: in all, connecting and retries included.
    tokens: of the reply.
    temperature: how freely the model words its text, 0..2; None: the provider's most even setting.
    """

    seconds: float
    tokens: int
    temperature: float | None = None


class LLM(Protocol):
    """A language model that answers messages with one text, which is all that the FAQ needs."""

    name: str

    def complete(self, messages: Sequence[Message], limits: CallLimits) -> Completion:
        """Continue the conversation. Raises GenerationTimeoutError, or another GenerationError."""
        ...


class LanguageModel(Protocol):
    """A language model that fills roles: it decides in a structure, and writes as a stream.

    `instructions` are onrecord's own; `material` is data, what users and transcripts say. `decide` and
    `write` raise a GenerationError that says what went wrong.
    """

    name: str

    def warm(self) -> None:
        """Load what the first call needs, without a request. Raises ModelError."""
        ...

    def decide(self, instructions: str, material: str, shape: type[T], limits: CallLimits) -> Decision[T]:
        """A value of `shape`, a pydantic model."""
        ...

    def write(self, instructions: str, material: str, limits: CallLimits) -> Iterator[str | Completion]:
        """Yield text piece by piece as it comes, then the Completion. Closing the iterator ends the call."""
        ...
