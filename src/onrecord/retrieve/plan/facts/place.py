"""Of which recordings a fact is told, and how recordings are told in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from onrecord.retrieve.plan.facts.inquiry import Inquiry
from onrecord.retrieve.plan.facts.words import Told
from onrecord.retrieve.plan.kinds import GENERIC, KIND
from onrecord.retrieve.plan.known import Known
from onrecord.stores.base import Reader
from onrecord.types import Fact, Recording, clock, one_line

T = TypeVar("T")
MOST = 10
"""Lines of a list; how many more there are is told."""
_LONGEST = 160
"""Characters of a title or name, which may be anything."""
_MARK = re.compile(r"\[(\d+)\]")


def plain(text: str) -> str:
    """A title or a name as a part of a line: no line of its own, no mark of a citation, no flood."""
    text = _MARK.sub(r"(\1)", one_line(text))
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1].rstrip() + "…"


@dataclass(frozen=True, slots=True)
class Place:
    """The recordings that a fact is about, among `base`, all in which the user looks."""

    inquiry: Inquiry
    known: Known
    reader: Reader
    told: Told
    base: tuple[Recording, ...]
    recordings: tuple[Recording, ...]

    def at(self, recordings: Sequence[Recording]) -> Place:
        """The same with fewer of them."""
        return replace(self, recordings=tuple(recordings))

    @property
    def name(self) -> str:
        """The title of the one recording, or how many there are."""
        if len(self.recordings) == 1:
            return plain(self.recordings[0].title)
        return self.told.all_of_them(len(self.recordings))

    def length(self, recording: Recording) -> str:
        """``3:47``, or its words where it has no times; nothing where neither is known."""
        if recording.seconds is None:
            return self.told.words(recording.words) if recording.words else ""
        return clock(recording.seconds)

    def line(self, recording: Recording) -> str:
        """Title, date and length."""
        date = recording.details.date
        return self.told.line(plain(recording.title), plain(date) if date else "", self.length(recording))

    def lines(self, values: Sequence[T], line: Callable[[T], str]) -> tuple[str, ...]:
        """A line for each, of many for the first, and how many more there are."""
        over = len(values) - MOST
        return (*map(line, values[:MOST]), *([self.told.more(over)] if over > 0 else []))

    def listing(self, text: str, recordings: Sequence[Recording]) -> Fact:
        """A fact with the recordings that it is about, latest first."""
        first = sorted(recordings, key=lambda r: r.details.date or "", reverse=True)
        return Fact(text, self.lines(first, self.line), tuple(r.id for r in first[:MOST]))

    def called(self) -> list[Recording]:
        """The recordings that say of themselves what the question calls them: "meeting"."""
        thing = self.inquiry.thing
        if not thing or thing in GENERIC:
            return list(self.recordings)
        return [r for r in self.recordings if thing in self.known.told_words[r.id]]

    def meant(self) -> list[Recording]:
        """The same where one has to be chosen; all of them where no title says what any recording is."""
        kinds = (re.search(KIND, word) for word in self.known.title_words)
        return self.called() or ([] if any(kinds) else list(self.recordings))


def remarked(fact: Fact, *remarks: str) -> Fact:
    """The fact with what else there is to say."""
    return replace(fact, text=" ".join((fact.text, *filter(None, remarks))))
