"""The premise of a claim: the sentences of its sources that a judge reads beside it.

Greedy coverage, as in extractive summarization (Lin and Bilmes, A Class of Submodular Functions for Document
Summarization, 2011): each sentence adds the inverse document frequency of the claim's words that it has; a
word that is covered counts a third the next time. What its neighbours have counts a little, so that an answer
is read with its question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log

WORDS = 150
"""The most words of a premise, about what the judge reads."""
_AGAIN = 1 / 3
"""What a word of the claim is worth in the next sentence that has it."""
_CONTEXT, _NEIGHBOUR = 0.3, 0.4
"""What a sentence's place is worth beside its own words, and the sentences beside it at that place."""


def choose_premise(
    claim: frozenset[str], heard: Sequence[frozenset[str]], lengths: Sequence[int], words: int = WORDS
) -> list[int]:
    """Choose the sentences to read: all if they fit, else those that say most of the claim.

    Returns their numbers, in order.

    Args:
        claim: the words of the claim that name something, as stems.
        heard: the same of each sentence.
        lengths: the words of each sentence.
        words: the most words of those chosen.
    """
    if sum(lengths) <= words:
        return list(range(len(heard)))
    shared = [claim & stems for stems in heard]
    counts = Counter(word for stems in shared for word in stems)
    worth = {word: log(1 + len(heard) / count) for word, count in counts.items()}
    own = [0.0, *(sum(worth[word] for word in sorted(stems)) for stems in shared), 0.0]
    place = [own[at] + _NEIGHBOUR * (own[at - 1] + own[at + 1]) for at in range(1, len(own) - 1)]
    chosen: set[int] = set()
    total = 0
    while True:
        gains = {
            at: sum(worth[word] for word in sorted(shared[at])) + _CONTEXT * place[at]
            for at in range(len(heard))
            if at not in chosen and total + lengths[at] <= words
        }
        best = max(gains, key=lambda at: gains[at], default=-1)
        if best < 0 or not gains[best]:
            return sorted(chosen)
        chosen.add(best)
        total += lengths[best]
        for word in shared[best]:
            worth[word] *= _AGAIN
