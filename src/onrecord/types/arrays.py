"""Types of arrays, for the type checker only, so that `onrecord --help` does not load numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]
    """Shape (dimensions,), unit length."""
    Vectors = NDArray[np.float32]
    """Shape (n, dimensions), rows of unit length."""
    Scores = NDArray[np.float32]
    """Shape (n,), one score for each passage of a PassageTimeline."""
    Rows = NDArray[np.int64]
    """Shape (n,), row numbers of passages in a store."""
    Counts = NDArray[np.int32]
    """Shape (n,)."""
