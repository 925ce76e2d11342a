"""The highest scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from onrecord.types import PassageTimeline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from onrecord.types import Rows, Scores, Vectors

_BLOCK = 64


def top(scores: Scores, most: int) -> Rows:
    """Indices of the `most` highest scores, best first; equal ones in the order of their indices."""
    heads = scores[: len(scores) // _BLOCK * _BLOCK].reshape(-1, _BLOCK).max(axis=1, initial=-np.inf)
    if 0 < most < len(heads):
        # so many blocks hold a score as high as this, so no lower one can be among the highest
        least = np.partition(heads, -most)[-most]
        blocks = np.flatnonzero(heads >= least)[:, None] * _BLOCK + np.arange(_BLOCK)
        candidates = np.concatenate((blocks.ravel(), np.arange(len(heads) * _BLOCK, len(scores))))
        candidates = candidates[scores[candidates] >= least]
    else:
        candidates = np.arange(len(scores))
    return candidates[np.argsort(-scores[candidates], kind="stable")][: max(most, 0)]


def best(timeline: PassageTimeline, scores: Scores, most: int) -> tuple[Rows, Scores]:
    """Rows and scores of the `most` passages of a timeline with the highest scores, best first."""
    chosen = top(scores, most)
    return timeline.rows[chosen], scores[chosen]


def divided(scores: Vectors, lengths: Sequence[Scores | None]) -> Vectors:
    """The scores of each query divided, in place, by its lengths; None divides by nothing."""
    for own, divisors in zip(scores, lengths, strict=True):
        if divisors is not None:
            own /= divisors
    return scores
