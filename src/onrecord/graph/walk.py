"""Walks over passages and what they mention, from a question on: personalized PageRank.

A walker stands on a passage or an entity, goes to one of its neighbours with the probability `walk`, and otherwise
back to where it began. Where it is found in the end says how much each passage has to do with all that the question
names at once (Haveliwala, Topic-sensitive PageRank, 2002; over passages and entities as in HippoRAG, Gutierrez et
al. 2024). From an entity that is named everywhere leads no way: the more passages name it, the less it carries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from onrecord.types.arrays import Scores

_ROUNDS = 25


def page_rank(
    links: Sequence[Sequence[int]],
    widths: Sequence[float],
    seeds: tuple[Mapping[int, float], Mapping[int, float]],
    walk: float = 0.7,
) -> Scores:
    """How often a walker is on each passage; sums to less than 1, as it is on entities too.

    `links` has the entities of each passage, as indices into `widths`, the weight of each entity; `seeds` are
    where it begins: weights of passages and of entities. Power iteration, until nothing moves by 1e-6.
    """
    passages = np.repeat(np.arange(len(links)), [len(some) for some in links])
    entities = np.array([entity for some in links for entity in some], np.int64)
    weights = np.asarray(widths, np.float64)[entities] if len(entities) else np.zeros(0)
    out_of_passage = np.bincount(passages, weights, len(links))
    out_of_entity = np.bincount(entities, weights, len(widths))
    begin = [np.zeros(len(links)), np.zeros(len(widths))]
    for place, some in zip(begin, seeds, strict=True):
        for at, weight in some.items():
            place[at] = weight
    total = sum(float(place.sum()) for place in begin)
    if not total or not len(links):
        return np.zeros(len(links), np.float32)
    begin = [place / total for place in begin]
    on_passage, on_entity = begin
    for _ in range(_ROUNDS):
        leaving_passage = on_passage / np.maximum(out_of_passage, 1e-12)
        leaving_entity = on_entity / np.maximum(out_of_entity, 1e-12)
        to_entity = np.bincount(entities, leaving_passage[passages] * weights, len(widths))
        to_passage = np.bincount(passages, leaving_entity[entities] * weights, len(links))
        stuck = float(on_passage[out_of_passage == 0].sum() + on_entity[out_of_entity == 0].sum())
        back = 1 - walk + walk * stuck
        ahead = walk * to_passage + back * begin[0]
        moved = float(np.abs(ahead - on_passage).max())
        on_passage, on_entity = ahead, walk * to_entity + back * begin[1]
        if moved < 1e-6:
            break
    return on_passage.astype(np.float32)
