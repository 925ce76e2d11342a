"""The numbers in a text, in digits or in words; and all that texts name, read once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from onrecord.retrieve.quantities import quantities
from onrecord.stores.words import fold, terms

_DIGITS = re.compile(r"(?<![\w.,])[^\W\d_]{0,2}(\d{1,3}(?:[,\u00a0\u202f' ]\d{3})+(?!\d)|\d+)([.,]\d+)?")


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
    """Every value that a text names: its figures as they stand, and its quantities, in digits or in words,
    with their scale: "3.5 million" is 3.5 and 3,500,000."""
    named = {value for _, value in figures(fold(text))}
    return frozenset(named | {quantity.value for quantity in quantities(text)})


@dataclass(frozen=True, slots=True)
class Known:
    """Every value that texts may be said to name, and every term in them."""

    values: frozenset[float] = frozenset()
    terms: frozenset[str] = frozenset()

    def __or__(self, other: Known) -> Known:
        return Known(self.values | other.values, self.terms | other.terms)


def known(texts: Iterable[str]) -> Known:
    """What some texts name. Each is read by itself: a number does not go on in the next one."""
    return together(Known(values(text), frozenset(terms(text))) for text in texts)


def together(several: Iterable[Known]) -> Known:
    found = Known()
    for one in several:
        found |= one
    return found
