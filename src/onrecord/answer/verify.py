"""The check that a quote stands in the transcript, word for word, at its seconds, said by its speaker.

The text is compared as it is stored now, not as it was when the answer was drafted. All white space counts as
equal; nothing else is forgiven. ``[...]`` in a quote stands for omitted words.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from onrecord.types import Citation, Passage

ELLIPSIS = "[...]"
_WORD = re.compile(r"\S+")
_MINUS = re.compile(r"(?<!\S)[-\u2010\u2011\u2012\u2013\u2212]\d$")  # and the first digit of a quote
OMISSION = re.compile(r"\[(?:\.\.\.|…)\]")
_MOST_PARTS = 200
"""The most parts of a quote. No answer has quotes of more. Each is searched for in the whole text."""
_MOST_STEPS = 50_000
"""The number of places of parts after which no further place of a quote in several parts is looked for."""
_SECONDS = 0.5  # a quote's times may differ by rounding, not by a word


@dataclass(frozen=True, slots=True)
class Span:
    """The place of a quote, from character `begin` of the first passage to character `end` of the last one.

    `passages` are all passages that the quote touches, in order. `speaker` is who says all of it, or None if
    the speaker is unknown or several people speak. `speakers` lists them, each once.
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
    """Return where `quote` stands verbatim in `passages`, whole words only; None if it does not.

    Passages that follow one another in a recording are read as one text. Of several places, return the one
    nearest to second `at`, or the first one if `at` is None or the passages have no times.
    """
    spans = JoinedText(passages).spans(quote)
    if at is None:
        return next(spans, None)
    return min(spans, key=lambda s: abs(s.start - at) if s.start is not None else 0.0, default=None)


def citation_fault(citation: Citation, stored: Sequence[Passage]) -> str | None:
    """Return why a citation may not be shown, or None if it may.

    Args:
        stored: the citation's passages as they are in the archive now.
    """
    own = JoinedText([passage for passage in stored if passage.recording == citation.recording.id])
    if next(own.spans(citation.quote), None) is None:
        elsewhere = next(JoinedText(stored).spans(citation.quote), None)
        return (
            f"the quote {'stands in another recording' if elsewhere else 'does not stand in the transcript'}"
        )
    # many speakers say "Yeah.": of a quote in parts, only places where its own speaker talks count
    spans = list(own.spans(citation.quote, said_by=(citation.speaker,)))
    if not spans:
        return "the quote is not all by the speaker named"
    for span in spans:
        if _near(span.start, citation.start) and _near(span.finish, citation.end):
            return None
    return "the quote stands at other seconds"


def _near(a: float | None, b: float | None) -> bool:
    return a == b if a is None or b is None else abs(a - b) <= _SECONDS


class JoinedText:
    """Passages joined into one text with single spaces, and a map from its characters back to the passages.

    A line break separates passages that do not follow one another, so that no quote can span them.
    """

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._passages = passages
        self._words: list[tuple[int, int]] = []  # each word's passage number, and its offset in the passage
        self._starts: list[int] = []  # each word's offset in the joined text
        text, previous = "", None
        for number, passage in enumerate(passages):
            for word in _WORD.finditer(passage.text):
                if previous is not None:
                    same = previous.recording == passage.recording
                    follows = same and passage.position - previous.position in (0, 1)
                    text += " " if previous is passage or follows else "\n"
                self._words.append((number, word.start()))
                self._starts.append(len(text))
                text += word[0]
                previous = passage
        self.text = text

    def spans(self, quote: str, said_by: tuple[str | None] | None = None) -> Iterator[Span]:
        """Yield the places of a quote; only the first ones if its parts stand in thousands of places.

        With `said_by`, each part of the quote must be said by that speaker alone.
        """
        parts = [words for part in OMISSION.split(quote) if (words := " ".join(part.split()))]
        if len(parts) > _MOST_PARTS:
            return iter(())
        places = {
            words: [p for p in self._find(words) if said_by is None or self._span([p]).speakers == said_by]
            for words in dict.fromkeys(parts)
        }
        return map(self._span, _chains([places[words] for words in parts]))

    def _find(self, words: str) -> Iterator[tuple[int, int]]:
        """Yield (begin, end) of each place of some words, except where it cuts a word or number in two."""
        text = self.text
        begin = text.find(words)
        while begin >= 0:
            end = begin + len(words)
            cuts_before = begin > 0 and text[begin - 1].isalnum() and text[begin].isalnum()
            cuts_after = text[end - 1].isalnum() and text[end : end + 1].isalnum()
            if not (cuts_before or cuts_after or _MINUS.search(text, max(0, begin - 2), begin + 1)):
                yield begin, end
            begin = text.find(words, begin + 1)

    def _span(self, places: Sequence[tuple[int, int]]) -> Span:
        """Return the span from the first place to the last, with the speakers of the words in the places."""
        speakers: list[str | None] = []
        for begin, end in places:
            offsets: dict[int, list[int]] = {}  # the offsets of the words, by passage number
            inside = slice(bisect_right(self._starts, begin) - 1, bisect_left(self._starts, end))
            for number, offset in self._words[inside]:
                offsets.setdefault(number, []).append(offset)
            for number, within in offsets.items():
                passage = self._passages[number]
                speakers.append(passage.speaker_at(within[0]))
                speakers += [name for at, name in passage.voices if within[0] < at <= within[-1]]
        first, begin = self._locate(places[0][0])
        last, end = self._locate(places[-1][1] - 1)
        passages = tuple(self._passages[first : last + 1])
        return Span(passages, begin, end + 1, tuple(dict.fromkeys(speakers)))

    def _locate(self, at: int) -> tuple[int, int]:
        """Return the number of the passage, and the offset in it, of a character of the text."""
        word = bisect_right(self._starts, at) - 1
        number, offset = self._words[word]
        return number, offset + at - self._starts[word]


def _chains(places: Sequence[Sequence[tuple[int, int]]]) -> Iterator[list[tuple[int, int]]]:
    """Yield one place of each part, in order and without overlap, each as near to the next as possible.

    The places of a part are in order. They are searched by bisection, and only the first ones, because a
    quote may have many parts that stand in thousands of places.
    """
    if not places or not all(places):
        return
    earlier = [(part, [end for _, end in part]) for part in reversed(places[:-1])]
    most = _MOST_STEPS // len(earlier) if earlier else None
    for last in places[-1][:most]:
        chain = [last]
        for part, ends in earlier:
            before = bisect_left(ends, chain[-1][0])
            if not before:
                break
            chain.append(part[before - 1])
        if len(chain) == len(places):
            yield chain[::-1]
