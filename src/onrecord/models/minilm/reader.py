"""onrecord's embedded reader: which sentence answers a question, and does any? See `training/`.

A cross-encoder (Nogueira and Cho, Passage Re-ranking with BERT, 2019) on the layers of the embedder. Question
and passage attend to each other, and each sentence is scored by the mean of its tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from onrecord.models.base import Reading
from onrecord.models.loading import loading
from onrecord.models.minilm.deltas import digest
from onrecord.models.minilm.parts import Progress
from onrecord.models.minilm.weights import fetch_weights, ignore_progress, model_folder

if TYPE_CHECKING:
    from onrecord.models.minilm.pairs import Pair, PairTokenizer
    from onrecord.models.minilm.session import Session

UNREAD = -12.0
"""Log-odds of a sentence that was cut off."""


class MiniLMReader:
    """A reader of questions of up to 48 tokens with passages of about 150 words; longer texts are cut.

    Every passage runs alone, on one thread, so that its reading depends on nothing else.
    """

    name = "minilm"

    def __init__(
        self,
        *,
        path: Path | None = None,
        cache: Path | None = None,
        precision: str = "auto",
        workers: int = 2,
        download: bool = True,
        progress: Progress = ignore_progress,
    ) -> None:
        """Set up a reader that loads at its first use.

        The arguments are those of `onrecord.models.minilm.embedder.MiniLM`.
        """
        self._workers = workers
        self.fingerprint = f"minilm-reader/{digest()[:12]}"
        self._fetch: Callable[[], Path] = lambda: fetch_weights(
            progress, path=path, cache=cache, download=download
        )
        self._folder, self._precision, self._progress = model_folder(cache), precision, progress

    def load(self) -> None:
        """Load the model, unless it is loaded. Raises WeightsError or ModelError."""
        self._model  # noqa: B018 - a cached property

    @property
    def precision(self) -> str:
        """The precision of the loaded model: "int8", "mixed" or "float32"."""
        return self._model[2]

    def read(self, question: str, passages: Sequence[Sequence[str]]) -> list[Reading]:
        """See `onrecord.models.base.Reader`. Raises WeightsError or ModelError."""
        tokenizer, session, _ = self._model
        pairs = [tokenizer.pair(question, sentences) for sentences in passages]
        if len(pairs) < 2:
            return [_read_pair(session, pair) for pair in pairs]
        with ThreadPoolExecutor(self._workers, "reader") as pool:
            return list(pool.map(lambda pair: _read_pair(session, pair), pairs))

    @cached_property
    def _model(self) -> tuple[PairTokenizer, Session, str]:
        from onrecord.models.minilm.prepare_reader import prepare_reader

        with loading():
            return prepare_reader(self._folder, self._precision, self._fetch, self._progress)


def _read_pair(session: Session, pair: Pair) -> Reading:
    import numpy as np

    if not len(pair.spans):
        empty = np.zeros(0, np.float32)
        return Reading(empty, empty)
    (sentences,) = session.run(["sentences"], pair.inputs())
    unread = ~pair.spans.any(axis=1)
    relevant, core = sentences.T
    relevant = np.where(unread, UNREAD, relevant)
    core = np.where(unread, UNREAD, core).astype(np.float32)
    return Reading(core, (1 / (1 + np.exp(-relevant))).astype(np.float32))
