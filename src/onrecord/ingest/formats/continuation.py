"""How far a speaker's turn reaches in a document: whether a line without a label continues it.

A speaker goes on over later paragraphs only in a file with labels from its beginning on: in a lecture with
questions in between, the paragraph below an answer is the lecture again, also if its speaker has a label
(`onrecord.ingest.formats.lectures`). What begins like another turn (`onrecord.ingest.formats.turn_ends`) is
nobody's, and so is what is probably no speech (`onrecord.ingest.formats.confidence`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property

from onrecord.ingest.formats.confidence import Confidence
from onrecord.ingest.formats.labels import ends_sentence, is_heading, is_remark
from onrecord.ingest.formats.lectures import Lectures
from onrecord.ingest.formats.lines import is_aside, is_link
from onrecord.ingest.formats.shapes import STANDS_OUT
from onrecord.ingest.formats.turn_ends import TurnEnds
from onrecord.ingest.formats.turns import Turns

MAX_PREAMBLE = 40
"""The most words above the first label that may be a title, a date or a greeting."""
MAX_PREAMBLE_SHARE = 0.04
"""The largest share of words above the first label of a file with labels from its beginning on."""
MAX_SUMMARY_SHARE = 0.15
"""The same, with a heading between ("Transcript")."""


class Continuation:
    """Finds where the speakers of a document stop because nothing shows that they go on."""

    def __init__(self, turns: Turns, confidence: Confidence) -> None:
        self._turns = turns
        self._confidence = confidence
        self._ends = TurnEnds(turns)
        self._lectures = Lectures(turns)
        self._lines = turns.lines

    def nobody(self) -> Iterator[int]:
        """Yield the lines from which on nobody known speaks."""
        for begin, end in self._turns.runs:
            worded = [at for at in range(begin + 1, end) if self._turns.words[at]]
            below = worded[self._turns.is_bare(begin) :]
            if (at := next((at for at in below if not self._goes_on(begin, end, at)), None)) is not None:
                yield at

    def _goes_on(self, begin: int, end: int, at: int) -> bool:
        """Return whether a line continues the turn that begins at a label."""
        if self._ends.is_foreign(begin, at) or self._ends.is_aside(begin, at):
            return False
        line, label = self._lines[at], self._lines[begin]
        if line.opens and (line.ruled or line.quoted != label.quoted or not self._begins):
            return False
        if self._lectures.goes_on(begin, at) or self._is_below_heading(begin, at):
            return False
        if is_aside(line.words) or self._ends_sentence_above(at):  # an afterthought
            return True
        return self._confidence.is_speech(begin, end, at)

    def _ends_sentence_above(self, at: int) -> bool:
        """Return whether a line goes on with the sentence, or the list, of the line above."""
        line, above = self._lines[at], self._lines[at - 1].words
        if line.opens:
            return False
        return above.endswith(":") or (line.words[:1].islower() and not ends_sentence(above))

    def _is_below_heading(self, begin: int, at: int) -> bool:
        """Return whether a heading between a label and a line ends the turn."""
        ending = self._remarks if self._outlasts_headings(begin) else self._headings
        place = bisect_right(ending, begin)
        return place < len(ending) and ending[place] < at

    @cached_property
    def _headings(self) -> list[int]:
        return [at for at, line in enumerate(self._lines) if line.level]

    @cached_property
    def _remarks(self) -> list[int]:
        """The headings of what no speaker says: "Sponsors", "Break"."""
        return [at for at in self._headings if is_remark(self._lines[at].words)]

    def _outlasts_headings(self, begin: int) -> bool:
        """Return whether a label may speak on below a heading: it stands out, and is none itself."""
        form = self._turns.form(begin)
        return not self._lines[begin].headed and (form in STANDS_OUT or form == "alone")

    @cached_property
    def _begins(self) -> bool:
        """Whether few words stand above the first label, or somewhat more and a heading below them."""
        first = min(self._turns.labels, default=0)
        above = sum(self._turns.words[at] for at in range(first) if not self._is_metadata(at))
        total = sum(self._turns.words)
        if above <= max(MAX_PREAMBLE, MAX_PREAMBLE_SHARE * total):
            return True
        headed = first > 0 and self._lines[first - 1].level > 0
        return headed and above <= MAX_SUMMARY_SHARE * total

    def _is_metadata(self, at: int) -> bool:
        """Return whether a line above the talk is metadata: a link, "Date: ...", a heading's word."""
        label = self._turns.heads[at].label
        return is_link(self._lines[at].text) or (label is not None and is_heading(label.name))
