"""Reranks passages word by word with the embedded model, so that nothing more is fetched.

Late interaction (Khattab and Zaharia, ColBERT: Efficient and Effective Passage Search via Contextualized Late
Interaction over BERT, 2020), here with a model that was not trained for it:

    score = mean over word pieces q of the question of  max over word pieces p of the passage of  cos(q, p)

The vector of a passage is the mean of its words; this score finds the words that answer each word of the
question. Alone it ranks hardly better than the search, together with the search it does (docs/models.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from onrecord.models.minilm.embedder import MiniLM

if TYPE_CHECKING:
    from onrecord.types import Scores


class MiniLMReranker:
    """Ranks by the first 254 word pieces of each text, together with the ranking of the search."""

    name = "minilm"
    share = 0.5

    def __init__(self, model: MiniLM) -> None:
        self._model = model

    def load(self) -> None:
        """Load the model ahead of its first use."""
        self._model.load()

    def score(self, question: str, texts: Sequence[str]) -> Scores:
        """Scores of texts, shape (texts,), in 0..1."""
        import numpy as np

        query, *passages = self._model.embed_tokens([question, *texts])
        scores = [
            (query @ text.T).max(axis=1).mean() if len(query) and len(text) else 0.0 for text in passages
        ]
        return np.clip(np.array(scores, np.float32), 0.0, 1.0)
