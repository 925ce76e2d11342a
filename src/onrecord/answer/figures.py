"""The figures in a text, in digits or in words, and the content of texts: their figures and terms."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from onrecord.retrieve.quantities import in_digits, quantities
from onrecord.stores.words import fold, terms

_DIGITS = re.compile(r"(?<![\w.,])[^\W\d_]{0,2}(\d{1,3}(?:[,\u00a0\u202f' ]\d{3})+(?!\d)|\d+)([.,]\d+)?")


def figures(text: str) -> list[tuple[str, float]]:
    """Return the numbers in digits, as text and as value: ("3.5", 3.5), ("1,200", 1200.0)."""
    return [(match[0], in_digits(match[1], match[2])) for match in _DIGITS.finditer(text)]


def values(text: str) -> frozenset[float]:
    """Return every value that a text names: its figures as they stand, and its quantities.

    Quantities may be in digits or in words and include their scale: "3.5 million" is 3.5 and 3,500,000. Parts
    are also percentages: "a quarter" is 0.25 and 25.
    """
    named = {value for _, value in figures(fold(text))}
    named.update(value for quantity in quantities(text) for value in (quantity.value, quantity.percent))
    return frozenset(named)


@dataclass(frozen=True, slots=True)
class TextContent:
    """The `values` that texts name, and the `terms` in them."""

    values: frozenset[float] = frozenset()
    terms: frozenset[str] = frozenset()


def content_of(texts: Iterable[str]) -> TextContent:
    """Return the content of some texts. Each is read by itself: no number continues in the next text."""
    return merged(TextContent(values(text), frozenset(terms(text))) for text in texts)


def merged(contents: Iterable[TextContent]) -> TextContent:
    """Merge several contents into one."""
    all_values: set[float] = set()
    all_terms: set[str] = set()
    for content in contents:
        all_values |= content.values
        all_terms |= content.terms
    return TextContent(frozenset(all_values), frozenset(all_terms))
