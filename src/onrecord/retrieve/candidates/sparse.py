"""Learned word weights for the best passages: a lexical signal beside BM25, or in its place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import ClassVar

import numpy as np

from onrecord.retrieve.candidates.fuse import convex
from onrecord.retrieve.stage import Stage, Tools
from onrecord.retrieve.wording import subject
from onrecord.stores.ranking import top
from onrecord.types import Evidence


@dataclass(frozen=True)
class Sparse(Stage):
    """Mixes the sparse model's scores into those of the `most` best passages of the curve, at `weight`.

    Score = (1 - weight) * curve + weight * sparse, each stretched to 0..1. It stands after `Search`: beside
    BM25, or in its place with ``Search(lexical=0)``. Without a sparse model (setting embedding.sparse) the
    curve stays as it is.
    """

    weight: float = 0.3
    most: int = 50
    ranges: ClassVar = {"weight": (0, 1), "most": (1, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        curve = evidence.curve
        if curve is None or tools.sparse is None:
            return evidence
        best = top(curve.score, self.most)
        texts = [passage.text for passage in tools.store.passages(curve.timeline.rows[best])]
        part = np.zeros_like(curve.score)
        part[best] = tools.sparse.score(subject(evidence.question.text), texts)
        score = convex([(1 - self.weight, curve.score), (self.weight, part)])
        return replace(evidence, curve=replace(curve, score=score, parts={**curve.parts, "sparse": part}))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        return "" if tools.sparse is not None else "skipped: no sparse model is set (embedding.sparse)"
