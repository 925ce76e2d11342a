"""The judgment of sentences: which ones answer a question, how surely, and which ones to quote.

A trained reader judges the sentences. Without a reader, a plain score judges them. The reader gives each
sentence odds of holding the answer, against odds of 1 that no sentence holds it. The chances of all sentences
and of "none" therefore add up to 1 (shared normalization: Clark and Gardner, Simple and Effective
Multi-Paragraph Reading Comprehension, 2018). The plain score combines a sentence's words, its meaning and its
passage's place on the curve. It becomes the sentence's share of one chance for all sentences. Quotes grow
around the likeliest sentences and take in relevant neighbors. Quotes are added until they hold most of the
total chance.

Without a reader, the confidence of an answer is the probability that the quotes hold the answer. Logistic
regression computes it from three values: how near the best passage is, how much of the question's words one
passage carries, and how many passages there are. The meaning of a cosine differs between models; it enters
through `onrecord.models.base.Calibration`. The regression was fitted on the questions of the shared data
`questions` with -3- in their id, put to all recordings and to their own recording. Its target was whether the
quotes hold a marked sentence. As much weight went to questions that belong elsewhere
(`benchmarks/honesty.py`). The two kinds of question are separated with an area under the ROC curve of .98, or
.88 by words alone. On the questions with -4- in their id the expected calibration error is .13.
"""

from __future__ import annotations

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
from onrecord.retrieve.wording import Wording, has_subject, named, small_names, stems, without
from onrecord.types import FILTER_FIELDS, Evidence
from onrecord.types.questions import subject
from onrecord.understand.intents import asking_words
from onrecord.understand.lexicon import Tokens

if TYPE_CHECKING:
    from onrecord.types import Scores

NOTHING = 0.11
"""The confidence, in 0..1, below which no match is worth showing: the verdict is "nothing_found"."""
ANSWERED = 0.25
"""The confidence, in 0..1, below which quotes are only the nearest matches, "low_relevance" by verdict."""
LIKELY, SURE = 0.6, 0.75
"""The confidences, in 0..1, from which the heading calls an answer likely or sure."""
LOOKED_AT = 8
"""How many of the best moments decide whether a question is answered. As many supply the quotes."""
FEW = 40
"""The least number of passages for which a question's words are weighted.

A smaller archive is weighted as if it had this many passages. In a single passage every word would occur in
all passages, and the weights would tell nothing.
"""

_WITH_MEANING = (-1.54, 2.03, 1.57, -0.21)
"""Weights of (1, closeness, coverage, ln passages).

The weight of the passage count is negative because the best cosine of many passages is higher by chance
alone.
"""
_FEWEST = 200
"""The passage count below which the size of the archive makes no further difference."""
_BY_WORDS = (-3.24, 4.93)
"""Weights of (1, coverage) where words alone were compared."""


def confidence(evidence: Evidence, words: Wording, passages: int, calibration: Calibration | None) -> float:
    """Return the probability, in 0..1, that the evidence answers the question of `words`.

    Args:
        passages: the number of passages that were searched.
        calibration: the calibration of the embedder; None without an embedder.
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
    """Return the largest share, in 0..1, of the question's weight that one of the best passages carries."""
    best = 0.0
    for moment in evidence.moments[:LOOKED_AT]:
        for passage in moment.passages:
            best = max(best, words.coverage(passage.spoken))
    return best


def best_cosine(evidence: Evidence) -> float | None:
    """Return the best cosine of any passage; None where words alone retrieved the best moment."""
    if not evidence.moments or not evidence.moments[0].scores.get("dense"):
        return None
    curve = evidence.curve
    if curve is not None and "dense" in curve.parts:
        return float(curve.parts["dense"].max())
    return max(m.scores.get("dense", 0.0) for m in evidence.moments)


def verdict_for(evidence: Evidence, sure: float) -> str:
    """Return the verdict for a confidence: "nothing_found", "low_relevance" or "answered"."""
    if not evidence.moments or sure < NOTHING:
        return "nothing_found"
    return "low_relevance" if sure < ANSWERED else "answered"


def heading_key(sure: float) -> str:
    """Return the key of the heading's message for a confidence: "sure", "likely" or "may"."""
    return "sure" if sure >= SURE else "likely" if sure >= LIKELY else "may"


# ---------------------------------------------------------------- by a reader

NONE = 2.3
"""Log-odds of "no sentence holds the answer" before anything is read.

Fitted by `benchmarks/answering.py --fit` on recordings that the reader was not trained on.
"""

