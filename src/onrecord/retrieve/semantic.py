"""The passages that mean what the question means (cosine of their vectors)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import ClassVar

from onrecord.retrieve.moments import as_moments
from onrecord.retrieve.question import subject
from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Evidence


@dataclass(frozen=True)
class Semantic(Stage):
    """The `most` best passages by cosine, each a moment of its own."""

    most: int = 50
    needs: ClassVar[tuple[str, ...]] = ("embedder",)
    ranges: ClassVar = {"most": (1, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        if tools.embedder is None:
            return evidence
        line = tools.store.line(evidence.question.scope)
        vector = tools.embedder.embed_query(subject(evidence.question.text))
        rows, scores = tools.store.nearest(vector, line, self.most)
        return replace(evidence, moments=as_moments(rows, scores, tools.store, "dense"))
