"""Reader of WebVTT, the captions of the web: https://www.w3.org/TR/webvtt1/"""

from __future__ import annotations

import re

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.captions import CaptionFile
from onrecord.ingest.formats.cues import transcript
from onrecord.ingest.language import language_code
from onrecord.types import Details, Transcript

_LANGUAGE = re.compile(r"(?:NOTE[ \t]+)?language[ \t]*[:=][ \t]*\"?([\w-]+)", re.IGNORECASE)


def fits(source: Source) -> bool:
    """Recognize WEBVTT in the first line."""
    return bool(re.match(r"\s*WEBVTT(?:[ \t\n]|\Z)", source.text))


def read(source: Source) -> tuple[Transcript, ...]:
    """Read the cues, and the language that the header or a comment names."""
    file = CaptionFile(source, webvtt=True)
    captions, warnings = file.read()
    language = next((match[1] for line in file.head if (match := _LANGUAGE.match(line))), "")
    details = Details(language=language_code(language))
    return (transcript(source, FORMAT.name, captions, details, warnings),)


FORMAT = Format("webvtt", (".vtt",), fits, read)
