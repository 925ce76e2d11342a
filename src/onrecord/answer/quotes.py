"""The sentences that answer a question, chosen from the moments that were found, verbatim.

Every sentence of the best moments is scored: how much of the question's weight its words carry, how near
its vector is to the question's, how near its passage's is. A question that somebody asks in the recording
is no answer but the sign of one: it lends its score to what is said next. Then quotes are taken best first,
each grown to a readable length among its neighbours, none saying again what another says.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from onrecord.answer.sentences import Sentence, sentences
from onrecord.answer.verify import ELLIPSIS
from onrecord.answer.wording import Wording, stems
from onrecord.retrieve.stage import Tools
from onrecord.stores.words import terms
from onrecord.types import Moment, Passage, Recording

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
        "maybe course definitely indeed alright got see please sorry so there here one thing "
        "oui non ouais bah ben euh voilà bien bon merci enfin exactement"
    )
)


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
    def words(self) -> int:
        return sum(s.words for s in self.sentences)


@dataclass(frozen=True, slots=True)
class Choice:
    """How quotes are chosen.

    `quotes` and `words` are the most that is shown; `shortest` is what a quote is grown to where its
    speaker goes on, `longest` the most words it may have. `moments` are read, and the `embedded` most
    promising of their sentences embedded (0: none). A quote below `least` of the best one's score is
    left out, as is one that shares more than `alike` of its words with one taken before it. `lexical`,
    `dense` and `around` weigh words, the sentence's vector and its passage's; `lent` is the share of a
    question's score that goes to what is said next.
    """

    quotes: int = 5
    words: int = 180
    shortest: int = 14
    longest: int = 60
    moments: int = 8
    embedded: int = 32
    least: float = 0.6
    alike: float = 0.6
    lexical: float = 0.35
    dense: float = 0.45
    around: float = 0.2
    lent: float = 0.5

    def choose(
        self,
        question: str,
        moments: Sequence[Moment],
        words: Wording,
        tools: Tools,
        recordings: Mapping[str, Recording],
    ) -> list[Quote]:
        """Quotes, best first. At most one embedding of the question and `embedded` of sentences."""
        talk = _Talk(moments[: self.moments], recordings)
        scores = self.scores(question, talk, words, tools)
        chosen: list[Quote] = []
        taken: set[int] = set()
        room = self.words
        for core in np.argsort(-scores, kind="stable").tolist():
            if len(chosen) == self.quotes or scores[core] < self.least * scores.max() or scores[core] <= 0:
                break
            if core in taken:
                continue
            span = self._grown(core, talk, scores, taken)
            quote = Quote(tuple(talk.said[i] for i in span), float(scores[core]), talk.ranks[core])
            if (quote.words <= room or not chosen) and not self._told(quote, chosen):
                chosen.append(quote)
                taken.update(span)
                room -= quote.words
        return chosen

    def scores(self, question: str, talk: _Talk, words: Wording, tools: Tools) -> Scores:
        """How well each sentence answers, shape (sentences,), >= 0; 0 for what is never quoted for itself."""
        covered = np.array([words.coverage(s.text) for s in talk.said], np.float32)
        scores = covered
        if tools.embedder is not None and talk.said:
            vector = tools.embedder.embed_query(question)
            around = _stretched(talk.passage_cosines(tools, vector))
            scores = self.lexical * covered + (self.dense + self.around) * around
            likely = np.argsort(-np.where(talk.hollow, -1.0, scores), kind="stable")[: self.embedded]
            if len(likely):
                own = tools.embedder.embed([talk.said[i].text for i in likely]) @ vector
                close = np.zeros_like(scores)
                close[likely] = _stretched(own)
                scores = self.lexical * covered + self.dense * close + self.around * around
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
            added = max(free, key=lambda i: scores[i])
            span = sorted([*span, added])
            size += talk.said[added].words

    def _told(self, quote: Quote, chosen: Sequence[Quote]) -> bool:
        mine = set(stems(quote.text))
        return any(overlap(mine, set(stems(other.text))) > self.alike for other in chosen)


def overlap(one: set[str], other: set[str]) -> float:
    """The share of the smaller set that the larger has too, in 0..1."""
    smaller = min(len(one), len(other))
    return len(one & other) / smaller if smaller else 0.0


class _Talk:
    """The sentences of some moments, in one list; `ranks` has the moment of each."""

    def __init__(self, moments: Sequence[Moment], recordings: Mapping[str, Recording]) -> None:
        self.said: list[Sentence] = []
        self.ranks: list[int] = []
        for rank, moment in enumerate(moments):
            language = recordings[moment.recording].details.language
            found = [s for passage in moment.passages for s in sentences(passage, language)]
            self.said += found
            self.ranks += [rank] * len(found)
        self.hollow = np.array([_hollow(s.text) for s in self.said], bool)
        self.asking = np.array([s.text.rstrip("\"'”’») ").endswith("?") for s in self.said], bool)

    def neighbour(self, at: int, step: int) -> int | None:
        """The sentence that the same speaker says next (or before), past what others put in."""
        speaker, rank = self.said[at].speaker, self.ranks[at]
        at += step
        while 0 <= at < len(self.said) and self.ranks[at] == rank:
            if self.said[at].speaker == speaker:
                return at
            if not self.hollow[at]:
                return None
            at += step
        return None

    def needs(self, span: Sequence[int]) -> tuple[bool, bool]:
        """Whether sentences lean on the one before them, and whether they break off before their end."""
        first, last = self.said[span[0]], self.said[span[-1]]
        return not first.opens or _LEANS.match(first.text) is not None, not last.closes

    def passage_cosines(self, tools: Tools, vector: np.ndarray) -> Scores:
        """For each sentence, the cosine of its passage's stored vector."""
        rows = list(dict.fromkeys(s.passage.row for s in self.said))
        cosines = dict(zip(rows, (tools.store.vectors(rows) @ vector).tolist(), strict=True))
        return np.array([cosines[s.passage.row] for s in self.said], np.float32)

    def lend(self, scores: Scores, share: float) -> Scores:
        """Scores with those of questions lent to what follows, and with nothing for what says nothing."""
        lent = np.where(self.hollow, 0, scores)
        for i in np.flatnonzero(self.asking):
            lent[i] *= 1 - share
            for step in range(1, 4):
                if (
                    i + step < len(lent)
                    and self.ranks[i + step] == self.ranks[i]
                    and not self.hollow[i + step]
                ):
                    lent[i + step] += scores[i] * share / 2**step
        return lent


def _adjoin(one: Sentence, other: Sentence) -> bool:
    """Whether nothing is said between two sentences."""
    if one.passage.position == other.passage.position:
        return not one.passage.text[one.end : other.begin].strip()
    gap = one.passage.text[one.end :] + other.passage.text[: other.begin]
    return other.passage.position == one.passage.position + 1 and not gap.strip()


def _hollow(text: str) -> bool:
    """Whether a sentence says nothing by itself: "Yeah, exactly."."""
    found = [term for term in stems(text) if term not in _FILLERS]
    return len(set(found)) < 2


def _stretched(values: Scores) -> Scores:
    """Values from 0 to 1, whatever their range."""
    low, high = float(values.min()), float(values.max())
    return (values - low) / (high - low) if high > low else np.ones_like(values)
