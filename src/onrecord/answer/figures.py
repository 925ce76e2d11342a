"""The numbers in a text, in digits or in words, English or French; and all that texts name, read once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from onrecord.retrieve.quantities import quantities
from onrecord.stores.words import fold, terms

_DIGITS = re.compile(r"(?<![\w.,])[^\W\d_]{0,2}(\d{1,3}(?:[,\u00a0\u202f' ]\d{3})+(?!\d)|\d+)([.,]\d+)?")
_WORD = re.compile(r"[^\W\d_]+")
_SCALES = {
    **dict.fromkeys(("hundred", "cent", "cents"), 1e2),
    **dict.fromkeys(("thousand", "mille", "k"), 1e3),
    **dict.fromkeys(("million", "millions", "m", "mn"), 1e6),
    **dict.fromkeys(("billion", "milliard", "milliards", "bn"), 1e9),
    "trillion": 1e12,
}
_COUNTED = (
    (0, 1, "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"),
    (16, 1, "sixteen seventeen eighteen nineteen"),
    (20, 10, "twenty thirty forty fifty sixty seventy eighty ninety"),
    (1, 1, "first second third fourth fifth sixth seventh eighth ninth tenth"),
    (0, 1, "zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"),
    (20, 10, "vingt trente quarante cinquante soixante"),
)
_WORDS = {
    **{word: first + step * n for first, step, words in _COUNTED for n, word in enumerate(words.split())},
    "vingts": 20,
    "dozen": 12,
    "half": 0.5,
    "quarter": 0.25,
}


def figures(text: str) -> list[tuple[str, float]]:
    """The numbers written in digits, as they stand there and as values: ("3.5", 3.5), ("1,200", 1200.0)."""
    found = []
    for match in _DIGITS.finditer(text):
        whole = re.sub(r"\D", "", match[1])
        part = match[2] or ""
        if part.startswith(",") and len(part) == 4:  # 12,345 where the first rule left it: thousands
            whole, part = whole + part[1:], ""
        found.append((match[0], float(whole + part.replace(",", "."))))
    return found


def values(text: str) -> frozenset[float]:
    """Every value that a text may be said to name: figures, number words, and both times the scale words
    that follow ("3.5 million" is 3.5 and 3,500,000)."""
    folded = fold(text)
    found = {value for _, value in figures(folded)}
    for match in _DIGITS.finditer(folded):
        scale = _WORD.match(folded, match.end() + (folded[match.end() : match.end() + 1] in (" ", "-")))
        if scale and scale[0] in _SCALES:
            found |= {value * _SCALES[scale[0]] for _, value in figures(match[0])}
    return frozenset(found | _spelled(_WORD.findall(folded)))


def _spelled(words: list[str]) -> set[float]:
    """The values of number words: "twenty three" is 20, 3 and 23; "twenty twenty four" 2024 as well."""
    found: set[float] = set()
    run: list[str] = []
    for word in [*words, ""]:
        if word in _WORDS or (run and word in _SCALES):
            run.append(word)
        elif run and word not in ("and", "et"):
            found |= _of_run(run)
            run = []
    return found


def _of_run(run: list[str]) -> set[float]:
    found: set[float] = set()
    total = current = century = 0.0
    for word in run:
        if word in _SCALES:
            current = max(current, 1.0) * _SCALES[word]
            if _SCALES[word] >= 1e3:
                total, current = total + current, 0.0
            continue
        value = float(_WORDS[word])
        found.add(value)
        if current % 100 == 0 or (value < 10 and current % 100 >= 20 and current % 10 == 0):
            current += value
        else:  # another number begins: perhaps the second half of a year
            found.add(total + current)
            century = current if 10 <= current < 100 else 0.0
            total, current = 0.0, value
    return found | {total + current} | ({100 * century + current} if century else set())


@dataclass(frozen=True, slots=True)
class Known:
    """Every value that texts may be said to name, and every term in them."""

    values: frozenset[float] = frozenset()
    terms: frozenset[str] = frozenset()

    def __or__(self, other: Known) -> Known:
        return Known(self.values | other.values, self.terms | other.terms)


def known(texts: Iterable[str]) -> Known:
    """What some texts name. Each is read by itself: a number does not go on in the next one."""
    return together(Known(_values(text), frozenset(terms(text))) for text in texts)


def _values(text: str) -> frozenset[float]:
    return values(text) | {quantity.value for quantity in quantities(text)}


def together(several: Iterable[Known]) -> Known:
    found = Known()
    for one in several:
        found |= one
    return found
