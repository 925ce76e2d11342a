"""Stand-ins for models in tests: no files, no randomness, microseconds a call."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from onrecord.errors import GenerationError
from onrecord.models.base import Calibration, CallLimits, Completion, Decision, Reading

if TYPE_CHECKING:
    from onrecord.types import Scores, Vector, Vectors

T = TypeVar("T")
WORD = re.compile(r"\w{4,}|\d+")


class HashingEmbedder:
    """Signed feature hashing (Weinberger et al. 2009): texts are similar if they share words.

    Words of fewer than four letters do not count, as any two sentences share some. Coordinate 0 is for texts
    without words.
    """

    name = "hashing"
    calibration = Calibration(floor=0.1, sure=0.3)

    def __init__(self, dimensions: int = 256) -> None:
        self.dimensions = dimensions
        self.fingerprint = f"hashing/{dimensions}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            for word in WORD.findall(text.casefold()):
                code = zlib.crc32(word.encode("utf-8", "replace"))
                vector[1 + code // 2 % (self.dimensions - 1)] += 1 if code % 2 else -1
        vectors[~vectors.any(axis=1), 0] = 1
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors

    def embed_query(self, text: str) -> Vector:
        vector: Vector = self.embed([text])[0]
        return vector


class ScriptedModel:
    """A language model (`LanguageModel`) whose text and decisions a test scripts.

    text: the text that it writes, in pieces of `size` characters; an error here is raised instead.
    decide: returns the fields of a decision for some material, or an error that is raised.
    breaks_off: an error that is raised after the text.

    `asked` has the instructions and the material of every call. `closed` counts the streams that the caller
    closed early.
    """

    name = "scripted"

    def __init__(
        self,
        text: str | GenerationError = "",
        decide: Callable[[str], Any] = lambda material: GenerationError("no decision was scripted"),
        size: int = 7,
        breaks_off: GenerationError | None = None,
    ) -> None:
        self._text, self._decide, self._size, self._breaks_off = text, decide, size, breaks_off
        self.asked: list[tuple[str, str]] = []
        self.closed = 0

    def warm(self) -> None:
        pass

    def decide(self, instructions: str, material: str, shape: type[T], limits: CallLimits) -> Decision[T]:
        self.asked.append((instructions, material))
        fields = self._decide(material)
        if isinstance(fields, GenerationError):
            raise fields
        return Decision(shape(**fields), 100, 10)

    def write(self, instructions: str, material: str, limits: CallLimits) -> Iterator[str | Completion]:
        self.asked.append((instructions, material))
        if isinstance(self._text, GenerationError):
            raise self._text
        try:
            for begin in range(0, len(self._text), self._size):
                yield self._text[begin : begin + self._size]
        except GeneratorExit:
            self.closed += 1
            raise
        if self._breaks_off:
            raise self._breaks_off
        yield Completion(self._text, 100, 10)


class OverlapReranker:
    """A stand-in for a cross-encoder: the score is the share of the question's words that a text contains."""

    name = "overlap"

    def score(self, question: str, texts: Sequence[str]) -> Scores:
        import numpy as np

        question_words = set(re.findall(r"\w+", question.casefold()))
        text_words = [set(re.findall(r"\w+", text.casefold())) for text in texts]
        return np.array(
            [len(question_words & words) / max(len(question_words), 1) for words in text_words], np.float32
        )


class OverlapReader:
    """A stand-in for a trained reader: a sentence's score is the share of the question's words in it."""

    name = "overlap"
    fingerprint = "overlap/1"

    def read(self, question: str, passages: Sequence[Sequence[str]]) -> list[Reading]:
        import numpy as np

        readings = []
        for sentences in passages:
            relevant = OverlapReranker().score(question, sentences)
            core = (8 * relevant - 4).astype(np.float32)
            readings.append(Reading(core, relevant))
        return readings
