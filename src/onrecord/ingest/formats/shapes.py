"""The possible speakers' labels of a document, and the shape of each label.

A writer gives all speakers' labels the same shape: one form, on a separate line or before the words, in a
list or not. A label with another shape is a task, a term or a remark.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, takewhile

from onrecord.ingest.formats.heads import Head
from onrecord.ingest.formats.labels import (
    Label,
    ends_sentence,
    is_clean,
    is_counted,
    is_heading,
    is_name,
    is_turn_word,
)
from onrecord.ingest.formats.lines import QUESTION_MARKS, Line, asks, is_aside, strip_marks
from onrecord.ingest.formats.spellings import keys_of, plain_key

MACHINE_MADE = frozenset({"header", "screen", "timed"})
"""Forms of labels that programs write above every turn; all words below the label belong to its speaker."""
STANDS_OUT = MACHINE_MADE | {"bold", "sign", "nick"}
"""Conspicuous forms of labels, which writers never omit when the speaker changes."""
MIN_SHAPE_SHARE = 0.2
"""The minimum count of a usual label shape, as a share (0 to 1) of the count of the most frequent shape."""
MIN_LISTED_SHARE = 0.5
"""The minimum ratio of labels in lists to labels outside lists for labels in lists to be usual.

The ratio also applies the other way round, and to labels in italics.
"""
MIN_SQUARE_SHARE = 0.4
"""The minimum share (0 to 1) of paragraphs that begin with bracketed words for these words to be names."""
MIN_TIMED_LABELS = 4
"""The minimum number of labels with a time that shows that all labels of a document have one."""
MIN_TIMED_LABELS_SHARE = 0.8
"""The minimum share (0 to 1) of labels with a time at which a label without a time names no speaker."""
MIN_SMALL_SHARE = 0.1
"""The minimum share (0 to 1) of turns that begin in lower case for lower case to be normal after a label.

Below this share, words that begin in lower case after a label are the definition of a term.
"""
MIN_SPEECH = 5
"""The minimum number of words in a paragraph without a label that is surely speech."""

_WORD = re.compile(r"[^\W\d_]+")

Shape = tuple[str, bool, bool, bool]
"""A label's form, and whether a colon ends its line, it is a list item, and its paragraph is in italics."""


@dataclass(frozen=True, slots=True)
class Use:
    """One occurrence of a possible speaker's label.

    `at` is the index of its line, `unit` the index of its paragraph, and `rest` the text after the label on
    its line. A speaker may begin at a label that `opens`. A `stamped` label has a time, a `listed` label is
    in a list, and a `slanted` label is in a paragraph entirely in italics. All labels of a person share one
    `key`.
    """

    at: int
    unit: int
    label: Label
    form: str
    rest: str
    opens: bool
    stamped: bool
    listed: bool
    slanted: bool
    key: str

    @property
    def shape(self) -> Shape:
        return self.form, self.form == "colon" and not self.rest, self.listed, self.slanted

    @property
    def is_brief(self) -> bool:
        """Whether fewer than eight words follow the label and they do not end a sentence."""
        return len(self.rest.split()) < 8 and not ends_sentence(self.rest)

    @property
    def begins_small(self) -> bool:
        """Whether the words after the label begin with a lower-case letter, like a definition."""
        return strip_marks(self.rest[:100]).lstrip("“\"'(")[:1].islower()


