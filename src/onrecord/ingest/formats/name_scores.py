"""Scores that tell how much each name before words in a document looks like a speaker's name.

A name gains points if it recurs, is written like a name, stands out or is answered by another name, and if
labels of its shape occur throughout the file and from its beginning on. It loses points if it is a heading
word, precedes links, stands in lists or within sentences, or is not written like a name.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from onrecord.ingest.formats.labels import (
    ends_sentence,
    is_clean,
    is_heading,
    is_name,
    is_numbered,
    is_phone_number,
    is_turn_word,
    is_usual,
)
from onrecord.ingest.formats.lines import Line, is_caption, is_link, strip_marks
from onrecord.ingest.formats.shapes import STANDS_OUT, Shape, Use, Uses, are_mostly
from onrecord.ingest.formats.single_names import MAX_NAMES_LENGTH, SingleNames
from onrecord.ingest.formats.terms import terms_of

MIN_SCORE = 3.5
"""The minimum score of a speaker's name."""
MIN_DOUBTFUL_SCORE = 2.5
"""The minimum score of a name that is read as words, but with a warning."""
MIN_LIKENESS = 1.5
"""The minimum points for the look of a full name or a common label."""
MIN_BACKED_SHARE = 0.5
"""The minimum share (0 to 1) of a shape's labels that belong to sure speakers.

With this share or more, the shape's names that score just below the minimum are speakers too.
"""
MIN_TERMS = 4
"""The minimum number of distinct labels, none recurring, that are probably terms rather than names."""

MIN_DEFINITIONS = 3
"""The minimum number of distinct labels, none recurring, that may be terms with definitions."""


