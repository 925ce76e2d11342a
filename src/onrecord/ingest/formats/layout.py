"""The layout of a document: which of its labels name speakers, and how far their words reach.

A colon after a few words is weak evidence, and so is a paragraph below a labelled one. The layout of the
whole file decides. Each name before words has a score: how often it recurs, how it is written, whether others
answer it, how much of the file has such labels. A name that occurs once is a speaker if it has the form and
the place of those that are.

How far their words reach tells `onrecord.ingest.formats.flow`. If the layout leaves it open, a paragraph
has no speaker, and a warning says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

from onrecord.ingest.formats.flow import MACHINE_MADE, MIN_CAPTION, STANDS_OUT, Flow
from onrecord.ingest.formats.heads import Head
from onrecord.ingest.formats.labels import (
    Label,
    ends_sentence,
    is_clean,
    is_counted,
    is_heading,
    is_name,
    is_numbered,
    is_remark,
    is_role,
    is_turn_word,
)
from onrecord.ingest.formats.lines import BOLD, Line, is_link, strip_marks
from onrecord.ingest.formats.shapes import Use, Uses
from onrecord.ingest.formats.spellings import plain_key

MIN_SCORE = 3.5
"""The least score of a speaker's name."""
MIN_DOUBTFUL_SCORE = 2.5
"""The least score of a name to warn about that is read as words."""
MAX_DISTANCE = 3
"""The most paragraphs between a name that occurs once and the label of a sure speaker."""
MIN_BACKED_SHARE = 0.5
"""The least share of sure speakers' labels among all of a shape that lends credit to the others."""
MIN_PARAGRAPHS = 8
"""In a file of fewer paragraphs everybody may speak once."""
MIN_TIMED_LABELS_SHARE = 0.8
"""If this share of labels has a time, one without a time names no speaker."""
MIN_TIMED_LABELS = 4
"""Fewer labels with a time do not show that all of a document have one."""
MIN_TERMS = 4
"""As many words before colons, none of which recurs, are rather terms than names."""
MAX_NAMES_LENGTH = 200
"""The most characters of a list of names."""


_FIRST_NAME = re.compile(
    r"(?:(?:Dr|Prof|Mrs?|Ms|Mx|[A-Z])\.\s|[^\s,;.!?()]{1,40}\s){0,5}[^\s,;.!?()]{1,40}(?=[,;.(]|\Z)"
)
"""The words up to the first comma, bracket or end of a sentence, if they are few."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The speakers' `labels` of a document, by line, and the lines from which on `nobody` known speaks."""

    labels: Mapping[int, Label]
    nobody: frozenset[int]
    warnings: tuple[str, ...] = ()


def read_layout(lines: Sequence[Line], heads: Sequence[Head]) -> Layout:
    """Return the layout of a document whose lines have these heads."""
    names = _Names(lines, heads)
    labels = names.labels()
    flow = Flow(lines, heads, labels, names.uses.forms, names.uses.units)
    nobody = frozenset(flow.nobody())
    return Layout(labels, nobody, tuple(_warnings(lines, names, nobody)))


def exact_layout(lines: Sequence[Line], heads: Sequence[Head]) -> Layout:
    """Return the layout of a document that names the speaker of every turn in bold type."""
    labels = {at: head.label for at, head in enumerate(heads) if head.label and head.form == "bold"}
    return Layout(labels, frozenset(at for at, line in enumerate(lines) if line.opens and at not in labels))


def _warnings(lines: Sequence[Line], names: _Names, nobody: frozenset[int]) -> Iterator[str]:
    if nobody:
        first = lines[min(nobody)].number
        yield (
            f"paragraphs below a speaker's words that somebody else may say: {len(nobody)}, first in line "
            f"{first}; they have no speaker"
        )
    if doubted := names.doubted():
        shown = ", ".join(repr(name) for name in doubted[:5])
        yield f"perhaps speakers, but read as words: {shown}"


# ---------------------------------------------------------------- which labels are speakers'


