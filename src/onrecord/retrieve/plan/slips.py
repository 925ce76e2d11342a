"""The words that slips of the keyboard or of spelling make another one of."""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_lowercase

_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_VOWELS = "aeiouy"


def _neighbours() -> dict[str, str]:
    """The letters beside each on an English keyboard: in its row, and where rows touch."""
    beside: dict[str, str] = {}
    for row, letters in enumerate(_ROWS):
        above, below = ("", *_ROWS)[row], (*_ROWS, "")[row + 1]
        for at, letter in enumerate(letters):
            beside[letter] = (
                letters[max(at - 1, 0) : at]
                + letters[at + 1 : at + 2]
                + above[at : at + 2]
                + below[max(at - 1, 0) : at + 1]
            )
    return beside


_BESIDE = _neighbours()


def surest(word: str) -> set[str]:
    """What a word is, if two of its letters were exchanged, one was doubled, one of two left out, or another
    one doubled than should be ("tarrif")."""
    swapped = (word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1))
    single = {word[:i] + word[i + 1 :] for i in range(1, len(word)) if word[i] == word[i - 1]}
    moved = (other for one in single for other in _doubled(one))
    return {*swapped, *single, *moved, *_doubled(word)} - {word}


def _doubled(word: str) -> Iterator[str]:
    return (word[:i] + word[i] + word[i:] for i in range(len(word)))


def likely(word: str) -> set[str]:
    """What a word is, if a letter was left out, or, in words of six letters and more, the neighbour on the
    keyboard was hit instead of one or with it. Its ends are what they should be: another last letter makes
    another form of a word more often than a slip does."""
    missing = {word[:i] + c + word[i:] for i in range(1, len(word)) for c in ascii_lowercase}
    if len(word) < 6:
        return missing - {word}
    instead = (word[:i] + c + word[i + 1 :] for i in _inner(word) for c in _BESIDE.get(word[i], ""))
    with_it = (word[:i] + word[i + 1 :] for i in _inner(word) if _hit_with(word, i))
    return missing.union(instead, with_it) - {word}


def other_vowels(word: str) -> set[str]:
    """What a word of seven letters and more is, if a vowel stands for another."""
    if len(word) < 7:
        return set()
    vowels = [i for i in _inner(word) if word[i] in _VOWELS]
    return {word[:i] + c + word[i + 1 :] for i in vowels for c in _VOWELS} - {word}


def unlikely(word: str) -> set[str]:
    """What else a word could be that one letter less, more or other makes of it, but for the first."""
    other = (word[:i] + c + word[i + 1 :] for i in range(1, len(word)) for c in ascii_lowercase)
    more = (word[:i] + word[i + 1 :] for i in range(1, len(word)))
    less = (word + c for c in ascii_lowercase)
    return {*other, *more, *less} - {word}


def _inner(word: str) -> range:
    """Where its letters stand, without the first, the last, and a plural's s."""
    return range(1, len(word.removesuffix("s")) - 1)


def _hit_with(word: str, at: int) -> bool:
    return any(other in _BESIDE.get(word[at], "") for other in (word[at - 1], word[at + 1]))
