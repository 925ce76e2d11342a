"""A reader that does not see some passages."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from onrecord.stores.base import Reader
from onrecord.types import Line, Scope


class Hiding:
    """A Reader without the passages of some rows: they are on no line, so they are not found and lend
    their score to no neighbour. All else is asked of `reader`."""

    def __init__(self, reader: Reader, rows: Collection[int]) -> None:
        self._reader, self._rows = reader, np.array(sorted(rows), np.int64)

    def line(self, scope: Scope = Scope()) -> Line:  # noqa: B008 - frozen
        """The line without what is hidden."""
        line = self._reader.line(scope)
        keep = ~np.isin(line.rows, self._rows)
        return Line(
            line.rows[keep], line.recordings[keep], line.positions[keep], line.words[keep], line.names
        )

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reader, name)
