"""The sentences of the retrieved moments, and which of them ask, reply, or have no content of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from onrecord.retrieve.read import said_before, sentences_of
from onrecord.retrieve.sentences import Sentence, is_question
from onrecord.retrieve.wording import named, stems
from onrecord.stores.base import Snapshot
from onrecord.stores.scope import names_speaker
from onrecord.types import Evidence, Moment, Passage
from onrecord.understand.intents import asking_words
from onrecord.understand.lexicon import lexicon, words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from onrecord.types import Scores

# A sentence that begins with one of these words depends on the sentence before it.
_LEANS = re.compile(
    r"(and|but|so|or|because|which|that|this|these|those|it|he|she|they|then|also|yet|there|"
    r"et|mais|donc|car|alors|ça|cela|c|ce|il|elle|ils|elles|puis|aussi)\b",
    re.IGNORECASE,
)


_LEAD_UP = 50
"""The most words of a speaker turn that counts as one question because it ends in a question."""
_SAME = 0.5
"""The least share of a question's words in a sentence that asks the same question."""
_FADING = 0.75
"""The factor by which each further sentence after a question is less relevant to it."""
_REACH = 6
"""The limit of sentences after a question within which a reply is looked for: the next five."""

_OF_KEYWORDS = 0.5
"""The share of its chance that a question in the talk keeps when the user types keywords.

The rest of its chance goes to the reply.
"""


class Talk:
    """The sentences of the best moments, in speaking order.

    For each sentence, `ranks` has the rank of its moment and `runs` the number of its unbroken stretch of
    talk (with `apart`, a stretch ends with its moment). `relevance` has the relevance of its passage.

    Some sentences may not be quoted: the sentences right before a stretch, and those of speakers out of
    scope. They are left out or, `with_context`, stay without being `quotable`, because they may ask the
    question that a quote answers. `question_share` is the share of its chance that a sentence keeps if it
    asks the user's question.
    """

    def __init__(
        self, evidence: Evidence, most: int, store: Snapshot, apart: bool = False, with_context: bool = False
    ) -> None:
        self.sentences: list[Sentence] = []
        self.ranks: list[int] = []
        self.runs: list[int] = []
        quotable: list[bool] = []
        speakers = evidence.question.scope.speakers
        run, last, part = 0, None, None
        for passage, rank in _in_order_of_talk(evidence.moments[:most]):
            begins = last is None or not _follows(last, passage) or (apart and rank != part)
            run, last, part = run + begins, passage, rank
            before = said_before(passage, store) if begins and with_context else []
            for sentence in (*before, *sentences_of(passage, store)):
                allowed = sentence.passage.position == passage.position and is_by(sentence, speakers)
                if allowed or with_context:
                    self.sentences.append(sentence)
                    quotable.append(allowed)
                    self.ranks.append(rank)
                    self.runs.append(run)
        self.quotable = np.array(quotable, bool)
        self.relevance = _relevance(evidence, self.sentences, self.ranks)
        self.empty = np.array([is_empty(sentence.text) for sentence in self.sentences], bool)
        self.asking = self._asking()
        self.question_share = question_share(evidence)

    def _asking(self) -> NDArray[np.bool_]:
        """Return which sentences ask.

        These are sentences that end in a question mark, and all sentences of a short turn that ends in one
        and gets a reply, because they only lead up to the question.
        """
        asking = np.array([is_question(sentence.text) for sentence in self.sentences], bool)
        begin = 0  # the first sentence of the turn to which the sentence before `at` belongs
        for at in range(1, len(self.sentences)):
            speaker, same_run = self.sentences[begin].speaker, self.runs[at] == self.runs[begin]
            if same_run and self.sentences[at].speaker == speaker:
                continue
            words = sum([sentence.words for sentence in self.sentences[begin:at]])
            if same_run and speaker and asking[at - 1] and words <= _LEAD_UP:
                asking[begin:at] = True
            begin = at
        return asking

    def neighbour(self, at: int, step: int) -> int | None:
        """Return the speaker's next sentence (or previous, for `step` -1), past the interjections of others.

        Return None if there is none, or if it may not be quoted.
        """
        speaker, run, beside = self.sentences[at].speaker, self.runs[at], True
        at += step
        while 0 <= at < len(self.sentences) and self.runs[at] == run:
            if self.sentences[at].speaker == speaker:
                return at if self.quotable[at] and (beside or not self.empty[at]) else None
            if not self.empty[at]:
                return None
            beside = False
            at += step
        return None

    def needs(self, span: Sequence[int]) -> tuple[bool, bool]:
        """Return whether sentences depend on the sentence before them, and whether they break off."""
        first, last = self.sentences[span[0]], self.sentences[span[-1]]
        return not first.opens or _LEANS.match(first.text) is not None, not last.closes

    def _replies(self, at: int) -> list[int]:
        """Return the statements among the next five sentences, as far as they may be quoted."""
        following = range(at + 1, min(at + _REACH, len(self.sentences)))
        within = [reply for reply in following if self.runs[reply] == self.runs[at] and self.quotable[reply]]
        return [reply for reply in within if not self.empty[reply] and not self.asking[reply]]

    def repeats_question(self, question: str) -> NDArray[np.bool_]:
        """Return which sentences ask the user's question, before a statement that may be quoted."""
        words = stems(question)
        repeats = np.zeros(len(self.sentences), bool)
        for at in np.flatnonzero(self.asking & ~self.empty).tolist():
            shared = words & stems(self.sentences[at].text)
            repeats[at] = len(shared) >= _SAME * len(words) and bool(self._replies(at))
        return repeats

    def hand_to_replies(self, chance: Scores, question: str) -> Scores:
        """Move the chances of sentences that repeat the question to the sentences after them.

        `chance` and the result have shape (sentences,). The speaker who asks is not the one who answers. The
        first statement gets the most. A question without a reply that may be quoted keeps its chance, and any
        other one keeps the share `question_share`. Sentences that have no content or may not be quoted get 0.
        """
        handed: Scores = np.where(self.empty, 0, chance).astype(np.float32)
        for at in np.flatnonzero(self.repeats_question(question)).tolist():
            replies = self._replies(at)
            weights = np.float32(_FADING) ** np.arange(len(replies))
            # a sentence that only leads up to a question states something, and keeps its whole chance
            leads_up = self.question_share > 0 and not is_question(self.sentences[at].text)
            share = 1.0 if leads_up else self.question_share
            handed[replies] += (1 - share) * handed[at] * weights / weights.sum()
            handed[at] *= share
        return np.where(self.quotable, handed, 0)


