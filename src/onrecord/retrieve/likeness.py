"""How near sections are to a question, by their summaries and by what is said in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from onrecord.retrieve.stage import Tools
from onrecord.retrieve.wording import Wording

if TYPE_CHECKING:
    from onrecord.types import Rows, Scores

_MEANING = 0.6
"""The share of the cosine; the rest is the weight of the question's words that title and summary have."""


def likeness(
    question: str, words: Wording, told: Sequence[str], rows: Sequence[Rows], tools: Tools
) -> Scores:
    """Shape (sections,), each in 0..1. `told` is the title and summary of each section, `rows` are its
    passages, the mean of whose stored vectors stands for its meaning: nothing is embedded but the question.
    By words alone where there is no embedder.
    """
    covered = np.array([words.coverage(text) for text in told], np.float32)
    if tools.embedder is None or not len(told):
        return covered
    vectors = tools.store.vectors(np.concatenate(rows))
    begins = np.cumsum([0, *map(len, rows)])[:-1]
    centres = np.add.reduceat(vectors, begins, axis=0)
    lengths = np.linalg.norm(centres, axis=1)
    cosines = centres @ tools.embedder.embed_query(question) / np.where(lengths > 0, lengths, 1)
    near: Scores = _MEANING * np.clip(cosines, 0, 1) + (1 - _MEANING) * covered
    return near
