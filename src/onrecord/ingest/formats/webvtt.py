"""WebVTT, the captions of the web: https://www.w3.org/TR/webvtt1/"""

from __future__ import annotations

import re

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.captions import CaptionFile
from onrecord.ingest.formats.cues import transcript
from onrecord.ingest.language import language_code
from onrecord.types import Details, Transcript

_LANGUAGE = re.compile(r"(?:NOTE[ \t]+)?language[ \t]*[:=][ \t]*\"?([\w-]+)", re.IGNORECASE)


def fits(source: Source) -> bool:
    """A file whose first line says WEBVTT."""
    return bool(re.match(r"\s*WEBVTT(?:[ \t\n]|\Z)", source.text))


def read(source: Source) -> tuple[Transcript, ...]:
    """The cues of the file, with the language that its header or a comment names."""
    file = CaptionFile(source, webvtt=True)
    captions, warnings = file.read()
    named = next((match[1] for line in file.head if (match := _LANGUAGE.match(line))), "")
    details = Details(language=language_code(named))
    return (transcript(source, FORMAT.name, captions, details, warnings),)


FORMAT = Format("webvtt", (".vtt",), fits, read)
