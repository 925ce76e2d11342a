"""How well a text was parted, against where people would part it. Lower is better; 0 is the same."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np


def window(boundaries: Iterable[int], length: int) -> int:
    """Half the mean length of the reference's segments, rounded, at least 2: the distance that both measures
    look across."""
    return max(2, round(length / (len(set(boundaries)) + 1) / 2))


def pk(reference: Iterable[int], found: Iterable[int], length: int, k: int | None = None) -> float:
    """Pk: the share of pairs of units, `k` apart, that one segmentation puts together and the other does not
    (Beeferman, Berger and Lafferty, Statistical Models for Text Segmentation, 1999).

    Boundaries are the units, of 0..length-1, at which a segment begins; 0 is none. `k` is `window` of the
    reference where it is not given.
    """
    return float((_crossed(reference, reference, length, k) != _crossed(reference, found, length, k)).mean())


def window_diff(reference: Iterable[int], found: Iterable[int], length: int, k: int | None = None) -> float:
    """WindowDiff: the share of windows of `k` units in which the two have different numbers of boundaries
    (Pevzner and Hearst, A Critique and Improvement of an Evaluation Metric for Text Segmentation, 2002)."""
    of, in_found = _counted(reference, reference, length, k), _counted(reference, found, length, k)
    return float((of != in_found).mean())


def _counted(reference: Iterable[int], boundaries: Iterable[int], length: int, k: int | None) -> np.ndarray:
    """How many boundaries lie between each unit and the one `k` after it."""
    k = min(k or window(reference, length), length - 1)
    marks = np.zeros(length, np.int64)
    marks[[at for at in boundaries if 0 < at < length]] = 1
    segment = marks.cumsum()
    return np.asarray(segment[k:] - segment[: length - k])


def _crossed(reference: Iterable[int], boundaries: Iterable[int], length: int, k: int | None) -> np.ndarray:
    return _counted(reference, boundaries, length, k) > 0
