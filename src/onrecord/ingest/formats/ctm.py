"""Reader of NIST CTM: lines of "file channel start duration word [confidence [type [speaker]]]".

A line that begins with ";;" is a comment. Each file named in the first column is a separate recording. Of
alternatives, only the first is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.words import (
    Token,
    bracket_remark,
    seconds,
    space_words,
    speaker_name,
    transcript,
)
from onrecord.types import Details, Transcript

Row = tuple[int, list[str]]
"""A line's number and its columns."""
Word = tuple[str, str, Token]
"""The file and the channel of a word, and the word."""

_SILENT = {"<eps>", "<sil>", "!sil", "sil", "@", "*delete*"}
_NO_SPEECH = {"non-speech", "noise"}
_NOBODY = {"<na>", "null", "unknown"}


def fits(source: Source) -> bool:
    """Recognize lines of which most have a start, a duration and a word in CTM's columns."""
    first = [cells for _, cells in islice(data_rows(source), 5)]
    fitting = [5 <= len(cells) <= 8 and None not in map(seconds, cells[2:4]) for cells in first]
    return sum(fitting) * 2 > len(first)


def read(source: Source) -> tuple[Transcript, ...]:
    return recordings(source, FORMAT.name, _words(source))


FORMAT = Format("ctm", (".ctm",), fits, read)


def recordings(source: Source, name: str, words: Iterable[Word]) -> tuple[Transcript, ...]:
    """Return a transcript of format `name` for each file; each of several channels is a speaker."""
    files: dict[str, dict[str, list[Token]]] = {}
    for file, channel, token in words:
        files.setdefault(file, {}).setdefault(channel, []).append(token)
    transcripts = []
    for file, channels in files.items():
        lines = [
            space_words(
                replace(token, speaker=token.speaker or (f"Channel {channel}" if len(channels) > 1 else None))
                for token in tokens
            )
            for channel, tokens in channels.items()
        ]
        part = file if len(files) > 1 else ""
        transcripts.append(transcript(source, name, *lines, details=Details(title=part or None), part=part))
    return tuple(transcripts) or (transcript(source, name),)


def _words(source: Source) -> Iterator[Word]:
    for number, cells in _without_alternatives(data_rows(source)):
        if len(cells) < 5:
            expected = "file, channel, start, duration and word"
            raise source.error(f"line {number}", expected, " ".join(cells))
        span = line_span(source, number, cells[2], cells[3])
        kind = cells[6].lower() if len(cells) > 6 else ""
        if cells[4].lower() not in _SILENT and kind not in _NO_SPEECH:
            named = cells[7] if len(cells) > 7 and cells[7].lower() not in _NOBODY else ""
            yield cells[0], cells[1], Token(bracket_remark(cells[4]), *span, speaker_name(named))


def data_rows(source: Source) -> Iterator[Row]:
    """Yield the rows of a NIST file, without empty lines and comments."""
    for number, line in enumerate(source.text.split("\n"), start=1):
        if line.strip() and not line.startswith(";;"):
            yield number, line.split()


def line_span(source: Source, number: int, start: str, duration: str) -> tuple[float, float]:
    """Return the start and end of a line, in seconds, from its start and duration.

    Raises FormatError if one of them is not a number of seconds.
    """
    begin, length = seconds(start), seconds(duration)
    if begin is None or length is None:
        bad_value = repr(start if begin is None else duration)
        raise source.error(f"line {number}", "a start and a duration in seconds", bad_value)
    return begin, begin + length


def _without_alternatives(lines: Iterable[Row]) -> Iterator[Row]:
    skipping = False
    for number, cells in lines:
        mark = cells[4].upper() if len(cells) > 4 and cells[2] == "*" else ""
        if mark in ("<ALT_BEGIN>", "<ALT>", "<ALT_END>"):
            skipping = mark == "<ALT>"
        elif not skipping:
            yield number, cells
