"""The times of a document, by the characters of its talk."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from onrecord.types import Marks


@dataclass(frozen=True, slots=True)
class Timeline:
    """Seconds at characters of all talk, laid end to end; both rise, and both are equally many."""

    at: Sequence[int]
    seconds: Sequence[float]

    def second(self, at: int) -> float | None:
        """When the character is said, between two times by linear interpolation; None before the first
        time and after the last."""
        after = bisect_left(self.at, at)
        if after == len(self.at) or (after == 0 and self.at[0] != at):
            return None
        if self.at[after] == at:
            return self.seconds[after]
        (begin, end), (first, last) = self.at[after - 1 : after + 1], self.seconds[after - 1 : after + 1]
        return round(first + (at - begin) / (end - begin) * (last - first), 3)

    def marks(self, begin: int, end: int) -> Marks:
        """The times from one character to another, both inclusive, counted from the first."""
        first, last = bisect_left(self.at, begin), bisect_right(self.at, end)
        return tuple((self.at[i] - begin, self.seconds[i]) for i in range(first, last))
