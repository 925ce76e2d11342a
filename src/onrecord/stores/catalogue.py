"""The in-memory data about a workspace that a search needs, besides words and vectors.

A passage has three numbers: its position in the recording, its row in the store (never used twice), and its
slot: 0, 1, 2, ... over all passages of the workspace, by recording, then position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from onrecord.stores.scope import check_scope, in_scope, names_section, names_speaker
from onrecord.types import Passage, PassageTimeline, Recording, Scope, Section

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from onrecord.types import Counts, Rows

_NOWHERE: Counts = np.empty(0, np.int32)

Labels = Mapping[str, "Counts"]
"""Positions of the passages that carry a name, by name."""
Names = frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One recording in the catalogue.

    `first` is the row of its first passage; the rows of the others follow. `lengths` are the numbers of words
    of its passages. `speakers` and `sections` map a name to the positions of the passages that carry it.
    `dimensions` is the length of its vectors, 0 if it has none.
    """

    key: int
    version: int
    recording: Recording
    first: int
    lengths: Counts
    speakers: Labels
    sections: Labels
    dimensions: int
    speaker_names: tuple[str, ...] = field(init=False)
    """Speaker names, indexed by the numbers of their labels. `section_names` is the same for sections."""
    section_names: tuple[str, ...] = field(init=False)

    @property
    def size(self) -> int:
        return len(self.lengths)

    def __post_init__(self) -> None:
        object.__setattr__(self, "speaker_names", tuple(self.speakers))
        object.__setattr__(self, "section_names", tuple(self.sections))

    def carries(self, speakers: Names | None, sections: Names | None) -> bool:
        """Return whether any passage may be `within` these speakers and sections."""
        return (speakers is None or not speakers.isdisjoint(self.speakers)) and (
            sections is None or not sections.isdisjoint(self.sections)
        )

    def within(self, speakers: Names | None, sections: Names | None) -> Counts:
        """Return the positions of passages that carry one of the names of each kind, ascending.

        None allows any name.
        """
        positions: list[Counts] = []
        for labels, names in ((self.speakers, speakers), (self.sections, sections)):
            if names is not None:
                carried = [labels[name] for name in labels.keys() & names]
                positions.append(carried[0] if len(carried) == 1 else distinct(_join(carried)))
        if not positions:
            return np.arange(self.size, dtype=np.int32)
        if len(positions) == 1:
            return positions[0]
        return np.intersect1d(positions[0], positions[1], assume_unique=True)


