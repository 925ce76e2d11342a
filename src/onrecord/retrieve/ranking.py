"""What stands first, and how much of it a stage changes."""

from __future__ import annotations

from onrecord.stores.ranking import top
from onrecord.types import Evidence

__all__ = ["FIRST", "changed", "top"]

FIRST = 10
"""How many of what stands first are compared."""


def changed(before: Evidence, after: Evidence) -> str:
    """What became of the order, in plain words: of the passages on a curve, or of the moments. Empty where it
    is as it was, and where there is nothing to compare."""
    if after is before or bool(before.moments) != bool(after.moments):
        return ""
    old, new = _first(before), _first(after)
    if old == new or not old or not new:
        return ""
    others = len(set(new) - set(old))
    return f"{others} of the first {len(new)} are others" if others else "the first in another order"


def _first(evidence: Evidence) -> list[int]:
    """Rows of what stands first: the passages of a curve, or the best one of each moment."""
    if evidence.moments:
        return [moment.passages[moment.peak].row for moment in evidence.moments[:FIRST]]
    curve = evidence.curve
    rows: list[int] = [] if curve is None else curve.line.rows[top(curve.score, FIRST)].tolist()
    return rows
