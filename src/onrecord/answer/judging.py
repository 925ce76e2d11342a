"""Which sentences answer, how surely, and which of them are quoted.

Sentences are judged by a trained reader, or without one by a plain score. Every sentence that was read has
odds of holding the answer against odds of 1 that none does, so the chances of all and of "none" add up to 1
(shared normalization: Clark and Gardner, Simple and Effective Multi-Paragraph Reading Comprehension, 2018). A
plain score of words, meaning and place on the curve becomes a share of one chance for all sentences. Quotes
grow around the likeliest sentences, as far as their neighbours are relevant, until they hold most of the
chance that there is.

How sure an answer may be without a reader is one calibrated line. The probability that quotes hold the
answer, by logistic regression on how near the best passage is, how much of the question's words one passage
carries, and how many passages there are. What a cosine means differs from model to model, and enters through
`onrecord.models.base.Calibration`. Fitted on the questions with -3- in their id of shared data `questions`,
put to all recordings and to their own, by whether quotes hold a marked sentence, and on as much weight of
questions that belong elsewhere (`benchmarks/honesty.py`): both kinds are told apart with an area under the
ROC curve of .98, by words alone of .88. On the questions with -4- the expected calibration error is .13.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import TYPE_CHECKING

import numpy as np

from onrecord.answer.quotes import Quote, QuoteSelection, repeats
from onrecord.answer.talk import Talk, with_speaker
from onrecord.ingest.sections.judge import count_specifics
from onrecord.models.base import Calibration, Reader
from onrecord.retrieve.coverage import by_coverage, stem_weights
from onrecord.retrieve.read import SHARPNESS, cut, prior, read_in_context, trust_in
from onrecord.retrieve.read_acts import read_for
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.wording import Wording, named, small_names, stems, subject
from onrecord.types import FILTER_FIELDS, Evidence

if TYPE_CHECKING:
    from onrecord.types import Scores

NOTHING = 0.11
"""Below it nothing that was found is worth showing: "nothing_found"."""
ANSWERED = 0.25
"""Below it what was found is only the nearest: "low_relevance"."""
LIKELY, SURE = 0.6, 0.75
"""From here on an answer probably is one, and may say so."""
LOOKED_AT = 8
"""How many of the best moments tell whether a question is answered; quotes are chosen from as many."""
FEW = 40
"""In fewer passages the words of a question are weighed as in so many: of one passage, each word is in all,
and would tell nothing."""

_WITH_MEANING = (-1.54, 2.03, 1.57, -0.21)
"""Weights of (1, closeness, coverage, ln passages): the best cosine of many is higher by chance alone."""
_FEWEST = 200
"""In fewer passages size tells nothing more."""
_BY_WORDS = (-3.24, 4.93)
"""Weights of (1, coverage) where words alone were compared."""


def confidence(evidence: Evidence, words: Wording, passages: int, calibration: Calibration | None) -> float:
    """The probability, in 0..1, that the evidence speaks to the question of `words`.

    It comes from so many `passages`; `calibration` is that of the embedder, if there is one.
    """
    coverage = best_coverage(evidence, words)
    cosine = best_cosine(evidence)
    if cosine is None or calibration is None:
        constant, of_words = _BY_WORDS
        odds = constant + of_words * coverage
    else:
        constant, of_meaning, of_words, of_size = _WITH_MEANING
        closeness = (cosine - calibration.floor) / (calibration.sure - calibration.floor)
        size = log(max(passages, _FEWEST))
        odds = constant + of_meaning * closeness + of_words * coverage + of_size * size
    return 1 / (1 + exp(-odds))


def best_coverage(evidence: Evidence, words: Wording) -> float:
    """The share, in 0..1, of the question's weight that one of the best passages carries."""
    best = 0.0
    for moment in evidence.moments[:LOOKED_AT]:
        for passage in moment.passages:
            best = max(best, words.coverage(passage.spoken))
    return best


def best_cosine(evidence: Evidence) -> float | None:
    """The best cosine of any passage; None where words alone retrieved the best moment."""
    if not evidence.moments or not evidence.moments[0].scores.get("dense"):
        return None
    curve = evidence.curve
    if curve is not None and "dense" in curve.parts:
        return float(curve.parts["dense"].max())
    return max(m.scores.get("dense", 0.0) for m in evidence.moments)


def verdict_for(evidence: Evidence, sure: float) -> str:
    """The verdict by confidence: "nothing_found", "low_relevance" or "answered"."""
    if not evidence.moments or sure < NOTHING:
        return "nothing_found"
    return "low_relevance" if sure < ANSWERED else "answered"


def heading_key(sure: float) -> str:
    """The key of the message above an answer that is so sure."""
    return "sure" if sure >= SURE else "likely" if sure >= LIKELY else "may"


