"""The passages that use the question's words (BM25)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import ClassVar

from onrecord.retrieve.compounds import by_words
from onrecord.retrieve.moments import best_passages
from onrecord.retrieve.question import subject
from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Evidence


@dataclass(frozen=True)
class Keyword(Stage):
    """The `most` best passages by BM25, each a moment of its own. Those with none of the words are
    never among them."""

    most: int = 50
    ranges: ClassVar = {"most": (1, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        line = tools.store.line(evidence.question.scope)
        scores = by_words(subject(evidence.question.text), line, tools.store)
        found = best_passages(line, scores, self.most, tools.store, "lexical")
        return replace(evidence, moments=tuple(m for m in found if m.score > 0))
