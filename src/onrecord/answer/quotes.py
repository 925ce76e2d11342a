"""The sentences that answer a question, chosen from the moments that were found, verbatim.

Every sentence of the best moments is scored: how much of the question's weight its words carry, how near
its vector is to the question's, how well its passage was found. A question that somebody asks in the
recording is no answer but the sign of one: it lends its score to what is said next. Then quotes are taken
best first, each grown to a readable length among its neighbours, none saying again what another says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from onrecord.answer.talk import FILLERS, Talk, adjoin, attributed
from onrecord.answer.verify import ELLIPSIS
from onrecord.retrieve.same import adds
from onrecord.retrieve.sentences import Sentence
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.wording import Wording, stems
from onrecord.types import Evidence, Passage

if TYPE_CHECKING:
    from onrecord.types import Scores

_TELLING = 4
"""How many words a quote has at least, without those that name nothing, where it is no answer."""
_OF_A_PART = 0.1
"""What the best sentence of a part is worth at least, beside the best of all, where each has its say."""


@dataclass(frozen=True, slots=True)
class Quote:
    """Sentences said by one speaker in one go (others may put in a "Yeah."); `score` is that of the best
    of them, the one that is number `core`, and `moment` the rank of the moment it was found in."""

    sentences: tuple[Sentence, ...]
    score: float
    moment: int
    core: int = 0

    @property
    def text(self) -> str:
        """What was said, with single spaces; ``[...]`` stands for what others put in, and shows that a
        sentence has begun before or goes on."""
        parts = [
            self.sentences[0].text if self.sentences[0].opens else f"{ELLIPSIS} {self.sentences[0].text}"
        ]
        for before, after in pairwise(self.sentences):
            parts.append(after.text if adjoin(before, after) else f"{ELLIPSIS} {after.text}")
        if not self.sentences[-1].closes:
            parts.append(ELLIPSIS)
        return " ".join(" ".join(parts).split())

    @property
    def speaker(self) -> str | None:
        return self.sentences[0].speaker

    @property
    def passages(self) -> tuple[Passage, ...]:
        return tuple({s.passage.position: s.passage for s in self.sentences}.values())

    @property
    def recording(self) -> str:
        return self.sentences[0].passage.recording

    @property
    def place(self) -> tuple[int, int]:
        """Where it begins in its recording: position and character."""
        return self.sentences[0].passage.position, self.sentences[0].begin

    @property
    def start(self) -> float | None:
        return self.sentences[0].passage.time_at(self.sentences[0].begin)

    @property
    def end(self) -> float | None:
        return self.sentences[-1].passage.time_at(self.sentences[-1].end)

    @property
    def words(self) -> int:
        return sum(s.words for s in self.sentences)


@dataclass(frozen=True, slots=True)
class Chosen:
    """`quotes`, best first, each saying something of its own; `echoes` say again what one of them says;
    `twins` are those echoes that are the first quote in nearly the same words."""

    quotes: list[Quote] = field(default_factory=list)
    echoes: list[Quote] = field(default_factory=list)
    twins: list[Quote] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Choice:
    """How quotes are chosen.

    Shown are `quotes` of `words` in all at the most; a quote is grown to `shortest` words where its speaker
    goes on, and to `longest` at the most. Read are the best `moments`, and the `embedded` most promising
    of their sentences are embedded (0: none). A sentence's score weighs its words (`lexical`), its vector
    (`dense`) and how well its passage was found (`around`); what is said after a question is worth at least
    the share `lent` of its score.

    Left out is what falls below `least` of the best score (`elsewhere` for the best of another recording),
    and a quote of whose words more than the share `alike` stand in one taken before it. With every quote
    taken, those that touch no other word of the question in the same recording are worth `again` of what
    they were. Of one moment at most `each` quotes are taken.
    """

    quotes: int = 5
    words: int = 220
    shortest: int = 18
    longest: int = 60
    moments: int = 8
    embedded: int = 16
    least: float = 0.75
    elsewhere: float = 0.6
    alike: float = 0.6
    lexical: float = 0.35
    dense: float = 0.45
    around: float = 0.5
    lent: float = 0.9
    again: float = 0.9
    each: int | None = None

    def for_outline(self, quotes: int, words: int, moments: int, least: float) -> Choice:
        """For quotes of each of so many moments, where every part is to have its say."""
        each = max(1, -(-quotes // max(moments, 1)))
        room = replace(self, quotes=quotes, words=words, each=each, least=least, elsewhere=least)
        return replace(room, moments=60, embedded=48)

    def choose(
        self, question: str, evidence: Evidence, words: Wording, tools: Tools, told: str = ""
    ) -> Chosen:
        """Quotes, best first. At most one embedding of the question and `embedded` of sentences. Where `told`
        has text, summaries say for whom there is no question what is worth quoting."""
        talk = Talk(evidence, self.moments, tools.store)
        scores = self.summed_up(talk, told) if told else self.scores(question, talk, words, tools)
        scores[~talk.asked_for(evidence.question.scope)] = 0
        return self.taken(talk, scores, np.where(scores >= self._least(scores, talk), scores, 0), words)

    def taken(self, talk: Talk, scores: Scores, worth: Scores, words: Wording) -> Chosen:
        """Quotes, best first, around the sentences of a talk that are worth quoting for themselves (`worth`
        over 0), each grown by what its neighbours score. Shapes (sentences,); `worth` is used up."""
        chosen = Chosen()
        touched = talk.touched(words)
        heard: set[str] = set()
        room, taken = self.words, set[int]()
        while len(chosen.quotes) < self.quotes and worth.max(initial=0) > 0:
            core = int(worth.argmax())
            span = self._grown(core, talk, scores, taken)
            said = tuple(talk.said[i] for i in span)
            quote = Quote(said, float(scores[core]), talk.ranks[core], span.index(core))
            taken.update(span)
            worth[span] = 0
            if any(adds_little(quote, other, self.alike) for other in chosen.quotes):
                chosen.echoes.append(quote)
                first = chosen.quotes[0]
                if adds_little(quote, first, self.alike) and adds_little(first, quote, self.alike):
                    chosen.twins.append(quote)
            elif quote.words <= room or not chosen.quotes:
                chosen.quotes.append(quote)
                room -= quote.words
                worth[self._spent(chosen, talk)] = 0
                heard.update(*(touched[i] for i in span))
                stale = [words_of <= heard for words_of in touched]
                worth[(talk.recordings == quote.recording) & stale] *= self.again
        return chosen

    def _spent(self, chosen: Chosen, talk: Talk) -> list[bool]:
        """Which sentences stand in a moment of which enough quotes were taken."""
        counts = Counter(quote.moment for quote in chosen.quotes)
        return [self.each is not None and counts[rank] >= self.each for rank in talk.ranks]

    def _least(self, scores: Scores, talk: Talk) -> Scores:
        """What a sentence must be worth; the best one of each recording may be worth less, and where every
        part is to have its say, the best one of each moment less still."""
        most = float(scores.max(initial=0))
        least = np.full(len(scores), self.least * most, np.float32)
        for name in dict.fromkeys(talk.recordings.tolist()):
            best = int(np.where(talk.recordings == name, scores, -1).argmax())
            least[best] = max(self.elsewhere * most, 1e-6)
        ranks = np.array(talk.ranks, np.int64)
        for rank in dict.fromkeys(talk.ranks) if self.each is not None else ():
            best = int(np.where(ranks == rank, scores, -1).argmax())
            least[best] = min(least[best], max(_OF_A_PART * most, 1e-6))
        return least

    def scores(self, question: str, talk: Talk, words: Wording, tools: Tools) -> Scores:
        """How well each sentence answers, shape (sentences,), >= 0; 0 for what is never quoted for itself."""
        return talk.lend(self.nearness(question, talk, words, tools), self.lent)

    def nearness(self, question: str, talk: Talk, words: Wording, tools: Tools) -> Scores:
        """How near each sentence is to the question, answer or not; shape (sentences,), in 0..1."""
        covered = np.array([words.coverage(attributed(s)) for s in talk.said], np.float32)
        scores = self.lexical * covered + self.around * talk.around
        most = self.lexical + self.around
        promise = np.where(talk.hollow, -1, 2 * covered + talk.around)
        likely = np.argsort(-promise, kind="stable")[: self.embedded]
        if tools.embedder is not None and len(likely):
            vectors = tools.embedder.embed([attributed(talk.said[i]) for i in likely])
            scores[likely] += self.dense * _stretched(vectors @ tools.embedder.embed_query(question))
            most += self.dense
        scores /= most
        return scores

    def summed_up(self, talk: Talk, told: str) -> Scores:
        """How well each sentence stands for what is around it, shape (sentences,), in 0..1: whether summaries
        are made of it, how many of their words it has, and how much its passage says."""
        summing = np.array([sentence.text in told for sentence in talk.said], np.float32)
        heard = stems(told)
        shared = np.array([len(heard & stems(s.text)) for s in talk.said], np.float32)
        scores = 0.5 * summing + 0.3 * shared / max(1.0, float(shared.max(initial=0))) + 0.2 * talk.around
        unsaid = talk.hollow | talk.asking
        unsaid = talk.hollow if unsaid.all() else unsaid  # who only asks is quoted asking
        worth: Scores = np.where(unsaid, 0, scores).astype(np.float32)
        return worth

    def _grown(self, core: int, talk: Talk, scores: Scores, taken: set[int]) -> list[int]:
        """A sentence with the neighbours that it needs, or that are nearly as good, in order."""
        span = [core]
        size = talk.said[core].words
        while True:
            sides = talk.neighbour(span[0], -1), talk.neighbour(span[-1], +1)
            near = [i for i in sides if i is not None and self._together(talk, core, i)]
            fits = [i for i in near if size + talk.said[i].words <= self.longest]
            needed = [i for i, needs in zip(sides, talk.needs(span), strict=True) if needs and i in fits]
            wanted = [i for i in fits if size < self.shortest or scores[i] >= 0.8 * scores[core]]
            free = [i for i in needed or wanted if i not in taken]
            if not free:
                return span
            added = max(free, key=lambda i: scores[i] * (1.0 if i > core else 0.8))  # talk runs forward
            span = sorted([*span, added])
            size += talk.said[added].words

    def _together(self, talk: Talk, core: int, beside: int) -> bool:
        """Whether one quote may hold two sentences: not those of two parts that each have their own say."""
        return self.each is None or talk.ranks[core] == talk.ranks[beside]


def adds_little(quote: Quote, shown: Quote, alike: float = 0.6) -> bool:
    """Whether more than the share `alike` of a quote's words stand in one that is shown, and its best
    sentence has no figure, name or negation of its own."""
    mine, theirs = stems(quote.text), stems(shown.text)
    return len(mine & theirs) > alike * len(mine) and not adds(quote.sentences[quote.core].text, shown.text)


def telling(quotes: Sequence[Quote]) -> list[Quote]:
    """The quotes that say something by themselves, in the same order; all where none does."""
    return [quote for quote in quotes if len(stems(quote.text) - FILLERS) >= _TELLING] or list(quotes)


def likeliest_first(quotes: Sequence[Quote]) -> list[Quote]:
    """Quotes as they are read where the best one answers: those of a recording together, the best first."""
    recordings = list(dict.fromkeys(quote.recording for quote in quotes))
    return sorted(quotes, key=lambda quote: recordings.index(quote.recording))


def in_order(quotes: Sequence[Quote]) -> list[Quote]:
    """Quotes as they are read: those of a recording together, the recording of the best quote first, each
    recording's as they were spoken; what was said in one go is one quote."""
    recordings = list(dict.fromkeys(quote.recording for quote in quotes))
    ordered: list[Quote] = []
    for quote in sorted(quotes, key=lambda q: (recordings.index(q.recording), q.place)):
        last = ordered[-1] if ordered else None
        if last and last.speaker == quote.speaker and adjoin(last.sentences[-1], quote.sentences[0]):
            both = last.sentences + quote.sentences
            ordered[-1] = Quote(both, max(last.score, quote.score), min(last.moment, quote.moment))
        else:
            ordered.append(quote)
    return ordered


def _stretched(values: Scores) -> Scores:
    """Values from 0 to 1, whatever their range."""
    if not len(values):
        return values
    low, high = float(values.min()), float(values.max())
    return (values - low) / (high - low) if high > low else np.ones_like(values)
