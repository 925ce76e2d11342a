"""How a document says who speaks: which of its labels are speakers', and how far their words reach.

A colon after a few words is weak evidence, and so is a paragraph below one that has a name. What decides is
the layout of the whole file. Each name that stands before words is scored: how often it comes back, how it
is written, whether others answer it, how much of the file has such labels. A name that comes once is
believed where it has the form and the place of those that are. Whoever is named speaks on over later
paragraphs only in a file that is labelled from its beginning on: in a lecture with questions in between, the
paragraph below an answer is the lecture again. Where the layout does not say, nobody is named, and a remark
says so.
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

ENOUGH = 3.5
"""The score from which on a name before words is a speaker's."""
DOUBTED = 2.5
"""The score from which on a name that is taken for words is remarked on."""
SHORT = 40
"""Words above the first label that say nothing of the rest: a title, a date, a greeting."""
PRELUDE = 0.04
"""The share of its words that a file labelled from its beginning on may have above the first label."""
SUMMARY = 0.15
"""The same, where a heading stands between ("Transcript")."""
HABIT = 0.04
"""The share of paragraphs without a label from which on going on so is a file's habit."""
FEW = 8
"""Paragraphs: a shorter file may be all there is of a talk, in which everybody speaks once."""
DENSE = {False: 0.25, True: 0.1}
"""The share of paragraphs with a label below which a file is no dialogue; of labels that stand out."""
LECTURE = 0.35
"""The share of a file's words that nobody says below one label while others answer one another."""
MACHINE_MADE = frozenset({"header", "screen", "timed"})
"""Forms of labels that programs write above every turn: what stands below is said by nobody else."""
STANDS_OUT = MACHINE_MADE | {"bold"}
"""Forms that nobody leaves out where somebody else begins."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What a document says of its lines, by their position in it.

    `labels` are those of speakers; at the lines in `nobody` whoever has been speaking stops, and who goes on
    is not known.
    """

    labels: Mapping[int, Label]
    nobody: frozenset[int]
    warnings: tuple[str, ...] = ()


def layout(lines: Sequence[Line], heads: Sequence[Head]) -> Layout:
    """The layout of a document whose lines have these heads."""
    names = _Names(lines, heads)
    labels = names.labels()
    flow = _Flow(lines, heads, names, labels)
    nobody = frozenset(flow.nobody())
    return Layout(labels, nobody, tuple(_warnings(lines, names, nobody)))


def exact_layout(lines: Sequence[Line], heads: Sequence[Head]) -> Layout:
    """The layout of a document that names the speaker of every turn in bold type: what names nobody is
    nobody's."""
    labels = {at: head.label for at, head in enumerate(heads) if head.label and head.form == "bold"}
    return Layout(labels, frozenset(at for at, line in enumerate(lines) if line.opens and at not in labels))


def _warnings(lines: Sequence[Line], names: _Names, nobody: frozenset[int]) -> Iterator[str]:
    if nobody:
        first = lines[min(nobody)].number
        yield (
            f"paragraphs below a speaker's words that may be somebody else's: {len(nobody)}, first in line "
            f"{first}; they name nobody"
        )
    if doubted := names.doubted():
        shown = ", ".join(repr(name) for name in doubted[:5])
        yield f"perhaps speakers, but taken for words: {shown}"


# ---------------------------------------------------------------- which labels are speakers'


@dataclass(frozen=True, slots=True)
class _Use:
    """A label that may be a speaker's, in a paragraph (`unit`). `opens` says that somebody may begin there;
    `noted` that it stands in a list whose points mostly have no label."""

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
        """Labels of one kind look alike: a colon that ends its line is another sign than one before words."""
        return self.form, self.form == "colon" and not self.rest


@dataclass(slots=True)
class _Name:
    """All uses of one name before words; `answered` adds 1.5 for each right beside a paragraph with another
    name, and 1 for each with one paragraph in between."""

    uses: list[_Use] = field(default_factory=list)
    answered: float = 0.0

    @property
    def name(self) -> str:
        return self.uses[0].label.name

    def score(self, covered: float, begins: float) -> float:
        """How much speaks for a speaker. For it: the name comes back, is written like one, stands out, others
        answer it, and the file has such labels throughout and from its beginning on. Against it: it is a
        heading's word, links follow it, it stands in lists or amid sentences, or is no name at all."""
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
    """How much a label is written like somebody's name."""
    if is_numbered(name):
        return 4.0
    if is_role(name) or is_turn_word(name):
        return 2.0
    if is_name(name):
        return 1.5 if " " in name else 0.5
    return 0.0 if is_clean(name) else -3.0


