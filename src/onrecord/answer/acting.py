"""The sentences in which what a question asks for is done: it is decided, promised, asked, feared, ..."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from onrecord.answer.quotes import Choice, Quote
from onrecord.answer.talk import Talk
from onrecord.retrieve.acts import Wanted
from onrecord.retrieve.acts.wanted import owner, substance
from onrecord.retrieve.question import subject
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.wording import Wording
from onrecord.types import Citation, Evidence

if TYPE_CHECKING:
    from onrecord.types import Scores

SURE = 0.8
"""How sure an answer of such sentences is: about as many of them as do what was asked for."""
_NEAR = 0.6
"""What a sentence scores at least, beside the best of all, to speak to the subject of a question."""
_MOMENTS = 60
_LEADING = 4
"""How many sentences before one may say what it is about."""
_LITTLE = 0.01


def alone(evidence: Evidence) -> bool:
    """Whether a question asks for nothing but what is done in speaking, so that no subject was looked for."""
    return evidence.plan is not None and evidence.plan.strategy == "acts"


def done(choice: Choice, evidence: Evidence, wanted: Wanted, words: Wording, tools: Tools) -> list[Quote]:
    """Quotes around the sentences that do what is wanted, best first; where the moments were found by a
    subject, around those that speak to it. None where no sentence does."""
    whole = alone(evidence)
    choice = replace(choice, moments=_MOMENTS) if whole else choice
    talk = Talk(evidence, choice.moments, tools.store)
    worth = np.array(wanted.strengths(talk.said, tools.store), np.float32)
    worth[~talk.asked_for(evidence.question.scope)] = 0
    if not worth.any():
        return []
    if whole:
        scores = worth * np.array([0.5 + 0.5 * substance(s.text) for s in talk.said], np.float32)
    else:
        scores = choice.nearness(subject(evidence.question.text), talk, words, tools)
        scores = _with_what_leads_to_it(scores, talk)
        worth[scores < _NEAR * scores.max(initial=0)] = 0
    worth = np.where(worth > 0, scores, 0).astype(np.float32)
    return choice.taken(talk, np.maximum(worth, _beside(worth, talk, wanted.act)), worth.copy(), words).quotes


def _with_what_leads_to_it(scores: Scores, talk: Talk) -> Scores:
    """The scores of sentences, at least those of the ones right before them that the same speaker says: of
    "We buy the beams now. Hands up, please. It is decided." the last does not name what it decides."""
    led = scores.copy()
    for at in range(len(scores)):
        before: int | None = at
        for _ in range(_LEADING):
            before = talk.neighbour(before, -1) if before is not None else None
            if before is not None:
                led[at] = max(led[at], scores[before])
    return led


def _beside(worth: Scores, talk: Talk, act: str) -> Scores:
    """A little for the neighbours with which a quote is best understood: what leads to a decision, what
    follows on anything else."""
    step = -1 if act in ("decision", "disagreement") else 1
    beside = np.zeros_like(worth)
    for at in np.flatnonzero(worth).tolist():
        for _ in range(_LEADING):
            near = talk.neighbour(at, step)
            if near is None:
                break
            beside[near], at = _LITTLE, near
    return beside


def owners(citations: Sequence[Citation], wanted: Wanted) -> dict[int, str]:
    """Who is to do what is quoted, by the number of its citation, where that is a task, and somebody else is
    named in it than who says it."""
    if wanted.act != "task":
        return {}
    told = {c.number: owner(c.quote, c.speaker, c.recording.speakers) for c in citations}
    return {number: name for number, name in told.items() if name}
