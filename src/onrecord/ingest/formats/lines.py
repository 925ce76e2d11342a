"""Lines of a document without markup: the common form of plain text, Markdown and HTML."""

from __future__ import annotations

import re
from dataclasses import dataclass

from onrecord.ingest.formats.base import Source

MAX_LINES = 1_000_000
"""The maximum number of lines in a text or tags in a page; more would exhaust the memory."""
MIN_CAPTION = 8
"""The minimum length of a caption in capitals, in characters."""
BOLD, END = "\x02", "\x03"
"""Marks around bold words; the text of a source never contains these characters."""
LINK, UNLINK = "\x05", "\x06"
"""Marks around the words of a link that is not a label; the text of a source never contains them."""
TAB = "\x04"
"""A mark for a tab after a possible name or a border between table cells; no source contains it."""
EXACT = "<!-- onrecord: every turn has its name -->"
"""The end of onrecord's own Markdown, in which only bold labels name speakers, each for one paragraph."""
QUESTION_MARKS = ("?", "？", "؟")
BEHIND_MARK = "\"'”’»)] "
"""Signs that may follow a question mark."""

RULE = re.compile(r"\s*(?:[-–—=_*~#+] ?){2,200}\s*")
"""A line of signs that divides a text; two hyphens stand above an e-mail signature."""
_ASIDE = re.compile(r"(?:(?:\[[^\[\]]*\]|\([^()]*\)|\(\([^()]*\)\))[.\s]*)+")
_FRAMED = re.compile(r"([*=~_–—-])\1{1,9} [^\n]*[^\s] \1{2,10}")
"""A notice between two rows of one sign, as programs and typists write: "*** Ann has left ***"."""
_PICTURE_PART = "[\U0001f000-\U0001f3fa\U0001f400-\U0001faff\u2600-\u27bf][\U0001f3fb-\U0001f3ff]?\ufe0f?"
PICTURE = rf"(?:{_PICTURE_PART}(?:\u200d{_PICTURE_PART}){{0,9}})"
"""An emoji, perhaps with a skin tone, or several emojis joined into one, such as a woman and a ship."""
_REACTIONS = re.compile(rf"(?:(?::[\w+-]{{1,40}}:|{PICTURE}) ?(?:\d{{1,4}} ?)?)+")
"""Reactions below a chat message: emojis, or their names (":name:"), perhaps with counts."""
_MARKS = re.compile(f"[{BOLD}{END}{LINK}{UNLINK}{TAB}]")
_NAME_AND_TAB = re.compile(
    r"((?:[\[(]?\d[\d:.]{2,12}[\])]?\s{1,9})?[^\t:]{0,40}?\w)(?:\t| {3})\s*(?=[^\d\s])"
)
"""A possible name, perhaps with a time before it, followed by a tab or three spaces."""
_LINKS = re.compile(rf"{LINK}[^{LINK}{UNLINK}]*{UNLINK}|\b(?:https?://|www\.)\S+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a document with single spaces and no markup other than marks such as `BOLD` and `END`.

    `number` is the line number, counted from 1. `level` is the heading level, or 0. The other fields are
    flags:

    - `opens`: the line begins a paragraph.
    - `listed`: the line is a list item.
    - `slanted`: the line is entirely in italics, often a stage direction.
    - `headed`: the line is a speaker's name that was a heading.
    - `tabled`: the line is a row of a table.
    - `ruled`: the line stands below a rule.
    - `quoted`: the line begins with ">".
    - `indented`: the line begins with white space.
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
        """Return whether the line below is indented and this line is not."""
        return below.indented and not self.indented


def split_lines(source: Source) -> list[str]:
    """Return the lines of a source. Raises FormatError for more than `MAX_LINES`."""
    check_count(source, source.text.count("\n"), "lines")
    return source.text.split("\n")


def single_spaces(text: str) -> str:
    """Return the text with single spaces; a tab or three spaces after a possible name become `TAB`."""
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
    """Return the offset at which a page or XML begins, after white space, comments and declarations."""
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
    """Return whether the text consists only of links."""
    rest, links = _LINKS.subn("", text)
    return links > 0 and not any(map(str.isalnum, rest))


def is_caption(text: str) -> bool:
    """Return whether a text is all in capitals and at least `MIN_CAPTION` characters long."""
    return text.isupper() and len(text) >= MIN_CAPTION


def asks(text: str) -> bool:
    """Return whether a text ends in a question mark."""
    return text.rstrip(BEHIND_MARK).endswith(QUESTION_MARKS)


def is_aside(text: str) -> bool:
    """Return whether a text is not spoken at all.

    Such a text is entirely in brackets, stands between rows of a sign ("--- End ---"), or consists of emojis
    with counts.
    """
    return bool(_ASIDE.fullmatch(text) or _FRAMED.fullmatch(text) or _REACTIONS.fullmatch(text))