# ---------------------------------------------------------------- by a reader

NONE = 2.3
"""Log-odds of "no sentence holds the answer" before anything is read. Fitted by `benchmarks/answering.py
--fit` on recordings that the reader was not trained on."""

_SLOPE, _SHIFT = 1.35, 1.68
"""From the chance that the reader gives to what is quoted to how often that answers (Platt scaling): of the
same questions, whether the quotes hold a sentence that was marked as answering."""
_FULL_COVERAGE, _COVERED = 0.99, 0.7
"""The share of a question's weight from which on a quote has all of its words, and the least confidence then.
Of 334 questions by others six were covered so by one quote: all six were answered, and no near miss was among
them. Without it .904 of the built-in examples are answered or refused rightly, with it .933."""
_UNRANKED = 20
"""How many stretches are read at most where no stage has read any."""


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """The judgement of each sentence of a talk, shapes (sentences,).

    `chance` is that it holds the answer, all together at most 1; `relevant` the probability that it answers
    or is needed to understand what does.
    """

    chance: Scores
    relevant: Scores

    @property
    def answered(self) -> float:
        """The chance that some sentence holds the answer, in 0..1."""
        return float(self.chance.sum())


def confidence_by_reading(quotes: Sequence[Quote], words: Wording) -> float:
    """The probability, in 0..1, that quotes hold the answer to the question of `words`.

    It is their chances together, calibrated. A quote with all of the question's words speaks to it, however
    little it answers: who asks what was said of freight wants no more. Who says it is none of these words:
    where Ann speaks of salaries, she does not speak of hers.
    """
    chance = min(max(sum([quote.score for quote in quotes]), 1e-6), 1 - 1e-6)
    calibrated = 1 / (1 + exp(-(_SLOPE * log(chance / (1 - chance)) + _SHIFT)))
    coverage = max([words.coverage(quote.text) for quote in quotes], default=0.0)
    return max(calibrated, _COVERED) if words.weights and coverage > _FULL_COVERAGE else calibrated


def judge(question: str, evidence: Evidence, talk: Talk, reader: Reader, tools: Tools) -> Judged:
    """Read the evidence with the question. Raises ModelError."""
    odds = _odds(question, evidence, reader, tools)
    readings = [odds.get((s.passage.row, s.begin), (-np.inf, 0.0)) for s in talk.sentences]
    cores, relevances = np.array(readings, np.float64).reshape(-1, 2).T
    counts = talk.quotable | talk.repeats_question(question)
    logits = np.where(counts, cores, -np.inf) - NONE
    whole = np.logaddexp.reduce(np.append(logits, 0.0))
    relevant = np.where(talk.quotable, relevances, 0).astype(np.float32)
    return Judged(talk.hand_to_replies(np.exp(logits - whole).astype(np.float32), question), relevant)


def _odds(
    question: str, evidence: Evidence, reader: Reader, tools: Tools
) -> dict[tuple[int, int], tuple[float, float]]:
    """Log-odds that each sentence holds the answer, and the probability that it is relevant.

    Keys are the row of its passage and where it begins. Read are the stretches that were read to be ranked,
    else the first ones. A sentence that is read twice is judged in the stretch that it is part of.
    """
    stretches = list(cut(evidence))
    stretches = [stretch for stretch in stretches if "read" in stretch.scores] or stretches[:_UNRANKED]
    best = max((stretch.score for stretch in stretches), default=1.0)
    trust = trust_in(evidence.curve, tools.store) if evidence.curve is not None else 0.0
    own: dict[tuple[int, int], tuple[float, float]] = {}
    before: dict[tuple[int, int], tuple[float, float]] = {}
    reads = read_in_context(question, stretches, reader, tools.store)
    for stretch, read in zip(stretches, reads, strict=True):
        cores = SHARPNESS * read.reading.core + prior(stretch, best, trust)
        for number, sentence in enumerate(read.sentences):
            part = before if number < read.before else own
            part[sentence.passage.row, sentence.begin] = (
                float(cores[number]),
                float(read.reading.relevant[number]),
            )
    return before | own


# ---------------------------------------------------------------- without a reader


_NO_NAMES = frozenset(FILTER_FIELDS) - {"recording"}
"""Fields of filters that name neither a recording nor an attribute of recordings."""


