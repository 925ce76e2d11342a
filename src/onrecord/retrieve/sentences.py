"""The sentences of a passage, each with its speaker and its span in the text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from onrecord.ingest.language import sentence_spans
from onrecord.types import Passage

Spans = list[tuple[int, int]]

# Abbreviations whose final dot does not end a sentence, unknown to the language's splitter.
_ABBREVIATIONS = {
    "fr": frozenset(
        (
            *("M.", "MM.", "Mme.", "Mmes.", "Mlle.", "Mlles.", "Me.", "Mgr.", "Dr.", "Pr.", "St.", "Ste."),
            *("c.-à-d.", "cf.", "env.", "éd.", "p.", "pp.", "réf.", "tél."),
        )
    ),
}
INITIAL = re.compile(r"(?:^|[\s.(-])[A-HJ-Z]\.$")  # "I." ends a sentence
_JOINS = re.compile(r"(?:and|but|so|because|which|et|mais|donc|car|parce)\b", re.IGNORECASE)
_LONGEST = 45  # words: a longer "sentence" is a transcript without punctuation
_PIECE = 22  # words: about the length of a spoken sentence
_PAUSE = 0.6  # seconds from one word's start to the next: more than any word takes


@dataclass(frozen=True)
class Sentence:
    """The characters `begin`..`end` of a passage's text, spoken by one speaker.

    `opens` is False for a piece of a longer sentence that does not begin it; `closes` is False for one that
    does not end it.
    """

    passage: Passage
    begin: int
    end: int
    opens: bool = True
    closes: bool = True

    @cached_property
    def text(self) -> str:
        """The words, without the speaker."""
        return self.passage.text[self.begin : self.end]

    @cached_property
    def speaker(self) -> str | None:
        """The speaker; None if unknown."""
        return self.passage.speaker_at(self.begin)

    @cached_property
    def spoken(self) -> str:
        """The words after the speaker's name, in the form in which passages are indexed and embedded."""
        return f"{self.speaker}: {self.text}" if self.speaker else self.text

    @cached_property
    def words(self) -> int:
        """The number of words."""
        return len(self.text.split())


def is_question(text: str) -> bool:
    """Return whether a text ends with a question mark."""
    return text.rstrip("\"'”’») ").endswith("?")


def sentences(passage: Passage, language: str | None = None) -> list[Sentence]:
    """Return the sentences of a passage in order; no sentence spans two speakers.

    Speech without punctuation is cut at its pauses, or by length if the timestamps are too coarse to show
    pauses. Only white space is dropped.
    """
    code = (language or "en").split("-")[0].lower()
    abbreviations = _ABBREVIATIONS.get(code, frozenset())
    result: list[Sentence] = []
    for begin, end, _ in passage.turns:
        spans = [(begin + a, begin + b) for a, b in sentence_spans(passage.text[begin:end], code)]
        for span in _merged(passage.text, spans, abbreviations):
            pieces = _pieces(passage, span)
            result += [Sentence(passage, a, b, a == span[0], b == span[1]) for a, b in pieces]
    return result


def _merged(text: str, spans: Spans, abbreviations: frozenset[str]) -> Spans:
    """Merge spans if a dot, or a missing space, shows that no sentence ended between them."""
    merged: Spans = []
    for begin, end in spans:
        before = text[merged[-1][0] : merged[-1][1]] if merged else ""
        if before.endswith("."):
            last = before.rsplit(None, 1)[-1].lstrip("(«\"'")
            if begin == merged[-1][1] or last in abbreviations or INITIAL.search(before):
                begin = merged.pop()[0]
        merged.append((begin, end))
    return merged


def _pieces(passage: Passage, span: tuple[int, int]) -> Spans:
    """Return a sentence of normal length whole, and a longer run cut at its pauses or between clauses."""
    if len(passage.text[span[0] : span[1]].split()) <= _LONGEST:
        return [span]
    starts = [span[0] + m.start() for m in re.finditer(r"\S+", passage.text[span[0] : span[1]])]
    cuts = [starts[0]]
    while len(starts) > _LONGEST:
        starts = starts[_break(passage, starts) :]
        cuts.append(starts[0])
    return [(a, len(passage.text[:b].rstrip())) for a, b in pairwise([*cuts, span[1]])]


def _break(passage: Passage, starts: Sequence[int]) -> int:
    """Return the number of words in the first piece: about the length of a sentence."""
    near = range(_PIECE // 2, _PIECE + _PIECE // 2)
    pauses = dict.fromkeys(near, 0.0)  # seconds before each word, if it has a timestamp
    clock = [passage.time_at(at) for at in starts[: near.stop]] if passage.marks else []
    for i, (before, now) in enumerate(pairwise(clock), 1):
        if before is not None and now is not None:
            pauses[i] = now - before
    longest = max(near, key=lambda i: (pauses[i], -i))
    if pauses[longest] > _PAUSE:
        return longest

    def clause(i: int) -> int:
        ending, word = passage.text[starts[i - 1] : starts[i]].rstrip(), passage.text[starts[i] :]
        return 2 if ending.endswith((",", ";", ":", "-", "—", "…")) else 1 if _JOINS.match(word) else 0

    return max(near, key=lambda i: (clause(i), -abs(i - _PIECE)))
