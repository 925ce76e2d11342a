"""Does a quote stand in the transcript, word for word, at those seconds, said by that person?

What is compared is the text as it is stored now, not as it was when the answer was drafted. White space
counts as equal to white space; nothing else is forgiven. ``[...]`` in a quote stands for words left out.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from onrecord.types import Citation, Passage

ELLIPSIS = "[...]"
Voice = tuple[str | None] | None
"""Who says something, alone; None where it may be anybody."""
_WORD = re.compile(r"\S+")
_CUT = re.compile(r"\s*\[(?:\.\.\.|…)\]\s*")
_SECONDS = 0.5  # a quote's times may differ by rounding, not by a word


@dataclass(frozen=True, slots=True)
class Span:
    """Where a quote stands: from character `begin` of the first passage to `end` of the last.

    `passages` are all that it touches, in order; `speaker` is who says all of it, None where nobody is
    named or several speak (`speakers` counts them).
    """

    passages: tuple[Passage, ...]
    begin: int
    end: int
    speakers: tuple[str | None, ...]

    @property
    def speaker(self) -> str | None:
        return self.speakers[0] if len(self.speakers) == 1 else None

    @property
    def start(self) -> float | None:
        return self.passages[0].time_at(self.begin)

    @property
    def finish(self) -> float | None:
        return self.passages[-1].time_at(self.end)


def verbatim(quote: str, passages: Sequence[Passage], at: float | None = None) -> Span | None:
    """Where `quote` stands verbatim in `passages`, whole words only; None where it does not.

    Passages that follow one another in a recording are read as one text. Of several places, the one
    nearest to second `at` is given (the first where `at` is None or there are no times).
    """
    spans = _spans(quote, passages)
    if at is None:
        return next(spans, None)
    return min(spans, key=lambda s: abs(s.start - at) if s.start is not None else 0.0, default=None)


def _spans(quote: str, passages: Sequence[Passage], voice: Voice = None) -> Iterator[Span]:
    """Every place where a quote stands; with a `voice`, its parts where that one says them."""
    parts = [p for p in (" ".join(part.split()) for part in _CUT.split(quote)) if p]
    text = _Text(passages)
    places = [list(_whole_words(text.words, part)) for part in parts]
    if voice:
        places = [[p for p in some if text.span([p]).speakers == voice] for some in places]
    return (text.span(pieces) for pieces in _chains(places))


def fault(citation: Citation, stored: Sequence[Passage]) -> str | None:
    """Why a citation may not be shown, or None where it may.

    Args:
        stored: the citation's passages as they are in the archive now.
    """
    own = [passage for passage in stored if passage.recording == citation.recording.id]
    if not any(_spans(citation.quote, stored)):
        return "the quote does not stand in the transcript"
    if not any(_spans(citation.quote, own)):
        return "the quote stands in another recording"
    # "Yeah." is said by many: of a quote in parts, those count that its own speaker says
    spans = list(_spans(citation.quote, own, (citation.speaker,)))
    if not spans:
        return "the quote is not all by the speaker named"
    if not any(_near(s.start, citation.start) and _near(s.finish, citation.end) for s in spans):
        return "the quote stands at other seconds"
    return None


def _near(a: float | None, b: float | None) -> bool:
    return a == b if a is None or b is None else abs(a - b) <= _SECONDS


def _chains(places: Sequence[Sequence[tuple[int, int]]]) -> Iterator[list[tuple[int, int]]]:
    """A place of each part, in order and not overlapping, each as near to the next as it can be."""
    for last in places[-1] if places else []:
        chain = [last]
        for earlier in reversed(places[:-1]):
            before = [p for p in earlier if p[1] < chain[0][0]]
            if not before:
                break
            chain.insert(0, before[-1])
        if len(chain) == len(places):
            yield chain


def _whole_words(text: str, part: str) -> Iterator[tuple[int, int]]:
    begin = text.find(part)
    while begin >= 0:
        end = begin + len(part)
        cuts_word = (text[at - 1 : at].isalnum() and text[at : at + 1].isalnum() for at in (begin, end) if at)
        if not any(cuts_word):
            yield begin, end
        begin = text.find(part, begin + 1)


class _Text:
    """Passages as one text with single spaces, and the way back from its characters to theirs.

    A line break stands between passages that do not follow one another, so that no quote can.
    """

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._passages = passages
        self._places = [(n, m.start(), m[0]) for n, p in enumerate(passages) for m in _WORD.finditer(p.text)]
        self._starts: list[int] = []  # of each word, in the text
        text, before = "", None
        for number, _, word in self._places:
            text += "" if before is None else self._glue(before, number)
            self._starts.append(len(text))
            text += word
            before = number
        self.words = text

    def _glue(self, before: int, number: int) -> str:
        one, other = self._passages[before], self._passages[number]
        follows = one.recording == other.recording and one.position in (other.position, other.position - 1)
        return " " if follows else "\n"

    def _locate(self, at: int) -> tuple[int, int]:
        """(passage, character in it) of a character of the text."""
        word = bisect_right(self._starts, at) - 1
        number, offset, _ = self._places[word]
        return number, offset + at - self._starts[word]

    def span(self, places: Sequence[tuple[int, int]]) -> Span:
        first, begin = self._locate(places[0][0])
        last, end = self._locate(places[-1][1] - 1)
        speakers = dict.fromkeys(name for a, b in places for name in self._speakers(a, b))
        return Span(tuple(self._passages[first : last + 1]), begin, end + 1, tuple(speakers))

    def _speakers(self, a: int, b: int) -> Iterator[str | None]:
        words = self._places[bisect_right(self._starts, a) - 1 : bisect_left(self._starts, b)]
        for number, some in groupby(words, key=itemgetter(0)):
            passage, offsets = self._passages[number], [offset for _, offset, _ in some]
            yield passage.speaker_at(offsets[0])
            yield from (name for begin, name in passage.voices if offsets[0] < begin <= offsets[-1])
