"""How far the words of a document's speakers reach: whether a paragraph without a label is still theirs.

A speaker goes on over later paragraphs only in a file with labels from its beginning on: in a lecture with
questions in between, the paragraph below an answer is the lecture again. What begins like another turn, but
without a speaker (links, captions, a time alone), is nobody's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise, zip_longest

from onrecord.ingest.formats.heads import Head, ends_in_stamp
from onrecord.ingest.formats.labels import (
    Label,
    ends_sentence,
    is_asker,
    is_clean,
    is_heading,
    is_name,
    is_numbered,
    is_role,
    is_titled,
)
from onrecord.ingest.formats.lines import BOLD, END, Line, is_aside, is_link, strip_marks

MAX_PREAMBLE = 40
"""The most words above the first label that may be a title, a date or a greeting."""
MAX_PREAMBLE_SHARE = 0.04
"""The largest share of words above the first label of a file with labels from its beginning on."""
MAX_SUMMARY_SHARE = 0.15
"""The same, with a heading between ("Transcript")."""
MIN_UNLABELLED_SHARE = 0.04
"""With this share of paragraphs without a label, a file's speakers go on over paragraphs."""
MIN_LABEL_SHARE = {False: 0.25, True: 0.1}
"""The least share of paragraphs with a label in a dialogue; True: of labels that stand out."""
MIN_LECTURE_SHARE = 0.35
"""With this share of a file's words below it, a label is followed by a lecture."""
DASHES = ("—", "–")
"""Signs that begin somebody's words in dialogues of novels."""
NOT_SPOKEN = tuple("=>#|→⇒")
"""Signs that begin no spoken paragraph, but a decision ("=> merged") or a number in a list ("#12")."""
MIN_CAPTION = 8
"""The fewest characters of a caption in capitals."""
MAX_CAPITALS_SHARE = 0.5
"""In a file with a larger share of lines in capitals, capitals tell nothing."""
MIN_TIMED_SHARE = 0.6
"""If this share of the times before words stands before labels, the others begin an unknown speaker."""
MIN_SHORT_TURNS = 4
"""If all turns have one paragraph, and there are as many, those below the last one are a footer."""
MAX_LONG_SHARE = 0.08
"""The same if no larger share of turns has more than one paragraph."""
MAX_PLAIN_SHARE = 0.34
"""In a file where no larger share of turns has several paragraphs, those below the last one are a footer."""
MANY_TURNS = 40
"""In a file of as many turns that share may be of none: the last speaker may say good-bye at length."""
MIN_LINE_TURNS = 4
"""If as many turns have one line, another line is nobody's."""
MAX_TITLE = 8
"""The most words of a title between turns."""
MIN_ENDED_SHARE = 0.75
"""If this share of paragraphs ends a sentence, a few words that do not are a title."""
MACHINE_MADE = frozenset({"header", "screen", "timed"})
"""Forms of labels that programs write above every turn, so that all words below are the speaker's."""
STANDS_OUT = MACHINE_MADE | {"bold", "sign", "nick"}
"""Forms that no writer omits when the speaker changes."""


_COLON_HEAD = re.compile(r"(?:[^\s:.,!]{1,20}\s){0,3}[^\s:.,!]{1,20}:(?=\s)")
"""Up to four words and a colon, perhaps a label of its own kind: "(unclear): ..."."""
_BOLD_HEAD = re.compile(rf"{BOLD}[^{END}]{{1,90}}(?:[.:,–—-]{END}|{END}(?:\s?[^\w\s'’\"”]|\Z))")
"""Bold words that end in a sign, or have one behind them: "**Exercise 1.** ..."."""
_BEGINS_WORDS = re.compile(r"[\w\"'“‘«¿¡…]|\.\.\.")
_NAME_AND_SIGN = re.compile(r"\W{0,3}(?P<name>\w[\w.'’ -]{0,40}\w)\s?[^\w\s,'’!?…\"”]")


