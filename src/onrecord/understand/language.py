"""The language that a question is in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from onrecord.understand.intents import example_words
from onrecord.understand.lexicon import read_made
from onrecord.understand.tokens import words

_ENOUGH, _SHARE = 4, 4
"""Of so many words, at least one in so many is of a language that a question is in."""


@cache
def _by_language() -> Mapping[str, frozenset[str]]:
    """The words of the example questions of each language."""

    def make(data: Mapping[str, Mapping[str, Sequence[str]]]) -> dict[str, list[str]]:
        found: dict[str, set[str]] = {}
        for by in data.values():
            for language, texts in by.items():
                found.setdefault(language, set()).update(word for t in texts for word in example_words(t))
        return {language: sorted(some) for language, some in found.items()}

    made = read_made("intents.yaml", "languages", make)
    return {language: frozenset(some) for language, some in made.items()}


def language_of(text: str) -> str | None:
    """The language whose example questions have most of the words of a text; None for another one.

    Of few words, and where none has more, it is the first."""
    some = words(text[:1000])
    counts = {code: sum(word in known for word in some) for code, known in _by_language().items()}
    best = max(counts, key=lambda code: counts[code])
    if len(some) >= _ENOUGH and counts[best] * _SHARE < len(some):
        return None
    return best if counts[best] else next(iter(counts))
