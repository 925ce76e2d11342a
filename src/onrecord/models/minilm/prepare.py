"""Turns files in the cache into a running model. An 8-bit model is made once and checked at every start."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import onrecord.models.cache_folder as files
from onrecord.errors import ModelError
from onrecord.models.minilm import safetensors, weights
from onrecord.models.minilm.int8 import (
    VERSION,
    InputStatistics,
    ObservedNetwork,
    QuantizedNetwork,
    observed_inputs,
)
from onrecord.models.minilm.network import WIDTH, Network
from onrecord.models.minilm.parts import Progress
from onrecord.models.minilm.processor import weight_bits
from onrecord.models.minilm.session import Session, Tokenizer

if TYPE_CHECKING:
    from onrecord.models.minilm.session import Tokens

BATCH = 16
"""Texts whose layer inputs are in memory at the same time."""
CHECKED = 2
"""Number of texts on which the two precisions are compared."""
AGREEMENT = 0.995
"""Lowest accepted cosine between the two precisions. Rounding costs 0.001; sums that overflow cost 0.005 or
more."""


def prepare(
    folder: Path, precision: str, fetch: Callable[[], Path], progress: Progress
) -> tuple[Tokenizer, Session, str]:
    """Return the tokenizer, the model, and its precision; `fetch` fills `folder`.

    Raises ModelError if an 8-bit model is required and this processor computes it wrongly.
    """
    if precision != "float32":
        kind = eight_bit_precision(precision)
        model = find_intact(folder, f"{versioned(kind, weight_bits())}-*.onnx")
        if model is None or not weights.is_whole(weights.TOKENIZER, folder):
            fetch()
        tokenizer = Tokenizer(folder / weights.TOKENIZER.name)
        session = Session(model or make_eight_bit_model(folder, kind, tokenizer, progress))
        if agrees_with_exact(session, tokenizer):
            return tokenizer, session, kind
        if precision != "auto":
            raise ModelError(f"this processor computes the precision {kind} wrongly: use float32")
    fetch()
    # the exact model refers to the weights file in the folder
    header = safetensors.read_header(folder / weights.WEIGHTS.name)
    exact = Network(header, weights.WEIGHTS.name).build()
    return Tokenizer(folder / weights.TOKENIZER.name), Session(exact, folder), "float32"


def find_tokenizer(folder: Path) -> Tokenizer | None:
    """Return the tokenizer without the model; None if its file is missing or damaged."""
    whole = weights.is_whole(weights.TOKENIZER, folder)
    return Tokenizer(folder / weights.TOKENIZER.name) if whole else None


def eight_bit_precision(precision: str) -> str:
    """Return the 8-bit precision for a setting; "auto" is "int8"."""
    return "int8" if precision == "auto" else precision


def versioned(kind: str, bits: int) -> str:
    """Return the beginning of the name of a model whose weights have this many bits."""
    return f"{kind}-{VERSION}" if bits == 8 else f"{kind}-{bits}bit-{VERSION}"


def is_prepared(folder: Path, precision: str) -> bool:
    """Return whether an 8-bit model was prepared before, and its source files are present.

    If the model is damaged, or made for another processor, nothing has to be fetched.
    """
    kind = eight_bit_precision(precision)
    models = [file for bits in (7, 8) for file in folder.glob(f"{versioned(kind, bits)}-*.onnx")]
    return bool(models) and all((folder / part.name).is_file() for part in weights.PARTS)


def find_intact(folder: Path, pattern: str) -> Path | None:
    """Return a file that matches a pattern and whose name ends in its digest. Remove damaged files."""
    for file in folder.glob(pattern):
        digest = files.sha256(file)
        if digest is not None and file.stem.endswith(digest[:16]):
            return file
        file.unlink(missing_ok=True)
    return None


def make_eight_bit_model(folder: Path, kind: str, tokenizer: Tokenizer, progress: Progress) -> Path:
    """Build a model from the weights in `folder` and save it there."""
    import numpy as np

    file = folder / weights.WEIGHTS.name
    entries, tensors = safetensors.read_header(file), safetensors.read_tensors(file)
    texts = tokenizer.tokens(calibration_texts())
    exact = Session(ObservedNetwork(entries, file.name).build(), folder)
    inputs = [{"tokens": text} for text in texts]
    statistics = collect_statistics(exact, inputs, lambda share: progress("preparing the model", share / 2))
    vectors = np.stack([exact.vector(text) for text in texts[:CHECKED]])
    bits = weight_bits()
    network = QuantizedNetwork(
        entries, file.name, precision=kind, bits=bits, tensors=tensors, statistics=statistics
    )
    model = network.build({"vectors": base64.b64encode(vectors.tobytes()).decode()})
    model_file = folder / f"{versioned(kind, bits)}-{hashlib.sha256(model).hexdigest()[:16]}.onnx"
    files.write(model_file, [model])
    progress("preparing the model", 1.0)
    return model_file


def collect_statistics(
    exact: Session, texts: Sequence[Mapping[str, Tokens]], progress: Callable[[float], None]
) -> dict[str, InputStatistics]:
    """Return statistics of each linear layer's inputs over texts, each given as the network's inputs."""
    import numpy as np

    statistics: dict[str, InputStatistics] = {}
    for first in range(0, len(texts), BATCH):
        runs = [exact.run(observed_inputs(), text) for text in texts[first : first + BATCH]]
        for name, parts in zip(observed_inputs(), zip(*runs, strict=True), strict=True):
            inputs = np.concatenate(parts)
            current = InputStatistics(np.abs(inputs).max(axis=0), inputs.T @ inputs)
            earlier = statistics.get(name, current)
            moment = current.moment if earlier is current else earlier.moment + current.moment
            statistics[name] = InputStatistics(np.maximum(earlier.peak, current.peak), moment)
        progress(min(1.0, (first + BATCH) / len(texts)))
    return statistics


def agrees_with_exact(session: Session, tokenizer: Tokenizer) -> bool:
    """Return whether this processor's 8-bit vectors agree with the exact vectors stored in the model."""
    import numpy as np

    stored = base64.b64decode(session.metadata()["vectors"])
    exact = np.frombuffer(stored, np.float32).reshape(-1, WIDTH)
    vectors = [session.vector(text) for text in tokenizer.tokens(calibration_texts()[: len(exact)])]
    return bool((np.sum(exact * np.stack(vectors), axis=1) >= AGREEMENT).all())


def calibration_texts() -> list[str]:
    """Return texts of many kinds of speech, written for this purpose."""
    file = resources.files("onrecord.models.minilm").joinpath("calibration.txt")
    return file.read_text(encoding="utf-8").splitlines()
