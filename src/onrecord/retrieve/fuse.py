"""One ranking made of several.

Reciprocal rank fusion: score(d) = sum over rankings of 1 / (k + rank of d), with rank 1 the best and
nothing for a ranking without d (Cormack, Clarke and Büttcher, Reciprocal Rank Fusion Outperforms
Condorcet and Individual Rank Learning Methods, 2009; k = 60 there).

Convex combination: score(d) = sum over rankings of weight * (s(d) - min s) / (max s - min s) (Bruch, Gai
and Ingber, An Analysis of Fusion Functions for Hybrid Retrieval, 2023).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np

from onrecord.errors import SettingError
from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Evidence, Moment, Step

if TYPE_CHECKING:
    from onrecord.types import Scores

K = TypeVar("K", bound=Hashable)


def reciprocal_ranks(rankings: Iterable[Sequence[K]], k: int = 60) -> dict[K, float]:
    """Fused scores of all things ranked, best first; what is equal stays in the order of first sight."""
    scores: dict[K, float] = {}
    for ranking in rankings:
        for rank, thing in enumerate(dict.fromkeys(ranking), 1):
            scores[thing] = scores.get(thing, 0.0) + 1 / (k + rank)
    return dict(sorted(scores.items(), key=lambda item: -item[1]))


def minmax(scores: Scores) -> Scores:
    """Scores stretched to 0..1. Where all are equal there is nothing to tell them apart by: all 1 if they
    say anything (are above 0), else all 0."""
    if not len(scores):
        return scores
    low, high = scores.min(), scores.max()
    stretched: Scores = (scores - low) / (high - low) if high > low else np.full_like(scores, high > 0)
    return stretched


def convex(signals: Iterable[tuple[float, Scores]]) -> Scores:
    """The weighted sum of signals, each stretched to 0..1 first. All have one length; at least one."""
    first, *others = [weight * minmax(scores) for weight, scores in signals]
    for other in others:
        first += other
    return first


@dataclass(frozen=True, init=False)
class Fuse(Stage):
    """Asks several stages and fuses the moments they rank, by reciprocal rank or by convex sum.

    `method` is "rrf" or "convex"; `weights` (for "convex") has one weight a leg, 1 each where empty.
    A moment found by several legs (the same passages) keeps the scores of each.
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

    def check(self, tools: Tools) -> None:
        for leg in self.legs:
            leg.check(tools)

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        found = [leg(replace(evidence, trail=()), tools) for leg in self.legs]
        trail: tuple[Step, ...] = sum((leg.trail for leg in found), evidence.trail)
        return replace(evidence, moments=self.fused([leg.moments for leg in found]), trail=trail)

    def fused(self, rankings: Sequence[tuple[Moment, ...]]) -> tuple[Moment, ...]:
        """The moments of several rankings as one, best first."""
        known: dict[Hashable, Moment] = {}
        for moment in (m for ranking in rankings for m in ranking):
            key = _key(moment)
            seen = known.get(key, moment)
            known[key] = replace(seen, scores={**moment.scores, **seen.scores})
        scores = self._scores(rankings)
        return tuple(replace(known[key], score=score) for key, score in scores.items())

    def _scores(self, rankings: Sequence[tuple[Moment, ...]]) -> dict[Hashable, float]:
        if self.method == "rrf":
            return reciprocal_ranks([[_key(m) for m in ranking] for ranking in rankings], self.k)
        scores: dict[Hashable, float] = {}
        for weight, ranking in zip(self.weights or (1.0,) * len(rankings), rankings, strict=True):
            stretched = minmax(np.array([m.score for m in ranking], np.float32))
            for moment, score in zip(ranking, stretched.tolist(), strict=True):
                scores[_key(moment)] = scores.get(_key(moment), 0.0) + weight * score
        return dict(sorted(scores.items(), key=lambda item: -item[1]))


def _key(moment: Moment) -> tuple[str, int, int]:
    return moment.recording, moment.passages[0].position, moment.passages[-1].position
