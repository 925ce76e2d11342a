"""What ends a speaker's turn before the next label: lines that begin like a turn, but with no speaker.

Links, captions, stage directions and another label are no words of the speaker above them. Which ones they
are depends on the form of the speaker's label and on the document's habits.
"""

from __future__ import annotations

from onrecord.ingest.formats.heads import Head
from onrecord.ingest.formats.labels import (
    ends_sentence,
    is_clean,
    is_heading,
    is_name,
    is_titled,
)
from onrecord.ingest.formats.lines import Line, is_aside, is_caption, is_link
from onrecord.ingest.formats.shapes import STANDS_OUT
from onrecord.ingest.formats.turns import Turns

DASHES = ("—", "–")
"""Signs that begin somebody's words in dialogues of novels."""
NOT_SPOKEN = tuple("=>#|→⇒")
"""Signs that begin no spoken paragraph, but a decision ("=> merged") or a number in a list ("#12")."""
MAX_TITLE = 8
"""The most words of a title between turns."""


class TurnEnds:
    """Finds lines below the label of a turn, in the line `begin`, that are not the speaker's."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._lines = turns.lines
        self._heads = turns.heads

    def is_aside(self, begin: int, at: int) -> bool:
        """Return whether a line is a stage direction: all in brackets, or a paragraph in italics."""
        line = self._lines[at]
        if line.words[:1] == "(" and self._turns.form(begin) in STANDS_OUT:  # or an afterthought
            short = self._turns.words[at] <= MAX_TITLE or not ends_sentence(line.words.rstrip(") "))
            return short and is_aside(line.words)
        return (line.slanted and line.opens) or is_aside(line.words)

    def is_foreign(self, begin: int, at: int) -> bool:
        """Return whether a line begins like another turn, but with no speaker.

        It is a link, perhaps after a label ("**Links:** ..."), or has a name in the form of the speaker's
        that is none.
        """
        line, head = self._lines[at], self._heads[at]
        form = self._turns.form(begin)
        if self._lines[begin].tabled or (line.listed and self._turns.are_listed):
            return True
        if at in self._turns.numbered or (self._turns.hang and not line.indented):
            return True
        if self._is_unspoken(begin, line) or _is_lone_label(line, head):
            return True
        if head.label is None or head.alone or head.form != form:
            return form == "nick"
        if form in STANDS_OUT or is_heading(head.label.name) or is_link(line.text[head.label.end :]):
            return True
        name = head.label.name
        return is_name(name) or (is_clean(name) and not is_name(self._turns.labels[begin].name))

    def _is_unspoken(self, begin: int, line: Line) -> bool:
        """Return whether a line is a link, a caption ("END OF TAPE ONE"), or begins with a sign."""
        words = line.words
        if is_link(line.text) or words[:1] in NOT_SPOKEN:
            return True
        if words[:1] in DASHES and self._lines[begin].words[:1] not in DASHES:
            return True
        title = is_caption(words) and not ends_sentence(words) and (line.opens or " " in words)
        return title and self._turns.have_small_letters


def _is_lone_label(line: Line, head: Head) -> bool:
    """Return whether a line is a label that ends in a colon, in capitals as in "Ann Bell, Chair:"."""
    label = head.label
    return bool(label and not head.alone and label.end == len(line.text) and is_titled(label.name))
