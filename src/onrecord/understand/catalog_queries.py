"""The questions that the catalogue answers: how many, which, the latest, who, how long, when, how often.

Each is a dataclass with ``run(selection) -> Fact | None``. A query that cannot be answered gives None, and
the question goes to search.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar

import numpy as np

from onrecord.stores.base import Reader
from onrecord.stores.words import STOP, singular, terms
from onrecord.types import Fact, Passage, Recording, Scope, clock
from onrecord.understand.catalog import CatalogIndex, same_roles
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


@dataclass(frozen=True)
class Speakers:
    """Who speaks; `counted` where it is asked how many."""

    counted: bool = False

    def run(self, on: Selection) -> Fact:
        if len(on.chosen) == 1:
            return self._of_one(on, on.chosen[0])
        voices = [on.catalog.voices[r.id] for r in on.chosen]
        nameless = on.catalog.people.nameless
        counts = Counter(name for names in voices for name in names if name not in nameless)
        unnamed = sum(not nameless.isdisjoint(names) for names in voices)
        silent = sum(not names for names in voices)
        heard_in = on.say.recordings(len(voices) - silent)
        known = on.say.say("voices", len(counts), recordings=heard_in)
        return on.fact(
            known if counts else on.say.say("nobody_known", len(voices)),
            on.counts(counts),
            on.remark("unnamed", unnamed),
            on.remark("unvoiced", silent) if counts else "",
            of=(),
        )

    def _of_one(self, on: Selection, recording: Recording) -> Fact:
        title, names = plain(recording.title), on.catalog.voices[recording.id]
        if not names:
            people = recording.details.people[:MOST]
            credited = on.say.say("credited", names=on.say.listed(people)) if people else ""
            return on.fact(on.say.say("not_voiced", title=title), (), credited)
        if self.counted or len(names) > MOST:
            return on.fact(on.say.say("voices_in", len(names), title=title), on.lines(names, plain))
        return on.fact(on.say.say("speak_in", len(names), names=on.say.listed(names), title=title))


@dataclass(frozen=True)
class Appearances:
    """In which recordings somebody speaks; of one recording whether they do."""

    name: str

    def run(self, on: Selection) -> Fact:
        there, name = [r for r in on.chosen if self.name in on.catalog.voices[r.id]], plain(self.name)
        if len(on.chosen) == 1 and on.said:
            if not on.chosen[0].speakers:
                return Speakers().run(on)
            key, title = ("yes" if there else "no"), plain(on.chosen[0].title)
            return on.fact(on.say.say(key, name=name, title=title))
        key = "speaks_in_the_one" if len(on.chosen) == 1 else "speaks_in"
        text = on.say.say(key, len(there), name=name, of=len(on.chosen))
        return on.listing(text, there, on.remark("unvoiced", sum(not r.speakers for r in on.chosen)))


@dataclass(frozen=True)
class RoleOf:
    """In which recordings somebody is the host, the guest, the CFO; `noun` is what the question calls it."""

    name: str
    role: Phrase
    noun: str

    def run(self, on: Selection) -> Fact:
        holders = _holders(self.role, on)
        if not any(holders.values()):
            return Appearances(self.name).run(on)
        there = [r for r in on.chosen if self.name in holders[r.id]]
        values: dict[str, Any] = {"name": plain(self.name), "said": on.say.quoted(self.noun)}
        if len(on.chosen) == 1:
            return on.fact(on.say.say("role_in", len(there), place=on.name, **values))
        unknown = sum(not names for names in holders.values())
        recordings = on.say.recordings(unknown)
        remark = on.remark("no_role_in", unknown, recordings=recordings, said=values["said"])
        return on.listing(
            on.say.say("role_in_several", len(there), of=len(on.chosen), **values), there, remark
        )


def _holders(role: Phrase, on: Selection) -> dict[str, list[str]]:
    """Who holds a role in each of the chosen recordings, by the recording's id."""
    held = [on.catalog.credits.get(same, {}) for same in same_roles(role)]
    return {r.id: list(dict.fromkeys(n for there in held for n in there.get(r.id, ()))) for r in on.chosen}


@dataclass(frozen=True)
class Identity:
    """Who somebody is: where they speak and in what role, beside what is said of them."""

    name: str

    def run(self, on: Selection) -> Fact | None:
        if len(on.chosen) < 2:
            return None
        fact, roles = Appearances(self.name).run(on), on.catalog.roles(self.name)
        if roles:
            named = on.say.say("named_as", name=plain(self.name), roles=on.say.listed(roles))
            fact = replace(fact, text=f"{fact.text} {named}")
        return replace(fact, whole=False)


@dataclass(frozen=True)
class Companions:
    """With whom somebody is heard."""

    name: str

    def run(self, on: Selection) -> Fact:
        there = [r for r in on.chosen if self.name in on.catalog.voices[r.id]]
        if not there:
            return Appearances(self.name).run(on)
        titles: defaultdict[str, list[str]] = defaultdict(list)
        for recording in there:
            for name in on.catalog.voices[recording.id]:
                titles[name].append(plain(recording.title))
        del titles[self.name]
        others = sorted(titles, key=lambda name: -len(titles[name]))
        where = plain(there[0].title) if len(there) == 1 else on.say.recordings(len(there))
        name = plain(self.name)
        text = on.say.say("with" if others else "alone", len(others), name=name, recordings=where)
        lines = on.lines(others, lambda name: f"{plain(name)}: {'; '.join(titles[name])}")
        return on.fact(text, lines, of=there)


