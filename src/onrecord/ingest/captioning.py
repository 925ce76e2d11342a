"""Captions of speaker turns: short enough to read, cut at sentences, clauses and pauses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from unicodedata import east_asian_width

from onrecord.types import Passage, Turn

WIDTH = 42
"""Most characters of a line; a caption has two lines (the usual measure in broadcasting)."""
MAX_SECONDS = 7.0
"""Longest duration of a caption, unless a single word takes longer."""
SILENCE = 1.0
"""Longest pause within a caption, in seconds."""
PACE = 0.4
"""Seconds per word, if a source does not say when the last words end."""

_NAME = re.compile(r"(?:[^\s:]+ ){0,3}[^\s:]+:(?:\s|$)")
_BREAK = re.compile(r"\s+|(?<=[。！？，、；])(?=\S)")
_SENTENCE_END = re.compile(r"[.?!…。！？][\"”»’)\]]*$")
_CLAUSE_END = re.compile(r"[,;:—–，、；][\"”»’)\]]*$")


@dataclass(frozen=True, slots=True)
class Caption:
    """One speaker's words on one or two lines, shown from `start` to `end`, in seconds."""

    start: float
    end: float
    speaker: str | None
    lines: tuple[str, ...]


def captions(turns: Sequence[Turn]) -> list[Caption]:
    """Return the captions of turns, ordered by their starts. At least one turn must have a time.

    Captions of overlapping turns alternate. A turn without times is shown between its neighbors; a turn
    without an end is shown until the next one starts.
    """
    captions: list[Caption] = []
    for turn in _with_times(turns):
        clock = Passage("", 0, turn.text, start=turn.start, end=turn.end, marks=turn.marks)
        start = 0.0
        for begin, end in _Cutter(turn.text, clock).spans():
            start = max(clock.time_at(begin) or 0.0, start)  # the starts of a turn never fall
            stop = max(clock.time_at(end) or 0.0, start)
            captions.append(Caption(start, stop, turn.speaker, tuple(lines_of(turn.text[begin:end]))))
    return sorted(captions, key=lambda caption: caption.start)


def lines_of(text: str) -> list[str]:
    """Return a text on one line, or on two of about the same width, broken at a space.

    It avoids a break before words and a colon, which would look like a speaker's name.
    """
    spaces = [match.start() for match in re.finditer(" ", text)]
    if _width(text) <= WIDTH or not spaces:
        return [text]
    halves = [[text[:at], text[at + 1 :]] for at in spaces]
    return min(halves, key=lambda half: (bool(_NAME.match(half[1])), max(map(_width, half))))


@dataclass(frozen=True, slots=True)
class _Cutter:
    """Cuts a turn's text into captions."""

    text: str
    clock: Passage

    def spans(self) -> Iterator[tuple[int, int]]:
        """Yield (begin, end) of each caption's text, with at most a space between two of them."""
        breaks = [(match.start(), match.end()) for match in _BREAK.finditer(self.text)]
        breaks.append((len(self.text), len(self.text)))
        begin = at = 0
        while at < len(breaks):
            last = self._last(begin, breaks[at:]) + at
            at = self._best(begin, breaks[at : last + 1]) + at
            yield begin, breaks[at][0]
            begin = breaks[at][1]
            at += 1

    def _last(self, begin: int, breaks: Sequence[tuple[int, int]]) -> int:
        """Return the index of the last break that a caption from `begin` can reach."""
        for at, (end, following) in enumerate(breaks):
            if at and not self._fits(begin, end):
                return at - 1
            if self._seconds(end, following) > SILENCE:
                return at
        return len(breaks) - 1

    def _best(self, begin: int, breaks: Sequence[tuple[int, int]]) -> int:
        """Return the index of the best break.

        It is the end of a sentence in the second half of the text, else the end of a clause, else the last
        break.
        """
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
        return widest <= (WIDTH if len(lines) > 1 else 2 * WIDTH) and self._seconds(begin, end) <= MAX_SECONDS

    def _seconds(self, begin: int, end: int) -> float:
        return (self.clock.time_at(end) or 0.0) - (self.clock.time_at(begin) or 0.0)


def _width(text: str) -> int:
    """Return the columns of a text: a Chinese, Japanese or Korean character takes two."""
    return len(text) if text.isascii() else sum(1 + (east_asian_width(c) in "WF") for c in text)


def _with_times(turns: Sequence[Turn]) -> list[Turn]:
    """Return the turns, each with a start and an end.

    A turn without an end shares the time up to the next start with the untimed turns after it, in proportion
    to their words.
    """
    words = [len(turn.text.split()) for turn in turns]
    spans: list[tuple[int, float | None]] = [(0, None)]  # words up to the next known start, and that start
    for turn, count in zip(reversed(turns), reversed(words), strict=True):
        words_ahead, next_start = spans[-1]
        spans[-1] = (count + words_ahead, next_start)
        spans.append((0, turn.start) if turn.start is not None else spans[-1])
    spans = spans[-2::-1]
    timed, last_end = [], 0.0
    for turn, count, (words_ahead, next_start) in zip(turns, words, spans, strict=True):
        start = last_end if turn.start is None else turn.start
        length = PACE * count if next_start is None else max(0.0, next_start - start) * count / words_ahead
        last_end = start + length if turn.end is None else turn.end
        timed.append(replace(turn, start=start, end=last_end))
    return timed