@dataclass(slots=True)
class _Name:
    """All uses of one name before words.

    `answered` adds 1.5 for each right beside a paragraph with another name, 1 for each with one in between.
    """

    uses: list[Use] = field(default_factory=list)
    answered: float = 0.0

    @property
    def name(self) -> str:
        return self.uses[0].label.name

    def score(self, covered: float, begins: float) -> float:
        """Score the name as a speaker's.

        It gains if it recurs, is written like a name, stands out, gets answers, and the file has such labels
        throughout and from its beginning on. It loses if it is a heading's word, precedes links, stands in
        lists or within sentences, or is no name at all.
        """
        opening = sum(use.opens for use in self.uses)
        count = len(self.uses) if covered >= 0.4 else opening
        total = 2.5 if count > 2 else 1.5 if count > 1 else 0.0
        total += _likeness(self.name) + self.answered / len(self.uses) + begins
        total += any(use.label.marked or use.form in STANDS_OUT for use in self.uses)
        total += 1.5 if covered >= 0.8 else 0.5 if covered >= 0.4 else -1.0 if covered < 0.15 else 0.0
        total -= 4.0 * (
            is_heading(self.name) or 2 * sum(is_link(use.rest) for use in self.uses) > len(self.uses)
        )
        total -= 2.0 * (2 * sum(use.noted for use in self.uses) > len(self.uses))
        return total - 3.0 * (count < 0.7 * len(self.uses))


def _likeness(name: str) -> float:
    """Score how much a label is written like somebody's name."""
    if is_numbered(name):
        return 4.0
    if is_role(name) or is_turn_word(name):
        return 2.0
    if is_name(name):
        return 1.5 if " " in name else 0.5
    return 0.0 if is_clean(name) else -3.0


def _is_usual(name: str) -> bool:
    """Return whether a label is a usual one of transcripts: "Host", "Q", "Speaker 1"."""
    return is_role(name) or is_turn_word(name) or is_numbered(name)


def _lists_names(text: str) -> bool:
    """Return whether a text is nothing but full names: "Ann Bell (AB) and Bo Dea"."""
    names = re.split(
        r",|&|\band\b", re.sub(r"[\[(][^()\[\]]*[\])]", "", strip_marks(text[:MAX_NAMES_LENGTH]))
    )
    if len(names) == 1 and text.rstrip().endswith("."):  # "A B." is a sentence
        return False
    return all(" " in name.strip() and is_name(name) and any(map(str.isupper, name)) for name in names)