class Catalogue:
    """The recordings of one workspace in one state. Immutable."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries = tuple(entries)
        self.index = {entry.recording.id: place for place, entry in enumerate(self.entries)}
        self.firsts: Rows = np.array([entry.first for entry in self.entries], np.int64)
        self.sizes: Rows = np.array([entry.size for entry in self.entries], np.int64)
        self.starts: Rows = np.cumsum(self.sizes) - self.sizes
        self.lengths = _join([entry.lengths for entry in self.entries])
        dimensions = Counter(entry.dimensions for entry in self.entries if entry.dimensions)
        self.dimensions = dimensions.most_common(1)[0][0] if dimensions else 0

    def __len__(self) -> int:
        return len(self.lengths)

    def entry(self, recording: str) -> Entry | None:
        place = self.index.get(recording)
        return None if place is None else self.entries[place]

    def runs(self, slots: Rows) -> Iterator[tuple[Entry, int, int]]:
        """Yield the slots as runs of consecutive positions: entry, first and last position (inclusive)."""
        slots = distinct(slots)
        places = np.searchsorted(self.starts, slots, "right") - 1
        breaks = np.flatnonzero((np.diff(slots) != 1) | (np.diff(places) != 0)) + 1
        for part, place in zip(np.split(slots, breaks), np.split(places, breaks), strict=True):
            if len(part):
                positions = part - self.starts[place[0]]
                yield self.entries[place[0]], int(positions[0]), int(positions[-1])

    @cached_property
    def mean_length(self) -> float:
        """The mean number of words of a passage."""
        return float(self.lengths.mean()) if len(self) else 0.0

    @cached_property
    def ids(self) -> dict[int, str]:
        """The ids of the recordings by their keys in the tables."""
        return {entry.key: entry.recording.id for entry in self.entries}

    @cached_property
    def _speakers(self) -> Names:
        return frozenset().union(*(entry.speakers for entry in self.entries))

    @cached_property
    def _sections(self) -> Names:
        return frozenset().union(*(entry.sections for entry in self.entries))

    @cached_property
    def all_have_vectors(self) -> bool:
        """Whether every passage has a vector of the catalogue's dimensions."""
        return all(entry.dimensions == self.dimensions for entry in self.entries if entry.size)

    @cached_property
    def without_vectors(self) -> list[str]:
        """The ids of the recordings that have passages and no vectors."""
        return [entry.recording.id for entry in self.entries if entry.size and not entry.dimensions]

    @cached_property
    def whole(self) -> PassageTimeline:
        """The timeline of all passages; its indices are slots."""
        return self._timeline_of(np.arange(len(self), dtype=np.int64), range(len(self.entries)), self.sizes)

    def timeline(self, scope: Scope) -> PassageTimeline:
        """Return the passages in scope. Raise SettingError for a bad date."""
        if not scope:
            return self.whole
        check_scope(scope)
        named_places = {self.index[name] for name in scope.recordings if name in self.index}
        places = sorted(named_places) if scope.recordings else range(len(self.entries))
        conditions = replace(scope, recordings=())  # `places` has selected the recordings already
        speakers = _matching_names(self._speakers, scope.speakers, names_speaker)
        sections = _matching_names(self._sections, scope.sections, names_section)
        within = [
            (place, entry.within(speakers, sections))
            for place, entry in ((place, self.entries[place]) for place in places)
            if entry.carries(speakers, sections) and in_scope(entry.recording, conditions)
        ]
        inside = [(place, positions) for place, positions in within if len(positions)]
        slots = [self.starts[place] + positions for place, positions in inside]
        sizes = np.array([len(part) for part in slots], np.int64)
        return self._timeline_of(
            np.concatenate(slots) if slots else np.empty(0, np.int64), [place for place, _ in inside], sizes
        )

    def slots(self, timeline: PassageTimeline) -> Rows:
        """Return the slot of every passage of a timeline; -1 for a deleted passage."""
        if timeline is self.whole:
            return np.arange(len(self), dtype=np.int64)
        places = np.array([self.index.get(name, -1) for name in timeline.names], np.int64)
        return self._checked(places[timeline.recordings], timeline.positions, timeline.rows)

    def slots_of_rows(self, rows: Rows) -> Rows:
        """Return the slot of every row; -1 for a deleted row."""
        places = np.searchsorted(self.firsts, rows, "right") - 1
        return self._checked(places, rows - self.firsts[places], rows) if self.entries else places

    def revisions(self, rows: Rows) -> list[tuple[int, int]]:
        """Return each row with the version of its recording. All rows must exist."""
        places = (np.searchsorted(self.firsts, rows, "right") - 1).tolist()
        return [(row, self.entries[at].version) for row, at in zip(rows.tolist(), places, strict=True)]

    def slots_of_all(self, rows: Rows) -> Rows:
        """Return the slot of every row. All rows must exist and ascend. Faster than `slots_of_rows`."""
        if len(rows) < len(self.firsts):
            places = np.searchsorted(self.firsts, rows, "right") - 1
            return rows + (self.starts - self.firsts)[places]
        bounds = np.searchsorted(rows, self.firsts)
        shifts = np.repeat(self.starts - self.firsts, np.diff(bounds, append=len(rows)))
        return rows + shifts

    def _checked(self, places: Rows, positions: Rows | Counts, rows: Rows) -> Rows:
        """Return the slots of the rows; -1 where the row is not at this place and position."""
        if not self.entries:
            return np.full(len(rows), -1, np.int64)
        exists = (places >= 0) & (self.firsts[places] + positions == rows) & (positions < self.sizes[places])
        return np.where(exists, self.starts[places] + positions, -1)

    def _timeline_of(self, slots: Rows, places: Sequence[int], sizes: Rows) -> PassageTimeline:
        """Return the timeline of these slots.

        The first `sizes[0]` slots are in the recording at `places[0]`, and so on.
        """
        recordings = np.repeat(np.arange(len(places), dtype=np.int32), sizes)
        chosen = np.array(places, np.int64)
        positions = slots - np.repeat(self.starts[chosen], sizes)
        return PassageTimeline(
            rows=np.repeat(self.firsts[chosen], sizes) + positions,
            recordings=recordings,
            positions=positions.astype(np.int32),
            words=self.lengths[slots],
            names=tuple(self.entries[place].recording.id for place in places),
        )


