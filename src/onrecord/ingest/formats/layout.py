"""The layout of a document: which labels name speakers, and where each speaker's turn ends.

A colon after a few words is weak evidence for a speaker, and so is a position below a labeled paragraph for
speech. The layout of the whole file decides. Each name before words has a score
(`onrecord.ingest.formats.name_scores`). A name that occurs once is a speaker if it has the form and the
position of the sure speakers.

`onrecord.ingest.formats.continuation` decides where a turn ends. If words are not surely the speaker's
(`onrecord.ingest.formats.confidence`), they get no speaker, and a warning says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from onrecord.ingest.formats.confidence import Confidence
from onrecord.ingest.formats.continuation import Continuation
from onrecord.ingest.formats.heads import Head
from onrecord.ingest.formats.labels import Label, is_role, is_usual
from onrecord.ingest.formats.lines import BOLD, Line
from onrecord.ingest.formats.name_scores import NameScores
from onrecord.ingest.formats.reports import reported
from onrecord.ingest.formats.shapes import Use, Uses
from onrecord.ingest.formats.single_names import SingleNames, first_name
from onrecord.ingest.formats.spellings import plain_key
from onrecord.ingest.formats.turns import Turns

MAX_DISTANCE = 3
"""The maximum distance, in paragraphs, from a name that occurs once to the label of a sure speaker."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The speakers' labels of a document, by line index, and the lines where turns end.

    From each line in `nobody` on, the speaker is unknown. Nobody says the lines in `asides`, below which the
    turn goes on. The labels on the lines in `doubtful` may not name speakers.
    """

    labels: Mapping[int, Label]
    nobody: frozenset[int]
    asides: frozenset[int] = frozenset()
    doubtful: frozenset[int] = frozenset()
    warnings: tuple[str, ...] = ()

    def without(self, silent: frozenset[int]) -> Layout:
        """Return the layout without the labels on `silent` lines, which become words of nobody known."""
        labels = {at: label for at, label in self.labels.items() if at not in silent}
        return replace(self, labels=labels, nobody=self.nobody | silent, doubtful=self.doubtful - silent)

    def moved(self, by: int) -> Layout:
        """Return the layout for the same lines below `by` other lines."""
        return replace(
            self,
            labels={at + by: label for at, label in self.labels.items()},
            nobody=frozenset(at + by for at in self.nobody),
            asides=frozenset(at + by for at in self.asides),
            doubtful=frozenset(at + by for at in self.doubtful),
        )


def read_layout(lines: Sequence[Line], heads: Sequence[Head]) -> Layout:
    """Return the layout of a document whose lines have these heads."""
    uses = Uses(lines, heads)
    speakers = _Speakers(lines, heads, uses)
    labels = speakers.labels()
    turns = Turns(lines, heads, labels, uses)
    confidence = Confidence(turns)
    unlike = frozenset(begin for begin, end in turns.runs if not confidence.is_label(begin, end))
    doubtful = unlike | reported(turns)
    continuation = Continuation(turns, confidence)
    nobody = frozenset(continuation.nobody())
    warnings = []
    if nobody:
        warnings.append(
            f"paragraphs below a speaker's words that somebody else may say: {len(nobody)}, first in line "
            f"{lines[min(nobody)].number}; they have no speaker"
        )
    names = [*speakers.doubtful(), *dict.fromkeys(labels[at].name for at in sorted(doubtful))]
    if names:
        warnings.append(f"perhaps speakers, but read as words: {', '.join(map(repr, names[:5]))}")
    return Layout(labels, nobody, continuation.asides, doubtful, tuple(warnings))


def exact_layout(lines: Sequence[Line], heads: Sequence[Head]) -> Layout:
    """Return the layout of a document that names the speaker of every turn in bold type."""
    labels = {at: head.label for at, head in enumerate(heads) if head.label and head.form == "bold"}
    return Layout(labels, frozenset(at for at, line in enumerate(lines) if line.opens and at not in labels))


class _Speakers:
    """A finder of the labels that name speakers in a document."""

    def __init__(self, lines: Sequence[Line], heads: Sequence[Head], uses: Uses) -> None:
        self._lines = lines
        self._heads = heads
        self._uses = uses
        self._singles = SingleNames(lines, uses)
        self._scores = NameScores(lines, uses, self._singles)

    def labels(self) -> dict[int, Label]:
        """Return the labels of speakers, by line."""
        labels = {
            use.at: use.label
            for use in self._uses.all
            if use.at in self._once or (use.key in self._scores.speakers and not self._is_misplaced(use))
        }
        labels = self._lone_too({self._uses.key(label) for label in labels.values()}) | labels
        lone = self._lone_speakers()
        if len(labels) < len(lone):
            labels |= lone
        labels = self._unspaced({label.name for label in labels.values()}) | labels
        if 0 in labels and self._heads[0].alone and not self._heads[0].stamp and not is_usual(labels[0].name):
            key = self._uses.key(labels[0])
            if sum(self._uses.key(label) == key for label in labels.values()) == 1:
                del labels[0]  # a label that fills the first line and occurs once is the title of the talk
        usual = self._uses.misspelt
        return {at: replace(label, name=usual.get(label.name, label.name)) for at, label in labels.items()}

    def doubtful(self) -> list[str]:
        """Return names whose scores are just below the minimum for a speaker."""
        once = {use.key for use in self._uses.all if use.at in self._once}
        return [self._uses.names[key] for key in self._scores.doubtful if key not in once]

    # ---------------------------------------------------------------- labels before words

    @cached_property
    def _sure(self) -> Sequence[Use]:
        """The labels with a usual shape whose names score high enough for a speaker."""
        return [use for use in self._uses.all if use.key in self._scores.speakers and self._uses.rules(use)]

    @cached_property
    def _legend(self) -> frozenset[int]:
        """The lines of a legend above the talk, which explains its labels: "AB   Ann Bell, chair".

        The legend consists of the first labels, on consecutive lines. Each has a different recurring name
        and stands before a full name.
        """
        listed: dict[str, Use] = {}
        for use in self._sure:
            last = next(reversed(listed.values()), None)
            follows = last is None or (use.at == last.at + 1 and not self._lines[use.at].opens)
            is_entry = use.is_brief and not use.stamped and " " in first_name(use.rest)
            if not (follows and is_entry) or use.key in listed:
                break
            listed[use.key] = use
        recurs = all(len(self._uses.by_key[key]) > 1 for key in listed)
        return frozenset(use.at for use in listed.values() if recurs and len(listed) > 1)

    def _is_misplaced(self, use: Use) -> bool:
        """Return whether a label is in the legend, or has an unusual shape and place or spelling."""
        if use.at in self._legend:
            return True
        if self._uses.rules(use):
            return False
        if plain_key(use.label.name) != use.key:
            return True
        return bool(self._sure) and not self._sure[0].at <= use.at <= self._sure[-1].at

    @cached_property
    def _once(self) -> frozenset[int]:
        """The lines of labels that occur once but have the form and the position of speakers' labels."""
        shapes = {use.shape for use in self._sure}
        units = {use.unit for use in self._sure}
        near = {unit + step for unit in units for step in range(-MAX_DISTANCE, MAX_DISTANCE + 1)}
        judged = self._scores.speakers | self._scores.unspoken
        return frozenset(
            use.at
            for use in self._uses.all
            if use.key not in judged and use.unit in near
            if use.shape in shapes or (use.stamped and is_usual(use.label.name))
            if self._singles.is_speaker(use, units)
        )

    def _unspaced(self, names: Collection[str]) -> dict[int, Label]:
        """Return labels of known speakers without a space after their colon ("Ann:Hello")."""
        labels = {}
        for at, (line, head) in enumerate(zip(self._lines, self._heads, strict=True)):
            name, colon, rest = line.text[:80].partition(":")
            if line.opens and not line.level and not head.label and colon and rest and name in names:
                labels[at] = Label(name, len(name) + 1)
        return labels

    # ---------------------------------------------------------------- names on lines of their own

    @cached_property
    def _lone(self) -> Mapping[int, Label]:
        """The names that fill whole lines, by line index."""
        return {
            at: head.label
            for at, head in enumerate(self._heads)
            if head.alone and head.label and not self._lines[at].level
        }

    def _lone_speakers(self) -> dict[int, Label]:
        """Return the names that fill whole lines, if at least two of them recur.

        A single word ("Yes") does not count, unless the words below it are indented. A name with a role
        ("Analyst") may occur once.
        """
        counts = Counter(
            self._uses.key(label)
            for at, label in self._lone.items()
            if " " in label.name or is_role(label.name) or self._hangs(at)
        )
        recurring = {key for key, count in counts.items() if count > 1}
        labels = {
            at: label
            for at, label in self._lone.items()
            if self._uses.key(label) in recurring or self._heads[at].role
        }
        if labels and all(map(self._hangs, labels)):
            labels |= {at: label for at, label in self._lone.items() if self._hangs(at)}
        speaking = sum(at + 1 < len(self._lines) and at + 1 not in labels for at in labels)
        # Names on consecutive lines without words in between are a list, or are spoken words.
        return labels if len(recurring) > 1 and 2 * speaking > len(labels) else {}

    def _hangs(self, at: int) -> bool:
        below = self._lines[at + 1 : at + 2]
        return self._lines[at].opens and any(map(self._lines[at].hangs_over, below))

    def _lone_too(self, speaking: Collection[str]) -> dict[int, Label]:
        """Return the names that fill whole lines and belong to people who also have other labels.

        A name counts only if it is in bold type, or if other labels of the file fill lines without a time. A
        role ("Operator") needs no other label.
        """
        fill = any(use.form == "header" and not use.stamped for use in self._uses.all)
        return {
            at: label
            for at, label in self._lone.items()
            if fill or self._lines[at].text.startswith(BOLD)
            if self._uses.key(label) in speaking or (speaking and is_role(label.name))
        }
