"""Fusion of several rankings into one.

Reciprocal rank fusion: score(d) = sum over rankings of 1 / (k + rank of d), with rank 1 the best and nothing
for a ranking without d (Cormack, Clarke and Büttcher, Reciprocal Rank Fusion Outperforms Condorcet and
Individual Rank Learning Methods, 2009; k = 60 there).

Convex combination: see `onrecord.retrieve.curve.curves.convex`.

`Weigh` also combines several signals (semantic similarity, words, the graph, a reranker) in this way.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, TypeVar

import numpy as np

from onrecord.errors import SettingError
from onrecord.retrieve.curve.curves import minmax
from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Evidence, Moment, Raised, Step

if TYPE_CHECKING:
    from onrecord.graph.walk import Walk
    from onrecord.stores.graph.base import Place

K = TypeVar("K", bound=Hashable)


def reciprocal_ranks(rankings: Iterable[Sequence[K]], k: int = 60) -> dict[K, float]:
    """Return the fused scores of all ranked items, best first; ties keep the order of first appearance."""
    scores: dict[K, float] = {}
    for ranking in rankings:
        for rank, thing in enumerate(dict.fromkeys(ranking), 1):
            scores[thing] = scores.get(thing, 0.0) + 1 / (k + rank)
    return dict(sorted(scores.items(), key=lambda item: -item[1]))


@dataclass(frozen=True, init=False)
class Fuse(Stage):
    """A stage that runs several stages and fuses their moments, by reciprocal rank or by convex sum.

    `method` is "rrf" or "convex"; `weights` (for "convex") has one weight for each leg, all 1 if empty. A
    moment in the results of several legs (the same passages) keeps the scores of each.
    """

    legs: tuple[Stage, ...]
    method: str = "rrf"
    k: int = 60
    weights: tuple[float, ...] = field(default=())

    def __init__(self, *legs: Stage, method: str = "rrf", k: int = 60, weights: Sequence[float] = ()) -> None:
        if not legs:
            raise SettingError("Fuse.legs", legs, "one stage or more")
        if method not in ("rrf", "convex"):
            raise SettingError("Fuse.method", method, "'rrf' or 'convex'")
        if k < 0:
            raise SettingError("Fuse.k", k, "a number of 0 or more")
        if len(weights) not in (0, len(legs)):
            raise SettingError("Fuse.weights", weights, f"none, or {len(legs)}: one a leg")
        for name, value in {"legs": legs, "method": method, "k": k, "weights": tuple(weights)}.items():
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, **fields: Any) -> Self:
        return cls(*fields.pop("legs", ()), **fields)

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        results = [leg(replace(evidence, trace=()), tools) for leg in self.legs]
        trace: tuple[Step, ...] = sum((result.trace for result in results), evidence.trace)
        return replace(evidence, moments=self.fused([result.moments for result in results]), trace=trace)

    def fused(self, rankings: Sequence[tuple[Moment, ...]]) -> tuple[Moment, ...]:
        """Return the moments of several rankings as one ranking, best first."""
        by_key: dict[Hashable, Moment] = {}
        for moment in (m for ranking in rankings for m in ranking):
            key = _key(moment)
            first = by_key.get(key, moment)
            by_key[key] = replace(first, scores={**moment.scores, **first.scores})
        if self.method == "rrf":
            ranks = reciprocal_ranks([[_key(m) for m in ranking] for ranking in rankings], self.k)
            return tuple(replace(by_key[key], score=score) for key, score in ranks.items())
        scores = dict.fromkeys(by_key, 0.0)
        for weight, ranking in zip(self.weights or (1.0,) * len(rankings), rankings, strict=True):
            stretched = minmax(np.array([m.score for m in ranking], np.float32))
            for moment, score in zip(ranking, stretched.tolist(), strict=True):
                scores[_key(moment)] += weight * score
        best_first = sorted(scores, key=lambda key: -scores[key])
        return tuple(replace(by_key[key], score=scores[key]) for key in best_first)


def _key(moment: Moment) -> tuple[str, int, int]:
    return moment.recording, moment.passages[0].position, moment.passages[-1].position


_WIDEST = 60
"""Most passages with a name for it to count in the graph's signal; more frequent names are not specific."""


