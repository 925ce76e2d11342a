"""SubRip (.srt): numbered captions with times, written by every subtitle editor in its own way; and YouTube's
.sbv, which is the same without numbers and arrows."""

from __future__ import annotations

import re

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.captions import CaptionFile
from onrecord.ingest.formats.cues import transcript
from onrecord.types import Transcript

_TIMES = re.compile(r"^[ \t]*-?\d[\d:.,; \t]*(?:-{1,3}>|[–—]>|→)|^\d+:\d\d:\d\d\.\d{3},\d+:", re.MULTILINE)


def fits(source: Source) -> bool:
    """A file that has a line of times near its beginning, well formed or not."""
    return bool(_TIMES.search(source.text[:20_000]))


def read(source: Source) -> tuple[Transcript, ...]:
    """The captions of the file."""
    captions, warnings = CaptionFile(source, webvtt=False).read()
    return (transcript(source, FORMAT.name, captions, warnings=warnings),)


FORMAT = Format("subrip", (".srt", ".sbv"), fits, read)
