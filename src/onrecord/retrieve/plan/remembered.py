"""What was found out about a workspace, remembered until something is written to it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from threading import Lock
from typing import TypeVar

from onrecord.retrieve.plan.kept import Kept
from onrecord.stores.base import Reader
from onrecord.stores.words import singular
from onrecord.types import Line

T = TypeVar("T")

_KEPT = 8
"""Workspaces of which something is remembered."""
_MOST = 512
"""Values that are remembered of one."""


@dataclass(frozen=True)
class Remembered:
    """Belongs to one state of a workspace, that of `line`. `terms` are those that are said, by what they
    begin with: a misspelt word could be hundreds of others, of which each would take 30 us to look up."""

    line: Line
    terms: dict[str, frozenset[str]] = field(default_factory=dict)
    values: Kept = field(default_factory=lambda: Kept(_MOST))

    def alike(self, word: str, reader: Reader) -> tuple[str, frozenset[str]]:
        """The terms that begin as a word, and what that is: its two first letters, and from the second word
        of a first letter on this one alone. Among 200,000 passages all of a letter take 20 ms to be listed,
        for which a single misspelt word need not wait."""
        letter, beginning = word[:1], word[:2]
        if letter not in self.terms:
            seen = any(listed[0] == letter for listed in list(self.terms))
            beginning = letter if seen else beginning
            self.terms[beginning] = reader.beginning(beginning)
        beginning = letter if letter in self.terms else beginning
        return beginning, self.terms[beginning]

    def heard(self, words: Iterable[str], reader: Reader) -> frozenset[str]:
        """`Reader.heard` of single words, in the lists where these are known."""
        listed = {word: self.terms.get(word[:1]) if word.isascii() else None for word in words}
        found = {word for word, some in listed.items() if some is not None and singular(word) in some}
        others = [word for word, some in listed.items() if some is None]
        return frozenset(found) | reader.heard(others) if others else frozenset(found)

    def value(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` tells, which depends on nothing but the key and the state of the workspace."""
        return self.values.value(key, make)


_remembered: dict[str, Remembered] = {}
_remembering = Lock()


def remembered(reader: Reader) -> Remembered:
    """What is remembered of a workspace, as long as the line of its passages is the same object: nothing of
    another workspace, and nothing that is gone."""
    line = reader.line()
    with _remembering:
        kept = _remembered.pop(reader.workspace, None)
        if kept is None or kept.line is not line:
            kept = Remembered(line)
        _remembered[reader.workspace] = kept
        for old in list(_remembered)[:-_KEPT]:
            del _remembered[old]
    return kept