class NameScores:
    """The scores of all names before words in a document."""

    def __init__(self, lines: Sequence[Line], uses: Uses, singles: SingleNames) -> None:
        self._lines = lines
        self._uses = uses
        self._singles = singles

    @cached_property
    def speakers(self) -> frozenset[str]:
        """The keys of names that are speakers.

        These names score at least `MIN_SCORE`. If there are at least two of them, a recurring name may score
        only `MIN_DOUBTFUL_SCORE` if enough labels of its shape belong to sure speakers.
        """
        sure = {key for key, score in self._scores.items() if score >= MIN_SCORE} - self.unspoken
        counts = Counter(use.shape for use in self._uses.plain)
        backed = Counter(use.shape for use in self._uses.plain if use.key in sure)
        near = {
            use.key
            for use in self._uses.recurring
            if len(sure) > 1 and self._scores[use.key] >= MIN_DOUBTFUL_SCORE
            if backed[use.shape] >= MIN_BACKED_SHARE * counts[use.shape]
        }
        return frozenset(sure | (near - self.unspoken))

    @cached_property
    def doubtful(self) -> Sequence[str]:
        """The keys of names that are read as words, although they may be speakers.

        They score high enough for a doubtful speaker at least, or they are full names or common labels with
        too few points, but none against them.
        """
        return [
            key
            for key, (gain, loss) in self._points.items()
            if key not in self.speakers
            if gain - loss >= MIN_DOUBTFUL_SCORE or (not loss and self._may_be_person(key))
        ]

    def _may_be_person(self, key: str) -> bool:
        """Return whether a name that begins paragraphs or sentences is a full name or a common label."""
        uses = self._uses.by_key[key]
        return any(use.opens for use in uses) and _likeness(uses[0].label.name) >= MIN_LIKENESS

    @cached_property
    def unspoken(self) -> frozenset[str]:
        """The keys of names whose words are not speech, or probably define a term."""
        return self._cues | self._terms

    @cached_property
    def _terms(self) -> frozenset[str]:
        return terms_of(self._uses)

    # ---------------------------------------------------------------- words that are not speech

    @cached_property
    def _cues(self) -> frozenset[str]:
        """The keys of names whose words are always in capitals or not sentences, unlike most other words."""
        return frozenset(key for key, uses in self._uses.by_key.items() if all(map(self._is_cue, uses)))

    def _is_cue(self, use: Use) -> bool:
        words = strip_marks(use.rest)
        have_small_letters, are_sentences = self._habits
        if is_caption(words):
            return have_small_letters
        return bool(words) and use.begins_small and not ends_sentence(words) and are_sentences

    @cached_property
    def _habits(self) -> tuple[bool, bool]:
        """Whether the words after most labels have lower-case letters, and whether most are sentences."""
        worded = [(use, strip_marks(use.rest)) for use in self._uses.plain if use.rest]
        sentences = (ends_sentence(words) and not use.begins_small for use, words in worded)
        return are_mostly(not words.isupper() for _, words in worded), are_mostly(sentences)

    # ---------------------------------------------------------------- scores

    @cached_property
    def _scores(self) -> dict[str, float]:
        return {key: gain - loss for key, (gain, loss) in self._points.items()}

    @cached_property
    def _points(self) -> dict[str, tuple[float, float]]:
        """The points for each name and the points against it, by key."""
        shapes = Counter(use.shape for use in self._uses.plain)
        points = {}
        for key, uses in self._uses.by_key.items():
            shape = Counter(use.shape for use in uses).most_common(1)[0][0]
            covered = shapes[shape] / max(1, self._uses.units)
            count = len(uses) if covered >= 0.4 else sum(use.opens for use in uses)
            points[key] = self._gain(uses, shape, count, covered), self._loss(uses, count, covered)
        return points

    def _gain(self, uses: Sequence[Use], shape: Shape, count: int, covered: float) -> float:
        """Return the points for a name from the number, the look and the position of its labels.

        `count` labels begin sentences. The share `covered` (0 to 1) of paragraphs has labels of their shape.
        """
        key, name = uses[0].key, uses[0].label.name
        gain = 2.5 if count > 2 else 1.5 if count > 1 else 0.0
        gain += 1.5 if covered >= 0.8 else 0.5 if covered >= 0.4 else -1.0 if covered < 0.15 else 0.0
        gain += _likeness(name)
        gain += any(use.label.marked or use.form in STANDS_OUT for use in uses)
        gain += min(1.5, self._answers[key] / len(uses))
        gain += self._answers[key] > 0 and is_turn_word(name)  # "Q" and "A" are expected to alternate
        if self._first and shape == self._first.shape:
            gain += 2.0 if key == self._first.key else 1.5
        return gain

    @cached_property
    def _answers(self) -> Mapping[str, float]:
        """The points of each name, by key, for labels of other names one or two paragraphs away."""
        answers: defaultdict[str, float] = defaultdict(float)
        for before, use in pairwise(self._uses.plain):
            if use.unit - before.unit <= 2 and use.key != before.key and use.shape == before.shape:
                for key in (before.key, use.key):
                    answers[key] += 1.5 if use.unit - before.unit == 1 else 1.0
        return answers

    @cached_property
    def _first(self) -> Use | None:
        """The label with which the talk begins, or None.

        Above it are only links, heading words and labels without words.
        """
        first = next((use for use in self._uses.plain if not is_link(use.rest)), None)
        if first is None:
            return None
        above = len(self._uses.all) - len(self._uses.plain)
        above += sum(is_link(line.text) for line in self._lines[: first.at])
        return first if first.unit <= above else None

    @cached_property
    def _are_definitions(self) -> bool:
        """Whether the labels are terms with definitions.

        Several labels occur once each, and the words after all of them begin in lower case.
        """
        are_many = len(self._uses.by_key) >= MIN_DEFINITIONS and not self._uses.recurring_names
        if not are_many or not all(use.begins_small for use in self._uses.all):
            return False
        # A full name, a common label or a label with a time surely belongs to a speaker.
        names = [use.label.name for use in self._uses.all]
        is_person = any(is_usual(name) or (" " in name and is_name(name)) for name in names)
        return not is_person and not any(use.stamped for use in self._uses.all)

    def _loss(self, uses: Sequence[Use], count: int, covered: float) -> float:
        """Return the points against a name: its labels do not look like a speaker's or precede no speech."""
        name = uses[0].label.name
        loss = 4.0 * (is_heading(name) or are_mostly(is_link(use.rest) for use in uses))
        loss += 4.0 * are_mostly(map(self._uses.is_empty, uses))
        loss += 4.0 * all(_lists_names(use.rest) and not use.stamped for use in uses)
        loss += 3.0 * (count < 0.7 * len(uses))  # many of the labels stand within sentences
        loss += 3.0 * (not any(map(self._uses.rules, uses)))
        loss += 3.0 * (self._uses.are_timed and not any(use.stamped for use in uses))
        loss += 3.0 * all(use.listed and self._uses.is_definition(use) for use in uses)
        loss += 4.0 * self._are_definitions
        if " " not in name and not is_usual(name):  # terms such as "Ingredients", "Method", "Storage"
            loss += not self._uses.recurring_names and len(self._uses.by_key) >= MIN_TERMS
        if len(uses) == 1:
            loss += self._singles.metadata_score(uses[0], covered)
        return loss


def _likeness(name: str) -> float:
    """Return the points for a label that is written like a name (negative if it is not)."""
    if is_numbered(name):
        return 4.0
    if is_phone_number(name):
        return 1.5
    if is_usual(name):
        return 2.0
    if is_name(name):
        return 1.5 if " " in name else 0.5
    return 0.0 if is_clean(name) else -3.0


def _lists_names(text: str) -> bool:
    """Return whether a text consists only of full names: "Ann Bell (AB) and Bo Dea"."""
    names = re.split(
        r",|&|\band\b", re.sub(r"[\[(][^()\[\]]*[\])]", "", strip_marks(text[:MAX_NAMES_LENGTH]))
    )
    if len(names) == 1 and text.rstrip().endswith("."):  # "A B." is a sentence
        return False
    return all(" " in name.strip() and is_name(name) and any(map(str.isupper, name)) for name in names)
