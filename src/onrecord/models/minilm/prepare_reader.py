"""Turns the embedder's weights and the deltas into a running reader. An 8-bit reader is made once."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import onrecord.models.cache_folder as files
from onrecord.models.minilm import safetensors, weights
from onrecord.models.minilm.deltas import digest, merge, read_deltas
from onrecord.models.minilm.pairs import Pair, PairTokenizer
from onrecord.models.minilm.parts import Progress
from onrecord.models.minilm.prepare import (
    CHECKED,
    calibration_texts,
    collect_statistics,
    eight_bit_precision,
    find_intact,
    versioned,
)
from onrecord.models.minilm.processor import weight_bits
from onrecord.models.minilm.reader_network import ExactReader, ObservedReader, QuantizedReader
from onrecord.models.minilm.session import Session

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

AGREEMENT = 0.5
"""Highest accepted mean error of the 8-bit log-odds. Rounding costs 0.03 to 0.1."""
SENTENCES = 6
"""Sentences in each passage that the model is prepared with."""


def prepare_reader(
    folder: Path, precision: str, fetch: Callable[[], Path], progress: Progress
) -> tuple[PairTokenizer, Session, str]:
    """Return the tokenizer, the model, and its precision; `fetch` fills `folder`.

    The model is in 8 bits if `precision` allows it and this processor computes it correctly, else in float32.
    """
    if precision != "float32":
        kind = eight_bit_precision(precision)
        model = find_intact(folder, _name(kind, weight_bits(), "*"))
        if model is None or not weights.is_whole(weights.TOKENIZER, folder):
            fetch()
        tokenizer = PairTokenizer(folder / weights.TOKENIZER.name)
        # questions and passages of many kinds: each calibration text with the texts after it
        texts = calibration_texts()
        starts = range(0, len(texts) - SENTENCES, 2)
        pairs = [tokenizer.pair(texts[at], texts[at + 1 : at + 1 + SENTENCES]) for at in starts]
        session = Session(model or make_reader(folder, kind, pairs, progress))
        if agrees_with_exact(session, pairs):
            return tokenizer, session, kind
    fetch()
    exact = Session(ExactReader({}, "", tensors=merged_tensors(folder)).build())
    return PairTokenizer(folder / weights.TOKENIZER.name), exact, "float32"


def make_reader(folder: Path, kind: str, pairs: list[Pair], progress: Progress) -> Path:
    """Build the model from the weights in `folder` and save it there."""
    import numpy as np

    tensors = merged_tensors(folder)
    exact = Session(ObservedReader({}, "", tensors=tensors).build())
    inputs = [pair.inputs() for pair in pairs]
    statistics = collect_statistics(exact, inputs, lambda share: progress("preparing the reader", share / 2))
    odds = np.concatenate([log_odds(exact, pair) for pair in pairs[:CHECKED]])
    bits = weight_bits()
    network = QuantizedReader({}, "", precision=kind, bits=bits, tensors=tensors, statistics=statistics)
    model = network.build({"odds": base64.b64encode(odds.tobytes()).decode()})
    file = folder / _name(kind, bits, hashlib.sha256(model).hexdigest()[:16])
    files.write(file, [model])
    progress("preparing the reader", 1.0)
    return file


def merged_tensors(folder: Path) -> Mapping[str, Array]:
    """Return the reader's weights in float32, by name."""
    return merge(safetensors.read_tensors(folder / weights.WEIGHTS.name), read_deltas())


def agrees_with_exact(session: Session, pairs: list[Pair]) -> bool:
    """Return whether this processor's 8-bit log-odds agree with the exact log-odds stored in the model."""
    import numpy as np

    exact = np.frombuffer(base64.b64decode(session.metadata()["odds"]), np.float32)
    rounded = np.concatenate([log_odds(session, pair) for pair in pairs[:CHECKED]])
    return bool(np.abs(exact - rounded).mean() <= AGREEMENT)


def log_odds(session: Session, pair: Pair) -> Array:
    """Return all outputs of a model for a pair, shape (2 * sentences + 1,)."""
    import numpy as np

    sentences, passage = session.run(["sentences", "passage"], pair.inputs())
    flat: Array = np.concatenate([sentences.ravel(), passage])
    return flat


def _name(kind: str, bits: int, content: str) -> str:
    return f"reader-{digest()[:8]}-{versioned(kind, bits)}-{content}.onnx"
