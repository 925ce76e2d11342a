"""The turns of a document's speakers, each from its label to the next.

A writer has habits: each turn is a line or a paragraph, turns are items of lists, times stand before labels,
paragraphs end sentences. Whether a line goes on with a turn shows only beside the others.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from onrecord.ingest.formats.heads import Head
from onrecord.ingest.formats.labels import Label
from onrecord.ingest.formats.lines import Line, strip_marks
from onrecord.ingest.formats.shapes import Uses

MIN_TURNS = 4
"""The fewest turns whose length shows a habit."""

_NUMBER = re.compile(r"\d+")
_NUMBERED = re.compile(r"(?=.*0)(?=.*[^\W\d_])(?:\S+ ){0,4}\S+")
"""Up to five words, one of them a number, such as "Page 0 of 0"."""


class Turns:
    """The turns that begin at the `labels` of speakers, by line.

    `keys` are those of their persons, by line, and `words` counts those said in each line.
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
            begin = labels[at].end if at in labels else head.words  # after the speaker and the time
            self.words.append(0 if line.level else len(strip_marks(line.text[begin:]).split()))
        self._forms = uses.forms

    @cached_property
    def runs(self) -> list[tuple[int, int]]:
        """The line of each label with that of the next one, or with the end."""
        return list(pairwise([*sorted(self.labels), len(self.lines)]))

    def form(self, at: int) -> str:
        """Return the form of a line's label: a bold name and a time alone on a line are a header."""
        head = self.heads[at]
        form = self._forms.get(at, head.form)
        alone = head.stamp and head.label and not self.lines[at].text[head.label.end :]
        return "header" if alone and form == "bold" else form

    def is_bare(self, begin: int) -> bool:
        """Return whether a label has no words behind it on its line."""
        return not strip_marks(self.lines[begin].text[self.labels[begin].end :])

    @cached_property
    def numbered(self) -> frozenset[int]:
        """The lines of a few words that recur with another number: heads of pages, titles of parts."""
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
