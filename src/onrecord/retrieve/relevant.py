"""Leaves out what stands in a section that has nothing to do with the question."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from onrecord.retrieve.likeness import likeness
from onrecord.retrieve.question import subject
from onrecord.retrieve.seated import chosen
from onrecord.retrieve.stage import Stage, Tools
from onrecord.retrieve.wording import wording
from onrecord.types import Evidence, Moment, Section

if TYPE_CHECKING:
    from onrecord.types import Rows

Place = tuple[str, Section]
"""A section of a recording."""


EMPTY_KINDS = ("opening", "closing", "disclaimer", "advertisement")
"""Kinds of sections in which nothing is said about the subject."""


@dataclass(frozen=True)
class DropIrrelevant(Stage):
    """Drops moments by the section of their best passage: where its kind is one of `kinds`, or where its
    title, summary and meaning are less than the share `least` as near to the question as the nearest's.

    Passages whose section is not known stay, and never fewer than `keep` do: the best of those dropped
    come back where they would be. A language model in the seat "filter" decides instead, if one is there.
    """

    kinds: tuple[str, ...] = EMPTY_KINDS
    least: float = 0.25
    keep: int = 3
    ranges: ClassVar = {"least": (0, 1), "keep": (0, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        sections = [section_of(moment, tools) for moment in evidence.moments]
        wanted = self._wanted(evidence, sections, tools)
        if wanted is not None:
            places = zip(evidence.moments, sections, strict=True)
            return evidence.with_moments(tuple(m for m, s in places if s is None or s in wanted))
        near = self._nearness(evidence, sections, tools)
        enough = self.least * max(near.values(), default=0.0)
        good = [s is None or (s[1].kind not in self.kinds and near[s] >= enough) for s in sections]
        spare = self.keep - sum(good)
        kept = []
        for moment, is_good in zip(evidence.moments, good, strict=True):
            if is_good or spare > 0:
                kept.append(moment)
                spare -= not is_good
        return evidence.with_moments(tuple(kept))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        dropped = len(before.moments) - len(after.moments)
        return f"{dropped} dropped by their section" if dropped else ""

    def _wanted(self, evidence: Evidence, sections: list[Place | None], tools: Tools) -> set[Place] | None:
        """The sections that the language model in the seat "filter" keeps; None where nobody sits there."""
        known = list(dict.fromkeys(section for section in sections if section))
        told = [f"{section.title}. {section.summary}" for _, section in known]
        numbers = chosen("filter", evidence.question.text, told, tools.seats)
        return {known[number] for number in numbers} if numbers else None

    def _nearness(self, evidence: Evidence, sections: list[Place | None], tools: Tools) -> dict[Place, float]:
        known = list(dict.fromkeys(section for section in sections if section))
        if not known:
            return {}
        text = subject(evidence.question.text)
        line = tools.store.line(evidence.question.scope)
        told = [f"{section.title}. {section.summary}" for _, section in known]
        rows = [_rows(recording, section, tools) for recording, section in known]
        near = likeness(text, wording(text, line, tools.store), told, rows, tools)
        return dict(zip(known, near.tolist(), strict=True))


def _rows(recording: str, section: Section, tools: Tools) -> Rows:
    passages = tools.store.transcript(recording, section.first, section.last)
    return np.array([passage.row for passage in passages], np.int64)


def section_of(moment: Moment, tools: Tools) -> Place | None:
    """The narrowest section that the best passage of a moment stands in, if any is known."""
    position = moment.passages[moment.peak].position
    around = [s for s in tools.store.sections(moment.recording) if s.first <= position <= s.last]
    narrowest = min(around, key=lambda section: section.last - section.first, default=None)
    return (moment.recording, narrowest) if narrowest else None
