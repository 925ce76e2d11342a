"""Detection of labels in minutes that report what people did ("Ann Bell: opened the item.").

Such words continue the sentence that the name begins: they begin in lower case and end with a full stop,
although the document's sentences begin with capitals. A speaker may continue somebody's sentence, but several
speakers in a row do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, takewhile

from onrecord.ingest.formats.lines import QUESTION_MARKS, strip_marks
from onrecord.ingest.formats.shapes import MACHINE_MADE, MIN_SMALL_SHARE
from onrecord.ingest.formats.turns import Turns

MIN_REPORTS = 3
"""The minimum number of consecutive turns that show that a document reports what people did."""

_NEXT_SENTENCE = re.compile(r"[.?!] [^\W\d_]")
_LIVELY = (*QUESTION_MARKS, "!")
_QUOTED = re.compile(r"[\"“„«][^\"“”„«»]{0,400}[\"“”»]")


@dataclass(frozen=True, slots=True)
class _Words:
    """The first paragraph of the turn at line `at`, without quotations; it perhaps `reports` an action."""

    at: int
    text: str
    reports: bool

    @property
    def is_lively(self) -> bool:
        """Whether the paragraph asks, exclaims, or has another sentence that begins in lower case."""
        small = any(match[0][-1].islower() for match in _NEXT_SENTENCE.finditer(self.text))
        return small or any(sign in self.text for sign in _LIVELY)


def reported(turns: Turns) -> frozenset[int]:
    """Return the lines of the labels in rows of turns that report what people did."""
    words = list(_first_paragraphs(turns))
    small = [each.is_lively for each in words if each.text[:1].islower()]
    if sum(small) >= MIN_SMALL_SHARE * max(1, len(small)):
        return frozenset()  # people write in lower case here, whatever they say
    rows = [list(row) for reports, row in groupby(words, key=lambda each: each.reports) if reports]
    return frozenset(each.at for row in rows if len(row) >= MIN_REPORTS for each in row)


def _first_paragraphs(turns: Turns) -> Iterator[_Words]:
    """Yield the first paragraph of each turn, and whether it may report what the person did."""
    before = ""
    for begin, end in turns.runs:
        label, form = turns.labels[begin], turns.form(begin)
        below = takewhile(lambda line: not (line.opens or line.level), turns.lines[begin + 1 : end])
        lines = (turns.lines[begin].text[label.end :], *(line.text for line in below))
        text = _QUOTED.sub("", strip_marks(" ".join(lines)))
        is_sentence = text[:1].islower() and text.endswith(".") and not text.endswith("..")
        continues = label.name[:1].isupper() and before[-1:] in ("", ".")
        is_live = turns.heads[begin].stamp is not None or form in MACHINE_MADE | {"nick"}
        yield _Words(begin, text, is_sentence and continues and not is_live)
        before = text
