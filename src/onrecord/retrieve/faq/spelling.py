"""Misspelt words of a question, set right by the words of the FAQ."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

from onrecord.retrieve.faq.text import words

SHORTEST = 4
_WORD = re.compile(rf"\b[^\W\d_]{{{SHORTEST},}}\b")


class Spelling:
    """A word that no text of the FAQ holds gives way to the most frequent one that begins alike and is one
    letter away: one more, one less, another, or two neighbours exchanged (Damerau 1964)."""

    def __init__(self, texts: Iterable[str]) -> None:
        counts = Counter(word for text in texts for word in words(text))
        self._known = frozenset(counts)
        self._by_shape: dict[tuple[str, int], list[str]] = defaultdict(list)
        for word, _ in counts.most_common():
            if len(word) >= SHORTEST and word.isalpha():
                self._by_shape[word[0], len(word)].append(word)

    def corrected(self, text: str) -> str:
        """The text with its misspelt words set right; the same where there are none."""
        return _WORD.sub(self._corrected, text)

    def _corrected(self, found: re.Match[str]) -> str:
        word = found[0].lower()
        if word in self._known:
            return found[0]
        near = (w for size in (0, 1, -1) for w in self._by_shape.get((word[0], len(word) + size), ()))
        return next((known for known in near if one_apart(word, known)), found[0])


def one_apart(one: str, other: str) -> bool:
    """Whether two different words are one letter apart, or two neighbouring letters are exchanged."""
    at = 0
    while at < min(len(one), len(other)) and one[at] == other[at]:
        at += 1
    if len(one) == len(other):
        exchanged = one[at : at + 2] == other[at : at + 2][::-1] and one[at + 2 :] == other[at + 2 :]
        return one[at + 1 :] == other[at + 1 :] or exchanged
    short, long = sorted((one, other), key=len)
    return len(long) - len(short) == 1 and short[at:] == long[at + 1 :]
