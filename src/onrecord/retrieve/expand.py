"""Asks in several ways, and makes one ranking of what was found."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import ClassVar

from onrecord.retrieve.curves import with_more
from onrecord.retrieve.expansion import bare_words, company, feedback
from onrecord.retrieve.question import subject
from onrecord.retrieve.seated import reworded
from onrecord.retrieve.spans import fused
from onrecord.retrieve.stage import Stage, Tools, asking, remarked
from onrecord.types import Evidence


@dataclass(frozen=True)
class Expand(Stage):
    """Runs `stage` for the question, then for the question in other words, and fuses the rankings by
    reciprocal rank, no passage twice.

    The other words are, at most `queries` of them: what the model in the seat "expand" says, if one is there
    (a passage that might answer it, and rewordings: see `seated.reworded`); the question with the `terms`
    that tell the best `moments` found for it (pseudo-relevance feedback); with the words that keep its own
    words company in the archive; without its frame. All but the model's are made of the archive's own words,
    and none is a query syntax.
    """

    stage: Stage
    queries: int = 3
    moments: int = 3
    terms: int = 5
    k: int = 60
    ranges: ClassVar = {"queries": (0, inf), "moments": (1, inf), "terms": (1, inf), "k": (0, inf)}

    def check(self, tools: Tools) -> None:
        self.stage.check(tools)

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        first = self.stage(evidence, tools)
        texts = self.others(first, tools)
        others = [self.stage(asking(evidence, text), tools) for text in texts]
        moments = fused([each.moments for each in (first, *others)], self.k)
        whole = with_more(first, others, moments, tools.store.line(evidence.question.scope))
        return remarked(whole, "Expand", "also asked: " + "; ".join(texts)) if texts else whole

    def others(self, first: Evidence, tools: Tools) -> list[str]:
        """The question in other words, given what was found for it as it is."""
        question, store = first.question.text, tools.store
        line = store.line(first.question.scope)
        told = feedback(question, first.moments[: self.moments], line, store, self.terms)
        near = company(question, line, store, each=2)[: self.terms]
        bare = subject(question)
        texts = [" ".join((bare, *words)) for words in (told, near) if words] + bare_words(question)
        return list(dict.fromkeys((*reworded(question, tools.seats), *texts)))[: self.queries]
