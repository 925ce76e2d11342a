"""Chapters of a recording: Podcasting 2.0 JSON, Podlove Simple Chapters, ffmetadata and plain lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from operator import itemgetter

from onrecord.errors import FormatError
from onrecord.ingest.plain import Plain, decode_text, read_json, type_name
from onrecord.types import Section, one_line

_MAX_CHARACTERS = 1 << 20
"""Most characters of a chapters file. A thousand chapters with pictures and links stay far below it."""

_CLOCK = re.compile(r"(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,7}(?:\.\d+)?)")
_LINE = re.compile(r"[\[(]?((?:\d{1,3}:)?\d{1,2}:\d\d(?:\.\d+)?)[\])]?(?:\s*[-–—:|]\s*|\s+)(\S.*)")
_FF_VALUE = re.compile(r"(?m)^(\w+)=((?:\\[\s\S]|[^\\\n])*)")

Chapter = tuple[float, float | None, str]
"""Start and end in seconds (the end may be None), and title ("" if the chapter is not shown)."""


def read_chapters(name: str, data: bytes) -> tuple[Section, ...]:
    """Read the chapters in a file, ordered by start.

    A chapter without an end lasts until the next one begins. Reads the JSON of the podcast namespace without
    hidden chapters (`"toc": false`) and chapters without a title, ffmetadata, and lists of lines "12:30
    Title". Raises FormatError.
    """
    text = decode_text(name, data).replace("\r\n", "\n")
    if text.lstrip().startswith("{"):
        return _from_json(name, text)
    if text.startswith(";FFMETADATA"):
        return _from_ffmetadata(name, text)
    return _from_list(name, text)


def is_chapters(value: Plain) -> bool:
    """Check whether a JSON value is a chapters file, as opposed to a transcript with chapters."""
    chapters = value.get("chapters") if isinstance(value, dict) and "segments" not in value else None
    if not isinstance(chapters, list):
        return False
    return all(isinstance(chapter, dict) and "startTime" in chapter for chapter in chapters)


def from_simple_chapters(chapters: Iterable[Mapping[str, str]]) -> tuple[Section, ...]:
    """Return sections for the attributes (`start`, `title`) of ``psc:chapter`` elements.

    A chapter without a valid start is dropped.
    """
    starts = ((seconds_of_clock(chapter.get("start", "")), chapter.get("title", "")) for chapter in chapters)
    return _sections((start, None, title) for start, title in starts if start is not None)


def seconds_of_clock(text: str) -> float | None:
    """Return the seconds of "3723", "62:03" or "1:02:03.5"; None for anything else."""
    match = _CLOCK.fullmatch(text.strip())
    if match is None:
        return None
    hours, minutes, seconds = match.groups()
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + float(seconds)


def _sections(chapters: Iterable[Chapter]) -> tuple[Section, ...]:
    """Return sections in order of their starts.

    An end that is missing, or not after the start, is replaced by the next start.
    """
    titled = ((start, end, words) for start, end, title in chapters if (words := one_line(title)))
    shown = sorted(titled, key=itemgetter(0))
    nexts = [*(start for start, _, _ in shown[1:]), None]
    return tuple(
        Section(title, start, end if end is not None and end > start else after)
        for (start, end, title), after in zip(shown, nexts, strict=False)  # `nexts` may be one longer
    )


# ---------------------------------------------------------------- JSON


def _from_json(name: str, text: str) -> tuple[Section, ...]:
    value = read_json(name, text, most=_MAX_CHARACTERS)
    chapters = value.get("chapters") if isinstance(value, dict) else None
    if not isinstance(chapters, list):
        raise FormatError(name, "line 1", '{"chapters": [...]}', type_name(value))
    shown: list[Chapter] = []
    for number, item in enumerate(chapters):
        where = f"chapters[{number}]"
        if not isinstance(item, dict):
            raise FormatError(name, where, 'a mapping {"startTime": ..., "title": ...}', type_name(item))
        title = item.get("title") or ""
        if not isinstance(title, str):
            raise FormatError(name, f"{where}.title", "a text", type_name(title))
        start, end = _seconds(name, f"{where}.startTime", item.get("startTime")), item.get("endTime")
        end_seconds = None if end is None else _seconds(name, f"{where}.endTime", end)
        shown.append((start, end_seconds, "" if item.get("toc") == "false" else title))
    return _sections(shown)


def _seconds(name: str, where: str, value: Plain) -> float:
    seconds = seconds_of_clock(value) if isinstance(value, str) else None
    if seconds is None:
        raise FormatError(name, where, "seconds from the start, 0 or more", str(value))
    return seconds


# ---------------------------------------------------------------- text


def _from_ffmetadata(name: str, text: str) -> tuple[Section, ...]:
    """Read the [CHAPTER] parts that `ffmpeg -f ffmetadata` writes.

    Times are in units of TIMEBASE; titles have backslash escapes.
    """
    heads = list(re.finditer(r"(?m)^\[(\w+)\]$", text))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    chapters: list[Chapter] = []
    for head, end in zip(heads, ends, strict=False):  # without chapters, `ends` still has one item
        if head[1] != "CHAPTER":
            continue
        part = text[head.end() : end]
        values = dict(_FF_VALUE.findall(part))
        base = re.fullmatch(r"(\d{1,12})/([1-9]\d{0,11})", values.get("TIMEBASE", "1/1000000000"))
        times = re.fullmatch(r"(\d{1,18}) (\d{1,18})", f"{values.get('START')} {values.get('END')}")
        if base is None or times is None:
            line = text.count("\n", 0, head.start()) + 1
            raise FormatError(name, f"line {line}", "TIMEBASE=1/1000, START= and END=", part.strip())
        unit = int(base[1]) / int(base[2])
        title = re.sub(r"(?s)\\(.)", r"\1", values.get("title", ""))
        chapters.append((int(times[1]) * unit, int(times[2]) * unit, title))
    return _sections(chapters)


def _from_list(name: str, text: str) -> tuple[Section, ...]:
    """Read lines "00:00 Title" and "[1:02:03] - Title", skipping blank lines and comments (#)."""
    chapters = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        match = _LINE.fullmatch(line)
        start = seconds_of_clock(match[1]) if match else None
        if match is None or start is None:
            raise FormatError(name, f"line {number}", "a time and a title, such as 12:30 Questions", line)
        chapters.append((start, None, match[2]))
    return _sections(chapters)
