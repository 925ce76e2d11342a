"""Summaries of sections: one or two of their sentences, word for word."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from onrecord.ingest.sections.cues import cues
from onrecord.ingest.sections.words import Words, content, unit
from onrecord.ingest.sentences import sentence_spans
from onrecord.types import Passage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from onrecord.types import Scores, Vectors

_LOOKED_AT = 3
"""How many passages, nearest to the mean of the section, sentences are taken from."""
_SHORTEST, _LONGEST = 8, 45
"""The least words of a sentence, and the most of a summary."""


def summary(
    passages: Sequence[Passage], words: Words, rows: Vectors, importance: Scores, language: str
) -> str:
    """Return the most central sentence of the passages, and a second if there is room, in spoken order.

    Returns "" if no sentence has 8 to 45 words. `rows` (unit vectors), `words` and `importance` are those of
    all passages of the recording.
    """
    places = np.array([passage.position for passage in passages])
    near = rows[places] @ unit(rows[places].sum(axis=0, keepdims=True))[0] + importance[places]
    looked_at = sorted(np.argsort(-near, kind="stable")[:_LOOKED_AT].tolist())
    often: Counter[str] = Counter()
    for at in places:
        often.update(words.counts[at])
    weights = {word: count * words.rarity(word) for word, count in often.items()}
    said = [
        (_worth(sentence, weights), at, begin, sentence)
        for at in looked_at
        for begin, sentence in _sentences(passages[at], language)
    ]
    chosen: list[tuple[int, int, str]] = []
    room = _LONGEST
    for _, at, begin, sentence in sorted(said, reverse=True):
        size = len(sentence.split())
        if size <= room and len(chosen) < 2:
            chosen.append((at, begin, sentence))
            room -= size
    return " ".join(sentence for *_, sentence in sorted(chosen))


def _sentences(passage: Passage, language: str) -> Iterator[tuple[int, str]]:
    """Yield the statements of single voices, with their offsets."""
    begins = [begin for begin, _ in passage.voices] or [0]
    for begin, end in zip(begins, [*begins[1:], len(passage.text)], strict=True):
        for first, last in sentence_spans(passage.text[begin:end], language):
            sentence = passage.text[begin + first : begin + last].strip()
            if _SHORTEST <= len(sentence.split()) <= _LONGEST and not sentence.endswith("?"):
                yield begin + first, sentence


def _worth(sentence: str, weights: Mapping[str, float]) -> float:
    """Rate a sentence by its frequent and specific words, over the square root of its length.

    A sentence that moves on to something else ("our next question ...") is worth less.
    """
    said = sentence.split()
    known = {content(re.sub(r"[^\w'\u2019-]", "", word)) for word in said} - {""}
    weight = sum(weights.get(word, 0.0) for word in known)
    return weight / sqrt(len(said)) / (1 + cues(said))
