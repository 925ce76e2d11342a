"""Texts that together say most of what is said most often.

Budgeted maximum coverage (Gillick and Favre, A Scalable Global Model for Summarization, 2009). A stem is
worth most that is in some of the texts and not in all; it counts once, however often it is chosen. The best
text is the one that adds most for the square root of its length. Texts are chosen greedily, and lazily
(Minoux, Accelerated Greedy Algorithms, 1978): what a text adds never grows, so only the best one is reckoned
again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from math import log, sqrt


def stem_weights(texts: Sequence[frozenset[str]]) -> Mapping[str, float]:
    """What each stem is worth: the number of texts that have it times its idf; nothing if it is in one text,
    unless all are."""
    counts = Counter(stem for stems in texts for stem in stems)
    again = {stem: count * log((len(texts) + 1) / count) for stem, count in counts.items() if count > 1}
    return again or dict.fromkeys(counts, 1.0)


def by_coverage(
    texts: Sequence[frozenset[str]],
    sizes: Sequence[int],
    worth: Sequence[float],
    weights: Mapping[str, float],
    least: float = 0.0,
) -> Iterator[int]:
    """The numbers of texts, each adding most to those before it; those that add nothing are left out.

    Args:
        texts: the stems of each text.
        sizes: its length, in words.
        worth: a factor of what it adds.
        weights: what each stem is worth.
        least: the share of what the first text adds that each adds at least.
    """
    covered: set[str] = set()

    def added(number: int) -> float:
        new = sum([weights.get(stem, 0) for stem in texts[number] - covered])
        return new * worth[number] / sqrt(max(sizes[number], 1))

    heap = [(-added(number), number) for number in range(len(texts))]
    heapify(heap)
    enough = least * -heap[0][0] if heap else 0.0
    while heap:
        _, number = heappop(heap)
        gain = added(number)
        if gain <= 0 or gain < enough:
            continue
        if heap and -gain > heap[0][0]:
            heappush(heap, (-gain, number))
            continue
        covered |= texts[number]
        yield number