_SLOPE, _SHIFT = 1.35, 1.68
"""Platt scaling from the reader's chance for the quotes to how often such quotes answer.

Fitted on the same questions, by whether the quotes hold a sentence that was marked as an answer.
"""
_FULL_COVERAGE, _COVERED = 0.99, 0.7
"""The coverage from which a quote has all of the question's words, and the least confidence then.

Of 334 questions written by other people, one quote covered six in full. All six were answered, and no near
miss was among them. Without this rule .904 of the built-in examples are answered or refused rightly, with it
.933.
"""
_UNRANKED = 20
"""The most stretches to read where no stage has read any."""


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """The judgment of each sentence of a talk, in arrays of shape (sentences,).

    `chance` is how likely the sentence holds the answer, in 0..1. All chances add up to at most 1, except
    for an outline and for a dialogue act, where the sentences do not share one chance. `relevant` is how
    likely the sentence answers, or is needed to understand the one that does, in 0..1.
    """

    chance: Scores
    relevant: Scores

    @property
    def answered(self) -> float:
        """Return the sum of all chances: if they are shared, the chance that any sentence answers."""
        return float(self.chance.sum())


def confidence_by_reading(quotes: Sequence[Quote], words: Wording) -> float:
    """Return the probability, in 0..1, that quotes hold the answer to the question of `words`.

    It is the sum of the quotes' chances, calibrated. A quote that has all of the question's words counts as
    an answer even if the reader gives it a low chance: a person who asks what was said about freight wants
    nothing more. The speaker's name is not one of these words: a quote in which Ann speaks of salaries need
    not speak of her own.
    """
    chance = min(max(sum([quote.score for quote in quotes]), 1e-6), 1 - 1e-6)
    calibrated = 1 / (1 + exp(-(_SLOPE * log(chance / (1 - chance)) + _SHIFT)))
    coverage = max([words.coverage(quote.text) for quote in quotes], default=0.0)
    return max(calibrated, _COVERED) if words.weights and coverage > _FULL_COVERAGE else calibrated


def judge(question: str, evidence: Evidence, talk: Talk, reader: Reader, tools: Tools) -> Judged:
    """Read the evidence together with the question and judge each sentence. Raises ModelError."""
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
    """Return each sentence's log-odds of holding the answer, and its probability of being relevant.

    Keys are the row of the sentence's passage and the offset at which the sentence begins. The reader reads
    the stretches that a stage has read for ranking; if there are none, it reads the first stretches. A
    sentence that is read twice, once as context, takes its values from the stretch that it is part of.
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
"""Filter fields that name neither a recording nor an attribute of recordings."""


def subject_asked(evidence: Evidence) -> str:
    """Return the subject of the question, without names of speakers and recordings if other words remain.

    A speaker's turn does not show that the turn is about the speaker. Nor does the name of a firm or a show
    count in its own recordings, where the person who welcomes the audience says it most often. Words that ask
    for a dialogue act are also left out: a speaker who asks about salt does not say "asked".
    """
    text = evidence.question.text
    filters = evidence.plan.filters if evidence.plan else ()
    for fields_of in (("speaker",), {each.field for each in filters} - _NO_NAMES):
        rest = without([each.said for each in filters if each.field in fields_of], text)
        text = rest if has_subject(rest) else text
    if not (evidence.plan and evidence.plan.act):
        return subject(text)
    asking = asking_words() - small_names(text)
    rest = " ".join(token.text for token in Tokens(text) if token.word not in asking)
    return subject(rest if any(named(word) for word in rest.split()) else text)


MOMENTS = 8
"""The number of best moments whose sentences are scored."""
_LEXICAL, _DENSE, _AROUND = 0.35, 0.45, 0.5
"""Weights of a sentence's words, of its vector, and of its passage's place on the curve."""
_EMBEDDED = 16
"""The most sentences to embed, the most promising ones first."""
_TEMPERATURE = 0.1
"""The score difference that makes a sentence e times less likely."""
_OF_A_PART = 0.1
"""The least score of a part's best sentence, relative to the best sentence of all."""


def judge_by_score(question: str, talk: Talk, words: Wording, tools: Tools) -> Judged:
    """Judge sentences by their scores. Their chances are shares that add up to 1."""
    scores = sentence_scores(question, talk, words, tools)
    odds = np.exp((scores - scores.max(initial=0)) / _TEMPERATURE)
    shares = np.where(scores > 0, odds / max(float(odds.sum()), 1e-9), 0).astype(np.float32)
    chance = talk.hand_to_replies(shares, question)
    return Judged(chance / max(float(chance.sum()), 1e-9), chance / max(float(chance.max(initial=0)), 1e-9))


