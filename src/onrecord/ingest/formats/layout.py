"""The layout of a document: which of its labels name speakers, and how far their words reach.

A colon after a few words is weak evidence, and so is a paragraph below a labelled one. The layout of the
whole file decides. Each name before words has a score: how often it recurs, how it is written, whether others
answer it, how much of the file has such labels. A name that occurs once is a speaker if it has the form and
the place of those that are.

A speaker goes on over later paragraphs only in a file with labels from its beginning on: in a lecture with
questions in between, the paragraph below an answer is the lecture again. If the layout leaves it open, the
paragraph has no speaker, and a warning says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from onrecord.ingest.formats.heads import Head
from onrecord.ingest.formats.labels import (
    Label,
    ends_sentence,
    is_asker,
    is_clean,
    is_heading,
    is_name,
    is_numbered,
    is_remark,
    is_role,
    is_turn_word,
)
from onrecord.ingest.formats.lines import Line, is_aside, is_link, strip_marks

MIN_SCORE = 3.5
"""The least score of a speaker's name."""
MIN_DOUBTFUL_SCORE = 2.5
"""The least score of a name to warn about that is read as words."""
MAX_PREAMBLE = 40
"""The most words above the first label that may be a title, a date or a greeting."""
MAX_PREAMBLE_SHARE = 0.04
"""The largest share of words above the first label of a file with labels from its beginning on."""
MAX_SUMMARY_SHARE = 0.15
"""The same, with a heading between ("Transcript")."""
MIN_UNLABELLED_SHARE = 0.04
"""With this share of paragraphs without a label, a file's speakers go on over paragraphs."""
MIN_PARAGRAPHS = 8
"""In a file of fewer paragraphs everybody may speak once."""
MIN_LABEL_SHARE = {False: 0.25, True: 0.1}
"""The least share of paragraphs with a label in a dialogue; True: of labels that stand out."""
MIN_LECTURE_SHARE = 0.35
"""With this share of a file's words below it, a label is followed by a lecture."""
MAX_CAPITALS_SHARE = 0.5
"""In a file with a larger share of lines in capitals, capitals tell nothing."""
MIN_TIMED_SHARE = 0.6
"""If this share of the times before words stands before labels, the others begin an unknown speaker."""
MACHINE_MADE = frozenset({"header", "screen", "timed"})
"""Forms of labels that programs write above every turn, so that all words below are the speaker's."""
STANDS_OUT = MACHINE_MADE | {"bold"}
"""Forms that no writer omits when the speaker changes."""


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
    flow = _Flow(lines, heads, names, labels)
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


@dataclass(frozen=True, slots=True)
class _Use:
    """A possible speaker's label in a paragraph (`unit`).

    A speaker may begin at one that `opens`; `noted` ones stand in a list whose items mostly have no label.
    """

    at: int
    unit: int
    label: Label
    form: str
    rest: str
    opens: bool
    noted: bool

    @property
    def key(self) -> str:
        return self.label.name.casefold()

    @property
    def shape(self) -> tuple[str, bool]:
        """The look of the label: a colon that ends its line differs from one before words."""
        return self.form, self.form == "colon" and not self.rest


@dataclass(slots=True)
class _Name:
    """All uses of one name before words.

    `answered` adds 1.5 for each right beside a paragraph with another name, 1 for each with one in between.
    """

    uses: list[_Use] = field(default_factory=list)
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


