"""ONNX Runtime and the tokenizer, set up for one text at a time on one thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from onrecord.errors import ModelError
from onrecord.models.minilm.network import LONGEST
from onrecord.models.vectors import disable_telemetry

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from onrecord.types import Vector, Vectors

    Tokens = NDArray[Any]

LONGEST_TEXT = 16_384
"""Most characters of a text, many times the length of 256 tokens in any language."""


class Session:
    """A loaded model, which several threads may run at the same time."""

    def __init__(self, model: bytes | Path, weights: Path | None = None) -> None:
        """Load a model. `weights` is the folder of the weights file that a float32 model refers to."""
        disable_telemetry()
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        if weights is not None:
            options.add_session_config_entry(
                "session.model_external_initializers_file_folder_path", str(weights)
            )
        source = model if isinstance(model, bytes) else str(model)
        try:
            self._session = onnxruntime.InferenceSession(source, options, ["CPUExecutionProvider"])
        except Exception as error:  # ONNX Runtime's error classes have no other common base
            raise ModelError(
                f"ONNX Runtime {onnxruntime.__version__} cannot load the model minilm: {error}; "
                "install onnxruntime 1.21 or newer"
            ) from error

    def vector(self, tokens: Tokens) -> Vector:
        """Return the vector of a text, shape (384,)."""
        return self.run(["vector"], {"tokens": tokens})[0]

    def states(self, tokens: Tokens) -> Vectors:
        """Return the last layer's state of each token, shape (tokens, 384)."""
        return self.run(["states"], {"tokens": tokens})[0]

    def run(self, names: Sequence[str], inputs: Mapping[str, NDArray[Any]]) -> list[NDArray[Any]]:
        """Return the named outputs for named inputs."""
        outputs: list[NDArray[Any]] = self._session.run(names, dict(inputs))
        return outputs

    def metadata(self) -> Mapping[str, str]:
        """Return the metadata in the model's file."""
        metadata: dict[str, str] = self._session.get_modelmeta().custom_metadata_map
        return metadata


class Tokenizer:
    """A tokenizer that turns texts into numbers of word pieces, [CLS] first and [SEP] last, at most 256."""

    def __init__(self, file: Path) -> None:
        from tokenizers import Tokenizer as WordPieces

        self._pieces = WordPieces.from_file(str(file))
        self._pieces.no_padding()
        self._pieces.enable_truncation(LONGEST)

    def tokens(self, texts: Sequence[str]) -> list[Tokens]:
        """Return the tokens of each text, shape (tokens,)."""
        import numpy as np

        # a lone surrogate has no UTF-8 encoding, and the tokenizer would raise an error
        clean = [text[:LONGEST_TEXT].encode("utf-8", "replace").decode() for text in texts]
        return [np.array(encoding.ids, np.int64) for encoding in self._pieces.encode_batch_fast(clean)]

    def has_word(self, word: str) -> bool:
        """Return whether a whole word is one piece."""
        return word.isalpha() and self._pieces.token_to_id(word) is not None