def sentence_scores(question: str, talk: Talk, words: Wording, tools: Tools) -> Scores:
    """Return how near each sentence is to a question, shape (sentences,), in 0..1.

    Embed the question at most once and at most `_EMBEDDED` sentences. Without an embedder, use words and
    place alone.
    """
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
    """Judge the sentences for an outline: the best sentence of each part, then the sentences nearest to it.

    Drop a sentence that scores below the share `least` of the best sentence of all. The best sentence of a
    part needs only a tenth of that best score. Chances are not shared among sentences: each chance is
    relative to the best sentence of its part.
    """
    ranks, best = np.array(talk.ranks, np.int64), max(float(scores.max(initial=0)), 1e-9)
    chance = np.zeros_like(scores)
    for rank in dict.fromkeys(talk.ranks):
        here = np.flatnonzero(ranks == rank)
        own = scores[here]
        enough = (own >= least * best) | ((own == own.max()) & (own >= _OF_A_PART * best))
        chance[here] = np.where(enough, np.exp((own - own.max()) / _TEMPERATURE), 0)
    return Judged(chance * (0.5 + 0.5 * scores / best), chance)


_SPAN = (20, 60)
"""The least and the most words of a quote in an outline of a whole recording."""
_LEANING = 0.4
"""The factor on the worth of a quote that depends on the sentence before it, or breaks off."""
_LEAST_ADDED = 0.15
"""The least share of the first quote's added coverage that every further quote has to add."""
_PLAIN = 1.0
"""The worth of a sentence that is no main point; a certain main point is worth 1 more."""
_SPECIFIC, _MOST_SPECIFIC = 0.1, 5
"""The worth that each figure or name adds to a quote, and the most figures and names that count."""


def typical_quotes(talk: Talk, most: int, words: int, tools: Tools) -> QuoteSelection:
    """Choose quotes that together cover what is said most often.

    Choose at most `most` quotes with at most `words` words in all. If there is a reader, sentences that it
    takes for main points count for more, and asides for less.
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
    """Return each sentence's probability of performing an act, shape (sentences,); 0 if unread."""
    read = read_for(act, talk.sentences, tools)
    return np.array([read.get((s.passage.row, s.begin), 0.0) for s in talk.sentences], np.float32)


def _worth(span: range, words: int, talk: Talk) -> float:
    """Return the factor on a quote's coverage.

    Figures and names raise it. It is lower for a quote that depends on the sentence before it, breaks off, or
    is short, such as "The next question is from Ann Bell.".
    """
    specific = sum([count_specifics(talk.sentences[at].text) for at in span])
    complete = _LEANING ** sum(talk.needs(span))
    return (1 + _SPECIFIC * min(specific, _MOST_SPECIFIC)) * complete * min(1.0, words / _SPAN[0]) ** 2


def _spans(talk: Talk) -> Iterator[range]:
    """Yield all runs of sentences of one speaker that can be read alone and do not end in a question.

    A run can be read alone if it is long enough or is a whole speaker turn.
    """
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
    """Yield the unbroken runs of sentences of one speaker."""
    begin = 0
    for at in range(1, len(talk.sentences) + 1):
        goes_on = at < len(talk.sentences) and talk.runs[at] == talk.runs[begin]
        if not goes_on or talk.sentences[at].speaker != talk.sentences[begin].speaker:
            yield range(begin, at)
            begin = at


# ---------------------------------------------------------------- quotes


_ALSO_CORE = 0.5
"""The least chance, relative to a quote's likeliest sentence, of a neighbor that joins as a second answer."""


@dataclass(frozen=True, slots=True)
class QuoteChooser:
    """The limits and rules by which quotes are chosen from judged sentences.

    At most `quotes` quotes with `words` words in all are chosen. A quote starts from the likeliest sentence
    that is not yet quoted. It grows by neighbors of the same speaker that are needed to read it, that bring
    it to `shortest` words, or whose relevance is at least `relevant`, up to `longest` words. No further quote
    is added once the quotes hold the share `enough` of the chance that any sentence answers. A quote is not
    added either if the chance of its likeliest sentence is below the share `least` of the best sentence's
    chance.
    """

    quotes: int = 5
    words: int = 220
    shortest: int = 18
    longest: int = 140
    relevant: float = 0.1
    enough: float = 0.9
    least: float = 0.06

    def choose(self, judged: Judged, talk: Talk) -> QuoteSelection:
        """Return quotes, likeliest first. Each quote's score is the chance that it holds the answer."""
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
        """Return the numbers of a sentence and of its neighbors that belong to the same quote, in order."""
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
