"""Queries that the catalog answers: how many, which, the latest, who, how long, when, how often.

Each query is a function of a selection. It returns None if it has no answer, and the question goes to search.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from onrecord.stores.base import Snapshot
from onrecord.stores.scope import each_value
from onrecord.stores.words import STOP, fold, terms
from onrecord.types import Fact, Passage, Recording, Scope, clock
from onrecord.understand.catalog import CatalogIndex
from onrecord.understand.lexicon import Messages, Phrase, plain, words

MOST = 10
"""Maximum number of lines of a list; the remaining items are only counted."""
MOST_READ = 400
"""Maximum number of passages that are read to count words or find their speakers."""
T = TypeVar("T")
_ANY_RECORDING = frozenset(("recording", "episode", "enregistrement"))


class Lack(Fact):
    """A fact that the details lack. It is a note on the answer, because it answers nothing."""


@dataclass(frozen=True)
class Selection:
    """The recordings that a question is about: `base` are all in scope, `chosen` meet its conditions.

    `said` are the words of the conditions. `dated` is true if one of them is a date. `scope` is the scope in
    which words are counted. Only `count_recordings` and `find_mentions` accept a selection of none."""

    catalog: CatalogIndex
    reader: Snapshot
    say: Messages
    base: tuple[Recording, ...]
    chosen: tuple[Recording, ...]
    said: tuple[str, ...] = ()
    dated: bool = False
    scope: Scope = field(default_factory=Scope)

    def name(self, recordings: Sequence[Recording]) -> str:
        """Return a name for some recordings: the title of a single one, or else their number."""
        one = len(recordings) == 1
        return plain(recordings[0].title) if one else self.say.say("all_of_them", len(recordings))

    def line(self, recording: Recording, in_words: bool = False) -> str:
        """Return a line with a recording's title, date and length, or its length `in_words`."""
        date = plain(recording.details.date or "") or self.say.say("without_date")
        length = self.say.say("words", recording.words) if in_words else self.length(recording)
        return ", ".join((plain(recording.title), date, length))

    def length(self, recording: Recording) -> str:
        """Return the duration of a recording, or its number of words if it has no timestamps."""
        timed = recording.seconds is not None
        return clock(recording.seconds or 0.0) if timed else self.say.say("words", recording.words)

    def having(self, name: str) -> list[Recording]:
        """Return the chosen recordings in which a person speaks."""
        return [r for r in self.chosen if name in self.catalog.voices[r.id]]

    def remark(self, key: str, count: int, **values: Any) -> str:
        """Return a message about `count` recordings; "" if there are none."""
        return self.say.say(key, count, recordings=self.say.recordings(count), **values) if count else ""

    def unknown_speakers(self, recordings: Iterable[Recording]) -> tuple[str, str]:
        """Return remarks on how many recordings have speakers without a name, and how many name nobody."""
        voices = [self.catalog.voices[r.id] for r in recordings]
        unnamed = sum(not self.catalog.people.nameless.isdisjoint(names) for names in voices)
        return self.remark("unnamed", unnamed), self.remark("unvoiced", sum(not names for names in voices))

    def lines(self, items: Sequence[T], line: Callable[[T], str]) -> tuple[str, ...]:
        """Return a line for each of the first `MOST` items, and one for the number of remaining items."""
        rest = len(items) - MOST
        return (*map(line, items[:MOST]), *((self.say.say("more", rest),) if rest > 0 else ()))

    def counts(self, counter: Counter[str]) -> tuple[str, ...]:
        """Return lines of values with their numbers of recordings, the most frequent first."""

        def line(item: tuple[str, int]) -> str:
            return self.say.say("counted", value=plain(item[0]), recordings=self.say.recordings(item[1]))

        return self.lines(counter.most_common(), line)

    def fact(
        self, text: str, lines: tuple[str, ...] = (), *remarks: str, of: Iterable[Recording] | None = None
    ) -> Fact:
        """Return a fact with remarks after its text, about the recordings `of`, or the chosen ones."""
        about = self.chosen if of is None else of
        return Fact(" ".join(filter(None, (text, *remarks))), lines, tuple(r.id for r in about)[:MOST])

    def listing(self, text: str, recordings: Sequence[Recording], *remarks: str) -> Fact:
        """Return a fact with recordings as lines, the latest first."""
        latest = sorted(recordings, key=lambda r: (r.details.date or "", r.title), reverse=True)
        return self.fact(text, self.lines(latest, self.line), *remarks, of=latest)

    def each(self, sentence: Callable[[Recording], str]) -> Fact:
        """Return a fact with a sentence about the only chosen recording, or a line for each of several."""
        if len(self.chosen) == 1:
            return self.fact(sentence(self.chosen[0]))
        return self.fact(self.say.say("several_meant", len(self.chosen)), self.lines(self.chosen, sentence))


