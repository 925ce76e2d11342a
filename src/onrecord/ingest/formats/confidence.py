"""How sure it is that words of a document are those of the speaker above them.

Two logistic regressions, fitted on marked documents (benchmarks/confidence.py): one says how likely a label
names who speaks the words behind it, the other how likely a line below is that speaker's too. Both compare
with the document itself: a line unlike the others, in a place where others have none, is seldom speech.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path

from onrecord.ingest.formats.labels import ends_sentence, is_name, is_remark
from onrecord.ingest.formats.lines import BOLD, strip_marks
from onrecord.ingest.formats.shapes import MACHINE_MADE, STANDS_OUT, are_mostly
from onrecord.ingest.formats.turns import MIN_TURNS, Turns

FILE = Path(__file__).parents[2] / "data" / "speaker_confidence.json"
MIN_LABELS = 8
"""Fewer labels in a document show no habit, so that they are believed."""
MANY_LABELS = 40
"""More labels than these say no more about a document."""
MANY_USES = 20
"""More labels than these say no more about a person."""
MIN_WRAPPED = 45
"""A longer line may go on in the next one."""
MAX_BRIEF = 4
"""The most words of a brief line."""
MIN_NAME_PART = 3
"""The fewest letters of a part of a name that is looked for in a line."""

_WORD = re.compile(r"[^\W\d_]+")
_BEGINS_WORDS = re.compile(r"[\w\"'“‘«¿¡…]|\.\.\.")
"""A letter or a sign that words begin with."""

Features = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Model:
    """The weights of a logistic regression, by feature."""

    weights: Mapping[str, float]
    intercept: float

    def probability(self, features: Features) -> float:
        score = self.intercept + sum(self.weights[name] * value for name, value in features.items())
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


_DATA = json.loads(FILE.read_text(encoding="utf-8"))
LABEL, LINE = (Model(_DATA[kind]["weights"], _DATA[kind]["intercept"]) for kind in ("label", "line"))
MIN_CONFIDENCE: float = _DATA["least"]
"""Words have a speaker if it is at least so probable that they are theirs."""


class Confidence:
    """Tells which labels and lines of a document are probably a speaker's."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._lines = turns.lines
        self._counts = Counter(turns.keys.values())
        self._forms = {at: turns.form(at) for at in turns.labels}
        self._form_counts = Counter(self._forms.values())
        self._headings = list(accumulate(line.level > 0 for line in self._lines))
        """The number of headings up to each line."""
        self._open = are_mostly(self._lines[at].opens for at in self._forms)
        self._labels_indented = are_mostly(self._lines[at].indented for at in self._forms)
        below = (begin + 1 for begin, end in turns.runs if begin + 1 < end)
        self._lines_indented = are_mostly(self._lines[at].indented for at in below if turns.words[at])
        """Whether most lines right below labels are indented."""
        worded = (at for at, words in enumerate(turns.words) if words)
        of_one_form = len(self._form_counts) == 1 and STANDS_OUT.issuperset(self._form_counts)
        self._labels_all = of_one_form and all(at in self._forms for at in worded)
        """Whether all words stand on lines with labels of one form that stands out, so that none is unlike
        the others."""

    def is_label(self, begin: int, end: int) -> bool:
        """Return whether the label of a turn, from `begin` to `end`, probably names its speaker."""
        is_timed = self._turns.heads[begin].stamp is not None
        shows_no_habit = len(self._forms) < MIN_LABELS or self._labels_all
        if is_timed or shows_no_habit or is_remark(self._turns.labels[begin].name):
            return True
        return LABEL.probability(self.label_features(begin, end)) >= MIN_CONFIDENCE

    def is_speech(self, begin: int, end: int, at: int) -> bool:
        """Return whether a line of a turn is probably its speaker's."""
        if len(self._forms) < MIN_TURNS:  # they show no habit
            return self._headings[at] == self._headings[begin]
        return LINE.probability(self.line_features(begin, end, at)) >= MIN_CONFIDENCE

    # ---------------------------------------------------------------- features of a label

    def label_features(self, begin: int, end: int) -> Features:
        """Describe a label by itself and its words, beside the other labels of the document."""
        line, words = self._lines[begin], self._first_words[begin]
        labels, uses = len(self._forms), self._counts[self._turns.keys[begin]]
        ended, talkative = self._habits
        of_form = self._form_counts[self._forms[begin]]
        return {
            "log of labels": math.log(min(labels, MANY_LABELS)),
            "log of the person's labels": math.log(min(uses, MANY_USES)),
            "is first": begin == self._turns.runs[0][0],
            "is last": end == len(self._lines),
            "share of labels in its form": of_form / labels,
            "share of other labels in its form": (of_form - uses) / max(1, labels - uses),
            "ends no sentence as others do": ended * (not ends_sentence(words)),
            "has few words unlike others": talkative * (len(words.split()) < MAX_BRIEF),
            "opens": line.opens,
            "opens unlike most": line.opens != self._open,
            "is indented unlike most": line.indented != self._labels_indented,
        }

    @cached_property
    def _first_words(self) -> Mapping[int, str]:
        """The first words behind each label, or below it."""
        first = {}
        for begin, end in self._turns.runs:
            worded = (at for at in range(begin, end) if self._turns.words[at])
            at = next(worded, begin) if self._turns.is_bare(begin) else begin
            first[begin] = self._text(at) if self._turns.words[at] else ""
        return first

    @cached_property
    def _habits(self) -> tuple[float, float]:
        """The shares of labels whose words end a sentence, and of those with more than a few words."""
        words = self._first_words.values()
        talkative = sum(len(each.split()) >= MAX_BRIEF for each in words)
        return sum(map(ends_sentence, words)) / len(words), talkative / len(words)

    # ---------------------------------------------------------------- features of a line below

    def line_features(self, begin: int, end: int, at: int) -> Features:
        """Describe a line below a label by itself, and beside the other lines of turns."""
        line, head, form = self._lines[at], self._turns.heads[at], self._forms[begin]
        text = self._text(at)
        words = text.split()
        is_bracketed = line.words[:1] in ("(", "[")
        is_labelled = head.label is not None and not head.alone
        going_on, others = self._going_on[line.opens], len(self._forms) - 1
        return {
            "log of words": math.log(1 + len(words)),
            "is brief": len(words) <= MAX_BRIEF,
            "opens": line.opens,
            "opens below a bare label": line.opens and self._turns.is_bare(begin),
            "opens below a label that stands out": line.opens and form in STANDS_OUT,
            "below a program's label": form in MACHINE_MADE,
            "below a name alone": form == "alone",
            "below a label that occurs once": self._counts[self._turns.keys[begin]] == 1,
            "in the last turn": end == len(self._lines),
            "below a heading": self._headings[at] > self._headings[begin],
            "is indented unlike most": line.indented != self._lines_indented,
            "follows a long line": len(self._text(at - 1)) > MIN_WRAPPED,
            "share of other turns that go on so": (len(going_on) - (begin in going_on)) / max(1, others),
            "has a digit": any(map(str.isdigit, text)),
            "begins with a bracket": is_bracketed,
            "begins with a sign": not (is_bracketed or _BEGINS_WORDS.match(line.words)),
            "begins in bold type": line.text.startswith(BOLD),
            "begins like a label": is_labelled,
            "begins like a label with a name": is_labelled and is_name(head.label.name)
            if head.label
            else False,
            "is a name alone": head.alone,
            "begins with a speaker's name": bool(self._names_in(text[:40].split()[:1])),
            "names several speakers": len(self._names_in(words)) > 1,
        }

    @cached_property
    def _going_on(self) -> Mapping[bool, frozenset[int]]:
        """The turns with lines below their first words that open paragraphs, and those with others."""
        begins: dict[bool, set[int]] = {True: set(), False: set()}
        for begin, end in self._turns.runs:
            worded = [at for at in range(begin + 1, end) if self._turns.words[at]]
            for at in worded[self._turns.is_bare(begin) :]:
                begins[self._lines[at].opens].add(begin)
        return {opens: frozenset(found) for opens, found in begins.items()}

    def _text(self, at: int) -> str:
        """Return the words of a line behind its label and its time."""
        label = self._turns.labels.get(at)
        return strip_marks(self._lines[at].text[label.end if label else self._turns.heads[at].words :])

    def _names_in(self, words: Iterable[str]) -> set[str]:
        """Return the parts of speakers' names among words."""
        return {part for word in words for part in _WORD.findall(word) if part in self._name_parts}

    @cached_property
    def _name_parts(self) -> frozenset[str]:
        return frozenset(
            part
            for name in self._turns.names
            for part in _WORD.findall(name)
            if len(part) >= MIN_NAME_PART and part[0].isupper()
        )
