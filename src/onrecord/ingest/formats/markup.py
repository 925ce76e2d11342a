"""Parser of caption markup (tags, voices, word times and entities) into lines of words."""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

from onrecord.ingest.formats.clock import CLOCK, seconds_of
from onrecord.types import Marks, one_line, printable


@dataclass(frozen=True, slots=True)
class Words:
    """A run of words by one voice within a line of a caption.

    `text` has single spaces. `voice` is the speaker of a voice tag, or None. `marks` are the times of single
    words, as (character offset in `text`, second), in the order of the source.
    """

    text: str
    voice: str | None = None
    marks: Marks = ()

    def part(self, begin: int, end: int | None = None) -> Words:
        """Return the words between two offsets, with their times."""
        text = self.text[begin:end]
        begin += len(text) - len(text.lstrip())
        text = text.strip()
        first, last = (bisect_left(self.marks, (at,)) for at in (begin, begin + len(text)))
        return Words(text, self.voice, tuple((at - begin, s) for at, s in self.marks[first:last]))


Line = tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class Caption:
    """Lines of words on the screen from `start` to `end`, in seconds.

    `place` is the position in the source ("line 12"). `styled` is the character offset of the first styled
    word in the caption's words, joined by spaces, or None.
    """

    place: str
    start: float
    end: float
    lines: tuple[Line, ...]
    styled: int | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """The text of each line."""
        return tuple(" ".join(words.text for words in line) for line in self.lines)

    @property
    def voices(self) -> tuple[tuple[str | None, ...], ...]:
        """The voices of each line, in order."""
        return tuple(tuple(words.voice for words in line) for line in self.lines)

    @property
    def timed(self) -> tuple[bool, ...]:
        """Whether each line has times of single words."""
        return tuple(any(words.marks for words in line) for line in self.lines)


_TAG = re.compile(
    r"<(?P<close>/?)(?P<name>v|c|i|b|u|s|em|strong|font|lang|ruby|rt|rp|span|p|div|br|tt|big|small|strike"
    rf"|sub|sup|center|a)(?=[\s./>])(?P<rest>[^<>]*)>|<(?P<time>{CLOCK})>",
    re.IGNORECASE,
)
_OVERRIDE = re.compile(r"\{\\[^{}\n]*\}")
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#\d{1,7}|#x[0-9a-f]{1,6});", re.IGNORECASE)
_TITLE = re.compile(r"<title\b[^<>]*>([^<>]*)", re.IGNORECASE)
_CLASSES = re.compile(r"^\.\S*")
_STYLES = frozenset({"u", "b", "i", "c", "font"})
_NUMBERED = re.compile(r"&(?:#\d{1,5}|#x[0-9a-f]{1,4}|colon);", re.IGNORECASE)
SPOKEN = dict(zip(":：[(>-–—‐−&", "\x04\x05\x06\x07\x08\x0e\x0f\x10\x11\x12\x13", strict=True))
"""Stand-ins for signs that the source writes as numbered entities.

Such a sign is spoken; it is not part of a label or of another entity. The text of a source never contains a
stand-in.
"""
_WRITTEN = str.maketrans({stand_in: sign for sign, stand_in in SPOKEN.items()})


def unescape(text: str) -> str:
    """Resolve the entities of a text, including entities that are escaped twice (``&amp;#39;``)."""
    if "&" not in text:
        return text
    once = html.unescape(text)
    return printable(html.unescape(once) if _ENTITY.search(once) else once)


def page_title(text: str) -> str | None:
    """Return the title of a page of HTML or SAMI, or None."""
    title = _TITLE.search(text)
    return (one_line(unescape(title[1])) or None) if title else None


def _unescape_line(text: str) -> str:
    """Resolve the entities of a text, and use the stand-ins of `SPOKEN` for numbered entities."""
    pieces, at = [], 0
    for entity in _NUMBERED.finditer(text):
        if stand_in := SPOKEN.get(html.unescape(entity[0])):
            pieces += [unescape(text[at : entity.start()]), stand_in]
            at = entity.end()
    return "".join([*pieces, unescape(text[at:])])


def written(text: str) -> str:
    """Replace the stand-ins of `SPOKEN` in a text by the signs."""
    return text.translate(_WRITTEN)


def name_of(text: str) -> str:
    """Resolve the entities of a speaker's name."""
    return " ".join(written(_unescape_line(text)).split())


