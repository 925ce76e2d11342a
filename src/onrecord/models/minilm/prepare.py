"""From files in the cache to a model that runs; the 8-bit one is made once and checked at every start."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from importlib import resources
from pathlib import Path

from onrecord.errors import ModelError
from onrecord.models.minilm import cache as files
from onrecord.models.minilm import safetensors, weights
from onrecord.models.minilm.int8 import VERSION, Quantized, Watched, peak_names
from onrecord.models.minilm.network import WIDTH, Network
from onrecord.models.minilm.session import Session, Tokenizer

CHECKED = 2
"""How many texts the two precisions are compared on."""
AGREEMENT = 0.995
"""Least cosine between them. Rounding costs 0.001; a processor whose sums overflow loses far more."""


def prepare(
    folder: Path, precision: str, fetch: Callable[[], Path], progress: weights.Progress
) -> tuple[Tokenizer, Session, str]:
    """The tokenizer, the model, and the precision that was settled on; `fetch` fills `folder`.

    Raises ModelError where int8 is asked for and this processor gets it wrong.
    """
    if precision != "float32":
        model = find_int8_model(folder)
        if model is None or not weights.is_whole(weights.TOKENIZER, folder):
            fetch()
        tokenizer = Tokenizer(folder / weights.TOKENIZER.name)
        session = Session(model or make_int8_model(folder, tokenizer, progress))
        if is_right(session, tokenizer):
            return tokenizer, session, "int8"
        if precision == "int8":
            raise ModelError("this processor computes the 8-bit model wrongly: use the precision float32")
    fetch()
    return Tokenizer(folder / weights.TOKENIZER.name), Session(float32_model(folder), folder), "float32"


def float32_model(folder: Path) -> bytes:
    """The exact model, which points into the file of weights in `folder`."""
    return Network(safetensors.read_header(folder / weights.WEIGHTS.name), weights.WEIGHTS.name).build()


def find_int8_model(folder: Path) -> Path | None:
    """The 8-bit model in the cache. Its name holds its digest; one that is damaged is removed."""
    for file in folder.glob(f"int8-{VERSION}-*.onnx"):
        digest = files.sha256(file)
        if digest is not None and file.stem.endswith(digest[:16]):
            return file
        file.unlink(missing_ok=True)
    return None


def make_int8_model(folder: Path, tokenizer: Tokenizer, progress: weights.Progress) -> Path:
    """Build the 8-bit model from the weights in `folder` and keep it there."""
    import numpy as np

    texts = tokenizer.tokens(calibration_texts())
    entries = safetensors.read_header(folder / weights.WEIGHTS.name)
    exact = Session(Watched(entries, weights.WEIGHTS.name).build(), folder)
    found = []
    for number, text in enumerate(texts, 1):
        found.append(exact.outputs(text, peak_names()))
        progress("preparing the model", number / len(texts))
    peaks = {
        name: np.max(seen, axis=0) for name, seen in zip(peak_names(), zip(*found, strict=True), strict=True)
    }
    vectors = np.stack([exact.vector(text) for text in texts[:CHECKED]])
    network = Quantized(
        entries,
        weights.WEIGHTS.name,
        tensors=safetensors.read_tensors(folder / weights.WEIGHTS.name, entries),
        peaks=peaks,
    )
    model = network.build({"vectors": base64.b64encode(vectors.tobytes()).decode()})
    file = folder / f"int8-{VERSION}-{hashlib.sha256(model).hexdigest()[:16]}.onnx"
    files.write(file, [model])
    return file


def is_right(session: Session, tokenizer: Tokenizer) -> bool:
    """Whether this processor's 8-bit vectors agree with the exact ones that were stored in the model.

    Some processors without VNNI add pairs of products in 16 bits, which can overflow.
    """
    import numpy as np

    stored = base64.b64decode(session.metadata()["vectors"])
    exact = np.frombuffer(stored, np.float32).reshape(-1, WIDTH)
    found = [session.vector(text) for text in tokenizer.tokens(calibration_texts()[: len(exact)])]
    return bool((np.sum(exact * np.stack(found), axis=1) >= AGREEMENT).all())


def calibration_texts() -> list[str]:
    """Talk of many kinds, written for this purpose."""
    file = resources.files("onrecord.models.minilm").joinpath("calibration.txt")
    return file.read_text(encoding="utf-8").splitlines()
