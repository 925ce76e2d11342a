"""Which recordings fit what is asked for: looked up, where going through thousands of them takes too long."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from onrecord.stores.scope import fold, in_scope, name_words, names_speaker
from onrecord.types import Recording, Scope

Ids = frozenset[str]
_KEPT = 256
"""Names and stretches of time of which the recordings that fit are kept."""


@dataclass(frozen=True)
class Fitting:
    """An index of some recordings, made as far as it is needed. What it tells are ids of recordings."""

    recordings: tuple[Recording, ...]
    _told: dict[tuple[str | None, ...], Ids] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def _place(self) -> Mapping[str, int]:
        return {recording.id: at for at, recording in enumerate(self.recordings)}

    @cached_property
    def _ids(self) -> Ids:
        return frozenset(self._place)

    @cached_property
    def _by_attribute(self) -> Mapping[tuple[str, str], Ids]:
        found: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        for recording in self.recordings:
            for name, value in recording.details.attributes.items():
                found[fold(name), fold(value)].add(recording.id)
        return {told: frozenset(ids) for told, ids in found.items()}

    @cached_property
    def _by_time_and_language(self) -> Mapping[tuple[str | None, str | None], Sequence[Recording]]:
        found: defaultdict[tuple[str | None, str | None], list[Recording]] = defaultdict(list)
        for recording in self.recordings:
            found[recording.details.date, recording.details.language].append(recording)
        return found

    @cached_property
    def _by_label(self) -> Mapping[str, Sequence[str]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for recording in self.recordings:
            for label in recording.speakers:
                found[label].append(recording.id)
        return found

    @cached_property
    def _labels_with(self) -> Mapping[str, frozenset[str]]:
        found: defaultdict[str, set[str]] = defaultdict(set)
        for label in self._by_label:
            for word in name_words(label):
                found[word].add(label)
        return {word: frozenset(labels) for word, labels in found.items()}

    def within(self, scope: Scope) -> Ids:
        """Those of which `in_scope` is true."""
        limits = Scope(since=scope.since, until=scope.until, languages=scope.languages)
        key = limits.since, limits.until, *limits.languages
        found = self._kept(key, lambda: self._limited(limits)) if limits else self._ids
        for name, value in scope.attributes.items():
            found &= self.carrying(name, value)
        return found.intersection(scope.recordings) if scope.recordings else found

    def in_order(self, ids: Ids) -> tuple[str, ...]:
        """Some of them as they stand in `recordings`."""
        return tuple(sorted(ids, key=self._place.__getitem__))

    def carrying(self, attribute: str, value: str) -> Ids:
        """Those that have a value of an attribute."""
        return self._by_attribute.get((fold(attribute), fold(value)), frozenset())

    def speaking(self, name: str) -> Ids:
        """Those in which somebody speaks whose label has all words of a name."""
        return self._kept((name,), lambda: self._speaking(name))

    def _limited(self, limits: Scope) -> Ids:
        days = (alike for alike in self._by_time_and_language.values() if in_scope(alike[0], limits))
        return frozenset(recording.id for alike in days for recording in alike)

    def _speaking(self, name: str) -> Ids:
        having = [self._labels_with.get(word, frozenset[str]()) for word in name_words(name)]
        labels = frozenset.intersection(*having) if having else self._by_label
        fitting = (label for label in labels if having or names_speaker(name, label))
        return frozenset(recording for label in fitting for recording in self._by_label[label])

    def _kept(self, key: tuple[str | None, ...], look: Callable[[], Ids]) -> Ids:
        found = self._told.get(key)
        if found is None:
            found = look()
            if len(self._told) >= _KEPT:
                self._told.clear()
            self._told[key] = found
        return found
