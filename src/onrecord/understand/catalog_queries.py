"""The questions that the catalogue answers: how many, which, the latest, who, how long, when, how often.

Each is a dataclass with ``run(selection) -> Fact | None``. A query that cannot be answered gives None, and
the question goes to search.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar

import numpy as np

from onrecord.stores.base import Reader
from onrecord.stores.words import STOP, singular, terms
from onrecord.types import Fact, Passage, Recording, Scope, clock
from onrecord.understand.catalog import CatalogIndex
from onrecord.understand.lexicon import Messages, Phrase, plain, words

MOST = 10
"""Lines of a list; the rest is counted."""
MOST_READ = 400
"""Passages that are read to tell who says how much."""
T = TypeVar("T")
_ANY_RECORDING = frozenset(("recording", "episode", "enregistrement"))


@dataclass(frozen=True)
class Selection:
    """The recordings that a question is asked of: `base` are all in scope, `chosen` those that it mentions.

    `said` are the words of its conditions, `dated` tells whether a date is among these, and `scope` is where
    words are counted. Only `Count` and `Mentions` are asked of none."""

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
        """The time that a recording takes; its words where it has no times."""
        timed = recording.seconds is not None
        return clock(recording.seconds or 0.0) if timed else self.say.say("words", recording.words)

    def remark(self, key: str, count: int, **values: Any) -> str:
        """A message about so many recordings; empty for none of them."""
        return self.say.say(key, count, **values) if count else ""

    def lines(self, items: Sequence[T], line: Callable[[T], str]) -> tuple[str, ...]:
        """A line for each of the first items, and one for the number of the others."""
        rest = len(items) - MOST
        return (*map(line, items[:MOST]), *((self.say.say("more", rest),) if rest > 0 else ()))

    def counts(self, counter: Counter[str]) -> tuple[str, ...]:
        """Lines with values, the most frequent first, each with the number of its recordings."""

        def line(item: tuple[str, int]) -> str:
            return self.say.say("counted", value=plain(item[0]), recordings=self.say.recordings(item[1]))

        return self.lines(counter.most_common(), line)

    def fact(
        self, text: str, lines: tuple[str, ...] = (), *remarks: str, of: Iterable[Recording] | None = None
    ) -> Fact:
        """A fact with remarks behind its text.

        `of` are the recordings that it is about: those chosen, where it is None."""
        about = self.chosen if of is None else of
        return Fact(" ".join(filter(None, (text, *remarks))), lines, tuple(r.id for r in about)[:MOST])

    def listing(self, text: str, recordings: Sequence[Recording], *remarks: str) -> Fact:
        """A fact with recordings as lines, the latest first."""
        latest = sorted(recordings, key=lambda r: (r.details.date or "", r.title), reverse=True)
        return self.fact(text, self.lines(latest, self.line), *remarks, of=latest)

    def each(self, sentence: Callable[[Recording], str]) -> Fact:
        """A fact of the one recording, or a line for each of several."""
        if len(self.chosen) == 1:
            return self.fact(sentence(self.chosen[0]))
        return self.fact(self.say.say("several_meant", len(self.chosen)), self.lines(self.chosen, sentence))


class Query(Protocol):
    """A question that the catalogue may answer."""

    def run(self, on: Selection) -> Fact | None: ...


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
        unknown = on.remark("undated", undated) if on.dated else ""
        return on.listing(text, on.chosen, self._called(on), unknown)

    def _called(self, on: Selection) -> str:
        """How many recordings have the noun in title or attributes, where not all have."""
        noun = words(self.noun)[0] if self.noun else ""
        if not noun or on.said or noun in _ANY_RECORDING:
            return ""
        texts = ((r.title, *r.details.attributes, *r.details.attributes.values()) for r in on.chosen)
        having = sum(noun in words(" ".join(text)) for text in texts)
        return "" if having == len(on.chosen) else on.say.say("called", having, noun=on.say.quoted(self.noun))


@dataclass(frozen=True)
class Outermost:
    """The latest, oldest, longest or shortest recording."""

    which: str

    def run(self, on: Selection) -> Fact | None:
        by_date = self.which in ("latest", "oldest")
        values: dict[str, Any] = {r.id: r.details.date if by_date else r.seconds for r in on.chosen}
        values = {name: value for name, value in values.items() if value not in (None, "")}
        unknown, which = len(on.chosen) - len(values), on.say.say(self.which)
        if not values:
            return Fact(on.say.say("no_end_date" if by_date else "no_end_time", unknown, which=which))
        best = (max if self.which in ("latest", "longest") else min)(values.values())
        ends = [r for r in on.chosen if values.get(r.id) == best]
        remark = on.remark("undated" if by_date else "unmeasured", unknown)
        if len(ends) == 1:
            text = on.say.say("outermost", which=which, line=on.line(ends[0]))
            return on.fact(text, (), remark, of=ends)
        return on.listing(on.say.say("ties", len(ends), which=which), ends, remark)


@dataclass(frozen=True)
class Title:
    """What a recording is called."""

    def run(self, on: Selection) -> Fact | None:
        return on.each(lambda r: on.say.say("titled", title=plain(r.title)))


@dataclass(frozen=True)
class When:
    """The date of a recording."""

    def run(self, on: Selection) -> Fact | None:
        def sentence(r: Recording) -> str:
            key = "dated" if r.details.date else "not_dated"
            return on.say.say(key, title=plain(r.title), date=plain(r.details.date or ""))

        return on.each(sentence)


@dataclass(frozen=True)
class Length:
    """How long recordings are: all of them together and on average, or the `single` one that is meant."""

    single: bool = False

    def run(self, on: Selection) -> Fact | None:
        if self.single or len(on.chosen) == 1:
            return on.each(lambda r: self._sentence(on, r))
        known = [r.seconds for r in on.chosen if r.seconds is not None]
        unknown = on.remark("unmeasured", len(on.chosen) - len(known))
        if not known:
            return Fact(unknown)
        total, mean = clock(sum(known)), clock(sum(known) / len(known))
        return on.listing(on.say.say("lengths", len(known), total=total, mean=mean), on.chosen, unknown)

    def _sentence(self, on: Selection, r: Recording) -> str:
        key = "lasts" if r.seconds is not None else "not_measured"
        return on.say.say(key, title=plain(r.title), length=on.length(r), words=on.length(r))


@dataclass(frozen=True)
class Values:
    """The values of an attribute, or of none the languages: of the one recording that is meant, or of all."""

    attributes: tuple[str, ...]
    noun: str

    def run(self, on: Selection) -> Fact | None:
        said = on.say.quoted(self.noun)
        values = [value for r in on.chosen if (value := self._value(r, on.say))]
        if len(on.chosen) == 1:
            title, value = plain(on.chosen[0].title), plain("".join(values))
            return on.fact(on.say.say("value" if value else "no_value", said=said, title=title, value=value))
        if not values:
            return None
        spelling: dict[Phrase, str] = {}
        counts = Counter(spelling.setdefault(words(value), value) for value in values)
        unknown = len(on.chosen) - len(values)
        remark = on.remark("no_value_in", unknown, recordings=on.say.recordings(unknown), said=said)
        return on.fact(on.say.say("values", len(counts), said=said), on.counts(counts), remark, of=())

    def _value(self, recording: Recording, say: Messages) -> str:
        if not self.attributes:
            return say.language_name((recording.details.language or "").split("-")[0])
        given = map(recording.details.attributes.get, self.attributes)
        return next(filter(None, given), "")


@dataclass(frozen=True)
class Mentions:
    """How often, in which recordings, or when first or last, words are said, by `speakers` if there are any.

    What was said about them may be asked as well, so it is searched for all the same."""

    subject: str
    which: str = ""
    speakers: tuple[str, ...] = ()

    def run(self, on: Selection) -> Fact | None:
        wanted = list(dict.fromkeys(terms(self.subject)))
        labels = {label for name in self.speakers for label in on.catalog.people.labels_of.get(name, ())}
        speakers = on.scope.speakers or tuple(sorted(labels))
        timeline = on.reader.timeline(replace(on.scope, speakers=speakers))
        if not wanted or not len(timeline):
            return None
        heard = np.ones(len(timeline), bool)
        for term in wanted:
            heard &= on.reader.keyword([term], timeline) > 0
        rows = timeline.rows[heard][:MOST_READ]
        phrase = _content(self.subject)
        said_in = [p for p in on.reader.passages(rows) if phrase in _content(p.text)]
        if len(rows) and not said_in:  # "the night was good" has no "good night", but may be meant
            return None
        spoken = [p for p in said_in if not labels or _place_of(p, wanted[0], labels) is not None]
        said = on.say.quoted(self.subject)
        if self.which == "recordings":  # which speak of it in other words, the search shows
            return self._by_recording(on, spoken, said) if spoken else None
        if not self.which or not spoken:
            return self._often(on, spoken, said)
        return self._outermost(on, spoken, said, wanted[0], labels)

    def _by_recording(self, on: Selection, spoken: Sequence[Passage], said: str) -> Fact:
        """The recordings in which words are said, most often first."""
        counts = Counter(passage.recording for passage in spoken).most_common()

        def line(item: tuple[str, int]) -> str:
            title, passages = plain(on.catalog.by_id[item[0]].title), on.say.say("passages", item[1])
            return on.say.say("said_by", name=title, passages=passages)

        shown = [on.catalog.by_id[name] for name, _ in counts]
        return self._often(on, spoken, said, on.lines(counts, line), shown)

    def _often(
        self,
        on: Selection,
        spoken: Sequence[Passage],
        said: str,
        lines: tuple[str, ...] = (),
        of: Iterable[Recording] = (),
    ) -> Fact:
        recordings = on.say.recordings(len({passage.recording for passage in spoken}))
        passages = on.say.say("passages", len(spoken))
        by = on.say.say("by", name=on.say.choices(self.speakers)) if self.speakers else ""
        text = on.say.say("said_in", len(spoken), said=said, by=by, passages=passages, recordings=recordings)
        return replace(on.fact(text, lines, of=of), whole=False)

    def _outermost(
        self, on: Selection, spoken: Sequence[Passage], said: str, term: str, labels: Collection[str]
    ) -> Fact:
        dates = {p.recording: on.catalog.by_id[p.recording].details.date for p in spoken}
        if len(dates) > 1 and not all(dates.values()):
            return Fact(on.say.say("not_all_dated", len(dates), said=said), whole=False)
        last = self.which == "last"
        best = (max if last else min)(dates, key=lambda name: dates[name] or "")
        passage = [p for p in spoken if p.recording == best][-1 if last else 0]
        at = _place_of(passage, term, labels) or 0
        second, name = passage.time_at(at), plain(passage.speaker_at(at) or "")
        place = plain(on.catalog.by_id[best].title) + (f" ({dates[best]})" if dates[best] else "")
        place += f", {clock(second)}" if second is not None else ""
        by = on.say.say("by", name=name) if name else ""
        text = on.say.say(f"said_{self.which}", said=said, by=by, place=place)
        return Fact(text, (), (best,), (best, passage.position, at), whole=False)


def _content(text: str) -> str:
    """The terms of a text in order without stop words, as one text with a blank around each."""
    return f" {' '.join(term for term in terms(text) if term not in STOP)} "


def _place_of(passage: Passage, term: str, labels: Collection[str] = ()) -> int | None:
    """Where the first word of that term stands in a passage, by one of these speakers if any."""
    begin = 0
    for word in passage.text.split(" "):
        said = term in terms(word) or singular(word.lower()) == term
        if said and (not labels or passage.speaker_at(begin) in labels):
            return begin
        begin += len(word) + 1
    return None
