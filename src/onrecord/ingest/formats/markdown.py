"""Reader of Markdown: ``**Speaker:** words``, headings as sections, words without markup."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.clock import CLOCK
from onrecord.ingest.formats.document import transcript
from onrecord.ingest.formats.lines import BOLD, END, EXACT, LINK, TAB, UNLINK, Line, check_count
from onrecord.ingest.formats.markup import unescape
from onrecord.ingest.formats.plain import blank_front_matter
from onrecord.ingest.formats.tables import column_of
from onrecord.types import Transcript

_SIGNS = re.compile(
    r"^ {0,3}#{1,6} +\S"
    r"|^ {0,3}(?:[-*+] +|> ?)?(?:[\[(]?\d[\d:.]{2,14}[\])]? ?)?(?:\*\*[^*\n]{1,90}\*\*|__[^_\n]{1,90}__)"
    r"|\\[\[\]*_]|\]\(https?://",
    re.MULTILINE,
)
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*))?")
_RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})")
_TABLE_RULE = re.compile(r"[ \t]*(?:\|[ \t]*)?:?-{3}[-:| \t]*")
_UNDERLINE = re.compile(r" {0,3}=+[ \t]*")
_FENCE = re.compile(r" {0,3}(?:```|~~~)")
_QUOTED_OR_LISTED = re.compile(r"^[ \t]*(?:>[ \t]?)*[ \t]*(?:[-*+][ \t]+|\d{1,3}[.)][ \t]+(?=\*\*|__))?")
_QUOTED = re.compile(r" {0,3}>(?!>)")
_CALLOUT = re.compile(r"( {0,3}> ?)\[!\w{1,20}\][+-]? ?")
"""The type marker of a callout: "> [!quote] Ann"."""
_LISTED = re.compile(r"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]")
_COMMENT = re.compile(r"(?<!\\)(?:\\\\)*<!--")
_DEFINITION = re.compile(r" {0,3}\[[^\[\]]+\]:[ \t]+<?(?:https?:|mailto:|[/#.])\S*(?:[ \t].*)?")

_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_HIDDEN = 0xF0000  # private-use offset of escaped characters while marks are removed
_SHOWN = {_HIDDEN + code: chr(code) for code in range(0x80)}
_IMAGE = re.compile(r"!\[[^\[\]]*\]\([^()\n]*\)")
_LINK = re.compile(r"\[([^\[\]]*)\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)?\)|\[[^\[\]]*\])")
_NOTE_MARK = re.compile(r"\[\^[^\[\]\s]*\]")
_AUTOLINK = re.compile(r"<((?:https?|mailto):[^<>\s]*)>")
_STRONG_TAG = re.compile(r"<(/?)(?:b|strong)>", re.IGNORECASE)
_BREAK_TAG = re.compile(r"<(?:br|p|div)(?:[\s/][^<>]*)?>", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:a|br|em|i|u|s|p|div|span|sup|sub|small|code|kbd|center|font|mark|cite|time|hr|img|details|summary)"
    r"(?:[\s/][^<>]*)?>",
    re.IGNORECASE,
)
_SLANTED = re.compile(r"\s*([*_])(?![*_\s])[^*_]+\1[.\s]*")
_BOLD_OPENS = re.compile(r"(?:(?<=[\s(\[\"“'>—-])|^)(?:\*\*|__)(?=\S)")
_BOLD_CLOSES = re.compile(r"(?<=\S)\*\*|\*\*(?=\S)|(?<=[^\s_])__(?!\w)")
_UNMARKED = re.compile(f"[^{BOLD}{END}{LINK}{UNLINK}]+")
_UNDERLINED = re.compile(r"(?<![\w_])(__?)(?=[^\s_])([^_\n]*)(?<=[^\s_])\1(?![\w_])")
_EMPHASIS = re.compile(
    r"(?:(?<=[^\w*])|^)\*{1,2}(?=[^\s*_])|(?<=[^\s*_])\*{1,2}(?![\w*])|~~"
    rf"|(?:(?<=[^\w*{BOLD}])|^)_{{1,2}}(?=[^\s*_])|(?<=[^\s*_])_{{1,2}}(?![\w*{END}])"
)
"""Emphasis marks, which may end on another line; an underscore at the edge of a bold name belongs to it."""


def fits(source: Source) -> bool:
    """Recognize Markdown by headings, bold text at the beginning of lines, escapes or links."""
    return bool(_SIGNS.search(source.text[:50_000]))


def read(source: Source) -> tuple[Transcript, ...]:
    check_count(source, source.text.count("\n"), "lines")
    if source.text.rstrip().endswith(EXACT):  # escaped characters stay hidden: they form no label or time
        read_exactly = transcript(source, FORMAT.name, list(_lines(source.text, _hide_and_strip)), exact=True)
        return (_show_escaped(read_exactly),)
    return (transcript(source, FORMAT.name, list(_lines(source.text, inline))),)


FORMAT = Format("markdown", (".md", ".markdown", ".mdown", ".mkd"), fits, read)


def _show_escaped(hidden: Transcript) -> Transcript:
    """Restore the escaped characters that `_hide_and_strip` hid in a transcript."""

    def shown(text: str) -> str:
        return text.translate(_SHOWN)

    turns = (
        replace(turn, text=shown(turn.text), speaker=turn.speaker and shown(turn.speaker))
        for turn in hidden.turns
    )
    sections = (replace(section, title=shown(section.title)) for section in hidden.sections)
    return replace(hidden, turns=tuple(turns), sections=tuple(sections))


def _lines(text: str, strip: Callable[[str], str]) -> Iterator[Line]:
    """Yield the lines of a text; `strip` removes the marks from a line."""
    lines = blank_front_matter(_blank_comments(text).split("\n"))
    rows = _rows_as_labels(lines)
    raw = [_CALLOUT.sub(r"\1", rows.get(at, line)) for at, line in enumerate(lines)]
    opens, fenced, ruled = True, False, False
    for number, line in enumerate(raw, 1):
        if _FENCE.match(line):
            fenced = not fenced
            continue
        if not fenced and any(sign.fullmatch(line) for sign in (_RULE, _TABLE_RULE, _UNDERLINE, _DEFINITION)):
            ruled = ruled or bool(_RULE.fullmatch(line))
            line = ""
        underlined = opens and number < len(raw) and bool(_UNDERLINE.fullmatch(raw[number]))
        level, words = (0, line) if fenced else _block(line, underlined, strip)
        words = " ".join(words.split())
        if words:
            listed, slanted = bool(_LISTED.match(line)), bool(_SLANTED.fullmatch(line))
            tabled = number - 1 in rows or line.lstrip().startswith("|")
            quoted = bool(_QUOTED.match(line))
            yield Line(
                number, _balance_bold(words), opens, level, listed, slanted, False, tabled, ruled, quoted
            )
            ruled = False
        opens = not words or level > 0


def _rows_as_labels(lines: Sequence[str]) -> dict[int, str]:
    """Return ``[0:12] **Ann:** words`` for each row of a table of speakers and words, by line index.

    The header row of such a table becomes an empty string.
    """
    rows: dict[int, str] = {}
    columns: list[str] = []
    for at, (line, below) in enumerate(zip_longest(lines, lines[1:], fillvalue="")):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if "|" in line else []
        if cells and "|" in below and _TABLE_RULE.fullmatch(below):
            columns = [column_of(cell) for cell in cells]
            columns = columns if {"speaker", "text"} <= set(columns) else []
            if columns:
                rows[at] = ""
        elif not cells:
            columns = []
        elif columns and len(cells) == len(columns) and not _TABLE_RULE.fullmatch(line):
            row = dict(zip(columns, cells, strict=True))
            start = f"[{row['start']}] " if row.get("start") else ""
            label = f"{start}**{row['speaker'].strip('*')}:** " if row["speaker"] else ""
            rows[at] = label + row["text"]
    return rows


def _balance_bold(text: str) -> str:
    """Return the text, without any bold marks if one of them has no counterpart."""
    open_ = False
    for mark in re.findall(f"[{BOLD}{END}]", text):
        if open_ == (mark == BOLD):
            break
        open_ = not open_
    else:
        if not open_:
            return text
    return " ".join(text.replace(BOLD, "").replace(END, "").split())


def _blank_comments(text: str) -> str:
    """Return the text without HTML comments, with the same number of lines.

    An escaped ``\\<!--`` does not begin a comment.
    """
    pieces, at = [], 0
    for opening in _COMMENT.finditer(text):
        begin = opening.end() - len("<!--")
        if begin < at:
            continue
        if (end := text.find("-->", begin)) < 0:
            break
        pieces += [text[at:begin], "\n" * text.count("\n", begin, end)]
        at = end + 3
    return "".join([*pieces, text[at:]])


def _block(line: str, underlined: bool, strip: Callable[[str], str]) -> tuple[int, str]:
    """Return the heading level of a line, or 0, and its words."""
    if heading := _HEADING.fullmatch(line):
        return len(heading[1]), strip((heading[2] or "").rstrip(" \t#"))
    if line.lstrip().startswith("|"):
        line = line.strip().strip("|").replace("|", f" {TAB} ")  # a sign or a name ends with its cell
    words = strip(_QUOTED_OR_LISTED.sub("", line))
    return int(underlined and bool(words.strip())), words


def inline(text: str) -> str:
    """Remove Markdown's marks from a text.

    Links become their words, images are dropped, and bold words are enclosed in `BOLD` and `END`.
    """
    return _hide_and_strip(text).translate(_SHOWN)


def _hide_and_strip(text: str) -> str:
    """Remove Markdown's marks from a text, and hide escaped characters at the offset `_HIDDEN`."""
    text = _ESCAPE.sub(lambda m: chr(_HIDDEN + ord(m[1])), text)
    if "[" in text:
        text = _NOTE_MARK.sub("", _LINK.sub(_link_words, _IMAGE.sub("", text)))
    if "<" in text:
        text = _STRONG_TAG.sub(lambda m: END if m[1] else BOLD, _AUTOLINK.sub(rf"{LINK}\1{UNLINK}", text))
        text = _TAG.sub("", _BREAK_TAG.sub(" ", text))
    text = _BOLD_CLOSES.sub(END, _BOLD_OPENS.sub(BOLD, text.replace("`", "")))
    text = _EMPHASIS.sub("", _UNDERLINED.sub(r"\2", text))
    # Unescape only between the marks: `unescape` would drop them.
    return _UNMARKED.sub(lambda m: unescape(m[0]), text) if "&" in text else text


def _link_words(link: re.Match[str]) -> str:
    """Return the words of a link between `LINK` and `UNLINK`, or without these marks for a label.

    A label is a link before a colon ("[Ann](...):"). A time keeps its brackets.
    """
    words = link[1]
    if re.fullmatch(CLOCK, words.strip()):
        return f"[{words}]"
    is_label = words.rstrip().endswith(":") or re.match(
        r"(?:\*\*|__)?:", link.string[link.end() : link.end() + 3]
    )
    return words if is_label else f"{LINK}{words}{UNLINK}"
