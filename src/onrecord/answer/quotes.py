"""The sentences that answer a question, chosen from the moments that were found, verbatim.

Every sentence of the best moments is scored: how much of the question's weight its words carry, how near
its vector is to the question's, how well its passage was found. A question that somebody asks in the
recording is no answer but the sign of one: it lends its score to what is said next. Then quotes are taken
best first, each grown to a readable length among its neighbours, none saying again what another says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from onrecord.answer.sentences import Sentence, sentences
from onrecord.answer.verify import ELLIPSIS
from onrecord.answer.wording import Wording, named, stems
from onrecord.retrieve.stage import Tools
from onrecord.stores.base import Reader
from onrecord.stores.words import terms
from onrecord.types import Evidence, Passage

if TYPE_CHECKING:
    from onrecord.types import Scores

# A sentence that begins so leans on the one before it.
_LEANS = re.compile(
    r"(and|but|so|or|because|which|that|this|these|those|it|he|she|they|then|also|yet|there|"
    r"et|mais|donc|car|alors|ça|cela|c|ce|il|elle|ils|elles|puis|aussi)\b",
    re.IGNORECASE,
)
# Words that keep a conversation going and say nothing.
_FILLERS = frozenset(
    terms(
        "yeah yes yep no nope okay ok right sure exactly absolutely totally great good cool nice wow oh "
        "ah um uh hmm mm mhm huh well like just really actually basically thank thanks know mean guess think "
        "maybe course question definitely indeed alright got see please sorry so there here one thing "
        "oui non ouais bah ben euh voilà bien bon bonne merci enfin exactement"
    )
)


_ASKED = 0.5  # what a question is worth as a quote, beside a statement
_FADING = 0.75  # how much less each further sentence after a question has to do with it


@dataclass(frozen=True, slots=True)
class Quote:
    """Sentences said by one speaker in one go (others may put in a "Yeah."); `score` is that of the best
    of them, and `moment` the rank of the moment it was found in."""

    sentences: tuple[Sentence, ...]
    score: float
    moment: int

    @property
    def text(self) -> str:
        """What was said, with single spaces; ``[...]`` stands for what others put in, and shows that a
        sentence has begun before or goes on."""
        parts = [
            self.sentences[0].text if self.sentences[0].opens else f"{ELLIPSIS} {self.sentences[0].text}"
        ]
        for before, after in pairwise(self.sentences):
            parts.append(after.text if _adjoin(before, after) else f"{ELLIPSIS} {after.text}")
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
    """`quotes`, best first, each saying something of its own; `echoes` say again what one of them says."""

    quotes: list[Quote]
    echoes: list[Quote]


@dataclass(frozen=True, slots=True)
class Choice:
    """How quotes are chosen.

    `quotes` and `words` are the most that is shown; `shortest` is what a quote is grown to where its
    speaker goes on, `longest` the most words it may have. `moments` are read, and the `embedded` most
    promising of their sentences embedded (0: none). A quote below `least` of the best one's score is
    left out, as is one of whose words more than the share `alike` stand in one taken before it. `lexical`,
    `dense` and `around` weigh words, the sentence's vector and its passage's place on the curve; what is
    said after a question is worth at least the share `lent` of its score, and every further quote from
    the same recording `again` of what it was worth, so that others are heard.
    """

    quotes: int = 5
    words: int = 220
    shortest: int = 18
    longest: int = 60
    moments: int = 8
    embedded: int = 16
    least: float = 0.7
    alike: float = 0.6
    lexical: float = 0.35
    dense: float = 0.45
    around: float = 0.4
    lent: float = 0.9
    again: float = 0.95

    def choose(self, question: str, evidence: Evidence, words: Wording, tools: Tools) -> Chosen:
        """Quotes, best first. At most one embedding of the question and `embedded` of sentences."""
        talk = _Talk(evidence, self.moments, tools.store)
        scores = self.scores(question, talk, words, tools)
        chosen = Chosen([], [])
        worth = np.where(scores >= self.least * scores.max(initial=0), scores, 0)
        room, taken = self.words, set[int]()
        while len(chosen.quotes) < self.quotes and worth.max(initial=0) > 0:
            core = int(worth.argmax())
            span = self._grown(core, talk, scores, taken)
            quote = Quote(tuple(talk.said[i] for i in span), float(scores[core]), talk.ranks[core])
            taken.update(span)
            worth[span] = 0
            if any(self._adds_little(quote, other) for other in chosen.quotes):
                chosen.echoes.append(quote)
            elif quote.words <= room or not chosen.quotes:
                chosen.quotes.append(quote)
                room -= quote.words
                worth[talk.recordings == quote.recording] *= self.again
        return chosen

    def scores(self, question: str, talk: _Talk, words: Wording, tools: Tools) -> Scores:
        """How well each sentence answers, shape (sentences,), >= 0; 0 for what is never quoted for itself."""
        covered = np.array([words.coverage(_attributed(s)) for s in talk.said], np.float32)
        scores = self.lexical * covered + self.around * _stretched(talk.around)
        most = self.lexical + self.around
        likely = np.argsort(-np.where(talk.hollow, -1, scores), kind="stable")[: self.embedded]
        if tools.embedder is not None and len(likely):
            vectors = tools.embedder.embed([_attributed(talk.said[i]) for i in likely])
            scores[likely] += self.dense * _stretched(vectors @ tools.embedder.embed_query(question))
            most += self.dense
        scores /= most
        return talk.lend(scores, self.lent)

    def _grown(self, core: int, talk: _Talk, scores: Scores, taken: set[int]) -> list[int]:
        """A sentence with the neighbours that it needs, or that are nearly as good, in order."""
        span = [core]
        size = talk.said[core].words
        while True:
            sides = talk.neighbour(span[0], -1), talk.neighbour(span[-1], +1)
            fits = [i for i in sides if i is not None and size + talk.said[i].words <= self.longest]
            needed = [i for i, needs in zip(sides, talk.needs(span), strict=True) if needs and i in fits]
            wanted = [i for i in fits if size < self.shortest or scores[i] >= 0.8 * scores[core]]
            free = [i for i in needed or wanted if i not in taken]
            if not free:
                return span
            added = max(free, key=lambda i: scores[i] * (1.0 if i > core else 0.8))  # talk runs forward
            span = sorted([*span, added])
            size += talk.said[added].words

    def _adds_little(self, quote: Quote, told: Quote) -> bool:
        mine, theirs = set(stems(quote.text)), set(stems(told.text))
        return len(mine & theirs) > self.alike * len(mine)


def in_order(quotes: Sequence[Quote]) -> list[Quote]:
    """Quotes as they are read: those of a recording together, the recording of the best quote first, each
    recording's as they were spoken; what was said in one go is one quote."""
    recordings = list(dict.fromkeys(quote.recording for quote in quotes))
    ordered: list[Quote] = []
    for quote in sorted(quotes, key=lambda q: (recordings.index(q.recording), q.place)):
        last = ordered[-1] if ordered else None
        if last and last.speaker == quote.speaker and _adjoin(last.sentences[-1], quote.sentences[0]):
            both = last.sentences + quote.sentences
            ordered[-1] = Quote(both, max(last.score, quote.score), min(last.moment, quote.moment))
        else:
            ordered.append(quote)
    return ordered


