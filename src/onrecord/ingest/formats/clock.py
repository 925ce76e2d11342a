"""Parsing, writing and ordering of clock times in transcripts: 1:02, 00:01:02,500, 01:02:03:12."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

CLOCK = (
    r"(?:\d\d;\d\d;\d\d;\d\d|\d{1,2}:\d{1,2}:\d{1,2}\.\d{1,7}|(?:\d{1,4}:)?\d{1,4}:\d\d(?:[:;.,]\d{1,9})?)"
)
"""Regular expression for a clock time: minutes and seconds, perhaps with hours and a fraction."""


def seconds_of(written: str) -> float:
    """Return the seconds of a clock time, rounded to the millisecond.

    A last field of three digits after a colon is milliseconds. Any other fourth field counts frames, and is
    dropped because the frame rate is unknown.
    """
    fields = written.strip().replace(",", ".").replace(";", ":").split(":")
    is_rest = len(fields) == 4 or (len(fields[-1]) == 3 and fields[-1].isdecimal())
    rest = fields.pop() if is_rest else ""
    total = 0.0
    for field in fields:
        total = total * 60 + float(field)
    return round(total + (int(rest) / 1000 if len(rest) == 3 else 0.0), 3)


def write_clock(second: float, point: str = ".") -> str:
    """Format seconds as a clock time to the millisecond: "00:01:02.500"; `point` precedes the fraction."""
    seconds, rest = divmod(round(second * 1000), 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{point}{rest:03}"


def longest_rising(seconds: Sequence[float]) -> list[int]:
    """Return the indices of the longest non-decreasing subsequence.

    These are the times to trust if some run backwards. Of several longest subsequences, the one with earlier
    values is returned. The method is patience sorting from the end, in O(n log n) time.
    """
    tails: list[float] = []
    at_tail: list[int] = []
    after: list[int] = [-1] * len(seconds)
    for i in range(len(seconds) - 1, -1, -1):
        size = bisect_right(tails, -seconds[i])
        after[i] = at_tail[size - 1] if size else -1
        tails[size : size + 1] = [-seconds[i]]
        at_tail[size : size + 1] = [i]
    chain = []
    i = at_tail[-1] if at_tail else -1
    while i >= 0:
        chain.append(i)
        i = after[i]
    return chain
