"""The index of all names in an archive: people, roles, titles, series, numbers, codes and values.

Questions in every language are matched against this index. There is no other grammar of names.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice
from threading import Lock
from typing import Any, TypeVar

from onrecord.ingest.links import canonical_address
from onrecord.ingest.people import (
    UNNAMED,
    is_generic_label,
    person_key,
    roles_of,
)
from onrecord.stores.base import Snapshot
from onrecord.stores.scope import dated, each_value
from onrecord.stores.words import STOP, fold
from onrecord.types import PassageTimeline, Recording, Scope
from onrecord.types.recordings import MOST_ENTRIES
from onrecord.understand.lexicon import Phrase, lexicon, words

K = TypeVar("K")
V = TypeVar("V")
Recordings = tuple[Recording, ...]
Keys = Callable[[Recording], Iterable[K]]

NUMBERS = frozenset(("episode", "ep", "number", "no", "numero"))
"""Attributes that hold a recording's number within its series."""
_DESCRIBING = frozenset(
    "topic subject theme description summary abstract keyword tag category note title date language".split()
)
"""Attributes whose values describe the content: the search covers them, and questions do not mention them."""
_LONGEST_VALUE = 8
"""Maximum number of words of a value; longer values are descriptions."""
_MOST_CACHED = 8
"""Maximum number of workspaces whose catalog is kept in memory."""
_FEW_CHANGES = 1 / 4
"""The share of changed recordings, in 0..1, below which an index is updated and not rebuilt."""


@dataclass(frozen=True, slots=True)
class Value:
    """An attribute's value, in the spelling of the first recording that has it."""

    attribute: str
    value: str


# ---------------------------------------------------------------- keys from one recording


def _title_phrases(recording: Recording) -> Iterator[Phrase]:
    """Yield the parts of a recording's title, and the codes in its title and id.

    A code has at least four characters, with both letters and digits."""
    title = recording.title if recording.details.title else ""
    yield from _parts_of_title(title) if title else ()
    for code in re.findall(r"\w+", fold(f"{title} {recording.id}")):
        if len(code) > 3 and re.search(r"\d", code) and re.search("[a-z]", code):
            yield words(code)  # "council_24" is a code of two words


def _numbers(recording: Recording) -> Iterator[str]:
    """Yield a recording's numbers, without leading zeros: those of attributes, and the first in its title."""
    attributes = recording.details.attributes.items()
    numbers = [value for name, value in attributes if not NUMBERS.isdisjoint(words(name)[:1])]
    digits = (word for word in words(recording.details.title or "") if word.isdigit() and len(word) < 4)
    yield from (number.lstrip("0") or "0" for number in (*numbers, *islice(digits, 1)))


def _title_words(recording: Recording) -> Iterator[str]:
    """Return the words of a recording's title, file name and attribute values, without stop words."""
    attributes = recording.details.attributes.items()
    values = (value for name, value in attributes if name not in _DESCRIBING)
    said = words(" ".join((recording.details.title or "", *values)))
    file = words(recording.id)[:-1]  # the last part of an id is a digest
    return (word for word in (*said, *filter(str.isalpha, file)) if word not in STOP)


def _addresses(recording: Recording) -> Iterator[str]:
    """Return the canonical addresses of a recording's links."""
    links = filter(None, (recording.details.link, recording.details.media))
    return filter(None, map(canonical_address, links))


def _speakers(recording: Recording) -> Iterable[str]:
    return recording.speakers


def _roles(recording: Recording) -> Iterator[tuple[Phrase, str]]:
    """Yield each role, by all its names, with its holder or the label that states it."""
    for name, roles in roles_of(recording).items() if recording.details.attributes else ():
        yield from ((role, name) for each in roles.split(", ") for role in same_roles(words(each)))
    for label in filter(is_generic_label, recording.speakers):
        role = tuple(w for w in words(label) if len(w) > 1 and w.isalpha() and w not in lexicon().articles)
        if role and UNNAMED.isdisjoint(role):
            yield from ((same, label) for same in same_roles(role))


