"""Reports how far a long task has come."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from onrecord.types import Recording

T = TypeVar("T", Recording, str)
Progress = Callable[[int, int, str], None]
"""Called with how many are done, of how many, and the name of the next one; at the end with an empty one."""


def with_progress(items: Sequence[T], progress: Progress | None) -> Iterator[T]:
    """The items one by one, each announced: a recording by its title, a text by itself."""
    for number, item in enumerate(items):
        if progress:
            progress(number, len(items), item.title if isinstance(item, Recording) else item)
        yield item
    if progress:
        progress(len(items), len(items), "")
