"""all-MiniLM-L6-v2 on ONNX Runtime: the embedder that comes with onrecord."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from onrecord.models.base import Calibration
from onrecord.models.minilm.graph import LONGEST, VERSION, WIDTH, float32_graph
from onrecord.models.minilm.weights import TOKENIZER, WEIGHTS, Progress, fetch_weights

if TYPE_CHECKING:
    from onrecord.types import Vector, Vectors


class MiniLM:
    """Vectors of 384 numbers; texts are read up to 256 tokens (about 200 words)."""

    name = "minilm"
    fingerprint = f"all-MiniLM-L6-v2/{WEIGHTS.sha256[:12]}/{VERSION}"
    dimensions = WIDTH
    calibration = Calibration(floor=0.3, sure=0.56)

    def __init__(
        self,
        *,
        path: Path | None = None,
        cache: Path | None = None,
        progress: Progress = lambda what, share: None,
        workers: int | None = None,
    ) -> None:
        folder = fetch_weights(progress, path=path, cache=cache)
        self.workers = workers or os.cpu_count() or 1
        self._tokenizer = _tokenizer(folder / TOKENIZER.name)
        self._session = _session(_graph(folder))

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, shape (texts, 384)."""
        import numpy as np

        vectors = np.empty((len(texts), WIDTH), np.float32)
        tokens = [np.array(e.ids, np.int64) for e in self._tokenizer.encode_batch([_clean(t) for t in texts])]

        def work(index: int) -> None:
            vectors[index] = self._run(tokens[index])

        # longest first, so that no worker is left alone with a long text at the end
        order = sorted(range(len(texts)), key=lambda i: -len(tokens[i]))
        with ThreadPoolExecutor(self.workers) as pool:
            for _ in pool.map(work, order):
                pass
        return vectors

    def embed_query(self, text: str) -> Vector:
        """The vector of a question, shape (384,)."""
        import numpy as np

        return self._run(np.array(self._tokenizer.encode(_clean(text)).ids, np.int64))

    def _run(self, tokens: Any) -> Vector:
        vector: Vector = self._session.run(None, {"tokens": tokens})[0]
        return vector


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _tokenizer(file: Path) -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)
    return tokenizer


def _graph(folder: Path) -> Path:
    from onrecord.models.minilm import safetensors

    file = folder / f"float32-{VERSION}.onnx"
    if not file.is_file():
        part = file.with_suffix(f".{os.getpid()}")
        part.write_bytes(float32_graph(safetensors.read(folder / WEIGHTS.name)))
        part.replace(file)
    return file


def _session(graph: Path) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
