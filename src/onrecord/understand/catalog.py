"""The index of what a question can name: people, roles, titles, series, numbers, codes and values.

Questions are looked up in it in whatever language they are asked: no other grammar of names exists.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from threading import Lock
from typing import Generic, TypeVar

from onrecord.ingest.links import canonical_address
from onrecord.ingest.people import NO_ROLES, credited_roles, person_key, roles_of, speaker_roles
from onrecord.stores.base import Reader
from onrecord.stores.scope import dated
from onrecord.stores.words import STOP
from onrecord.types import PassageTimeline, Recording, Scope
from onrecord.types.recordings import MOST_ENTRIES
from onrecord.understand.lexicon import Phrase, lexicon, words

K = TypeVar("K")
V = TypeVar("V")
Recordings = tuple[Recording, ...]

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
_FEW_CHANGES = 1 / 4
"""Share of the recordings up to which an index is changed and not made anew."""
_NAMELESS = re.compile(
    r"(?:speaker|voice|spk|participant|unknown|sprecher|locuteur)[\W_]*\w?\d*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Value:
    """A value of an attribute, as most recordings write it."""

    attribute: str
    value: str


# ---------------------------------------------------------------- what follows from one recording


def _title_phrases(recording: Recording) -> Iterator[Phrase]:
    title = recording.title if recording.details.title else ""
    yield from _parts_of_title(title) if title else ()
    yield from ((word,) for word in (*words(title), *words(recording.id)) if _is_code(word))


def _numbers(recording: Recording) -> Iterator[str]:
    attributes = recording.details.attributes.items()
    numbers = [value for name, value in attributes if not NUMBERS.isdisjoint(words(name)[:1])]
    digits = (word for word in words(recording.details.title or "") if word.isdigit() and len(word) < 4)
    yield from (number.lstrip("0") or "0" for number in (*numbers, *islice(digits, 1)))


def _title_words(recording: Recording) -> Iterator[str]:
    attributes = recording.details.attributes.items()
    values = (value for name, value in attributes if name not in _DESCRIBING)
    said = words(" ".join((recording.details.title or "", *values)))
    file = words(recording.id)[:-1]  # whose end is a digest
    return (word for word in (*said, *filter(str.isalpha, file)) if word not in STOP)


def _addresses(recording: Recording) -> Iterator[str]:
    links = filter(None, (recording.details.link, recording.details.media))
    return filter(None, map(canonical_address, links))


# ---------------------------------------------------------------- what follows from all names and attributes


@dataclass(frozen=True)
class People:
    """Everybody who speaks, by the distinct labels that recordings have for them."""

    labels: tuple[str, ...]

    @cached_property
    def by_key(self) -> Mapping[Phrase, str]:
        """The shortest name of everybody, by the key of the name."""
        shortest: dict[Phrase, str] = {}
        for label in self.labels:
            key = person_key(label)
            if key and (key not in shortest or len(label) < len(shortest[key])):
                shortest[key] = label
        return shortest

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The shortest name of everybody, by each label."""
        return {label: self.by_key.get(person_key(label), label) for label in self.labels}

    @cached_property
    def labels_of(self) -> Mapping[str, tuple[str, ...]]:
        """The labels of everybody, by the shortest name."""
        return _index((name, label) for label, name in self.names.items())

    @cached_property
    def nameless(self) -> frozenset[str]:
        """Labels that may be somebody else in every recording: "Speaker 1", "Project Manager"."""
        return frozenset(
            name
            for name in self.labels
            if _NAMELESS.fullmatch(name) or (set(words(name)) & _ROLE_WORDS and len(words(name)) < 4)
        )

    @cached_property
    def by_words(self) -> Mapping[Phrase, str]:
        """Everybody, by the words of the name."""
        return {words(name): name for name in self.labels_of if words(name)}

    @cached_property
    def name_parts(self) -> Mapping[str, tuple[str, ...]]:
        """The people who have a word in their name."""
        titles = lexicon().sets["titles"]
        return _index(
            (part, name)
            for parts, name in self.by_words.items()
            if name not in self.nameless
            for part in parts
            if len(part) > 1 and not part.isdigit() and part not in titles
        )


