"""Walks over passages and what they mention, from a question on: personalized PageRank.

A walker stands on a passage or an entity, goes to one of its neighbours with the probability `walk`, and
otherwise back to where it began. Where it is found in the end says how much each passage has to do with all
that the question names at once (Haveliwala, Topic-sensitive PageRank, 2002; over passages and entities as in
HippoRAG, Gutierrez et al. 2024). From an entity that is named everywhere leads no way: the more passages name
it, the less it carries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from typing import TYPE_CHECKING

import numpy as np

from onrecord.graph.nouns import words_in

if TYPE_CHECKING:
    from onrecord.stores.graph.base import GraphReader
    from onrecord.types.arrays import Scores

_LONGEST = 6
"""Words of a name in a question."""
_ROUNDS = 25
_STILL = 1e-6


def page_rank(
    links: Sequence[tuple[int, int]],
    sizes: tuple[int, int],
    seeds: tuple[Mapping[int, float], Mapping[int, float]],
    walk: float = 0.7,
) -> Scores:
    """How often a walker is on each passage; sums to less than 1, as it is on entities too.

    `links` are pairs of passage and entity, by number, below the two `sizes`; `seeds` are where it begins:
    weights of passages and of entities, half of the times here and half there. Power iteration, until nothing
    moves by 1e-6.
    """
    passages, entities = np.array(links, np.int64).reshape(-1, 2).T
    begin = [_begin(numbers, size) for numbers, size in zip(seeds, sizes, strict=True)]
    shares = [place.sum() > 0 for place in begin]
    if not any(shares) or not sizes[0]:
        return np.zeros(sizes[0], np.float32)
    begin = [place / sum(shares) for place in begin]
    degrees = [
        np.maximum(np.bincount(numbers, minlength=size), 1)
        for numbers, size in zip((passages, entities), sizes, strict=True)
    ]
    stuck = [
        np.bincount(numbers, minlength=size) == 0
        for numbers, size in zip((passages, entities), sizes, strict=True)
    ]
    on_passages, on_entities = begin
    for _ in range(_ROUNDS):
        lost = float(on_passages[stuck[0]].sum() + on_entities[stuck[1]].sum())
        restart = 1 - walk + walk * lost  # from a dead end it goes back as well
        passages_next = (
            walk * np.bincount(passages, (on_entities / degrees[1])[entities], sizes[0]) + restart * begin[0]
        )
        entities_next = (
            walk * np.bincount(entities, (on_passages / degrees[0])[passages], sizes[1]) + restart * begin[1]
        )
        moved = max(
            float(np.abs(new - old).max(initial=0))
            for new, old in ((passages_next, on_passages), (entities_next, on_entities))
        )
        on_passages, on_entities = passages_next, entities_next
        if moved < _STILL:
            break
    return on_passages.astype(np.float32)


def rarity(passages: int) -> float:
    """What a name weighs that so many passages have: 1 / log(2 + passages)."""
    return 1 / log(2 + passages)


def names_asked(question: str, graph: GraphReader, widest: int) -> dict[str, int]:
    """The names in a question that at most `widest` passages have, and how many do; the longest first, and no
    word in two of them."""
    words = [word.key for word in words_in(question) if word.key]
    spans = [(at, at + size) for size in range(_LONGEST, 0, -1) for at in range(len(words) - size + 1)]
    names = graph.names_of((" ".join(words[a:b]) for a, b in spans), widest)
    known = {name.entity: name.passages for name in names}
    taken: set[int] = set()
    asked: dict[str, int] = {}
    for a, b in spans:
        key = " ".join(words[a:b])
        if key in known and not taken & set(range(a, b)):
            asked[key] = known[key]
            taken |= set(range(a, b))
    return asked


def _begin(weights: Mapping[int, float], size: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Where a walk begins among so many, adding up to 1; zeros where nowhere."""
    shares = np.zeros(size)
    for at, weight in weights.items():
        shares[at] = weight
    total = shares.sum()
    return np.asarray(shares / total if total else shares)
