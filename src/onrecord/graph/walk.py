"""Random walks over passages and their entities, starting from a question: personalized PageRank.

A walker stands on a passage or an entity. It moves to one of the neighbors with the probability `walk`, and
otherwise back to the start. The final distribution measures how relevant each passage is to all names of the
question at once (Haveliwala, Topic-sensitive PageRank, 2002; over passages and entities as in HippoRAG,
Gutierrez et al. 2024). An entity that occurs everywhere contributes little: the more passages mention it, the
less each receives.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

import numpy as np

from onrecord.graph.nouns import words_in

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from onrecord.stores.graph.base import GraphSnapshot
    from onrecord.types.arrays import Scores

_LONGEST = 6
"""Most words of a name in a question."""
_ROUNDS = 25
"""Most iterations."""
_STILL = 1e-6
"""Largest change of a probability at which the iteration stops."""


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """The end of a walk: the probability that the walker is on each of the `passages` and `entities`.

    The sum of both is 1. `links` has a row for each link: the numbers of its passage and its entity. `walk`
    is the probability of a step.
    """

    passages: Scores
    entities: Scores
    links: NDArray[np.int64]
    walk: float

    def over(self, asked: Collection[int]) -> Iterator[tuple[int, int, int | None, float]]:
        """Yield each link to a passage, with its share of the probability of the passage.

        A link has its passage, its entity, and the other passage from which the walker most often comes to
        the entity; None for an entity that is `asked`, because the walker begins there. An entity that is
        not asked and has no other passage leads from nowhere, and is left out. What comes back from the
        passage itself does not count.
        """
        passages, entities = self.links.T
        goes = self.walk * (self.passages / _degrees(passages, self.passages.size))[passages]
        others = np.maximum(self.entities[entities] - goes, 0)
        comes = self.walk * others / _degrees(entities, self.entities.size)[entities]
        visitors: defaultdict[int, list[int]] = defaultdict(list)
        for passage, entity in self.links[np.argsort(-goes, kind="stable")].tolist():
            visitors[entity].append(passage)
        reached = np.maximum(self.passages[passages], np.finfo(np.float32).tiny)
        for (passage, entity), share in zip(self.links.tolist(), (comes / reached).tolist(), strict=True):
            other = next((each for each in visitors[entity] if each != passage), None)
            if entity in asked or other is not None:
                yield passage, entity, None if entity in asked else other, share


def page_rank(
    links: Sequence[tuple[int, int]],
    sizes: tuple[int, int],
    seeds: tuple[Mapping[int, float], Mapping[int, float]],
    walk: float = 0.7,
) -> Walk:
    """Return where a walker is in the end.

    `links` are pairs of a passage number and an entity number, each below its value in `sizes`. `seeds` are
    the starting weights of passages and of entities; if both have weights, each has half of the probability.
    Computed by power iteration until no probability changes by 1e-6 or more, for at most 25 rounds.
    """
    numbered = np.array(links, np.int64).reshape(-1, 2)
    passages, entities = numbered.T
    begin = [_begin(numbers, size) for numbers, size in zip(seeds, sizes, strict=True)]
    shares = [place.sum() > 0 for place in begin]
    if not any(shares) or not sizes[0]:
        return Walk(np.zeros(sizes[0], np.float32), np.zeros(sizes[1], np.float32), numbered, walk)
    begin = [place / sum(shares) for place in begin]
    degrees = [_degrees(numbers, size) for numbers, size in zip((passages, entities), sizes, strict=True)]
    stuck = [
        np.bincount(numbers, minlength=size) == 0
        for numbers, size in zip((passages, entities), sizes, strict=True)
    ]
    on_passages, on_entities = begin
    for _ in range(_ROUNDS):
        lost = float(on_passages[stuck[0]].sum() + on_entities[stuck[1]].sum())
        restart = 1 - walk + walk * lost  # a walker at a dead end returns to the start, too
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
    return Walk(on_passages.astype(np.float32), on_entities.astype(np.float32), numbered, walk)


def rarity(passages: int) -> float:
    """Return the weight of a name that occurs in `passages` passages: 1 / log(2 + passages)."""
    return 1 / log(2 + passages)


def names_asked(question: str, graph: GraphSnapshot, widest: int) -> dict[str, int]:
    """Return the names in a question that at most `widest` passages mention, with their number of passages.

    Longer names come first, and no word belongs to two names.
    """
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


def _degrees(numbers: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Return the number of links of each of `size` nodes, at least 1."""
    return np.maximum(np.bincount(numbers, minlength=size), 1)


def _begin(weights: Mapping[int, float], size: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the starting distribution over `size` nodes, with the sum 1, or zeros without weights."""
    shares = np.zeros(size)
    for at, weight in weights.items():
        shares[at] = weight
    total = shares.sum()
    return np.asarray(shares / total if total else shares)