def subject_asked(evidence: Evidence) -> str:
    """The subject of the question, without names of speakers and recordings unless nothing else is asked.

    That a speaker speaks is no sign that they speak of it, nor is the name of a firm or a show in its own
    recordings, where whoever welcomes to them says it most. Nor are words that ask for a dialogue act: who
    asks about salt does not say "asked".
    """
    text = evidence.question.text
    filters = evidence.plan.filters if evidence.plan else ()
    if filters:
        text = _without_names([each.said for each in filters if each.field == "speaker"], text)
        text = _without_names([each.said for each in filters if each.field not in _NO_NAMES], text)
    if not (evidence.plan and evidence.plan.act):
        return subject(text)
    from onrecord.understand.intents import asking_words  # examples take a while: only where they are needed
    from onrecord.understand.lexicon import tokens

    asking = asking_words() - small_names(text)
    rest = " ".join(token.text for token in tokens(text) if token.word not in asking)
    return subject(rest if any(named(word) for word in rest.split()) else text)


def _without_names(names: Sequence[str], text: str) -> str:
    """A text without some names; the text as it is if nothing else remains."""
    pattern = "|".join(re.escape(name) for name in names if name)
    if not pattern:
        return text
    rest = " ".join(re.sub(rf"\b(?:{pattern})\b(?:['\u2019]s\b)?", " ", text).split())
    return rest if any(named(word) for word in subject(rest).split()) else text


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


def judge_by_score(question: str, talk: Talk, words: Wording, tools: Tools) -> Judged:
    """The chances of sentences by their scores, shared among all: they add up to 1."""
    scores = sentence_scores(question, talk, words, tools)
    odds = np.exp((scores - scores.max(initial=0)) / _TEMPERATURE)
    shares = np.where(scores > 0, odds / max(float(odds.sum()), 1e-9), 0).astype(np.float32)
    chance = talk.hand_to_replies(shares, question)
    return Judged(chance / max(float(chance.sum()), 1e-9), chance / max(float(chance.max(initial=0)), 1e-9))


def sentence_scores(question: str, talk: Talk, words: Wording, tools: Tools) -> Scores:
    """How near each sentence is to a question, shape (sentences,), in 0..1. At most one embedding of the
    question and `_EMBEDDED` of sentences; without an embedder by words and place alone."""
    texts = [with_speaker(sentence) for sentence in talk.sentences]
    coverage = np.array([words.coverage(text) for text in texts], np.float32)
    scores = _LEXICAL * coverage + _AROUND * talk.relevance
    most = _LEXICAL + _AROUND
    likely = np.argsort(-np.where(talk.empty, -1, scores), kind="stable")[:_EMBEDDED]
    if tools.embedder is not None and len(likely):
        vectors = tools.embedder.embed([texts[at] for at in likely])
        near = vectors @ tools.embedder.embed_query(question)
        low, high = float(near.min()), float(near.max())
        scores[likely] += _DENSE * ((near - low) / (high - low) if high > low else 1.0)
        most += _DENSE
    scores /= most
    return scores


def judge_by_part(scores: Scores, talk: Talk, least: float) -> Judged:
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


_SPAN = (20, 60)
"""Words of a quote of an outline of all, at least and at most."""
_LEANING = 0.4
"""What a quote is worth that leans on what was said before it, or breaks off."""
_LEAST_ADDED = 0.15
"""The share of what the first quote adds that each adds at least."""
_PLAIN = 1.0
"""What a sentence is worth that is no main point beside one that surely is: to that, 1 is added."""
_SPECIFIC, _MOST_SPECIFIC = 0.1, 5
"""What each figure or name in a quote adds to its worth, and how many of them do."""


def typical_quotes(talk: Talk, most: int, words: int, tools: Tools) -> QuoteSelection:
    """At most so many quotes, of so many words in all, that together say most of what is said most often.

    If there is a reader, what it takes for a main point counts for more, an aside for less.
    """
    texts = [stems(sentence.text) for sentence in talk.sentences]
    spans = list(_spans(talk)) or [range(at, at + 1) for at in range(len(texts))]
    of_spans = [frozenset().union(*texts[span.start : span.stop]) for span in spans]
    sizes = [sum([talk.sentences[at].words for at in span]) for span in spans]
    main, aside = (_chances(act, talk, tools) for act in ("key", "aside"))
    worth = [
        _worth(span, size, talk)
        * (_PLAIN + float(main[span.start : span.stop].max()))
        * (1 - float(aside[span.start : span.stop].mean()))
        for span, size in zip(spans, sizes, strict=True)
    ]
    chosen, taken = QuoteSelection(), set[int]()
    passages = {id(sentence.passage): sentence.passage for sentence in talk.sentences}
    weights = stem_weights([stems(passage.text) for passage in passages.values()])
    for number in by_coverage(of_spans, sizes, worth, weights, _LEAST_ADDED):
        span = spans[number]
        if sizes[number] > words or not taken.isdisjoint(span):
            continue
        taken.update(span)
        words -= sizes[number]
        sentences = tuple(talk.sentences[span.start : span.stop])
        chosen.quotes.append(Quote(sentences, 1 / (1 + len(chosen.quotes)), talk.ranks[span.start]))
        if len(chosen.quotes) == most:
            break
    return chosen


