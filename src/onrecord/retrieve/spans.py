"""Moments as sets of places: taken apart, put together and compared, no passage twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain, groupby

from onrecord.retrieve.moments import joined
from onrecord.stores.base import Reader
from onrecord.types import Moment, Passage, Scope

Place = tuple[str, int]
"""A passage: its recording and its position there."""


def place(passage: Passage) -> Place:
    return passage.recording, passage.position


def places(moments: Iterable[Moment]) -> set[Place]:
    """Every passage of some moments."""
    return {place(passage) for moment in moments for passage in moment.passages}


def in_scope(passages: Sequence[Passage], scope: Scope, store: Reader) -> list[Passage]:
    """Those of some passages of a recording in scope that are in scope themselves."""
    if not (scope.speakers or scope.sections):  # all else is about whole recordings
        return list(passages)
    rows = set(store.line(scope).rows.tolist())
    return [passage for passage in passages if passage.row in rows]


def fresh(moment: Moment, seen: set[Place]) -> tuple[Moment, ...]:
    """The parts of a moment that hold none of the passages `seen`, which then holds theirs too."""
    parts = []
    for old, run in groupby(range(len(moment.passages)), key=lambda i: place(moment.passages[i]) in seen):
        if not old:
            indices = list(run)
            peak = indices.index(moment.peak) if moment.peak in indices else 0
            passages = tuple(moment.passages[i] for i in indices)
            parts.append(replace(moment, passages=passages, peak=peak))
    seen |= places(parts)
    return tuple(parts)


def unique(moments: Iterable[Moment]) -> tuple[Moment, ...]:
    """The moments in their order, without passages that stand in one before."""
    seen: set[Place] = set()
    return tuple(chain.from_iterable(fresh(moment, seen) for moment in moments))


def interleaved(rankings: Sequence[Sequence[Moment]]) -> tuple[Moment, ...]:
    """The best of each ranking, then the second of each, ...; no passage twice."""
    longest = max(map(len, rankings), default=0)
    return unique(ranking[at] for at in range(longest) for ranking in rankings if at < len(ranking))


def within_words(moments: Iterable[Moment], words: int) -> tuple[Moment, ...]:
    """The first moments that have at most so many words together; at least one."""
    taken: list[Moment] = []
    for moment in moments:
        if taken and moment.words > words:
            break
        words -= moment.words
        taken.append(moment)
    return tuple(taken)


def fused(rankings: Sequence[Sequence[Moment]], k: int = 60) -> tuple[Moment, ...]:
    """Several rankings as one, best first: reciprocal rank fusion of their passages (see `fuse`), those
    that follow one another put together again.

    Rankings of several questions cut the same stretch of talk at different passages, so that whole
    moments could not be told to be the same. A passage has the rank of its moment; those around the best
    of a moment come half a rank later.
    """
    known: dict[Place, Moment] = {}
    for ranking in rankings:
        for rank, moment in enumerate(unique(ranking), 1):
            for at, passage in enumerate(moment.passages):
                seen = known.get(place(passage), Moment((passage,), 0.0))
                score = seen.score + 1 / (k + rank + (0 if at == moment.peak else 0.5))
                known[place(passage)] = replace(seen, score=score, scores={**moment.scores, **seen.scores})
    return joined(known.values())
