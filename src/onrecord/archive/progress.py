"""Progress reports of long tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from onrecord.types import Recording

T = TypeVar("T", Recording, str)
Progress = Callable[[int, int, str], None]
"""Called with the number of items done, the number of all, and the name of the next one ("" at the end)."""


def with_progress(items: Sequence[T], progress: Progress | None) -> Iterator[T]:
    """Yield the items one by one, and report each: a recording by its title, a text by itself."""
    for number, item in enumerate(items):
        if progress:
            progress(number, len(items), item.title if isinstance(item, Recording) else item)
        yield item
    if progress:
        progress(len(items), len(items), "")