@dataclass(frozen=True)
class Weigh(Stage):
    """A stage that ranks moments by the weighted sum of their signals, each scaled to 0..1.

    `dense`, `lexical` and `rerank` weight the scores of these searches and models. `graph` weights the
    proximity of a moment to the question's names, by the names in its passages (the PageRank of the stage
    `Graph`, if it ran, else one over the moments). `importance` weights the importance of the best passage,
    and `recency` the recording's date, the newest first. A missing signal counts as the lowest value among
    the moments; a signal that no moment has is left out.
    """

    dense: float = 0.5
    lexical: float = 0.2
    graph: float = 0.1
    rerank: float = 0.1
    importance: float = 0.1
    recency: float = 0.0
    ranges: ClassVar = dict.fromkeys(
        ("dense", "lexical", "graph", "rerank", "importance", "recency"), (0.0, inf)
    )

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        if not evidence.moments:
            return evidence
        score = np.zeros(len(evidence.moments), np.float32)
        for name in self.ranges:
            signal = self._signal(name, evidence, tools)
            least = min((value for value in signal if value is not None), default=0.0)
            filled = np.array([least if value is None else value for value in signal], np.float32)
            score += getattr(self, name) * minmax(filled)
        order = np.argsort(-score, kind="stable")
        return evidence.with_moments(
            tuple(replace(evidence.moments[at], score=float(score[at])) for at in order)
        )

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        none = [
            name
            for name in self.ranges
            if getattr(self, name) and not any(v is not None for v in self._signal(name, before, tools))
        ]
        return f"without {', '.join(none)}: none of the moments has it" if none and before.moments else ""

    def raised(self, before: Evidence, after: Evidence, tools: Tools) -> tuple[Raised, ...]:
        if not self.graph or any(moment.scores.get("graph") for moment in before.moments):
            return ()  # the stage `Graph` names the edges of its own walk
        from onrecord.retrieve.raising import Link, raised_by, risen

        walked = _walked(before, tools)
        if walked is None:
            return ()
        gained = self.graph * minmax(walked.walk.passages)
        links = []
        for moment, entity, other, share in walked.walk.over(range(len(walked.asked))):
            place = walked.named[moment, entity]
            via = None if other is None else walked.named[other, entity]
            links.append((place, Link(walked.keys[entity], via, share * float(gained[moment]))))
        bare = replace(self, graph=0.0).run(before, tools)
        both = [{_key(m): m.score for m in evidence.moments} for evidence in (after, bare)]
        scores = [np.array([scores[_key(m)] for m in before.moments], np.float32) for scores in both]
        rose = risen(*scores)
        places = {place: rose[moment] for (moment, _), place in walked.named.items() if moment in rose}
        return raised_by(links, places, walked.asked, tools.store)

    def _signal(self, name: str, evidence: Evidence, tools: Tools) -> list[float | None]:
        if name == "recency":  # the index of each moment's date among all their dates, from 0
            known = [tools.store.recording(moment.recording) for moment in evidence.moments]
            dates = [recording.details.date if recording else None for recording in known]
            order = sorted({date for date in dates if date})
            return [order.index(date) if date else None for date in dates]
        if name == "importance":
            return [moment.passages[moment.peak].importance for moment in evidence.moments]
        scores = [moment.scores.get(name) for moment in evidence.moments]
        if name == "graph" and not any(scores):
            walked = _walked(evidence, tools)
            return list(walked.walk.passages.tolist()) if walked else [None] * len(evidence.moments)
        return scores


class _Walked(NamedTuple):
    """A walk over moments and entities; those that the question names, in `asked`, come first.

    `named` is, by the numbers of a moment and of an entity, the first passage of the moment that names it.
    """

    walk: Walk
    keys: tuple[str, ...]
    asked: tuple[str, ...]
    named: Mapping[tuple[int, int], Place]


def _walked(evidence: Evidence, tools: Tools) -> _Walked | None:
    """Return a walk over the moments, or None if the graph knows no name in the question.

    The random walker starts at the names in the question and follows names that passages share.
    """
    from onrecord.graph.walk import names_asked, page_rank, rarity  # only if the graph has a weight

    graph, moments = tools.store.graph, evidence.moments
    asked = names_asked(evidence.question.text, graph, _WIDEST)
    if not asked:
        return None
    at = {(m.recording, p.position): number for number, m in enumerate(moments) for p in m.passages}
    names = graph.names_in(at, _WIDEST)
    keys = {key: n for n, key in enumerate(dict.fromkeys((*asked, *(name.entity for name in names))))}
    named: dict[tuple[int, int], Place] = {}
    for name in names:
        place = name.recording, name.position
        named.setdefault((at[place], keys[name.entity]), place)
    seeds = {keys[key]: rarity(count) for key, count in asked.items()}
    walk = page_rank(sorted(named), (len(moments), len(keys)), ({}, seeds))
    return _Walked(walk, tuple(keys), tuple(asked), named)
