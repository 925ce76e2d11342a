"""How far a speaker's turn reaches in a document: whether a paragraph without a label continues it.

A speaker goes on over later paragraphs only in a file with labels from its beginning on: in a lecture with
questions in between, the paragraph below an answer is the lecture again. What ends a turn
(`onrecord.ingest.formats.turn_ends`) is nobody's.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from onrecord.ingest.formats.heads import ends_in_stamp
from onrecord.ingest.formats.labels import is_asker, is_heading
from onrecord.ingest.formats.lines import BOLD, are_reactions, is_aside, is_link
from onrecord.ingest.formats.shapes import MACHINE_MADE, STANDS_OUT
from onrecord.ingest.formats.turn_ends import TurnEnds
from onrecord.ingest.formats.turns import MIN_TURNS, Turns

MAX_PREAMBLE = 40
"""The most words above the first label that may be a title, a date or a greeting."""
MAX_PREAMBLE_SHARE = 0.04
"""The largest share of words above the first label of a file with labels from its beginning on."""
MAX_SUMMARY_SHARE = 0.15
"""The same, with a heading between ("Transcript")."""
MIN_UNLABELLED_SHARE = 0.04
"""With this share of paragraphs without a label, a file's speakers go on over paragraphs."""
MIN_LABEL_SHARE = 0.25
"""The least share of paragraphs with a label in a dialogue."""
MIN_CLEAR_LABEL_SHARE = 0.1
"""The same of labels that stand out."""
MIN_LECTURE_SHARE = 0.35
"""With this share of a file's words below it, a label is followed by a lecture."""
MAX_PLAIN_SHARE = 0.34
"""In a file where no larger share of turns has several paragraphs, those below the last one are a footer."""
MANY_TURNS = 40
"""In a file of as many turns that share may be of none: the last speaker may say good-bye at length."""


class Continuation:
    """Finds where the speakers of a document stop because nothing shows that they go on."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._ends = TurnEnds(turns)
        self._lines = turns.lines

    def nobody(self) -> Iterator[int]:
        """Yield the lines from which on nobody known speaks."""
        for begin, end in self._turns.runs:
            footer = end == len(self._lines) and self._ends_in_footer
            below = (at for at in self._below[begin] if footer or not self._goes_on(begin, at))
            if (at := next(below, None)) is not None:
                yield at

    @cached_property
    def _below(self) -> dict[int, list[int]]:
        """The paragraphs below each label; if it has no words, the first belongs to it."""
        below = {}
        for begin, end in self._turns.runs:
            worded = [at for at in range(begin + 1, end) if self._turns.words[at]]
            below[begin] = [at for at in worded[self._turns.is_bare(begin) :] if self._may_end(begin, at)]
        return below

    def _may_end(self, begin: int, at: int) -> bool:
        """Return whether a line below a label may be another's: it begins a paragraph or a turn."""
        return (
            self._lines[at].opens
            or self._turns.are_lines
            or self._ends.is_foreign(begin, at)
            or (self._turns.follow_at_once and self._ends.is_aside(begin, at))
            or are_reactions(self._lines[at].words)
        )

    @cached_property
    def _ends_in_footer(self) -> bool:
        """Whether paragraphs below the last label end the file: no other speaker has more than one."""
        runs = self._turns.runs[:-1]
        long = sum(any(self._ends.is_plain(begin, at) for at in self._below[begin]) for begin, _ in runs)
        most = MAX_PLAIN_SHARE * len(runs) if len(runs) < MANY_TURNS else 0
        return len(runs) >= MIN_TURNS and long <= most

    # ---------------------------------------------------------------- a paragraph below a label

    def _goes_on(self, begin: int, at: int) -> bool:
        """Return whether a paragraph continues the turn that begins at a label."""
        line, label, form = self._lines[at], self._lines[begin], self._turns.form(begin)
        headed = any(line.level for line in self._lines[begin + 1 : at])
        if (headed and label.headed) or line.ruled or line.quoted != label.quoted:
            return False
        if self._ends.is_aside(begin, at) or self._ends.is_notice(at) or self._ends.is_title(at):
            return False
        if form in MACHINE_MADE:
            return self._goes_on_below_header(begin, at)
        if self._ends.is_foreign(begin, at) or begin in self._lectures:
            return False
        if is_asker(self._turns.labels[begin].name) or not self._is_dialogue(form):
            return False
        if _is_clear(form):
            return not headed or self._headings_within
        return self._habit >= MIN_UNLABELLED_SHARE and not headed

    def _goes_on_below_header(self, begin: int, at: int) -> bool:
        """Return whether a paragraph continues a turn below a program's label, and is no notice."""
        line, head = self._lines[at], self._turns.heads[at]
        if line.opens and (ends_in_stamp(line.text) or line.text.startswith(BOLD)):
            return False
        if self._turns.heads[begin].stamp is None and self._ends.is_foreign(begin, at):
            return False
        return head.label is None or self._turns.form(at) != self._turns.form(begin)

    @cached_property
    def _lectures(self) -> frozenset[int]:
        """The labels with a lecture below them, in a file with several speakers."""
        if len(self._turns.names) < 2:
            return frozenset()
        most = MIN_LECTURE_SHARE * sum(self._turns.words)
        return frozenset(
            begin
            for begin, below in self._below.items()
            if len(below) > 4 and sum(self._turns.words[at] for at in below) > most
        )

    # ---------------------------------------------------------------- do speakers go on at all?

    def _is_dialogue(self, form: str) -> bool:
        """Return whether the file has enough labels of a form, from its beginning on."""
        least = MIN_CLEAR_LABEL_SHARE if _is_clear(form) else MIN_LABEL_SHARE
        return len(self._turns.labels) >= least * self._turns.units and self._begins

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

    @cached_property
    def _habit(self) -> float:
        """The share of paragraphs without a label, from the first label on."""
        texts = [self._lines[at].text for below in self._below.values() for at in below]
        plain = sum(not (is_link(text) or is_aside(text)) for text in texts)
        return plain / max(1, plain + len(self._turns.labels))

    @cached_property
    def _headings_within(self) -> bool:
        """Whether headings stand within somebody's words, other than behind the last label."""
        turns = list(self._below.items())[:-1]
        within = sum(
            any(self._lines[at].level for at in range(begin + 1, below[-1]))
            for begin, below in turns
            if below
        )
        return within > 1


def _is_clear(form: str) -> bool:
    """Return whether no writer omits a label of this form when the speaker changes."""
    return form in STANDS_OUT or form == "alone"
