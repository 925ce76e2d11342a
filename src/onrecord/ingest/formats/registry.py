"""All formats, and which of them a file is in."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import PurePath

from onrecord.errors import OnRecordError
from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.decode import decode
from onrecord.ingest.formats.xml_source import root_name
from onrecord.plugins import FORMATS as FORMAT_PLUGINS
from onrecord.plugins import plugins
from onrecord.types import Transcript

_JSON = (
    *("native", "youtube", "podcasting", "deepgram", "aws", "speechmatics", "watson", "google", "azure"),
    *("elevenlabs", "gladia", "fireflies", "sonix", "paragraphed", "otranscribe", "assemblyai", "rev"),
    *("amberscript", "whisper"),
)
_XML = ("ttml", "timedtext", "elan", "docx")
_LINES = (
    *("webvtt", "ass", "sami", "textgrid", "chat", "microdvd", "nlp", "ctm", "rttm", "lrc", "subrip"),
    *("hyperaudio", "html", "tables", "markdown", "plain"),
)

_MEANT_AS_JSON = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*\{)")
_MEANT_AS_XML = re.compile(
    r"\s*<(?:\?xml|rss|feed|tt|timedtext|transcript|trans|basic-transcription|usfsubtitles|smil|window)\b",
    re.IGNORECASE,
)
_OTHERS = (
    (re.compile(r"\s*Scenarist_SCC"), "Scenarist closed captions (.scc)"),
    (re.compile(r"\s*# VobSub index file"), "a VobSub index (.idx), whose subtitles are images"),
    (re.compile(r"\s*\*PART\s*\d|\s*File Version:\s*\d"), "a caption file of an editor (.cap, .pac)"),
    (re.compile(r"\s*(?:\[\d{1,7}\]\[\d{0,7}\][^\n]*\n){2}"), "MPL2 subtitles (.mpl)"),
    (re.compile(r"\s*\[INFORMATION\]\s*\[TITLE\]", re.IGNORECASE), "SubViewer subtitles (.sub)"),
    (re.compile(r"\s*(?:#EXTM3U|#EXTINF)"), "a playlist (.m3u8)"),
)
"""What is plainly no text of a talk, and not read."""

_LOG = logging.getLogger(__name__)


class Formats:
    """Formats from the most specific to the least; each module is imported when it is first looked at."""

    def __init__(self, *modules: str) -> None:
        self._modules = modules

    def __iter__(self) -> Iterator[Format]:
        yield from plugin_formats()
        for module in self._modules:
            yield import_module(f"onrecord.ingest.formats.{module}").FORMAT

    def __len__(self) -> int:
        return len(self._modules) + len(plugin_formats())


@cache
def plugin_formats() -> tuple[Format, ...]:
    """The formats of other packages, entry points of the group `onrecord.formats`, by name; they are asked
    first. One that cannot be loaded is told of in the log, and does not stop the others."""
    found = []
    for point in plugins(FORMAT_PLUGINS):
        try:
            plugged = point.load()
        except Exception as error:  # whatever another package does when it is imported
            _LOG.warning("the format %r of %s cannot be loaded: %s", point.name, point.value, error)
            continue
        if isinstance(plugged, Format):
            found.append(plugged)
        else:
            _LOG.warning("the format %r of %s is no Format", point.name, point.value)
    return tuple(found)


FORMATS = Formats(*_JSON, *_XML, *_LINES)
"""Every format that is read. To add one, write its module and put its name in its place here."""


def read(name: str, data: bytes) -> tuple[Transcript, ...]:
    """The transcripts in a file: one, but for our own JSON, which may hold several.

    Raises FormatError for what is not text, not a transcript, or broken.
    """
    return read_source(decode(name, data))


def read_source(source: Source) -> tuple[Transcript, ...]:
    """The transcripts in a decoded source. Raises FormatError."""
    fitting = detect(source)
    try:
        found = fitting.read(source)
    except OnRecordError:
        raise
    except Exception as error:  # whatever a reader, one of a plug-in perhaps, did not think of
        raise source.error("the whole of it", f"a {fitting.name} transcript", _fault(error)) from error
    return tuple(replace(t, warnings=(*source.remarks, *t.warnings)) for t in found)


def detect(source: Source) -> Format:
    """The format of a source, by its content; where that leaves it open, by its name's ending.

    Raises FormatError for JSON and XML of an unknown kind, and where there are no words at all.
    """
    for sign, name in _OTHERS:
        if sign.match(source.text):
            raise source.error("line 1", "a transcript (convert it to SubRip, WebVTT or text)", name)
    *formats, last = FORMATS
    suffix = PurePath(source.name).suffix.lower()
    if found := next((each for each in formats if _fits(each, source)), None):
        return found
    _refuse_unknown(source, suffix)
    named = [each for each in formats if suffix in each.suffixes]
    if len(named) == 1:
        return named[0]
    if not last.fits(source):
        raise source.error("the whole of it", "a transcript with words", source.text.strip())
    return last


def _fits(each: Format, source: Source) -> bool:
    try:
        return each.fits(source)
    except Exception:
        return False


def _fault(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _refuse_unknown(source: Source, suffix: str) -> None:
    if suffix == ".json" or _MEANT_AS_JSON.match(source.text) or isinstance(source.json, list | dict):
        value = source.parse_json()
        found = f"JSON with {', '.join(map(repr, value))}" if isinstance(value, dict) else "other JSON"
        known = ", ".join(each.name for each in FORMATS if each.suffixes[0].startswith(".json"))
        raise source.error("the whole of it", f"a transcript ({known} JSON)", found)
    if _MEANT_AS_XML.match(source.text):
        known = ", ".join(_XML)
        expected = f"a transcript (of XML {known}, RSS and Atom are read)"
        raise source.error("line 1", expected, f"<{root_name(source) or '?xml'}>")