class _Names:
    """The names before words in a document, scored as speakers'."""

    def __init__(self, lines: Sequence[Line], heads: Sequence[Head]) -> None:
        self.lines = lines
        self.heads = heads
        self.uses = list(self._uses())

    def labels(self) -> dict[int, Label]:
        """Return the labels of speakers, by line."""
        labels = {
            use.at: use.label
            for use in self.uses
            if (use.key in self.speakers and not self._is_task(use)) or use.at in self._once
        }
        if len(labels) < len(self._alone):
            labels |= self._alone
        names = {label.name for label in labels.values()}
        return dict(self._unspaced(names)) | labels

    def _is_task(self, use: _Use) -> bool:
        """Return whether a label stands in a list, whose other uses do not ("- Ann: send the figures")."""
        listed = [self.lines[other.at].listed for other in self._names[use.key].uses]
        return self.lines[use.at].listed and 2 * sum(listed) <= len(listed)

    def doubted(self) -> list[str]:
        """Return names that score nearly enough for a speaker."""
        once = {use.key for use in self.uses if use.at in self._once}
        return [
            name.name
            for key, name in self._names.items()
            if MIN_DOUBTFUL_SCORE <= self._scores[key] < MIN_SCORE and key not in once
        ]

    @cached_property
    def speakers(self) -> frozenset[str]:
        """The keys of names that score enough."""
        return frozenset(key for key, score in self._scores.items() if score >= MIN_SCORE)

    def _uses(self) -> Iterator[_Use]:
        text_before, unit = "", -1
        listed = [bool(head.label) for line, head in zip(self.lines, self.heads, strict=True) if line.listed]
        notes = 2 * sum(listed) < len(listed)
        for at, (line, head) in enumerate(zip(self.lines, self.heads, strict=True)):
            if line.level:
                text_before = ""
                continue
            stamped = head.alone and self._is_stamped(at)
            named = head.label is not None and (stamped or not head.alone)
            unit += line.opens or named
            if named and head.label:
                rest = line.text[head.label.end :]
                opens = stamped or line.opens or ends_sentence(text_before)
                form = "header" if stamped else head.form
                yield _Use(at, unit, head.label, form, rest, opens, line.listed and notes)
            text_before = line.text[head.words :]

    def _is_stamped(self, at: int) -> bool:
        """Return whether a name that fills a line has a time, there or a line above, and words below."""
        below = self.heads[at + 1] if at + 1 < len(self.heads) else None
        if below is None or below.alone or below.stamp or self.lines[at + 1].level:
            return False
        above = self.heads[at - 1] if at else None
        alone = above is not None and above.stamp and not self.lines[at - 1].text[above.words :]
        return bool(self.heads[at].stamp) or bool(alone)

    @cached_property
    def forms(self) -> Mapping[int, str]:
        """The forms of the labels, by line."""
        return {use.at: use.form for use in self.uses}

    @cached_property
    def units(self) -> int:
        """The number of paragraphs, each label beginning one."""
        named = {use.at for use in self.uses}
        return sum(not line.level and (line.opens or at in named) for at, line in enumerate(self.lines))

    @cached_property
    def _names(self) -> dict[str, _Name]:
        names: dict[str, _Name] = {}
        for use in self.uses:
            names.setdefault(use.key, _Name()).uses.append(use)
        for before, use in pairwise(use for use in self.uses if not is_heading(use.label.name)):
            if use.unit - before.unit <= 2 and use.key != before.key and use.shape == before.shape:
                for key in {use.key, before.key}:
                    names[key].answered += 1.5 if use.unit - before.unit == 1 else 1.0
        for name in names.values():
            name.answered = min(name.answered, 1.5 * len(name.uses))
        return names

    @cached_property
    def _scores(self) -> dict[str, float]:
        plain = [use for use in self.uses if not is_heading(use.label.name)]
        shapes = Counter(use.shape for use in plain)
        headings = len(self.uses) - len(plain)
        first = next((use for use in plain if not is_link(use.rest)), None)
        links = sum(is_link(line.text) for line in self.lines[: first.at]) if first else 0
        begins = first is not None and first.unit <= headings + links
        scores = {}
        for key, name in self._names.items():
            shape = Counter(use.shape for use in name.uses).most_common(1)[0][0]
            bonus = 0.0
            if begins and first and shape == first.shape:
                bonus = 2.0 if key == first.key else 1.5
            covered = shapes[shape] / max(1, self.units)
            score = name.score(covered, bonus)
            if name.answered and is_turn_word(name.name):  # a question and its answer belong together
                score += 1.0
            scores[key] = score - self._metadata_score(name, covered)
        return scores

    def _metadata_score(self, name: _Name, covered: float) -> float:
        """Score a name that occurs once as metadata of the file ("Location: Prague").

        It is metadata above the first heading, before a few words that are no sentence, or if it is not
        written like the names that recur.
        """
        use = name.uses[0]
        if len(name.uses) == 1 and not (self._is_in_style(use.label.name) and self._is_answered(use)):
            return 3.0
        if len(name.uses) > 1 or (self.units < MIN_PARAGRAPHS and covered >= 0.4):
            return 0.0
        short = len(use.rest.split()) < 8 and not ends_sentence(use.rest)
        return 3.0 * (use.at < self._first_heading) + 2.0 * short

    def _is_in_style(self, name: str) -> bool:
        """Return whether a name is written like those that recur: in as many words, in such letters."""
        if len(self._recurring) < 2 or is_role(name) or is_turn_word(name) or is_numbered(name):
            return True
        if all(" " in other for other in self._recurring) and " " not in name:
            return False
        if all(map(is_name, self._recurring)) and not is_name(name):
            return False
        return any(other.isupper() for other in self._recurring) or not (name.isupper() and len(name) > 3)

    def _is_answered(self, use: _Use) -> bool:
        """Return whether a single word used once takes its turn between speakers.

        In a dialogue of several, words in a row that occur once ("Theorem: ...", "Proof: ...") are parts of
        what one of them says.
        """
        name = use.label.name
        if len(self._recurring) < 2 or " " in name or is_role(name) or is_turn_word(name):
            return True
        at = self.uses.index(use)
        beside = [other for other in self.uses[max(0, at - 1) : at + 2] if other is not use]
        return all(len(self._names[other.key].uses) > 1 for other in beside)

    @cached_property
    def _recurring(self) -> list[str]:
        return [
            name.name for name in self._names.values() if len(name.uses) > 1 and not is_heading(name.name)
        ]

    @cached_property
    def _first_heading(self) -> int:
        return next((at for at, line in enumerate(self.lines) if line.level), 0)

    @cached_property
    def _once(self) -> frozenset[int]:
        """The lines of labels that occur once, with the form and the place of speakers'."""
        sure = [use for use in self.uses if use.key in self.speakers]
        shapes = {use.shape for use in sure}
        units = {use.unit for use in sure}
        return frozenset(
            use.at
            for use in self.uses
            if use.shape in shapes and use.key not in self.speakers and self._is_speaker_once(use, units)
        )

    def _is_speaker_once(self, use: _Use, units: set[int]) -> bool:
        name = use.label.name
        if is_remark(name):
            return True
        is_nickname = " " not in name and is_clean(name)
        if not use.opens or is_heading(name) or not (is_name(name) or is_nickname):
            return False
        if not self._is_in_style(name) or not self._is_answered(use):
            return False
        if is_name(name) and use.form in STANDS_OUT and not use.noted:
            return True
        between = use.unit - 1 in units and (use.unit + 1 in units or use.unit + 1 == self.units)
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
            label.name for label, _ in alone.values() if " " in label.name or is_role(label.name)
        )
        recurring = {name for name, count in counts.items() if count > 1}
        labels = {at: label for at, (label, role) in alone.items() if label.name in recurring or role}
        speaking = sum(at + 1 < len(self.lines) and at + 1 not in labels for at in labels)
        # Names below each other without words in between are a list, or the talk itself.
        return labels if len(recurring) > 1 and 2 * speaking > len(labels) else {}

    def _unspaced(self, names: set[str]) -> Iterator[tuple[int, Label]]:
        """Yield labels of known speakers without a space after their colon ("Ann:Hello")."""
        for at, (line, head) in enumerate(zip(self.lines, self.heads, strict=True)):
            name, colon, rest = line.text[:80].partition(":")
            if line.opens and not line.level and not head.label and colon and rest and name in names:
                yield at, Label(name, len(name) + 1)