@dataclass(frozen=True)
class Talk:
    """Who says most, or least; with a name, how much they say."""

    name: str = ""
    least: bool = False

    def run(self, on: Selection) -> Fact | None:
        there = [r for r in on.chosen if not self.name or self.name in on.catalog.voices[r.id]]
        other = Appearances(self.name) if self.name else Speakers()
        if not there:
            return other.run(on)
        if sum(r.passages for r in there) > MOST_READ:
            fact = other.run(on)
            return replace(fact, text=f"{fact.text} {on.say.say('too_many', len(there))}")
        on = on.of(there)
        shares = _shares(on)
        total = sum(count for count, _ in shares.values())
        return self._of(on, shares, total) if self.name else self._ranked(on, shares, total)

    def _of(self, on: Selection, shares: Shares, total: int) -> Fact:
        part, seconds = shares.get(self.name, (0, 0.0))
        values: dict[str, Any] = {"name": plain(self.name), "part": part, "of": total, "place": on.name}
        key = "says_for" if all(r.seconds is not None for r in on.chosen) else "says"
        return on.fact(on.say.say(key, percent=_percent(part, total), length=clock(seconds), **values))

    def _ranked(self, on: Selection, shares: Shares, total: int) -> Fact | None:
        unnamed = on.catalog.people.nameless if len(on.chosen) > 1 else ()
        counts = Counter({n: count for n, (count, _) in shares.items() if n and n not in unnamed})
        if not counts:
            return Speakers().run(on)
        ranked = counts.most_common()[::-1] if self.least else counts.most_common()
        level = [name for name, count in ranked if count == ranked[0][1]]
        values: dict[str, Any] = {"part": ranked[0][1], "of": total, "place": on.name}
        if len(level) > 1:
            text = on.say.say("equally", names=on.say.listed(level[:MOST]), **values)
        else:
            key, percent = ("speaks_least" if self.least else "speaks_most"), _percent(ranked[0][1], total)
            text = on.say.say(key, name=plain(level[0]), percent=percent, **values)

        def share(item: tuple[str, int]) -> str:
            said, percent = on.say.say("words", item[1]), _percent(item[1], total)
            return on.say.say("share", name=plain(item[0]), words=said, percent=percent)

        unknown = total - counts.total()
        remark = on.remark("nobody_said", unknown, words=on.say.say("words", unknown))
        return on.fact(text, on.lines(ranked[len(level) :], share), remark)


def _percent(part: int, of: int) -> str:
    return f"{100 * part / of:.0f}" if of else "0"


Shares = dict[str, tuple[int, float]]
"""How many words everybody says, and for how many seconds, by name; "" for nobody known."""


def _shares(on: Selection) -> Shares:
    """What everybody says in the chosen recordings."""
    shares: Shares = {}
    for passage in (p for r in on.chosen for p in on.reader.transcript(r.id)):
        begins = [begin for begin, _ in passage.voices] or [0]
        for begin, end in zip(begins, [*begins[1:], len(passage.text)], strict=True):
            label = passage.speaker_at(begin) or ""
            name = on.catalog.people.names.get(label, label)
            count, seconds = shares.get(name, (0, 0.0))
            lasts = (passage.time_at(end) or 0.0) - (passage.time_at(begin) or 0.0)
            shares[name] = count + len(passage.text[begin:end].split()), seconds + max(lasts, 0.0)
    return shares


@dataclass(frozen=True)
class RoleHolders:
    """Who is the host, the guest, the CFO, by labels and attributes; `noun` is what the question calls it."""

    role: Phrase
    noun: str

    def run(self, on: Selection) -> Fact | None:
        said, by_recording = on.say.quoted(self.noun), _holders(self.role, on)
        holders: dict[str, list[Recording]] = {}
        for recording in on.chosen:
            for name in by_recording[recording.id]:
                holders.setdefault(name, []).append(recording)
        if not holders:
            return self._unknown(on, said)
        known = {r.id: r for there in holders.values() for r in there}
        unknown = len(on.chosen) - len(known)
        remark = on.remark("no_role_in", unknown, recordings=on.say.recordings(unknown), said=said)
        if len(holders) > 1:
            lines = on.lines(list(holders), lambda name: f"{plain(name)}, {on.of(holders[name]).name}")
            return on.fact(
                on.say.say("role_of_several", len(holders), said=said), lines, remark, of=known.values()
            )
        ((name, there),) = holders.items()
        place = on.of(there).name
        text = on.say.say("role", noun=plain(self.noun), said=said, name=plain(name), place=place)
        return on.fact(text, (), remark, of=known.values())

    def _unknown(self, on: Selection, said: str) -> Fact | None:
        """Who speaks in the one recording: somebody may say of themselves what they are."""
        if len(on.chosen) != 1:
            return None
        voices = Speakers().run(on)
        text = on.say.say("no_role", recordings=on.say.recordings(1), said=said)
        return replace(on.fact(text, voices.items, voices.text), whole=False)
