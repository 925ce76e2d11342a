"""Where the lecture of a document goes on below the label of somebody else, who asks in between.

In an interview a label follows nearly every question, and who asks himself and says why mostly says other
things. Where paragraphs without a label follow most questions instead, they may answer, or be the lecture
again. They are the lecture as well where its speaker is named once, at its head, and brief words of others
stand between long paragraphs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from onrecord.ingest.formats.labels import ends_sentence
from onrecord.ingest.formats.lines import is_aside, strip_marks
from onrecord.ingest.formats.shapes import MACHINE_MADE, are_mostly
from onrecord.ingest.formats.turns import Turns

MIN_SHARE = 0.35
"""With this share of a file's words below it, a label is followed by a lecture."""
MIN_QUESTIONS_SHARE = 0.5
"""The least share of questions among the turns of somebody who only asks."""
MIN_UNANSWERED_SHARE = 0.5
"""The least share of questions without a label below them, of a document and of somebody who asks."""
MAX_BRIEF_SHARE = 0.5
"""The words behind a label are brief if they are at most so many as in a mean paragraph below."""
QUESTION_MARKS = ("?", "？", "؟")
BEHIND_MARK = "\"'”’»)] "
"""Signs that may stand behind the mark of a question."""


@dataclass(frozen=True, slots=True)
class _Turn:
    """A turn: its first paragraph, and how many paragraphs and words stand below; a label may follow."""

    first: str
    paragraphs: int
    words: int
    is_followed: bool

    @property
    def asks(self) -> bool:
        """Whether the first paragraph is a question, and something stands below it."""
        is_question = self.first.rstrip(BEHIND_MARK).endswith(QUESTION_MARKS)
        return is_question and (self.paragraphs > 0 or self.is_followed)

    @property
    def is_brief(self) -> bool:
        """Whether the first paragraph is short beside those below it."""
        mean = self.words / max(1, self.paragraphs)
        return self.paragraphs > 0 and len(self.first.split()) <= MAX_BRIEF_SHARE * mean


class Lectures:
    """Finds labels below which a document's lecture may go on."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._lines = turns.lines
        self._are_close = are_mostly(not self._lines[at].opens for at in turns.labels)
        """Whether no blank lines stand between most turns."""

    def goes_on(self, begin: int, at: int) -> bool:
        """Return whether a line below the label of somebody else may be the lecture."""
        if begin in self._long:
            return True
        asks = self._turns.keys[begin] in self._askers or begin in self._interruptions
        return asks and self._begins_paragraph(at)

    @cached_property
    def _long(self) -> frozenset[int]:
        """The labels with much of the document below them, in a file with several speakers."""
        if len(self._turns.names) < 2:
            return frozenset()
        most = MIN_SHARE * sum(self._turns.words)
        return frozenset(
            begin
            for begin, end in self._turns.runs
            if sum(self._turns.words[at] > 0 and self._lines[at].opens for at in range(begin + 1, end)) > 4
            and sum(self._turns.words[begin + 1 : end]) > most
        )

    @cached_property
    def _askers(self) -> frozenset[str]:
        """The keys of people who mostly ask, and mostly get an answer without a label.

        Nobody else speaks above the first speaker, who therefore must ask twice.
        """
        keys = self._turns.keys
        first = keys[self._turns.runs[0][0]]
        asked = Counter(keys[begin] for begin, turn in self._parts.items() if turn.asks)
        unanswered = Counter(
            keys[begin] for begin, turn in self._parts.items() if turn.asks and turn.paragraphs
        )
        if unanswered.total() < MIN_UNANSWERED_SHARE * asked.total():
            return frozenset()
        turns = Counter(keys.values())
        return frozenset(
            key
            for key, count in unanswered.items()
            if count > (key == first)
            and count >= MIN_UNANSWERED_SHARE * asked[key]
            and asked[key] >= MIN_QUESTIONS_SHARE * turns[key]
        )

    @cached_property
    def _interruptions(self) -> frozenset[int]:
        """The labels of others where the first speaker goes on, has one label, and they are mostly brief."""
        begin, *others = [begin for begin, _ in self._turns.runs]
        labels = Counter(self._turns.keys.values())
        if labels[self._turns.keys[begin]] > 1 or not self._parts[begin].paragraphs:
            return frozenset()
        turns = [self._parts[at] for at in others]
        brief = (turn.is_brief for turn in turns if turn.paragraphs or turn.is_followed)
        return frozenset(others) if are_mostly(brief) else frozenset()

    @cached_property
    def _parts(self) -> Mapping[int, _Turn]:
        """Each turn, by the line of its label; below a label that programs make, no paragraphs count."""
        counts, turns = self._turns.words, {}
        for begin, end in self._turns.runs:
            worded = [at for at in range(begin, end) if counts[at]]
            below = [at for at in worded[1:] if self._begins_paragraph(at)]
            if self._turns.form(begin) in MACHINE_MADE:
                below = []
            first = worded[: worded.index(below[0])] if below else worded
            paragraphs = sum(not is_aside(self._lines[at].words) for at in below)
            words = sum(counts[at] for at in worded[len(first) :])
            texts = []
            for at in first:
                words_begin = self._turns.labels[at].end if at in self._turns.labels else 0
                texts.append(strip_marks(self._lines[at].text[words_begin:]))
            turns[begin] = _Turn(" ".join(texts), paragraphs, words, end < len(self._lines))
        return turns

    def _begins_paragraph(self, at: int) -> bool:
        """Return whether a line begins a paragraph: below a sentence, if no blank lines divide turns."""
        return self._lines[at].opens or (self._are_close and ends_sentence(self._lines[at - 1].words))
