"""Concepts by their meaning: vectors of their names beside those of the passages that mention them.

Somebody who asks for "shipping charges" means what is called freight here. The passages nearest to the words
asked for mention it, and of all that they mention its name is the nearest:

    candidates(q) = what the `_PASSAGES` passages with the highest cosine to q mention, the rarer and the
                    nearer the passages the sooner
    strength(q, concept) = cosine(q, the concept's name)

Names are embedded when they are asked for, a hundred at most, so nothing is kept that could outlive a
recording, and adding one costs nothing more.
"""

from __future__ import annotations

from collections import defaultdict
from math import log
from typing import TYPE_CHECKING

import numpy as np

from onrecord.models.base import Embedder
from onrecord.stores.base import Reader
from onrecord.stores.graph.base import GraphReader
from onrecord.stores.ranking import top
from onrecord.types.graph import Entity

if TYPE_CHECKING:
    from onrecord.types.arrays import Scores

_PASSAGES = 40
_CANDIDATES = 100
NEAR = 0.5
"""Cosine from which on a concept is what is asked for in other words. Chosen on half of
tests/graph/concepts.yaml; words that have nothing to do with the archive reached .41."""


def nearest_concepts(
    words: str, graph: GraphReader, reader: Reader, embedder: Embedder
) -> list[tuple[Entity, float]]:
    """Concepts, people aside, that come nearest to some words, the nearest first, each with its cosine."""
    timeline = reader.timeline()
    query = embedder.embed_query(words)
    if not len(timeline) or not len(query):
        return []
    candidates = _candidates(reader.dense(query, timeline), graph, reader)
    if not candidates:
        return []
    names = np.asarray(embedder.embed([entity.name for entity in candidates]), np.float32)
    strengths = (names @ np.asarray(query, np.float32)).tolist()
    ranked = zip(candidates, strengths, strict=True)
    return sorted(ranked, key=lambda each: (-each[1], each[0].key))


def _candidates(scores: Scores, graph: GraphReader, reader: Reader) -> list[Entity]:
    """What the passages with the highest scores mention, what they mention most and others least first."""
    timeline = reader.timeline()
    best = top(scores, _PASSAGES)
    near = {
        (timeline.names[timeline.recordings[at]], int(timeline.positions[at])): max(float(scores[at]), 0.0)
        for at in best
    }
    weights: defaultdict[str, float] = defaultdict(float)
    places = {
        (m.entity, m.recording, m.position)
        for m in graph.mentioned(near)
        if m.rule != "speaker" and m.begin >= 0
    }
    for key, recording, position in places:
        weights[key] += near[recording, position]
    known = [entity for entity in graph.entities(weights).values() if entity.kind != "person"]
    total = len(timeline)
    ranked = sorted(known, key=lambda e: (-weights[e.key] * log(1 + total / e.passages), e.key))
    return ranked[:_CANDIDATES]
