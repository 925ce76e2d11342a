"""Asks again in the words of what was found first: pseudo-relevance feedback.

Rocchio's formula without negative examples (Relevance feedback in information retrieval, 1971):

    q' = q + beta * the mean of the vectors of the best passages

As a cosine is linear in q, the new scores are the old ones plus beta times the cosines with that mean.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, ClassVar

from onrecord.retrieve.fuse import convex
from onrecord.retrieve.ranking import top
from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Evidence

if TYPE_CHECKING:
    from onrecord.types import Vector


@dataclass(frozen=True)
class Feedback(Stage):
    """Adds what is like the best `passages` of the curve, then joins the signals again as `Search` does
    (same weights). Comes before Smooth. Without vectors it changes nothing.

    No preset uses it: on meetings, podcasts, earnings calls and encyclopaedic paragraphs it gained nothing
    that could be told from chance, with 1 to 8 passages and a beta of 0.2 to 0.8.
    """

    passages: int = 3
    beta: float = 0.4
    dense: float = 0.6
    lexical: float = 0.4
    ranges: ClassVar = {"passages": (1, inf), "beta": (0, inf), "dense": (0, inf), "lexical": (0, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        curve = evidence.curve
        if curve is None or "dense" not in curve.parts or not len(curve.line):
            return evidence
        best = curve.line.rows[top(curve.score, self.passages)]
        centre: Vector = tools.store.vectors(best).mean(axis=0)
        alike = tools.store.dense(centre, curve.line)
        score = convex(
            [(self.dense, curve.parts["dense"] + self.beta * alike), (self.lexical, curve.parts["lexical"])]
        )
        return replace(evidence, curve=replace(curve, score=score, parts={**curve.parts, "feedback": alike}))
