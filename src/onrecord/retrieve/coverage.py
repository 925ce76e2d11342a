"""A selection of texts that together cover the most frequent content.

Budgeted maximum coverage (Gillick and Favre, A Scalable Global Model for Summarization, 2009). Stems that
occur in some of the texts, but not in all, have the largest weights; each counts once, however often it is
covered. The best text adds the most weight relative to the square root of its length. Texts are chosen
greedily, and lazily (Minoux, Accelerated Greedy Algorithms, 1978): the gain of a text never grows, so only
the gain of the best candidate is computed again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from math import log, sqrt


def stem_weights(texts: Sequence[frozenset[str]]) -> Mapping[str, float]:
    """Return the weight of each stem: the number of texts that have it times its idf.

    Stems in only one text are left out, unless all stems are; then each has the weight 1.
    """
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
    """Yield indexes of texts, each of which adds the most weight to the texts before it.

    Texts that add nothing are left out.

    Args:
        texts: the stems of each text.
        sizes: the length of each text, in words.
        worth: a factor for the gain of each text.
        weights: the weight of each stem.
        least: the least gain of a text, as a share of the first text's gain.
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
