"""The labeled turns of a document, each from its label to the next label.

A writer has habits: each turn is a line or a paragraph, turns are list items, times stand before labels, or
paragraphs end with complete sentences. Whether a line continues a turn can be judged only by comparison with
the other turns.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from onrecord.ingest.formats.heads import Head
from onrecord.ingest.formats.labels import Label
from onrecord.ingest.formats.lines import Line, strip_marks
from onrecord.ingest.formats.shapes import Uses

MIN_TURNS = 4
"""The minimum number of turns that show a habit."""

_NUMBER = re.compile(r"\d+")
_NUMBERED = re.compile(r"(?=.*0)(?=.*[^\W\d_])(?:\S+ ){0,4}\S+")
"""Up to five words, with at least one number and one letter, such as "Page 0 of 0"."""


class Turns:
    """The turns of a document, which begin at the labels of its speakers.

    `labels` and `keys` give the label and the person's key by line index. `words` is the number of spoken
    words in each line (0 in headings).
    """

    def __init__(
        self, lines: Sequence[Line], heads: Sequence[Head], labels: Mapping[int, Label], uses: Uses
    ) -> None:
        self.lines = lines
        self.heads = heads
        self.labels = labels
        self.names = frozenset(label.name for label in labels.values())
        self.keys = {at: uses.key(label) for at, label in labels.items()}
        self.words = []
        for at, (line, head) in enumerate(zip(lines, heads, strict=True)):
            begin = labels[at].end if at in labels else head.words  # skip the speaker and the timestamp
            self.words.append(0 if line.level else len(strip_marks(line.text[begin:]).split()))
        self._uses = uses

    @cached_property
    def runs(self) -> list[tuple[int, int]]:
        """The lines of each turn: the label's line, and the line of the next label or the end (exclusive)."""
        return list(pairwise([*sorted(self.labels), len(self.lines)]))

    @cached_property
    def kinds(self) -> Mapping[int, str]:
        """Whose habits tell how far a turn goes, by the line of its label.

        They are the habits of its speaker. People who speak only once have none, so that all of them whose
        names differ only in a number are of one kind: "Audience 1" and "Audience 2".
        """
        counts = Counter(self.keys.values())
        return {at: key if counts[key] > 1 else _NUMBER.sub("#", key) for at, key in self.keys.items()}

    @property
    def are_below_speech(self) -> bool:
        """Whether a paragraph of speech without a label stands above the first label."""
        return self._uses.are_below_speech

    def form(self, at: int) -> str:
        """Return the form of a line's label; a bold name and a time that fill a line are a header."""
        head = self.heads[at]
        form = self._uses.forms.get(at, head.form)
        alone = head.stamp and head.label and not self.lines[at].text[head.label.end :]
        return "header" if alone and form == "bold" else form

    def is_bare(self, begin: int) -> bool:
        """Return whether no words follow a label on its line."""
        return not strip_marks(self.lines[begin].text[self.labels[begin].end :])

    @cached_property
    def numbered(self) -> frozenset[int]:
        """The lines of a few words that recur with other numbers, such as page headers and part titles."""
        recurring: defaultdict[str, list[int]] = defaultdict(list)
        for at, (line, head) in enumerate(zip(self.lines, self.heads, strict=True)):
            frame = _NUMBER.sub("0", line.words.casefold())
            labelled = at in self.labels or (head.label and not head.alone) or head.stamp
            if not labelled and _NUMBERED.fullmatch(frame):
                recurring[frame].append(at)
        return frozenset(
            at
            for places in recurring.values()
            if len({self.lines[at].words for at in places}) > 1
            for at in places
        )
