"""Reader of LRC, timed lyrics: `[00:12.00]words`, word times (`<00:12.50>`), and tags such as `[ti:...]`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from operator import attrgetter

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.clock import seconds_of
from onrecord.ingest.formats.cues import transcript
from onrecord.ingest.formats.lines import split_lines
from onrecord.ingest.formats.markup import Caption, lines_of_runs
from onrecord.ingest.language import language_code
from onrecord.types import Details, Transcript, one_line

_TAG = re.compile(
    r"\s*\[(ti|ar|al|au|by|offset|length|re|ve|tool|la|lr|id|#)\s*:([^\]]*)\]\s*", re.IGNORECASE
)
_STAMPS = re.compile(r"\s*((?:\[\d{1,4}:\d\d(?:[.:]\d{1,3})?\]\s*)+)")
_STAMP = re.compile(r"\[(\d{1,4}:\d\d(?:[.:]\d{1,3})?)\]")
_WORD = re.compile(r"<(\d{1,4}:\d\d(?:[.:]\d{1,3})?)>")
_HUNDREDTHS = re.compile(r"\s*\[\d{1,3}:\d\d\.\d\d\](?!\s*(?:\*\*|[-–—]))")
_LONGEST = 10.0
"""The maximum time that a line of a song is shown, in seconds."""


def fits(source: Source) -> bool:
    """Recognize lines of which nearly all have times with hundredths, or tags and times of any form."""
    lines = [line for line in source.text[:20_000].split("\n")[:200] if line.strip()]
    tags = sum(bool(_TAG.fullmatch(line)) for line in lines[:40])
    timed = [line for line in lines if not _TAG.fullmatch(line)]
    if tags and any(map(_STAMPS.match, timed)):
        return True
    exact = sum(bool(_HUNDREDTHS.match(line)) for line in timed)
    return exact > 1 and exact >= 0.8 * len(timed)


def read(source: Source) -> tuple[Transcript, ...]:
    matches = (_TAG.fullmatch(line) for line in split_lines(source))
    tags = {match[1].lower(): one_line(match[2]) for match in matches if match and match[2].strip()}
    shift = float(tags["offset"]) / 1000 if re.fullmatch(r"[+-]?\d{1,7}", tags.get("offset", "")) else 0.0
    captions = sorted(_captions(split_lines(source), shift), key=attrgetter("start"))
    timed = [replace(a, end=min(max(a.end, a.start + _LONGEST), b.start)) for a, b in pairwise(captions)]
    timed += [replace(last, end=max(last.end, last.start + 1.0)) for last in captions[-1:]]
    artist = tags.get("ar")
    details = Details(
        title=tags.get("ti") or None,
        language=language_code(tags.get("la", "")),
        attributes={"artist": artist} if artist else {},
    )
    return (transcript(source, FORMAT.name, [caption for caption in timed if caption.lines], details),)


FORMAT = Format("lrc", (".lrc",), fits, read)


def _captions(lines: list[str], shift: float) -> Iterator[Caption]:
    """Yield a caption for each time of each line; a caption without words only ends the previous one.

    `shift` is subtracted from all times, in seconds.
    """
    for number, line in enumerate(lines, 1):
        stamps = _STAMPS.match(line)
        if stamps is None:
            continue
        words = line[stamps.end() :]
        for stamp in _STAMP.findall(stamps[1]):
            start = max(0.0, round(seconds_of(_dot_fraction(stamp)) - shift, 3))
            runs = list(_runs(words, shift))
            end = max([start, *(second for _, _, second in runs if second is not None)])
            yield Caption(f"line {number}", start, end, lines_of_runs(runs))


def _runs(words: str, shift: float) -> Iterator[tuple[str, str | None, float | None]]:
    at, second = 0, None
    for stamp in [*_WORD.finditer(words), None]:
        if piece := words[at : stamp.start() if stamp else len(words)]:
            yield piece, None, second if piece.strip() else None
        if stamp:
            at, second = stamp.end(), max(0.0, round(seconds_of(_dot_fraction(stamp[1])) - shift, 3))


def _dot_fraction(stamp: str) -> str:
    """Replace the sign before the fraction of a time by a dot: "00:12:50" is 12.50 seconds."""
    minutes, seconds, *rest = re.split(r"[:.]", stamp)
    return f"{minutes}:{seconds}.{rest[0]}" if rest else stamp
