"""Whole recordings or scopes, for questions without a subject: "Summarize the call"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from math import inf
from typing import ClassVar

import numpy as np

from onrecord.retrieve.candidates.sections import moments_of, outline
from onrecord.retrieve.curve.curves import CurveStage, recordings_by_score
from onrecord.retrieve.curve.prefer import preferred_timeline
from onrecord.retrieve.moments.budget import tokens_of
from onrecord.retrieve.moments.moments import within_words
from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Curve, Evidence, Moment, Passage, PassageTimeline


@dataclass(frozen=True)
class Full(Stage):
    """All passages of the best `recordings` on the curve, in order: a moment a section, and a section of
    more than `tokens` in several. No passage is cut, none is left out.

    So a model that cannot read all of it at once reads it part by part. Moments are in the order of talk;
    `Moment.scores` has their "rank", from 0.
    """

    tokens: int = 4000
    recordings: int = 1
    ranges: ClassVar = {"tokens": (1, inf), "recordings": (1, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        curve = evidence.curve
        if curve is None or not len(curve.timeline):
            return evidence
        best = recordings_by_score(curve, 3) or list(range(len(curve.timeline.names)))
        parts = [p for n in best[: self.recordings] for p in outline(curve.timeline, n, tools.store)]
        whole = [
            moment
            for part in parts
            for moment in moments_of(part, curve, tools, float(curve.score[part.at].max()))
        ]
        return replace(evidence, moments=ranked([m for part in whole for m in pieces(part, self.tokens)]))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        names = dict.fromkeys(moment.recording for moment in after.moments)
        tokens = sum(tokens_of(p.text) for m in after.moments for p in m.passages)
        of = len(set(before.curve.timeline.recordings.tolist())) if before.curve is not None else 0
        return f"{len(names)} of {of} recordings, {tokens} tokens in {len(after.moments)} parts"


def pieces(moment: Moment, tokens: int) -> list[Moment]:
    """A moment in pieces of at most so many tokens, cut between passages; a longer passage is one alone."""
    groups: list[list[Passage]] = [[]]
    size = 0
    for passage in moment.passages:
        size += (need := tokens_of(passage.text))
        if size > tokens and groups[-1]:
            groups.append([])
            size = need
        groups[-1].append(passage)
    parts, begin = [], 0
    for group in groups:
        peak = moment.peak - begin
        parts.append(replace(moment, passages=tuple(group), peak=peak if 0 <= peak < len(group) else 0))
        begin += len(group)
    return parts


def ranked(moments: Sequence[Moment]) -> tuple[Moment, ...]:
    """Moments in their order, each with its rank by score among them."""
    order = sorted(range(len(moments)), key=lambda at: -moments[at].score)
    ranks = {at: float(rank) for rank, at in enumerate(order)}
    return tuple(replace(m, scores={**m.scores, "rank": ranks[at]}) for at, m in enumerate(moments))


@dataclass(frozen=True)
class Overview(Stage):
    """The most important passages of every part of the recordings in scope, in order of talk, without those
    of advertisements.

    Nothing is searched for: "what is this about?" has no words to search. At most so many `recordings` are
    read, evenly from the first to the last, and at most so many `words`: first the best passage of each
    recording's best part, then the second best of each, ... Importance is judged when passages are added;
    without it likeness to the rest of their part counts.
    """

    words: int = 1200
    recordings: int = 12
    prefers: ClassVar = True
    ranges: ClassVar = {"words": (1, inf), "recordings": (1, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        timeline, scope = preferred_timeline(evidence, tools.store)
        evidence = replace(evidence, question=replace(evidence.question, scope=scope))
        count = len(timeline.names)
        chosen = sorted({round(n) for n in np.linspace(0, count - 1, min(count, self.recordings))})
        rankings = [_best_of_parts(timeline, number, tools) for number in chosen]
        in_turn = [moment for moment in chain(*zip_longest(*rankings)) if moment is not None]
        best = within_words(in_turn, self.words)
        order = {name: at for at, name in enumerate(timeline.names)}
        spoken = sorted(best, key=lambda m: (order[m.recording], m.passages[0].position))
        ranks = {id(moment): float(rank) for rank, moment in enumerate(best)}
        return evidence.with_moments(
            tuple(replace(m, scores={**m.scores, "rank": ranks[id(m)]}) for m in spoken)
        )

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        return f"of {len(dict.fromkeys(moment.recording for moment in after.moments))} recordings"


def _best_of_parts(timeline: PassageTimeline, recording: int, tools: Tools) -> list[Moment]:
    """The passages of a recording, best first: the best of each part, then the second best of each, ..."""
    parts = [timeline.rows[part.at] for part in outline(timeline, recording, tools.store)]
    sections = tools.store.sections(timeline.names[recording])
    paid = {section.title for section in sections if section.kind == "advertisement"}
    passages = tools.store.passages(np.concatenate(parts)) if parts else []
    stored = {p.row: p for p in passages if p.section not in paid} or {p.row: p for p in passages}
    ranked = [_by_worth([stored[row] for row in rows.tolist() if row in stored], tools) for rows in parts]
    rounds = [[m for m in each if m is not None] for each in zip_longest(*ranked)]
    return [m for each in rounds for m in sorted(each, key=lambda m: m.score, reverse=True)]


def _by_worth(passages: Sequence[Passage], tools: Tools) -> list[Moment]:
    worth = _worth(passages, tools)
    order = sorted(range(len(passages)), key=lambda at: -worth[at])
    return [Moment((passages[at],), worth[at], {"importance": worth[at]}) for at in order]


def _worth(passages: Sequence[Passage], tools: Tools) -> list[float]:
    """The importance of each passage, in 0..1; without it, likeness to the others, or length."""
    judged = [passage.importance for passage in passages]
    if all(worth is not None for worth in judged):
        return [worth or 0.0 for worth in judged]
    vectors = tools.store.vectors([passage.row for passage in passages])
    if vectors.size and len(vectors) == len(passages):
        likeness: list[float] = (vectors @ vectors.mean(axis=0)).clip(0, 1).tolist()
        return likeness
    return [min(1.0, len(passage.text.split()) / 120) for passage in passages]


@dataclass(frozen=True)
class Overall(CurveStage):
    """Replaces the curve by the importance of each passage, where a question asks for all of a recording.

    Nearness to the words "the call" tells nothing of the call. Leaves alone scopes of more than `most`
    passages, and passages whose importance was not judged.
    """

    most: int = 5000
    ranges: ClassVar = {"most": (0, inf)}

    def changed(self, curve: Curve, evidence: Evidence, tools: Tools) -> Curve:
        if len(curve.timeline) > self.most or not asks_for_all(evidence):
            return curve
        worth = [passage.importance for passage in tools.store.passages(curve.timeline.rows)]
        if len(worth) != len(curve.timeline) or None in worth:
            return curve
        return replace(curve, score=np.array(worth, np.float32))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        return "all of it is asked for" if before.curve is not after.curve else ""


def asks_for_all(evidence: Evidence) -> bool:
    """Whether a question asks for all that is said where it looks, and names no subject."""
    return evidence.plan is not None and evidence.plan.whole
