"""Splitting of lines that contain several turns: "ANN: Was it raining? BOB: No. ANN: It was."."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from onrecord.ingest.formats.clock import CLOCK
from onrecord.ingest.formats.labels import MAX_LENGTH, is_heading, is_name, is_title
from onrecord.ingest.formats.lines import BOLD, END, MAX_LINES, Line

_IN_NAME = rf"[^:\n\[\]<>{BOLD}{END}]"
_LABEL = (
    rf"(?:[\[(]?{CLOCK}[\])]? )?{BOLD}?(?P<name>[^\W\d_](?:{_IN_NAME}{{0,38}}[^\s:\[\]<>{BOLD}{END}])?)"
    rf"(?: ?:{END}?|{END} ?:)(?=\s|\Z)"
)
"""A name and a colon, perhaps in bold type, after a time, or with a space before the colon."""
_BEGINS = re.compile(rf"(?:[-–—•*] )?{_LABEL}")
_WITHIN = re.compile(rf"(?<=[.?!…\"”»)\]]) (?={_LABEL})")
"""The space between the end of a sentence and a label."""
MIN_SHARE = 0.5
"""The minimum share (0 to 1) of labeled lines that contain a name for it to be a speaker.

The share is needed only for a name that begins no line.
"""

Cut = tuple[int, str]
"""The offset of a label within a line, and its name."""


def split_run_on(lines: Sequence[Line]) -> list[Line]:
    """Return the lines, split before speakers' labels within them.

    A speaker is a name that begins a line or occurs within enough labeled lines. A line is split only if it
    contains a speaker's label. Otherwise, a label such as "Romeo:" is a quote.
    """
    first: list[str | None] = []
    for line in lines:
        label = None if line.level or line.tabled else _BEGINS.match(line.text)
        first.append(label["name"] if label and _is_speaker(label["name"]) else None)
    cuts = [_cuts(line) if name else [] for line, name in zip(lines, first, strict=True)]
    if sum(map(len, cuts)) + len(lines) > MAX_LINES:
        return list(lines)
    within = Counter(name for found in cuts for name in {name for _, name in found})
    least = max(2, MIN_SHARE * sum(name is not None for name in first))
    speakers = {name for name in first if name} | {name for name, count in within.items() if count >= least}
    parts: list[Line] = []
    for line, found in zip(lines, cuts, strict=True):
        if speakers.isdisjoint(name for _, name in found):
            parts.append(line)
            continue
        edges = [0, *(at for at, _ in found), len(line.text)]
        parts += [replace(line, text=line.text[begin:end].rstrip()) for begin, end in pairwise(edges)]
    return parts


def _is_speaker(name: str) -> bool:
    return is_name(name) and not is_heading(name)


def _cuts(line: Line) -> list[Cut]:
    """Return the labels within a line that begins with a label; "Lee" in "Dr. Lee:" is not a label."""
    first = _BEGINS.match(line.text)
    cuts, end = [], first.end() if first else 0
    for cut in _WITHIN.finditer(line.text, end):
        before = line.text[max(0, cut.start() - MAX_LENGTH) : cut.start()].split()[-1].strip(".")
        within_name = cut.start() < end or (len(before) == 1 and before.isalpha()) or is_title(before)
        if _is_speaker(cut["name"]) and not within_name:
            cuts.append((cut.end(), cut["name"]))
            end = cut.end("name")
    return cuts
