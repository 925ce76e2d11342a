"""Reader of HTML: Podcasting 2.0 transcripts (``<cite>``, ``<time>``, ``<p>``) and other web pages."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.clock import CLOCK, write_clock
from onrecord.ingest.formats.document import transcript
from onrecord.ingest.formats.labels import MAX_LENGTH, is_name, is_numbered
from onrecord.ingest.formats.lines import BOLD, END, Line, check_count, skip_prologue, strip_marks
from onrecord.ingest.formats.markup import page_title, unescape
from onrecord.ingest.formats.words import speaker_name
from onrecord.ingest.language import language_code
from onrecord.types import Details, Transcript

_FIRST = (
    "!doctype html|html|body|head|meta|title|main|article|section|table|dl|h[1-6]|cite|time|p|div|span|ul|ol"
)
_BEGINS = re.compile(rf"<(?:{_FIRST})\b", re.IGNORECASE)
_BLOCK_ENDS = re.compile(r"</(?:p|div|cite|li|dd|td|section|article|body)>|<br\s*/?>|<html\b", re.IGNORECASE)
_TAG = re.compile(
    r"<(?:(?P<close>/?)(?P<name>[a-z][a-z0-9]*+)(?P<rest>[^<>]*+)>|(?P<comment>!--)|[!?][^<>]*+>)",
    re.IGNORECASE,
)
_LANGUAGE = re.compile(r"<html\b[^<>]*?\blang\s*=\s*[\"']?([\w-]+)", re.IGNORECASE)
_SPEAKER_CLASS = re.compile(
    r"\bclass\s*=\s*(?:[\"'](?:[^\"']*[\s_-])?)?speaker(?:[_-]?(?:name|label))?(?=[\"'\s]|$)", re.IGNORECASE
)

_NAMED = re.compile(
    r"\s(?:data-)?speaker(?:-name)?\s*=\s*(?:\"(?P<name>[^\"<>]{1,200})\"|'(?P<single>[^'<>]{1,200})')",
    re.IGNORECASE,
)
_START = re.compile(
    rf"\sdata-(?:start|time|begin|timestamp)\s*=\s*[\"'](?P<time>{CLOCK}|\d{{1,6}}\.\d{{1,9}})[\"']",
    re.IGNORECASE,
)
"""A start time with colons or decimals; a whole number is ambiguous, because it may count milliseconds."""

_BLOCK_NAMES = """
    address article blockquote body br caption dd div dl dt fieldset figcaption figure h1 h2 h3 h4 h5 h6
    header hr html li main ol p pre section summary table tbody td th thead tr ul
"""
_UNSPOKEN_NAMES = """
    aside audio canvas datalist footer iframe math nav noscript object script select style svg
    template textarea title video
