"""``openai:NAME``: embeddings of OpenAI, or of any server that speaks its protocol."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

from onrecord.errors import EmbeddingError
from onrecord.models.base import Calibration
from onrecord.models.vectors import encodable, import_extra, unit_vectors

if TYPE_CHECKING:
    from onrecord.types import Vector, Vectors

_BATCH = 128  # texts in a request: servers accept 2048 at most, small servers far fewer
_RETRIES = 2


class OpenAIEmbedder:
    """An embedder that asks the server at `base_url`, by default OpenAI's own, for the vectors of `model`.

    The key comes from ``OPENAI_API_KEY`` only and appears in no message; your own server may need no key.
    `seconds` is how long one request may take.
    """

    calibration = Calibration()

    def __init__(self, model: str, *, base_url: str | None = None, seconds: float = 30.0) -> None:
        self.name = f"openai:{model}"
        self.fingerprint = f"openai:{model}"
        self._model = model
        self._spent, self._counting = 0, Lock()
        self._openai = import_extra("openai", "openai")
        key = os.environ.get("OPENAI_API_KEY") or ("none" if base_url else "")
        if not key:
            raise EmbeddingError(f"{self.name} needs the environment variable OPENAI_API_KEY")
        self._client = self._openai.OpenAI(
            api_key=key, base_url=base_url, timeout=seconds, max_retries=_RETRIES
        )

    @cached_property
    def dimensions(self) -> int:
        """Numbers in a vector; the first access requests a vector from the server."""
        return int(self.embed(["dimensions"]).shape[1])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts, shape (texts, dimensions). Raises EmbeddingError."""
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        batches = [texts[i : i + _BATCH] for i in range(0, len(texts), _BATCH)]
        return np.concatenate([self._batch(encodable(batch)) for batch in batches])

    def embed_query(self, text: str) -> Vector:
        vector: Vector = self.embed([text])[0]
        return vector

    def _batch(self, texts: list[str]) -> Vectors:
        try:
            reply = self._client.embeddings.create(model=self._model, input=texts, encoding_format="float")
            rows = [item.embedding for item in sorted(reply.data, key=lambda item: item.index)]
            tokens = getattr(getattr(reply, "usage", None), "total_tokens", None)
        except self._openai.OpenAIError as error:
            raise EmbeddingError(f"{self.name} could not embed: {_reason(error)}") from None
        except (AttributeError, TypeError, ValueError):
            raise EmbeddingError(f"{self.name} gave a reply that holds no embeddings") from None
        if isinstance(tokens, int) and tokens > 0:
            with self._counting:
                self._spent += tokens
        return unit_vectors(rows, len(texts), self.name)

    def spent(self) -> int:
        """Return the tokens embedded since the last call of this method, if the server reports them."""
        with self._counting:
            spent, self._spent = self._spent, 0
        return spent

    def __repr__(self) -> str:
        return f"OpenAIEmbedder({self._model!r})"


def _reason(error: Exception) -> str:
    """Describe an error without the server's own words: they may quote the key or the texts."""
    status = getattr(error, "status_code", None)
    reasons = {
        401: "the key in OPENAI_API_KEY was refused",
        404: "the server has no such model or address",
        429: "the limit of requests, or the credit, is used up",
    }
    if status in reasons:
        return reasons[status]
    return f"the server answered {status}" if status else f"no answer ({type(error).__name__})"
