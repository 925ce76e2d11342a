"""What ends a speaker's turn before the next label: lines that begin like a turn, but with no speaker.

Links, captions, titles, notices, stage directions, another name or a time alone are no words of the speaker
above them. Which ones they are depends on the form of the speaker's label and on the document's habits.
"""

from __future__ import annotations

import re
from functools import cached_property

from onrecord.ingest.formats.heads import Head
from onrecord.ingest.formats.labels import (
    ends_sentence,
    is_clean,
    is_heading,
    is_name,
    is_numbered,
    is_role,
    is_titled,
)
from onrecord.ingest.formats.lines import BOLD, END, Line, is_aside, is_caption, is_link
from onrecord.ingest.formats.shapes import STANDS_OUT
from onrecord.ingest.formats.turns import Turns

DASHES = ("—", "–")
"""Signs that begin somebody's words in dialogues of novels."""
NOT_SPOKEN = tuple("=>#|→⇒")
"""Signs that begin no spoken paragraph, but a decision ("=> merged") or a number in a list ("#12")."""
MAX_TITLE = 8
"""The most words of a title between turns."""

_COLON_HEAD = re.compile(r"(?:[^\s:.,!]{1,20}\s){0,3}[^\s:.,!]{1,20}:(?=\s)")
"""Up to four words and a colon, perhaps a label of its own kind: "(unclear): ..."."""
_BOLD_HEAD = re.compile(rf"{BOLD}[^{END}]{{1,90}}(?:[.:,–—-]{END}|{END}(?:\s?[^\w\s'’\"”]|\Z))")
"""Bold words that end in a sign, or have one behind them: "**Exercise 1.** ..."."""
_NAME_AND_SIGN = re.compile(r"\W{0,3}(?P<name>\w[\w.'’ -]{0,40}\w)\s?[^\w\s,'’!?…\"”]")


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

    def is_notice(self, at: int) -> bool:
        """Return whether a line is no speaker's in a file where each turn is a line: "-- Ann left --"."""
        if self._lines[at].opens or not self._turns.are_lines:
            return False
        return not self._turns.opens_with_words(at) or self._turns.follow_at_once

    def is_title(self, at: int) -> bool:
        """Return whether a paragraph is a few words that end no sentence, in a file where all others do."""
        line, after = self._lines[at], self._lines[at + 1 : at + 2]
        if not line.opens or not all(line.opens for line in after):
            return False
        short = self._turns.words[at] <= MAX_TITLE and not ends_sentence(line.words)
        return short and self._turns.end_sentences

    def is_plain(self, begin: int, at: int) -> bool:
        """Return whether a paragraph has nothing that ends the speaker's words."""
        return not (self.is_foreign(begin, at) or self.is_aside(begin, at))

    def is_foreign(self, begin: int, at: int) -> bool:
        """Return whether a line begins like another turn, but with no speaker.

        It is a link, perhaps after a label ("**Links:** ..."), has a name in the form of the speaker's that
        is none, or a time in a file whose times stand before labels.
        """
        line, head = self._lines[at], self._heads[at]
        form = self._turns.form(begin)
        if self._lines[begin].tabled or (line.listed and self._turns.are_listed):
            return True
        if at in self._turns.numbered or (self._turns.hang and not line.indented):
            return True
        if self._is_unspoken(begin, line) or self._is_timed(begin, head) or _is_lone_label(line, head):
            return True
        if head.label is None or head.alone or head.form != form:
            return form == "nick" or self._names_another(begin, at)
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

    def _is_timed(self, begin: int, head: Head) -> bool:
        """Return whether a line has a time of its own, as others have before labels or messages of a chat."""
        if not head.words or (head.label is None and self._turns.form(begin) in STANDS_OUT):
            return False
        return self._turns.are_timed or bool(head.stamp and head.stamp.of_day)

    def _names_another(self, begin: int, at: int) -> bool:
        """Return whether a paragraph begins with a name in another form than the speaker's.

        It is a name in full ("Ann Bell: ..." below "**Bo:**"), a role, a nick or a line in bold type; any
        label in a file where hardly any turn has a second paragraph.
        """
        line, head = self._lines[at], self._heads[at]
        if not (line.opens or self._turns.follow_at_once):
            return False
        if self._begins_with_name(line.words) or (self._are_paragraphs and _COLON_HEAD.match(line.words)):
            return True
        if _BOLD_HEAD.match(line.text) and self._lines[begin].text.startswith(BOLD):
            return True
        if head.label is None:
            return False
        if head.alone:
            return line.text.startswith(BOLD) and line.text.endswith(END)
        name = head.label.name
        if head.form == "nick" or is_numbered(name) or is_role(name):
            return True
        return " " in name and is_name(name) and all(word[:1].isupper() for word in name.split())

    def _begins_with_name(self, words: str) -> bool:
        """Return whether words begin with a speaker's name and a sign, or a full name and a capital."""
        known = _NAME_AND_SIGN.match(words)
        if known and known["name"] in self._turns.names:
            return True
        first = words.split(maxsplit=3)
        return any(
            " ".join(first[:n]) in self._turns.names and first[n][:1].isupper() for n in range(2, len(first))
        )

    @cached_property
    def _are_paragraphs(self) -> bool:
        """Whether hardly any turn has a second paragraph, but for what begins with a label."""
        return self._turns.are_short(self._is_unlabelled)

    def _is_unlabelled(self, begin: int, at: int) -> bool:
        line = self._lines[at]
        if not self._turns.words[at] or not line.opens or line.ruled or self._heads[at].label:
            return False
        return not (_COLON_HEAD.match(line.words) or self.is_aside(begin, at))


def _is_lone_label(line: Line, head: Head) -> bool:
    """Return whether a line is a label that ends in a colon, in capitals as in "Ann Bell, Chair:"."""
    label = head.label
    return bool(label and not head.alone and label.end == len(line.text) and is_titled(label.name))
