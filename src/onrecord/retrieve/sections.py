"""Whole sections: chosen by their titles and summaries, read from their first word to their last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from onrecord.retrieve.curves import recordings_by_score
from onrecord.retrieve.likeness import likeness
from onrecord.retrieve.outline import Part, outline, runs
from onrecord.retrieve.question import subject
from onrecord.retrieve.seated import chosen
from onrecord.retrieve.stage import Stage, Tools
from onrecord.retrieve.wording import wording
from onrecord.types import Curve, Evidence, Moment

if TYPE_CHECKING:
    from onrecord.types import Scores


@dataclass(frozen=True)
class Sections(Stage):
    """Takes the `most` sections that fit best, with all of their passages.

    Listed are the primary sections of the best `recordings` on the curve, in order; the `read` that the
    curve speaks for most are judged by title, summary and meaning (see `likeness`), each beside the best of
    its passages on the curve:

        score = 1/2 * best on the curve / best of all + 1/2 * likeness / best of all

    The best is taken, and others that reach the share `least` of it; a language model in the seat "sections"
    chooses among them instead, if one is there. Moments are ranked, each is a section;
    where a scope leaves passages out, a section may be several.
    """

    most: int = 2
    least: float = 0.85
    recordings: int = 8
    read: int = 12
    ranges: ClassVar = {"most": (1, inf), "least": (0, 1), "recordings": (1, inf), "read": (1, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        curve = evidence.curve
        if curve is None or not len(curve.line):
            return evidence
        near = recordings_by_score(curve, 3)[: self.recordings]
        parts = [part for number in near for part in outline(curve.line, number, tools.store)]
        parts = sorted(parts, key=lambda part: -float(curve.score[part.at].max()))[: self.read]
        if not parts:
            return evidence.with_moments(())
        scores = judged(evidence.question.text, parts, curve, tools)
        order = np.argsort(-scores, kind="stable")[: self.most].tolist()
        best = [at for at in order if scores[at] >= self.least * scores[order[0]]]
        named = chosen("sections", evidence.question.text, [part.text for part in parts], tools.seats)
        moments = (
            m
            for at in (named or best)[: self.most]
            for m in moments_of(parts[at], curve, tools, float(scores[at]))
        )
        return replace(evidence, moments=tuple(moments))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        titles = dict.fromkeys(m.passages[0].section or "a part without a name" for m in after.moments)
        return ", ".join(titles)


def judged(question: str, parts: Sequence[Part], curve: Curve, tools: Tools) -> Scores:
    """The score of each part, in 0..1: see `Sections`."""
    heard = np.array([curve.score[part.at].max() for part in parts], np.float32)
    text = subject(question)
    words = wording(text, curve.line, tools.store)
    rows = [curve.line.rows[part.at] for part in parts]
    told = likeness(text, words, [part.text for part in parts], rows, tools)
    scores: Scores = 0.5 * heard / max(float(heard.max()), 1e-9) + 0.5 * told / max(float(told.max()), 1e-9)
    return scores


def moments_of(part: Part, curve: Curve, tools: Tools, score: float) -> list[Moment]:
    """A part as a moment, or as several where the line leaves passages out."""
    index = dict(zip(curve.line.rows[part.at].tolist(), part.at.tolist(), strict=True))
    found = []
    for passages in runs(tools.store.passages(curve.line.rows[part.at])):
        at = [index[passage.row] for passage in passages]
        scores = {name: float(signal[at].max()) for name, signal in curve.parts.items()}
        peak = int(curve.score[at].argmax())
        found.append(Moment(passages, score, {**scores, "section": score}, peak))
    return found
