"""What was said in the moments that were found, sentence by sentence: who goes on, asks, or only nods."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

import numpy as np

from onrecord.retrieve.read import said_before, said_in
from onrecord.retrieve.sentences import Sentence
from onrecord.retrieve.wording import named, stems
from onrecord.stores.base import Reader
from onrecord.stores.scope import names_speaker
from onrecord.stores.words import terms
from onrecord.types import Evidence, Moment, Passage, Scope

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from onrecord.types import Scores

# A sentence that begins so leans on the one before it.
_LEANS = re.compile(
    r"(and|but|so|or|because|which|that|this|these|those|it|he|she|they|then|also|yet|there|"
    r"et|mais|donc|car|alors|ça|cela|c|ce|il|elle|ils|elles|puis|aussi)\b",
    re.IGNORECASE,
)
FILLERS = frozenset(
    terms(
        "yeah yes yep no nope okay ok right sure exactly absolutely totally great good cool nice wow oh "
        "ah um uh hmm mm mhm huh well like just really actually basically thank thanks know mean guess think "
        "maybe course question definitely indeed alright got see please sorry so there here one thing "
        "oui non ouais bah ben euh voilà bien bon bonne merci enfin exactement"
    )
)
"""Words that keep a conversation going and say nothing."""


_LEAD_UP = 50  # words: a turn that is no longer and ends in a question is one as a whole
_SAME = 0.5  # share of a question's words that a sentence has which asks the same
_FADING = 0.75  # how much less each further sentence after a question has to do with it


def _asked_for(sentence: Sentence, scope: Scope) -> bool:
    """Whether a sentence is of a speaker in scope: a passage of hers may hold a word of somebody else's."""
    speaker = sentence.speaker
    return not scope.speakers or speaker is None or any(names_speaker(s, speaker) for s in scope.speakers)


class Talk:
    """The sentences of the best moments, in the order in which they were spoken. For each, `ranks` has the
    rank of its moment, `runs` a number for the unbroken stretch of talk that it stands in (with `apart` it
    ends with its moment), and `around` how well its passage was found.

    What may not be quoted is left out, or kept `with_context` and not `quotable`: what is said right before a
    stretch, and by speakers out of scope. They may ask what is answered.
    """

    def __init__(
        self, evidence: Evidence, most: int, store: Reader, apart: bool = False, with_context: bool = False
    ) -> None:
        self.said: list[Sentence] = []
        self.ranks: list[int] = []
        self.runs: list[int] = []
        quotable: list[bool] = []
        run, last, part = 0, None, None
        for passage, rank in _in_order_of_talk(evidence.moments[:most]):
            begins = last is None or not _follows(last, passage) or (apart and rank != part)
            run, last, part = run + begins, passage, rank
            before = said_before(passage, store) if begins else []
            spoken = [(sentence, False) for sentence in before]
            spoken += [(one, _asked_for(one, evidence.question.scope)) for one in said_in(passage, store)]
            for sentence, asked in spoken:
                if asked or with_context:
                    self.said.append(sentence)
                    quotable.append(asked)
                    self.ranks.append(rank)
                    self.runs.append(run)
        self.quotable = np.array(quotable, bool)
        self.around = _around(evidence, self.said, self.ranks)
        self.hollow = np.array([_hollow(s.text) for s in self.said], bool)
        self.asking = self._asking()

    def _asking(self) -> NDArray[np.bool_]:
        """Which sentences ask: those that end in a question mark, and those of a short turn that ends in one
        and gets a reply, as they only lead up to it."""
        asking = np.array([s.text.rstrip("\"'”’») ").endswith("?") for s in self.said], bool)
        turns = [
            [at for at, _ in group]
            for _, group in groupby(enumerate(self.said), key=lambda p: (self.runs[p[0]], p[1].speaker))
        ]
        for turn, reply in pairwise(turns):
            answered = self.runs[turn[0]] == self.runs[reply[0]] and self.said[turn[0]].speaker
            if answered and asking[turn[-1]] and sum(self.said[at].words for at in turn) <= _LEAD_UP:
                asking[turn] = True
        return asking

    def neighbour(self, at: int, step: int) -> int | None:
        """The sentence that the same speaker says next (or before), past what others put in."""
        speaker, run, beside = self.said[at].speaker, self.runs[at], True
        at += step
        while 0 <= at < len(self.said) and self.runs[at] == run:
            if self.said[at].speaker == speaker:
                return at if self.quotable[at] and (beside or not self.hollow[at]) else None
            if not self.hollow[at]:
                return None
            beside = False
            at += step
        return None

    def needs(self, span: Sequence[int]) -> tuple[bool, bool]:
        """Whether sentences lean on the one before them, and whether they break off before their end."""
        first, last = self.said[span[0]], self.said[span[-1]]
        return not first.opens or _LEANS.match(first.text) is not None, not last.closes

    def _following(self, at: int) -> list[int]:
        """The next statements, five sentences on at most."""
        near = (j for j in range(at + 1, min(at + 6, len(self.said))) if self.runs[j] == self.runs[at])
        return [j for j in near if not self.hollow[j] and not self.asking[j]]

    def asks(self, question: str) -> NDArray[np.bool_]:
        """Which sentences ask what is asked, and are followed by a statement."""
        words = stems(question)
        return np.array(
            [
                asking
                and not hollow
                and len(words & stems(sentence.text)) >= _SAME * len(words)
                and bool(self._following(at))
                for at, (sentence, asking, hollow) in enumerate(
                    zip(self.said, self.asking, self.hollow, strict=True)
                )
            ],
            bool,
        )

    def pass_on(self, chance: Scores, question: str) -> Scores:
        """Chances, shape (sentences,), with those of sentences that ask the same question handed to what is
        said next, most to the first statement: who asks is not who answers. Without a reply they stay; what
        says nothing, or may not be quoted, has none."""
        passed: Scores = np.where(self.hollow, 0, chance).astype(np.float32)
        for at in np.flatnonzero(self.asks(question)).tolist():
            replies = self._following(at)
            weights = np.float32(_FADING) ** np.arange(len(replies))
            passed[replies] += passed[at] * weights / weights.sum()
            passed[at] = 0
        return np.where(self.quotable, passed, 0)


