"""Detection of places where a lecture may resume below the label of an interrupting speaker.

In an interview, a label follows nearly every question. A speaker who asks a question and continues with the
reason also says other things most of the time. If paragraphs without a label follow most questions instead,
these paragraphs may be answers or the resumed lecture. They may also be the lecture if the lecturer is named
only once, at its beginning, and brief words of other speakers stand between long paragraphs. People who speak
once each, and whose names differ only in a number ("Audience 1"), count as one person here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from onrecord.ingest.formats.labels import ends_sentence
from onrecord.ingest.formats.lines import asks, is_aside, strip_marks
from onrecord.ingest.formats.shapes import MACHINE_MADE, are_mostly
from onrecord.ingest.formats.turns import Turns

MIN_SHARE = 0.35
"""The minimum share (0 to 1) of a file's words below a label that is followed by a lecture."""
MIN_QUESTIONS_SHARE = 0.5
"""The minimum share (0 to 1) of questions among the turns of a person who mostly asks."""
MIN_UNANSWERED_SHARE = 0.5
"""The minimum share (0 to 1) of questions followed by unlabeled text, for a document and for a person."""
MAX_BRIEF_SHARE = 0.5
"""The maximum length of a brief first paragraph, relative to the mean length of the paragraphs below it."""


@dataclass(frozen=True, slots=True)
class _Turn:
    """A turn, with its first paragraph and the numbers of paragraphs and words below it.

    `is_followed` is True if another label follows the turn.
    """

    first: str
    paragraphs: int
    words: int
    is_followed: bool

    @property
    def asks(self) -> bool:
        """Whether the first paragraph is a question, and a paragraph or a label follows it."""
        return asks(self.first) and (self.paragraphs > 0 or self.is_followed)

    @property
    def is_brief(self) -> bool:
        """Whether the first paragraph is short compared with the paragraphs below it."""
        mean = self.words / max(1, self.paragraphs)
        return self.paragraphs > 0 and len(self.first.split()) <= MAX_BRIEF_SHARE * mean


class Lectures:
    """A finder of labels below which a document's lecture may resume."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._lines = turns.lines
        self._are_close = are_mostly(not self._lines[at].opens for at in turns.labels)
        """Whether most turns are not separated by blank lines."""

    def goes_on(self, begin: int, at: int) -> bool:
        """Return whether the line `at`, below the label at `begin`, may belong to the resumed lecture."""
        if begin in self._long:
            return True
        asks = begin in self._questions or begin in self._interruptions
        return asks and self.begins_paragraph(at)

    @cached_property
    def _long(self) -> frozenset[int]:
        """The labels followed by a large part of the document, in a file with several speakers."""
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
    def _questions(self) -> frozenset[int]:
        """The labels of people who mostly ask, and whose questions mostly precede unlabeled paragraphs."""
        asking = {begin for begin, kind in self._turns.kinds.items() if kind in self._askers}
        return frozenset(asking - {self._lecturer})

    @cached_property
    def _askers(self) -> frozenset[str]:
        """The kinds of people who mostly ask, and whose questions mostly precede unlabeled paragraphs.

        Where the document begins with a label, the first kind of people must ask twice, because no other
        speaker precedes them.
        """
        kinds = self._turns.kinds
        first = "" if self._turns.are_below_speech else kinds[self._turns.runs[0][0]]
        asked = Counter(kinds[begin] for begin, turn in self._parts.items() if turn.asks)
        unanswered = Counter(
            kinds[begin] for begin, turn in self._parts.items() if turn.asks and turn.paragraphs
        )
        if unanswered.total() < MIN_UNANSWERED_SHARE * asked.total():
            return frozenset()
        turns = Counter(kinds.values())
        return frozenset(
            kind
            for kind, count in unanswered.items()
            if count > (kind == first)
            and count >= MIN_UNANSWERED_SHARE * asked[kind]
            and asked[kind] >= MIN_QUESTIONS_SHARE * turns[kind]
        )

    @cached_property
    def _interruptions(self) -> frozenset[int]:
        """The labels that interrupt a lecturer, if their turns are mostly brief.

        They are all labels but the lecturer's, or all labels if speech stands above and their people are all
        named alike.
        """
        begins = [begin for begin, _ in self._turns.runs]
        are_alike = len(begins) > 1 and len(set(self._turns.kinds.values())) == 1
        if self._lecturer is not None:
            begins.remove(self._lecturer)
        elif not (are_alike and self._turns.are_below_speech):
            return frozenset()
        turns = [self._parts[at] for at in begins]
        brief = (turn.is_brief for turn in turns if turn.paragraphs or turn.is_followed)
        return frozenset(begins) if are_mostly(brief) else frozenset()

    @cached_property
    def _lecturer(self) -> int | None:
        """The first label, if it names a lecturer: once, and above several paragraphs.

        It names somebody who interrupts instead if two of these hold: the first paragraph asks, speech
        stands above, and others are named alike ("Speaker 1", "Speaker 2").
        """
        begin = self._turns.runs[0][0]
        counts, kinds = Counter(self._turns.keys.values()), Counter(self._turns.kinds.values())
        if counts[self._turns.keys[begin]] > 1 or not self._parts[begin].paragraphs:
            return None
        is_alike = kinds[self._turns.kinds[begin]] > 1
        signs = (self._parts[begin].asks, self._turns.are_below_speech, is_alike)
        return None if are_mostly(signs) else begin

    @cached_property
    def _parts(self) -> Mapping[int, _Turn]:
        """Each turn, by the line of its label; paragraphs below a label that a program wrote do not count."""
        counts, turns = self._turns.words, {}
        for begin, end in self._turns.runs:
            worded = [at for at in range(begin, end) if counts[at]]
            below = [at for at in worded[1:] if self.begins_paragraph(at)]
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

    def begins_paragraph(self, at: int) -> bool:
        """Return whether a line begins a paragraph.

        If turns are not separated by blank lines, each line below the end of a sentence begins a paragraph.
        """
        return self._lines[at].opens or (self._are_close and ends_sentence(self._lines[at - 1].words))
