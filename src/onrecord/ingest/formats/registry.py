"""Registry of all formats, and detection of a file's format."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib import import_module
from math import isfinite
from pathlib import PurePath

from onrecord.errors import OnRecordError
from onrecord.ingest.formats.base import Format, Source, faq_hint
from onrecord.ingest.formats.decode import decode
from onrecord.ingest.formats.xml_source import root_name
from onrecord.plugins import FORMATS as FORMAT_PLUGINS
from onrecord.plugins import plugins
from onrecord.types import Transcript

_JSON = (
    *("native", "youtube", "podcasting", "deepgram", "aws", "speechmatics", "watson", "google", "azure"),
    *("elevenlabs", "gladia", "fireflies", "sonix", "paragraphed", "otranscribe", "assemblyai", "rev"),
    *("amberscript", "whisper", "records"),
)
_XML = ("ttml", "timedtext", "elan", "docx", "speech_xml")
_TEXT = (
    *("webvtt", "ass", "sami", "textgrid", "chat", "microdvd", "nlp", "ctm", "rttm", "lrc", "subrip"),
    *("hyperaudio", "html", "tables", "markdown", "plain"),
)

_LIKE_JSON = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*\{)")
_LIKE_XML = re.compile(
    r"\s*<(?:\?xml|rss|feed|tt|timedtext|transcript|trans|basic-transcription|usfsubtitles|smil|window)\b",
    re.IGNORECASE,
)
_UNREADABLE = (
    (re.compile(r"\s*Scenarist_SCC"), "Scenarist closed captions (.scc)"),
    (re.compile(r"\s*# VobSub index file"), "a VobSub index (.idx), whose subtitles are images"),
    (re.compile(r"\s*\*PART\s*\d|\s*File Version:\s*\d"), "a caption file of an editor (.cap, .pac)"),
    (re.compile(r"\s*(?:\[\d{1,7}\]\[\d{0,7}\][^\n]*\n){2}"), "MPL2 subtitles (.mpl)"),
    (re.compile(r"\s*\[INFORMATION\]\s*\[TITLE\]", re.IGNORECASE), "SubViewer subtitles (.sub)"),
    (re.compile(r"\s*(?:#EXTM3U|#EXTINF)"), "a playlist (.m3u8)"),
    (re.compile(r"\s*File Format=MacCaption_MCC"), "MacCaption closed captions (.mcc)"),
    (re.compile(r"\s*\{QTtext\}", re.IGNORECASE), "QuickTime text"),
    (
        re.compile(r"\s*(?://[^\n]*\n\s*){0,50}\$(?:Font|HorzAlign|VertAlign)\w*\s*="),
        "Spruce subtitles (.stl)",
    ),
    (re.compile(r"\s*@ This file written with the Avid Caption plugin"), "Avid DS subtitles"),
    (
        re.compile(r"\s*(?:#[^\n]*\n\s*){0,50}(?:#TIMERES\b|(?:\d{1,2}:\d\d:\d\d\.\d\d[ \t]+){2}D\b)"),
        "JACOsub (.jss)",
    ),
    (re.compile(r"\s*BEGIN:VCALENDAR\b"), "an iCalendar (.ics)"),
)
"""Unsupported formats, which are rejected by name."""

_LOG = logging.getLogger(__name__)


class Formats:
    """The formats, from the most specific to the least specific.

    Iteration yields the formats of plug-ins first. A format's module is imported when iteration reaches it.
    """

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
    """Return the formats of other packages, which are entry points of the group `onrecord.formats`.

    They take precedence over the built-in formats. A format that cannot be loaded is logged and skipped.
    """
    formats = []
    for point in plugins(FORMAT_PLUGINS):
        try:
            format_ = point.load()
        except Exception as error:  # the import of another package may fail in any way
            _LOG.warning("the format %r of %s cannot be loaded: %s", point.name, point.value, error)
            continue
        if isinstance(format_, Format):
            formats.append(format_)
        else:
            _LOG.warning("the format %r of %s is no Format", point.name, point.value)
    return tuple(formats)


FORMATS = Formats(*_JSON, *_XML, *_TEXT)
"""Every format, in order of detection. To add a format, write its module and add its name to a list above."""


def read(name: str, data: bytes) -> tuple[Transcript, ...]:
    """Read the transcripts in a file; CTM, RTTM and onrecord's own JSON may hold several.

    Raises FormatError if the file is not text, not a transcript, or broken.
    """
    return read_source(decode(name, data))


def read_source(source: Source) -> tuple[Transcript, ...]:
    """Read the transcripts in a decoded source.

    Raises FormatError if the source is not a transcript, or is broken.
    """
    format_ = detect(source)
    try:
        transcripts = tuple(format_.read(source))  # a reader may be a generator, which fails late
        _check(transcripts)
    except OnRecordError:
        raise
    except Exception as error:  # a reader, perhaps a plug-in's, may fail in any way
        fault = f"{type(error).__name__}: {error}"
        raise source.error("the whole of it", f"a {format_.name} transcript", fault) from error
    return tuple(replace(t, warnings=(*source.remarks, *t.warnings)) for t in transcripts)


def _check(transcripts: tuple[object, ...]) -> None:
    """Raise TypeError or ValueError unless a reader returned transcripts of turns with words and times."""
    if not transcripts:
        raise ValueError("the reader returned no transcript")
    for transcript in transcripts:
        if not isinstance(transcript, Transcript):
            raise TypeError(f"the reader returned {type(transcript).__name__}, no Transcript")
        if not any(turn.text.strip() for turn in transcript.turns):
            raise ValueError("the reader returned no words")
        seconds = [second for turn in transcript.turns for second in (turn.start, turn.end)]
        if not all(second is None or isfinite(second) for second in seconds):
            raise ValueError("the reader returned an impossible time")


def detect(source: Source) -> Format:
    """Return the format of a source by its content or, failing that, by its file name's suffix.

    Raises FormatError for an unsupported format, for JSON and XML of an unknown format, and for a source
    without words.
    """
    for pattern, name in _UNREADABLE:
        if pattern.match(source.text):
            raise source.error("line 1", "a transcript (convert it to SubRip, WebVTT or text)", name)
    *formats, last = FORMATS
    suffix = PurePath(source.name).suffix.lower()
    if match := next((format_ for format_ in formats if _fits(format_, source)), None):
        return match
    _refuse_unknown(source, suffix)
    by_suffix = [format_ for format_ in formats if suffix in format_.suffixes]
    if len(by_suffix) == 1:
        return by_suffix[0]
    if not last.fits(source):
        raise source.error("the whole of it", "a transcript with words", source.text.strip())
    return last


def _fits(format_: Format, source: Source) -> bool:
    try:
        return format_.fits(source)
    except Exception:
        return False


def _refuse_unknown(source: Source, suffix: str) -> None:
    if suffix == ".json" or _LIKE_JSON.match(source.text) or isinstance(source.json, list | dict):
        value = source.parse_json()
        content = f"JSON with {', '.join(map(repr, value))}" if isinstance(value, dict) else "other JSON"
        names = ", ".join(format_.name for format_ in FORMATS if format_.suffixes[0].startswith(".json"))
        first = value[0] if isinstance(value, list) and value else value
        hint = faq_hint(first) if isinstance(first, dict) else ""
        raise source.error("the whole of it", f"a transcript ({names} JSON){hint}", content)
    if _LIKE_XML.match(source.text):
        names = ", ".join(_XML)
        expected = f"a transcript (of XML {names}, RSS and Atom are read)"
        raise source.error("line 1", expected, f"<{root_name(source) or '?xml'}>")
