"""The order of moments: as they are read, by recording, and those in the language of the question first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from onrecord.retrieve.diversity.diverse import grouped_by
from onrecord.retrieve.moments.moments import unique
from onrecord.retrieve.stage import Stage, Tools, remarked
from onrecord.stores.base import Reader
from onrecord.types import Evidence, Moment, Recording


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


@dataclass(frozen=True)
class Grouped(Stage):
    """Puts the moments of each recording together: the recordings by the mean score of their moments, the
    moments within them by their own, both falling.

    `Moment.scores` keeps their "rank", from 0, and the mean as "recording".
    """

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        ranked = [
            replace(moment, scores={**moment.scores, "rank": float(rank)})
            for rank, moment in enumerate(by_rank(evidence.moments))
        ]
        groups = [_with_mean(group) for group in grouped_by(lambda moment: moment.recording, tuple(ranked))]
        groups.sort(key=lambda group: -group[0].scores["recording"])
        return evidence.with_moments(tuple(moment for group in groups for moment in group))


def _with_mean(group: list[Moment]) -> list[Moment]:
    mean = sum(moment.score for moment in group) / len(group)
    marked = [replace(moment, scores={**moment.scores, "recording": mean}) for moment in group]
    return sorted(marked, key=lambda moment: -moment.score)


CLEARLY = 0.9
"""A moment in another language comes first where the best one in the question's has less than this share of
its score: vectors of models that know many languages differ by some hundredths between languages."""


def spoken_in(recording: Recording | None) -> str:
    """The ISO 639-1 code of a recording's language; empty where it is not known."""
    return ((recording and recording.details.language) or "").split("-")[0]


def elsewhere(evidence: Evidence, recording: Recording | None) -> str:
    """The language of a recording, where the question is in another one and no language was asked for; empty
    otherwise, and where one of both is not known."""
    asked = (evidence.plan.language or "").split("-")[0] if evidence.plan else ""
    spoken = spoken_in(recording)
    return spoken if asked and asked != spoken and not evidence.question.scope.languages else ""


def own_language_first(evidence: Evidence, store: Reader) -> Evidence:
    """Evidence with a moment in the question's language first, where one in another language is not clearly
    better; the order of all others stays."""
    if not evidence.moments:
        return evidence
    ranked = by_rank(evidence.moments)
    recordings = {m.recording: store.recording(m.recording) for m in ranked}
    if not elsewhere(evidence, recordings[ranked[0].recording]):
        return evidence
    own = [
        m
        for m in ranked
        if spoken_in(recordings[m.recording]) and not elsewhere(evidence, recordings[m.recording])
    ]
    least = CLEARLY * ranked[0].score
    near = next((moment for moment in own if moment.score >= least), None)
    if near is None:
        return evidence
    moved = (near, *(moment for moment in ranked if moment is not near))
    note = "first in the question's language: what is in another one is not clearly better"
    return remarked(evidence.with_moments(_as_before(moved, evidence.moments)), "Own language", note)


def _as_before(moments: tuple[Moment, ...], before: tuple[Moment, ...]) -> tuple[Moment, ...]:
    """Moments in a new order of rank; in that of reading where they were before."""
    if not any("rank" in moment.scores for moment in before):
        return moments
    return in_reading_order(
        replace(m, scores={**m.scores, "rank": float(at)}) for at, m in enumerate(moments)
    )