def same_slots(catalogue: Catalogue, before: Catalogue) -> Iterator[tuple[slice, slice]]:
    """Yield pairs of slices: the slots, in both catalogues, of recordings that did not change."""
    first = 0
    places = {entry.key: place for place, entry in enumerate(before.entries)}
    olds = [places.get(entry.key, -1) for entry in catalogue.entries]
    same = [at >= 0 and before.entries[at] is e for at, e in zip(olds, catalogue.entries, strict=True)]
    for last in range(1, len(olds) + 1):
        if last < len(olds) and same[last] and same[first] and olds[last] == olds[last - 1] + 1:
            continue
        if same[first]:
            begin, end = (
                int(catalogue.starts[first]),
                int(catalogue.starts[last - 1] + catalogue.sizes[last - 1]),
            )
            old = int(before.starts[olds[first]])
            yield slice(begin, end), slice(old, old + end - begin)
        first = last


def speakers_of(passages: Sequence[Passage]) -> Labels:
    """Return the positions of each speaker, as main speaker of a passage or in a turn within it."""
    pairs = [(p.speaker, p.position) for p in passages]
    pairs += [(name, p.position) for p in passages for _, name in p.voices]
    return _labels(pairs)


def sections_of(passages: Sequence[Passage], sections: Sequence[Section]) -> Labels:
    """Return the positions of each section, under its title and under its kind.

    A position counts if the passage names the section or lies within the section's bounds.
    """
    pairs = [(p.section, p.position) for p in passages]
    for section in sections:
        inside = range(max(section.first, 0), min(section.last + 1, len(passages)))
        pairs += [(name, at) for name in (section.title, section.kind) for at in inside]
    return _labels(pairs)


def _labels(pairs: Iterable[tuple[str | None, int]]) -> Labels:
    positions_of: dict[str, set[int]] = {}
    for name, position in pairs:
        if name is not None:
            positions_of.setdefault(name, set()).add(position)
    return {name: np.array(sorted(positions), np.int32) for name, positions in positions_of.items()}


def _matching_names(known: Names, wanted: Sequence[str], fits: Callable[[str, str], bool]) -> Names | None:
    """Return the known names that match one of the wanted names; None if no name is wanted.

    This runs once for all recordings: an archive has far fewer names than recordings times speakers.
    """
    return frozenset(name for name in known if any(fits(want, name) for want in wanted)) if wanted else None


def _join(parts: Sequence[Counts]) -> Counts:
    return np.concatenate(parts) if parts else _NOWHERE


def distinct(places: NDArray[Any]) -> NDArray[Any]:
    """Return the distinct places, all >= 0, in ascending order.

    `np.unique` would load NumPy's masked arrays, which costs a short command 8 ms.
    """
    rising = np.sort(places)
    return rising[np.diff(rising, prepend=-1) > 0]
