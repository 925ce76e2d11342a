"""Parser of WebVTT and SubRip files, as tolerant of faults as video players are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from onrecord.ingest.formats.base import Source
from onrecord.ingest.formats.clock import seconds_of
from onrecord.ingest.formats.lines import split_lines
from onrecord.ingest.formats.markup import Caption, lines_of, name_of

_CLOCK = r"(?:\d{1,6}:)?\d{1,4}:\d{1,2}(?:[.,:;]\d{1,9})?"
TIMES = re.compile(
    rf"[ \t]*(?P<start>-?{_CLOCK})[ \t]*(?:-{{1,3}}>|[–—]>|→|,(?=\d))[ \t]*(?P<end>-?{_CLOCK})"
    r"(?:[ \t](?P<settings>.*))?"
)
"""A line with the times of a caption; positions and cue settings after them are ignored."""
EXACT = "onrecord:exact"
"""A setting of the last caption in onrecord's own SubRip, in which "Name: " begins each caption of a speaker.

Any text before the first colon and a space is a name, and no other word is a label.
"""
EXPECTED = "cue times (00:00:01.000 --> 00:00:02.500)"

_LIKE_TIMES = re.compile(r"\d:\d.{0,40}-->|-->[ \t]*-?\d{1,4}:\d")
_HALF_TIMES = re.compile(r"-?\d{1,6}:[\d:.,;]*+ ?-{0,3}>? ?[-\d:.,;]*+")
_MAX_TIMES = 200
"""The maximum length, in characters, of a line of times without the settings after them."""
_HALF_TAG = re.compile(r"<(?:/?[a-z][^<>]*|[\d:.]*|/)\Z", re.IGNORECASE)
_NUMBER = re.compile(r"[ \t]*\d+[ \t]*")
_GUID = re.compile(r"[ \t]*[0-9a-f]{8}-[0-9a-f-]{4,}(?:/[\d-]*)?[ \t]*", re.IGNORECASE)
_WEBEX_NAME = re.compile(r"[ \t]*\d+ \"([^\"]+)\" \(\d+\)[ \t]*")
_EXACT_NAME = re.compile(r"(?P<name>.*?):(?:\s|$)")
_ASIDE = re.compile(r"NOTE(?:[ \t]|$)|(?:STYLE|REGION)[ \t]*$|WEBVTT(?:[ \t]|$)")


@dataclass(slots=True)
class _Block:
    """A line of times and the lines below it; `line` is its line number, counted from 1."""

    line: int
    start: float
    end: float
    voice: str | None
    payload: list[str] = field(default_factory=list)


@dataclass(slots=True)
class CaptionFile:
    """The captions of a file, in their order in the file.

    `head` holds the lines of a WebVTT header and of comment and style blocks. `numbered` is True if the
    captions have numbers. `exact` is True if the file is an export of onrecord.
    """

    source: Source
    webvtt: bool
    head: list[str] = field(default_factory=list)
    numbered: bool = False
    exact: bool = False
    _before: list[str] = field(default_factory=list)
    _blocks: list[_Block] = field(default_factory=list)

    def read(self) -> tuple[list[Caption], list[str]]:
        """Return the captions and the warnings.

        A line of times begins a caption wherever it stands. Blank lines between captions may be missing, and
        blank lines within a caption do not end it. In WebVTT, a line directly above the times and below a
        blank line is the cue's name. In SubRip, only a number is. Unreadable times raise FormatError, unless
        they end the file, which then was cut off there.
        """
        lines = split_lines(self.source)
        self._collect(lines)
        if not self._blocks:
            at = next(at for at, line in enumerate(lines) if line.strip())
            line = "no cue below the header" if self.head else lines[at].strip()
            raise self.source.error(f"line {at + 1}", EXPECTED, line)
        warnings = []
        if any(line.strip() for line in self._before):
            warnings.append("dropped the text above the first caption")
        last = self._blocks[-1]
        if self._cut_off(last.payload):
            warnings.append(f"the file may be cut off in its last caption (line {last.line})")
        if self.exact:
            self._take_labels()
        captions = [
            Caption(
                f"line {block.line}", block.start, block.end, *lines_of("\n".join(block.payload), block.voice)
            )
            for block in self._blocks
        ]
        return captions, warnings

    def _take_labels(self) -> None:
        """Remove the names at the beginning of the captions of an export; they become voices."""
        for block in self._blocks:
            if block.payload and (label := _EXACT_NAME.match(block.payload[0])):
                block.voice = name_of(label["name"])
                block.payload[0] = block.payload[0][label.end() :]

    def _collect(self, lines: Sequence[str]) -> None:
        last = max(at for at, line in enumerate(lines) if line.strip())
        aside = self.webvtt
        for at, line in enumerate(lines):
            above = self._blocks[-1].payload if self._blocks else self._before
            if ":" in line and (times := TIMES.fullmatch(line)):
                name = self._take_name(above)
                webex = _WEBEX_NAME.fullmatch(name) if name else None
                voice = " ".join(webex[1].split()) if webex else None
                self.exact = not self.webvtt and (times["settings"] or "").strip() == EXACT
                start, end = map(_signed_seconds, times.group("start", "end"))
                self._blocks.append(_Block(at + 1, start, end, voice))
                aside = False
            elif aside or (
                self.webvtt and _ASIDE.match(line) and not (above[-1].strip() if above else self._blocks)
            ):
                self.head.append(line)
                aside = bool(line.strip())
            elif at < last and self._is_broken(line, above):
                raise self.source.error(f"line {at + 1}", EXPECTED, line.strip())
            else:
                above.append(line)

    def _take_name(self, above: list[str]) -> str | None:
        """Remove the name of the next caption from the lines above its times, and return it."""
        at = _last_line(above)
        if at < 0:
            return None
        if _NUMBER.fullmatch(above[at]) and (self.numbered or not self._blocks):
            self.numbered = True
        elif not (self.webvtt and at == len(above) - 1 and self._stands_alone(above[-4:])):
            return None
        name = above[at]
        del above[at:]
        return name

    def _stands_alone(self, above: Sequence[str]) -> bool:
        """Return whether the last line stands below a blank line, or below a number that does."""
        if len(above) < 2:
            return not self._blocks and bool(above)
        *_, line_above, _ = above
        if not line_above:
            return True
        if not line_above.strip():  # players show a line of spaces directly below the times as text
            return len(above) > 2 or not self._blocks
        return self.numbered and bool(_NUMBER.fullmatch(line_above)) and self._stands_alone(above[:-1])

    def _is_broken(self, line: str, above: list[str]) -> bool:
        """Return whether a line looks like unreadable times."""
        if "-->" in line and _LIKE_TIMES.search(line[:_MAX_TIMES]):
            return True
        half = len(line) <= _MAX_TIMES and ":" in line and _HALF_TIMES.fullmatch(" ".join(line.split()))
        return bool("-->" in line or half) and self._stands_alone([*above[-3:], line])

    def _cut_off(self, payload: list[str]) -> bool:
        """Return whether the file ends within a caption, and remove incomplete times and tags from it."""
        cut = False
        whole = bool(payload) and not payload[-1]
        del payload[_last_line(payload) + 1 :]
        for _ in range(2):  # remove the times, and then the number above them
            if payload and self._is_unfinished(payload[-4:]):
                del payload[-1]
                del payload[_last_line(payload) + 1 :]
                cut = True
        if payload and not whole and (tag := _HALF_TAG.search(payload[-1][-200:])):
            payload[-1] = payload[-1][: tag.start() - len(payload[-1][-200:])]
            cut = True
        return cut or not any(line.strip() for line in payload)

    def _is_unfinished(self, payload: list[str]) -> bool:
        line = payload[-1]
        if self._is_broken(line, payload[:-1]):
            return True
        named = (self.numbered and _NUMBER.fullmatch(line)) or (self.webvtt and _GUID.fullmatch(line))
        return bool(named) and self._stands_alone(payload)


def _last_line(lines: Sequence[str]) -> int:
    """Return the index of the last line that is not blank, or -1."""
    return next((at for at in range(len(lines) - 1, -1, -1) if lines[at].strip()), -1)


def _signed_seconds(clock: str) -> float:
    return -seconds_of(clock[1:]) if clock.startswith("-") else seconds_of(clock)
