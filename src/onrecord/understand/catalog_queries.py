"""The questions that the catalogue answers: how many, which, the latest, who, how long, when, how often.

Each is a dataclass with ``run(selection) -> Fact | None``. A query that cannot be answered gives None, and
the question goes to search.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from onrecord.stores.base import Reader
from onrecord.stores.words import singular, terms
from onrecord.types import Fact, Passage, Recording, Scope, clock
from onrecord.understand.catalog import NUMBERS, CatalogIndex
from onrecord.understand.lexicon import Messages, Phrase, plain, words

MOST = 10
"""Lines of a list; the rest is counted."""
MOST_READ = 400
"""Passages that are read to tell who says how much."""
_ANY_RECORDING = frozenset(("recording", "episode", "enregistrement"))


@dataclass(frozen=True)
class Selection:
    """The recordings that a question is asked of: `base` are all in scope, `chosen` those that fit what it
    mentions, in the words `said`; `dated` tells whether a date is among these."""

    catalog: CatalogIndex
    reader: Reader
    say: Messages
    base: tuple[Recording, ...]
    chosen: tuple[Recording, ...]
    said: tuple[str, ...] = ()
    dated: bool = False
    scope: Scope = field(default_factory=Scope)

    def of(self, chosen: Iterable[Recording]) -> Selection:
        return replace(self, chosen=tuple(chosen))

    @property
    def name(self) -> str:
        """What the chosen recordings are called: a title, or their number."""
        only = len(self.chosen) == 1
        return plain(self.chosen[0].title) if only else self.say.say("all_of_them", len(self.chosen))

    def line(self, recording: Recording) -> str:
        """A recording with its date and length."""
        date = plain(recording.details.date or "") or self.say.say("without_date")
        return ", ".join((plain(recording.title), date, self.length(recording)))

    def length(self, recording: Recording) -> str:
        return (
            clock(recording.seconds)
            if recording.seconds is not None
            else self.say.say("words", recording.words)
        )

    def listing(self, text: str, some: Sequence[Recording]) -> Fact:
        """A fact with recordings as lines, the latest first."""
        latest = sorted(some, key=lambda r: (r.details.date or "", r.title), reverse=True)
        return Fact(text, self.lines(list(map(self.line, latest))), tuple(r.id for r in latest[:MOST]))

    def lines(self, some: Sequence[str]) -> tuple[str, ...]:
        rest = len(some) - MOST
        return (*some[:MOST], *((self.say.say("more", rest),) if rest > 0 else ()))

    def each(self, told: Callable[[Recording], str]) -> Fact:
        """A fact of the one recording, or a line for each of several."""
        if len(self.chosen) == 1:
            return Fact(told(self.chosen[0]), recordings=(self.chosen[0].id,))
        text = self.say.say("several_meant", len(self.chosen))
        return Fact(text, self.lines(list(map(told, self.chosen))), tuple(r.id for r in self.chosen[:MOST]))


class Query(Protocol):
    """A question that the catalogue may answer."""

    def run(self, on: Selection) -> Fact | None: ...


def remarked(fact: Fact, *remarks: str) -> Fact:
    return replace(fact, text=" ".join(filter(None, (fact.text, *remarks))))


def counted(on: Selection, value: str, count: int) -> str:
    return on.say.say("counted", value=plain(value), recordings=on.say.recordings(count))


@dataclass(frozen=True)
class Count:
    """How many recordings there are, or fit, and which; `noun` is what the question calls them."""

    noun: str = ""

    def run(self, on: Selection) -> Fact | None:
        say, count = on.say, len(on.chosen)
        undated = sum(not r.details.date for r in on.base)
        if on.dated and undated == len(on.base):
            return Fact(say.say("no_dates", undated, said=say.all_quoted(on.said)))
        if not on.said:
            text = say.say("there_are", count)
        elif count == len(on.base) > 1:
            text = say.say("all_fit", count, said=say.all_quoted(on.said))
        else:
            text = say.say("fitting", count, of=len(on.base), said=say.all_quoted(on.said))
        unknown = say.say("undated", undated) if undated and on.dated else ""
        return remarked(on.listing(text, on.chosen), self._called(on), unknown)

    def _called(self, on: Selection) -> str:
        if not self.noun or on.said or words(self.noun)[0] in _ANY_RECORDING:
            return ""
        noun = words(self.noun)[0]
        having = sum(
            noun in words(" ".join((r.title, *r.details.attributes, *r.details.attributes.values())))
            for r in on.chosen
        )
        return "" if having == len(on.chosen) else on.say.say("called", having, noun=on.say.quoted(self.noun))


@dataclass(frozen=True)
class Outermost:
    """The latest, oldest, longest or shortest recording."""

    which: str

    def run(self, on: Selection) -> Fact | None:
        by_date = self.which in ("latest", "oldest")
        known = [r for r in on.chosen if (r.details.date if by_date else r.seconds is not None)]
        unknown, which = len(on.chosen) - len(known), on.say.say(self.which)
        if not known:
            kind = "no_end_date" if by_date else "no_end_time"
            return Fact(on.say.say(kind, unknown, which=which)) if unknown else None
        values = {r.id: r.details.date or "" if by_date else f"{r.seconds or 0:012.3f}" for r in known}
        best = (max if self.which in ("latest", "longest") else min)(values.values())
        ends = [r for r in known if values[r.id] == best]
        if len(ends) == 1:
            text = on.say.say("outermost", which=which, line=on.line(ends[0]))
            fact = Fact(text, recordings=(ends[0].id,))
        else:
            fact = on.listing(on.say.say("ties", len(ends), which=which), ends)
        return remarked(fact, on.say.say("undated" if by_date else "unmeasured", unknown) if unknown else "")


@dataclass(frozen=True)
class Title:
    """What a recording is called."""

    def run(self, on: Selection) -> Fact | None:
        return on.each(lambda r: on.say.say("titled", title=plain(r.title))) if on.chosen else None


@dataclass(frozen=True)
class When:
    """The date of a recording."""

    def run(self, on: Selection) -> Fact | None:
        def told(r: Recording) -> str:
            if not r.details.date:
                return on.say.say("not_dated", title=plain(r.title))
            return on.say.say("dated", title=plain(r.title), date=plain(r.details.date))

        return on.each(told) if on.chosen else None


@dataclass(frozen=True)
class Length:
    """How long recordings are: all of them together and on average, or the `single` one that is meant."""

    single: bool = False

    def run(self, on: Selection) -> Fact | None:
        if not on.chosen:
            return None
        if len(on.chosen) == 1:
            return on.each(lambda r: self._told(on, r))
        if self.single:
            return on.each(lambda r: self._told(on, r))
        known = [r.seconds for r in on.chosen if r.seconds is not None]
        unknown = len(on.chosen) - len(known)
        if not known:
            return Fact(on.say.say("unmeasured", unknown))
        total, mean = clock(sum(known)), clock(sum(known) / len(known))
        text = on.say.say("lengths", len(known), total=total, mean=mean)
        return remarked(on.listing(text, on.chosen), on.say.say("unmeasured", unknown) if unknown else "")

    def _told(self, on: Selection, r: Recording) -> str:
        key = "lasts" if r.seconds is not None else "not_measured"
        return on.say.say(key, title=plain(r.title), length=on.length(r), words=on.length(r))


@dataclass(frozen=True)
class Values:
    """The values of an attribute: of the one recording that is meant, or of all."""

    attributes: tuple[str, ...]
    noun: str

    def run(self, on: Selection) -> Fact | None:
        if not on.chosen:
            return None
        given = [
            next(
                (r.details.attributes.get(a, "") for a in self.attributes if r.details.attributes.get(a)), ""
            )
            for r in on.chosen
        ]
        said = on.say.quoted(self.noun)
        if len(on.chosen) == 1:
            key, title = ("value" if given[0] else "no_value"), plain(on.chosen[0].title)
            return Fact(
                on.say.say(key, said=said, title=title, value=plain(given[0])), (), (on.chosen[0].id,)
            )
        same: dict[Phrase, str] = {}
        counts = Counter(same.setdefault(words(value), value) for value in given if value)
        if not counts:
            return None
        unknown = len(given) - counts.total()
        lines = [counted(on, value, count) for value, count in counts.most_common()]
        fact = Fact(on.say.say("values", len(counts), said=said), on.lines(lines))
        told = on.say.say("no_value_in", recordings=on.say.recordings(unknown), said=said) if unknown else ""
        return remarked(fact, told)


@dataclass(frozen=True)
class Mentions:
    """How often, or when first or last, words are said. What was said about them may be asked as well, so it
    is searched for all the same."""

    subject: str
    which: str = ""
    by_whom: bool = False

    def run(self, on: Selection) -> Fact | None:
        wanted = list(dict.fromkeys(terms(self.subject)))
        line = on.reader.timeline(on.scope)
        if not wanted or not len(line):
            return None
        heard = np.ones(len(line), bool)
        for term in wanted:
            heard &= on.reader.keyword([term], line) > 0
        rows = line.rows[heard]
        spoken = [p for p in on.reader.passages(rows[:MOST_READ]) if set(wanted) <= set(terms(p.text))]
        said = on.say.quoted(self.subject)
        if not self.which or not spoken:
            return self._often(on, spoken, said)
        return self._outermost(on, spoken, said, wanted)

    def _often(self, on: Selection, spoken: Sequence[Passage], said: str) -> Fact:
        recordings = dict.fromkeys(p.recording for p in spoken)
        told = {
            "passages": on.say.say("passages", len(spoken)),
            "recordings": on.say.recordings(len(recordings)),
        }
        lines: list[str] = []
        if self.by_whom:
            voices = Counter(on.catalog.names.get(p.speaker or "", p.speaker or "") for p in spoken)
            lines = [
                on.say.say(
                    "said_by", name=plain(name) or on.say.say("nobody"), passages=on.say.say("passages", n)
                )
                for name, n in voices.most_common()
            ]
        return Fact(on.say.say("said_in", len(spoken), said=said, **told), on.lines(lines), whole=False)

    def _outermost(self, on: Selection, spoken: Sequence[Passage], said: str, wanted: Sequence[str]) -> Fact:
        dates = {p.recording: on.catalog.by_id[p.recording].details.date for p in spoken}
        if len(dates) > 1 and not all(dates.values()):
            return Fact(on.say.say("not_all_dated", len(dates), said=said), whole=False)
        end = max if self.which == "last" else min
        best = end(dates, key=lambda name: dates[name] or "")
        there = [p for p in spoken if p.recording == best]
        passage = there[-1 if self.which == "last" else 0]
        at = _place_of(passage, wanted[0])
        recording = on.catalog.by_id[best]
        second, name = passage.time_at(at), plain(passage.speaker_at(at) or "")
        place = plain(recording.title) + (f" ({recording.details.date})" if recording.details.date else "")
        place += f", {clock(second)}" if second is not None else ""
        by = on.say.say("by", name=name) if name else ""
        text = on.say.say(f"said_{self.which}", said=said, by=by, place=place)
        return Fact(text, (), (best,), (best, passage.position, at), whole=False)


def _place_of(passage: Passage, term: str) -> int:
    """Where the first word of that term stands in a passage."""
    begin = 0
    for word in passage.text.split(" "):
        if term in terms(word) or singular(word.lower()) == term:
            return begin
        begin += len(word) + 1
    return 0


def is_number(attribute: str) -> bool:
    """Whether an attribute numbers recordings within a series."""
    return bool(words(attribute)) and words(attribute)[0] in NUMBERS