class _Names:
    """The names before words in a document, and which of them are speakers'."""

    def __init__(self, lines: Sequence[Line], heads: Sequence[Head]) -> None:
        self.lines = lines
        self.heads = heads
        self.uses = list(self._uses())

    def labels(self) -> dict[int, Label]:
        """The labels of speakers, by line."""
        found = {use.at: use.label for use in self.uses if use.key in self.speakers or use.at in self._once}
        if len(found) < len(self._alone):
            found |= self._alone
        names = {label.name for label in found.values()}
        return dict(self._unspaced(names)) | found

    def doubted(self) -> list[str]:
        """Names that are no speakers', but might have been."""
        once = {use.key for use in self.uses if use.at in self._once}
        return [
            name.name
            for key, name in self._names.items()
            if DOUBTED <= self._scores[key] < ENOUGH and key not in once
        ]

    @cached_property
    def speakers(self) -> frozenset[str]:
        """The keys of names that score enough."""
        return frozenset(key for key, score in self._scores.items() if score >= ENOUGH)

    def _uses(self) -> Iterator[_Use]:
        before, unit = "", -1
        listed = [bool(head.label) for line, head in zip(self.lines, self.heads, strict=True) if line.listed]
        notes = 2 * sum(listed) < len(listed)
        for at, (line, head) in enumerate(zip(self.lines, self.heads, strict=True)):
            if line.level:
                before = ""
                continue
            stamped = head.alone and self._is_stamped(at)
            named = head.label is not None and (stamped or not head.alone)
            unit += line.opens or named
            if named and head.label:
                rest = line.text[head.label.end :]
                opens = stamped or line.opens or ends_sentence(before)
                form = "header" if stamped else head.form
                yield _Use(at, unit, head.label, form, rest, opens, line.listed and notes)
            before = line.text[head.words :]

    def _is_stamped(self, at: int) -> bool:
        """Whether a name alone on its line has a time before it, there or on a line of its own, and words
        below it."""
        below = self.heads[at + 1] if at + 1 < len(self.heads) else None
        if below is None or below.alone or below.stamp or self.lines[at + 1].level:
            return False
        above = self.heads[at - 1] if at else None
        alone = above is not None and above.stamp and not self.lines[at - 1].text[above.words :]
        return bool(self.heads[at].stamp) or bool(alone)

    @cached_property
    def forms(self) -> Mapping[int, str]:
        """How the labels are marked, by line."""
        return {use.at: use.form for use in self.uses}

    @cached_property
    def units(self) -> int:
        """How many paragraphs there are, counting each label as a beginning of one."""
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
        begins = first is not None and first.unit <= headings + self._links_above(first.at)
        scores = {}
        for key, name in self._names.items():
            shape = Counter(use.shape for use in name.uses).most_common(1)[0][0]
            bonus = 0.0
            if begins and first and shape == first.shape:
                bonus = 2.0 if key == first.key else 1.5
            covered = shapes[shape] / max(1, self.units)
            scores[key] = (
                name.score(covered, bonus) + self._turn_words(key) - self._of_the_file(name, covered)
            )
        return scores

    def _of_the_file(self, name: _Name, covered: float) -> float:
        """How much a name that comes once tells of the file ("Location: Prague"): it stands above the first
        heading, or what follows is a few words and no sentence."""
        use = name.uses[0]
        if len(name.uses) > 1 or (self.units < FEW and covered >= 0.4):
            return 0.0
        short = len(use.rest.split()) < 8 and not ends_sentence(use.rest)
        return 3.0 * (use.at < self._first_heading) + 2.0 * short

    @cached_property
    def _first_heading(self) -> int:
        return next((at for at, line in enumerate(self.lines) if line.level), 0)

    def _links_above(self, at: int) -> int:
        return sum(is_link(line.text) for line in self.lines[:at])

    def _turn_words(self, key: str) -> float:
        """A question and its answer belong together, even once."""
        name = self._names[key]
        return 1.0 if name.answered and is_turn_word(name.name) else 0.0

    @cached_property
    def _once(self) -> frozenset[int]:
        """The lines of labels that have the form of speakers', and stand where one would."""
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
        if not use.opens or is_heading(name) or not (is_name(name) or _is_nickname(name)):
            return False
        if is_name(name) and use.form in STANDS_OUT and not use.noted:
            return True
        between = use.unit - 1 in units and (use.unit + 1 in units or use.unit + 1 == self.units)
        return between and not is_link(use.rest)

    @cached_property
    def _alone(self) -> dict[int, Label]:
        """Names that fill lines of their own, if at least two of them come back. Single words ("Yes") are
        none; with a role ("Analyst") a name may come once."""
        alone = {
            at: (head.label, head.role)
            for at, head in enumerate(self.heads)
            if head.alone and head.label and not self.lines[at].level
        }
        counts = Counter(
            label.name for label, _ in alone.values() if " " in label.name or is_role(label.name)
        )
        back = {name for name, count in counts.items() if count > 1}
        labels = {at: label for at, (label, role) in alone.items() if label.name in back or role}
        speaking = sum(at + 1 < len(self.lines) and at + 1 not in labels for at in labels)
        # Names one below the other, without words in between, are a list or the talk itself.
        return labels if len(back) > 1 and 2 * speaking > len(labels) else {}

    def _unspaced(self, names: set[str]) -> Iterator[tuple[int, Label]]:
        """Labels without a blank behind their colon ("Ann:Hello"), of names that are known to speak."""
        for at, (line, head) in enumerate(zip(self.lines, self.heads, strict=True)):
            name, colon, rest = line.text[:80].partition(":")
            if line.opens and not line.level and not head.label and colon and rest and name in names:
                yield at, Label(name, len(name) + 1)


