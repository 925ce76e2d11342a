"""The figures and words of texts, read once however many sentences are held against them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from onrecord.answer.numbers import values
from onrecord.retrieve.quantities import quantities
from onrecord.stores.words import terms


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