def adjoin(one: Sentence, other: Sentence) -> bool:
    """Whether nothing is said between two sentences."""
    if (one.passage.recording, one.passage.position) == (other.passage.recording, other.passage.position):
        return one.end <= other.begin and not one.passage.text[one.end : other.begin].strip()
    between = one.passage.text[one.end :] + other.passage.text[: other.begin]
    return _follows(one.passage, other.passage) and not between.strip()


def _in_order_of_talk(moments: Sequence[Moment]) -> list[tuple[Passage, int]]:
    """The passages of some moments by recording, then position, each with the rank of its moment."""
    found = [(passage, rank) for rank, moment in enumerate(moments) for passage in moment.passages]
    recordings = {name: n for n, name in enumerate(dict.fromkeys(m.recording for m in moments))}
    return sorted(found, key=lambda pair: (recordings[pair[0].recording], pair[0].position))


def _follows(one: Passage, other: Passage) -> bool:
    return one.recording == other.recording and one.position + 1 == other.position


def _around(evidence: Evidence, said: Sequence[Sentence], ranks: Sequence[int]) -> Scores:
    """How well each sentence's passage was found, in 0..1: its score on the curve (that of its moment where
    there is no curve), relative to the best of all, times the same relative to the best of its recording."""
    curve = evidence.curve
    if curve is None:
        scores = [max(evidence.moments[rank].score, 0.0) for rank in ranks]
    else:
        here = np.flatnonzero(np.isin(curve.timeline.rows, [s.passage.row for s in said]))
        worth = curve.parts.get("alone", curve.score)  # another recording being likelier makes no quote worse
        on_curve = dict(zip(curve.timeline.rows[here].tolist(), worth[here].tolist(), strict=True))
        scores = [max(on_curve.get(s.passage.row, 0.0), 0.0) for s in said]
    best: dict[str, float] = {}
    for sentence, score in zip(said, scores, strict=True):
        best[sentence.passage.recording] = max(score, best.get(sentence.passage.recording, 1e-9))
    most = max(best.values(), default=1.0)
    near = [score * score / (best[s.passage.recording] * most) for s, score in zip(said, scores, strict=True)]
    return np.array(near, np.float32)


# "The next question comes from ...": what an operator says between two others.
_HANDS_OVER = re.compile(
    r"^(?:(?:and |our |your |the |we have |we will take |this is )*(?:next|first|last|final) question "
    r"(?:\S+ ){0,3}(?:from|to)\b|this question (?:will come|comes) from\b|"
    r"(?:la|notre) (?:prochaine|première|dernière|question suivante)(?: question)? (?:\S+ ){0,3}de\b|"
    r"please go ahead\b|(?:\S+ ){0,4}your line is (?:now )?open\b)",
    re.IGNORECASE,
)


def _hollow(text: str) -> bool:
    """Whether a sentence says nothing by itself: "Yeah, exactly."."""
    if _HANDS_OVER.match(text):
        return True
    said: set[str] = set()
    for word in text.split():
        said.update(named(word))
        if len(said) > 1 and len(said - FILLERS) > 1:
            return False
    return True


def attributed(sentence: Sentence) -> str:
    """A sentence as passages are indexed and embedded: with who says it."""
    return f"{sentence.speaker}: {sentence.text}" if sentence.speaker else sentence.text
