"""Quotes that perform a dialogue act: somebody decides, promises, asks, warns, ..."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from onrecord.answer.judging import Judged, QuoteChooser
from onrecord.answer.quotes import Quote
from onrecord.answer.talk import Talk, adjoin
from onrecord.retrieve.candidates.acts import ActMatcher, owner, substance
from onrecord.retrieve.stage import Tools
from onrecord.types import Citation, Evidence, PassageTimeline
from onrecord.understand.lexicon import Messages

if TYPE_CHECKING:
    from onrecord.types import Scores

SURE = 0.3
"""The confidence of an answer of such sentences. Of 185 quotes for six acts from 13 meetings, podcasts and
calls, a reader took 45 for what was asked for; in talk that is spoken as it is written nearly all are."""
_MOMENTS = 60
_NEAR = 3
_ACT_FIRST = ("disagreement", "agreement")
"""Acts that are performed before their subject is said: "I disagree. Tolls ruin the bakers."."""
_NEIGHBOUR_RELEVANCE = 0.01


def performing(chooser: QuoteChooser, evidence: Evidence, act: ActMatcher, tools: Tools) -> list[Quote]:
    """Quotes around the sentences that perform an act, best first; none if no sentence does."""
    talk = Talk(evidence, _MOMENTS, tools.store)
    strengths = np.array(act.strengths(talk.sentences), np.float32)
    if not strengths.any():
        return []
    chance = strengths * np.array([0.5 + 0.5 * substance(s.text) for s in talk.sentences], np.float32)
    judged = Judged(chance, np.maximum(chance, _neighbour_relevance(chance, talk, act.act)))
    return replace(chooser, least=0, enough=np.inf).choose(judged, talk).quotes


def _neighbour_relevance(chance: Scores, talk: Talk, act: str) -> Scores:
    """A little relevance for the neighbours with which a quote is best understood: what leads to a decision,
    what follows on anything else."""
    step = -1 if act in ("decision", *_ACT_FIRST) else 1
    relevance = np.zeros_like(chance)
    for at in np.flatnonzero(chance).tolist():
        for _ in range(_NEAR):
            other = talk.neighbour(at, step)
            if other is None:
                break
            first, second = sorted((at, other))
            if not adjoin(talk.sentences[first], talk.sentences[second]):
                break
            relevance[other], at = _NEIGHBOUR_RELEVANCE, other
    return relevance


def heading(act: ActMatcher, titles: Sequence[str], timeline: PassageTimeline, messages: Messages) -> str:
    """The heading of quotes from recordings of these titles that perform an act, or that none do."""
    performed, none = messages.act(act.act)
    if titles:
        return messages.say("acted", len(titles), act=performed, title=titles[0])
    searched = messages.say("searched", len(timeline.names))
    return messages.say("not_acted", act=none, searched=searched)


def owners(citations: Sequence[Citation], act: ActMatcher) -> dict[int, str]:
    """Who is to do a task that is quoted, by the number of its citation, unless it is the speaker."""
    if act.act != "task":
        return {}
    names = {c.number: owner(c.quote, c.speaker, c.recording.speakers) for c in citations}
    return {number: name for number, name in names.items() if name}
