"""Which recordings fit what is asked for: looked up, where going through thousands of them takes too long."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from onrecord.retrieve.plan.kept import Kept
from onrecord.stores.scope import dated, fold, name_words, names_speaker, speaks_language
from onrecord.types import Recording, Scope

K = TypeVar("K", bound=Hashable)

Ids = frozenset[str]
_MOST = 256
"""Names and stretches of time of which the recordings that fit are kept."""


@dataclass(frozen=True)
class Fitting:
    """An index of some recordings, made as far as it is needed. What it tells are ids of recordings."""

    recordings: tuple[Recording, ...]
    _told: Kept = field(default_factory=lambda: Kept(_MOST), compare=False, repr=False)

    @cached_property
    def _place(self) -> Mapping[str, int]:
        return {recording.id: at for at, recording in enumerate(self.recordings)}

    @cached_property
    def _ids(self) -> Ids:
        return frozenset(self._place)

    @cached_property
    def _by_attribute(self) -> Mapping[tuple[str, str], Ids]:
        return _grouped(
            ((fold(name), fold(value)), recording.id)
            for recording in self.recordings
            for name, value in recording.details.attributes.items()
        )

    @cached_property
    def _by_date(self) -> Mapping[str | None, Ids]:
        return _grouped((recording.details.date, recording.id) for recording in self.recordings)

    @cached_property
    def _by_language(self) -> Mapping[str | None, Ids]:
        return _grouped((recording.details.language, recording.id) for recording in self.recordings)

    @cached_property
    def _by_label(self) -> Mapping[str, Ids]:
        return _grouped(
            (label, recording.id) for recording in self.recordings for label in recording.speakers
        )

    @cached_property
    def _labels_with(self) -> Mapping[str, frozenset[str]]:
        return _grouped((word, label) for label in self._by_label for word in name_words(label))

    def within(self, scope: Scope) -> Ids:
        """Those of which `in_scope` is true."""
        told = [self.carrying(name, value) for name, value in scope.attributes.items()]
        if scope.since or scope.until or scope.languages:
            limits = Scope(since=scope.since, until=scope.until, languages=scope.languages)
            key = limits.since, limits.until, *limits.languages
            told.append(self._told.value(key, lambda: self._limited(limits)))
        if scope.recordings:
            told.append(self._ids.intersection(scope.recordings))
        return frozenset.intersection(*sorted(told, key=len)) if told else self._ids

    def in_order(self, ids: Ids) -> tuple[str, ...]:
        """Some of them as they stand in `recordings`."""
        return tuple(sorted(ids, key=self._place.__getitem__))

    def carrying(self, attribute: str, value: str) -> Ids:
        """Those that have a value of an attribute."""
        return self._by_attribute.get((fold(attribute), fold(value)), frozenset())

    def speaking(self, name: str) -> Ids:
        """Those in which somebody speaks whose label has all words of a name."""
        return self._told.value((name,), lambda: self._speaking(name))

    def _limited(self, limits: Scope) -> Ids:
        days = (self._by_date[date] for date in self._by_date if dated(date, limits))
        found = frozenset[str]().union(*days)
        if limits.languages:
            spoken = (ids for code, ids in self._by_language.items() if speaks_language(code, limits))
            found &= frozenset[str]().union(*spoken)
        return found

    def _speaking(self, name: str) -> Ids:
        having = [self._labels_with.get(word, frozenset[str]()) for word in name_words(name)]
        labels = frozenset.intersection(*having) if having else self._by_label
        fitting = (label for label in labels if having or names_speaker(name, label))
        return frozenset[str]().union(*map(self._by_label.__getitem__, fitting))


def _grouped(pairs: Iterable[tuple[K, str]]) -> Mapping[K, frozenset[str]]:
    found: defaultdict[K, set[str]] = defaultdict(set)
    for key, value in pairs:
        found[key].add(value)
    return {key: frozenset(values) for key, values in found.items()}
