"""Scores every passage in scope by meaning and by words, and joins the two into one curve."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import ClassVar

from onrecord.retrieve.compounds import by_words
from onrecord.retrieve.fuse import convex
from onrecord.retrieve.question import point, subject
from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Curve, Evidence


@dataclass(frozen=True)
class Search(Stage):
    """Sets the curve: `dense` * cosine + `lexical` * BM25, each stretched to 0..1 (see `fuse.convex`).

    Every passage is scored, none by approximation. Without an embedder, or for recordings without
    vectors, words alone count, and the note says so. `strip` leaves out the frame of the question, and for
    meaning also the occasion that it names (see `question.point`). A compound counts as well in the form that
    the archive has.

    `whiten` takes the cosine, where several recordings are in scope, in the archive's whitened space (see
    `stores.whitening`). The part "dense" is the plain cosine, by which passages are judged, "whitened" this.
    """

    dense: float = 0.6
    lexical: float = 0.4
    strip: bool = True
    whiten: bool = False
    ranges: ClassVar = {"dense": (0, inf), "lexical": (0, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        line = tools.store.line(evidence.question.scope)
        text = evidence.question.text
        words, meaning = (subject(text), point(text)) if self.strip else (text, text)
        parts = {"lexical": by_words(words, line, tools.store)}
        signals = [(self.lexical, parts["lexical"])]
        if tools.embedder is not None and self.dense:
            vector = tools.embedder.embed_query(meaning)
            if self.whiten and len(line.names) > 1:
                parts["dense"], parts["whitened"] = tools.store.whitened(vector, line)
            else:
                parts["dense"] = tools.store.dense(vector, line)
            signals.append((self.dense, parts.get("whitened", parts["dense"])))
        return replace(evidence, curve=Curve(line, convex(signals), parts))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        if tools.embedder is None:
            return "by words alone: there is no embedder"
        names = after.curve.line.names if after.curve is not None else ()
        bare = len(set(tools.store.without_vectors()).intersection(names))
        return f"by words alone in {bare} of {len(names)} recordings: they have no vectors" if bare else ""
