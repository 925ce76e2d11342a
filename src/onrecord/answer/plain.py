"""Quotes without a reader: every sentence by one plain score of words, meaning and place on the curve.

The score becomes a share of one chance for all sentences, so that quotes are chosen from it exactly as they
are from what a reader judged (`onrecord.answer.reading.ReadChoice`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from onrecord.answer.reading import Judged
from onrecord.answer.talk import Talk, attributed
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.wording import Wording, named, stems, subject
from onrecord.types import FILTER_FIELDS, Evidence

if TYPE_CHECKING:
    from onrecord.types import Scores


def about(evidence: Evidence) -> str:
    """The subject of the question. That a speaker who was asked for speaks is no sign that they speak of it,
    nor is the name of a firm or a show in its own recordings, where whoever welcomes to them says it most:
    their names are left out, unless nothing else is asked."""
    speakers, recordings = _named(evidence)
    return subject(_without(recordings, _without(speakers, evidence.question.text)))


def _named(evidence: Evidence) -> tuple[list[str], list[str]]:
    """The words that filters were read from: of speakers; of recordings, by themselves or an attribute."""
    filters = evidence.plan.filters if evidence.plan else ()
    speakers = [kept.said for kept in filters if kept.field == "speaker"]
    free = [kept.said for kept in filters if kept.field == "recording" or kept.field not in FILTER_FIELDS]
    return speakers, free


def _without(names: Sequence[str], text: str) -> str:
    """A text without some names; all of it where nothing is left."""
    some = "|".join(re.escape(name) for name in names if name)
    if not some:
        return text
    left = " ".join(re.sub(rf"\b(?:{some})\b(?:['\u2019]s\b)?", " ", text).split())
    return left if any(named(word) for word in subject(left).split()) else text


MOMENTS = 8
"""Of how many of the best moments sentences are scored."""
_LEXICAL, _DENSE, _AROUND = 0.35, 0.45, 0.5
"""Weights of a sentence's words, its vector, and its passage's place on the curve."""
_EMBEDDED = 16
"""How many of the most promising sentences are embedded."""
_TEMPERATURE = 0.1
"""By how much less a sentence scores that is e times less likely."""
_OF_A_PART = 0.1
"""What the best sentence of a part is worth at least, beside the best of all."""


def judged_plainly(question: str, talk: Talk, words: Wording, tools: Tools) -> Judged:
    """The chances of sentences by their scores, shared among all: they add up to 1."""
    scores = scored(question, talk, words, tools)
    chance = talk.pass_on(_softmax(scores), question)
    return Judged(chance / max(float(chance.sum()), 1e-9), chance / max(float(chance.max(initial=0)), 1e-9))


def scored(question: str, talk: Talk, words: Wording, tools: Tools) -> Scores:
    """How near each sentence is to a question, shape (sentences,), in 0..1. At most one embedding of the
    question and `_EMBEDDED` of sentences; without an embedder by words and place alone."""
    covered = np.array([words.coverage(attributed(s)) for s in talk.said], np.float32)
    scores = _LEXICAL * covered + _AROUND * talk.around
    most = _LEXICAL + _AROUND
    likely = np.argsort(-np.where(talk.hollow, -1, scores), kind="stable")[:_EMBEDDED]
    if tools.embedder is not None and len(likely):
        vectors = tools.embedder.embed([attributed(talk.said[i]) for i in likely])
        scores[likely] += _DENSE * _stretched(vectors @ tools.embedder.embed_query(question))
        most += _DENSE
    scores /= most
    return scores


def judged_by_part(scores: Scores, talk: Talk, least: float) -> Judged:
    """The sentences for an outline: the best of each part first, then what comes nearest to it. Left out is
    what scores below `least` of the best of all; of the best of its part a tenth is enough. Chances are not
    shared: each is beside the best of its part."""
    ranks, best = np.array(talk.ranks, np.int64), max(float(scores.max(initial=0)), 1e-9)
    chance = np.zeros_like(scores)
    for rank in dict.fromkeys(talk.ranks):
        here = np.flatnonzero(ranks == rank)
        own = scores[here]
        enough = (own >= least * best) | ((own == own.max()) & (own >= _OF_A_PART * best))
        chance[here] = np.where(enough, np.exp((own - own.max()) / _TEMPERATURE), 0)
    return Judged(chance * (0.5 + 0.5 * scores / best), chance)


def summed_up(talk: Talk, told: str) -> Scores:
    """How well each sentence stands for what is around it, shape (sentences,), in 0..1: whether summaries
    are made of it, how many of their words it has, and how much its passage says."""
    summing = np.array([sentence.text in told for sentence in talk.said], np.float32)
    heard = stems(told)
    shared = np.array([len(heard & stems(s.text)) for s in talk.said], np.float32)
    scores = 0.5 * summing + 0.3 * shared / max(1.0, float(shared.max(initial=0))) + 0.2 * talk.around
    unsaid = talk.hollow | talk.asking
    unsaid = talk.hollow if unsaid.all() else unsaid  # who only asks is quoted asking
    return np.where(unsaid, 0, scores).astype(np.float32)


def _softmax(scores: Scores) -> Scores:
    """Shares of one chance; none for what scores nothing."""
    if not len(scores):
        return scores
    odds = np.exp((scores - scores.max()) / _TEMPERATURE)
    return np.where(scores > 0, odds / odds.sum(), 0).astype(np.float32)


def _stretched(values: Scores) -> Scores:
    """Values from 0 to 1, whatever their range."""
    low, high = float(values.min()), float(values.max())
    return (values - low) / (high - low) if high > low else np.ones_like(values)
