"""Times as people and programs write them into transcripts: 1:02, 00:01:02,500, 01:02:03:12."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

CLOCK = (
    r"(?:\d\d;\d\d;\d\d;\d\d|\d{1,2}:\d{1,2}:\d{1,2}\.\d{1,7}|(?:\d{1,4}:)?\d{1,4}:\d\d(?:[:;.,]\d{1,9})?)"
)
"""Pattern of a clock time: minutes and seconds, with hours and a fraction where there are any."""


def seconds_of(written: str) -> float:
    """The seconds of a clock time, to the millisecond. A fourth field of three digits is milliseconds,
    any other one is frames, whose rate nobody knows: they are left out."""
    fields = written.strip().replace(",", ".").replace(";", ":").split(":")
    is_rest = len(fields) == 4 or (len(fields[-1]) == 3 and fields[-1].isdecimal())
    rest = fields.pop() if is_rest else ""
    total = 0.0
    for field in fields:
        total = total * 60 + float(field)
    return round(total + (int(rest) / 1000 if len(rest) == 3 else 0.0), 3)


def longest_rising(seconds: Sequence[float]) -> list[int]:
    """Indices of the longest run of values that never fall, not necessarily neighbours, and of several
    the one that goes by the earlier values: what to believe of times of which some run backwards.
    (Patience sorting, from the end; n log n.)"""
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
