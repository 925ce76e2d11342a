"""Operations on curves: min-max scaling, convex combination, merging, narrowing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Curve, Evidence, Moment, PassageTimeline

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from onrecord.types import Counts, Rows, Scores


_SIGNALS = ("dense", "lexical")


@dataclass(frozen=True)
class CurveStage(Stage):
    """The base class of stages that change only the curve, by implementing `changed`.

    Evidence without a curve, or with an empty one, stays unchanged, and so does a curve that `changed`
    returns.
    """

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        curve = evidence.curve
        if curve is None or not len(curve.timeline):
            return evidence
        changed = self.changed(curve, evidence, tools)
        return evidence if changed is curve else replace(evidence, curve=changed)

    def changed(self, curve: Curve, evidence: Evidence, tools: Tools) -> Curve:
        """Return the new curve of some evidence, or `curve` itself if nothing changes."""
        raise NotImplementedError


def minmax(scores: Scores) -> Scores:
    """Return scores scaled to 0..1.

    If all scores are equal, they cannot be told apart: all become 1 if they are above 0, else 0.
    """
    if not len(scores):
        return scores
    low, high = scores.min(), scores.max()
    if high <= low:
        return np.full_like(scores, high > 0)
    stretched: Scores = scores - low
    stretched /= high - low
    return stretched


def convex(signals: Iterable[tuple[float, Scores]]) -> Scores:
    """Return the weighted sum of one or more signals of the same length, each scaled to 0..1 first.

    A convex combination: score(d) = sum of weight * (s(d) - min s) / (max s - min s) (Bruch, Gai and Ingber,
    An Analysis of Fusion Functions for Hybrid Retrieval, 2023).
    """
    stretched = [(weight, minmax(scores)) for weight, scores in signals]
    first, *others = [np.multiply(scores, weight, out=scores) for weight, scores in stretched]
    for other in others:
        first += other
    return first


def with_score(curve: Curve, score: NDArray[np.floating], **parts: Scores) -> Curve:
    """Return the curve with other scores, and with these signals added to its parts."""
    return replace(curve, score=score.astype(np.float32, copy=False), parts={**curve.parts, **parts})


def highest(curves: Sequence[Curve | None], timeline: PassageTimeline) -> Curve | None:
    """Return a curve with each passage's best score on any curve, and its best value of each signal.

    The score is 0 for a passage on none of the curves. Return None if there is no curve.
    """
    merged = [curve for curve in curves if curve is not None]
    if not merged:
        return None
    score = np.zeros(len(timeline), np.float32)
    parts = {name: np.zeros(len(timeline), np.float32) for curve in merged for name in curve.parts}
    order = np.argsort(timeline.rows)
    for curve in merged:
        here = np.isin(curve.timeline.rows, timeline.rows)
        at = order[np.searchsorted(timeline.rows, curve.timeline.rows[here], sorter=order)]
        score[at] = np.maximum(score[at], curve.score[here])
        for name, part in curve.parts.items():
            parts[name][at] = np.maximum(parts[name][at], part[here])
    return Curve(timeline, score, parts)


def with_more(
    first: Evidence, others: Sequence[Evidence], moments: tuple[Moment, ...], timeline: PassageTimeline
) -> Evidence:
    """Return the evidence for a question, with moments from searches for other wordings.

    The curve rises to the highest of all curves. Its signals, and the signals of the moments, stay those of
    the first: the similarity of a passage to another wording does not measure its similarity to the question.
    The traces are concatenated.
    """
    own = highest([first.curve], timeline)
    whole = highest([first.curve, *(other.curve for other in others)], timeline)
    if own is not None and whole is not None:
        whole = replace(whole, parts=own.parts)
    trace = (*first.trace, *(step for other in others for step in other.trace))
    rows = {passage.row for moment in first.moments for passage in moment.passages}
    rescored = tuple(_with_own_signals(moment, own, rows) for moment in moments)
    return replace(first, moments=rescored, curve=whole, trace=trace)


def _with_own_signals(moment: Moment, own: Curve | None, rows_of_first: set[int]) -> Moment:
    """Return a moment with the signals of the question's own curve.

    Without that curve it has no signals, unless the search for the question also returned all of its
    passages.
    """
    rows = [passage.row for passage in moment.passages]
    if own is None:
        bare = {name: score for name, score in moment.scores.items() if name not in _SIGNALS}
        return moment if rows_of_first.issuperset(rows) else replace(moment, scores=bare)
    here = np.isin(own.timeline.rows, rows)
    signals = {name: float(part[here].max(initial=0)) for name, part in own.parts.items()}
    return replace(moment, scores={**moment.scores, **signals})


_BEST = 5  # passages whose mean score is the score of their recording


def recordings_by_score(curve: Curve) -> list[int]:
    """Return the indices in `PassageTimeline.names` of the recordings that score above 0, best first.

    Recordings are ranked by the mean of the best `_BEST` passages of each, so that neither length nor a
    single passage decides alone.
    """
    timeline = curve.timeline
    order = np.lexsort((-curve.score, timeline.recordings))
    counts = np.bincount(timeline.recordings, minlength=len(timeline.names))
    begins = np.concatenate(([0], np.cumsum(counts)[:-1]))
    within = np.arange(len(timeline)) - begins[timeline.recordings[order]]
    best = order[within < _BEST]
    sums = np.bincount(timeline.recordings[best], weights=curve.score[best], minlength=len(timeline.names))
    means = sums / np.clip(counts, 1, _BEST)
    return [at for at in np.argsort(-means, kind="stable").tolist() if means[at] > 0]


def narrowed(curve: Curve, indices: Rows) -> Curve:
    """Return the curve over only these indices of its timeline."""
    parts: dict[str, Scores] = {name: part[indices] for name, part in curve.parts.items()}
    return Curve(part_of(curve.timeline, indices), curve.score[indices], parts)


def part_of(timeline: PassageTimeline, indices: Rows | Counts | NDArray[np.bool_]) -> PassageTimeline:
    """Return the timeline at some indices, or where a mask is true, with the names of all its recordings."""
    return PassageTimeline(
        timeline.rows[indices],
        timeline.recordings[indices],
        timeline.positions[indices],
        timeline.words[indices],
        timeline.names,
    )
