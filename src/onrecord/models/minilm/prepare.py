"""From files in the cache to a model that runs; those in 8 bits are made once and checked at every start."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import onrecord.models.cache as files
from onrecord.errors import ModelError
from onrecord.models.minilm import safetensors, weights
from onrecord.models.minilm.int8 import VERSION, Quantized, Seen, Watched, watched
from onrecord.models.minilm.network import WIDTH, Network
from onrecord.models.minilm.parts import Progress
from onrecord.models.minilm.session import Session, Tokenizer

if TYPE_CHECKING:
    from onrecord.models.minilm.session import Tokens

TOGETHER = 16
"""Texts whose inside is held in memory at the same time."""
CHECKED = 2
"""How many texts the two precisions are compared on."""
AGREEMENT = 0.995
"""Least cosine between them. Rounding costs 0.001; a processor whose sums overflow loses far more."""


def prepare(
    folder: Path, precision: str, fetch: Callable[[], Path], progress: Progress
) -> tuple[Tokenizer, Session, str]:
    """The tokenizer, the model, and the precision that was settled on; `fetch` fills `folder`.

    Raises ModelError where 8 bits are asked for and this processor gets them wrong.
    """
    if precision != "float32":
        kind = rounded(precision)
        model = find_rounded_model(folder, kind)
        if model is None or not weights.is_whole(weights.TOKENIZER, folder):
            fetch()
        tokenizer = Tokenizer(folder / weights.TOKENIZER.name)
        session = Session(model or make_rounded_model(folder, kind, tokenizer, progress))
        if is_right(session, tokenizer):
            return tokenizer, session, kind
        if precision != "auto":
            raise ModelError(f"this processor computes the precision {kind} wrongly: use float32")
    fetch()
    return Tokenizer(folder / weights.TOKENIZER.name), Session(float32_model(folder), folder), "float32"


def find_tokenizer(folder: Path) -> Tokenizer | None:
    """The tokenizer by itself; None where its file is not there, or damaged."""
    whole = weights.is_whole(weights.TOKENIZER, folder)
    return Tokenizer(folder / weights.TOKENIZER.name) if whole else None


def rounded(precision: str) -> str:
    """The precision in 8 bits that another one, or "auto", asks for."""
    return "int8" if precision == "auto" else precision


def is_made(folder: Path, precision: str) -> bool:
    """Whether a model in 8 bits was prepared before, and what it is made of is still there: should it be
    damaged, or wrong on this processor, nothing has to be fetched."""
    made = folder.glob(f"{rounded(precision)}-{VERSION}-*.onnx")
    return any(made) and all((folder / part.name).is_file() for part in weights.PARTS)


def float32_model(folder: Path) -> bytes:
    """The exact model, which points into the file of weights in `folder`."""
    return Network(safetensors.read_header(folder / weights.WEIGHTS.name), weights.WEIGHTS.name).build()


def find_rounded_model(folder: Path, kind: str) -> Path | None:
    """A model in the cache."""
    return find_whole(folder, f"{kind}-{VERSION}-*.onnx")


def find_whole(folder: Path, pattern: str) -> Path | None:
    """A file of a pattern whose name ends in its digest; one that is damaged is removed."""
    for file in folder.glob(pattern):
        digest = files.sha256(file)
        if digest is not None and file.stem.endswith(digest[:16]):
            return file
        file.unlink(missing_ok=True)
    return None


def make_rounded_model(folder: Path, kind: str, tokenizer: Tokenizer, progress: Progress) -> Path:
    """Build a model from the weights in `folder` and keep it there."""
    import numpy as np

    file = folder / weights.WEIGHTS.name
    entries, tensors = safetensors.read_header(file), safetensors.read_tensors(file)
    texts = tokenizer.tokens(calibration_texts())
    exact = Session(Watched(entries, file.name).build(), folder)
    inputs = [{"tokens": text} for text in texts]
    seen = watch(exact, inputs, lambda share: progress("preparing the model", share / 2))
    vectors = np.stack([exact.vector(text) for text in texts[:CHECKED]])
    network = Quantized(entries, file.name, precision=kind, tensors=tensors, seen=seen)
    model = network.build({"vectors": base64.b64encode(vectors.tobytes()).decode()})
    made = folder / f"{kind}-{VERSION}-{hashlib.sha256(model).hexdigest()[:16]}.onnx"
    files.write(made, [model])
    progress("preparing the model", 1.0)
    return made


def watch(
    exact: Session, texts: Sequence[Mapping[str, Tokens]], progress: Callable[[float], None]
) -> dict[str, Seen]:
    """What the inputs of each linear layer are like over the texts, each given as the network's inputs."""
    import numpy as np

    seen: dict[str, Seen] = {}
    for first in range(0, len(texts), TOGETHER):
        runs = [exact.run(watched(), text) for text in texts[first : first + TOGETHER]]
        for name, parts in zip(watched(), zip(*runs, strict=True), strict=True):
            inputs = np.concatenate(parts)
            now = Seen(np.abs(inputs).max(axis=0), inputs.T @ inputs)
            before = seen.get(name, now)
            moment = now.moment if before is now else before.moment + now.moment
            seen[name] = Seen(np.maximum(before.peak, now.peak), moment)
        progress(min(1.0, (first + TOGETHER) / len(texts)))
    return seen


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
