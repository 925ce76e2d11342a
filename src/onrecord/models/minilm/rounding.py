"""Rounding of a matrix of weights to 8 bits so that what it computes, not what it is, changes least."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

STEPS = 127
DAMPING = 0.1
"""Share of the mean second moment that is added to each: keeps few observations from being believed."""
BLOCK = 64
"""Columns whose errors are passed on at once."""


def round_weights(matrix: Array, moment: Array) -> tuple[Array, Array]:
    """Codes in -127..127 and the scale of each row: matrix is nearly codes * scale[:, None].

    Columns are rounded one after the other, those of large inputs first, and each one's error is made
    up for by those still to come, as far as their inputs go together: GPTQ (Frantar et al. 2022). It
    leaves less than half of the error of rounding to the nearest.

    Args:
        matrix: shape (outputs, inputs), no row of zeros.
        moment: the inputs' second moments x.T @ x, shape (inputs, inputs), of any scale.
    """
    import numpy as np

    scale = np.abs(matrix).max(axis=1) / STEPS
    order = np.argsort(-np.diag(moment), kind="stable")
    passing = _passing(moment[np.ix_(order, order)])
    rest = np.ascontiguousarray((matrix / scale[:, None])[:, order].T)
    codes = np.empty((len(order), len(scale)), np.int8)
    for first in range(0, len(order), BLOCK):
        last = min(first + BLOCK, len(order))
        errors = np.empty((last - first, len(scale)), np.float32)
        for at in range(first, last):
            codes[at] = np.clip(np.rint(rest[at]), -STEPS, STEPS)
            errors[at - first] = (rest[at] - codes[at]) / passing[at, at]
            rest[at + 1 : last] -= passing[at, at + 1 : last, None] * errors[at - first]
        rest[last:] -= passing[first:last, last:].T @ errors
    return codes[np.argsort(order)].T, scale


def _passing(moment: Array) -> Array:
    """The upper Cholesky factor of the inverse: its rows say how an error is passed on."""
    import numpy as np

    damped = moment.astype(np.float64)
    damped[np.diag_indices_from(damped)] += DAMPING * np.mean(np.diag(moment)) + np.finfo(np.float32).tiny
    lower: Array = np.linalg.cholesky(np.linalg.inv(damped))
    return lower.T.astype(np.float32)
