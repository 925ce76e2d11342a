"""Titles and summaries of sections, from their kind and speaker, or from their words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from math import log, sqrt
from typing import TYPE_CHECKING

import numpy as np

from onrecord.ingest.language import sentence_spans
from onrecord.ingest.sections.kinds import Span
from onrecord.ingest.sections.words import DATA, Words, content_stem, count_cues, unit_rows
from onrecord.types import Passage

if TYPE_CHECKING:
    from onrecord.types import Scores, Vectors

_PHRASES = 3
"""The most phrases in a title."""
_LONGEST = 3
"""The most words of a phrase."""


class Titles:
    """Assigns titles that are unique in a recording: repeated titles are numbered."""

    def __init__(
        self, words: Words, language: str, taken: Iterable[str] = (), names: Iterable[str] = ()
    ) -> None:
        self._words = words
        self._by_kind = DATA["titles"]["fr" if language.startswith("fr") else "en"]
        self._taken = Counter(taken)
        self._names = {content_stem(word) for name in names for word in name.split()}

    def of(self, span: Span) -> str:
        """Return the title of a span; "Part" if no phrase is specific to it."""
        pattern = self._by_kind.get(span.kind or "", "")
        if "{who}" in pattern and not span.who:
            pattern = ""
        title = pattern.format(who=span.who) or key_phrases(self._words, span, self._names) or "Part"
        self._taken[title] += 1
        return title if self._taken[title] == 1 else f"{title} ({self._taken[title]})"


def key_phrases(words: Words, span: Span, without: AbstractSet[str] = frozenset()) -> str:
    """Return the phrases that set a span apart: "Freight costs, Lyon plant"; "" if none occurs twice.

    A phrase is a run of up to three words that carry meaning. Its weight rises with its count in the span,
    its rarity in the rest of the recording, and its number of words (Rose et al., Automatic Keyword
    Extraction from Individual Documents, 2010, with rarity in place of degree).
    """
    phrases: Counter[tuple[str, ...]] = Counter()
    spellings: dict[tuple[str, ...], tuple[str, ...]] = {}
    for at in range(span.first, span.last + 1):
        for stems, tokens in _content_runs(words.tokens[at], without):
            for part in _slices(len(stems)):
                if len(set(stems[part])) == part.stop - part.start:  # no word occurs twice
                    phrases[stems[part]] += 1
                    spellings.setdefault(stems[part], tokens[part])
    inside = Counter(word for at in range(span.first, span.last + 1) for word in words.counts[at])
    size = (span.last - span.first + 1) / len(words)
    scores = {
        key: count * log(1 + count) * _weight(key, inside, words.passages, size) * len(key)
        for key, count in phrases.items()
        if count > 1
    }
    chosen: list[tuple[str, ...]] = []
    for key in sorted(scores, key=lambda key: (-scores[key], key)):
        if len(chosen) < _PHRASES and not any(set(key) & set(other) for other in chosen):
            chosen.append(key)
    title = ", ".join(" ".join(spellings[key]) for key in chosen)
    return title[:1].upper() + title[1:]


def _content_runs(
    tokens: Sequence[str], without: AbstractSet[str]
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield runs of words with meaning: their stems, and their spellings."""
    plain = [content_stem(word) for word in tokens]
    begin = 0
    for at, word in enumerate([*plain, ""]):
        if not word or word in without:
            if at > begin:
                yield tuple(plain[begin:at]), tuple(tokens[begin:at])
            begin = at + 1


@lru_cache(1000)
def _slices(length: int) -> tuple[slice, ...]:
    """Return the possible positions of phrases of up to three words in a run of this length."""
    return tuple(
        slice(begin, end)
        for begin in range(length)
        for end in range(begin + 1, min(begin + _LONGEST, length) + 1)
    )


def _weight(
    key: Sequence[str], inside: Mapping[str, int], everywhere: Mapping[str, int], size: float
) -> float:
    """Return how far the span's share of these words exceeds `size`, its share of the recording.

    The result is at least 0.15.
    """
    share = sum(inside[word] for word in key) / sum(everywhere[word] for word in key)
    return max(0.05, share - size) + 0.1


# ---------------------------------------------------------------- summaries

_SOURCE_PASSAGES = 3
"""The number of passages, nearest to the mean of the section, that provide sentences."""
_SHORTEST, _LONGEST_SUMMARY = 8, 45
"""The fewest words of a sentence, and the most words of a summary."""


def summarize(
    passages: Sequence[Passage], words: Words, rows: Vectors, importance: Scores, language: str
) -> str:
    """Return the most central sentence of the passages, and a second if there is room, in spoken order.

    Returns "" if no sentence has 8 to 45 words. `rows` (unit vectors), `words` and `importance` describe all
    passages of the recording.
    """
    places = np.array([passage.position for passage in passages])
    near = rows[places] @ unit_rows(rows[places].sum(axis=0, keepdims=True))[0] + importance[places]
    nearest = sorted(np.argsort(-near, kind="stable")[:_SOURCE_PASSAGES].tolist())
    frequency: Counter[str] = Counter()
    for at in places:
        frequency.update(words.counts[at])
    weights = {word: count * words.rarity(word) for word, count in frequency.items()}
    candidates = [
        (_score_sentence(sentence, weights), at, begin, sentence)
        for at in nearest
        for begin, sentence in _sentences(passages[at], language)
    ]
    chosen: list[tuple[int, int, str]] = []
    room = _LONGEST_SUMMARY
    for _, at, begin, sentence in sorted(candidates, reverse=True):
        size = len(sentence.split())
        if size <= room and len(chosen) < 2:
            chosen.append((at, begin, sentence))
            room -= size
    return " ".join(sentence for *_, sentence in sorted(chosen))


def _sentences(passage: Passage, language: str) -> Iterator[tuple[int, str]]:
    """Yield the statements of single speakers, with their offsets."""
    for begin, end, _ in passage.turns:
        for first, last in sentence_spans(passage.text[begin:end], language):
            sentence = passage.text[begin + first : begin + last].strip()
            if _SHORTEST <= len(sentence.split()) <= _LONGEST_SUMMARY and not sentence.endswith("?"):
                yield begin + first, sentence


def _score_sentence(sentence: str, weights: Mapping[str, float]) -> float:
    """Return a sentence's score: its frequent and specific words over the square root of its length.

    A sentence that announces a new topic ("our next question ...") scores lower.
    """
    words = sentence.split()
    stems = {content_stem(re.sub(r"[^\w'\u2019-]", "", word)) for word in words} - {""}
    weight = sum(weights.get(word, 0.0) for word in stems)
    return weight / sqrt(len(words)) / (1 + count_cues(words))