# ---------------------------------------------------------------- recordings


def count_recordings(on: Selection, noun: str = "") -> Fact:
    """Count and list the recordings, or those that meet the conditions; `noun` is the question's word."""
    say, number = on.say, len(on.chosen)
    undated = sum(not r.details.date for r in on.base)
    if on.dated and undated == len(on.base):
        return Fact(say.say("no_dates", undated, said=say.all_quoted(on.said)))
    unknown = on.remark("undated", undated) if on.dated else ""
    if on.said:
        key = "all_fit" if number == len(on.base) > 1 else "fitting"
        text = say.say(key, number, of=len(on.base), said=say.all_quoted(on.said))
        return on.listing(text, on.chosen, unknown)
    called, noun_word = "", words(noun)[0] if noun else ""
    if noun_word and noun_word not in _ANY_RECORDING:  # counts those with the word in title or attributes
        texts = ((r.title, *r.details.attributes, *r.details.attributes.values()) for r in on.chosen)
        having = sum(noun_word in words(" ".join(text)) for text in texts)
        called = say.say("called", having, noun=say.quoted(noun)) if having < number else ""
    return on.listing(say.say("there_are", number), on.chosen, called, unknown)


def choose_outermost(on: Selection, which: str) -> Fact:
    """Return the latest, oldest, longest or shortest recording (by words if one has no times), or ties."""
    values: Mapping[str, Any] = {r.id: r.details.date for r in on.chosen if r.details.date}
    undated, untimed = len(on.chosen) - len(values), sum(r.seconds is None for r in on.chosen)
    by_date, called = which in ("latest", "oldest"), on.say.say(which)
    if by_date and not values:
        return Fact(on.say.say("no_end_date", undated, which=called))
    if not by_date:
        values = {r.id: r.words if untimed else r.seconds for r in on.chosen}
    remark = on.remark("undated", undated) if by_date else on.remark("by_words", untimed)
    best = (max if which in ("latest", "longest") else min)(values.values())
    ends = [r for r in on.chosen if values.get(r.id) == best]
    if len(ends) > 1:
        return on.listing(on.say.say("ties", len(ends), which=called), ends, remark)
    line = on.line(ends[0], in_words=untimed > 0 and not by_date)
    key = "outermost_of" if on.said and len(on.chosen) < len(on.base) else "outermost"
    text = on.say.say(key, len(on.chosen), said=on.say.all_quoted(on.said), which=called, line=line)
    return on.fact(text, (), remark, of=ends)


def tell_title(on: Selection) -> Fact:
    """Return the title of each chosen recording."""
    return on.each(lambda r: on.say.say("titled", title=plain(r.title)))


def tell_date(on: Selection) -> Fact:
    """Return the date of each chosen recording."""

    def sentence(r: Recording) -> str:
        key = "dated" if r.details.date else "not_dated"
        return on.say.say(key, title=plain(r.title), date=plain(r.details.date or ""))

    return on.each(sentence)


def tell_length(on: Selection) -> Fact:
    """Return the length of each chosen recording."""

    def sentence(r: Recording) -> str:
        key = "lasts" if r.seconds is not None else "not_measured"
        return on.say.say(key, title=plain(r.title), length=on.length(r), words=on.length(r))

    return on.each(sentence)


def list_values(on: Selection, attributes: Sequence[str], noun: str) -> Fact | None:
    """Return the values of attributes with the question's word `noun`; without attributes, the languages."""
    said, given = on.say.quoted(noun), list[str]()
    for recording in on.chosen:
        details = recording.details
        of_it = [details.attributes.get(name) for name in attributes]
        of_it += [] if attributes else [on.say.language_name(details.language_code)]
        given += [value for value in of_it if value][:1]
    if len(on.chosen) == 1:
        name, value = plain(on.chosen[0].title), on.say.listed(each_value("".join(given)))
        return on.fact(on.say.say("value" if value else "no_value", said=said, title=name, value=value))
    if not given:
        return None
    spelling: dict[Phrase, str] = {}
    counts = Counter(spelling.setdefault(words(one), one) for value in given for one in each_value(value))
    remark = on.remark("no_value_in", len(on.chosen) - len(given), said=said)
    return on.fact(on.say.say("values", len(counts), said=said), on.counts(counts), remark, of=())


