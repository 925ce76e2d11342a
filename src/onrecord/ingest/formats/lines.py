"""Lines of a document without markup, which plain text, Markdown and HTML are read into."""

from __future__ import annotations

import re
from dataclasses import dataclass

from onrecord.ingest.formats.base import Source

MAX_LINES = 1_000_000
"""The most lines of a text or tags of a page; more would fill the memory."""
MIN_CAPTION = 8
"""The fewest characters of a caption in capitals."""
BOLD, END = "\x02", "\x03"
"""Marks around bold words; no source's text has these characters."""
LINK, UNLINK = "\x05", "\x06"
"""Marks around the words of a link that is not a label itself; no source's text has them."""
TAB = "\x04"
"""A tab behind what may be a name; no source's text has it."""
EXACT = "<!-- onrecord: every turn has its name -->"
"""Our own Markdown ends with this: only bold labels name speakers, each of one paragraph."""

RULE = re.compile(r"\s*(?:[-–—=_*~#+] ?){2,200}\s*")
"""A line of signs that divides a text; two hyphens stand above the signature of a mail."""
_ASIDE = re.compile(r"(?:(?:\[[^\[\]]*\]|\([^()]*\)|\(\([^()]*\)\))[.\s]*)+")
_FRAMED = re.compile(r"([*=~_–—-])\1{1,9} [^\n]*[^\s] \1{2,10}")
"""A line between two rows of one sign, as programs and typists set off notices: "*** Ann has left ***"."""
_PICTURE_PART = "[\U0001f000-\U0001f3fa\U0001f400-\U0001faff\u2600-\u27bf][\U0001f3fb-\U0001f3ff]?\ufe0f?"
PICTURE = rf"(?:{_PICTURE_PART}(?:\u200d{_PICTURE_PART}){{0,9}})"
"""A picture, perhaps with a colour of skin, or several that a joiner makes one, as a woman and a ship."""
_REACTIONS = re.compile(rf"(?:(?::[\w+-]{{1,40}}:|{PICTURE}) ?(?:\d{{1,4}} ?)?)+")
"""Pictures, perhaps by their names, and how many: what chats write below a message that others like."""
_MARKS = re.compile(f"[{BOLD}{END}{LINK}{UNLINK}{TAB}]")
_NAME_AND_TAB = re.compile(
    r"((?:[\[(]?\d[\d:.]{2,12}[\])]?\s{1,9})?[^\t:]{0,40}?\w)(?:\t| {3})\s*(?=[^\d\s])"
)
"""What may be a name, with a time before it, and a tab or three blanks."""
_LINKS = re.compile(rf"{LINK}[^{LINK}{UNLINK}]*{UNLINK}|\b(?:https?://|www\.)\S+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a document: single spaces, no markup but `BOLD` ... `END`.

    `number` counts from 1; a line that `opens` begins a paragraph; `level` is that of a heading, or 0;
    `listed` marks an item of a list, `slanted` one that is all in italics, often a stage direction, `headed`
    a speaker's name that was a heading, `tabled` a row of a table; a `ruled` one stands below a rule, a
    `quoted` one behind ">", an `indented` one behind blanks.
    """

    number: int
    text: str
    opens: bool = False
    level: int = 0
    listed: bool = False
    slanted: bool = False
    headed: bool = False
    tabled: bool = False
    ruled: bool = False
    quoted: bool = False
    indented: bool = False

    @property
    def words(self) -> str:
        return strip_marks(self.text)

    def hangs_over(self, below: Line) -> bool:
        """Return whether the line below is indented and this one is not."""
        return below.indented and not self.indented


def split_lines(source: Source) -> list[str]:
    """Return the lines of a source. Raises FormatError for more than `MAX_LINES`."""
    check_count(source, source.text.count("\n"), "lines")
    return source.text.split("\n")


def single_spaces(text: str) -> str:
    """Return the text with single spaces; a tab or three blanks behind what may be a name become `TAB`."""
    text = text.strip()
    if name := _NAME_AND_TAB.match(text):
        text = f"{name[1]} {TAB} {text[name.end() :]}"
    return " ".join(text.split())


def check_count(source: Source, count: int, what: str) -> None:
    if count > MAX_LINES:
        raise source.error("the whole of it", f"a transcript of at most {MAX_LINES:,} {what}", f"{count:,}")


def strip_marks(text: str) -> str:
    """Return the text without the marks of bold words and links, with single spaces."""
    return " ".join(_MARKS.sub("", text).split()) if _MARKS.search(text) else text


def skip_prologue(text: str) -> int:
    """Return where a page or XML begins, after blanks, comments and declarations."""
    at = 0
    while True:
        while text[at : at + 1].isspace():
            at += 1
        end = next((e for b, e in (("<!--", "-->"), ("<?xml", "?>")) if text.startswith(b, at)), "")
        end_at = text.find(end, at) if end else -1
        if end_at < 0:
            return at
        at = end_at + len(end)


def is_link(text: str) -> bool:
    """Return whether the text is nothing but links."""
    rest, links = _LINKS.subn("", text)
    return links > 0 and not any(map(str.isalnum, rest))


def is_caption(text: str) -> bool:
    """Return whether a text is in capitals alone, and longer than "OK."."""
    return text.isupper() and len(text) >= MIN_CAPTION


def is_aside(text: str) -> bool:
    """Return whether all of a text is said by nobody.

    It stands in brackets, or between rows of a sign ("--- End ---"), or has pictures and their numbers alone.
    """
    return bool(_ASIDE.fullmatch(text) or _FRAMED.fullmatch(text) or _REACTIONS.fullmatch(text))
