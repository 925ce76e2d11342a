"""Quotes by a trained reader: which sentences answer, how surely, and whether any does.

Every sentence that was read has odds of holding the answer against odds of 1 that none does, so the chances
of all and of "none" add up to 1 (shared normalization: Clark and Gardner, Simple and Effective
Multi-Paragraph Reading Comprehension, 2018). Quotes grow around the likeliest sentences, as far as their
neighbours are relevant, until they hold most of the chance that there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from typing import TYPE_CHECKING

import numpy as np

from onrecord.answer.quotes import Chosen, Quote, adds_little
from onrecord.answer.talk import Talk
from onrecord.models.base import Reader
from onrecord.retrieve.read import SHARPNESS, cut, prior, read_in_context, trust_in
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.wording import Wording
from onrecord.types import Evidence, Moment

if TYPE_CHECKING:
    from onrecord.types import Scores

NONE = 2.5
"""Log-odds of "no sentence holds the answer" before anything is read. Fitted by `benchmarks/answering.py
--fit` on recordings that the reader was not trained on."""

_SLOPE, _SHIFT = 0.94, 1.08
"""From the chance that the reader gives to what is quoted to how often that answers (Platt scaling): of the
same questions, whether the quotes hold a sentence that was marked as answering."""
_ALL, _ALL_SAID = 0.99, 0.7
"""From which share of a question's weight on all of its words are said; how sure the answer is then at
least. Of 334 questions six were covered so by one quote: all six were answered, and no near miss was among
them."""
_UNRANKED = 20
"""How many stretches are read at most where no stage has read any."""


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """The sentences of a talk as the reader judges them, shapes (sentences,): `chance` that each holds the
    answer, all together at most 1; `relevant`, the probability that each answers or is needed to understand
    what does."""

    chance: Scores
    relevant: Scores

    @property
    def answered(self) -> float:
        """The chance that some sentence holds the answer, in 0..1."""
        return float(self.chance.sum())


def confidence(quotes: Sequence[Quote], words: Wording) -> float:
    """How likely it is, in 0..1, that quotes hold the answer to the question of `words`. One that has all of
    its words speaks to it, however little it answers: who asks what was said of freight wants no more."""
    shown = min(max(sum(quote.score for quote in quotes), 1e-6), 1 - 1e-6)
    read = 1 / (1 + exp(-(_SLOPE * log(shown / (1 - shown)) + _SHIFT)))
    covered = max((words.coverage(f"{quote.speaker or ''} {quote.text}") for quote in quotes), default=0.0)
    return max(read, _ALL_SAID) if words.weights and covered > _ALL else read


def judge(question: str, evidence: Evidence, talk: Talk, reader: Reader, tools: Tools) -> Judged:
    """Read the evidence with the question. Raises ModelError."""
    odds = _odds(question, evidence, reader, tools)
    read = [odds.get((s.passage.row, s.begin), (-np.inf, 0.0)) for s in talk.said]
    counts = talk.quotable | talk.asks(question)
    logits = np.where(counts, [core for core, _ in read], -np.inf) - NONE
    whole = np.logaddexp.reduce(np.append(logits, 0.0))
    relevant = np.where(talk.quotable, [relevant for _, relevant in read], 0).astype(np.float32)
    return Judged(talk.pass_on(np.exp(logits - whole).astype(np.float32), question), relevant)


def _odds(
    question: str, evidence: Evidence, reader: Reader, tools: Tools
) -> dict[tuple[int, int], tuple[float, float]]:
    """Log-odds that each sentence holds the answer, and the probability that it is relevant, by its passage's
    row and where it begins. One that is read twice is judged in the stretch that it is part of."""
    stretches = _to_read(evidence)
    best = max((stretch.score for stretch in stretches), default=1.0)
    trust = trust_in(evidence.curve) if evidence.curve is not None else 0.0
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


def _to_read(evidence: Evidence) -> list[Moment]:
    """The stretches that were read when they were ranked; where none was, the first ones."""
    stretches = list(cut(evidence))
    read = [stretch for stretch in stretches if "read" in stretch.scores]
    return read or stretches[:_UNRANKED]


@dataclass(frozen=True, slots=True)
class ReadChoice:
    """How quotes are chosen from what was judged.

    Shown are `quotes` of `words` in all at the most. A quote is the likeliest sentence not yet shown, with
    those neighbours of the same speaker that are needed to read it, or relevant from `relevant` on, to
    `longest` words. No further one is added once the quotes hold the share `enough` of the chance that any
    sentence answers, nor one whose chance is below `least` of the first one's.
    """

    quotes: int = 5
    words: int = 220
    shortest: int = 18
    longest: int = 100
    relevant: float = 0.25
    enough: float = 0.85
    least: float = 0.08

    def choose(self, judged: Judged, talk: Talk) -> Chosen:
        """Quotes, likeliest first; each quote's score is the chance that it holds the answer."""
        chosen = Chosen()
        worth, taken, room, shown = judged.chance.copy(), set[int](), self.words, 0.0
        while len(chosen.quotes) < self.quotes and shown < self.enough * judged.answered:
            core = int(worth.argmax())
            if worth[core] < self.least * judged.chance.max() or worth[core] <= 0:
                break
            span = self._grown(core, talk, judged, taken, min(room, self.longest))
            worth[span] = 0
            quote = self._quote(span, core, talk, judged)
            if any(adds_little(quote, other) for other in chosen.quotes):
                chosen.echoes.append(quote)
                continue
            if quote.words > room and chosen.quotes:
                continue
            taken.update(span)
            room -= quote.words
            shown += quote.score
            chosen.quotes.append(quote)
        return chosen

    def _quote(self, span: list[int], core: int, talk: Talk, judged: Judged) -> Quote:
        said = tuple(talk.said[i] for i in span)
        return Quote(said, float(judged.chance[span].sum()), talk.ranks[core], span.index(core))

    def _grown(self, core: int, talk: Talk, judged: Judged, taken: set[int], most: int) -> list[int]:
        """A sentence with its neighbours, in order."""
        span, size = [core], talk.said[core].words
        while True:
            sides = talk.neighbour(span[0], -1), talk.neighbour(span[-1], +1)
            fits = [
                i for i in sides if i is not None and i not in taken and size + talk.said[i].words <= most
            ]
            needed = [i for i, needs in zip(sides, talk.needs(span), strict=True) if needs and i in fits]
            wanted = [i for i in fits if size < self.shortest or judged.relevant[i] >= self.relevant]
            if not (needed or wanted):
                return span
            added = max(wanted or needed, key=lambda i: float(judged.relevant[i]))
            span = sorted([*span, added])
            size += talk.said[added].words
