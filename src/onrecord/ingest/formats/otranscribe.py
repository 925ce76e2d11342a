"""Reader of oTranscribe (.otr): JSON whose `text` is HTML, with timestamps in the attributes of tags."""

from __future__ import annotations

import re

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.clock import write_clock
from onrecord.ingest.formats.document import transcript
from onrecord.ingest.formats.fields import broken_json, document
from onrecord.ingest.formats.html import read_page
from onrecord.types import Transcript

_STAMP = re.compile(
    r"<span\b[^<>]*\bdata-timestamp\s*=\s*[\"']?(\d{1,6}(?:\.\d{1,9})?)(?![\d.])[^<>]*>[^<>]*</span>",
    re.IGNORECASE,
)
_MAX_SECONDS = 100 * 3600
"""The limit of a clock with two digits for the hours, in seconds; later timestamps are ignored."""


def fits(source: Source) -> bool:
    value = source.json
    if not isinstance(value, dict):
        return broken_json(source, "text", "media") and "data-timestamp" in source.text
    text = value.get("text")
    return isinstance(text, str) and ("media" in value or "data-timestamp" in text) and "<" in text


def read(source: Source) -> tuple[Transcript, ...]:
    text = _STAMP.sub(_clock, document(source)["text"].words.replace("&nbsp;", " "))
    inner = Source(source.name, re.sub(r"<br\s*/?>\s*<br\s*/?>", "</p><p>", text, flags=re.IGNORECASE))
    return (transcript(source, FORMAT.name, read_page(inner).lines),)


FORMAT = Format("otranscribe", (".otr",), fits, read)


def _clock(stamp: re.Match[str]) -> str:
    """Return a timestamp tag as a clock time in brackets, to the millisecond."""
    milliseconds = round(float(stamp[1]) * 1000)
    return stamp[0] if milliseconds >= 1000 * _MAX_SECONDS else f"[{write_clock(milliseconds / 1000)}] "
