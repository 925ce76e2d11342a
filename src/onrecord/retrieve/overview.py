"""What is said in a scope as a whole, for questions that name no subject."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from math import inf
from typing import ClassVar

import numpy as np

from onrecord.retrieve.outline import outline
from onrecord.retrieve.prefer import preferred_line
from onrecord.retrieve.spans import within_words
from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Evidence, Line, Moment, Passage


@dataclass(frozen=True)
class Overview(Stage):
    """The passages that say most, of every part of the recordings in scope, in order of talk; at most so
    many `words`. Nothing is searched for: "what is this about?" has no words that could be found.

    Of more than so many `recordings` as many are taken, evenly from the first to the last. Each gives the
    best passage of its best part, then all the second best, ... By importance, as judged when they were
    added; where nobody has judged them, by likeness to the rest of their part.
    """

    words: int = 1200
    recordings: int = 12
    prefers: ClassVar = True
    ranges: ClassVar = {"words": (1, inf), "recordings": (1, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        line, scope = preferred_line(evidence, tools.store)
        evidence = replace(evidence, question=replace(evidence.question, scope=scope))
        count = len(line.names)
        chosen = sorted({round(n) for n in np.linspace(0, count - 1, min(count, self.recordings))})
        each = [_best_of_parts(line, number, tools) for number in chosen]
        taken = within_words([m for m in chain(*zip_longest(*each)) if m is not None], self.words)
        order = {name: at for at, name in enumerate(line.names)}
        spoken = sorted(taken, key=lambda m: (order[m.recording], m.passages[0].position))
        ranks = {id(moment): float(rank) for rank, moment in enumerate(taken)}
        return evidence.with_moments(
            tuple(replace(m, scores={**m.scores, "rank": ranks[id(m)]}) for m in spoken)
        )

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        return f"of {len(dict.fromkeys(moment.recording for moment in after.moments))} recordings"


def _best_of_parts(line: Line, recording: int, tools: Tools) -> list[Moment]:
    """The passages of a recording, best first: the best of each part, then the second best of each, ..."""
    parts = [line.rows[part.at] for part in outline(line, recording, tools.store)]
    stored = {p.row: p for p in tools.store.passages(np.concatenate(parts))} if parts else {}
    ranked = [_by_worth([stored[row] for row in rows.tolist() if row in stored], tools) for rows in parts]
    rounds = [[m for m in each if m is not None] for each in zip_longest(*ranked)]
    return [m for each in rounds for m in sorted(each, key=lambda m: m.score, reverse=True)]


def _by_worth(passages: Sequence[Passage], tools: Tools) -> list[Moment]:
    worth = _worth(passages, tools)
    order = sorted(range(len(passages)), key=lambda at: -worth[at])
    return [Moment((passages[at],), worth[at], {"importance": worth[at]}) for at in order]


def _worth(passages: Sequence[Passage], tools: Tools) -> list[float]:
    """How much each passage says, in 0..1."""
    judged = [passage.importance for passage in passages]
    if all(worth is not None for worth in judged):
        return [worth or 0.0 for worth in judged]
    vectors = tools.store.vectors([passage.row for passage in passages])
    if vectors.size and len(vectors) == len(passages):
        likeness: list[float] = (vectors @ vectors.mean(axis=0)).clip(0, 1).tolist()
        return likeness
    return [min(1.0, len(passage.text.split()) / 120) for passage in passages]