def lines_of(payload: str, voice: str | None = None) -> tuple[tuple[Line, ...], int | None]:
    """Return the lines of a caption that have words, and the offset of its first styled word, or None.

    `payload` is WebVTT cue text, or SubRip text with HTML and ``{\\an8}``. `voice` is the speaker of words
    outside voice tags. Unknown tags (``<inaudible>``) stay as words.

    A speaker sign, such as a colon, that is written as a numbered entity becomes its stand-in in `SPOKEN`.
    Files that highlight each word as it is spoken style one word after the other, so the offset tells which
    word is spoken.
    """
    payload = _OVERRIDE.sub("", payload).replace("\\N", "\n").replace("\\h", " ")
    page = _CaptionBuilder(voice)
    at = 0
    for tag in _TAG.finditer(payload):
        page.write(payload[at : tag.start()])
        page.tag(tag)
        at = tag.end()
    page.write(payload[at:])
    page.end_line()
    return tuple(page.lines), page.styled


def lines_of_pieces(pieces: Iterable[tuple[str, float | None]]) -> tuple[Line, ...]:
    """Return the lines of a caption from pieces of text, each with the second of its first word or None."""
    page = _CaptionBuilder(None)
    for text, second in pieces:
        page.second = second
        page.write(text)
    page.end_line()
    return tuple(page.lines)


def lines_of_runs(runs: Iterable[tuple[str, str | None, float | None]]) -> tuple[Line, ...]:
    """Return the lines of a caption from runs of text.

    A run is (text, speaker or None, second of the first word or None). A line break is a separate run.
    """
    page = _CaptionBuilder(None)
    for text, voice, second in runs:
        page.speak(voice)
        page.second = second if second is not None else page.second
        page.write(text)
    page.end_line()
    return tuple(page.lines)


class _CaptionBuilder:
    """A builder of a caption's lines from its text and tags."""

    def __init__(self, voice: str | None) -> None:
        self.lines: list[Line] = []
        self.styled: int | None = None
        self.second: float | None = None  # the time of the next word
        self._default = self._voice = voice
        self._line: list[Words] = []
        self._parts: list[str] = []
        self._marks: list[tuple[int, float]] = []
        self._length = 0  # the number of characters in the parts
        self._before = 0  # the number of characters of this caption before the parts
        self._space = False
        self._style = False  # whether the next word is the first word after a style tag
        self._reading_aid = False

    def tag(self, tag: re.Match[str]) -> None:
        name, closes = (tag["name"] or "").lower(), bool(tag["close"])
        if tag["time"]:
            self.second = seconds_of(tag["time"])
        elif name == "v":
            # Classes may precede the name: ".loud.first Fred O&#39;Neil".
            named = name_of(_CLASSES.sub("", tag["rest"]).strip(" /"))
            self.speak(None if closes else named or None)
        elif name in ("ruby", "rt", "rp"):
            self._reading_aid = name != "ruby" and not closes
        elif name in ("br", "p", "div"):
            self.end_line()
        elif name in _STYLES and not closes:
            self._style = True

    def write(self, text: str) -> None:
        if self._reading_aid or not text:
            return
        for number, part in enumerate(_unescape_line(text).split("\n")):
            if number:
                self.end_line()
            self._append(part)

    def _append(self, part: str) -> None:
        words = " ".join(part.split())
        if not words:
            self._space = self._space or bool(part)
            return
        if self._length and (self._space or part[0].isspace()):
            self._parts.append(" ")
            self._length += 1
        if self.second is not None:
            self._marks.append((self._length, self.second))
        if self._style and self.styled is None:
            self.styled = self._before + self._length
        self.second, self._style = None, False
        self._parts.append(words)
        self._length += len(words)
        self._space = part[-1].isspace()

    def speak(self, voice: str | None) -> None:
        """Set the speaker from here on."""
        if (voice or self._default) != self._voice:
            self._end_words()
            self._voice = voice or self._default

    def _end_words(self) -> None:
        if self._parts:
            self._line.append(Words("".join(self._parts), self._voice, tuple(self._marks)))
            self._before += self._length + 1
        self._parts, self._marks, self._length, self._space = [], [], 0, False

    def end_line(self) -> None:
        self._end_words()
        if self._line:
            self.lines.append(tuple(self._line))
        self._line = []
