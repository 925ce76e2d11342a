"""Lines of a document, without markup: what plain text, Markdown and HTML are read into first."""

from __future__ import annotations

import re
from dataclasses import dataclass

from onrecord.ingest.formats.base import Source

MOST = 1_000_000
"""Lines, or tags of a page: a text with more is no transcript, and would fill the memory."""
BOLD, END = "\x02", "\x03"
"""What stands around bold words; neither character is ever in a source's text."""
LINK, UNLINK = "\x05", "\x06"
"""What stands around the words of a link, but for a link that is a label itself; as little ever in a text."""
EXACT = "<!-- onrecord: every turn has its name -->"
"""What the Markdown that we write says of itself at its end: bold labels alone name speakers, and only of
their own paragraph."""

_MARKS = re.compile(f"[{BOLD}{END}{LINK}{UNLINK}]")
_LINKS = re.compile(rf"{LINK}[^{LINK}{UNLINK}]*{UNLINK}|\b(?:https?://|www\.)\S+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a document: single spaces, no markup but `BOLD` ... `END`.

    `number` counts from 1; `opens` says that a paragraph begins; `level` is that of a heading, or 0;
    `listed` says that it is a point of a list.
    """

    number: int
    text: str
    opens: bool = False
    level: int = 0
    listed: bool = False

    @property
    def words(self) -> str:
        return strip_marks(self.text)


def split_lines(source: Source) -> list[str]:
    """The lines of a source. Raises FormatError where there are more than `MOST`."""
    check_count(source, source.text.count("\n"), "lines")
    return source.text.split("\n")


def check_count(source: Source, count: int, what: str) -> None:
    if count > MOST:
        raise source.error("the whole of it", f"a transcript of at most {MOST:,} {what}", f"{count:,}")


def strip_marks(text: str) -> str:
    """The text without the marks of bold words and links, with single spaces."""
    return " ".join(_MARKS.sub("", text).split()) if _MARKS.search(text) else text


def skip_prologue(text: str) -> int:
    """Where a page or XML begins, behind blanks, comments and declarations."""
    at = 0
    while True:
        while text[at : at + 1].isspace():
            at += 1
        end = next((e for b, e in (("<!--", "-->"), ("<?xml", "?>")) if text.startswith(b, at)), "")
        found = text.find(end, at) if end else -1
        if found < 0:
            return at
        at = found + len(end)


def is_link(text: str) -> bool:
    """Whether the text is nothing but links."""
    rest, links = _LINKS.subn("", text)
    return links > 0 and not any(map(str.isalnum, rest))


def is_aside(text: str) -> bool:
    """Whether all of the text stands in brackets."""
    return text[:1] in ("(", "[") and text.rstrip(". ")[-1:] in (")", "]")
