"""What was found out once, kept for as long as there is room."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar, cast

T = TypeVar("T")

_NOTHING = object()


class Kept:
    """At most so many values, by their keys; when there is no more room all of them go. Threads may share it:
    at worst two find out the same."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: dict[Hashable, object] = {}

    def value(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` told for this key, which is all that it depends on."""
        kept = self._values.get(key, _NOTHING)  # looked up once, as another thread may let it go
        if kept is not _NOTHING:
            return cast("T", kept)
        made = make()
        if len(self) >= self._most:
            self.clear()
        self._values[key] = made
        return made

    def __len__(self) -> int:
        return len(self._values)

    def clear(self) -> None:
        """Let all go."""
        self._values.clear()