@dataclass(frozen=True)
class Attributes:
    """The distinct pairs of attribute and value: all of them, and those that name no speaker."""

    pairs: tuple[tuple[str, str], ...]
    named: tuple[tuple[str, str], ...]

    @cached_property
    def values(self) -> Mapping[Phrase, tuple[Value, ...]]:
        """The values of attributes that a question can name, by their words.

        Those of a number stand behind the name of their attribute: "season 2", "year 2024"."""
        values: defaultdict[Phrase, dict[tuple[str, str], Value]] = defaultdict(dict)
        for name, value in self.named:
            key = words(value)
            if value.isdigit() and (noun := words(name)[-1:]) and noun[0] not in NUMBERS:
                key = noun + key
            elif not key or len(key) > _LONGEST_VALUE or name in _DESCRIBING or value.isdigit():
                continue
            bare = key[1:] if key[0] in lexicon().sets["articles"] else ()
            for phrase in filter(None, (key, bare)):
                values[phrase].setdefault((name.casefold(), " ".join(key)), Value(name, value))
        return {phrase: tuple(of_phrase.values()) for phrase, of_phrase in values.items()}

    @cached_property
    def first_words(self) -> Mapping[str, tuple[Value, ...]]:
        """The values of several words that begin with a word: "Halden" is "Halden Cycles"."""
        several = (
            (key[0], some) for key, some in self.values.items() if len(key) > 1 and not key[-1].isdigit()
        )
        return _index((w, one) for w, some in several if w not in STOP and len(w) > 2 for one in some)

    @cached_property
    def keys(self) -> Mapping[str, tuple[str, ...]]:
        """The attributes of a name, by its last word: "bank", "year" of "fiscal year"."""
        return _index((word, name) for name, _ in self.pairs for word in words(name)[-1:])


_people = lru_cache(_MOST_CACHED)(People)  # most writes bring no new name
_attributes = lru_cache(_MOST_CACHED)(Attributes)


# ---------------------------------------------------------------- the index


class IdsByKey(Generic[K]):
    """An attribute of an index: the ids of the recordings that have a key, by key, in their order.

    `keys` yields the keys of one recording. They must depend on that recording alone.
    """

    def __init__(self, keys: Callable[[Recording], Iterable[K]]) -> None:
        self._keys = keys

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, index: CatalogIndex, owner: type) -> Mapping[K, tuple[str, ...]]:
        built = _index((key, r.id) for r in index.recordings for key in self._keys(r))
        index.__dict__[self._name] = built
        return built

    def follow(self, index: CatalogIndex, before: CatalogIndex, gone: Recordings, new: Recordings) -> None:
        """Give an index what the one before has, changed only for the keys of recordings gone and new."""
        built: Mapping[K, tuple[str, ...]] | None = before.__dict__.get(self._name)
        if built is None:
            return
        changed: dict[K, set[str]] = {}
        for recordings, change in ((gone, set[str].discard), (new, set[str].add)):
            for recording in recordings:
                for key in self._keys(recording):
                    change(changed.setdefault(key, set(built.get(key, ()))), recording.id)
        ordered = {key: tuple(sorted(ids, key=index.places.__getitem__)) for key, ids in changed.items()}
        index.__dict__[self._name] = {key: ids for key, ids in {**built, **ordered}.items() if ids}


