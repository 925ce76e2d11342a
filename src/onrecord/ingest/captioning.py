"""Turns into captions: short enough to read, cut where speech is cut."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from unicodedata import east_asian_width

from onrecord.types import Passage, Turn

WIDTH = 42
"""Characters a line, of which a caption has two (the usual measure in broadcasting)."""
LONGEST = 7.0
"""Seconds a caption stays at most, unless a single word takes longer."""
SILENCE = 1.0
"""Seconds: no caption stays over a longer pause."""
PACE = 0.4
"""Seconds a word where a source does not say when the last words end."""

_NAME = re.compile(r"(?:[^\s:]+ ){0,3}[^\s:]+:(?:\s|$)")
_BREAK = re.compile(r"\s+|(?<=[。！？，、；])(?=\S)")
_SENTENCE_END = re.compile(r"[.?!…。！？][\"”»’)\]]*$")
_CLAUSE_END = re.compile(r"[,;:—–，、；][\"”»’)\]]*$")


@dataclass(frozen=True, slots=True)
class Caption:
    """What is shown from `start` to `end`: one speaker's words on one line or two."""

    start: float
    end: float
    speaker: str | None
    lines: tuple[str, ...]


def captions(turns: Sequence[Turn]) -> list[Caption]:
    """The captions of turns of which at least one has a time, by their starts: those of turns that
    overlap alternate. A turn without times is shown between its neighbours; one without an end, until
    the next one starts."""
    found = [caption for turn in _timed(turns) for caption in _captions(turn)]
    return sorted(found, key=lambda caption: caption.start)


def _captions(turn: Turn) -> Iterator[Caption]:
    """The captions of a turn, in the order of its words: none starts before the one in front of it, whatever
    the times say."""
    clock = Passage("", 0, turn.text, start=turn.start, end=turn.end, marks=turn.marks)
    floor = 0.0
    for begin, end in _Cut(turn.text, clock).spans():
        start, stop = clock.time_at(begin) or 0.0, clock.time_at(end) or 0.0
        start = floor = max(start, floor)
        yield Caption(start, max(stop, start), turn.speaker, tuple(lines_of(turn.text[begin:end])))


def lines_of(text: str) -> list[str]:
    """A text on one line, or on two of about the same width, broken at a space: not in front of words
    that a colon follows, which would be taken for a speaker's name."""
    spaces = [found.start() for found in re.finditer(" ", text)]
    if _width(text) <= WIDTH or not spaces:
        return [text]
    halves = [[text[:at], text[at + 1 :]] for at in spaces]
    return min(halves, key=lambda half: (bool(_NAME.match(half[1])), max(map(_width, half))))


@dataclass(frozen=True, slots=True)
class _Cut:
    """Where a turn's text is cut into captions."""

    text: str
    clock: Passage

    def spans(self) -> Iterator[tuple[int, int]]:
        """(begin, end) of each caption's text; between two of them there is at most a space."""
        breaks = [(found.start(), found.end()) for found in _BREAK.finditer(self.text)]
        breaks.append((len(self.text), len(self.text)))
        begin = at = 0
        while at < len(breaks):
            last = self._last(begin, breaks[at:]) + at
            at = self._best(begin, breaks[at : last + 1]) + at
            yield begin, breaks[at][0]
            begin = breaks[at][1]
            at += 1

    def _last(self, begin: int, breaks: Sequence[tuple[int, int]]) -> int:
        """The index of the last break up to which a caption from `begin` can go on."""
        for at, (end, following) in enumerate(breaks):
            if at and not self._fits(begin, end):
                return at - 1
            if self._seconds(end, following) > SILENCE:
                return at
        return len(breaks) - 1

    def _best(self, begin: int, breaks: Sequence[tuple[int, int]]) -> int:
        """The index of the best break: the end of a sentence, else of a clause, in the latter half."""
        last = breaks[-1]
        if last[0] == len(self.text) or self._seconds(*last) > SILENCE:
            return len(breaks) - 1
        for ending in (_SENTENCE_END, _CLAUSE_END):
            for at in range(len(breaks) - 1, -1, -1):
                end = breaks[at][0]
                if (end - begin) * 2 < last[0] - begin:
                    break
                if ending.search(self.text, max(begin, end - 4), end):
                    return at
        return len(breaks) - 1

    def _fits(self, begin: int, end: int) -> bool:
        lines = lines_of(self.text[begin:end])
        widest = max(map(_width, lines))
        return widest <= (WIDTH if len(lines) > 1 else 2 * WIDTH) and self._seconds(begin, end) <= LONGEST

    def _seconds(self, begin: int, end: int) -> float:
        return (self.clock.time_at(end) or 0.0) - (self.clock.time_at(begin) or 0.0)


def _width(text: str) -> int:
    """Columns: a Chinese, Japanese or Korean character takes two."""
    return len(text) if text.isascii() else sum(1 + (east_asian_width(c) in "WF") for c in text)


def _timed(turns: Sequence[Turn]) -> list[Turn]:
    """The turns with a start and an end each. One whose end is not known shares the time up to the next
    known start with the untimed ones behind it, by words."""
    words = [len(turn.text.split()) for turn in turns]
    room: list[tuple[int, float | None]] = [(0, None)]  # words up to the next known start, and that start
    for turn, count in zip(reversed(turns), reversed(words), strict=True):
        ahead, coming = room[-1]
        room[-1] = (count + ahead, coming)
        room.append((0, turn.start) if turn.start is not None else room[-1])
    room = room[-2::-1]
    timed, before = [], 0.0
    for turn, count, (ahead, coming) in zip(turns, words, room, strict=True):
        start = before if turn.start is None else turn.start
        length = PACE * count if coming is None else max(0.0, coming - start) * count / ahead
        before = start + length if turn.end is None else turn.end
        timed.append(replace(turn, start=start, end=before))
    return timed
