"""The sentences of a passage: by whom, where in the text, at which seconds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from onrecord.ingest.sentences import sentence_spans
from onrecord.types import Passage

Spans = list[tuple[int, int]]

# What ends in a dot without ending a sentence, where the splitter of the language does not know it.
_ABBREVIATIONS = {
    "fr": frozenset(
        (
            *("M.", "MM.", "Mme.", "Mmes.", "Mlle.", "Mlles.", "Me.", "Mgr.", "Dr.", "Pr.", "St.", "Ste."),
            *("c.-à-d.", "cf.", "env.", "éd.", "p.", "pp.", "réf.", "tél."),
        )
    ),
}
_INITIAL = re.compile(r"(?:^|[\s.-])[A-HJ-Z]\.$")  # "I." ends a sentence
_LONGEST = 40  # words: a longer "sentence" is a transcript without punctuation
_PIECE = 22  # words: about what a spoken sentence has
_PAUSE = 0.6  # seconds from one word's start to the next: more than any word takes


@dataclass(frozen=True, slots=True)
class Sentence:
    """The characters `begin`..`end` of a passage's text, said by one speaker."""

    passage: Passage
    begin: int
    end: int

    @property
    def text(self) -> str:
        return self.passage.text[self.begin : self.end]

    @property
    def speaker(self) -> str | None:
        return self.passage.speaker_at(self.begin)

    @property
    def words(self) -> int:
        return len(self.text.split())


def sentences(passage: Passage, language: str | None = None) -> list[Sentence]:
    """The sentences of a passage in order; none crosses from one speaker to another.

    Speech without punctuation is cut at its pauses, and by length where the times are too coarse to
    show any. Nothing but white space is left out.
    """
    code = (language or "en").split("-")[0].lower()
    found = []
    for begin, end in _turns(passage):
        spans = [(begin + a, begin + b) for a, b in sentence_spans(passage.text[begin:end], code)]
        for span in _merged(passage.text, spans, _ABBREVIATIONS.get(code, frozenset())):
            found += [Sentence(passage, a, b) for a, b in _pieces(passage, span)]
    return found


def _turns(passage: Passage) -> Iterator[tuple[int, int]]:
    borders = sorted({0, len(passage.text), *(offset for offset, _ in passage.voices)})
    return pairwise(borders)


def _merged(text: str, spans: Spans, abbreviations: frozenset[str]) -> Spans:
    """Spans put together again where a dot, or the lack of a space, shows that none ended there."""
    merged: Spans = []
    for begin, end in spans:
        if merged and _goes_on(text[merged[-1][0] : merged[-1][1]], begin - merged[-1][1], abbreviations):
            begin = merged.pop()[0]
        merged.append((begin, end))
    return merged


def _goes_on(sentence: str, gap: int, abbreviations: frozenset[str]) -> bool:
    if not sentence.endswith("."):
        return False
    last = sentence.rsplit(None, 1)[-1].lstrip("(«\"'")
    return gap == 0 or last in abbreviations or _INITIAL.search(sentence) is not None


def _pieces(passage: Passage, span: tuple[int, int]) -> Spans:
    """A sentence of sane length as it is; a longer run cut at its pauses, or by length."""
    starts = [span[0] + m.start() for m in re.finditer(r"\S+", passage.text[span[0] : span[1]])]
    cuts = [starts[0]]
    while len(starts) > _LONGEST:
        size = _break(passage, starts)
        starts = starts[size:]
        cuts.append(starts[0])
    return [(a, _rstrip(passage.text, b)) for a, b in pairwise([*cuts, span[1]])]


def _break(passage: Passage, starts: Sequence[int]) -> int:
    """How many words to take: up to the longest pause around the wanted length, or just that length."""
    near = range(_PIECE // 2, _PIECE + _PIECE // 2)
    clock = [passage.time_at(at) for at in starts[: near.stop]]
    gaps = [
        (now - before, -i)
        for i in near
        if (now := clock[i]) is not None and (before := clock[i - 1]) is not None
    ]
    longest, at = max(gaps, default=(0.0, 0))
    return -at if longest > _PAUSE else _PIECE


def _rstrip(text: str, end: int) -> int:
    return len(text[:end].rstrip())