class Uses:
    """All possible speakers' labels of a document."""

    def __init__(self, lines: Sequence[Line], heads: Sequence[Head]) -> None:
        self._lines = lines
        self._heads = heads
        found = _without_running_heads(self._find())
        names = [use.label.name for use in found]
        names += [head.label.name for head in heads if head.alone and head.label]
        self._keys, self.misspelt = keys_of(names)
        self.all = tuple(replace(use, key=self.key(use.label)) for use in found)
        self.forms: Mapping[int, str] = {use.at: use.form for use in self.all}
        self.units = sum(
            not line.level and (line.opens or line.listed or at in self.forms)
            for at, line in enumerate(lines)
        )
        """The number of paragraphs; each label begins a paragraph."""

    def key(self, label: Label) -> str:
        """Return the key of the person whom a label names, also for a name corrected in the meantime."""
        return self._keys.get(label.name, plain_key(label.name))

    def rules(self, use: Use) -> bool:
        """Return whether a label has a shape that is usual in the document.

        Labels in square brackets are usual only if enough paragraphs have one, because brackets may hold
        remarks.
        """
        if use.form == "square" and self._densities.get(use.shape, 0.0) < MIN_SQUARE_SHARE:
            return False
        most = max(self._shapes.values(), default=0)
        if self._shapes[use.shape] < MIN_SHAPE_SHARE * most:
            return False
        return all(  # a label that differs from most in being listed or in italics is a task or the like
            counts[here] >= MIN_LISTED_SHARE * counts[not here]
            for counts, here in zip(self._places, (use.listed, use.slanted), strict=True)
        )

    def is_definition(self, use: Use) -> bool:
        """Return whether the words after a label define a term instead of being spoken.

        The words of a definition begin in lower case, unlike nearly all others in the document. In a list,
        most words after labels must begin in lower case.
        """
        if use.listed and use.begins_small:  # "- **format**: text or json"
            return self._lists_terms
        return use.form not in STANDS_OUT and use.begins_small and self._begin_large

    def is_empty(self, use: Use) -> bool:
        """Return whether a label has no words: a heading, another label or the end follows immediately."""
        after = use.at + 1
        if use.rest or after == len(self._lines):
            return not use.rest
        return bool(self._lines[after].level) or (self._lines[after].opens and after in self.forms)

    def is_scheduled(self, use: Use) -> bool:
        """Return whether a time without brackets stands before a label: "10:30 Choir: folk songs"."""
        head = self._heads[use.at]
        return use.form == "colon" and head.words > 0 and head.stamp is not None and head.stamp.bare

    def is_asked(self, use: Use) -> bool:
        """Return whether the line above a label is a heading or a paragraph that asks."""
        above = use.at - 1
        return above >= 0 and above not in self.forms and asks(self._lines[above].words)

    def is_lively(self, use: Use) -> bool:
        """Return whether there is a question mark or an exclamation mark between a label and the next one."""
        below = takewhile(lambda at: at not in self.forms, range(use.at + 1, len(self._lines)))
        words = (use.rest, *(self._lines[at].text for at in below))
        return any(sign in text for text in words for sign in ("!", *QUESTION_MARKS))

    def set_off(self, use: Use) -> tuple[bool, bool]:
        """Return whether a blank line and whether a heading ("Visit 2") stands directly above a label."""
        above = use.at - 1
        line = self._lines[above]
        heads = above >= 0 and above not in self.forms and (line.level > 0 or is_counted(line.words))
        return self._lines[use.at].opens, heads

    @cached_property
    def plain(self) -> tuple[Use, ...]:
        """The labels that are not heading words and are followed by words."""
        return tuple(use for use in self.all if not (is_heading(use.label.name) or self.is_empty(use)))

    @cached_property
    def by_key(self) -> Mapping[str, Sequence[Use]]:
        """All labels of each person."""
        uses: dict[str, list[Use]] = {}
        for use in self.all:
            uses.setdefault(use.key, []).append(use)
        return uses

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The name of each person, by key, in its first spelling."""
        return {key: uses[0].label.name for key, uses in self.by_key.items()}

    @cached_property
    def recurring(self) -> Sequence[Use]:
        """The plain labels whose names recur."""
        return [use for use in self.plain if len(self.by_key[use.key]) > 1]

    @cached_property
    def recurring_names(self) -> Sequence[str]:
        """The recurring names, without heading words and turn words such as "Q" and "A"."""
        return [
            name
            for key, name in self.names.items()
            if len(self.by_key[key]) > 1 and not (is_heading(name) or is_turn_word(name))
        ]

    @cached_property
    def are_timed(self) -> bool:
        """Whether nearly all labels with recurring names have a time."""
        timed = sum(use.stamped for use in self.recurring)
        return timed >= max(MIN_TIMED_LABELS, MIN_TIMED_LABELS_SHARE * len(self.recurring))

    @cached_property
    def small_words(self) -> frozenset[str]:
        """The words that occur in lower case."""
        return frozenset(word for line in self._lines for word in _WORD.findall(line.text) if word.islower())

    @cached_property
    def answered(self) -> frozenset[int]:
        """The lines of labels with a recurring label directly above or below them and their words."""
        labels = [use for use in self.all if is_name(use.label.name) or is_clean(use.label.name)]
        pairs = [(one, two) for one, two in pairwise(labels) if self._follows(one, two)]
        recurring = {use.key for use in self.all if len(self.by_key[use.key]) > 1}
        return frozenset(one.at for pair in pairs for one, two in (pair, pair[::-1]) if two.key in recurring)

    def _follows(self, use: Use, other: Use) -> bool:
        """Return whether no other paragraph stands between the words of a label and another label."""
        between = sum(self._is_paragraph(at) for at in range(use.at + 1, other.at))
        return between <= (not use.rest)

    def _is_paragraph(self, at: int) -> bool:
        line = self._lines[at]
        begins = line.level or line.opens or line.listed
        return bool(begins and line.text[self._heads[at].words :]) and not is_aside(line.words)

    @cached_property
    def are_below_speech(self) -> bool:
        """Whether a paragraph that ends a sentence, and has no label, stands above the first label."""
        first = next((use.at for use in self.plain if not self._is_metadata(use)), 0)
        return any(self._is_speech(at) for at in range(first))

    @cached_property
    def introduced(self) -> frozenset[str]:
        """The capitalized words above the first recurring label, and the initials of neighbors among them."""
        first = self.recurring[0].at if self.recurring else 0
        words = [_WORD.findall(line.text) for line in self._lines[:first]]
        names = [word for line in words for word in line if word[0].isupper()]
        pairs = (one[0] + two[0] for line in words for one, two in pairwise(line))
        initials = {pair for pair in pairs if pair.isupper()}
        return frozenset(map(str.casefold, initials.union(names)))

    def _is_metadata(self, use: Use) -> bool:
        """Return whether a label that occurs once, and is no full name, stands before a few words."""
        name = use.label.name
        is_full = " " in name and is_name(name) and not is_counted(name)
        return use.is_brief and len(self.by_key[use.key]) == 1 and not is_full

    def _is_speech(self, at: int) -> bool:
        line = self._lines[at]
        if line.level or line.slanted or at in self.forms or self._heads[at].stamp:
            return False
        return len(line.text.split()) >= MIN_SPEECH and ends_sentence(line.words) and not is_aside(line.words)

    @cached_property
    def _shapes(self) -> Counter[Shape]:
        """The number of labels with recurring names, by shape."""
        return Counter(use.shape for use in self.recurring)

    @cached_property
    def _places(self) -> tuple[Counter[bool], Counter[bool]]:
        """The numbers of labels with recurring names in lists (True) or not, and in italics (True) or not."""
        return Counter(use.listed for use in self.recurring), Counter(use.slanted for use in self.recurring)

    @cached_property
    def _begin_large(self) -> bool:
        """Whether the words of recurring names hardly ever begin in lower case."""
        return sum(use.begins_small for use in self.recurring) < MIN_SMALL_SHARE * len(self.recurring)

    @cached_property
    def _lists_terms(self) -> bool:
        """Whether the words after most labels in lists begin in lower case."""
        return are_mostly(use.begins_small for use in self.plain if use.listed)

    @cached_property
    def _densities(self) -> dict[Shape, float]:
        """The share of paragraphs with a label, by shape, between the first and last label of the shape."""
        units: dict[Shape, list[int]] = {}
        for use in self.plain:
            units.setdefault(use.shape, []).append(use.unit)
        return {shape: len(found) / (found[-1] - found[0] + 1) for shape, found in units.items()}

    def _find(self) -> Iterator[Use]:
        text_before, unit = "", -1
        for at, (line, head) in enumerate(zip(self._lines, self._heads, strict=True)):
            if line.level:
                text_before = ""
                continue
            stamped = head.alone and self._is_stamped(at)
            named = head.label is not None and (stamped or not head.alone)
            unit += line.opens or named or line.listed
            if named and head.label:
                rest = line.text[head.label.end :]
                opens = stamped or line.opens or ends_sentence(text_before)
                form = "header" if stamped else head.form
                timed = bool(head.stamp)
                yield Use(at, unit, head.label, form, rest, opens, timed, line.listed, line.slanted, "")
            text_before = line.text[head.words :]

    def _is_stamped(self, at: int) -> bool:
        """Return whether a name that fills a line has words below, and a time there or above."""
        below = self._heads[at + 1] if at + 1 < len(self._heads) else None
        if below is None or below.alone or below.stamp or self._lines[at + 1].level:
            return False
        above = self._heads[at - 1] if at else None
        alone = above is not None and above.stamp and not self._lines[at - 1].text[above.words :]
        return bool(self._heads[at].stamp) or bool(alone)


def _without_running_heads(uses: Iterable[Use]) -> tuple[Use, ...]:
    """Return the labels without running heads.

    A running head recurs with the same text, which contains a number: "Bell Society: 9 May".
    """
    uses, words = tuple(uses), defaultdict[str, list[str]](list)
    for use in uses:
        words[use.label.name].append(use.rest)
    running = {
        name
        for name, rests in words.items()
        if len(rests) > 1 and len(set(rests)) == 1 and any(map(str.isdecimal, rests[0]))
    }
    return tuple(use for use in uses if use.label.name not in running)


def are_mostly(facts: Iterable[bool]) -> bool:
    """Return whether more than half of the values are True."""
    facts = list(facts)
    return 2 * sum(facts) > len(facts)