class _Talk:
    """The sentences of the best moments, in one list; `ranks` has the moment of each, `around` the score of
    its passage."""

    def __init__(self, evidence: Evidence, most: int, store: Reader) -> None:
        self.said: list[Sentence] = []
        self.ranks: list[int] = []
        for rank, moment in enumerate(evidence.moments[:most]):
            recording = store.recording(moment.recording)
            language = recording.details.language if recording else None
            found = [s for passage in moment.passages for s in sentences(passage, language)]
            self.said += found
            self.ranks += [rank] * len(found)
        self.around = _around(evidence, self.said, self.ranks)
        self.recordings = np.array([s.passage.recording for s in self.said], object)
        self.hollow = np.array([_hollow(s.text) for s in self.said], bool)
        self.asking = np.array([s.text.rstrip("\"'”’») ").endswith("?") for s in self.said], bool)

    def neighbour(self, at: int, step: int) -> int | None:
        """The sentence that the same speaker says next (or before), past what others put in."""
        speaker, rank, beside = self.said[at].speaker, self.ranks[at], True
        at += step
        while 0 <= at < len(self.said) and self.ranks[at] == rank:
            if self.said[at].speaker == speaker:
                return at if beside or not self.hollow[at] else None
            if not self.hollow[at]:
                return None
            beside = False
            at += step
        return None

    def needs(self, span: Sequence[int]) -> tuple[bool, bool]:
        """Whether sentences lean on the one before them, and whether they break off before their end."""
        first, last = self.said[span[0]], self.said[span[-1]]
        return not first.opens or _LEANS.match(first.text) is not None, not last.closes

    def lend(self, scores: Scores, share: float) -> Scores:
        """Scores with those of questions lent to what follows, and with nothing for what says nothing. No
        answer is thereby better than the best statement: to be asked alike is not to be answered well."""
        most = float(scores[~self.hollow & ~self.asking].max(initial=0))
        lent = np.where(self.hollow, 0, scores)
        for i in np.flatnonzero(self.asking).tolist():
            lent[i] *= _ASKED
            following = (j for j in range(i + 1, min(i + 6, len(lent))) if self.ranks[j] == self.ranks[i])
            for step, j in enumerate(j for j in following if not self.hollow[j] and not self.asking[j]):
                lent[j] = max(lent[j], scores[i] * share * _FADING**step)
        capped: Scores = np.minimum(lent, np.where(self.asking, _FADING * most, most))
        return capped


def _attributed(sentence: Sentence) -> str:
    """A sentence as passages are indexed and embedded: with who says it."""
    return f"{sentence.speaker}: {sentence.text}" if sentence.speaker else sentence.text


def _adjoin(one: Sentence, other: Sentence) -> bool:
    """Whether nothing is said between two sentences."""
    if one.passage.recording != other.passage.recording:
        return False
    if one.passage.position == other.passage.position:
        return one.end <= other.begin and not one.passage.text[one.end : other.begin].strip()
    gap = one.passage.text[one.end :] + other.passage.text[: other.begin]
    return other.passage.position == one.passage.position + 1 and not gap.strip()


def _around(evidence: Evidence, said: Sequence[Sentence], ranks: Sequence[int]) -> Scores:
    """The score of each sentence's passage on the curve; that of its moment where there is no curve."""
    if evidence.curve is None:
        return np.array([evidence.moments[rank].score for rank in ranks], np.float32)
    rows = evidence.curve.line.rows
    order = np.argsort(rows)
    places = np.searchsorted(rows, [s.passage.row for s in said], sorter=order)
    scores: Scores = evidence.curve.score[order[np.minimum(places, len(rows) - 1)]]
    return scores


def _hollow(text: str) -> bool:
    """Whether a sentence says nothing by itself: "Yeah, exactly."."""
    return len({term for word in text.split() for term in named(word)} - _FILLERS) < 2


def _stretched(values: Scores) -> Scores:
    """Values from 0 to 1, whatever their range."""
    if not len(values):
        return values
    low, high = float(values.min()), float(values.max())
    return (values - low) / (high - low) if high > low else np.ones_like(values)
