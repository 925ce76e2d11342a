"""Profiles of evidence, as drawn on a page: where in each recording the answers are, and who gives them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from onrecord.stores.base import Snapshot
from onrecord.types import Evidence, Moment, Passage, Recording

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from onrecord.types import Curve

Stretch = tuple[float, float, float]
"""Start, end and score."""
_MOST = 8
"""The most recordings with a profile."""
_PIECES = 200
"""The most pieces of a curve."""


@dataclass(frozen=True, slots=True)
class Profile:
    """One recording's share of the evidence.

    `score` is the score of its best moment. `speakers` are the speakers' shares of the moments' text (shares
    of 1, largest first). `moments` are in falling order of score. `curve` is relevance over time, in order of
    time, with scores in 0..1 relative to the best place in all recordings; it is empty if no curve was
    computed. Starts and ends are seconds if the recording has times (`timed`), otherwise positions of
    passages.
    """

    recording: Recording
    score: float
    speakers: tuple[tuple[str, float], ...]
    curve: tuple[Stretch, ...]
    moments: tuple[Stretch, ...]
    timed: bool


def profiles(evidence: Evidence, store: Snapshot) -> list[Profile]:
    """Return the profiles of at most 8 recordings with moments, best first.

    Curves have at most 200 pieces, each with the score of its best passage.
    """
    by_recording: dict[str, list[Moment]] = {}
    for moment in sorted(evidence.moments, key=lambda m: m.score, reverse=True):
        by_recording.setdefault(moment.recording, []).append(moment)
    made = []
    for name, moments in list(by_recording.items())[:_MOST]:
        recording = store.recording(name)
        if recording is None:
            continue
        timed = bool(recording.seconds)
        passages = [passage for moment in moments for passage in moment.passages]
        curve = _curve(evidence.curve, recording, passages) if evidence.curve else ()
        stretches = tuple(_stretches(moments, timed))
        made.append(Profile(recording, moments[0].score, _shares(passages), tuple(curve), stretches, timed))
    return made


def _stretches(moments: Sequence[Moment], timed: bool) -> Iterator[Stretch]:
    for moment in moments:
        if not timed:
            yield moment.passages[0].position, moment.passages[-1].position + 1, moment.score
        elif moment.start is not None:
            yield moment.start, max(moment.start, moment.end or moment.start), moment.score


def _shares(passages: Iterable[Passage]) -> tuple[tuple[str, float], ...]:
    """Return each speaker's share of the characters of the passages, each passage counted once."""
    characters: Counter[str] = Counter()
    for passage in {p.position: p for p in passages}.values():
        for begin, end, speaker in passage.turns:
            if speaker:
                characters[speaker] += end - begin
    total = sum(characters.values())
    return tuple((name, count / total) for name, count in characters.most_common() if count)


def _curve(curve: Curve, recording: Recording, passages: Sequence[Passage]) -> Iterator[Stretch]:
    """Yield this recording's part of the curve, in at most `_PIECES` pieces of equally many passages."""
    timeline = curve.timeline
    if recording.id not in timeline.names or not len(timeline):
        return
    mine = np.flatnonzero(timeline.recordings == timeline.names.index(recording.id))
    best = float(curve.score.max())
    scores = np.clip(curve.score[mine], 0, best) / best if best > 0 else np.zeros(len(mine))
    positions = timeline.positions[mine].astype(np.float64)
    size = max(recording.passages, int(positions[-1]) + 1)
    pieces = (positions * min(_PIECES, size) / size).astype(int)
    begins = np.flatnonzero(np.diff(pieces, prepend=-1))
    ends = np.append(begins[1:], len(mine)) - 1
    starts, stops = (
        _times(positions[begins], recording, passages),
        _times(positions[ends] + 1, recording, passages),
    )
    for start, stop, score in zip(starts, stops, np.maximum.reduceat(scores, begins), strict=True):
        yield float(start), float(stop), float(score)


def _times(
    positions: NDArray[np.float64], recording: Recording, passages: Sequence[Passage]
) -> NDArray[np.float64]:
    """Return the second at which each position begins, or the positions if the recording has no times.

    Times are known for `passages` and for both ends of the recording, and are interpolated linearly between
    them (passages have similar lengths).
    """
    if not recording.seconds:
        return positions
    seconds_at = {0: 0.0, recording.passages: recording.seconds}
    seconds_at |= {p.position: p.start for p in passages if p.start is not None}
    at = sorted(seconds_at)
    seconds = np.maximum.accumulate([seconds_at[position] for position in at])
    return np.asarray(np.interp(positions, at, seconds), np.float64)
