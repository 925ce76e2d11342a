"""The index of what a question can name: people, roles, titles, series, numbers, codes and values.

Questions are looked up in it in whatever language they are asked: no other grammar of names exists.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from threading import Lock
from typing import TypeVar

from onrecord.ingest.links import canonical_address
from onrecord.ingest.people import NO_ROLES, credited_roles, person_key, speaker_roles
from onrecord.stores.base import Reader
from onrecord.stores.scope import dated
from onrecord.stores.words import STOP
from onrecord.types import PassageTimeline, Recording, Scope
from onrecord.understand.lexicon import Phrase, lexicon, words

K = TypeVar("K")
V = TypeVar("V")

NUMBERS = frozenset(("episode", "ep", "number", "no", "numero"))
"""Attributes that hold a recording's number within its series."""
_DESCRIBING = frozenset(
    "topic subject theme description summary abstract keyword tag category note title date language".split()
)
"""Attributes whose values describe what is said: they are searched, not named."""
_LONGEST_VALUE = 8
"""Words of a value; longer ones are descriptions."""
_MOST_CACHED = 8
"""Workspaces whose catalogue is in memory."""
_NAMELESS = re.compile(
    r"(?:speaker|voice|spk|participant|unknown|sprecher|locuteur)[\W_]*\w?\d*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Value:
    """A value of an attribute, as most recordings write it."""

    attribute: str
    value: str


@dataclass(frozen=True)
class CatalogIndex:
    """The index of one workspace in one state, made of its recordings as far as a question needs it."""

    recordings: tuple[Recording, ...]

    @cached_property
    def by_id(self) -> Mapping[str, Recording]:
        return {recording.id: recording for recording in self.recordings}

    @cached_property
    def alone(self) -> bool:
        """Whether there are several recordings, none of more than one passage: paragraphs, entries."""
        return len(self.recordings) > 1 and all(r.passages == 1 for r in self.recordings)

    # ---- people

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The shortest name of everybody, by each label that recordings have for them."""
        labels = dict.fromkeys(name for recording in self.recordings for name in recording.speakers)
        shortest: dict[Phrase, str] = {}
        for label in labels:
            key = person_key(label)
            if key and (key not in shortest or len(label) < len(shortest[key])):
                shortest[key] = label
        return {label: shortest.get(person_key(label), label) for label in labels}

    @cached_property
    def nameless(self) -> frozenset[str]:
        """Labels that may be somebody else in every recording: "Speaker 1", "Project Manager"."""
        labels = {name for recording in self.recordings for name in recording.speakers}
        return frozenset(
            name
            for name in labels
            if _NAMELESS.fullmatch(name) or (set(words(name)) & _ROLE_WORDS and len(words(name)) < 4)
        )

    @cached_property
    def voices(self) -> Mapping[str, tuple[str, ...]]:
        """Who speaks in a recording, by its id."""
        return {r.id: tuple(dict.fromkeys(map(self.names.__getitem__, r.speakers))) for r in self.recordings}

    @cached_property
    def people(self) -> Mapping[Phrase, str]:
        """Everybody who speaks, by the words of the name."""
        return {words(name): name for name in dict.fromkeys(self.names.values()) if words(name)}

    @cached_property
    def name_parts(self) -> Mapping[str, tuple[str, ...]]:
        """The people who have a word in their name."""
        titles = lexicon().sets["titles"]
        return _index(
            (part, name)
            for parts, name in self.people.items()
            if name not in self.nameless
            for part in parts
            if len(part) > 1 and not part.isdigit() and part not in titles
        )

    @cached_property
    def holders(self) -> Mapping[Phrase, Mapping[str, tuple[str, ...]]]:
        """Who holds a role, by the words of the role and the id of the recording that says so."""
        roles = _index((role, (recording, name)) for role, recording, name in self._held())
        return {role: _index(some) for role, some in roles.items()}

    @cached_property
    def credits(self) -> Mapping[Phrase, Mapping[str, tuple[str, ...]]]:
        """Who holds a role, and whom the details of a recording credit in which nobody is heard by name: that
        answers who the guest is, and no words are theirs."""
        credited = (
            (role, (recording.id, name))
            for recording in self.recordings
            for attribute, name in credited_roles(recording)
            if attribute not in NO_ROLES
            for role in same_roles(words(attribute))
        )
        held = ((role, (recording, name)) for role, recording, name in self._held())
        return {role: _index(pairs) for role, pairs in _index((*held, *credited)).items()}

    def _held(self) -> Iterator[tuple[Phrase, str, str]]:
        """Every role in a recording: its words, the recording's id, who holds it."""
        by_key = {person_key(name): name for name in self.names.values()}
        for recording in self.recordings:
            for attribute, key in speaker_roles(recording):
                if attribute not in NO_ROLES and key in by_key:
                    for role in same_roles(words(attribute)):
                        yield role, recording.id, by_key[key]
            for label in recording.speakers:
                role = tuple(word for word in words(label) if len(word) > 1 and not word.isdigit())
                if role and label in self.nameless and not _NAMELESS.fullmatch(label):
                    yield role, recording.id, label

    # ---- recordings

    @cached_property
    def languages(self) -> frozenset[str]:
        """The ISO 639-1 codes of the languages of recordings."""
        return frozenset((r.details.language or "")[:2] for r in self.recordings)

    @cached_property
    def titles(self) -> Mapping[str, Phrase]:
        """The words of every title, by the id of its recording."""
        return {r.id: words(r.title) for r in self.recordings if r.details.title}

    @cached_property
    def whole_titles(self) -> Mapping[Phrase, tuple[str, ...]]:
        """The recordings of a title, with or without its number, of a part of it before or behind a colon, a
        dash or a comma, and of a code (letters and figures) in it or in their id."""
        titled = [r for r in self.recordings if r.details.title]
        parts = ((part, r.id) for r in titled for part in _parts_of_title(r.title))
        words_of = (
            (word, r.id) for r in self.recordings for word in (*self.titles.get(r.id, ()), *words(r.id))
        )
        return _index((*parts, *(((word,), name) for word, name in words_of if _is_code(word))))

    @cached_property
    def numbered(self) -> Mapping[str, tuple[str, ...]]:
        """The recordings of a number: that of an attribute such as `episode`, or of a title."""
        return _index((n.lstrip("0") or "0", r.id) for r in self.recordings for n in self._numbers_of(r))

    def _numbers_of(self, recording: Recording) -> Iterator[str]:
        yield from (
            v for k, v in recording.details.attributes.items() if not NUMBERS.isdisjoint(words(k)[:1])
        )
        digits = (word for word in self.titles.get(recording.id, ()) if word.isdigit() and len(word) < 4)
        yield from islice(digits, 1)

    @cached_property
    def title_words(self) -> Mapping[str, frozenset[str]]:
        """The recordings that have a word in their title or in the value of an attribute."""
        pairs = ((word, r.id) for r in self.recordings for word in words(_title_and_values(r)))
        return _sets((word, name) for word, name in pairs if word not in STOP)

    @cached_property
    def by_address(self) -> Mapping[str, tuple[str, ...]]:
        """The recordings that a link opens."""
        links = ((a, r.id) for r in self.recordings for a in (r.details.link, r.details.media) if a)
        return _index((place, name) for address, name in links if (place := canonical_address(address)))

    # ---- attributes

    def _attributes(self) -> Iterator[tuple[Recording, str, str]]:
        return ((r, name, value) for r in self.recordings for name, value in r.details.attributes.items())

    @cached_property
    def values(self) -> Mapping[Phrase, tuple[Value, ...]]:
        """The values of attributes that a question can name, by their words."""
        values: defaultdict[Phrase, dict[tuple[str, str], Value]] = defaultdict(dict)
        people = {r.id: {key for _, key in speaker_roles(r)} for r in self.recordings}
        for recording, name, value in self._attributes():
            key = words(value)
            describes = not key or len(key) > _LONGEST_VALUE or name in _DESCRIBING or value.isdigit()
            if describes or person_key(value) in people[recording.id]:
                continue
            bare = key[1:] if key[0] in lexicon().sets["articles"] else ()
            for phrase in filter(None, (key, bare)):
                values[phrase].setdefault((name.casefold(), " ".join(key)), Value(name, value))
        return {phrase: tuple(of_phrase.values()) for phrase, of_phrase in values.items()}

    @cached_property
    def keyed(self) -> Mapping[Phrase, tuple[Value, ...]]:
        """Values behind the name of their attribute, where they are numbers: "season 2", "year 2024"."""
        values: defaultdict[Phrase, dict[str, Value]] = defaultdict(dict)
        for _, name, value in self._attributes():
            if value.isdigit() and words(name) and words(name)[-1] not in NUMBERS:
                values[words(name)[-1], *words(value)][name.casefold()] = Value(name, value)
        return {phrase: tuple(of_phrase.values()) for phrase, of_phrase in values.items()}

    @cached_property
    def first_words(self) -> Mapping[str, tuple[Value, ...]]:
        """The values of several words that begin with a word: "Halden" is "Halden Cycles"."""
        several = ((key[0], some) for key, some in self.values.items() if len(key) > 1)
        return _index((w, one) for w, some in several if w not in STOP and len(w) > 2 for one in some)

    @cached_property
    def keys(self) -> Mapping[str, tuple[str, ...]]:
        """The attributes of a name, by its last word: "bank", "year" of "fiscal year"."""
        return _index((word, name) for _, name, _ in self._attributes() for word in words(name)[-1:])

    @cached_property
    def _holding(self) -> Mapping[tuple[str, Phrase], frozenset[str]]:
        return _sets(((name.casefold(), words(value)), r.id) for r, name, value in self._attributes())

    def having(self, attribute: str, value: str) -> frozenset[str]:
        """The ids of the recordings with that value, however it is written."""
        return self._holding.get((attribute.casefold(), words(value)), frozenset())

    @cached_property
    def _appearances(self) -> Mapping[str, frozenset[str]]:
        return _sets((name, key) for key, voices in self.voices.items() for name in voices)

    def speaking(self, name: str) -> frozenset[str]:
        """The ids of the recordings in which somebody speaks."""
        return self._appearances.get(name, frozenset())

    @cached_property
    def _dates(self) -> Mapping[str, frozenset[str]]:
        return _sets((r.details.date, r.id) for r in self.recordings if r.details.date)

    def dated(self, scope: Scope) -> frozenset[str]:
        """The ids of the recordings whose date is in a scope."""
        return frozenset().union(*(some for day, some in self._dates.items() if dated(day, scope)))


def _index(pairs: Iterable[tuple[K, V]]) -> Mapping[K, tuple[V, ...]]:
    """The values of each key, each once, in the order in which they come."""
    index: defaultdict[K, dict[V, None]] = defaultdict(dict)
    for key, value in pairs:
        index[key][value] = None
    return {key: tuple(values) for key, values in index.items()}


def _sets(pairs: Iterable[tuple[K, V]]) -> Mapping[K, frozenset[V]]:
    return {key: frozenset(values) for key, values in _index(pairs).items()}


def _title_and_values(recording: Recording) -> str:
    values = (value for name, value in recording.details.attributes.items() if name not in _DESCRIBING)
    return " ".join((recording.details.title or "", *values))


_ROLE_WORDS = frozenset(
    "manager designer expert interface marketing operator analyst professor student moderator".split()
)


def same_roles(role: Phrase) -> frozenset[Phrase]:
    """How a role may be called."""
    return next((same for same in lexicon().same_roles if role in same), frozenset((role,)))


def _parts_of_title(title: str) -> Iterator[Phrase]:
    """All of a title, what stands before and behind a colon, a dash or a comma in it, and what stands before
    the number at the end of either: "Slow Signals" of "Slow Signals 4: Tariffs"."""
    parts = [words(title)]
    for mark in (":", " - ", " – ", " — ", ", "):
        before, _, behind = title.partition(mark)
        if len(words(behind)) > 1:
            parts += words(behind), words(before)
    for part in parts:
        yield part
        if len(part) > 1 and part[-1].isdigit():
            yield part[:-1]


_cache: dict[str, tuple[PassageTimeline, CatalogIndex]] = {}
_building = Lock()


def catalog_of(reader: Reader) -> CatalogIndex:
    """The catalogue of a workspace, cached until something is written to it."""
    timeline = reader.timeline()  # the same object until then
    with _building:
        entry = _cache.pop(reader.workspace, None)
        if entry is None or entry[0] is not timeline:
            entry = timeline, CatalogIndex(tuple(reader.recordings()))
        _cache[reader.workspace] = entry
        for oldest in list(_cache)[:-_MOST_CACHED]:
            del _cache[oldest]
    return entry[1]


def _is_code(word: str) -> bool:
    """Whether a word has four signs or more, letters and figures among them."""
    return len(word) > 3 and any(map(str.isdigit, word)) and any("a" <= sign <= "z" for sign in word)


def longest_at(phrases: Mapping[Phrase, object], words: Sequence[str], at: int, most: int = 12) -> int:
    """How many words from a place on are one of the phrases; 0 where none is."""
    for size in range(min(most, len(words) - at), 0, -1):
        if tuple(words[at : at + size]) in phrases:
            return size
    return 0


def few(recordings: Collection[str], of: int) -> bool:
    """Whether these are few enough, out of so many, for a word to tell which are meant."""
    return 0 < len(recordings) <= max(1, of // 3)
