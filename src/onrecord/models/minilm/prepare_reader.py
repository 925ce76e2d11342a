"""From the embedder's weights and the deltas to a reader that runs; the 8-bit one is made once and cached."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import onrecord.models.cache as files
from onrecord.models.minilm import safetensors, weights
from onrecord.models.minilm.deltas import digest, merge, read_deltas
from onrecord.models.minilm.int8 import VERSION
from onrecord.models.minilm.pairs import Pair, PairTokenizer
from onrecord.models.minilm.parts import Progress
from onrecord.models.minilm.prepare import CHECKED, calibration_texts, find_whole, rounded, watch
from onrecord.models.minilm.reader_network import ExactReader, QuantizedReader, WatchedReader
from onrecord.models.minilm.session import Session

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

AGREEMENT = 0.5
"""Most that the log-odds of 8 bits may be off on average. Rounding costs 0.1; sums that overflow cost far
more."""
SENTENCES = 6
"""Sentences of a passage that the model is prepared with."""


def prepare_reader(
    folder: Path, precision: str, fetch: Callable[[], Path], progress: Progress
) -> tuple[PairTokenizer, Session, str]:
    """The tokenizer, the model, and the precision that was settled on; `fetch` fills `folder`.

    In 8 bits where `precision` allows it and this processor computes them rightly, else in float32.
    """
    if precision != "float32":
        kind = rounded(precision)
        model = find_reader(folder, kind)
        if model is None or not weights.is_whole(weights.TOKENIZER, folder):
            fetch()
        tokenizer = PairTokenizer(folder / weights.TOKENIZER.name)
        pairs = calibration_pairs(tokenizer)
        session = Session(model or make_reader(folder, kind, pairs, progress))
        if is_right(session, pairs):
            return tokenizer, session, kind
    fetch()
    exact = Session(ExactReader({}, "", tensors=merged_tensors(folder)).build())
    return PairTokenizer(folder / weights.TOKENIZER.name), exact, "float32"


def find_reader(folder: Path, kind: str) -> Path | None:
    """A prepared model in the cache."""
    return find_whole(folder, _name(kind, "*"))


def make_reader(folder: Path, kind: str, pairs: list[Pair], progress: Progress) -> Path:
    """Build the model from the weights in `folder` and keep it there."""
    import numpy as np

    tensors = merged_tensors(folder)
    exact = Session(WatchedReader({}, "", tensors=tensors).build())
    inputs = [pair.inputs() for pair in pairs]
    seen = watch(exact, inputs, lambda share: progress("preparing the reader", share / 2))
    odds = np.concatenate([log_odds(exact, pair) for pair in pairs[:CHECKED]])
    network = QuantizedReader({}, "", precision=kind, tensors=tensors, seen=seen)
    model = network.build({"odds": base64.b64encode(odds.tobytes()).decode()})
    made = folder / _name(kind, hashlib.sha256(model).hexdigest()[:16])
    files.write(made, [model])
    progress("preparing the reader", 1.0)
    return made


def merged_tensors(folder: Path) -> Mapping[str, Array]:
    """The reader's weights in float32, by name."""
    return merge(safetensors.read_tensors(folder / weights.WEIGHTS.name), read_deltas())


def is_right(session: Session, pairs: list[Pair]) -> bool:
    """Whether this processor's 8-bit log-odds agree with the exact ones that were stored in the model."""
    import numpy as np

    exact = np.frombuffer(base64.b64decode(session.metadata()["odds"]), np.float32)
    rounded = np.concatenate([log_odds(session, pair) for pair in pairs[:CHECKED]])
    return bool(np.abs(exact - rounded).mean() <= AGREEMENT)


def log_odds(session: Session, pair: Pair) -> Array:
    """All that a model puts out for a pair, shape (2 * sentences + 1,)."""
    import numpy as np

    sentences, passage = session.run(["sentences", "passage"], pair.inputs())
    flat: Array = np.concatenate([sentences.ravel(), passage])
    return flat


def calibration_pairs(tokenizer: PairTokenizer) -> list[Pair]:
    """Questions and passages of many kinds, from texts written for this purpose: each text with the ones
    after it."""
    texts = calibration_texts()
    starts = range(0, len(texts) - SENTENCES, 2)
    return [tokenizer.pair(texts[at], texts[at + 1 : at + 1 + SENTENCES]) for at in starts]


def _name(kind: str, content: str) -> str:
    return f"reader-{digest()[:8]}-{kind}-{VERSION}-{content}.onnx"
