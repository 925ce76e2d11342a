"""Stages that diversify moments, by maximal marginal relevance and by shares of recordings and speakers.

    score(m) = (1 - d) * relevance(m) - d * redundancy(m)

Here relevance is the moment's score scaled to 0..1, redundancy is the largest cosine with a moment already
chosen, and d in 0..1 is the diversity: 0 keeps the ranking, and 1 considers only dissimilarity (Carbonell and
Goldstein, The Use of MMR, Diversity-Based Reranking, 1998; their lambda is 1 - d).

`Distinct` drops repetitions. `Cap` and `Balance` divide places among recordings and speakers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from onrecord.retrieve.curve.curves import minmax
from onrecord.retrieve.diversity.same import adds
from onrecord.retrieve.moments.moments import interleaved
from onrecord.retrieve.stage import Stage, Tools
from onrecord.stores.base import Snapshot
from onrecord.types import Evidence, Moment

if TYPE_CHECKING:
    from onrecord.types import Scores, Vectors


@dataclass(frozen=True)
class Diverse(Stage):
    """A stage that orders moments by maximal marginal relevance and keeps `most` of them.

    It uses the stored vectors, so nothing is embedded again. A moment without vectors is similar to no other.
    """

    diversity: float = 0.3
    most: int = 10
    ranges: ClassVar = {"diversity": (0, 1), "most": (1, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        moments = evidence.moments
        if not moments:
            return evidence
        relevance = minmax(np.array([moment.score for moment in moments], np.float32))
        chosen = mmr(relevance, centres(moments, tools.store), self.diversity, self.most)
        return evidence.with_moments(tuple(moments[at] for at in chosen))


def mmr(relevance: Scores, vectors: Vectors, diversity: float, most: int) -> list[int]:
    """Return indices in the order of choice, at most `most`; ties in the order of their indices.

    `relevance` has shape (n,), `vectors` (n, dimensions) with rows of unit length or zero.
    """
    alike = vectors @ vectors.T
    redundancy = np.zeros(len(relevance), np.float32)
    available = np.ones(len(relevance), bool)
    chosen: list[int] = []
    while len(chosen) < min(most, len(relevance)):
        score = np.where(available, (1 - diversity) * relevance - diversity * redundancy, -np.inf)
        best = int(score.argmax())
        available[best] = False
        redundancy = np.maximum(redundancy, alike[best]) if chosen else alike[best]
        chosen.append(best)
    return chosen


def centres(moments: Sequence[Moment], store: Snapshot) -> Vectors:
    """Return the mean vector of each moment's passages, with unit length; zeros if there are no vectors."""
    rows = [passage.row for moment in moments for passage in moment.passages]
    begins = np.cumsum([0, *(len(moment.passages) for moment in moments)])[:-1]
    sums = np.add.reduceat(store.vectors(rows), begins, axis=0)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    means: Vectors = np.divide(sums, lengths, out=np.zeros_like(sums), where=lengths > 0)
    return means


@dataclass(frozen=True)
class Distinct(Stage):
    """A stage that drops moments that repeat a better one.

    A moment stays if its cosine with every better moment that stays is below `alike`, or if the words of the
    similar ones do not include its own, in order.
    """

    alike: float = 0.95
    ranges: ClassVar = {"alike": (0, 1)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        if not evidence.moments:
            return evidence
        vectors = centres(evidence.moments, tools.store)
        cosines = vectors @ vectors.T
        texts = [moment.text for moment in evidence.moments]
        distinct: list[int] = []
        for at in range(len(vectors)):
            alike = [other for other in distinct if cosines[at, other] >= self.alike]
            if all(adds(texts[at], texts[other]) for other in alike):
                distinct.append(at)
        return evidence.with_moments(tuple(evidence.moments[at] for at in distinct))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        dropped = len(before.moments) - len(after.moments)
        return f"{dropped} said the same as a better one" if dropped else ""


@dataclass(frozen=True)
class Cap(Stage):
    """A stage that keeps the best `each` moments of every recording, in their order."""

    each: int = 3
    ranges: ClassVar = {"each": (1, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        seen: Counter[str] = Counter()
        best: list[Moment] = []
        for moment in evidence.moments:
            seen[moment.recording] += 1
            if seen[moment.recording] <= self.each:
                best.append(moment)
        return evidence.with_moments(tuple(best))


@dataclass(frozen=True)
class Balance(Stage):
    """A stage that takes the best moment of each speaker, then the second of each, and so on.

    It keeps at most `each` moments of a speaker and `most` in all. The speaker of a moment is the speaker of
    its best passage; moments without a known speaker form one more group.
    """

    each: int = 3
    most: int = 10
    ranges: ClassVar = {"each": (1, inf), "most": (1, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        by_speaker = grouped_by(lambda moment: moment.passages[moment.peak].speaker, evidence.moments)
        return evidence.with_moments(interleaved([own[: self.each] for own in by_speaker])[: self.most])

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        names = dict.fromkeys(m.passages[m.peak].speaker or "somebody" for m in after.moments)
        return ", ".join(names)


def grouped_by(key: Callable[[Moment], object], moments: tuple[Moment, ...]) -> list[list[Moment]]:
    """Return moments grouped by key, in the order of each group's first moment."""
    groups: dict[object, list[Moment]] = {}
    for moment in moments:
        groups.setdefault(key(moment), []).append(moment)
    return list(groups.values())