class _Names:
    """The names before words in a document, scored as speakers'."""

    def __init__(self, lines: Sequence[Line], heads: Sequence[Head]) -> None:
        self.lines = lines
        self.heads = heads
        self.uses = Uses(lines, heads)

    def labels(self) -> dict[int, Label]:
        """Return the labels of speakers, by line."""
        labels = {
            use.at: use.label
            for use in self.uses.all
            if (use.key in self.speakers and not self._is_misplaced(use)) or use.at in self._once
        }
        labels = self._alone_too({self.uses.key(label) for label in labels.values()}) | labels
        if len(labels) < len(self._alone):
            labels |= self._alone
        names = {label.name for label in labels.values()}
        return {
            at: replace(label, name=self.uses.misspelt.get(label.name, label.name))
            for at, label in (dict(self._unspaced(names)) | labels).items()
        }

    def _is_misplaced(self, use: Use) -> bool:
        """Return whether a speaker's name stands where no turn begins: a task, or in the head of the file."""
        if not self.uses.rules(use):
            begin, end = self._usual_span
            return plain_key(use.label.name) != use.key or not begin <= use.at <= end
        return self.uses.is_task(use) or (self._are_timed and use.at < self._first_time)

    @cached_property
    def _first_time(self) -> int:
        return next((at for at, head in enumerate(self.heads) if head.stamp), 0)

    @cached_property
    def _usual_span(self) -> tuple[int, int]:
        """The lines of the first and the last speaker's label with a usual shape."""
        usual = [use.at for use in self.uses.all if use.key in self.speakers and self.uses.rules(use)]
        return (usual[0], usual[-1]) if usual else (0, len(self.lines))

    def doubted(self) -> list[str]:
        """Return names that score nearly enough for a speaker."""
        once = {use.key for use in self.uses.all if use.at in self._once}
        return [
            name.name
            for key, name in self._names.items()
            if MIN_DOUBTFUL_SCORE <= self._scores[key] < MIN_SCORE and key not in once
        ]

    @cached_property
    def speakers(self) -> frozenset[str]:
        """The keys of names that score enough, or nearly so in the shape of most that do."""
        sure = {key for key, score in self._scores.items() if score >= MIN_SCORE} - self._cue_names
        counts = Counter(use.shape for use in self.uses.plain)
        backed = Counter(use.shape for use in self.uses.plain if use.key in sure)
        near = {
            use.key
            for use in self.uses.plain
            if len(self._names[use.key].uses) > 1
            and self._scores[use.key] >= MIN_DOUBTFUL_SCORE
            and len(sure) > 1
            and use.key not in self._cue_names
            and backed[use.shape] >= MIN_BACKED_SHARE * counts[use.shape]
        }
        return frozenset(sure | near)

    @cached_property
    def _names(self) -> dict[str, _Name]:
        names: dict[str, _Name] = {}
        for use in self.uses.all:
            names.setdefault(use.key, _Name()).uses.append(use)
        for before, use in pairwise(self.uses.plain):
            if use.unit - before.unit <= 2 and use.key != before.key and use.shape == before.shape:
                for key in {use.key, before.key}:
                    names[key].answered += 1.5 if use.unit - before.unit == 1 else 1.0
        for name in names.values():
            name.answered = min(name.answered, 1.5 * len(name.uses))
        return names

    @cached_property
    def _scores(self) -> dict[str, float]:
        shapes = Counter(use.shape for use in self.uses.plain)
        headings = len(self.uses.all) - len(self.uses.plain)
        first = next((use for use in self.uses.plain if not is_link(use.rest)), None)
        links = sum(is_link(line.text) for line in self.lines[: first.at]) if first else 0
        begins = first is not None and first.unit <= headings + links
        scores = {}
        for key, name in self._names.items():
            shape = Counter(use.shape for use in name.uses).most_common(1)[0][0]
            bonus = 0.0
            if begins and first and shape == first.shape:
                bonus = 2.0 if key == first.key else 1.5
            covered = shapes[shape] / max(1, self.uses.units)
            score = name.score(covered, bonus) - 3.0 * (not any(map(self.uses.rules, name.uses)))
            score -= 4.0 * (2 * sum(map(self.uses.is_empty, name.uses)) > len(name.uses))
            score -= 4.0 * all(_lists_names(use.rest) and not self.heads[use.at].stamp for use in name.uses)
            score -= 3.0 * (self._are_timed and not any(self.heads[use.at].stamp for use in name.uses))
            score -= 3.0 * all(use.listed and self.uses.is_definition(use) for use in name.uses)
            if " " not in name.name and not _is_usual(name.name):  # "Ingredients", "Method", "Storage"
                score -= 1.0 * (not self._recurring and len(self._names) >= MIN_TERMS)
            if name.answered and is_turn_word(name.name):  # a question and its answer belong together
                score += 1.0
            scores[key] = score - self._metadata_score(name, covered)
        return scores

    def _is_cue(self, use: Use) -> bool:
        """Return whether the words after a label are in capitals or no sentence, unlike most others."""
        words = strip_marks(use.rest)
        if words.isupper():  # "OK." is none
            return len(words) >= MIN_CAPTION and self._cues[0]
        return bool(words) and use.begins_small and not ends_sentence(words) and self._cues[1]

    @cached_property
    def _cue_names(self) -> frozenset[str]:
        return frozenset(key for key, name in self._names.items() if all(map(self._is_cue, name.uses)))

    @cached_property
    def _cues(self) -> tuple[bool, bool]:
        """Whether most words after labels have small letters, and whether most are sentences."""
        uses = [use for use in self.uses.plain if use.rest]
        small = sum(not strip_marks(use.rest).isupper() for use in uses)
        whole = sum(ends_sentence(strip_marks(use.rest)) and not use.begins_small for use in uses)
        return 2 * small > len(uses), 2 * whole > len(uses)

    def _metadata_score(self, name: _Name, covered: float) -> float:
        """Score a name that occurs once as metadata of the file ("Location: Prague").

        It is metadata above the first heading, before a few words that are no sentence, or if it is not
        written like the names that recur.
        """
        use = name.uses[0]
        if len(name.uses) == 1 and not self._may_speak_once(use):
            return 9.0 if self._names_others(use) else 3.0
        if len(name.uses) == 1 and self._ends_talk(use):
            return 3.0
        if len(name.uses) > 1 or (self.uses.units < MIN_PARAGRAPHS and covered >= 0.4):
            return 0.0
        short = len(use.rest.split()) < 8 and not ends_sentence(use.rest)
        return 3.0 * (use.at < self._first_heading) + 2.0 * short

    def _ends_talk(self, use: Use) -> bool:
        """Return whether a label follows all that recur, and is set off or no name: "About the author:"."""
        last, full = self._recurring_uses
        if use.at < last or _is_usual(use.label.name):
            return False
        if self.heads[use.at].stamp or use.form in MACHINE_MADE:
            return False
        if self.lines[use.at].ruled or (use.at and self.lines[use.at - 1].level > 0):
            return True
        short = 0 < len(use.rest.split()) < 8 and not ends_sentence(use.rest)
        return short or (" " in use.label.name) != full

    @cached_property
    def _recurring_uses(self) -> tuple[int, bool]:
        """The line of the last label of a name that recurs, and whether most such names are full ones."""
        uses = [use for use in self.uses.plain if len(self._names[use.key].uses) > 1]
        full = 2 * sum(" " in use.label.name for use in uses) > len(uses)
        return (uses[-1].at, full) if uses else (len(self.lines), full)

    def _is_in_style(self, name: str) -> bool:
        """Return whether a name is written like those that recur: in as many words, in such letters."""
        if _is_usual(name):
            return True
        full, names, capitals = self._style
        in_words = (" " in name or not full) and (is_name(name) or not names)
        return in_words and (capitals or not (name.isupper() and len(name) > 3))

    def _may_speak_once(self, use: Use) -> bool:
        if self.heads[use.at].stamp or use.form in MACHINE_MADE:  # metadata has no time
            return True
        if self._are_timed:
            return False
        name = use.label.name
        if self.uses.is_definition(use) or self._names_others(use):
            return False
        if is_counted(name) and not any(map(is_counted, self._recurring)):
            return False
        return self._is_in_style(name) and self._is_answered(use)

    def _is_answered(self, use: Use) -> bool:
        """Return whether a name used once takes its turn between names that recur.

        Labels in a row that occur once ("Theorem: ...", "Proof: ...") are parts of what somebody says, unless
        several speakers recur and the label is more than a word.
        """
        name = use.label.name
        if not self._recurring or _is_usual(name):
            return True
        if len(self._recurring) > 1 and " " in name:
            return True
        return all(
            len(self._names[other.key].uses) > 1 or _is_usual(other.label.name)
            for other in self._beside[use.at]
        )

    @cached_property
    def _beside(self) -> dict[int, list[Use]]:
        """The uses of names before and behind each use, by its line."""
        return {
            use.at: [*self.uses.all[max(0, number - 1) : number], *self.uses.all[number + 1 : number + 2]]
            for number, use in enumerate(self.uses.all)
        }

    @cached_property
    def _are_timed(self) -> bool:
        """Whether nearly all labels of names that recur have a time."""
        timed = [
            bool(self.heads[use.at].stamp) for use in self.uses.plain if len(self._names[use.key].uses) > 1
        ]
        return sum(timed) >= max(MIN_TIMED_LABELS, MIN_TIMED_LABELS_SHARE * len(timed))

    @cached_property
    def _recurring(self) -> list[str]:
        """The names that recur, but for "Q" and "A"."""
        return [
            name.name
            for name in self._names.values()
            if len(name.uses) > 1 and not (is_heading(name.name) or is_turn_word(name.name))
        ]

    @cached_property
    def _style(self) -> tuple[bool, bool, bool]:
        """Return whether names are full ones, are written like names, and may be in capitals.

        They are those that recur, or if fewer than two do, three full names or more.
        """
        names = self._recurring
        if len(names) < 2:
            names = [name.name for name in self._names.values() if is_name(name.name) and " " in name.name]
            names = [name for name in names if not is_numbered(name)]
            if len(names) < 3:
                return False, False, True
        return all(" " in name for name in names), all(map(is_name, names)), any(map(str.isupper, names))

    def _names_others(self, use: Use) -> bool:
        """Return whether a label stands before names, a speaker's full one first: "Moderator: Ann Bell"."""
        if plain_key(strip_marks(self._rest(use))) in self._spellings:
            return True
        first = _FIRST_NAME.match(strip_marks(self._rest(use)[:MAX_NAMES_LENGTH]))
        if first is None or not is_name(first[0]) or plain_key(first[0]) == plain_key(use.label.name):
            return False
        words = plain_key(first[0]).split()
        return any(
            " ".join(words[begin:end]) in self._spellings
            for begin in range(len(words))
            for end in range(begin + 1, len(words) + 1)
        )

    def _rest(self, use: Use) -> str:
        """Return the words after a label, perhaps on the line below."""
        below = use.at + 1
        return use.rest or (self.lines[below].text.lstrip(": ") if below < len(self.lines) else "")

    @cached_property
    def _spellings(self) -> frozenset[str]:
        return frozenset(plain_key(use.label.name) for use in self.uses.all)

    @cached_property
    def _first_heading(self) -> int:
        return next((at for at, line in enumerate(self.lines) if line.level), 0)

    @cached_property
    def _once(self) -> frozenset[int]:
        """The lines of labels that occur once, with the form and the place of speakers'."""
        sure = [use for use in self.uses.all if use.key in self.speakers and self.uses.rules(use)]
        shapes = {use.shape for use in sure}
        units = {use.unit for use in sure}
        near = {unit + step for unit in units for step in range(-MAX_DISTANCE, MAX_DISTANCE + 1)}
        return frozenset(
            use.at
            for use in self.uses.all
            if use.key not in self.speakers | self._cue_names and use.unit in near
            if use.shape in shapes or (self.heads[use.at].stamp and _is_usual(use.label.name))
            if self._is_speaker_once(use, units)
        )

    def _is_speaker_once(self, use: Use, units: set[int]) -> bool:
        name = use.label.name
        if is_remark(name) or use.form == "nick":
            return True
        is_nickname = " " not in name and is_clean(name)
        if not use.opens or is_heading(name) or not (is_name(name) or is_nickname):
            return False
        if self._ends_talk(use):
            return False
        if not self._may_speak_once(use):
            return False
        if is_name(name) and use.form in STANDS_OUT and not use.noted:
            return True
        between = use.unit - 1 in units and (use.unit + 1 in units or use.unit + 1 == self.uses.units)
        return between and not is_link(use.rest)

    @cached_property
    def _alone(self) -> dict[int, Label]:
        """Names that fill lines of their own, if at least two of them recur.

        Single words ("Yes") do not count; a name with a role ("Analyst") may occur once.
        """
        alone = {
            at: (head.label, head.role)
            for at, head in enumerate(self.heads)
            if head.alone and head.label and not self.lines[at].level
        }
        counts = Counter(
            self.uses.key(label) for label, _ in alone.values() if " " in label.name or is_role(label.name)
        )
        recurring = {key for key, count in counts.items() if count > 1}
        labels = {
            at: label for at, (label, role) in alone.items() if self.uses.key(label) in recurring or role
        }
        speaking = sum(at + 1 < len(self.lines) and at + 1 not in labels for at in labels)
        # Names below each other without words in between are a list, or the talk itself.
        return labels if len(recurring) > 1 and 2 * speaking > len(labels) else {}

    def _alone_too(self, speaking: Collection[str]) -> dict[int, Label]:
        """Return names that fill lines of their own, of those who speak under other labels as well.

        Only names in bold type count, or in a file whose other labels fill lines without a time. A role
        ("Operator") may have no other label there.
        """
        fill = any(use.form == "header" and not self.heads[use.at].stamp for use in self.uses.all)
        return {
            at: head.label
            for at, head in enumerate(self.heads)
            if head.alone and head.label and not self.lines[at].level
            if fill or self.lines[at].text.startswith(BOLD)
            if self.uses.key(head.label) in speaking or (speaking and is_role(head.label.name))
        }

    def _unspaced(self, names: set[str]) -> Iterator[tuple[int, Label]]:
        """Yield labels of known speakers without a space after their colon ("Ann:Hello")."""
        for at, (line, head) in enumerate(zip(self.lines, self.heads, strict=True)):
            name, colon, rest = line.text[:80].partition(":")
            if line.opens and not line.level and not head.label and colon and rest and name in names:
                yield at, Label(name, len(name) + 1)