"""
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_TIME_TAGS = frozenset({"time", "a", "button", "span", "small"})
_UNSPOKEN = frozenset(_UNSPOKEN_NAMES.split())


def fits(source: Source) -> bool:
    """Recognize a text with block elements that begins with an HTML tag, or is a part of an HTML file."""
    text = source.text
    begins = _BEGINS.match(text, skip_prologue(text)) or source.name.lower().endswith(FORMAT.suffixes)
    return bool(begins and (_BLOCK_ENDS.search(text[:100_000]) or "<html" in text[:5000].lower()))


def read(source: Source) -> tuple[Transcript, ...]:
    """Read the paragraphs of the page, without scripts, navigation and similar elements.

    A ``<cite>``, a ``<dt>`` or an element of class "speaker" at the head of a line names a speaker. So do
    labels as in plain text. If elements have an attribute ``data-speaker``, only this attribute names
    speakers.
    """
    text = source.text
    language = _LANGUAGE.search(text)
    details = Details(title=page_title(text), language=language_code(language[1]) if language else None)
    page = read_page(source)
    return (transcript(source, FORMAT.name, page.lines, details, exact=page.names_voices),)


FORMAT = Format("html", (".html", ".htm", ".xhtml"), fits, read)


def read_page(source: Source) -> PageReader:
    """Read a page and return the reader, which holds the page's lines as those of a document.

    Raises FormatError for more than `MAX_LINES` tags.
    """
    check_count(source, source.text.count("<"), "tags")
    page = PageReader()
    page.read(source.text)
    return page


@dataclass(frozen=True, slots=True)
class _Open:
    """An open element that may hold a name or a time; `at` is the index of its first piece."""

    name: str
    at: int
    is_speaker: bool


@dataclass(slots=True)
class _Voice:
    """An element with an attribute that names the speaker of its words.

    `stamp` is the start time in brackets, or an empty string. `depth` counts the open elements of the same
    tag name.
    """

    name: str
    speaker: str
    stamp: str
    depth: int = 1

    @property
    def label(self) -> str:
        return f"{BOLD}{self.speaker[:MAX_LENGTH]}{END}{self.stamp or ': '}"


@dataclass(slots=True)
class PageReader:
    """A reader of a page, with the lines so far and the pieces of the current line.

    A line has one speaker. `names_voices` is True once an attribute has named a speaker.
    """

    lines: list[Line] = field(default_factory=list)
    names_voices: bool = False
    _voice: _Voice | None = None
    _label: str = ""
    _pieces: list[str] = field(default_factory=list)
    _number: int = 1
    _level: int = 0
    _opens: bool = True
    _open: _Open | None = None
    _never_closed: set[str] = field(default_factory=set)

    def read(self, text: str) -> None:
        at = 0
        for tag in _TAG.finditer(text):
            if tag.start() < at:  # the tag is inside a comment, a script or the like
                continue
            self._write(text[at : tag.start()])
            after = self._behind(tag, text) if tag["comment"] or not tag["close"] else tag.end()
            if tag["name"] and after == tag.end():
                self._tag(tag["name"].lower(), bool(tag["close"]), tag["rest"])
            self._number += text.count("\n", at, after)
            at = after
        self._write(text[at:])
        self._end_line()

    def _behind(self, tag: re.Match[str], text: str) -> int:
        """Return the offset at which to continue: after the tag, a comment, or an element without text."""
        name = (tag["name"] or "").lower()
        if tag["comment"]:
            end = text.find("-->", tag.end())
            return len(text) if end < 0 else end + 3
        if name not in _UNSPOKEN or name in self._never_closed or tag["rest"].endswith("/"):
            return tag.end()
        closing = re.compile(f"</{name}\\s*>", re.IGNORECASE).search(text, tag.end())
        if closing:
            return closing.end()
        self._never_closed.add(name)
        return len(text) if name in ("script", "style") else tag.end()

    def _write(self, text: str) -> None:
        if not text:
            return
        label = self._voice.label if self._voice else ""
        if label != self._label and not text.isspace():
            if not self._at_head():
                self._end_line()
            self._opens, self._label = True, label
        self._pieces.append(unescape(text))

    def _hear(self, name: str, closes: bool, rest: str) -> None:
        """Begin or end the words of a speaker whom an attribute names."""
        if self._voice and name == self._voice.name:
            self._voice.depth += -1 if closes or name == "p" else 1  # a new paragraph ends the previous one
            if not self._voice.depth:
                self._voice = None
        if not closes and (named := _NAMED.search(rest)):
            speaker = speaker_name(strip_marks(unescape(named["name"] or named["single"])).rstrip(": "))
            start = _START.search(rest)
            clock = start["time"] if start else ""
            clock = clock if {":", ";"} & set(clock) or not clock else write_clock(float(clock))
            stamp = f"[{clock}] " if clock else ""
            self._voice = _Voice(name, speaker, stamp) if speaker else None
            self.names_voices = True

    def _tag(self, name: str, closes: bool, rest: str) -> None:
        self._hear(name, closes, rest)
        if closes and self._open and name == self._open.name:
            self._close(self._open)
        if name in _BLOCKS:
            self._end_line()
            self._opens = name != "br"
            self._level = int(name[1]) if re.fullmatch("h[1-6]", name) and not closes else 0
        elif name in ("b", "strong"):
            self._pieces.append(END if closes else BOLD)
        if not closes and self._open is None:
            is_speaker = (name in ("cite", "dt") or bool(_SPEAKER_CLASS.search(rest))) and self._at_head()
            if is_speaker or name in _TIME_TAGS:
                self._open = _Open(name, len(self._pieces), is_speaker)

    def _at_head(self) -> bool:
        """Return whether the current line is empty or holds only a time."""
        return len(self._pieces) < 9 and all(p.isspace() or p.startswith("[") for p in self._pieces)

    def _close(self, element: _Open) -> None:
        """Rewrite a closed element as a label or a time of a document; drop other text of a button."""
        inside = "".join(self._pieces[element.at :])
        words = strip_marks(" ".join(inside.split()))
        if re.fullmatch(CLOCK, words):
            inside = f"[{words}] "
        elif element.is_speaker and words.strip(":") and len(words) <= MAX_LENGTH:
            inside = f"{BOLD}{words.rstrip(': ')}:{END} "
            if self._voice:
                named = self._voice.speaker
                if not is_name(named) or is_numbered(named):  # the attribute is a code, the text the name
                    self._voice.speaker = words.rstrip(": ")
                self._label, inside = self._voice.label, ""
        elif element.name == "button":
            inside = ""
        self._pieces[element.at :] = [inside]
        self._open = None

    def _end_line(self) -> None:
        words = " ".join("".join(self._pieces).split())
        if words.strip(BOLD + END + " "):
            label = "" if self._level else self._label
            self.lines.append(Line(self._number, label + words, self._opens, self._level))
        self._pieces, self._open = [], None
