"""Stages for whole recordings or scopes, for questions without a subject, such as "Summarize the call"."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from math import inf
from typing import ClassVar

import numpy as np

from onrecord.retrieve.candidates.sections import UNSUMMARIZED_KINDS, moments_of, outline, titles_of_kinds
from onrecord.retrieve.coverage import by_coverage, stem_weights
from onrecord.retrieve.curve.curves import CurveStage, recordings_by_score
from onrecord.retrieve.curve.prefer import preferred_timeline
from onrecord.retrieve.moments.budget import tokens_of
from onrecord.retrieve.moments.moments import within_words
from onrecord.retrieve.moments.order import with_ranks
from onrecord.retrieve.stage import Stage, Tools
from onrecord.retrieve.wording import stems
from onrecord.types import Curve, Evidence, Moment, Passage, PassageTimeline

_READ = 300  # most passages from which an overview is made
_JUDGED = 5000  # most passages in scope that are scored by importance


@dataclass(frozen=True)
class Full(Stage):
    """A stage that returns all passages of the best `recordings` on the curve, one moment for each section.

    A section of more than `tokens` tokens becomes several moments. No passage is cut or left out. So a model
    that cannot read all of it at once reads it part by part. Moments are in the order of talk;
    `Moment.scores` stores their "rank", from 0.
    """

    tokens: int = 4000
    recordings: int = 1
    ranges: ClassVar = {"tokens": (1, inf), "recordings": (1, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        curve = evidence.curve
        if curve is None or not len(curve.timeline):
            return evidence
        best = recordings_by_score(curve) or list(range(len(curve.timeline.names)))
        parts = [p for n in best[: self.recordings] for p in outline(curve.timeline, n, tools.store)]
        whole = [
            moment
            for part in parts
            for moment in moments_of(part, curve, tools, float(curve.score[part.at].max()))
        ]
        moments = [piece for moment in whole for piece in pieces(moment, self.tokens)]
        best_first = sorted(moments, key=lambda moment: -moment.score)
        return evidence.with_moments(with_ranks(moments, best_first))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        names = dict.fromkeys(moment.recording for moment in after.moments)
        tokens = sum(tokens_of(p.text) for m in after.moments for p in m.passages)
        of = len(set(before.curve.timeline.recordings.tolist())) if before.curve is not None else 0
        return f"{len(names)} of {of} recordings, {tokens} tokens in {len(after.moments)} parts"


def pieces(moment: Moment, tokens: int) -> list[Moment]:
    """Return a moment in pieces of at most `tokens` tokens, cut between passages.

    A passage with more tokens is a piece by itself.
    """
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


@dataclass(frozen=True)
class Overview(Stage):
    """A stage that summarizes the recordings in scope by the passages that cover most of their content.

    There is no search, because "what is this about?" has no words to search for. At most `recordings`
    recordings are read, spread evenly from the first to the last, and at most `words` words: first the best
    passage of each recording, then the next of each, and so on. Of the passages with the highest
    importance, as judged when they were added, those that cover the most frequent content come first. The
    result is in the order of talk.
    """

    words: int = 2000
    recordings: int = 12
    prefers: ClassVar = True
    ranges: ClassVar = {"words": (1, inf), "recordings": (1, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        timeline, scope = preferred_timeline(evidence, tools.store)
        evidence = replace(evidence, question=replace(evidence.question, scope=scope))
        count = len(timeline.names)
        chosen = sorted({round(n) for n in np.linspace(0, count - 1, min(count, self.recordings))})
        share = -(-_READ // max(len(chosen), 1))
        rankings = [_most_telling(timeline, number, share, tools) for number in chosen]
        in_turn = [moment for moment in chain(*zip_longest(*rankings)) if moment is not None]
        best = with_ranks(within_words(in_turn, self.words))
        order = {name: at for at, name in enumerate(timeline.names)}
        spoken = sorted(best, key=lambda m: (order[m.recording], m.passages[0].position))
        return evidence.with_moments(tuple(spoken))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        return f"of {len(dict.fromkeys(moment.recording for moment in after.moments))} recordings"


def _most_telling(timeline: PassageTimeline, recording: int, most: int, tools: Tools) -> list[Moment]:
    """Return the passages of a recording that together cover its most frequent content, best first.

    The `most` important passages are read, without those of disclaimers, advertisements and goodbyes, unless
    there are no others.
    """
    untold = titles_of_kinds(timeline.names[recording], UNSUMMARIZED_KINDS, tools.store)
    stored = tools.store.passages(timeline.rows[timeline.recordings == recording])
    passages = [passage for passage in stored if passage.section not in untold] or stored
    passages = sorted(passages, key=_importance, reverse=True)[:most]
    texts = [stems(passage.text) for passage in passages]
    sizes, worth = [len(passage.text.split()) for passage in passages], [*map(_importance, passages)]
    telling = by_coverage(texts, sizes, worth, stem_weights(texts))
    chosen = [passages[number] for number in dict.fromkeys((*telling, *range(len(texts))))]
    return [Moment((p,), _importance(p), {"importance": _importance(p)}) for p in chosen]


def _importance(passage: Passage) -> float:
    """Return the importance of a passage, in 0..1, or an estimate by its length.

    The importance was judged when the recording was added.
    """
    judged = passage.importance
    return min(1.0, len(passage.text.split()) / 120) if judged is None else judged


@dataclass(frozen=True)
class Overall(CurveStage):
    """A stage that replaces the curve by passages' importance, for questions about a whole recording.

    Similarity to the words "the call" says nothing about the call. The curve stays unchanged for large
    scopes, and if the importance of a passage was not judged.
    """

    def changed(self, curve: Curve, evidence: Evidence, tools: Tools) -> Curve:
        if len(curve.timeline) > _JUDGED or not asks_for_all(evidence):
            return curve
        worth = [passage.importance for passage in tools.store.passages(curve.timeline.rows)]
        if len(worth) != len(curve.timeline) or None in worth:
            return curve
        return replace(curve, score=np.array(worth, np.float32))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        return "all of it is asked for" if before.curve is not after.curve else ""


def asks_for_all(evidence: Evidence) -> bool:
    """Return whether a question asks for everything in scope, and names no subject."""
    return evidence.plan is not None and evidence.plan.whole
