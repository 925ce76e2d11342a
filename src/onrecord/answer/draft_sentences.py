"""The sentences of a draft, which a language model writes piece by piece."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import overload

from onrecord.answer.claims import LEAD
from onrecord.ingest.language import sentence_spans
from onrecord.models.reasoning import Reset
from onrecord.retrieve.sentences import INITIAL

_STOP = re.compile(r"\n|[.!?…。！？]+[\"'”’»)*_]*")
_MARK = re.compile(r"(?<![ \t])[ \t]*+\[[^\]\n]{0,60}\][.,;]?")
_LONGEST_MARK = 64
_GOES_ON = re.compile(r"\.{2,}|…+|[.!?…]+[*_]*[\"'”’»)][\"'”’»)*_]*")
"""A stop before a small letter that ends no sentence: dots for a pause, or the end of a quotation."""
_SPLITTERS = ("en", "fr")  # the languages whose abbreviations count in any draft
LONGEST = 2000
"""The most characters of a sentence."""
_BEYOND = 200  # the characters after the longest sentence that may show where it ends
_ABBREVIATIONS = frozenset(
    "mr. mrs. ms. dr. prof. st. vs. e.g. i.e. etc. approx. inc. ltd. co. corp. jr. sr. fig. "
    "m. mm. mme. mlle. env. cf. p. pp. c.-à-d. art. max. resp. est.".split()
)


@overload
def split_stream(pieces: Iterable[str]) -> Iterator[str]: ...
@overload
def split_stream(pieces: Iterable[str | Reset]) -> Iterator[str | Reset]: ...
def split_stream(pieces: Iterable[str | Reset]) -> Iterator[str | Reset]:
    """Yield the sentences of a text that comes in pieces.

    Joined, the sentences are the text: the white space between two belongs to the second. RESET is passed on
    and drops a sentence that has not ended. A sentence that does not end in `LONGEST` characters is cut.
    """
    waiting, tried = "", 0
    for piece in pieces:
        if isinstance(piece, Reset):
            waiting, tried = "", 0
            yield piece
            continue
        sentences, waiting, tried = _split(waiting + piece, tried, final=False)
        yield from sentences
    yield from _split(waiting, tried, final=True)[0]


def _split(text: str, tried: int, final: bool) -> tuple[list[str], str, int]:
    """Split off the sentences that have ended.

    Also return the rest, and the offset in it before which no sentence ends. `tried` is the same for `text`.
    """
    sentences: list[str] = []
    begin = 0
    while begin < len(text):
        seen = text[begin : begin + LONGEST + _BEYOND]
        end, tried = _end(seen, tried, final and begin + len(seen) == len(text))
        if end is None and len(seen) < LONGEST + _BEYOND:
            if not final:
                return sentences, text[begin:], tried
            end = len(seen)
        if end is None or end > LONGEST:
            end = _cut(seen)
        sentences.append(seen[:end])
        begin, tried = begin + end, 0
    return sentences, "", 0


def _end(text: str, tried: int, final: bool) -> tuple[int | None, int]:
    """Return the offset at which the first sentence ends, and the offset before which none ends.

    The first is None if it has not ended, or if more text is needed to decide.
    """
    begin = len(text) - len(text.lstrip())
    for stop in _STOP.finditer(text, max(begin, tried)):
        if stop[0] == "\n":
            return stop.start(), stop.start()
        end, known = _with_marks(text, stop.end(), final)
        if not known:
            return None, stop.start()
        if _ends(text, stop.start(), end):
            return end, stop.start()
    return None, len(text)


def _cut(text: str) -> int:
    """Return the offset of the last white space of a sentence that is too long, or else `LONGEST`."""
    begin = len(text) - len(text.lstrip())
    return next((at for at in range(LONGEST, begin, -1) if text[at].isspace()), LONGEST)


def _with_marks(text: str, end: int, final: bool) -> tuple[int, bool]:
    """Return the end of a sentence with the marks after it, and whether the text so far decides it."""
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
    """Return whether a sentence ends here.

    White space must follow, and then a possible beginning of another sentence.
    """
    rest = text[end:].lstrip(" \t")
    if not rest or rest[0] == "\n":
        return True
    if len(rest) == len(text) - end:
        return False
    if rest[0].islower() and _GOES_ON.fullmatch(text, stop, end):
        return False
    if text[stop] != ".":
        return True
    if LEAD.fullmatch(text[: stop + 1] + " "):
        return False  # the number of a list's item
    word = text[: stop + 1].rsplit(None, 1)[-1].lstrip("(«\"'“").lower()
    if word == "no." and rest[0].isdigit():
        return False
    if rest[0].islower() and _is_shortened(word):
        return False
    return word not in _ABBREVIATIONS and not INITIAL.search(text[max(0, stop - 2) : stop + 1])


@lru_cache(maxsize=1 << 10)
def _is_shortened(word: str) -> bool:
    """Return whether a word with its dot is an abbreviation of one of the languages that a draft may mix."""
    return any(len(sentence_spans(f"{word} x", language)) == 1 for language in _SPLITTERS)
