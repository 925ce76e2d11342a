"""How much each name before words in a document is like a speaker's.

It gains if it recurs, is written like a name, stands out, gets answers, and the file has such labels
throughout and from its beginning on. It loses if it is a heading's word, precedes links, stands in lists or
within sentences, or is no name at all.
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

MIN_SCORE = 3.5
"""The least score of a speaker's name."""
MIN_DOUBTFUL_SCORE = 2.5
"""The least score of a name to warn about that is read as words."""
MIN_BACKED_SHARE = 0.5
"""The least share of sure speakers' labels among all of a shape that lends credit to the others."""
MIN_TERMS = 4
"""As many words before colons, none of which recurs, are rather terms than names."""

MIN_DEFINITIONS = 3
"""As many words before colons may be terms that are defined, if none recurs."""


class NameScores:
    """Scores the names before words in a document."""

    def __init__(self, lines: Sequence[Line], uses: Uses, singles: SingleNames) -> None:
        self._lines = lines
        self._uses = uses
        self._singles = singles

    @cached_property
    def speakers(self) -> frozenset[str]:
        """The keys of names that score enough, or nearly so in the shape of most that do."""
        sure = {key for key, score in self._scores.items() if score >= MIN_SCORE} - self.cues
        counts = Counter(use.shape for use in self._uses.plain)
        backed = Counter(use.shape for use in self._uses.plain if use.key in sure)
        near = {
            use.key
            for use in self._uses.recurring
            if len(sure) > 1 and self._scores[use.key] >= MIN_DOUBTFUL_SCORE
            if backed[use.shape] >= MIN_BACKED_SHARE * counts[use.shape]
        }
        return frozenset(sure | (near - self.cues))

    @cached_property
    def doubtful(self) -> Sequence[str]:
        """The keys of names that score nearly enough for a speaker."""
        return [key for key, score in self._scores.items() if MIN_DOUBTFUL_SCORE <= score < MIN_SCORE]

    # ---------------------------------------------------------------- words that are no speech

    @cached_property
    def cues(self) -> frozenset[str]:
        """The keys of names whose words are all in capitals or no sentences, unlike most others."""
        return frozenset(key for key, uses in self._uses.by_key.items() if all(map(self._is_cue, uses)))

    def _is_cue(self, use: Use) -> bool:
        words = strip_marks(use.rest)
        have_small_letters, are_sentences = self._habits
        if is_caption(words):
            return have_small_letters
        return bool(words) and use.begins_small and not ends_sentence(words) and are_sentences

    @cached_property
    def _habits(self) -> tuple[bool, bool]:
        """Whether most words after labels have small letters, and whether most are sentences."""
        worded = [(use, strip_marks(use.rest)) for use in self._uses.plain if use.rest]
        sentences = (ends_sentence(words) and not use.begins_small for use, words in worded)
        return are_mostly(not words.isupper() for _, words in worded), are_mostly(sentences)

    # ---------------------------------------------------------------- scores

    @cached_property
    def _scores(self) -> dict[str, float]:
        shapes = Counter(use.shape for use in self._uses.plain)
        scores = {}
        for key, uses in self._uses.by_key.items():
            shape = Counter(use.shape for use in uses).most_common(1)[0][0]
            covered = shapes[shape] / max(1, self._uses.units)
            count = len(uses) if covered >= 0.4 else sum(use.opens for use in uses)
            scores[key] = self._gain(uses, shape, count, covered) - self._loss(uses, count, covered)
        return scores

    def _gain(self, uses: Sequence[Use], shape: Shape, count: int, covered: float) -> float:
        """Score a name for its labels: how many there are, how they look, and where they stand.

        `count` of them begin sentences; a share `covered` of paragraphs has labels of their shape.
        """
        key, name = uses[0].key, uses[0].label.name
        gain = 2.5 if count > 2 else 1.5 if count > 1 else 0.0
        gain += 1.5 if covered >= 0.8 else 0.5 if covered >= 0.4 else -1.0 if covered < 0.15 else 0.0
        gain += _likeness(name)
        gain += any(use.label.marked or use.form in STANDS_OUT for use in uses)
        gain += min(1.5, self._answers[key] / len(uses))
        gain += self._answers[key] > 0 and is_turn_word(name)  # a question and its answer belong together
        if self._first and shape == self._first.shape:
            gain += 2.0 if key == self._first.key else 1.5
        return gain

    @cached_property
    def _answers(self) -> Mapping[str, float]:
        """A score of each name for another one right beside it, or with one paragraph in between."""
        answers: defaultdict[str, float] = defaultdict(float)
        for before, use in pairwise(self._uses.plain):
            if use.unit - before.unit <= 2 and use.key != before.key and use.shape == before.shape:
                for key in (before.key, use.key):
                    answers[key] += 1.5 if use.unit - before.unit == 1 else 1.0
        return answers

    @cached_property
    def _first(self) -> Use | None:
        """The label that the talk begins with; above it are no paragraphs but links and headings' words."""
        first = next((use for use in self._uses.plain if not is_link(use.rest)), None)
        if first is None:
            return None
        above = len(self._uses.all) - len(self._uses.plain)
        above += sum(is_link(line.text) for line in self._lines[: first.at])
        return first if first.unit <= above else None

    @cached_property
    def _are_definitions(self) -> bool:
        """Whether several words stand before colons once each, and small letters behind all of them."""
        are_many = len(self._uses.by_key) >= MIN_DEFINITIONS and not self._uses.recurring_names
        if not are_many or not all(use.begins_small for use in self._uses.all):
            return False
        # A full name, a usual label, or one with a time is a speaker's beyond doubt.
        names = [use.label.name for use in self._uses.all]
        is_person = any(is_usual(name) or (" " in name and is_name(name)) for name in names)
        return not is_person and not any(use.stamped for use in self._uses.all)

    def _loss(self, uses: Sequence[Use], count: int, covered: float) -> float:
        """Score what speaks against a name: labels of no speaker's look, or before what nobody says."""
        name = uses[0].label.name
        loss = 4.0 * (is_heading(name) or are_mostly(is_link(use.rest) for use in uses))
        loss += 4.0 * are_mostly(map(self._uses.is_empty, uses))
        loss += 4.0 * all(_lists_names(use.rest) and not use.stamped for use in uses)
        loss += 3.0 * (count < 0.7 * len(uses))  # within sentences
        loss += 3.0 * (not any(map(self._uses.rules, uses)))
        loss += 3.0 * (self._uses.are_timed and not any(use.stamped for use in uses))
        loss += 3.0 * all(use.listed and self._uses.is_definition(use) for use in uses)
        loss += 4.0 * self._are_definitions
        if " " not in name and not is_usual(name):  # "Ingredients", "Method", "Storage"
            loss += not self._uses.recurring_names and len(self._uses.by_key) >= MIN_TERMS
        if len(uses) == 1:
            loss += self._singles.metadata_score(uses[0], covered)
        return loss


def _likeness(name: str) -> float:
    """Score how much a label is written like somebody's name."""
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
    """Return whether a text is nothing but full names: "Ann Bell (AB) and Bo Dea"."""
    names = re.split(
        r",|&|\band\b", re.sub(r"[\[(][^()\[\]]*[\])]", "", strip_marks(text[:MAX_NAMES_LENGTH]))
    )
    if len(names) == 1 and text.rstrip().endswith("."):  # "A B." is a sentence
        return False
    return all(" " in name.strip() and is_name(name) and any(map(str.isupper, name)) for name in names)
