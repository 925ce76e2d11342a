"""Plain text: ``Speaker: words``, names and times on lines of their own, or just paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.document import transcript
from onrecord.ingest.formats.lines import Line, split_lines
from onrecord.types import Transcript

_COURT = re.compile(r"[QA](?:\t|  )")
"""A question or an answer in a transcript of a court, set off by blanks alone."""
_FRONT = re.compile(r"[^\s:]+:(?:\s|$)|[ \t#-]|$")


def fits(source: Source) -> bool:
    """Accept any text with letters: the last resort if no other format fits."""
    return any(c.isalpha() for c in source.text)


def read(source: Source) -> tuple[Transcript, ...]:
    return (transcript(source, FORMAT.name, list(_lines(split_lines(source)))),)


FORMAT = Format("text", (".txt", ".text"), fits, read)


def blank_front_matter(lines: list[str]) -> list[str]:
    """Blank the lines of a YAML block (``---`` ... ``---``) at the head; its details are read elsewhere."""
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    if lines[first].rstrip() != "---":
        return lines
    last = next((at for at in range(first + 1, len(lines)) if lines[at].rstrip() == "---"), first)
    block = lines[first + 1 : last]
    if not block or not all(_FRONT.match(line) for line in block):
        return lines
    return [""] * (last + 1) + lines[last + 1 :]


def _lines(lines: list[str]) -> Iterator[Line]:
    blank = True
    for number, line in enumerate(blank_front_matter(lines), 1):
        pieces = line.split()
        if len(pieces) > 1 and _COURT.match(line.lstrip()):
            pieces[0] += "."
        words = " ".join(pieces)
        if words:
            yield Line(number, words, opens=blank)
        blank = not words
