"""Moments in the order in which they are read, and the rank that they had."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from onrecord.retrieve.spans import unique
from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Evidence, Moment


@dataclass(frozen=True)
class ReadingOrder(Stage):
    """Puts moments in the order in which they were spoken, the recording of the best one first; those that
    follow one another become one. No passage is in two.

    `Moment.scores` keeps their "rank", from 0, so that it is not forgotten which of them is the best.
    """

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        return evidence.with_moments(in_reading_order(evidence.moments))


def in_reading_order(moments: Iterable[Moment]) -> tuple[Moment, ...]:
    """See `ReadingOrder`; moments that know their rank keep it."""
    ranked = by_rank(tuple(moments))
    recordings = {name: at for at, name in enumerate(dict.fromkeys(m.recording for m in ranked))}
    numbered = [
        replace(m, scores={**m.scores, "rank": m.scores.get("rank", float(at))})
        for at, m in enumerate(ranked)
    ]
    ordered: list[Moment] = []
    for moment in sorted(unique(numbered), key=lambda m: (recordings[m.recording], m.passages[0].position)):
        if ordered and adjoin(ordered[-1], moment):
            ordered[-1] = together(ordered[-1], moment)
        else:
            ordered.append(moment)
    return tuple(ordered)


def by_rank(moments: Sequence[Moment]) -> tuple[Moment, ...]:
    """Moments best first, even where they stand in reading order."""
    return tuple(m for _, m in sorted(enumerate(moments), key=lambda p: p[1].scores.get("rank", p[0])))


def adjoin(one: Moment, other: Moment) -> bool:
    """Whether the second begins where the first ends."""
    last, then = one.passages[-1], other.passages[0]
    return last.recording == then.recording and last.position + 1 == then.position


def together(one: Moment, other: Moment) -> Moment:
    """Two moments that adjoin, as one: with the peak and the score of the better, the best of each signal,
    the better rank."""
    better, offset = (other, len(one.passages)) if other.score > one.score else (one, 0)
    scores = {
        name: (min if name == "rank" else max)(m.scores[name] for m in (one, other) if name in m.scores)
        for name in {**one.scores, **other.scores}
    }
    return Moment(one.passages + other.passages, better.score, scores, offset + better.peak)
