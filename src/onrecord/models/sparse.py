"""Learned sparse weights: the importance of each token of a text, a lexical signal beside BM25.

``fastembed:NAME`` runs fastembed's SparseTextEmbedding (SPLADE, miniCOIL, ...). fastembed has no BGE-M3 head,
so ``transformers:BAAI/bge-m3`` computes it here: the weight of a token is relu(W h + b) of its last hidden
state h. If a token occurs several times, its highest weight counts (Chen et al., BGE M3-Embedding, 2024).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from onrecord.errors import EmbeddingError, ModelError, SettingError
from onrecord.models.loading import loading
from onrecord.models.local import on_device
from onrecord.models.vectors import encodable, first_line, import_extra

if TYPE_CHECKING:
    from onrecord.types import Scores

Weights = Mapping[int, float]
"""Weights above 0 of a text's tokens, by token id."""
Encode = Callable[[list[str]], list[Weights]]

_MOST_CACHED = 20_000
_LONGEST = 8192
"""Most tokens of a text that BGE-M3 reads."""
_HEAD = "sparse_linear.pt"


@dataclass
class SparseEncoder:
    """An encoder that scores passages by the token weights that they share with a question.

    It caches the weights of passages.

    Args:
        name: provider and model, as in the settings.
        passages: computes the weights of passages.
        questions: computes the weights of questions.
    """

    name: str
    passages: Encode
    questions: Encode
    _cache: dict[str, Weights] = field(default_factory=dict, init=False, repr=False)

    def score(self, question: str, texts: Sequence[str]) -> Scores:
        """Return the sums of products of shared weights, shape (texts,), 0 or more. Raises EmbeddingError."""
        import numpy as np

        (query,) = self._weights(self.questions, [question])
        passages = {text: self._cache[text] for text in texts if text in self._cache}
        missing = list(dict.fromkeys(text for text in texts if text not in passages))
        fresh = dict(zip(missing, self._weights(self.passages, missing), strict=True))
        if len(self._cache) + len(fresh) > _MOST_CACHED:
            self._cache = {}
        self._cache |= fresh
        passages |= fresh
        sums = (
            sum(weight * passages[text].get(token, 0.0) for token, weight in query.items()) for text in texts
        )
        return np.fromiter(sums, np.float32, len(texts))

    def _weights(self, encode: Encode, texts: list[str]) -> list[Weights]:
        if not texts:
            return []
        try:
            weights = encode(encodable(texts))
        except Exception as error:  # the libraries raise errors of any class
            raise EmbeddingError(f"{self.name} could not weigh words: {first_line(error)}") from None
        if len(weights) != len(texts):
            raise EmbeddingError(f"{self.name} gave weights of {len(weights)} texts for {len(texts)}")
        return weights


class LazySparse:
    """An encoder that `open_sparse` opens at its first use, as few strategies need it."""

    def __init__(self, name: str, device: str = "") -> None:
        self.name, self._device = name, device
        self._encoder: SparseEncoder | None = None
        self._lock = Lock()

    def score(self, question: str, texts: Sequence[str]) -> Scores:
        """See `SparseEncoder.score`. Raises SettingError and ModelError, as `open_sparse` does."""
        with self._lock:
            if self._encoder is None:
                self._encoder = open_sparse(self.name, device=self._device)
            return self._encoder.score(question, texts)


def open_sparse(name: str, *, path: Path | None = None, device: str = "") -> SparseEncoder:
    """Open the encoder ``fastembed:NAME`` or ``transformers:NAME``; `path` is a folder with its files.

    Raises SettingError for another name, and ModelError if it cannot be loaded.
    """
    provider, _, model = name.partition(":")
    openers = {"fastembed": _fastembed, "transformers": _bge_m3}
    if not model or provider not in openers:
        raise SettingError("embedding.sparse", name, "fastembed:NAME or transformers:BAAI/bge-m3")
    library = import_extra(provider, "fastembed" if provider == "fastembed" else "sentence-transformers")
    try:
        with loading():
            passages, questions = openers[provider](library, model, path, device)
    except ModelError:
        raise
    except Exception as error:  # the libraries raise errors of any class
        raise ModelError(f"cannot load {name}: {first_line(error)}") from None
    return SparseEncoder(name, passages, questions)


def _fastembed(library: Any, name: str, path: Path | None, device: str) -> tuple[Encode, Encode]:
    folder = {"specific_model_path": str(path)} if path else {}
    model = library.SparseTextEmbedding(name, **folder, **on_device(device))

    def read(embeddings: Any) -> list[Weights]:
        return [dict(zip(e.indices.tolist(), e.values.tolist(), strict=True)) for e in embeddings]

    return lambda texts: read(model.embed(texts)), lambda texts: read(model.query_embed(texts))


def _bge_m3(library: Any, name: str, path: Path | None, device: str) -> tuple[Encode, Encode]:
    import torch

    folder = str(path) if path else name
    tokenizer = library.AutoTokenizer.from_pretrained(folder)
    model = library.AutoModel.from_pretrained(folder).eval().to(device or "cpu")
    file = Path(folder) / _HEAD
    if not file.is_file():
        file = import_extra("huggingface_hub", "sentence-transformers").hf_hub_download(folder, _HEAD)
    head = torch.nn.Linear(model.config.hidden_size, 1)
    head.load_state_dict(torch.load(file, map_location="cpu", weights_only=True))
    head.to(model.device, model.dtype)
    special = set(tokenizer.all_special_ids)
    longest = min(_LONGEST, tokenizer.model_max_length)

    def encode(texts: list[str]) -> list[Weights]:
        tokens = tokenizer(texts, padding=True, truncation=True, max_length=longest, return_tensors="pt")
        with torch.inference_mode():
            hidden = model(**tokens.to(model.device)).last_hidden_state
            weights = torch.relu(head(hidden)).squeeze(-1).float().tolist()
        return [_highest(*row, special) for row in zip(tokens["input_ids"].tolist(), weights, strict=True)]

    def in_batches(texts: list[str]) -> list[Weights]:
        return [weights for at in range(0, len(texts), 8) for weights in encode(texts[at : at + 8])]

    return in_batches, in_batches


def _highest(tokens: Sequence[int], weights: Sequence[float], special: set[int]) -> Weights:
    """Return the highest weight of each token that is not special."""
    best: dict[int, float] = {}
    for token, weight in zip(tokens, weights, strict=True):
        if weight > best.get(token, 0.0) and token not in special:
            best[token] = weight
    return best