# ---------------------------------------------------------------- words


def find_mentions(on: Selection, subject: str, kind: str, speakers: tuple[str, ...]) -> Fact | None:
    """Return how often the words of a subject occur, with the recordings that have them most often first.

    For the kind "first_said" the earliest recordings come first, for "last_said" the latest. If `speakers`
    are given, only their words count. The search runs as well, for what was said about the words."""
    labels = {label for name in speakers for label in on.catalog.people.labels_of.get(name, ())}
    spoken = _passages_with(subject, on, labels)
    # The search finds recordings that use other words for the subject.
    if spoken is None or (kind == "mentioned_in" and not spoken):
        return None
    counts = Counter(passage.recording for passage in spoken).most_common()
    heard_in = [(on.catalog.by_id[name], count) for name, count in counts]
    if kind == "first_said":
        heard_in.sort(key=lambda item: item[0].details.date or "unknown")
    elif kind == "last_said":
        heard_in.sort(key=lambda item: item[0].details.date or "", reverse=True)

    def line(item: tuple[Recording, int]) -> str:
        recording, passages = item[0], on.say.say("passages", item[1])
        name = ", ".join(filter(None, (plain(recording.title), plain(recording.details.date or ""))))
        return on.say.say("said_by", name=name, passages=passages)

    text = on.say.say(
        "said_in",
        len(spoken),
        said=on.say.quoted(subject),
        by=on.say.say("by", name=on.say.choices(speakers)) if speakers else "",
        passages=on.say.say("passages", len(spoken)),
        recordings=on.say.recordings(len(counts)),
    )
    fact = replace(on.fact(text, on.lines(heard_in, line), of=[each for each, _ in heard_in]), whole=False)
    if not spoken or kind not in ("first_said", "last_said"):
        return fact
    there = [passage for passage in spoken if passage.recording == heard_in[0][0].id]
    return replace(fact, place=_place_of(there[0 if kind == "first_said" else -1], subject, labels))


def _passages_with(subject: str, on: Selection, labels: Collection[str]) -> list[Passage] | None:
    """Return the passages in which speakers with these labels, or anybody, say words as a phrase.

    Return None if some passages have the words, but none as a phrase: "the night was good" lacks the phrase
    "good night", but may be relevant."""
    wanted = dict.fromkeys(terms(subject))
    timeline = on.reader.timeline(replace(on.scope, speakers=on.scope.speakers or tuple(sorted(labels))))
    if not wanted or not len(timeline):
        return None
    heard = np.ones(len(timeline), bool)
    for term in wanted:
        heard &= on.reader.keyword([term], timeline) > 0
    passages, phrase = on.reader.passages(timeline.rows[heard][:MOST_READ]), _content(subject)
    if passages and not any(phrase in _content(passage.text) for passage in passages):
        return None
    spoken = ((p, [p.text[b:e] for b, e, who in p.turns if not labels or who in labels]) for p in passages)
    return [passage for passage, turns in spoken if phrase in _content(" ".join(turns))]


def _place_of(passage: Passage, subject: str, labels: Collection[str]) -> tuple[str, int, int]:
    """Return the place of the subject's first term in the words of speakers with these labels, or anybody."""
    term = terms(subject)[0]
    turns = ((b, passage.text[b:e]) for b, e, who in passage.turns if not labels or who in labels)
    at = next((begin + fold(text).find(term) for begin, text in turns if term in fold(text)), 0)
    return passage.recording, passage.position, at


def _content(text: str) -> str:
    """Return the terms of a text without stop words, in order, with a space around each."""
    return f" {' '.join(term for term in terms(text) if term not in STOP)} "


# ---------------------------------------------------------------- people


