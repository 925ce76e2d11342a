"""Names that stand before words once in a document: which may be speakers', and which are its metadata.

Who speaks once looks like those who speak again, and takes a turn among them. "Location: Prague" stands above
the talk or looks otherwise, and "About the author: ..." ends it.
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
"""In a file of fewer paragraphs everybody may speak once."""
MAX_NAMES_LENGTH = 200
"""The most characters of a list of names."""

_FIRST_NAME = re.compile(
    r"(?:(?:Dr|Prof|Mrs?|Ms|Mx|[A-Z])\.\s|[^\s,;.!?()]{1,40}\s){0,5}[^\s,;.!?()]{1,40}(?=[,;.(]|\Z)"
)
"""The words up to the first comma, bracket or end of a sentence, if they are few."""


class SingleNames:
    """Judges labels whose names occur once, by the names of a document that recur."""

    def __init__(self, lines: Sequence[Line], uses: Uses) -> None:
        self._lines = lines
        self._uses = uses
        self._first_heading = next((at for at, line in enumerate(lines) if line.level), 0)
        self._spellings = frozenset(plain_key(use.label.name) for use in uses.all)

    def is_speaker(self, use: Use, speaking: Collection[int]) -> bool:
        """Return whether a label looks and stands like one of a sure speaker, who begins `speaking` units."""
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
        """Score a label as metadata of the file; a share `covered` of paragraphs has one of its shape.

        It is metadata above the first heading, before a few words that are no sentence, or if it is not
        written like the names that recur.
        """
        if not self._may_speak(use):
            return 9.0 if self._names_others(use) else 3.0
        if self._ends_talk(use):
            return 3.0
        if self._uses.units < MIN_PARAGRAPHS and covered >= 0.4:
            return 0.0
        return 3.0 * (use.at < self._first_heading) + 2.0 * use.is_brief

    # ---------------------------------------------------------------- does it look like a speaker's?

    def _may_speak(self, use: Use) -> bool:
        """Return whether a label is written and placed like those of names that recur."""
        name = use.label.name
        if use.stamped or use.form in MACHINE_MADE:  # metadata has no time
            return True
        if self._uses.are_timed or self._uses.is_definition(use) or self._names_others(use):
            return False
        if is_counted(name) and not any(map(is_counted, self._uses.recurring_names)):
            return False
        return self._is_in_style(name) and self._is_answered(use)

    def _is_in_style(self, name: str) -> bool:
        """Return whether a name is written like those that recur: in as many words, in such letters."""
        if is_usual(name):
            return True
        full, names, capitals = self._style
        in_words = (" " in name or not full) and (is_name(name) or not names)
        return in_words and (capitals or not (name.isupper() and len(name) > 3))

    @cached_property
    def _style(self) -> tuple[bool, bool, bool]:
        """Whether names are full ones, are written like names, and may be in capitals.

        They are those that recur, or if fewer than two do, three full names or more.
        """
        names = self._uses.recurring_names
        if len(names) < 2:
            names = [
                name
                for name in self._uses.names.values()
                if " " in name and is_name(name) and not is_numbered(name)
            ]
            if len(names) < 3:
                return False, False, True
        return all(" " in name for name in names), all(map(is_name, names)), any(map(str.isupper, names))

    def _is_answered(self, use: Use) -> bool:
        """Return whether a name takes its turn between names that recur.

        Labels in a row that occur once ("Theorem: ...", "Proof: ...") are parts of what somebody says, unless
        several speakers recur and the label is more than a word.
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
        """The uses of names before and behind each use, by its line."""
        uses = self._uses.all
        return {use.at: [*uses[max(0, n - 1) : n], *uses[n + 1 : n + 2]] for n, use in enumerate(uses)}

    # ---------------------------------------------------------------- does it introduce or end the talk?

    def _names_others(self, use: Use) -> bool:
        """Return whether a label stands before names, a speaker's full one first: "Moderator: Ann Bell"."""
        below = self._lines[use.at + 1].text.lstrip(": ") if use.at + 1 < len(self._lines) else ""
        rest = use.rest or below
        if plain_key(strip_marks(rest)) in self._spellings:
            return True
        return any(part in self._spellings for part in parts_of(first_name(rest)))

    def _ends_talk(self, use: Use) -> bool:
        """Return whether a label follows all that recur, and is set off or no name: "About the author:"."""
        last, full = self._last_recurring
        if use.at < last or is_usual(use.label.name):
            return False
        if use.stamped or use.form in MACHINE_MADE:
            return False
        if self._lines[use.at].ruled or (use.at and self._lines[use.at - 1].level > 0):
            return True
        return use.is_brief or (" " in use.label.name) != full

    @cached_property
    def _last_recurring(self) -> tuple[int, bool]:
        """The line of the last label of a name that recurs, and whether most such names are full ones."""
        uses = self._uses.recurring
        full = are_mostly(" " in use.label.name for use in uses)
        return (uses[-1].at, full) if uses else (len(self._lines), full)


def first_name(text: str) -> str:
    """Return the name that a text begins with, up to a comma, bracket or end of a sentence; "" if none."""
    match = _FIRST_NAME.match(strip_marks(text[:MAX_NAMES_LENGTH]))
    return match[0] if match and is_name(match[0]) else ""
