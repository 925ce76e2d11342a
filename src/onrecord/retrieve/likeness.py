"""How near a few short texts, summaries or titles, are to a question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from onrecord.retrieve.stage import Tools
from onrecord.retrieve.wording import Wording

if TYPE_CHECKING:
    from onrecord.types import Scores

_MEANING = 0.6
"""The share of the cosine; the rest is the weight of the question's words that a text has."""


def likeness(question: str, words: Wording, texts: Sequence[str], tools: Tools) -> Scores:
    """Shape (texts,), each in 0..1: cosine and words, or words alone where there is no embedder."""
    covered = np.array([words.coverage(text) for text in texts], np.float32)
    if tools.embedder is None or not len(texts):
        return covered
    cosines = tools.embedder.embed(list(texts)) @ tools.embedder.embed_query(question)
    near: Scores = _MEANING * np.clip(cosines, 0, 1) + (1 - _MEANING) * covered
    return near
