"""The language of what is found, beside that of the question."""

from __future__ import annotations

from dataclasses import replace

from onrecord.retrieve.order import by_rank, in_reading_order
from onrecord.retrieve.stage import remarked
from onrecord.stores.base import Reader
from onrecord.types import Evidence, Moment, Recording

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
    told = "first in the question's language: what is in another one is not clearly better"
    return remarked(evidence.with_moments(_as_before(moved, evidence.moments)), "Own language", told)


def _as_before(moments: tuple[Moment, ...], before: tuple[Moment, ...]) -> tuple[Moment, ...]:
    """Moments in a new order of rank; in that of reading where they were before."""
    if not any("rank" in moment.scores for moment in before):
        return moments
    return in_reading_order(
        replace(m, scores={**m.scores, "rank": float(at)}) for at, m in enumerate(moments)
    )