def _chances(act: str, talk: Talk, tools: Tools) -> Scores:
    """How likely each sentence performs an act, shape (sentences,); 0 where it was not read."""
    read = read_for(act, talk.sentences, tools)
    return np.array([read.get((s.passage.row, s.begin), 0.0) for s in talk.sentences], np.float32)


def _worth(span: range, words: int, talk: Talk) -> float:
    """What a quote of so many words is worth beside what it covers: more with figures and names, less if it
    leans on what was said before it, breaks off, or is short: "The next question is from Ann Bell."."""
    specific = sum([count_specifics(talk.sentences[at].text) for at in span])
    complete = _LEANING ** sum(talk.needs(span))
    return (1 + _SPECIFIC * min(specific, _MOST_SPECIFIC)) * complete * min(1.0, words / _SPAN[0]) ** 2


def _spans(talk: Talk) -> Iterator[range]:
    """All runs of sentences of one speaker that can be read alone, as they are long enough or all of a turn,
    and do not end in asking."""
    least, most = _SPAN
    for turn in _turns(talk) if talk.sentences else ():
        for begin in turn:
            words = 0
            for at in range(begin, turn.stop):
                words += talk.sentences[at].words
                if words > most:
                    break
                whole = begin == turn.start and at == turn.stop - 1 and not talk.empty[turn].all()
                if (words >= least or whole) and not talk.asking[at]:
                    yield range(begin, at + 1)


def _turns(talk: Talk) -> Iterator[range]:
    """The unbroken runs of sentences of one speaker."""
    begin = 0
    for at in range(1, len(talk.sentences) + 1):
        goes_on = at < len(talk.sentences) and talk.runs[at] == talk.runs[begin]
        if not goes_on or talk.sentences[at].speaker != talk.sentences[begin].speaker:
            yield range(begin, at)
            begin = at


# ---------------------------------------------------------------- quotes


_ALSO_CORE = 0.5
"""How likely a neighbour is, beside the likeliest sentence of a quote, that joins it as a second answer."""


@dataclass(frozen=True, slots=True)
class QuoteChooser:
    """How quotes are chosen from what was judged.

    Shown are `quotes` of `words` in all at the most. A quote is the likeliest sentence not yet shown, with
    those neighbours of the same speaker that are needed to read it, or relevant from `relevant` on, to
    `longest` words. No further one is added once the quotes hold the share `enough` of the chance that any
    sentence answers, nor one whose chance is below `least` of the first one's.
    """

    quotes: int = 5
    words: int = 220
    shortest: int = 18
    longest: int = 140
    relevant: float = 0.1
    enough: float = 0.9
    least: float = 0.06

    def choose(self, judged: Judged, talk: Talk) -> QuoteSelection:
        """Quotes, likeliest first; each quote's score is the chance that it holds the answer."""
        chosen = QuoteSelection()
        worth, taken, room, shown = judged.chance.copy(), set[int](), self.words, 0.0
        while len(chosen.quotes) < self.quotes and shown < self.enough * judged.answered:
            core = int(worth.argmax())
            if worth[core] < self.least * judged.chance.max() or worth[core] <= 0:
                break
            span = self._grow(core, talk, judged, taken, min(room, self.longest))
            worth[span] = 0
            sentences = tuple([talk.sentences[at] for at in span])
            quote = Quote(sentences, float(judged.chance[span].sum()), talk.ranks[core], span.index(core))
            if any(repeats(quote, other) for other in chosen.quotes):
                chosen.echoes.append(quote)
                continue
            if quote.words > room and chosen.quotes:
                continue
            taken.update(span)
            room -= quote.words
            shown += quote.score
            chosen.quotes.append(quote)
        return chosen

    def _grow(self, core: int, talk: Talk, judged: Judged, taken: set[int], most: int) -> list[int]:
        """A sentence with those neighbours that read or answer with it, in order."""
        span, size = [core], talk.sentences[core].words
        while True:
            best: tuple[bool, float] = (False, -1.0)
            added = None
            sides = talk.neighbour(span[0], -1), talk.neighbour(span[-1], +1)
            for at, is_needed in zip(sides, talk.needs(span), strict=True):
                if at is None or at in taken or size + talk.sentences[at].words > most:
                    continue
                relevance = float(judged.relevant[at])
                is_core = judged.chance[at] >= _ALSO_CORE * judged.chance[core]
                is_wanted = size < self.shortest or relevance >= self.relevant or is_core
                if (is_wanted or is_needed) and (is_wanted, relevance) > best:
                    best, added = (is_wanted, relevance), at
            if added is None:
                return span
            span = sorted([*span, added])
            size += talk.sentences[added].words
