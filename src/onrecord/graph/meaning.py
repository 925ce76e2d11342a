"""Search for concepts by meaning: vectors of their names and of the passages that mention them.

A question about "shipping charges" may mean the concept called freight in the archive. The passages most
similar to the question mention it, and of all entities they mention, its name is the most similar:

    candidates(q) = the entities mentioned by the `_PASSAGES` passages with the highest cosine to q, with a
                    preference for rare entities and for the most similar passages
    strength(q, concept) = cosine(q, the concept's name)

Names are embedded at query time, a hundred at most. No vector is stored that could outlive a recording, and
adding a recording costs nothing more.
"""

from __future__ import annotations

from collections import defaultdict
from math import log
from typing import TYPE_CHECKING

import numpy as np

from onrecord.models.base import Embedder
from onrecord.stores.base import Snapshot
from onrecord.stores.graph.base import GraphSnapshot
from onrecord.stores.ranking import top
from onrecord.types.graph import Entity

if TYPE_CHECKING:
    from onrecord.types.arrays import Scores

_PASSAGES = 40
_CANDIDATES = 100
NEAR = 0.5
"""Lowest cosine of a concept that matches a question in other words.

Chosen on half of tests/graph/concepts.yaml; words unrelated to the archive reached .41.
"""


def nearest_concepts(
    words: str, graph: GraphSnapshot, reader: Snapshot, embedder: Embedder
) -> list[tuple[Entity, float]]:
    """Return the concepts most similar to some words, without people, each with its cosine.

    The most similar concept comes first.
    """
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


def _candidates(scores: Scores, graph: GraphSnapshot, reader: Snapshot) -> list[Entity]:
    """Return the entities in the passages with the highest scores, without people.

    Entities with the largest sum of scores that are rare in other passages come first.
    """
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