class Flow:
    """Finds where the speakers of a document stop because nothing shows that they go on."""

    def __init__(
        self,
        lines: Sequence[Line],
        heads: Sequence[Head],
        labels: Mapping[int, Label],
        forms: Mapping[int, str],
        units: int,
    ) -> None:
        self.lines = lines
        self.heads = heads
        self.labels = labels
        self.forms = forms
        self.units = units
        self.words = [
            0 if line.level else _count_words(line, head, labels.get(at))
            for at, (line, head) in enumerate(zip(lines, heads, strict=True))
        ]

    def nobody(self) -> Iterator[int]:
        """Yield the lines from which on nobody known speaks."""
        for begin, end in self._runs():
            below = list(self._below(begin, end))
            footer = end == len(self.lines) and self._ends_in_footer
            if at := next((at for at in below if footer or not self._goes_on(begin, at)), None):
                yield at

    def _runs(self) -> Iterator[tuple[int, int]]:
        """Yield the line of each label with that of the next one."""
        yield from pairwise([*sorted(self.labels), len(self.lines)])

    def _below(self, begin: int, end: int) -> Iterator[int]:
        """Yield the paragraphs below a label; if it has no words, the first belongs to it."""
        fresh = self._is_bare(begin)
        for at in range(begin + 1, end):
            if self.lines[at].level or not self.words[at]:
                continue
            if fresh:
                fresh = False
            elif (
                self.lines[at].opens
                or self._turns_are_lines
                or self._is_foreign(begin, at)
                or (self._lines_open and self._is_aside(begin, at))
            ):
                yield at

    def _is_bare(self, begin: int) -> bool:
        """Return whether a label has no words behind it on its line."""
        return not strip_marks(self.lines[begin].text[self.labels[begin].end :])

    def _first_below(self, begin: int) -> int:
        """Return the line below the first words of a label's turn."""
        return begin + 1 + self._is_bare(begin)

    def _is_notice(self, at: int) -> bool:
        """Return whether a line is no speaker's in a file where each turn is a line: "-- Ann left --"."""
        line = self.lines[at]
        if line.opens or not self._turns_are_lines:
            return False
        return not _BEGINS_WORDS.match(line.words) or self._lines_open

    @cached_property
    def _lines_open(self) -> bool:
        """Whether most turns begin without a blank line above, so that any line may begin one."""
        below = sum(not self.lines[begin].opens for begin in self.labels)
        return 2 * below > len(self.labels)

    @cached_property
    def _turns_are_lines(self) -> bool:
        """Whether hardly any turn has a second line, so that one without a label is a notice."""
        runs = [*self._runs()][:-1]
        long = 0
        for begin, end in runs:
            long += any(
                not self.lines[at].opens and _BEGINS_WORDS.match(self.lines[at].words)
                for at in range(self._first_below(begin), end)
            )
        return len(runs) >= MIN_LINE_TURNS and long <= MAX_LONG_SHARE * len(runs)

    @cached_property
    def _ends_in_footer(self) -> bool:
        """Whether paragraphs below the last label end the file: no other speaker has more than one."""
        runs = [*self._runs()][:-1]
        long = sum(any(self._is_plain(begin, at) for at in self._below(begin, end)) for begin, end in runs)
        most = MAX_PLAIN_SHARE * len(runs) if len(runs) < MANY_TURNS else 0
        return len(runs) >= MIN_SHORT_TURNS and long <= most

    @cached_property
    def _turns_are_short(self) -> bool:
        """Whether hardly any turn has a second paragraph, but for what begins with a label."""
        runs = [*self._runs()][:-1]
        long = 0
        for begin, end in runs:
            long += any(
                self.words[at]
                and self.lines[at].opens
                and self.heads[at].label is None
                and not (
                    _COLON_HEAD.match(self.lines[at].words)
                    or self._is_aside(begin, at)
                    or self.lines[at].ruled
                )
                for at in range(self._first_below(begin), end)
            )
        return len(runs) >= MIN_SHORT_TURNS and long <= MAX_LONG_SHARE * len(runs)

    def _is_plain(self, begin: int, at: int) -> bool:
        """Return whether a paragraph below a label has nothing that ends the speaker's words."""
        return not (self._is_foreign(begin, at) or self._is_aside(begin, at) or self.lines[at].ruled)

    def _form(self, begin: int) -> str:
        form, head = self.forms.get(begin, self.heads[begin].form), self.heads[begin]
        alone = head.stamp and head.label and not self.lines[begin].text[head.label.end :]
        return "header" if alone and form == "bold" else form

    def _goes_on(self, begin: int, at: int) -> bool:
        form, name = self._form(begin), self.labels[begin].name
        headed = any(line.level for line in self.lines[begin + 1 : at])
        if (headed and self.lines[begin].headed) or self.lines[at].ruled or self._is_aside(begin, at):
            return False
        if self._is_notice(at) or self.lines[at].quoted != self.lines[begin].quoted or self._is_title(at):
            return False
        if form in MACHINE_MADE:
            notice = self.lines[at].opens and ends_in_stamp(self.lines[at].text)
            notice = notice or (self.lines[at].opens and self.lines[at].text.startswith(BOLD))
            untimed = self.heads[begin].stamp is None and self._is_foreign(begin, at)
            return not (notice or untimed) and (self.heads[at].label is None or self._form(at) != form)
        if self._is_foreign(begin, at):
            return False
        if is_asker(name) or not self._is_dialogue(form):
            return False
        if begin in self._lectures:
            return False
        if form in STANDS_OUT or form == "alone":
            return not (headed and (self._headings_before_labels or not self._headings_within))
        return self._habit >= MIN_UNLABELLED_SHARE and not headed

    def _is_aside(self, begin: int, at: int) -> bool:
        """Return whether a line is a stage direction: all in brackets, or a paragraph in italics."""
        line = self.lines[at]
        if line.words[:1] == "(" and self._form(begin) in STANDS_OUT:  # an afterthought is longer
            return self.words[at] <= MAX_TITLE and is_aside(line.words)
        return (line.slanted and line.opens) or is_aside(line.words)

    def _is_foreign(self, begin: int, at: int) -> bool:
        """Return whether a line begins like another turn, but with no speaker.

        It is a link, perhaps after a label ("**Links:** ..."), has a name in the form of the speaker's that
        is none, or a time in a file whose times stand before labels.
        """
        line, head = self.lines[at], self.heads[at]
        doubtful = head.label is not None or self._form(begin) not in STANDS_OUT
        stamped = self._times_labels or (head.stamp and head.stamp.of_day)  # as another message of a chat
        if self.lines[begin].tabled or is_link(line.text) or (head.words and stamped and doubtful):
            return True
        dashed = line.words[:1] in DASHES and self.lines[begin].words[:1] not in DASHES
        if dashed or self._is_caption(line) or line.words[:1] in NOT_SPOKEN or self._is_alone(line, head):
            return True
        if head.label is None or head.alone or head.form != self._form(begin):
            begins = self._form(begin) == "nick" or (line.listed and self._in_lists)
            return begins or self._names_another(begin, at)
        if head.form in STANDS_OUT or (line.listed and self._in_lists):
            return True
        name = head.label.name
        is_alike = is_name(name) or (is_clean(name) and not is_name(self.labels[begin].name))
        return is_alike or is_heading(name) or is_link(line.text[head.label.end :])

    def _names_another(self, begin: int, at: int) -> bool:
        """Return whether a paragraph begins with a name in another form than the speaker's.

        It is a name in full ("Ann Bell: ..." below "**Bo:**"), a role, a nick or a line in bold type; any
        label in a file where hardly any turn has a second paragraph.
        """
        line, label = self.lines[at], self.heads[at].label
        if not (line.opens or self._lines_open):
            return False
        if self._begins_with_name(line.words) or (self._turns_are_short and _COLON_HEAD.match(line.words)):
            return True
        if _BOLD_HEAD.match(line.text) and self.lines[begin].text.startswith(BOLD):
            return True
        if label is None:
            return False
        if self.heads[at].alone:
            return line.text.startswith(BOLD) and line.text.endswith(END)
        name = label.name
        if self.heads[at].form == "nick" or name in self._names or is_numbered(name) or is_role(name):
            return True
        return " " in name and is_name(name) and all(word[:1].isupper() for word in name.split())

    def _begins_with_name(self, words: str) -> bool:
        """Return whether words begin with a speaker's name and a sign, or a full name and a capital."""
        known = _NAME_AND_SIGN.match(words)
        if known and known["name"] in self._names:
            return True
        first = words.split(maxsplit=3)
        return any(
            " ".join(first[:n]) in self._names and first[n][:1].isupper() for n in range(2, len(first))
        )

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(label.name for label in self.labels.values())

    @staticmethod
    def _is_alone(line: Line, head: Head) -> bool:
        """Return whether a line is a label that ends in a colon, in capitals as in "Ann Bell, Chair:"."""
        label = head.label
        return bool(label and not head.alone and label.end == len(line.text) and is_titled(label.name))

    def _is_caption(self, line: Line) -> bool:
        """Return whether a line is in capitals alone, in a file that is not: "END OF TAPE ONE"."""
        words = line.words
        title = words.isupper() and len(words) >= MIN_CAPTION and not ends_sentence(words)
        return title and (line.opens or " " in words) and self._has_small_letters

    def _is_title(self, at: int) -> bool:
        """Return whether a paragraph is a few words that end no sentence, in a file where all others do."""
        line = self.lines[at]
        if not line.opens or (at + 1 < len(self.lines) and not self.lines[at + 1].opens):
            return False
        short = self.words[at] <= MAX_TITLE and not ends_sentence(line.words)
        return short and self._ends_sentences

    @cached_property
    def _ends_sentences(self) -> bool:
        """Whether nearly all paragraphs from the first label on end a sentence."""
        first = min(self.labels, default=0)
        last = [
            ends_sentence(line.words)
            for line, after, words in zip_longest(
                self.lines[first:], self.lines[first + 1 :], self.words[first:]
            )
            if words and (after is None or after.opens)
        ]
        return sum(last) >= MIN_ENDED_SHARE * len(last)

    @cached_property
    def _has_small_letters(self) -> bool:
        return sum(line.words.isupper() for line in self.lines) < MAX_CAPITALS_SHARE * len(self.lines)

    @cached_property
    def _in_lists(self) -> bool:
        """Whether most labels stand in lists, so that each item is somebody's turn, or a note."""
        return 2 * sum(self.lines[at].listed for at in self.labels) > len(self.labels)

    @cached_property
    def _headings_before_labels(self) -> bool:
        """Whether below most headings a speaker is named first, so that other words there are nobody's."""
        below = [
            at + 1 for at in range(min(self.labels, default=0), len(self.lines) - 1) if self.lines[at].level
        ]
        return bool(below) and sum(at in self.labels for at in below) >= 0.5 * len(below)

    @cached_property
    def _headings_within(self) -> bool:
        """Whether a heading stands within somebody's words, other than behind the last of many turns."""
        *runs, last = self._runs()
        if sum(self.words[at] for at in self._below(*last)) > MIN_LECTURE_SHARE * sum(self.words):
            runs.append(last)
        within = sum(
            any(self.lines[at].level for below in self._below(begin, end) for at in range(begin + 1, below))
            for begin, end in runs
        )
        return within > 1 or (runs[-1:] == [last] and within > 0)

    @cached_property
    def _times_labels(self) -> bool:
        """Whether most times at the head of lines stand before a speaker's label."""
        timed = [
            at in self.labels
            for at, head in enumerate(self.heads)
            if head.words and self.words[at] and not self.lines[at].level
        ]
        return sum(timed) >= max(3, MIN_TIMED_SHARE * len(timed))

    def _is_dialogue(self, form: str) -> bool:
        """Return whether the file has enough labels, from its beginning on."""
        dense = len(self.labels) >= MIN_LABEL_SHARE[form in STANDS_OUT or form == "alone"] * self.units
        return dense and self._begins

    @cached_property
    def _begins(self) -> bool:
        first = min(self.labels, default=0)
        above = sum(self.words[at] for at in range(first) if not self._is_metadata(at))
        total = sum(self.words)
        if above <= max(MAX_PREAMBLE, MAX_PREAMBLE_SHARE * total):
            return True
        headed = first > 0 and self.lines[first - 1].level > 0
        return headed and above <= MAX_SUMMARY_SHARE * total and len(self.labels) >= 0.4 * self.units

    def _is_metadata(self, at: int) -> bool:
        """Return whether a line above the talk is metadata: a link, "Date: ...", a heading's word."""
        label = self.heads[at].label
        return is_link(self.lines[at].text) or (label is not None and is_heading(label.name))

    @cached_property
    def _habit(self) -> float:
        """The share of paragraphs without a label, from the first label on."""
        plain = sum(
            not is_link(self.lines[at].text) and not is_aside(self.lines[at].text)
            for begin, end in self._runs()
            for at in self._below(begin, end)
        )
        return plain / max(1, plain + len(self.labels))

    @cached_property
    def _lectures(self) -> frozenset[int]:
        """Labels with a lecture below them, in a file with several speakers."""
        if len({label.name for label in self.labels.values()}) < 2:
            return frozenset()
        total = sum(self.words)
        runs = {begin: list(self._below(begin, end)) for begin, end in self._runs()}
        return frozenset(
            begin
            for begin, below in runs.items()
            if len(below) > 4 and sum(self.words[at] for at in below) > MIN_LECTURE_SHARE * total
        )


def _count_words(line: Line, head: Head, label: Label | None) -> int:
    """Count the words of a line after its speaker and its time."""
    return len(strip_marks(line.text[label.end if label else head.words :]).split())
