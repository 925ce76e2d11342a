"""Limits on moments: by words or tokens, by the question's intent, by cosine, and by importance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import ClassVar

import numpy as np

from onrecord.errors import SettingError
from onrecord.retrieve.curve.curves import minmax
from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Evidence, Moment, Passage


def words_of(text: str) -> int:
    return len(text.split())


def tokens_of(text: str) -> int:
    """Return the estimated number of tokens: four bytes of UTF-8 each, rounded up.

    A better estimate needs the model's own tokenizer. For European languages this one errs on the safe side.
    """
    return -(-len(text.encode("utf-8", "replace")) // 4)


@dataclass(frozen=True)
class Budget(Stage):
    """A stage that keeps the best moments within a limit of `words`, or of `tokens`.

    The first moment that exceeds the limit is cut to the passages around its best, and becomes the last one;
    a passage is never cut. The note says which moments were cut or left out.
    """

    words: int | None = None
    tokens: int | None = None
    ranges: ClassVar = {"words": (0, inf), "tokens": (0, inf)}

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.words is None) == (self.tokens is None):
            raise SettingError("Budget", (self.words, self.tokens), "words or tokens, one of the two")

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        size = words_of if self.words is not None else tokens_of
        room = self.words if self.words is not None else self.tokens or 0
        fitting: list[Moment] = []
        for moment in evidence.moments:
            need = sum(size(passage.text) for passage in moment.passages)
            if need > room:
                fitting += around_peak(moment, room, size)
                break
            room -= need
            fitting.append(moment)
        return evidence.with_moments(tuple(fitting))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        omitted = len(before.moments) - len(after.moments)
        pairs = zip(before.moments, after.moments, strict=False)
        is_cut = any(len(whole.passages) > len(fitting.passages) for whole, fitting in pairs)
        notes = [f"{omitted} moments did not fit"] * bool(omitted) + ["the last one was cut"] * is_cut
        return "; ".join(notes)


def around_peak(moment: Moment, room: int, size: Callable[[str], int]) -> list[Moment]:
    """Return the moment cut to `room`: its best passage, then the following ones, then the preceding ones.

    Empty if the best passage exceeds `room`.
    """
    first = last = moment.peak
    room -= size(moment.passages[moment.peak].text)
    if room < 0:
        return []
    sizes = [size(passage.text) for passage in moment.passages]
    while last + 1 < len(sizes) and sizes[last + 1] <= room:
        last += 1
        room -= sizes[last]
    while first > 0 and sizes[first - 1] <= room:
        first -= 1
        room -= sizes[first]
    passages: Sequence[Passage] = moment.passages[first : last + 1]
    return [replace(moment, passages=tuple(passages), peak=moment.peak - first)]


@dataclass(frozen=True)
class Limits(Stage):
    """A stage that keeps the best passages, up to a limit for the plan's intent; `unplanned` without a plan.

    A fact is in one place; a summary or an exploratory question needs many passages. A moment that exceeds
    the limit is cut to the passages around its best, and becomes the last one.
    """

    factual: int = 3
    definition: int = 3
    causal: int = 8
    multi_entity: int = 15
    comparison: int = 20
    summary: int = 50
    exploratory: int = 50
    unplanned: int = 10
    ranges: ClassVar = dict.fromkeys(
        (
            *("factual", "definition", "causal", "multi_entity", "comparison", "summary"),
            *("exploratory", "unplanned"),
        ),
        (1, inf),
    )

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        room, fitting = self.most(evidence), list[Moment]()
        for moment in evidence.moments:
            if len(moment.passages) > room:
                fitting += around_peak(moment, room, lambda _: 1)
                break
            fitting.append(moment)
            room -= len(moment.passages)
        return evidence.with_moments(tuple(fitting))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        return f"{before.plan.intent}: {self.most(before)} passages at most" if before.plan else ""

    def most(self, evidence: Evidence) -> int:
        """Return the limit on passages for this evidence."""
        limit: int = getattr(self, evidence.plan.intent if evidence.plan else "unplanned", self.unplanned)
        return limit


@dataclass(frozen=True)
class Threshold(Stage):
    """A stage that keeps at most `most` moments whose cosine is at least `floor`.

    If fewer than `least` moments reach it, the best `least` are kept whatever their score. If `floor` is
    None, it is a value of the embedder's calibration: `level` "sure" or "floor". A value in the settings for
    the question's intent (`retrieval.thresholds`) overrides both.
    """

    floor: float | None = None
    level: str = "sure"
    most: int = 10
    least: int = 3
    ranges: ClassVar = {"floor": (-1, 1), "most": (1, inf), "least": (0, inf)}

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.level not in ("sure", "floor"):
            raise SettingError("Threshold.level", self.level, "'sure' or 'floor'")

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        floor = self._floor(evidence, tools)
        near = [m for m in evidence.moments if m.scores.get("dense", m.score) >= floor]
        best = near[: self.most] if len(near) >= self.least else evidence.moments[: self.least]
        return evidence.with_moments(tuple(best))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        floor = self._floor(before, tools)
        near = sum(m.scores.get("dense", m.score) >= floor for m in before.moments)
        return f"{near} of cosine {floor:g} or more" + ("; the nearest are kept" if near < self.least else "")

    def _floor(self, evidence: Evidence, tools: Tools) -> float:
        intent = evidence.plan.intent if evidence.plan else ""
        if intent in tools.floors:
            return tools.floors[intent]
        if self.floor is not None:
            return self.floor
        if tools.embedder is None:
            return 0.0
        figure: float = getattr(tools.embedder.calibration, self.level)
        return figure


@dataclass(frozen=True)
class Important(Stage):
    """A stage that keeps the `most` moments with the highest mix of importance and relevance, best first:

        (1 - relevance) * importance + relevance * score

    The importance of a moment is that of its best passage, judged when the recording was added, independently
    of any question. The score is scaled to 0..1, and is used alone if the importance was not judged. Ties
    keep their order. With `relevance` 0 only importance counts: the stage keeps the most important parts of
    the talk, even if they have little to do with the question.
    """

    most: int = 10
    relevance: float = 0.75
    ranges: ClassVar = {"most": (1, inf), "relevance": (0, 1)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        scores = minmax(np.array([moment.score for moment in evidence.moments], np.float32)).tolist()
        judged = [moment.passages[moment.peak].importance for moment in evidence.moments]
        values = [
            score if importance is None else (1 - self.relevance) * importance + self.relevance * score
            for importance, score in zip(judged, scores, strict=True)
        ]
        order = sorted(range(len(values)), key=lambda at: -values[at])[: self.most]
        return evidence.with_moments(tuple(evidence.moments[at] for at in order))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        bare = sum(moment.passages[moment.peak].importance is None for moment in before.moments)
        return f"by score: the importance of {bare} of {len(before.moments)} is not known" if bare else ""
