"""Leaves out what says the same again: a trailer, a repeated advertisement, a talk given twice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from onrecord.retrieve.diverse import centres
from onrecord.retrieve.same import adds
from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Evidence


@dataclass(frozen=True)
class Distinct(Stage):
    """Keeps a moment only where its cosine with every better one kept is below `alike`, or where it has a
    figure, a name or a negation of its own."""

    alike: float = 0.95
    ranges: ClassVar = {"alike": (0, 1)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        if not evidence.moments:
            return evidence
        vectors = centres(evidence.moments, tools.store)
        cosines = vectors @ vectors.T
        texts = [moment.text for moment in evidence.moments]
        kept: list[int] = []
        for at in range(len(vectors)):
            alike = [other for other in kept if cosines[at, other] >= self.alike]
            if all(adds(texts[at], texts[other]) for other in alike):
                kept.append(at)
        return evidence.with_moments(tuple(evidence.moments[at] for at in kept))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        dropped = len(before.moments) - len(after.moments)
        return f"{dropped} said the same as a better one" if dropped else ""
