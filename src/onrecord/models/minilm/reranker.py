"""Reads question and passages word by word with the embedded model: nothing more to fetch.

Late interaction, as in Khattab and Zaharia, ColBERT: Efficient and Effective Passage Search via
Contextualized Late Interaction over BERT, 2020, here with a model that was not trained for it:

    score = mean over word pieces q of the question of  max over word pieces p of the passage of  cos(q, p)

The vector of a passage is the mean of all that is said in it; this finds the words that answer each word of
the question. Alone it orders hardly better than the search did, together with it it does (docs/models.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from onrecord.models.minilm.embedder import MiniLM

if TYPE_CHECKING:
    from onrecord.types import Scores


class MiniLMReranker:
    """Ranks by the word pieces of all-MiniLM-L6-v2, beside the ranking that was there. Of each text the first
    254 word pieces count."""

    name = "minilm"
    share = 0.5

    def __init__(self, model: MiniLM) -> None:
        self._model = model

    def load(self) -> None:
        """Load the model, ahead of reading with it."""
        self._model.load()

    def score(self, question: str, texts: Sequence[str]) -> Scores:
        """Scores of texts, shape (texts,), in 0..1."""
        import numpy as np

        asked, *read = self._model.embed_tokens([question, *texts])
        scores = [(asked @ text.T).max(axis=1).mean() if len(asked) and len(text) else 0.0 for text in read]
        return np.clip(np.array(scores, np.float32), 0.0, 1.0)