def list_speakers(on: Selection, counted: bool = False) -> Fact:
    """List the speakers; `counted` means that the question asks how many they are."""
    if len(on.chosen) == 1:
        recording = on.chosen[0]
        title, names = plain(recording.title), on.catalog.voices[recording.id]
        if not names:
            people = recording.details.people[:MOST]
            credited = on.say.say("credited", names=on.say.listed(people)) if people else ""
            return on.fact(on.say.say("not_voiced", title=title), (), credited)
        if counted or len(names) > MOST:
            return on.fact(on.say.say("voices_in", len(names), title=title), on.lines(names, plain))
        return on.fact(on.say.say("speak_in", len(names), names=on.say.listed(names), title=title))
    voices = [on.catalog.voices[r.id] for r in on.chosen]
    nameless = on.catalog.people.nameless
    counts = Counter(name for names in voices for name in names if name not in nameless)
    unnamed, unvoiced = on.unknown_speakers(on.chosen)
    heard_in = on.say.recordings(sum(map(bool, voices)))
    return on.fact(
        on.say.say("voices", len(counts), recordings=heard_in)
        if counts
        else on.say.say("nobody_known", len(voices)),
        on.counts(counts),
        unnamed,
        unvoiced if counts else "",
        of=(),
    )


def list_appearances(on: Selection, name: str) -> Fact:
    """List the recordings in which a person speaks; for a single recording, say whether they do."""
    there = on.having(name)
    if len(on.chosen) == 1:
        if not there and any(on.unknown_speakers(on.chosen)):
            return list_speakers(on)
        key = "yes" if there else "no"
        return on.fact(on.say.say(key, name=plain(name), title=plain(on.chosen[0].title)))
    text = on.say.say("speaks_in", len(there), name=plain(name), of=len(on.chosen))
    return on.listing(text, there, *on.unknown_speakers([r for r in on.chosen if r not in there]))


def list_companions(on: Selection, name: str) -> Fact:
    """List the people who speak in the recordings of a person."""
    there = on.having(name)
    return list_speakers(replace(on, chosen=tuple(there))) if there else list_appearances(on, name)


# ---------------------------------------------------------------- roles


def name_holders(on: Selection, role: Phrase, noun: str) -> Fact | None:
    """Name the holders of a role, by labels and attributes; `noun` is the question's word for the role.

    For a single recording whose details name none, return a `Lack`, with the speakers if they are few."""
    said, holders = on.say.quoted(noun), defaultdict[str, list[Recording]](list)
    for recording in on.chosen:
        for name in on.catalog.holders.get(role, {}).get(recording.id, ()):
            holders[name].append(recording)
    if not holders:
        if len(on.chosen) != 1:
            return None
        voices = list_speakers(on)  # a speaker may state their own role
        text = on.say.say("no_role", recordings=on.say.recordings(1), said=said)
        return Lack(text if voices.items else f"{text} {voices.text}")
    known = {r.id: r for there in holders.values() for r in there}
    remark = on.remark("no_role_in", len(on.chosen) - len(known), said=said)
    lines: tuple[str, ...] = ()
    if len(holders) > 1:
        text = on.say.say("role_of_several", len(holders), said=said)
        lines = on.lines(list(holders), lambda name: f"{plain(name)}, {on.name(holders[name])}")
    else:
        ((name, there),) = holders.items()
        place = on.name(there)
        text = on.say.say("role", noun=plain(noun), said=said, name=plain(name), place=place)
    return on.fact(text, lines, remark, of=known.values())


# ---------------------------------------------------------------- shares of the words


def list_shares(on: Selection) -> Fact:
    """List the speakers with their shares of the words, the most talkative first.

    If the recordings have more than `MOST_READ` passages, list the speakers without shares."""
    if sum(recording.passages for recording in on.chosen) > MOST_READ:
        return list_speakers(on)
    counts = Counter[str]()
    for passage in (p for r in on.chosen for p in on.reader.transcript(r.id)):
        for begin, end, speaker in passage.turns:
            name = on.catalog.people.names.get(speaker or "", "")
            counts[name] += len(passage.text[begin:end].split())
    total = counts.total()
    unnamed = on.catalog.people.nameless if len(on.chosen) > 1 else ()
    known = [(name, count) for name, count in counts.most_common() if name and name not in unnamed]
    if not known:
        return list_speakers(on)

    def line(item: tuple[str, int]) -> str:
        words, percent = on.say.say("words", item[1]), f"{100 * item[1] / total:.0f}"
        return on.say.say("share", name=plain(item[0]), words=words, percent=percent)

    unknown = total - sum(count for _, count in known)
    remark = on.remark("nobody_said", unknown, words=on.say.say("words", unknown))
    return on.fact(on.say.say("shares", place=on.name(on.chosen)), on.lines(known, line), remark)
