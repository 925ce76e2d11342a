"""Reader of SubRip (.srt) captions, and of YouTube's .sbv, which has no numbers and arrows."""

from __future__ import annotations

import re

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.captions import CaptionFile
from onrecord.ingest.formats.cues import transcript
from onrecord.types import Transcript

_TIMES = re.compile(
    r"^[ \t]*-?\d[\d:.,; \t]*(?:-{1,3}>|[–—]>|→)|^\d+:\d\d:\d\d\.\d{3},\d+:(?!\d\d:[\d.]{2,6},)", re.MULTILINE
)


def fits(source: Source) -> bool:
    """Recognize a line of times, even a malformed one, in the first 20,000 characters."""
    return bool(_TIMES.search(source.text[:20_000]))


def read(source: Source) -> tuple[Transcript, ...]:
    captions, warnings = CaptionFile(source, webvtt=False).read()
    return (transcript(source, FORMAT.name, captions, warnings=warnings),)


FORMAT = Format("subrip", (".srt", ".sbv"), fits, read)
