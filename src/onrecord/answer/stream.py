"""Sentences out of a stream of text, each as soon as it has surely ended.

Where a sentence ends depends on the text alone, never on how it was cut into pieces: where what follows would
decide, it is waited for. Citations after the full stop belong to the sentence before them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_STOP = re.compile(r"\n|[.!?…。！？]+[\"'”’»)*_]*")
_MARK = re.compile(r"(?<![ \t])[ \t]*+\[[^\]\n]{0,60}\][.,;]?")
_LONGEST_MARK = 64
_ABBREVIATIONS = frozenset(
    "mr. mrs. ms. dr. prof. st. vs. e.g. i.e. etc. approx. inc. ltd. co. corp. jr. sr. fig. "
    "m. mm. mme. mlle. env. cf. p. pp. c.-à-d. art.".split()
)
_INITIAL = re.compile(r"(?:^|[\s.(])[A-HJ-Z]\.$")


def sentences_of(pieces: Iterable[str]) -> Iterator[str]:
    """The sentences of a text that comes in pieces. Joined they are the text: the white space between two
    begins the second."""
    waiting = ""
    for piece in pieces:
        waiting += piece
        while (end := _end(waiting, final=False)) is not None:
            yield waiting[:end]
            waiting = waiting[end:]
    while waiting:
        end = _end(waiting, final=True) or len(waiting)
        yield waiting[:end]
        waiting = waiting[end:]


def _end(text: str, final: bool) -> int | None:
    """Where the first sentence ends; None where it has not, or where that cannot be told yet."""
    begin = len(text) - len(text.lstrip())
    for stop in _STOP.finditer(text, begin):
        if stop[0] == "\n":
            return stop.start()
        end, known = _with_marks(text, stop.end(), final)
        if not known:
            return None
        if _ends(text, stop.start(), end):
            return end
    return None


def _with_marks(text: str, end: int, final: bool) -> tuple[int, bool]:
    """The end of a sentence with the marks that follow it, and whether the text so far decides that."""
    while True:
        after = end + len(text[end:]) - len(text[end:].lstrip(" \t"))
        if after == len(text):
            return end, final
        if text[after] != "[":
            return end, True
        mark = _MARK.match(text, end)
        if mark is None:
            undecided = len(text) - after < _LONGEST_MARK and not {"\n", "]"} & set(text[after:])
            return end, final or not undecided
        if mark.end() == len(text) and not final:
            return end, False
        end = mark.end()


def _ends(text: str, stop: int, end: int) -> bool:
    """Whether a sentence ends here: white space follows, then what may begin another."""
    rest = text[end:].lstrip(" \t")
    if not rest or rest[0] == "\n":
        return True
    if len(rest) == len(text) - end or rest[0].islower():
        return False
    if text[stop] != ".":
        return True
    word = text[: stop + 1].rsplit(None, 1)[-1].lstrip("(«\"'“").lower()
    if word == "no." and rest[0].isdigit():
        return False
    return word not in _ABBREVIATIONS and not _INITIAL.search(text[: stop + 1])
