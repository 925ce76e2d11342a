"""Curves of several searches as one, and the parts of a curve that belong together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from onrecord.types import Curve, Evidence, Line, Moment

if TYPE_CHECKING:
    from onrecord.types import Rows, Scores


_SIGNALS = ("dense", "lexical")


def highest(curves: Sequence[Curve | None], line: Line) -> Curve | None:
    """For every passage of a line its best score on any of the curves, and its best of each signal; 0 where
    none of them has it. None where there is no curve."""
    known = [curve for curve in curves if curve is not None]
    if not known:
        return None
    score = np.zeros(len(line), np.float32)
    parts = {name: np.zeros(len(line), np.float32) for curve in known for name in curve.parts}
    order = np.argsort(line.rows)
    for curve in known:
        here = np.isin(curve.line.rows, line.rows)
        at = order[np.searchsorted(line.rows, curve.line.rows[here], sorter=order)]
        score[at] = np.maximum(score[at], curve.score[here])
        for name, part in curve.parts.items():
            parts[name][at] = np.maximum(parts[name][at], part[here])
    return Curve(line, score, parts)


def with_more(
    first: Evidence, others: Sequence[Evidence], moments: tuple[Moment, ...], line: Line
) -> Evidence:
    """What was found for a question, with moments that were found for other words in its place.

    How good they are is told by the question as it was asked: the curve rises where another one is higher,
    but its signals, and those of the moments, stay those of the first. What other words come nearest to says
    nothing of how near it is to the question. The trails follow one another.
    """
    own = highest([first.curve], line)
    whole = highest([first.curve, *(other.curve for other in others)], line)
    if own is not None and whole is not None:
        whole = replace(whole, parts=own.parts)
    trail = (*first.trail, *(step for other in others for step in other.trail))
    known = {passage.row for moment in first.moments for passage in moment.passages}
    told = tuple(_as_asked(moment, own, known) for moment in moments)
    return replace(first, moments=told, curve=whole, trail=trail)


def _as_asked(moment: Moment, own: Curve | None, known: set[int]) -> Moment:
    """A moment with the signals that the question's own curve gives it; without one, and unless it was found
    for the question as well, with none."""
    rows = [passage.row for passage in moment.passages]
    if own is None:
        bare = {name: score for name, score in moment.scores.items() if name not in _SIGNALS}
        return moment if known.issuperset(rows) else replace(moment, scores=bare)
    here = np.isin(own.line.rows, rows)
    signals = {name: float(part[here].max(initial=0)) for name, part in own.parts.items()}
    return replace(moment, scores={**moment.scores, **signals})


def recordings_by_score(curve: Curve, passages: int) -> list[int]:
    """Numbers of the recordings that score anything (index into `Line.names`), best first: by the mean of
    the `passages` best of each, so that neither length nor a single passage decides alone."""
    line = curve.line
    order = np.lexsort((-curve.score, line.recordings))
    counts = np.bincount(line.recordings, minlength=len(line.names))
    begins = np.concatenate(([0], np.cumsum(counts)[:-1]))
    within = np.arange(len(line)) - begins[line.recordings[order]]
    best = order[within < passages]
    sums = np.bincount(line.recordings[best], weights=curve.score[best], minlength=len(line.names))
    means = sums / np.clip(counts, 1, passages)
    return [at for at in np.argsort(-means, kind="stable").tolist() if means[at] > 0]


def narrowed(curve: Curve, kept: Rows) -> Curve:
    """The curve over some indices of its line only."""
    line = curve.line
    thinned = replace(
        line,
        rows=line.rows[kept],
        recordings=line.recordings[kept],
        positions=line.positions[kept],
        words=line.words[kept],
    )
    parts: dict[str, Scores] = {name: part[kept] for name, part in curve.parts.items()}
    return Curve(thinned, curve.score[kept], parts)
