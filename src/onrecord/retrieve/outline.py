"""A recording as a list of its parts, in order: its primary sections, and what lies between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from onrecord.stores.base import Reader
from onrecord.types import Line, Passage, Section

if TYPE_CHECKING:
    from onrecord.types import Counts, Rows

_WORDS = 1200
"""Of a part at most where a recording, or a stretch of it, has no sections."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Passages of one recording that follow one another on a line: `at` has their indices on it. `section`
    is None where nobody has named them."""

    recording: str
    section: Section | None
    at: Rows

    @property
    def text(self) -> str:
        """What there is to know about it without reading it: its title and its summary."""
        return f"{self.section.title}. {self.section.summary}".strip() if self.section else ""


def primary(sections: Iterable[Section]) -> list[Section]:
    """The sections that are part of no other, whose place is known, in order."""
    return sorted((s for s in sections if not s.under and 0 <= s.first <= s.last), key=lambda s: s.first)


def outline(line: Line, recording: int, store: Reader) -> list[Part]:
    """The parts of one recording (its number in `Line.names`), which together are all of its passages."""
    at = np.arange(*np.searchsorted(line.recordings, (recording, recording + 1)))
    name = line.names[recording]
    sections = primary(store.sections(name))
    labels = _labels(line.positions[at], sections)
    bare = labels < 0
    labels[bare] = -1 - np.cumsum(np.where(bare, line.words[at], 0))[bare] // _WORDS
    borders = np.flatnonzero(np.diff(labels)) + 1
    return [
        Part(name, sections[labels[run[0]]] if labels[run[0]] >= 0 else None, at[run])
        for run in np.split(np.arange(len(at)), borders)
        if len(run)
    ]


def _labels(positions: Counts, sections: Sequence[Section]) -> Rows:
    """For each position the number of its section, -1 for none; where two overlap, the later one."""
    labels = np.full(len(positions), -1, np.int64)
    for number, section in enumerate(sections):
        labels[(positions >= section.first) & (positions <= section.last)] = number
    return labels


def runs(passages: Sequence[Passage]) -> list[tuple[Passage, ...]]:
    """Passages of one recording, in order, in stretches that follow one another: some may be out of scope."""
    found: list[list[Passage]] = []
    for passage in passages:
        if found and found[-1][-1].position + 1 == passage.position:
            found[-1].append(passage)
        else:
            found.append([passage])
    return [tuple(run) for run in found]


def paths(sections: Iterable[Section]) -> dict[str, str]:
    """For the title of every section the way to it: "Questions and answers > Freight costs"."""
    above = {section.title: section.under for section in sections}

    def path(title: str) -> str:
        way = [title]
        while (under := above.get(way[0])) and under not in way:
            way.insert(0, under)
        return " > ".join(way)

    return {title: path(title) for title in above}
