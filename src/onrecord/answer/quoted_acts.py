"""Quotes that perform a dialogue act: a speaker decides, promises, asks, warns, and so on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from onrecord.answer.judging import MOMENTS, Judged, QuoteChooser, sentence_scores
from onrecord.answer.quotes import Quote
from onrecord.answer.talk import Talk, sentences_adjoin
from onrecord.retrieve.candidates.acts import ActMatcher, owner, substance
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.wording import Wording, small_names, stem, stems, subject, without
from onrecord.types import Citation, Evidence, PassageTimeline
from onrecord.understand.intents import subject_words
from onrecord.understand.lexicon import Messages

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from onrecord.types import Scores

SURE_BY_READING, SURE_BY_EXAMPLE = 0.45, 0.3
"""The confidences of an answer without a subject whose sentences the reader, or examples, matched to the act.

From 18 recordings the reader chose 702 quotes, and blind judges accepted 343 of them as the act that was
asked for. Of 311 quotes chosen by examples they accepted 68. In talk that is spoken as it is written, nearly
all quotes are right.
"""
DOUBTED = 0.45
"""The most confidence of an answer about a subject if none of its quotes performs the act.

Of 31 such answers to questions of QMSum, put to their own meeting, 14 quote a passage that people marked as
the answer.
"""
_SUBJECT_SHARE = 0.4
"""The least share of the weight of a question's words in a sentence that speaks of its subject.

One word of two about a thing is enough, even the somewhat commoner one ("the gate", for a question about the
flood gate).
"""
_MOMENTS = 60
_NEAR = 3
_LEADING = {"decision": 12, "disagreement": 6, "agreement": 6, "promise": 6, "task": 6, "open": 6}
"""How many sentences before an act may name its subject, for acts that seldom name it themselves."""
_ACT_FIRST = ("disagreement", "agreement")
"""Acts that are performed before their subject is said: "I disagree. Tolls ruin the bakers." is one."""
_NEIGHBOUR_RELEVANCE = 0.01


def asks_only_for_act(evidence: Evidence) -> bool:
    """Return whether a question asks for an act and names no subject."""
    return evidence.plan is not None and evidence.plan.strategy == "acts"


def performing(
    chooser: QuoteChooser, evidence: Evidence, act: ActMatcher, words: Wording, tools: Tools
) -> list[Quote]:
    """Return quotes around the sentences that perform an act, best first; empty if no sentence does.

    If the question has a subject, each such sentence or the sentences just before it have to mention the
    subject.
    """
    without_subject = asks_only_for_act(evidence)
    talk = Talk(evidence, _MOMENTS if without_subject else MOMENTS, tools.store)
    reach = range(-_LEADING.get(act.act, _NEAR), 2 if act.act in _ACT_FIRST else 1)
    near = None if without_subject else _near_subject(evidence, talk, words, reach)
    for matcher in act.and_by_examples():
        strengths = np.array(matcher.strengths(talk.sentences, matcher.read(talk.sentences)), np.float32)
        if near is not None:
            strengths[~near] = 0
        if strengths.any():
            break
    else:
        return []
    if without_subject:
        scores = strengths * np.array([substance(s.text) for s in talk.sentences], np.float32)
    else:
        scores = sentence_scores(subject(evidence.question.text), talk, words, tools)
    chance = np.where(strengths > 0, scores, 0).astype(np.float32)
    judged = Judged(chance, np.maximum(chance, _neighbour_relevance(chance, talk, act.act)))
    return replace(chooser, least=0, enough=np.inf).choose(judged, talk).quotes


def is_subject_said(question: str, words: Wording) -> bool:
    """Return whether any word of a question's subject is said in the archive."""
    return any(words.weights[stem] < 1 for stem in _subject_stems(question, words))


def _near_subject(evidence: Evidence, talk: Talk, words: Wording, reach: range) -> NDArray[np.bool_]:
    """Return which sentences mention a question's subject, in themselves or within `reach` of them.

    In "We buy the beams now. Hands up, please. It is decided." the last sentence does not name what it
    decides. Words that became filters, such as names of speakers, are no part of the subject.
    """
    filters = evidence.plan.filters if evidence.plan else ()
    question = without([condition.said for condition in filters], evidence.question.text)
    asked = _subject_stems(question, words)
    names = asked & small_names(question)  # all required: they are too common to weigh much
    enough = _SUBJECT_SHARE * sum([words.weights[one] for one in asked])
    in_sentences = [stems(sentence.text) & asked for sentence in talk.sentences]
    near = np.zeros(len(in_sentences), bool)
    for at, run in enumerate(talk.runs):
        around: set[str] = set()
        for other in (at + step for step in reach):
            if 0 <= other < len(in_sentences) and talk.runs[other] == run:
                around |= in_sentences[other]
        near[at] = bool(around) and names <= around and sum([words.weights[one] for one in around]) >= enough
    return near


def _subject_stems(question: str, words: Wording) -> frozenset[str]:
    """Return the stems of a question's subject.

    Words that ask for an act are left out unless there are no others.
    """
    of_subject = {stem(word) for word in subject_words(question)} | small_names(question)
    return frozenset(of_subject & words.weights.keys() or words.weights.keys())


def _neighbour_relevance(chance: Scores, talk: Talk, act: str) -> Scores:
    """Return a small relevance for the neighbors that help to understand a quote.

    A decision, a disagreement and an agreement need the sentences before them; other acts need those after.
    """
    step = -1 if act in ("decision", *_ACT_FIRST) else 1
    relevance = np.zeros_like(chance)
    for at in np.flatnonzero(chance).tolist():
        for _ in range(_NEAR):
            other = talk.neighbour(at, step)
            if other is None:
                break
            first, second = sorted((at, other))
            if not sentences_adjoin(talk.sentences[first], talk.sentences[second]):
                break
            relevance[other], at = _NEIGHBOUR_RELEVANCE, other
    return relevance


def heading(act: ActMatcher, titles: Sequence[str], timeline: PassageTimeline, messages: Messages) -> str:
    """Return the heading of quotes that perform an act, from recordings of these titles.

    Without titles, the heading says that no quote performs the act.
    """
    performed, none = messages.act(act.act)
    if titles:
        return messages.say("acted", len(titles), act=performed, title=titles[0])
    searched = messages.say("searched", len(timeline.names))
    return messages.say("not_acted", act=none, searched=searched)


def owners(citations: Sequence[Citation], act: ActMatcher, messages: Messages) -> dict[int, str]:
    """Return whom each quoted task is for, by citation number, if it is not the speaker: "For Ann"."""
    if act.act != "task":
        return {}
    names = {c.number: owner(c.quote, c.speaker, c.recording.speakers) for c in citations}
    return {number: messages.say("owner", name=name) for number, name in names.items() if name}