def _attribute_values(recording: Recording) -> Iterator[tuple[str, Phrase]]:
    """Yield the name of each attribute in lower case, with the words of its value and its single values."""
    for name, value in recording.details.attributes.items():
        yield from ((name.casefold(), words(one)) for one in (value, *each_value(value)))


def _dates(recording: Recording) -> Iterable[str]:
    return filter(None, (recording.details.date,))


# ---------------------------------------------------------------- indexes of all names and attributes


@dataclass(frozen=True)
class People:
    """The speakers of all recordings, given by their distinct labels."""

    labels: tuple[str, ...]

    @cached_property
    def by_key(self) -> Mapping[Phrase, str]:
        """The shortest name of each person, by the key of the name."""
        shortest: dict[Phrase, str] = {}
        for label in self.labels:
            key = person_key(label)
            if key and (key not in shortest or len(label) < len(shortest[key])):
                shortest[key] = label
        return shortest

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The shortest name of each person, by label."""
        return {label: self.by_key.get(person_key(label), label) for label in self.labels}

    @cached_property
    def labels_of(self) -> Mapping[str, tuple[str, ...]]:
        """The labels of each person, by the shortest name."""
        return _index((name, label) for label, name in self.names.items())

    @cached_property
    def nameless(self) -> frozenset[str]:
        """Labels that may mean a different person in each recording: "Speaker 1", "Project Manager"."""
        return frozenset(filter(is_generic_label, self.labels))

    @cached_property
    def by_words(self) -> Mapping[Phrase, str]:
        """The shortest name of each person, by the words of the name."""
        return {words(name): name for name in self.labels_of if words(name)}

    @cached_property
    def name_parts(self) -> Mapping[str, tuple[str, ...]]:
        """The names of the people who have a word in their name, by that word.

        Titles and words such as "and", with which a follow-up begins, are left out."""
        no_parts = lexicon().titles | lexicon().continuing
        return _index(
            (part, name)
            for parts, name in self.by_words.items()
            if name not in self.nameless
            for part in parts
            if len(part) > 1 and not part.isdigit() and part not in no_parts
        )


@dataclass(frozen=True)
class Attributes:
    """The distinct attributes of all recordings.

    `pairs` are all pairs of attribute and value. `named` are those of each single value that is no speaker of
    the recording."""

    pairs: tuple[tuple[str, str], ...]
    named: tuple[tuple[str, str], ...]

    @cached_property
    def values(self) -> Mapping[Phrase, tuple[Value, ...]]:
        """The attribute values that a question can mention, by their words.

        The key of a number starts with the name of its attribute: "season 2", "year 2024"."""
        values: defaultdict[Phrase, dict[tuple[str, str], Value]] = defaultdict(dict)
        for name, value in self.named:
            key = words(value)
            if value.isdigit() and (noun := words(name)[-1:]) and noun[0] not in NUMBERS:
                key = noun + key
            elif not key or len(key) > _LONGEST_VALUE or name in _DESCRIBING or value.isdigit():
                continue
            bare = key[1:] if key[0] in lexicon().articles else ()
            for phrase in filter(None, (key, bare)):
                values[phrase].setdefault((name.casefold(), " ".join(key)), Value(name, value))
        return {phrase: tuple(of_phrase.values()) for phrase, of_phrase in values.items()}

    @cached_property
    def by_first_word(self) -> Mapping[str, Value]:
        """The values by a first word that only one has, without people: "Halden" for "Halden Cycles"."""
        roles = frozenset().union(*lexicon().same_roles)
        firms: defaultdict[str, dict[Phrase, Value]] = defaultdict(dict)
        for key, values in self.values.items():
            for value in values if len(key) > 1 and key[-1].isalpha() and len(key[0]) > 2 else ():
                if words(value.attribute) not in roles and key[0] not in STOP:
                    firms[key[0]].setdefault(words(value.value), value)
        return {word: next(iter(some.values())) for word, some in firms.items() if len(some) == 1}

    @cached_property
    def keys(self) -> Mapping[str, tuple[str, ...]]:
        """The names of attributes, by the last word of the name: "bank", or "year" for "fiscal year"."""
        return _index((word, name) for name, _ in self.pairs for word in words(name)[-1:])


# These indexes are cached because most writes add no new name.
_people = lru_cache(_MOST_CACHED)(People)
_attributes = lru_cache(_MOST_CACHED)(Attributes)


# ---------------------------------------------------------------- the index


@dataclass(frozen=True)
class CatalogIndex:
    """The index of the recordings of one workspace in one state; each part is built when first used."""

    recordings: Recordings
    _ids: dict[Keys[Any], Mapping[Any, tuple[str, ...]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """The mappings that are built, by the function that yields the keys of one recording."""

    def ids_by(self, keys: Keys[K]) -> Mapping[K, tuple[str, ...]]:
        """Return the ids of the recordings that have each key, in order. The mapping is built only once.

        `keys` yields the keys of one recording. They must depend on that recording alone."""
        ids = self._ids.get(keys)
        if ids is None:
            ids = self._ids[keys] = _index((key, r.id) for r in self.recordings for key in keys(r))
        return ids

    def follow(self, before: CatalogIndex) -> None:
        """Reuse the mappings of an earlier index, updated for the recordings that changed.

        Do nothing if a quarter of the recordings or more have changed."""
        gone = [r for r in before.recordings if self.by_id.get(r.id) is not r]
        new = [r for r in self.recordings if before.by_id.get(r.id) is not r]
        if len(gone) + len(new) >= len(self.recordings) * _FEW_CHANGES:
            return
        for keys, ids in tuple(before._ids.items()):  # meanwhile, another thread may build a mapping there
            changed: dict[Any, set[str]] = {}
            for recordings, change in ((gone, set[str].discard), (new, set[str].add)):
                for recording in recordings:
                    for key in keys(recording):
                        change(changed.setdefault(key, set(ids.get(key, ()))), recording.id)
            updated = self._ids[keys] = {**ids}
            for key, some in changed.items():
                if some:
                    updated[key] = tuple(sorted(some, key=self.places.__getitem__))
                else:
                    del updated[key]

    @cached_property
    def by_id(self) -> Mapping[str, Recording]:
        return {recording.id: recording for recording in self.recordings}

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The position of each recording among all, by its id."""
        return {recording.id: place for place, recording in enumerate(self.recordings)}

    @cached_property
    def articles(self) -> frozenset[str]:
        """The ids of written documents, such as the articles of an encyclopedia.

        The set is empty unless most recordings are entries."""
        entries = sum(recording.is_entry for recording in self.recordings)
        few = entries < max(2, MOST_ENTRIES * len(self.recordings))
        return frozenset(r.id for r in self.recordings if r.is_written and not few)

    # ---- people

    @cached_property
    def people(self) -> People:
        return _people(tuple(dict.fromkeys(name for r in self.recordings for name in r.speakers)))

    @cached_property
    def voices(self) -> Mapping[str, tuple[str, ...]]:
        """The names of the speakers of each recording, by its id."""
        names = self.people.names
        return {r.id: tuple(dict.fromkeys(map(names.__getitem__, r.speakers))) for r in self.recordings}

    def speaking(self, name: str) -> frozenset[str]:
        """Return the ids of the recordings in which a person speaks."""
        labels = self.people.labels_of.get(name, ())
        ids = self.ids_by(_speakers)
        return frozenset().union(*(ids.get(label, ()) for label in labels))

    @cached_property
    def holders(self) -> Mapping[Phrase, Mapping[str, tuple[str, ...]]]:
        """The holders of each role, by the words of the role and the recording's id.

        They include people whom only the details credit, and labels that are roles. A credited person
        can answer who the guest is, but no words in the recording are known to be theirs."""
        named, ids = self.people.by_key, self.ids_by(_roles)
        held = (  # sorted, because an index that follows another has its people in another order
            (role, (where, named.get(person_key(name), name)))
            for role, name in sorted(ids)
            for where in ids[role, name]
        )
        return {role: _index(pairs) for role, pairs in _index(held).items()}

    # ---- recordings

    @cached_property
    def languages(self) -> frozenset[str]:
        """The ISO 639-1 codes of the recordings' languages; "" stands for an unknown language."""
        return frozenset(r.details.language_code for r in self.recordings)

    @property
    def whole_titles(self) -> Mapping[Phrase, tuple[str, ...]]:
        """The recordings by the words of a title, with and without its number, of a part of it, or a code."""
        return self.ids_by(_title_phrases)

    @property
    def numbered(self) -> Mapping[str, tuple[str, ...]]:
        """The recordings by the number of an attribute such as `episode`, or the one in a title."""
        return self.ids_by(_numbers)

    @property
    def title_words(self) -> Mapping[str, tuple[str, ...]]:
        """The recordings by a word of their title, file name or attribute values."""
        return self.ids_by(_title_words)

    @property
    def by_address(self) -> Mapping[str, tuple[str, ...]]:
        """The recordings by the canonical address of their links."""
        return self.ids_by(_addresses)

    # ---- attributes

    @cached_property
    def attributes(self) -> Attributes:
        pairs: dict[tuple[str, str], None] = {}
        named: dict[tuple[str, str], None] = {}
        for recording in (r for r in self.recordings if r.details.attributes):
            speakers = set(map(person_key, recording.speakers)) - {()}
            given = recording.details.attributes.items()
            pairs.update(dict.fromkeys(given))
            each = ((name, one) for name, value in given for one in each_value(value))
            named.update(dict.fromkeys(pair for pair in each if person_key(pair[1]) not in speakers))
        return _attributes(tuple(pairs), tuple(named))

    def having(self, attribute: str, value: str) -> frozenset[str]:
        """Return the ids of the recordings with an attribute value, whatever its case and inflection."""
        return frozenset(self.ids_by(_attribute_values).get((attribute.casefold(), words(value)), ()))

    def meeting(self, field: str, values: Iterable[str]) -> frozenset[str]:
        """Return the ids of the recordings that match a field: "recording", "speaker" or an attribute."""
        if field == "recording":
            return frozenset(values)
        if field == "speaker":
            return frozenset().union(*map(self.speaking, values))
        return frozenset().union(*(self.having(field, value) for value in values))

    def dated(self, scope: Scope) -> frozenset[str]:
        """Return the ids of the recordings whose date is in a scope."""
        return frozenset().union(*(some for day, some in self.ids_by(_dates).items() if dated(day, scope)))