def _is_nickname(name: str) -> bool:
    return " " not in name and is_clean(name)


# ---------------------------------------------------------------- how far their words reach


class _Flow:
    """Where in a document whoever has been speaking stops, because nothing says that they go on."""

    def __init__(
        self, lines: Sequence[Line], heads: Sequence[Head], names: _Names, labels: Mapping[int, Label]
    ) -> None:
        self.lines = lines
        self.heads = heads
        self.labels = labels
        self.forms = names.forms
        self.units = names.units
        self.words = [
            0 if line.level else _count(line, head) for line, head in zip(lines, heads, strict=True)
        ]

    def nobody(self) -> Iterator[int]:
        """The lines at which nobody known goes on."""
        for begin, end in self._runs():
            if at := next((at for at in self._below(begin, end) if not self._goes_on(begin, at, end)), None):
                yield at

    def _runs(self) -> Iterator[tuple[int, int]]:
        """The lines of labels, each with that of the next one."""
        yield from pairwise([*sorted(self.labels), len(self.lines)])

    def _below(self, begin: int, end: int) -> Iterator[int]:
        """The paragraphs below a label; of one without words behind it, the first belongs to it."""
        fresh = not strip_marks(self.lines[begin].text[self.labels[begin].end :])
        for at in range(begin + 1, end):
            if self.lines[at].level or not self.words[at]:
                continue
            if fresh:
                fresh = False
            elif self.lines[at].opens:
                yield at

    def _form(self, begin: int) -> str:
        form, head = self.forms.get(begin, self.heads[begin].form), self.heads[begin]
        alone = head.stamp and head.label and not self.lines[begin].text[head.label.end :]
        return "header" if alone and form == "bold" else form

    def _goes_on(self, begin: int, at: int, end: int) -> bool:
        form, name = self._form(begin), self.labels[begin].name
        if form in MACHINE_MADE:
            return True
        if is_link(self.lines[at].text) or is_asker(name) or not self._is_dialogue(form):
            return False
        if begin in self._lectures:
            return False
        if form in STANDS_OUT or form == "alone":
            return True
        headed = any(line.level for line in self.lines[begin + 1 : at])
        return self._habit >= HABIT and not headed and not is_aside(self.lines[at].text)

    def _is_dialogue(self, form: str) -> bool:
        """Whether the file is labelled from its beginning on, and often enough."""
        dense = len(self.labels) >= DENSE[form in STANDS_OUT or form == "alone"] * self.units
        return dense and self._begins

    @cached_property
    def _begins(self) -> bool:
        first = min(self.labels, default=0)
        above = sum(self.words[at] for at in range(first) if not self._is_metadata(at))
        total = sum(self.words)
        if above <= max(SHORT, PRELUDE * total):
            return True
        headed = first > 0 and self.lines[first - 1].level > 0
        return headed and above <= SUMMARY * total and len(self.labels) >= 0.4 * self.units

    def _is_metadata(self, at: int) -> bool:
        """Whether a line above the talk tells of it: a link, "Date: ...", a heading's word."""
        label = self.heads[at].label
        return is_link(self.lines[at].text) or (label is not None and (is_heading(label.name)))

    @cached_property
    def _habit(self) -> float:
        """The share of paragraphs without a label, from the first label on, that talk may go on in."""
        plain = sum(
            not is_link(self.lines[at].text) and not is_aside(self.lines[at].text)
            for begin, end in self._runs()
            for at in self._below(begin, end)
        )
        return plain / max(1, plain + len(self.labels))

    @cached_property
    def _lectures(self) -> frozenset[int]:
        """Labels with a whole lecture below them, in a file in which others answer one another."""
        if len({label.name for label in self.labels.values()}) < 2:
            return frozenset()
        total = sum(self.words)
        runs = {begin: list(self._below(begin, end)) for begin, end in self._runs()}
        return frozenset(
            begin
            for begin, below in runs.items()
            if len(below) > 4 and sum(self.words[at] for at in below) > LECTURE * total
        )


def _count(line: Line, head: Head) -> int:
    """How many words of talk a line has at most."""
    return len(strip_marks(line.text[head.label.end if head.label else head.words :]).split())
