"""What passages are worth on their own, and how much each belongs to the one before and the one after."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import log
from typing import TYPE_CHECKING

import numpy as np

from onrecord.ingest.sections.words import Words, folded, unit
from onrecord.types import Passage

if TYPE_CHECKING:
    from onrecord.types import Scores, Vectors

_FULL = 10.0
"""What the words of a passage that lacks nothing are worth at least: thirty, each said in it alone."""
_SPECIFIC = re.compile(r"\d[\d.,]*|(?<=[a-z,] )[A-Z][a-z]{2,}")
"""Numbers, and names amid a sentence."""
_LEANS = frozenset(
    "and but so that this these those it they he she which because then yes no right exactly also or plus "
    "et mais donc cela ca ce ces il elle ils elles celui celle oui non parce car puis alors voila".split()
)
"""Words at the beginning of what cannot be understood without what was said before."""


def importance(passages: Sequence[Passage], words: Words, rows: Vectors) -> Scores:
    """How much each passage says, 0..1, shape (n,): how many different words carry meaning, each worth the
    more the more passages come back to it; a little also by how near it is to what the recording is about,
    and how many numbers and names it has. What is short or mere assent is worth little.

    On QMSum its rank correlation with the share of words that people's answers and summaries took up is .34;
    that of length is .13, of nearness to the mean .08.
    """
    if not passages:
        return np.zeros(0, np.float32)
    worth = {word: 0.3 + log(count) for word, count in words.passages.items()}
    said = np.array([sum(worth[word] for word in counts) for counts in words.counts], np.float32)
    fullness = np.minimum(1, said / max(float(np.percentile(said, 95)), _FULL))
    central = _ranks(rows @ unit(rows.sum(axis=0, keepdims=True))[0])
    specific = np.array([min(1.0, len(_SPECIFIC.findall(p.text)) / 6) for p in passages], np.float32)
    return np.asarray(fullness * (0.8 + 0.1 * central + 0.1 * specific), np.float32)


def links(passages: Sequence[Passage], rows: Vectors, borders: Sequence[int]) -> tuple[Scores, Scores]:
    """How much the passage before each one, and the one after it, belong to it: two arrays of shape (n,),
    0..1; 0 where there is none.

    Half is where two neighbours are one and a half standard deviations nearer to each other than passages of
    the recording that are far apart; an answer belongs to its question, and what begins with "that" or
    "because" to what is before it; a border between sections loosens.
    """
    count = len(passages)
    before, after = np.zeros(count, np.float32), np.zeros(count, np.float32)
    if count < 2:
        return before, after
    nearness = _standing_out(rows)
    nearness[[at - 1 for at in borders if 0 < at < count]] -= 1.0
    answers = np.array([_asks(passages[at]) for at in range(count - 1)], np.float32)
    leans = np.array([_leans(passages[at]) for at in range(1, count)], np.float32)
    after[:-1] = _share(nearness + 1.5 * answers)
    before[1:] = _share(nearness + 1.5 * answers + 0.5 * leans)
    return before, after


def _standing_out(rows: Vectors) -> Scores:
    """Cosines of neighbours, in standard deviations above the mean of pairs that are far apart."""
    count = len(rows)
    near = np.einsum("ij,ij->i", rows[:-1], rows[1:])
    shifts = {max(1, count // part) for part in (2, 3, 5)}
    far = np.concatenate([np.einsum("ij,ij->i", rows[:-shift], rows[shift:]) for shift in shifts])
    return np.asarray((near - far.mean()) / max(float(far.std()), 0.05), np.float32)


def _share(nearness: Scores) -> Scores:
    return np.asarray(1 / (1 + np.exp(1.5 - nearness)), np.float32)


def _asks(passage: Passage) -> bool:
    """Whether it ends with a question, or nearly."""
    return "?" in passage.text[-60:]


def _leans(passage: Passage) -> bool:
    first = re.match(r"\w+", passage.text)
    return first is not None and folded(first[0]) in _LEANS


def _ranks(values: Scores) -> Scores:
    """Ranks among all, 0..1; 0.5 for one alone."""
    if len(values) < 2:
        return np.full(len(values), 0.5, np.float32)
    ranks = np.empty(len(values), np.float32)
    ranks[np.argsort(values, kind="stable")] = np.linspace(0, 1, len(values), dtype=np.float32)
    return ranks
