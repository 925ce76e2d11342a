"""Times as people and programs write them into transcripts: 1:02, 00:01:02,500, 01:02:03:12."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

CLOCK = r"(?:\d\d;\d\d;\d\d;\d\d|(?:\d{1,4}:)?\d{1,4}:\d\d(?:[:;.,]\d{1,9})?)"
"""Pattern of a clock time: minutes and seconds, with hours and a fraction where there are any."""


def seconds_of(written: str) -> float:
    """The seconds of a clock time, to the millisecond. A fourth field of three digits is milliseconds,
    any other one is frames, whose rate nobody knows: they are left out."""
    fields = re.split("[:;]", written.strip().replace(",", "."))
    rest = fields.pop() if len(fields) == 4 or len(fields[-1]) == 3 else ""
    total = int(rest) / 1000 if len(rest) == 3 else 0.0
    for power, field in enumerate(reversed(fields)):
        total += float(field) * 60**power
    return round(total, 3)


def longest_rising(seconds: Sequence[float]) -> list[int]:
    """Indices of the longest run of values that never fall, not necessarily neighbours: what to believe
    of times of which some run backwards. (Patience sorting, n log n.)"""
    tails: list[float] = []
    at_tail: list[int] = []
    before: list[int] = []
    for i, second in enumerate(seconds):
        size = bisect_right(tails, second)
        before.append(at_tail[size - 1] if size else -1)
        tails[size : size + 1] = [second]
        at_tail[size : size + 1] = [i]
    chain = []
    i = at_tail[-1] if at_tail else -1
    while i >= 0:
        chain.append(i)
        i = before[i]
    return chain[::-1]
