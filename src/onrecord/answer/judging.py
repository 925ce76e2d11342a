"""The judgment of sentences: how likely each answers a question, and which ones to quote.

A trained reader judges the sentences. Without a reader, a plain score judges them. The reader gives each
sentence odds of holding the answer, against odds of 1 that no sentence holds it. The chances of all sentences
and of "none" therefore add up to 1 (shared normalization: Clark and Gardner, Simple and Effective
Multi-Paragraph Reading Comprehension, 2018). The plain score combines a sentence's words, its meaning and its
passage's place on the curve. It becomes the sentence's share of one chance for all sentences. Quotes grow
around the likeliest sentences and take in relevant neighbors. Quotes are added until they hold most of the
total chance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from onrecord.answer.quotes import Quote, QuoteSelection, repeats
from onrecord.answer.talk import Talk
from onrecord.models.base import Reader
from onrecord.retrieve.read import SHARPNESS, cut, prior, read_in_context, trust_in
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.wording import Wording, has_subject, named, small_names, subject, without
from onrecord.types import FILTER_FIELDS, Evidence
from onrecord.understand.intents import asking_words
from onrecord.understand.lexicon import Tokens

if TYPE_CHECKING:
    from onrecord.types import Scores

FEW = 40
"""The least number of passages for which a question's words are weighted.

A smaller archive is weighted as if it had this many passages. In a single passage every word would occur in
all passages, and the weights would tell nothing.
"""

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


# ---------------------------------------------------------------- by a reader

NONE = 2.3
"""Log-odds of "no sentence holds the answer" before anything is read.

Fitted by `benchmarks/answering.py --fit` on recordings that the reader was not trained on.
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

MOMENTS = 8
"""The number of best moments that decide whether a question is answered, and whose sentences are scored."""
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
    texts = [sentence.spoken for sentence in talk.sentences]
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
