"""Reader of MicroDVD (.sub): `{25}{75}words`, in frames; the first line must give the frames per second."""

from __future__ import annotations

import re

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.cues import transcript
from onrecord.ingest.formats.lines import split_lines
from onrecord.ingest.formats.markup import Caption, lines_of
from onrecord.types import Transcript

_LINE = re.compile(r"\s*\{(\d{1,9})\}\{(\d{0,9})\}(.*)")
_RATE = re.compile(r"\d{2,3}(?:[.,]\d{1,3})?")
_STYLE = re.compile(r"\{[a-zA-Z]:[^{}]*\}|^/", re.MULTILINE)


def fits(source: Source) -> bool:
    lines = [line for line in source.text[:5000].split("\n") if line.strip()][:3]
    return bool(lines) and all(map(_LINE.match, lines))


def read(source: Source) -> tuple[Transcript, ...]:
    """Read the captions. Raise FormatError unless the first caption gives the frames per second."""
    matches = [(number, _LINE.fullmatch(line)) for number, line in enumerate(split_lines(source), 1)]
    lines = [(number, match) for number, match in matches if match]
    rate = _RATE.fullmatch(lines[0][1][3].strip()) if lines else None
    if rate is None:
        expected = "{1}{1}25.000, the frames a second (convert MicroDVD to SubRip, or put that line first)"
        raise source.error("line 1", expected, lines[0][1][0] if lines else source.text.strip())
    per_second = float(rate[0].replace(",", "."))
    captions = []
    for number, match in lines[1:]:
        start = int(match[1]) / per_second
        end = int(match[2]) / per_second if match[2] else start + 3.0
        words, _ = lines_of(_STYLE.sub("", match[3].replace("|", "\n")))
        captions.append(Caption(f"line {number}", round(start, 3), round(end, 3), words))
    return (transcript(source, FORMAT.name, captions),)


FORMAT = Format("microdvd", (".sub",), fits, read)
