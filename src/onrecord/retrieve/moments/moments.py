"""Moments: spans of talk that belong together, cut from the curve, merged and fused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from math import inf
from typing import TYPE_CHECKING, ClassVar

from onrecord.retrieve.stage import Stage, Tools
from onrecord.stores.base import Snapshot
from onrecord.stores.ranking import top
from onrecord.types import Curve, Evidence, Moment, Passage, PassageTimeline, Scope

if TYPE_CHECKING:
    from onrecord.types import Rows, Scores


Span = tuple[int, int, int]
"""A moment on a timeline: the indices of its first, its last, and its best passage."""


def as_moments(rows: Rows, scores: Scores, store: Snapshot, name: str) -> tuple[Moment, ...]:
    """Return the passages of these rows, each as a moment of its own. `name` is the name of the score."""
    return tuple(
        Moment((passage,), float(score), {name: float(score)})
        for score, passage in zip(scores, store.passages(rows), strict=True)
    )


@dataclass(frozen=True)
class Moments(Stage):
    """A stage that cuts moments of at most `words` words in all, each of at most `longest`.

    On a curve, a moment begins at the best passage that is not in a moment yet. It extends forward in the
    order of talk while the curve stays above `floor` times that passage's score. If the next passage is
    already in another moment, it extends backward instead. So each moment begins with its best passage.
    Without a curve, the passages of the existing moments are taken in their order, and adjacent passages
    become one moment.

    Moments are ranked by their best passage; no passage is in two moments. The best passage is included even
    if it alone has more words.
    """

    words: int = 1000
    longest: int = 480
    floor: float = 0.92
    ranges: ClassVar = {"words": (1, inf), "longest": (0, inf), "floor": (0, 1)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        curve = evidence.curve
        if curve is None:
            singles = unique(Moment((p,), m.score, m.scores) for m in evidence.moments for p in m.passages)
            return evidence.with_moments(joined(within_words(singles, self.words)))
        spans = self._spans(curve)
        rows = [curve.timeline.rows[first : last + 1].tolist() for first, last, _ in spans]
        passages = {passage.row: passage for passage in tools.store.passages(list(chain(*rows)))}
        moments = []
        for span_rows, (first, last, peak) in zip(rows, spans, strict=True):
            best = {name: float(signal[first : last + 1].max()) for name, signal in curve.parts.items()}
            in_order = tuple([passages[row] for row in span_rows])
            moments.append(Moment(in_order, float(curve.score[peak]), best, peak - first))
        return evidence.with_moments(tuple(moments))

    def _spans(self, curve: Curve) -> list[Span]:
        """Return the spans of the moments, which begin at the best passages.

        Enough of the best passages are considered to use up the budget even if half of it goes to passages
        that extend a moment.
        """
        most, words = 128, curve.timeline.words
        best = top(curve.score, most)
        while len(best) < len(words) and words[best].sum() < 2 * self.words:
            most *= 4
            best = top(curve.score, most)
        used: set[int] = set()
        spans: list[Span] = []
        room = self.words
        for peak in best[curve.score[best] > 0].tolist():
            if peak in used:
                continue
            if spans and words[peak] > room:
                break
            span = self._grow(curve, peak, used, room)
            used.update(span)
            room -= int(words[span].sum())
            spans.append((min(span), max(span), peak))
        return spans

    def _grow(self, curve: Curve, peak: int, used: set[int], room: int) -> list[int]:
        """Return the indices on the curve of the moment that begins at `peak`."""
        timeline, score = curve.timeline, curve.score
        back = peak + 1 in used and _adjoin(timeline, peak, peak + 1)
        step = -1 if back else 1
        room = min(room, self.longest) - int(timeline.words[peak])
        span = [peak]
        at = peak + step
        while at not in used and _adjoin(timeline, at - step, at) and score[at] >= self.floor * score[peak]:
            room -= int(timeline.words[at])
            if room < 0:
                break
            span.append(at)
            at += step
        return span


def joined(singles: Iterable[Moment]) -> tuple[Moment, ...]:
    """Return moments of one passage each, merged if adjacent in a recording, best first.

    Each signal in `scores` is the best of its passages.
    """
    groups: list[list[Moment]] = []
    for single in sorted(singles, key=lambda moment: place(moment.passages[0])):
        recording, position = place(single.passages[0])
        if groups and place(groups[-1][-1].passages[0]) == (recording, position - 1):
            groups[-1].append(single)
        else:
            groups.append([single])
    moments = []
    for group in groups:
        peak = max(range(len(group)), key=lambda i: group[i].score)
        names = dict.fromkeys(name for moment in group for name in moment.scores)
        scores = {name: max(m.scores[name] for m in group if name in m.scores) for name in names}
        moments.append(Moment(tuple(m.passages[0] for m in group), group[peak].score, scores, peak))
    return tuple(sorted(moments, key=lambda moment: -moment.score))


def _adjoin(timeline: PassageTimeline, one: int, other: int) -> bool:
    """Return whether two neighboring indices on the timeline are adjacent passages of one recording."""
    first, then = min(one, other), max(one, other)
    return (
        first >= 0
        and then < len(timeline)
        and bool(timeline.recordings[first] == timeline.recordings[then])
        and bool(timeline.positions[first] + 1 == timeline.positions[then])
    )


Place = tuple[str, int]
"""The identity of a passage: its recording and its position there."""


def place(passage: Passage) -> Place:
    return passage.recording, passage.position


def places(moments: Iterable[Moment]) -> set[Place]:
    """Return the places of all passages of some moments."""
    return {place(passage) for moment in moments for passage in moment.passages}


def in_scope(passages: Sequence[Passage], scope: Scope, store: Snapshot) -> list[Passage]:
    """Return the passages that are in scope, given passages of a recording that is in scope."""
    if not (scope.speakers or scope.sections):  # all other fields select whole recordings
        return list(passages)
    rows = set(store.timeline(scope).rows.tolist())
    return [passage for passage in passages if passage.row in rows]


def fresh(moment: Moment, seen: set[Place]) -> tuple[Moment, ...]:
    """Return the parts of a moment without the passages in `seen`, and add their passages to `seen`."""
    parts = []
    for is_seen, run in groupby(range(len(moment.passages)), key=lambda i: place(moment.passages[i]) in seen):
        if not is_seen:
            indices = list(run)
            peak = indices.index(moment.peak) if moment.peak in indices else 0
            passages = tuple(moment.passages[i] for i in indices)
            parts.append(replace(moment, passages=passages, peak=peak))
    seen |= places(parts)
    return tuple(parts)


def unique(moments: Iterable[Moment]) -> tuple[Moment, ...]:
    """Return the moments in their order, without passages that are in an earlier moment."""
    seen: set[Place] = set()
    return tuple(chain.from_iterable(fresh(moment, seen) for moment in moments))


def interleaved(rankings: Sequence[Sequence[Moment]]) -> tuple[Moment, ...]:
    """Return the best moment of each ranking, then the second of each, and so on; no passage twice."""
    longest = max(map(len, rankings), default=0)
    return unique(ranking[at] for at in range(longest) for ranking in rankings if at < len(ranking))


def within_words(moments: Iterable[Moment], words: int) -> tuple[Moment, ...]:
    """Return the first moments with at most `words` words together, but at least one moment."""
    fitting: list[Moment] = []
    for moment in moments:
        if fitting and moment.words > words:
            break
        words -= moment.words
        fitting.append(moment)
    return tuple(fitting)


def fused(rankings: Sequence[Sequence[Moment]], k: int = 60) -> tuple[Moment, ...]:
    """Return several rankings as one, best first, by reciprocal rank fusion of their passages (see `fuse`).

    Adjacent passages are merged again. The rankings of several questions cut the same span of talk at
    different passages, so whole moments could not be matched. A passage has the rank of its moment; passages
    other than the best of a moment rank half a place lower.
    """
    by_place: dict[Place, Moment] = {}
    for ranking in rankings:
        for rank, moment in enumerate(unique(ranking), 1):
            for at, passage in enumerate(moment.passages):
                seen = by_place.get(place(passage), Moment((passage,), 0.0))
                score = seen.score + 1 / (k + rank + (0 if at == moment.peak else 0.5))
                by_place[place(passage)] = replace(seen, score=score, scores={**moment.scores, **seen.scores})
    return joined(by_place.values())
