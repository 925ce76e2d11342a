"""The marks of citations in the text of an answer, [1] or [Source 1].

What a speaker says is no mark: a mark within a quotation that is closed stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from onrecord.types import mark

_SIGNS, _ESCAPED_SIGNS = (
    re.compile(rf"[“”\n]|«(?=\s)|(?<=\s)»|{begin}(?:Source )?(\d{{1,3}}){end}")
    for begin, end in ((r"\[", r"\]"), (r"\\\[", r"\\\]"))
)
"""The beginning or the end of a quotation or a line, or a mark; in plain text, and in escaped Markdown."""
_CLOSING = {"“": "”", "«": "»"}


def marks_in(text: str, escaped: bool = False) -> Iterator[re.Match[str]]:
    """Yield the marks of a text, each with its number as the group 1, except marks within quotations.

    A quotation ends on the line on which it begins. In an `escaped` text, the brackets of marks stand after
    backslashes.
    """
    line: list[re.Match[str]] = []
    for match in (_ESCAPED_SIGNS if escaped else _SIGNS).finditer(text):
        if match[0] == "\n":
            yield from _outside_quotations(line)
            line = []
        else:
            line.append(match)
    yield from _outside_quotations(line)


def _outside_quotations(line: list[re.Match[str]]) -> Iterator[re.Match[str]]:
    """Yield the marks among the signs of a line that stand in no closed quotation."""
    last = {match[0]: match.start() for match in line}
    closing = None
    for match in line:
        sign = match[0]
        if closing is None and last.get(_CLOSING.get(sign, ""), -1) > match.start():
            closing = _CLOSING[sign]
        elif sign == closing:
            closing = None
        elif closing is None and match[1]:
            yield match


def replace_marks(text: str, written: Callable[[re.Match[str]], str], escaped: bool = False) -> str:
    """Return a text with each of its marks (see `marks_in`) replaced by what `written` returns."""
    parts, end = [], 0
    for match in marks_in(text, escaped):
        parts += [text[end : match.start()], written(match)]
        end = match.end()
    return "".join([*parts, text[end:]])


def restyle_marks(text: str, style: str) -> str:
    """Return the text of an answer with its marks in one of `STYLES`."""
    return text if style == "numbers" else replace_marks(text, lambda match: mark(int(match[1]), style))


def renumber_marks(text: str, after: int) -> str:
    """Return the text of an answer with mark numbers that continue after `after`."""
    return replace_marks(text, lambda match: f"[{int(match[1]) + after}]")
