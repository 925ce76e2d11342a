"""Fit the direction of passages with a dialogue act among the embedder's vectors.

    python training/directions.py

Writes `src/onrecord/models/minilm/acts.npz`: for each kind of `labels/acts.jsonl` a unit vector. Its dot
product with a passage's vector shows how likely some sentence of the passage performs the act, so that only
the likeliest passages of a large archive have to be read. The method is linear discriminant analysis (Fisher
1936) with the covariance shrunk. Learns from the recordings that the reader learns from, and prints the area
under the ROC curve on the recordings for choosing settings.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from batches import TILE, cut
from data import (
    CHOOSING,
    DATA,
    HELD_OUT,
    labelled_acts,
    labelled_windows,
    recordings_marked,
    shared_windows,
)
from evaluate import area
from onrecord.models import open_embedder

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

TARGET = Path(__file__).parents[1] / "src/onrecord/models/minilm/acts.npz"
SHRINKAGE = 0.3
"""Share of the covariance that is replaced by the same variance in every direction."""


def direction(vectors: Array, performs: Array) -> Array:
    """Return the unit vector that best separates the vectors marked by `performs` from the others.

    Its shape is (width,).
    """
    means = [vectors[performs].mean(0), vectors[~performs].mean(0)]
    centred = vectors - np.where(performs[:, None], means[0], means[1])
    covariance = centred.T @ centred / len(vectors)
    variance = np.trace(covariance) / len(covariance)
    shrunk = (1 - SHRINKAGE) * covariance + SHRINKAGE * variance * np.eye(len(covariance))
    best = np.linalg.solve(shrunk, means[0] - means[1])
    unit: Array = best / np.linalg.norm(best)
    return unit


def main() -> None:
    shared = shared_windows(DATA)
    windows = shared | labelled_windows(DATA)
    to_choose, held_out = (recordings_marked(shared.values(), mark) for mark in (CHOOSING, HELD_OUT))
    texts, kinds, learnt, chosen_by = [], [], [], []
    for acts in labelled_acts():
        window = windows[acts.window]
        for part in cut(window.words, TILE):
            texts.append(" ".join(window.render(part)))
            kinds.append({kind for kind, numbers in acts.sentences.items() if numbers & set(part)})
            learnt.append(window.recording not in to_choose | held_out)
            chosen_by.append(window.recording in to_choose)
    vectors = open_embedder("minilm").embed(texts).astype(np.float64)
    train, test = np.array(learnt), np.array(chosen_by)
    directions = {}
    for kind in acts.sentences:
        performs = np.array([kind in some for some in kinds])
        directions[kind] = direction(vectors[train], performs[train])
        auroc = area(vectors[test] @ directions[kind], performs[test], np.ones(int(test.sum())))
        print(f"{kind:16}{auroc:.2f} of {performs[test].sum()}")
    np.savez_compressed(TARGET, **{kind: values.astype(np.float16) for kind, values in directions.items()})


if __name__ == "__main__":
    main()
