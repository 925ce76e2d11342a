"""all-MiniLM-L6-v2 on ONNX Runtime: onrecord's own embedder, and a reranker that uses its token vectors."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from onrecord.errors import EmbeddingError, SettingError
from onrecord.models.base import Calibration
from onrecord.models.loading import loading
from onrecord.models.minilm.network import VERSION, WIDTH
from onrecord.models.minilm.parts import Progress
from onrecord.models.minilm.prepare import find_tokenizer, is_prepared, prepare
from onrecord.models.minilm.weights import WEIGHTS, fetch_weights, ignore_progress, model_folder

if TYPE_CHECKING:
    from onrecord.models.minilm.session import Session, Tokenizer
    from onrecord.types import Scores, Vector, Vectors

PRECISIONS = ("auto", "int8", "mixed", "float32")
BATCH = 1024
"""Texts whose tokens are held in memory at the same time."""


class MiniLM:
    """An embedder with vectors of 384 numbers.

    It reads the first 256 tokens of a text, about 200 English words. Every text runs alone, on one thread, so
    that its vector depends on nothing else.
    """

    name = "minilm"
    fingerprint = f"all-MiniLM-L6-v2/{WEIGHTS.sha256[:12]}/{VERSION}"
    dimensions = WIDTH
    calibration = Calibration(floor=0.3, sure=0.56)

    def __init__(
        self,
        *,
        path: Path | None = None,
        cache: Path | None = None,
        precision: str = "auto",
        workers: int | None = None,
        download: bool = True,
        progress: Progress = ignore_progress,
    ) -> None:
        """Fetch and prepare the model, unless that was done before.

        A prepared model is loaded by `load`, or when a text is embedded, so that nobody waits for a model
        without need.

        Args:
            path: the source of the weights, see `fetch_weights`.
            cache: the root of the cache, see `fetch_weights`.
            precision: "float32" is exact; "int8" is twice as fast, with cosines of about 0.9994 to the exact
                vectors (1.5 times and 0.9991 on x86 processors without VNNI); "mixed" is 1.3 times as fast,
                with 0.9998; "auto" is int8 if this processor computes it correctly. Vectors of all precisions
                may be compared.
            workers: texts embedded at the same time; by default the number of this process's processors.
            download: whether missing weights may be fetched over the network.
            progress: called while the model is fetched and prepared.

        Raises WeightsError if the weights are missing, and SettingError for a bad precision or number of
        workers. Raises ModelError, here or when the model is loaded, if this processor computes the 8-bit
        model wrongly.
        """
        if precision not in PRECISIONS:
            raise SettingError("precision", precision, ", ".join(PRECISIONS))
        if workers is not None and workers < 1:
            raise SettingError("workers", workers, "a number from 1 up")
        affinity = hasattr(os, "sched_getaffinity")  # not on every system
        self.workers = workers or (len(os.sched_getaffinity(0)) if affinity else os.cpu_count() or 1)
        self.folder = model_folder(cache)

        def fetch() -> Path:
            return fetch_weights(progress, path=path, cache=cache, download=download)

        self._prepare = partial(prepare, self.folder, precision, fetch, progress)
        if not is_prepared(self.folder, precision):
            self.load()

    def load(self) -> None:
        """Load the model, unless it is loaded."""
        self._model  # noqa: B018 - a cached property

    @cached_property
    def _model(self) -> tuple[Tokenizer, Session, str]:
        with loading():
            return self._prepare()

    @property
    def _tokenizer(self) -> Tokenizer:
        return self._model[0]

    @cached_property
    def _vocabulary(self) -> Tokenizer:
        loaded = "_model" in self.__dict__
        return (None if loaded else find_tokenizer(self.folder)) or self._tokenizer

    @property
    def _session(self) -> Session:
        return self._model[1]

    @property
    def precision(self) -> str:
        """The precision of the loaded model: "int8", "mixed" or "float32"."""
        return self._model[2]

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of passages, shape (texts, 384). Raises EmbeddingError."""
        import numpy as np

        vectors = np.empty((len(texts), WIDTH), np.float32)
        with _threads(self.workers) as run:
            for first in range(0, len(texts), BATCH):
                self._fill(vectors[first : first + BATCH], texts[first : first + BATCH], run)
        if not np.isfinite(vectors).all():
            raise EmbeddingError("the model minilm gave a vector that is not of numbers")
        return vectors

    def embed_query(self, text: str) -> Vector:
        """Return the vector of a question, shape (384,). Raises EmbeddingError."""
        vector: Vector = self.embed([text])[0]
        return vector

    def has_word(self, word: str) -> bool:
        """Return whether a word is one piece of the vocabulary.

        The vocabulary has about the 20,000 most common English words. Reads the vocabulary, which takes 30
        ms, and not the model.
        """
        return self._vocabulary.has_word(word)

    def embed_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """Return unit vectors of the first 254 word pieces of each text.

        Each piece is embedded in its context; shape (word pieces, 384) for each text.
        """
        import numpy as np

        tokens = self._tokenizer.tokens(texts)
        states: list[Vectors] = [np.empty((0, WIDTH), np.float32)] * len(texts)

        def work(index: int) -> None:
            inner = self._session.states(tokens[index])[1:-1]  # without [CLS] and [SEP]
            states[index] = inner / np.linalg.norm(inner, axis=1, keepdims=True)

        with _threads(self.workers) as run:
            run(work, range(len(texts)))
        return states

    def _fill(self, vectors: Vectors, texts: Sequence[str], run: Run) -> None:
        """Embed texts into the rows of `vectors`."""
        tokens = self._tokenizer.tokens(texts)

        def work(index: int) -> None:
            vectors[index] = self._session.vector(tokens[index])

        # longest texts first, so that no thread still works on a long text when the others are done
        run(work, sorted(range(len(texts)), key=lambda index: -len(tokens[index])))


Run = Callable[[Callable[[int], None], Sequence[int]], None]


@contextmanager
def _threads(count: int) -> Iterator[Run]:
    """Provide a function that calls another function with many numbers, `count` at a time."""
    pool = ThreadPoolExecutor(count, "minilm")

    def run(work: Callable[[int], None], numbers: Sequence[int]) -> None:
        if len(numbers) == 1:
            work(numbers[0])
        else:
            deque(pool.map(work, numbers), maxlen=0)

    try:
        yield run
    finally:
        pool.shutdown(cancel_futures=True)


class MiniLMReranker:
    """A reranker that scores the first 254 word pieces of each text, combined with the ranking of the search.

    Late interaction (Khattab and Zaharia, ColBERT: Efficient and Effective Passage Search via Contextualized
    Late Interaction over BERT, 2020), here with a model that was not trained for it:

        score = mean over word pieces q of the question
                of max over word pieces p of the passage of cos(q, p)

    The vector of a passage is the mean of its words; this score finds the words that answer each word of the
    question. Alone it ranks hardly better than the search; combined with the search it does (docs/models.md).
    """

    name = "minilm"
    share = 0.5

    def __init__(self, model: MiniLM) -> None:
        self._model = model

    def load(self) -> None:
        """Load the model before its first use."""
        self._model.load()

    def score(self, question: str, texts: Sequence[str]) -> Scores:
        """Return the scores of texts, shape (texts,), in 0..1."""
        import numpy as np

        query, *passages = self._model.embed_tokens([question, *texts])
        scores = [
            (query @ text.T).max(axis=1).mean() if len(query) and len(text) else 0.0 for text in passages
        ]
        return np.clip(np.array(scores, np.float32), 0.0, 1.0)
