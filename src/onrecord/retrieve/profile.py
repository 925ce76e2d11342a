"""Profiles of evidence: where in each recording a question is answered, and by whom, as a page draws it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from onrecord.stores.base import Reader
from onrecord.types import Evidence, Moment, Passage, Recording

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from onrecord.types import Curve

Stretch = tuple[float, float, float]
"""Start, end, score."""


@dataclass(frozen=True, slots=True)
class Profile:
    """One recording's share in the evidence.

    `score` is that of its best moment, `speakers` who says how much of what was found in it (shares of
    1, largest first), `moments` in falling order of score. `curve` is relevance over time, rising in
    time, scores in 0..1 of the best place in all recordings; empty where nothing was scored along the
    talk. Starts and ends are seconds where the recording has times (`timed`), else positions of passages.
    """

    recording: Recording
    score: float
    speakers: tuple[tuple[str, float], ...]
    curve: tuple[Stretch, ...]
    moments: tuple[Stretch, ...]
    timed: bool


def profiles(evidence: Evidence, store: Reader, most: int = 8, points: int = 200) -> list[Profile]:
    """The recordings in which something was found, best first, at most `most`; curves of at most
    `points` stretches, each the best of the passages in it."""
    by_recording: dict[str, list[Moment]] = {}
    for moment in sorted(evidence.moments, key=lambda m: m.score, reverse=True):
        by_recording.setdefault(moment.recording, []).append(moment)
    made = []
    for name, moments in list(by_recording.items())[:most]:
        recording = store.recording(name)
        if recording is None:
            continue
        timed = bool(recording.seconds)
        passages = [passage for moment in moments for passage in moment.passages]
        curve = _curve(evidence.curve, recording, passages, points) if evidence.curve else ()
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
    """Who says how much of the passages, each counted once, by characters."""
    characters: Counter[str] = Counter()
    for passage in {p.position: p for p in passages}.values():
        begins = [begin for begin, _ in passage.voices] or [0]
        for begin, end in zip(begins, [*begins[1:], len(passage.text)], strict=True):
            speaker = passage.speaker_at(begin)
            if speaker:
                characters[speaker] += end - begin
    total = sum(characters.values())
    return tuple((name, count / total) for name, count in characters.most_common() if count)


def _curve(curve: Curve, recording: Recording, passages: Sequence[Passage], points: int) -> Iterator[Stretch]:
    """This recording's stretch of the curve, in at most `points` pieces of equally many passages."""
    timeline = curve.timeline
    if recording.id not in timeline.names or not len(timeline):
        return
    mine = np.flatnonzero(timeline.recordings == timeline.names.index(recording.id))
    best = float(curve.score.max())
    scores = np.clip(curve.score[mine], 0, best) / best if best > 0 else np.zeros(len(mine))
    positions = timeline.positions[mine].astype(np.float64)
    size = max(recording.passages, int(positions[-1]) + 1)
    pieces = (positions * min(points, size) / size).astype(int)
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
    """The second at which each position begins: known for the passages at hand and the recording's ends, by
    linear interpolation between them (passages are of about one length); without times the position."""
    if not recording.seconds:
        return positions
    seconds_at = {0: 0.0, recording.passages: recording.seconds}
    seconds_at |= {p.position: p.start for p in passages if p.start is not None}
    at = sorted(seconds_at)
    seconds = np.maximum.accumulate([seconds_at[position] for position in at])
    return np.asarray(np.interp(positions, at, seconds), np.float64)
