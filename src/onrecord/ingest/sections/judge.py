"""The importance of each passage, and how closely it belongs to its neighbors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import log
from typing import TYPE_CHECKING

import numpy as np

from onrecord.ingest.sections.words import Words, fold, unit_rows
from onrecord.types import Passage

if TYPE_CHECKING:
    from onrecord.types import Scores, Vectors

_MIN_FULL_WORTH = 10.0
"""The lowest worth of the words in a full passage: thirty words that no other passage has."""
_SPECIFIC = re.compile(r"\d[\d.,]*|(?<=[a-z,] )[A-Z][a-z]{2,}")
"""Numbers, and names in the middle of a sentence."""
_LEANS = frozenset(
    "and but so that this these those it they he she which because then yes no right exactly also or plus "
    "et mais donc cela ca ce ces il elle ils elles celui celle oui non parce car puis alors voila".split()
)
"""First words of a passage that depends on the passage before it."""


def importance(passages: Sequence[Passage], words: Words, rows: Vectors) -> Scores:
    """Return how informative each passage is, 0..1, shape (n,).

    The basis is the number of different content words, each weighted more the more passages use it.
    Similarity to the mean of the recording, and numbers and names, add a little. Short passages and mere
    assent score low.

    On QMSum the rank correlation with the share of words that people's answers and summaries use is .34; the
    correlation of length is .13, of similarity to the mean .08.
    """
    if not passages:
        return np.zeros(0, np.float32)
    word_worth = {word: 0.3 + log(count) for word, count in words.passages.items()}
    content = np.array([sum(word_worth[word] for word in counts) for counts in words.counts], np.float32)
    fullness = np.minimum(1, content / max(float(np.percentile(content, 95)), _MIN_FULL_WORTH))
    central = _ranks(rows @ unit_rows(rows.sum(axis=0, keepdims=True))[0])
    specific = np.array([min(1.0, count_specifics(p.text) / 6) for p in passages], np.float32)
    return np.asarray(fullness * (0.8 + 0.1 * central + 0.1 * specific), np.float32)


def count_specifics(text: str) -> int:
    """Return the number of figures, and of names in the middle of a sentence, in a text."""
    return len(_SPECIFIC.findall(text))


def links(passages: Sequence[Passage], rows: Vectors, borders: Sequence[int]) -> tuple[Scores, Scores]:
    """Return how closely the passages before and after each one belong to it.

    The result is two arrays of shape (n,), 0..1; 0 if there is no neighbor. A value of 0.5 means that two
    neighbors are 1.5 standard deviations more similar than passages far apart. An answer belongs to its
    question, and a passage that begins with "that" or "because" to the one before; a border between sections
    separates.
    """
    count = len(passages)
    before, after = np.zeros(count, np.float32), np.zeros(count, np.float32)
    if count < 2:
        return before, after
    nearness = _standardized_nearness(rows)
    nearness[[at - 1 for at in borders if 0 < at < count]] -= 1.0
    answers = np.array(["?" in passage.text[-60:] for passage in passages[:-1]], np.float32)
    first_words = [re.match(r"\w+", passage.text) for passage in passages[1:]]
    leans = np.array([fold(first[0]) in _LEANS if first else False for first in first_words], np.float32)
    after[:-1] = _as_share(nearness + 1.5 * answers)
    before[1:] = _as_share(nearness + 1.5 * answers + 0.5 * leans)
    return before, after


def _standardized_nearness(rows: Vectors) -> Scores:
    """Return cosines of neighbors, in standard deviations above those of passages far apart."""
    count = len(rows)
    near = np.einsum("ij,ij->i", rows[:-1], rows[1:])
    shifts = {max(1, count // part) for part in (2, 3, 5)}
    far = np.concatenate([np.einsum("ij,ij->i", rows[:-shift], rows[shift:]) for shift in shifts])
    return np.asarray((near - far.mean()) / max(float(far.std()), 0.05), np.float32)


def _as_share(nearness: Scores) -> Scores:
    return np.asarray(1 / (1 + np.exp(1.5 - nearness)), np.float32)


def _ranks(values: Scores) -> Scores:
    """Return ranks, scaled to 0..1; 0.5 for a single value."""
    if len(values) < 2:
        return np.full(len(values), 0.5, np.float32)
    ranks = np.empty(len(values), np.float32)
    ranks[np.argsort(values, kind="stable")] = np.linspace(0, 1, len(values), dtype=np.float32)
    return ranks
