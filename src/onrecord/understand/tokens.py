"""The words of a question, each with where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from onrecord.stores.words import fold, singular

_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+")


@dataclass(frozen=True, slots=True)
class Token:
    """One word: as it is written, where it begins and ends, and its folded singular."""

    text: str
    begin: int
    end: int
    word: str

    @property
    def capital(self) -> bool:
        """Whether it is written as names are: with a capital, or with a figure in it."""
        return self.text[0].isupper() or any(map(str.isdigit, self.text))


@lru_cache(1 << 14)
def word_of(text: str) -> str:
    """The folded singular of one word."""
    return singular(fold(text))


def tokens(text: str) -> tuple[Token, ...]:
    """The words of a text, in order."""
    return tuple(
        Token(found[0], found.start(), found.end(), word_of(found[0])) for found in _WORD.finditer(text)
    )


def words(text: str) -> tuple[str, ...]:
    """The folded singulars of the words of a text, in order."""
    return tuple(map(word_of, _WORD.findall(text)))


def span_text(text: str, some: Iterable[Token]) -> str:
    """The part of a text from the first of some tokens to the last."""
    held = tuple(some)
    return text[held[0].begin : held[-1].end] if held else ""
