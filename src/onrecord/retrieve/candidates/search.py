"""Stages that search by semantic similarity (cosine), by words (BM25), or by learned word weights."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import ClassVar

import numpy as np

from onrecord.errors import ModelError
from onrecord.retrieve.curve.curves import convex
from onrecord.retrieve.moments.moments import as_moments
from onrecord.retrieve.stage import Stage, Tools
from onrecord.retrieve.wording import by_words, point, subject, with_compounds
from onrecord.stores.ranking import top
from onrecord.types import Curve, Evidence, Moment


@dataclass(frozen=True)
class Search(Stage):
    """A stage that sets the curve: `dense` * cosine + `lexical` * BM25, each scaled to 0..1.

    Every passage gets an exact score (see `curves.convex`). Without an embedder, or for recordings without
    vectors, only words count, and the note says so. `strip` removes the frame of the question, and for the
    cosine also the occasion that it names (`point`). Compounds are also searched in the form that
    occurs in the archive.

    If several recordings are in scope, `whiten` ranks by the cosine in the archive's whitened space (see
    `stores.whitening`), stored as the part "whitened". The part "dense" stays the plain cosine, by which
    passages are judged.
    """

    dense: float = 0.6
    lexical: float = 0.4
    strip: bool = True
    whiten: bool = False
    ranges: ClassVar = {"dense": (0, inf), "lexical": (0, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        timeline = tools.store.timeline(evidence.question.scope)
        asked = evidence.question
        words, meaning = (subject(asked.text), point(asked.text)) if self.strip else (asked.text, asked.text)
        parts = {"lexical": by_words(words, timeline, tools.store)}
        signals = [(self.lexical, parts["lexical"])]
        if tools.embedder is not None and self.dense:
            vector = tools.embedder.embed_query(meaning)
            if self.whiten and len(timeline.names) > 1:
                parts["dense"], parts["whitened"] = tools.store.whitened(vector, timeline)
            else:
                parts["dense"] = tools.store.dense(vector, timeline)
            signals.append((self.dense, parts.get("whitened", parts["dense"])))
        return replace(evidence, curve=Curve(timeline, convex(signals), parts))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        if tools.embedder is None:
            return "by words alone: there is no embedder"
        names = after.curve.timeline.names if after.curve is not None else ()
        bare = len(set(tools.store.without_vectors()).intersection(names))
        return f"by words alone in {bare} of {len(names)} recordings: they have no vectors" if bare else ""


@dataclass(frozen=True)
class Sparse(Stage):
    """A stage that mixes the sparse model's scores into the `most` best passages of the curve, at `weight`.

    Score = (1 - weight) * curve + weight * sparse, each scaled to 0..1. Place it after `Search`: beside BM25,
    or in its place with ``Search(lexical=0)``. Without a sparse model (setting embedding.sparse), or if it
    fails, the curve stays unchanged, and the note says so.
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
        try:
            part[best] = tools.sparse.score(subject(evidence.question.text), texts)
        except ModelError:
            return evidence
        score = convex([(1 - self.weight, curve.score), (self.weight, part)])
        return replace(evidence, curve=replace(curve, score=score, parts={**curve.parts, "sparse": part}))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        if tools.sparse is None:
            return "skipped: no sparse model is set (embedding.sparse)"
        weighed = after.curve is None or "sparse" in after.curve.parts
        return "" if weighed else f"skipped: {tools.sparse.name} cannot be used"


@dataclass(frozen=True)
class Semantic(Stage):
    """A stage that returns the `most` best passages by cosine, each as a moment of its own."""

    most: int = 50
    needs: ClassVar[tuple[str, ...]] = ("embedder",)
    ranges: ClassVar = {"most": (1, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        if tools.embedder is None:
            return evidence
        timeline = tools.store.timeline(evidence.question.scope)
        vector = tools.embedder.embed_query(subject(evidence.question.text))
        rows, scores = tools.store.nearest(vector, timeline, self.most)
        return replace(evidence, moments=as_moments(rows, scores, tools.store, "dense"))


@dataclass(frozen=True)
class Keyword(Stage):
    """A stage that returns the `most` best passages by BM25, each as a moment of its own.

    Passages without any of the words are never among them.
    """

    most: int = 50
    ranges: ClassVar = {"most": (1, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        timeline = tools.store.timeline(evidence.question.scope)
        texts = with_compounds(subject(evidence.question.text), timeline, tools.store)
        rows, scores = tools.store.best_matches(texts, timeline, self.most)
        return replace(evidence, moments=as_moments(rows, scores, tools.store, "lexical"))


@dataclass(frozen=True)
class Passages(Stage):
    """A stage that returns the `most` best passages on the curve, each as a moment, best first."""

    most: int = 20
    ranges: ClassVar = {"most": (1, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        curve = evidence.curve
        if curve is None:
            return evidence
        best = [at for at in top(curve.score, self.most).tolist() if curve.score[at] > 0]
        passages = tools.store.passages(curve.timeline.rows[best])
        scores = [{name: float(part[at]) for name, part in curve.parts.items()} for at in best]
        return replace(
            evidence,
            moments=tuple(
                Moment((passage,), float(curve.score[at]), parts)
                for passage, at, parts in zip(passages, best, scores, strict=True)
            ),
        )