def _index(pairs: Iterable[tuple[K, V]]) -> Mapping[K, tuple[V, ...]]:
    """Return the distinct values of each key, in their original order."""
    index: defaultdict[K, dict[V, None]] = defaultdict(dict)
    for key, value in pairs:
        index[key][value] = None
    return {key: tuple(values) for key, values in index.items()}


def same_roles(role: Phrase) -> frozenset[Phrase]:
    """Return all names of a role, including the given one."""
    return next((same for same in lexicon().same_roles if role in same), frozenset((role,)))


@lru_cache(maxsize=1 << 15)  # each rebuild of an index needs the same parts again
def _parts_of_title(title: str) -> tuple[Phrase, ...]:
    """Return the words of a title and of its parts before and after a colon, a dash or a comma.

    "The Voice 4" also counts without its number, and without its article."""
    parts = [words(title)]
    for mark in (":", " - ", " – ", " — ", ", "):
        before, _, behind = title.partition(mark)
        if len(words(behind)) > 1:
            parts += words(behind), words(before)
    parts += [part[:-1] for part in parts if len(part) > 1 and part[-1].isdigit()]
    numbered = (part for part in parts if len(part) > 1 and part[-1].isdigit())
    parts += [part[1:] for part in numbered if part[0] in lexicon().articles]
    return tuple(dict.fromkeys(parts))


_cache: dict[str, tuple[PassageTimeline, CatalogIndex]] = {}
_building = Lock()


def catalog_of(reader: Snapshot) -> CatalogIndex:
    """Return the cached catalog of a workspace; after a write, index only the changed recordings."""
    timeline = reader.timeline()  # the reader returns the same object until the next write
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
