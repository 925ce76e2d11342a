"""Classification of labels that occur once in a document: speakers' labels or metadata.

The label of a speaker with one turn looks like the labels of the other speakers and stands among them. A
metadata label such as "Location: Prague" stands above the talk or looks different, and "About the author:
..." ends the talk.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cached_property

from onrecord.ingest.formats.labels import (
    is_clean,
    is_counted,
    is_heading,
    is_name,
    is_numbered,
    is_remark,
    is_usual,
)
from onrecord.ingest.formats.lines import Line, is_link, strip_marks
from onrecord.ingest.formats.shapes import MACHINE_MADE, STANDS_OUT, Use, Uses, are_mostly
from onrecord.ingest.formats.spellings import parts_of, plain_key

MIN_PARAGRAPHS = 8
"""The minimum number of paragraphs in a file in which speakers are expected to recur."""
MAX_INITIALS = 3
"""The maximum length of a label that may be the initials of a name."""
MIN_CAPITALS = 2
"""The minimum number of recurring names in capitals that show that all names are in capitals."""
MAX_NAMES_LENGTH = 200
"""The maximum length of a list of names, in characters."""

_FIRST_NAME = re.compile(
    r"(?:(?:Dr|Prof|Mrs?|Ms|Mx|[A-Z])\.\s|[^\s,;.!?()]{1,40}\s){0,5}[^\s,;.!?()]{1,40}(?=[,;.(]|\Z)"
)
"""At most six words, up to the first comma, parenthesis or end of a sentence."""


class SingleNames:
    """A classifier of labels whose names occur once, by comparison with the names that recur."""

    def __init__(self, lines: Sequence[Line], uses: Uses) -> None:
        self._lines = lines
        self._uses = uses
        self._first_heading = next((at for at, line in enumerate(lines) if line.level), 0)
        self._spellings = frozenset(plain_key(use.label.name) for use in uses.all)

    def is_speaker(self, use: Use, speaking: Collection[int]) -> bool:
        """Return whether a label has the look and the position of a sure speaker's label.

        `speaking` are the indices of the paragraphs that begin with the label of a sure speaker.
        """
        name = use.label.name
        if is_remark(name) or use.form == "nick":
            return True
        if not use.opens or is_heading(name) or not (is_name(name) or (" " not in name and is_clean(name))):
            return False
        if self._ends_talk(use) or not self._may_speak(use):
            return False
        if is_name(name) and use.form in STANDS_OUT:
            return True
        between = use.unit - 1 in speaking and (use.unit + 1 in speaking or use.unit + 1 == self._uses.units)
        return between and not is_link(use.rest)

    def metadata_score(self, use: Use, covered: float) -> float:
        """Return the points for a label to be metadata, from 0.0 to 9.0.

        A label is probably metadata above the first heading, before a few words that are not a sentence, or
        if it is not written like the recurring names. `covered` is the share (0 to 1) of paragraphs with a
        label of its shape.
        """
        if not self._may_speak(use):
            return 9.0 if self._names_others(use) else 3.0
        if self._ends_talk(use):
            return 3.0
        if self._uses.units < MIN_PARAGRAPHS and covered >= 0.4:
            return 0.0
        return 3.0 * (use.at < self._first_heading) + 2.0 * use.is_brief

    # ---------------------------------------------------------------- does the label look like a speaker's?

    def _may_speak(self, use: Use) -> bool:
        """Return whether a label has the style and the position of labels with recurring names."""
        name = use.label.name
        if use.stamped or use.form in MACHINE_MADE:  # metadata labels have no time
            return True
        if self._uses.are_timed or self._uses.is_definition(use) or self._names_others(use):
            return False
        if is_counted(name) and not any(map(is_counted, self._uses.recurring_names)):
            return False
        return self._is_in_style(name) and self._is_answered(use)

    def _is_in_style(self, name: str) -> bool:
        """Return whether a name is written like the recurring names, by word count and capitals."""
        if is_usual(name):
            return True
        full, names, capitals, small = self._style
        in_words = (" " in name or not full) and (is_name(name) or not names)
        if name.lower() == name.upper():  # a script without capitals, in which any words look like a name
            in_words = in_words and len(name.split()) <= self._longest
        return in_words and (small if not name.isupper() else capitals or len(name) <= MAX_INITIALS)

    @cached_property
    def _longest(self) -> int:
        """The number of words in the longest recurring name, at least 2."""
        return max(2, *(len(name.split()) for name in ("", *self._uses.recurring_names)))

    @cached_property
    def _style(self) -> tuple[bool, bool, bool, bool]:
        """Whether the names are all full names, are all written like names, and may be in capitals or not.

        The reference names are the recurring names, or, if fewer than two recur, all full names, if these are
        at least three.
        """
        names = self._uses.recurring_names
        if len(names) < 2:
            names = [
                name
                for name in self._uses.names.values()
                if " " in name and is_name(name) and not is_numbered(name)
            ]
            if len(names) < 3:
                return False, False, True, True
        full, alike = all(" " in name for name in names), all(map(is_name, names))
        # Initials and the codes of programs are in capitals whatever the writer does with names.
        written = [name for name in names if len(name) > MAX_INITIALS and not is_numbered(name)]
        small = len(written) < MIN_CAPITALS or not all(map(str.isupper, written))
        return full, alike, any(map(str.isupper, names)), small

    def _is_answered(self, use: Use) -> bool:
        """Return whether a label stands between labels with recurring names.

        Consecutive labels that occur once ("Theorem: ...", "Proof: ...") are part of a speaker's words,
        unless several speakers recur and the label has more than one word.
        """
        name, recurring = use.label.name, self._uses.recurring_names
        if not recurring or is_usual(name) or (len(recurring) > 1 and " " in name):
            return True
        return all(
            len(self._uses.by_key[other.key]) > 1 or is_usual(other.label.name)
            for other in self._beside[use.at]
        )

    @cached_property
    def _beside(self) -> dict[int, list[Use]]:
        """The previous and the next label of each label, by its line."""
        uses = self._uses.all
        return {use.at: [*uses[max(0, n - 1) : n], *uses[n + 1 : n + 2]] for n, use in enumerate(uses)}

    # ---------------------------------------------------------------- does it introduce or end the talk?

    def _names_others(self, use: Use) -> bool:
        """Return whether a label precedes a speaker's name: "Moderator: Ann Bell"."""
        below = self._lines[use.at + 1].text.lstrip(": ") if use.at + 1 < len(self._lines) else ""
        rest = use.rest or below
        if plain_key(strip_marks(rest)) in self._spellings:
            return True
        return any(part in self._spellings for part in parts_of(first_name(rest)))

    def _ends_talk(self, use: Use) -> bool:
        """Return whether a label stands after all recurring ones and ends the talk: "About the author:".

        Such a label is set off by a rule or a heading, precedes a few words, has a colon only, or, unlike the
        recurring names, is or is not a full name.
        """
        last, full = self._last_recurring
        if use.at < last or is_usual(use.label.name):
            return False
        if use.stamped or use.form in MACHINE_MADE:
            return False
        if self._lines[use.at].ruled or (use.at and self._lines[use.at - 1].level > 0):
            return True
        return use.is_brief or (" " in use.label.name) != full or use.form not in STANDS_OUT

    @cached_property
    def _last_recurring(self) -> tuple[int, bool]:
        """The line of the last label with a recurring name, and whether most of these are full names."""
        uses = self._uses.recurring
        full = are_mostly(" " in use.label.name for use in uses)
        return (uses[-1].at, full) if uses else (len(self._lines), full)


def first_name(text: str) -> str:
    """Return the name at the beginning of a text, or an empty string.

    The name ends at a comma, a parenthesis or the end of a sentence.
    """
    match = _FIRST_NAME.match(strip_marks(text[:MAX_NAMES_LENGTH]))
    return match[0] if match and is_name(match[0]) else ""
