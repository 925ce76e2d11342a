"""Probabilities that the words of a document belong to the speaker whose label stands above them.

Two logistic regressions are fitted on labeled documents (benchmarks/confidence.py). One estimates how likely
a label names the speaker of the words after it. The other estimates how likely a line below belongs to that
speaker too. Both compare a label or line with the rest of the document: a line unlike the other lines, in an
unusual place, is seldom speech.
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

from onrecord.ingest.formats.labels import ends_sentence, is_name, is_remark, is_role
from onrecord.ingest.formats.lines import BOLD, is_aside, strip_marks
from onrecord.ingest.formats.shapes import MACHINE_MADE, STANDS_OUT, are_mostly
from onrecord.ingest.formats.turns import MIN_TURNS, Turns

FILE = Path(__file__).parents[2] / "data" / "speaker_confidence.json"
MIN_LABELS = 8
"""The minimum number of labels that show a habit; fewer labels are all accepted."""
MANY_LABELS = 40
"""The cap for the number of a document's labels as a feature."""
MANY_USES = 20
"""The cap for the number of a person's labels as a feature."""
MIN_WRAPPED = 45
"""The maximum length, in characters, of a line that is not wrapped; a longer line may continue below."""
MAX_BRIEF = 4
"""The maximum number of words in a brief line."""
MIN_NAME_PART = 3
"""The minimum number of letters in a part of a name that is searched for in a line."""

_WORD = re.compile(r"[^\W\d_]+")
_BEGINS_WORDS = re.compile(r"[\w\"'“‘«¿¡…]|\.\.\.")
"""A letter, a digit or a punctuation mark with which a sentence may begin."""

Features = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Model:
    """A logistic regression, with its weights by feature name."""

    weights: Mapping[str, float]
    intercept: float

    def probability(self, features: Features) -> float:
        score = self.intercept + sum(self.weights[name] * value for name, value in features.items())
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


_DATA = json.loads(FILE.read_text(encoding="utf-8"))
LABEL, LINE = (Model(_DATA[kind]["weights"], _DATA[kind]["intercept"]) for kind in ("label", "line"))
MIN_CONFIDENCE: float = _DATA["least"]
"""The minimum probability (0 to 1) at which words are attributed to a speaker."""


class Confidence:
    """A classifier of the labels and lines of a document: which probably belong to a speaker."""

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
        """Whether every line with words has a label of one conspicuous form, so that no label is unusual."""

    def is_label(self, begin: int, end: int) -> bool:
        """Return whether the label of a turn probably names its speaker.

        The turn consists of the lines from `begin` (the label's line) up to `end`, exclusive.
        """
        is_timed = self._turns.heads[begin].stamp is not None
        shows_no_habit = len(self._forms) < MIN_LABELS or self._labels_all
        if is_timed or shows_no_habit or is_remark(self._turns.labels[begin].name):
            return True
        return LABEL.probability(self.label_features(begin, end)) >= MIN_CONFIDENCE

    def is_speech(self, begin: int, end: int, at: int) -> bool:
        """Return whether the line `at` of a turn probably belongs to the turn's speaker."""
        if len(self._forms) < MIN_TURNS:  # too few labels show no habit
            return self._headings[at] == self._headings[begin]
        return LINE.probability(self.line_features(begin, end, at)) >= MIN_CONFIDENCE

    def is_exception(self, begin: int, at: int) -> bool:
        """Return whether many turns fill one line each, but the one at `begin` has another one below."""
        is_line = not self._lines[at].opens
        return is_line and len(self._forms) >= MIN_LABELS and self._going_on[False] <= {begin}

    def names_speaker(self, text: str) -> bool:
        """Return whether a part of a speaker's name, or a role ("audience"), occurs in a text."""
        words = text.split()
        return bool(self._names_in(words)) or any(is_role(word.strip("()[].,:;")) for word in words)

    # ---------------------------------------------------------------- features of a label

    def label_features(self, begin: int, end: int) -> Features:
        """Return the features of a label: its own, and its differences from the document's other labels."""
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
        """The first words after each label, or below it, by the label's line."""
        first = {}
        for begin, end in self._turns.runs:
            worded = (at for at in range(begin, end) if self._turns.words[at])
            at = next(worded, begin) if self._turns.is_bare(begin) else begin
            first[begin] = self._text(at) if self._turns.words[at] else ""
        return first

    @cached_property
    def _habits(self) -> tuple[float, float]:
        """The shares (0 to 1) of labels whose first words end a sentence, and are at least `MAX_BRIEF`."""
        words = self._first_words.values()
        talkative = sum(len(each.split()) >= MAX_BRIEF for each in words)
        return sum(map(ends_sentence, words)) / len(words), talkative / len(words)

    # ---------------------------------------------------------------- features of a line below

    def line_features(self, begin: int, end: int, at: int) -> Features:
        """Return the features of a line below a label: its own, and its differences from similar lines."""
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
            "follows a long line": len(self._text(self._above(begin, at))) > MIN_WRAPPED,
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
        """The turns that continue below their first words: in lines that open paragraphs (True) or not.

        Each turn is given by the line of its label.
        """
        begins: dict[bool, set[int]] = {True: set(), False: set()}
        for begin, end in self._turns.runs:
            worded = [at for at in range(begin + 1, end) if self._turns.words[at]]
            for at in worded[self._turns.is_bare(begin) :]:
                begins[self._lines[at].opens].add(begin)
        return {opens: frozenset(found) for opens, found in begins.items()}

    def _above(self, begin: int, at: int) -> int:
        """Return the last line above `at` that is no note in brackets, from the label at `begin` on."""
        above = range(at - 1, begin, -1)
        return next((line for line in above if not is_aside(self._lines[line].words)), begin)

    def _text(self, at: int) -> str:
        """Return the words of a line after its label and its timestamp."""
        label = self._turns.labels.get(at)
        return strip_marks(self._lines[at].text[label.end if label else self._turns.heads[at].words :])

    def _names_in(self, words: Iterable[str]) -> set[str]:
        """Return the parts of speakers' names that occur in `words`."""
        return {part for word in words for part in _WORD.findall(word) if part in self._name_parts}

    @cached_property
    def _name_parts(self) -> frozenset[str]:
        return frozenset(
            part
            for name in self._turns.names
            for part in _WORD.findall(name)
            if len(part) >= MIN_NAME_PART and part[0].isupper()
        )