# ---------------------------------------------------------------- how far their words reach


class _Flow:
    """Finds where the speakers of a document stop because nothing shows that they go on."""

    def __init__(
        self, lines: Sequence[Line], heads: Sequence[Head], names: _Names, labels: Mapping[int, Label]
    ) -> None:
        self.lines = lines
        self.heads = heads
        self.labels = labels
        self.forms = names.forms
        self.units = names.units
        self.words = [
            0 if line.level else _count_words(line, head, labels.get(at))
            for at, (line, head) in enumerate(zip(lines, heads, strict=True))
        ]

    def nobody(self) -> Iterator[int]:
        """Yield the lines from which on nobody known speaks."""
        for begin, end in self._runs():
            if at := next((at for at in self._below(begin, end) if not self._goes_on(begin, at)), None):
                yield at

    def _runs(self) -> Iterator[tuple[int, int]]:
        """Yield the line of each label with that of the next one."""
        yield from pairwise([*sorted(self.labels), len(self.lines)])

    def _below(self, begin: int, end: int) -> Iterator[int]:
        """Yield the paragraphs below a label; if it has no words, the first belongs to it."""
        fresh = not strip_marks(self.lines[begin].text[self.labels[begin].end :])
        for at in range(begin + 1, end):
            if self.lines[at].level or not self.words[at]:
                continue
            if fresh:
                fresh = False
            elif self.lines[at].opens or self._is_foreign(begin, at):
                yield at

    def _form(self, begin: int) -> str:
        form, head = self.forms.get(begin, self.heads[begin].form), self.heads[begin]
        alone = head.stamp and head.label and not self.lines[begin].text[head.label.end :]
        return "header" if alone and form == "bold" else form

    def _goes_on(self, begin: int, at: int) -> bool:
        form, name = self._form(begin), self.labels[begin].name
        if form in MACHINE_MADE:
            return True
        if self._is_foreign(begin, at) or is_asker(name) or not self._is_dialogue(form):
            return False
        if begin in self._lectures:
            return False
        headed = any(line.level for line in self.lines[begin + 1 : at])
        if form in STANDS_OUT or form == "alone":
            return not (headed and self._headings_before_labels)
        return self._habit >= MIN_UNLABELLED_SHARE and not headed and not is_aside(self.lines[at].text)

    def _is_foreign(self, begin: int, at: int) -> bool:
        """Return whether a line begins like another turn, but with no speaker.

        It is a link, perhaps after a label ("**Links:** ..."), has a name in the form of the speaker's that
        is none, or a time in a file whose times stand before labels.
        """
        line, head = self.lines[at], self.heads[at]
        if is_link(line.text) or (head.words and not head.label and self._times_labels):
            return True
        if self._is_caption(line):
            return True
        if head.label is None or head.alone or head.form != self._form(begin):
            return False
        return is_link(line.text[head.label.end :]) or is_name(head.label.name)

    def _is_caption(self, line: Line) -> bool:
        """Return whether a line is in capitals alone, in a file that is not: "END OF TAPE ONE"."""
        words = line.words
        return words.isupper() and " " in words and not ends_sentence(words) and self._has_small_letters

    @cached_property
    def _has_small_letters(self) -> bool:
        return sum(line.words.isupper() for line in self.lines) < MAX_CAPITALS_SHARE * len(self.lines)

    @cached_property
    def _headings_before_labels(self) -> bool:
        """Whether below most headings a speaker is named first, so that other words there are nobody's."""
        below = [
            at + 1 for at in range(min(self.labels, default=0), len(self.lines) - 1) if self.lines[at].level
        ]
        return bool(below) and sum(at in self.labels for at in below) >= 0.5 * len(below)

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
