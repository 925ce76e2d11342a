"""The sentences in which what a question asks for is done: it is decided, promised, asked, feared, ..."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from onrecord.answer.judging import MOMENTS, Judged, QuoteChooser, sentence_scores
from onrecord.answer.quotes import Quote
from onrecord.answer.talk import Talk, adjoin
from onrecord.retrieve.candidates.acts import ActMatcher, owner, substance
from onrecord.retrieve.loops.sides import name_in, voices_of
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.wording import Wording, small_names, stem, stems, subject
from onrecord.stores.base import Reader
from onrecord.stores.scope import names_speaker
from onrecord.types import Citation, Evidence, PassageTimeline
from onrecord.understand.lexicon import Messages

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from onrecord.types import Scores

SURE = 0.8
"""How sure an answer of such sentences is: about as many of them as do what was asked for."""
SPOKEN_OF = 0.6
"""How sure an answer about something is at least, where what is asked for is done beside it."""
DOUBTED = 0.45
"""How sure an answer about something is at most, where in none of it what is asked for is done. Of 31 such
answers to questions of QMSum, put to their meeting, 14 quote what people marked as the answer. It is still
one: of nine in ten such questions the answer is given in other words than those that are read for."""
_SPOKEN = 0.4
"""How much of the weight of a question's words is said where a sentence speaks of its subject: of two words
about one, even if it is somewhat the commoner ("the gate", asked of the flood gate)."""
_MOMENTS = 60
_NEAR = 3
_LEADING = {"decision": 12, "disagreement": 6, "agreement": 6, "promise": 6, "task": 6, "open": 6}
"""How many sentences before one may say what it is about, where that is seldom in it."""
_FIRST = ("disagreement", "agreement")
"""What is done before it is said about what: "I disagree. Tolls ruin the bakers."."""
_LITTLE = 0.01


def alone(evidence: Evidence) -> bool:
    """Whether a question asks for nothing but what is done in speaking, so that no subject was looked for."""
    return evidence.plan is not None and evidence.plan.strategy == "acts"


def against(evidence: Evidence, wanted: ActMatcher) -> bool:
    """Whether sides are set against one another, and not asked what each of them does."""
    return wanted.act in _FIRST or (evidence.plan is not None and evidence.plan.intent == "comparison")


def done(
    choice: QuoteChooser, evidence: Evidence, wanted: ActMatcher, words: Wording, tools: Tools
) -> list[Quote]:
    """Quotes around the sentences that do what is wanted, best first; where the moments were found by a
    subject, around those that speak to it. None where no sentence does."""
    whole = alone(evidence)
    talk = Talk(evidence, _MOMENTS if whole else MOMENTS, tools.store)
    worth = np.array(wanted.strengths(talk.sentences), np.float32)
    if not worth.any():
        return []
    if whole:
        scores = worth * np.array([0.5 + 0.5 * substance(s.text) for s in talk.sentences], np.float32)
    else:
        scores = sentence_scores(subject(evidence.question.text), talk, words, tools)
        near = range(-_LEADING.get(wanted.act, _NEAR), 2 if wanted.act in _FIRST else 1)
        asked = _without_names(evidence)
        worth[~_about(_subject(asked, words), small_names(asked), talk, words, near)] = 0
    worth = np.where(worth > 0, scores, 0).astype(np.float32)
    judged = Judged(worth, np.maximum(worth, _beside(worth, talk, wanted.act)))
    quotes = replace(choice, least=0, enough=np.inf).choose(judged, talk).quotes
    people = evidence.question.scope.speakers
    if whole and wanted.act in _FIRST and len(people) > 1:
        return [quote for quote in quotes if between(quote, people, tools.store)]
    return quotes


def _without_names(evidence: Evidence) -> str:
    """A question without the names of those whose words are asked for."""
    text = evidence.question.text
    for each in evidence.plan.filters if evidence.plan else ():
        text = text.replace(each.said, " ")
    return text


def between(quote: Quote, people: Sequence[str], reader: Reader) -> bool:
    """Whether one of some people says a quote to another of them: who is named in it, or has just spoken."""
    begin, end = quote.passages[0].position, quote.passages[-1].position
    near = reader.transcript(quote.recording, max(0, begin - 1), end)
    voices = {voice for passage in near for voice in voices_of(passage)}
    says = [name for name in people if quote.speaker and names_speaker(name, quote.speaker)]
    there = [n for n in people if name_in(n, quote.text) or any(names_speaker(n, one) for one in voices)]
    return bool(says) and len(there) > 1


def subject_said(question: str, words: Wording) -> bool:
    """Whether any word of what a question is about is said in what it was put to."""
    return any(words.weights[one] < 1 for one in _subject(question, words))


def _subject(question: str, words: Wording) -> Collection[str]:
    """The stems of what a question is about, without the words that ask for what is done; all where there are
    no others."""
    from onrecord.understand.intents import subject_words  # as it was planned by them

    left = {stem(word) for word in subject_words(question)} | small_names(question)
    return left & words.weights.keys() or words.weights.keys()


def _about(
    subject: Collection[str], names: Collection[str], talk: Talk, words: Wording, reach: range
) -> NDArray[np.bool_]:
    """Which sentences speak of a subject: it is said in them, or in those of `reach` before and behind. Of
    "We buy the beams now. Hands up, please. It is decided." the last does not name what it decides."""
    told = [stems(sentence.text) & set(subject) for sentence in talk.sentences]
    small = set(subject).intersection(names)  # so common that who has the other words need not speak of it
    enough = _SPOKEN * sum(words.weights[one] for one in subject)
    found = np.zeros(len(told), bool)
    for at, run in enumerate(talk.runs):
        near = [at + n for n in reach if 0 <= at + n < len(told) and talk.runs[at + n] == run]
        said = frozenset[str]().union(*(told[n] for n in near))
        found[at] = bool(said) and small <= said and sum(words.weights[one] for one in said) >= enough
    return found


def _beside(worth: Scores, talk: Talk, act: str) -> Scores:
    """A little for the neighbours with which a quote is best understood: what leads to a decision, what
    follows on anything else."""
    step = -1 if act in ("decision", "disagreement", "agreement") else 1
    beside = np.zeros_like(worth)
    for at in np.flatnonzero(worth).tolist():
        for _ in range(_NEAR):
            near = talk.neighbour(at, step)
            if near is None or not adjoin(*(talk.sentences[n] for n in sorted((at, near)))):
                break
            beside[near], at = _LITTLE, near
    return beside


def heading(wanted: ActMatcher, titles: Sequence[str], timeline: PassageTimeline, said: Messages) -> str:
    """What stands above quotes from recordings in which it is done; without any, that nobody does."""
    above, none = said.act(wanted.act)
    if titles:
        return said.say("acted", len(titles), act=above, title=titles[0])
    return said.say("not_acted", act=none, searched=said.say("searched", len(timeline.names)))


def owners(citations: Sequence[Citation], wanted: ActMatcher) -> dict[int, str]:
    """Who is to do what is quoted, by the number of its citation, where that is a task, and somebody else is
    named in it than who says it."""
    if wanted.act != "task":
        return {}
    told = {c.number: owner(c.quote, c.speaker, c.recording.speakers) for c in citations}
    return {number: name for number, name in told.items() if name}
