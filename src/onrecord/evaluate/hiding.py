"""A reader that does not see some passages."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from onrecord.stores.base import Reader
from onrecord.types import PassageTimeline, Scope


class Hiding:
    """A Reader without the passages of some rows: they are on no timeline, so they are not found and lend
    their score to no neighbour. All else is asked of `reader`."""

    def __init__(self, reader: Reader, rows: Collection[int]) -> None:
        self._reader, self._rows = reader, np.array(sorted(rows), np.int64)

    def timeline(self, scope: Scope = Scope()) -> PassageTimeline:  # noqa: B008 - frozen
        """The timeline without what is hidden."""
        timeline = self._reader.timeline(scope)
        keep = ~np.isin(timeline.rows, self._rows)
        return PassageTimeline(
            timeline.rows[keep],
            timeline.recordings[keep],
            timeline.positions[keep],
            timeline.words[keep],
            timeline.names,
        )

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reader, name)