def question_share(evidence: Evidence) -> float:
    """Return the share, in 0..1, of its chance that a sentence keeps if it asks the user's question.

    The share is 1 if the user looks for questions. It is a half for keywords, which ask nothing: there the
    question is as good as its reply. Otherwise it is 0.
    """
    plan, lex = evidence.plan, lexicon()
    if plan is not None and plan.act == "question":
        return 1.0
    joining = lex.articles | lex.prepositions | lex.joins
    text = (plan.text if plan is not None else "") or evidence.question.text
    return 0.0 if (asking_words() - joining).intersection(words(text)) else _OF_KEYWORDS


def is_by(sentence: Sentence, speakers: Sequence[str]) -> bool:
    """Return whether a sentence is by one of the speakers, or by an unknown speaker.

    Without `speakers` every sentence passes. A passage of one speaker may hold a word of another.
    """
    return (
        not speakers or sentence.speaker is None or any(names_speaker(s, sentence.speaker) for s in speakers)
    )


def sentences_adjoin(one: Sentence, other: Sentence) -> bool:
    """Return whether nothing is said between two sentences."""
    if (one.passage.recording, one.passage.position) == (other.passage.recording, other.passage.position):
        return one.end <= other.begin and not one.passage.text[one.end : other.begin].strip()
    between = one.passage.text[one.end :] + other.passage.text[: other.begin]
    return _follows(one.passage, other.passage) and not between.strip()


def _in_order_of_talk(moments: Sequence[Moment]) -> list[tuple[Passage, int]]:
    """Return the passages of moments by recording, then position, each with the rank of its moment."""
    recordings = dict.fromkeys([moment.recording for moment in moments])
    places = {name: place for place, name in enumerate(recordings)}
    pairs = [(passage, rank) for rank, moment in enumerate(moments) for passage in moment.passages]
    return sorted(pairs, key=lambda pair: (places[pair[0].recording], pair[0].position))


def _follows(one: Passage, other: Passage) -> bool:
    return one.recording == other.recording and one.position + 1 == other.position


def _relevance(evidence: Evidence, sentences: Sequence[Sentence], ranks: Sequence[int]) -> Scores:
    """Return the relevance of each sentence's passage, shape (sentences,), in 0..1.

    It is the passage's score on the curve (without a curve, the score of its moment), relative to the best of
    all, times the same score relative to the best of its recording.
    """
    curve = evidence.curve
    if curve is None:
        scores = [max(evidence.moments[rank].score, 0.0) for rank in ranks]
    else:
        here = np.flatnonzero(np.isin(curve.timeline.rows, [s.passage.row for s in sentences]))
        # scores before the recording's own likelihood: a likelier recording makes no other quote worse
        values = curve.parts.get("alone", curve.score)
        on_curve = dict(zip(curve.timeline.rows[here].tolist(), values[here].tolist(), strict=True))
        scores = [max(on_curve.get(s.passage.row, 0.0), 0.0) for s in sentences]
    best: dict[str, float] = {}
    for sentence, score in zip(sentences, scores, strict=True):
        best[sentence.passage.recording] = max(score, best.get(sentence.passage.recording, 1e-9))
    highest = max(best.values(), default=1.0)
    pairs = zip(sentences, scores, strict=True)
    return np.array([score * score / (best[s.passage.recording] * highest) for s, score in pairs], np.float32)


def is_empty(text: str) -> bool:
    """Return whether a sentence has fewer than two content words: "Yeah.", "Ab- absolutely."."""
    content: set[str] = set()
    for word in text.split():
        content.update(() if word.endswith("-") else named(word))  # a word that breaks off says nothing
        if len(content) > 1:
            return False
    return True