@dataclass(frozen=True)
class CatalogIndex:
    """The index of one workspace in one state, made of its recordings as far as a question needs it."""

    recordings: Recordings

    def follow(self, before: CatalogIndex) -> None:
        """Take over what an index of other recordings has, changed by those in which they differ."""
        gone = tuple(r for r in before.recordings if self.by_id.get(r.id) is not r)
        new = tuple(r for r in self.recordings if before.by_id.get(r.id) is not r)
        if len(gone) + len(new) < len(self.recordings) * _FEW_CHANGES:
            for attribute in vars(CatalogIndex).values():
                if isinstance(attribute, IdsByKey):
                    attribute.follow(self, before, gone, new)

    @cached_property
    def by_id(self) -> Mapping[str, Recording]:
        return {recording.id: recording for recording in self.recordings}

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The place of each recording among all, by its id."""
        return {recording.id: place for place, recording in enumerate(self.recordings)}

    @cached_property
    def articles(self) -> frozenset[str]:
        """The ids of what is written (an encyclopaedia's articles), where most recordings are entries."""
        entries = sum(recording.is_entry for recording in self.recordings)
        few = entries < max(2, MOST_ENTRIES * len(self.recordings))
        return frozenset(r.id for r in self.recordings if r.is_written and not few)

    # ---- people

    @cached_property
    def people(self) -> People:
        return _people(tuple(dict.fromkeys(name for r in self.recordings for name in r.speakers)))

    _labelled = IdsByKey(lambda recording: recording.speakers)

    @cached_property
    def voices(self) -> Mapping[str, tuple[str, ...]]:
        """Who speaks in a recording, by its id."""
        names = self.people.names
        return {r.id: tuple(dict.fromkeys(map(names.__getitem__, r.speakers))) for r in self.recordings}

    def speaking(self, name: str) -> frozenset[str]:
        """The ids of the recordings in which somebody speaks."""
        labels = self.people.labels_of.get(name, ())
        return frozenset().union(*(self._labelled.get(label, ()) for label in labels))

    def roles(self, name: str) -> tuple[str, ...]:
        """What somebody is where they speak, by the attributes that name them: "guest", "chair"."""
        labels = self.people.labels_of[name]
        there = (roles_of(self.by_id[recording]) for recording in sorted(self.speaking(name)))
        return tuple(dict.fromkeys(roles[label] for roles in there for label in labels if label in roles))

    @cached_property
    def holders(self) -> Mapping[Phrase, Mapping[str, tuple[str, ...]]]:
        """Who holds a role, by the words of the role and the id of the recording that says so."""
        return _by_role(self._held())

    @cached_property
    def credits(self) -> Mapping[Phrase, Mapping[str, tuple[str, ...]]]:
        """Who holds a role, and whom the details credit whom no label of the recording names: that answers
        who the guest is, and no words are theirs."""
        by_key = self.people.by_key
        credited = (
            (role, recording.id, by_key.get(person_key(name), name))
            for recording in self.recordings
            for attribute, name in credited_roles(recording)
            if attribute not in NO_ROLES
            for role in same_roles(words(attribute))
        )
        return _by_role((*self._held(), *credited))

    @cached_property
    def holders_by_words(self) -> Mapping[Phrase, str]:
        """Everybody who holds a role or is credited with one, by the words of the name."""
        names = (name for there in self.credits.values() for some in there.values() for name in some)
        return {words(name): name for name in dict.fromkeys(names) if words(name)}

    def _held(self) -> Iterator[tuple[Phrase, str, str]]:
        """Every role in a recording: its words, the recording's id, who holds it."""
        people = self.people
        for recording in self.recordings:
            for attribute, key in speaker_roles(recording) if recording.details.attributes else ():
                if attribute not in NO_ROLES and key in people.by_key:
                    for role in same_roles(words(attribute)):
                        yield role, recording.id, people.by_key[key]
            for label in recording.speakers if people.nameless else ():
                role = tuple(word for word in words(label) if len(word) > 1 and not word.isdigit())
                if role and label in people.nameless and not _NAMELESS.fullmatch(label):
                    yield role, recording.id, label

    # ---- recordings

    @cached_property
    def languages(self) -> frozenset[str]:
        """The ISO 639-1 codes of the languages of recordings."""
        return frozenset((r.details.language or "")[:2] for r in self.recordings)

    whole_titles = IdsByKey(_title_phrases)
    """The recordings of a title, with or without its number, of a part of it before or behind a colon, a dash
    or a comma, and of a code (letters and figures) in it or in their id."""
    numbered = IdsByKey(_numbers)
    """The recordings of a number: that of an attribute such as `episode`, or of a title."""
    title_words = IdsByKey(_title_words)
    """The recordings that have a word in their title, in the name of their file, or in an attribute."""
    by_address = IdsByKey(_addresses)
    """The recordings that a link opens."""

    # ---- attributes

    @cached_property
    def attributes(self) -> Attributes:
        pairs: dict[tuple[str, str], None] = {}
        named: dict[tuple[str, str], None] = {}
        for recording in (r for r in self.recordings if r.details.attributes):
            speakers = set(map(person_key, recording.speakers)) - {()}
            given = recording.details.attributes.items()
            pairs.update(dict.fromkeys(given))
            named.update(dict.fromkeys(pair for pair in given if person_key(pair[1]) not in speakers))
        return _attributes(tuple(pairs), tuple(named))

    _holding = IdsByKey(
        lambda r: [(name.casefold(), words(value)) for name, value in r.details.attributes.items()]
    )

    def having(self, attribute: str, value: str) -> frozenset[str]:
        """The ids of the recordings with that value, however it is written."""
        return frozenset(self._holding.get((attribute.casefold(), words(value)), ()))

    def meeting(self, field: str, values: Iterable[str]) -> frozenset[str]:
        """The ids of the recordings that are named, in which somebody speaks, or that have a value."""
        if field == "recording":
            return frozenset(values)
        if field == "speaker":
            return frozenset().union(*map(self.speaking, values))
        return frozenset().union(*(self.having(field, value) for value in values))

    _dates = IdsByKey(lambda recording: [recording.details.date] if recording.details.date else [])

    def dated(self, scope: Scope) -> frozenset[str]:
        """The ids of the recordings whose date is in a scope."""
        return frozenset().union(*(some for day, some in self._dates.items() if dated(day, scope)))


def _index(pairs: Iterable[tuple[K, V]]) -> Mapping[K, tuple[V, ...]]:
    """The values of each key, each once, in the order in which they come."""
    index: defaultdict[K, dict[V, None]] = defaultdict(dict)
    for key, value in pairs:
        index[key][value] = None
    return {key: tuple(values) for key, values in index.items()}


def _by_role(held: Iterable[tuple[Phrase, str, str]]) -> Mapping[Phrase, Mapping[str, tuple[str, ...]]]:
    pairs = _index((role, (recording, name)) for role, recording, name in held)
    return {role: _index(some) for role, some in pairs.items()}


_ROLE_WORDS = frozenset(
    "manager designer expert interface marketing operator analyst professor student moderator".split()
)


def same_roles(role: Phrase) -> frozenset[Phrase]:
    """How a role may be called."""
    return next((same for same in lexicon().same_roles if role in same), frozenset((role,)))


@lru_cache(maxsize=1 << 15)  # two indexes are made of the parts
def _parts_of_title(title: str) -> tuple[Phrase, ...]:
    """All of a title, what stands before and behind a colon, a dash or a comma in it, and each that ends in a
    number without it, and without its article: "The Voice" and "Voice 4" of "The Voice 4"."""
    parts = [words(title)]
    for mark in (":", " - ", " – ", " — ", ", "):
        before, _, behind = title.partition(mark)
        if len(words(behind)) > 1:
            parts += words(behind), words(before)
    parts += [part[:-1] for part in parts if len(part) > 1 and part[-1].isdigit()]
    numbered = (part for part in parts if len(part) > 1 and part[-1].isdigit())
    parts += [part[1:] for part in numbered if part[0] in lexicon().sets["articles"]]
    return tuple(dict.fromkeys(parts))


_cache: dict[str, tuple[PassageTimeline, CatalogIndex]] = {}
_building = Lock()


def catalog_of(reader: Reader) -> CatalogIndex:
    """The catalogue of a workspace. After a write it is changed by the recordings that were written."""
    timeline = reader.timeline()  # the same object until something is written
    with _building:
        entry = _cache.pop(reader.workspace, None)
        if entry is None or entry[0] is not timeline:
            catalog = CatalogIndex(tuple(reader.recordings()))
            if entry:
                catalog.follow(entry[1])
            entry = timeline, catalog
        _cache[reader.workspace] = entry
        for oldest in list(_cache)[:-_MOST_CACHED]:
            del _cache[oldest]
    return entry[1]


def _is_code(word: str) -> bool:
    """Whether a word has four signs or more, letters and figures among them."""
    return len(word) > 3 and any(map(str.isdigit, word)) and any("a" <= sign <= "z" for sign in word)
