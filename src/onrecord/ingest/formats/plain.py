"""Reader of plain text: ``Speaker: words``, names and times on separate lines, or only paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.document import transcript
from onrecord.ingest.formats.lines import BOLD, END, RULE, Line, single_spaces, split_lines
from onrecord.types import Transcript

_COURT = re.compile(r"\A\s*([QA])(?:\t|  )(?=\s*\S)")
"""A question or an answer in a court transcript, marked by Q or A and white space only."""
_NUMBER = re.compile(r"[ \t]{0,8}(\d{1,5})(?:[ \t]+|$)")
_COLUMN = re.compile(r"\A(\S{1,12}) {2,}(?=\S)")
"""A word in a separate column, such as the speaker next to a numbered turn."""
_GAP = re.compile(r"(?<=\S)[ \t]{2,}(?=\S)")
_BOLD = re.compile(r"<(b|strong)>([^<>]{1,90})</\1>", re.IGNORECASE)
"""Bold words in text that was copied from the source of a page: "<b>Ann</b>: Hi."."""
MIN_NUMBERED, MIN_NUMBERED_SHARE = 4, 0.4
"""The minimum number and the minimum share (0 to 1) of lines with consecutive numbers in a numbered text."""
_FRONT = re.compile(r"[^\s:]+:(?:\s|$)|[ \t#-]|$")


def fits(source: Source) -> bool:
    """Accept any text with letters, as the fallback if no other format fits."""
    return any(c.isalpha() for c in source.text)


def read(source: Source) -> tuple[Transcript, ...]:
    return (transcript(source, FORMAT.name, list(_lines(split_lines(source)))),)


FORMAT = Format("text", (".txt", ".text"), fits, read)


def blank_front_matter(lines: list[str]) -> list[str]:
    """Blank the lines of a YAML block (``---`` ... ``---``) at the beginning.

    The details in that block are read elsewhere.
    """
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    if lines[first].rstrip() != "---":
        return lines
    last = next((at for at in range(first + 1, len(lines)) if lines[at].rstrip() == "---"), first)
    block = lines[first + 1 : last]
    if not block or not all(_FRONT.match(line) for line in block):
        return lines
    return [""] * (last + 1) + lines[last + 1 :]


def _blank_numbers(lines: list[str]) -> list[str]:
    """Remove the numbers before lines if many of them are consecutive or restart at 1 on a new page.

    If numbers are removed, a short column after a number ends in a tab, and wide gaps in lines without a
    number become single spaces.
    """
    matches = {at: match for at, line in enumerate(lines) if (match := _NUMBER.match(line))}
    written = [int(match[1]) for match in matches.values()]
    counting = sum(later in (earlier + 1, 1) for earlier, later in pairwise(written))
    filled = sum(bool(line.strip()) for line in lines[min(matches, default=0) :])
    if counting < max(MIN_NUMBERED, MIN_NUMBERED_SHARE * filled):
        return lines
    return [
        _COLUMN.sub("\\1\t", line[matches[at].end() :]) if at in matches else _GAP.sub(" ", line)
        for at, line in enumerate(lines)
    ]


def _lines(lines: list[str]) -> Iterator[Line]:
    blank, ruled = True, False
    for number, line in enumerate(_blank_numbers(blank_front_matter(lines)), 1):
        spoken = line.strip() and not RULE.fullmatch(line)  # there may be a million blank lines
        words = single_spaces(_COURT.sub(r"\1. ", line)) if spoken else ""
        if words:
            words = _BOLD.sub(rf"{BOLD}\2{END}", words)
            yield Line(number, words, opens=blank, ruled=ruled, indented=line[:1].isspace())
        ruled = not words and (ruled or bool(line.strip()))
        blank = not words
