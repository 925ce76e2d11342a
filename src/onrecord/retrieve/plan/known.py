"""What an archive knows that a question can name: people, titles, attributes, numbers, languages."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from threading import Lock

from onrecord.ingest.links import opened
from onrecord.ingest.roles import person_key
from onrecord.retrieve.plan.asked import low, words_of
from onrecord.retrieve.plan.fitting import Fitting
from onrecord.retrieve.plan.names import ANYBODY, FORMAL, PARTICLES, ROLES, TAILS, Nearest
from onrecord.retrieve.plan.roles import OFTEN, Words, credits_in, roles_in
from onrecord.stores.base import Reader
from onrecord.stores.words import STOP, singular
from onrecord.types import Line, Recording

_LONGEST_VALUE = 8
"""Words of an attribute's value; longer ones are descriptions, which nobody names."""
EPISODES = ("episode", "episode number", "number", "ep", "numero", "no")
"""Attributes that hold a recording's number."""
SERIES = ("show", "podcast", "series", "emission", "serie")
"""Attributes that hold the name of what a recording is an episode of."""
_OF_WORDS = frozenset(
    "topic subject theme description summary abstract keyword tag category note title date language".split()
)
"""Attributes whose values tell what is said, or what is told otherwise."""
_KEPT = 8
"""Archives of which what they know is kept in memory."""


def content(text: str) -> frozenset[str]:
    """The words of a title or of a part of a question that mean something, in the singular."""
    return frozenset(singular(word) for word in words_of(text) if word not in STOP)


@dataclass(frozen=True, slots=True)
class Person:
    """A speaker: `name` as the archive has it, its words without titles."""

    name: str
    words: frozenset[str]


Role = tuple[Words, tuple[Person, ...]]
"""What somebody is, word by word, and who is it."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value of an attribute, and its words."""

    attribute: str
    value: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Title:
    """A recording with its title: all content words, and `main`, the words behind the name and number of
    the series ("Slow Signals 4: Tariffs and trade")."""

    recording: Recording
    content: frozenset[str]
    main: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Known:
    """An index of one workspace in one state. Made of its recordings alone, and only as far as a question
    needs it."""

    recordings: tuple[Recording, ...]

    @cached_property
    def fitting(self) -> Fitting:
        """Which of the recordings fit a scope or a name."""
        return Fitting(self.recordings)

    # ---- people

    @cached_property
    def _by_key(self) -> Mapping[Words, Person]:
        found: dict[Words, str] = {}
        for name in dict.fromkeys(name for recording in self.recordings for name in recording.speakers):
            key = person_key(name)
            if key and (key not in found or len(words_of(name)) < len(words_of(found[key]))):
                found[key] = name
        return {key: Person(name, frozenset(words_of(" ".join(key)))) for key, name in found.items()}

    def person(self, name: str) -> Person | None:
        """The speaker of that name, however it is written."""
        return self._by_key.get(person_key(name))

    @cached_property
    def people(self) -> tuple[Person, ...]:
        """Everybody who speaks, once, in whatever order and case recordings write the name. It is the
        shortest that any writes, a part of others ("Brendan Kelly (host)"): a filter by it finds them all."""
        return tuple(self._by_key.values())

    @cached_property
    def by_role(self) -> Mapping[str, Sequence[Role]]:
        """What people are, and who is it, by the first word of it; the longest first."""
        found: defaultdict[Words, dict[Person, None]] = defaultdict(dict)
        for words, person in (role for roles in self.roles.values() for role in roles):
            found[words][person] = None
        by_word: defaultdict[str, list[Role]] = defaultdict(list)
        for words in sorted(found, key=len, reverse=True):
            by_word[words[0]].append((words, tuple(found[words])))
        return by_word

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The name that everybody goes by, by the labels that recordings have for them; one for whoever
        speaks ("Speaker 1") stays as it is."""
        labels = dict.fromkeys(name for recording in self.recordings for name in recording.speakers)
        people = {label: None if _label_of(label, ANYBODY) else self.person(label) for label in labels}
        return {label: person.name if person else label for label, person in people.items()}

    @cached_property
    def voices(self) -> Mapping[str, Sequence[str]]:
        """Those who speak in a recording, once, by the names that they go by everywhere; by its id."""
        return {r.id: tuple(dict.fromkeys(map(self.names.__getitem__, r.speakers))) for r in self.recordings}

    @cached_property
    def nameless(self) -> frozenset[str]:
        """What speakers go by that names nobody, and may be somebody else in every recording: "Speaker 1",
        "Project Manager"."""
        return frozenset(name for name in self.names.values() if _label_of(name, ROLES))

    @cached_property
    def roles(self) -> Mapping[str, Sequence[tuple[Words, Person]]]:
        """What people are, and who is it, by the id of the recording that tells it."""
        told = {r.id: roles_in(r) for r in self.recordings}
        return {
            name: tuple((words, self._by_key[key]) for words, key in roles) for name, roles in told.items()
        }

    @cached_property
    def in_role(self) -> Mapping[Words, Mapping[str, Sequence[str]]]:
        """The names of those who are something, by what it is and the id of the recording that tells it."""
        found: defaultdict[Words, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for recording, roles in self.roles.items():
            for words, person in dict.fromkeys(roles):
                found[words][recording].append(person.name)
        for each in self.recordings:
            for words, name in dict.fromkeys(credits_in(each)):
                found[words][each.id].append(name)
        return found

    @cached_property
    def role_nouns(self) -> Mapping[str, Words]:
        """What somebody may be asked for as, in the singular; also what nothing may be told of: a guest."""
        told = [words for roles in self.by_role.values() for words, _ in roles]
        return {" ".join(map(singular, words)): words for words in (*OFTEN, *told)}

    @cached_property
    def attribute_nouns(self) -> Mapping[str, Sequence[str]]:
        """Attributes by what they are called, in the singular; not those whose values tell what is said."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for name in self.attributes:
            noun = " ".join(map(singular, words_of(name.replace("_", " "))))
            found[noun] += [name] if noun not in {*_OF_WORDS, *EPISODES} else []
        return {noun: names for noun, names in found.items() if names}

    @cached_property
    def nouns(self) -> str:
        """All words by which roles and attributes are asked for."""
        return " ".join((*self.role_nouns, *self.attribute_nouns))

    @cached_property
    def by_name_word(self) -> Mapping[str, tuple[Person, ...]]:
        """People by every word of their names, and by nicknames of them."""
        found: defaultdict[str, list[Person]] = defaultdict(list)
        for person in self.people:
            for word in person.words:
                found[word].append(person)
        for nick, formal in FORMAL.items():
            found_formal = [person for name in formal for person in found.get(name, ())]
            if found_formal:
                found[nick] += [person for person in found_formal if person not in found[nick]]
        return {word: tuple(people) for word, people in found.items()}

    @cached_property
    def _longer_names(self) -> Nearest:
        words = dict.fromkeys(word for person in self.people for word in person.words - ROLES - PARTICLES)
        return Nearest(word for word in words if len(word) >= 4 and word.isalpha())

    def near_names(self, word: str) -> tuple[str, ...]:
        """Words of names that a word is a misspelling of: one letter apart, two from eight letters on."""
        if len(word) < 4 or not word.isalpha():
            return ()
        return self._longer_names.to(word, 2 if len(word) >= 8 else 1)

    # ---- attributes

    @cached_property
    def attributes(self) -> Mapping[str, tuple[Value, ...]]:
        """Every attribute with its values; not those that name somebody who speaks ("guest: Ann Lee")."""
        found: dict[str, dict[tuple[str, ...], Value]] = {}
        for name, value in dict.fromkeys(chain.from_iterable(map(_told, self.recordings))):
            words = words_of(value)
            speak = low(name) not in SERIES and any(map(self.person, value.split(";")))
            if 0 < len(words) <= _LONGEST_VALUE and "://" not in value and not speak:
                found.setdefault(name, {}).setdefault(words, Value(name, value, words))
        return {name: tuple(values.values()) for name, values in found.items()}

    @cached_property
    def values_by_word(self) -> Mapping[str, Mapping[str, tuple[Value, ...]]]:
        """The values of every attribute by each word that tells them apart: a question names few of many."""
        found: dict[str, dict[str, tuple[Value, ...]]] = {}
        for attribute, values in self.attributes.items():
            by_word: defaultdict[str, list[Value]] = defaultdict(list)
            for value in values:
                telling = [word for word in value.words if word not in STOP and word not in TAILS]
                for word in dict.fromkeys(telling or value.words):
                    by_word[word].append(value)
            found[attribute] = {word: tuple(some) for word, some in by_word.items()}
        return found

    @cached_property
    def value_words(self) -> frozenset[str]:
        """Every word of the values of attributes: "Halden" is a firm too where there is Halden Cycles."""
        values = (value for some in self.attributes.values() for value in some)
        return frozenset(word for value in values for word in value.words)

    def named_like(self, *names: str) -> tuple[Value, ...]:
        """The values of the first attribute that goes by one of these names."""
        for attribute, values in self.attributes.items():
            if low(attribute).replace("_", " ").replace("-", " ") in names:
                return values
        return ()

    # ---- recordings

    @cached_property
    def titles(self) -> tuple[Title, ...]:
        return tuple(_title(recording) for recording in self.recordings if recording.details.title)

    @cached_property
    def by_first_word(self) -> Mapping[str, tuple[Title, ...]]:
        """Titles of two words and more by the first word of what is behind the name of the series."""
        found: defaultdict[str, list[Title]] = defaultdict(list)
        for title in self.titles:
            if len(title.main) > 1:
                found[title.main[0]].append(title)
        return {word: tuple(titles) for word, titles in found.items()}

    @cached_property
    def one_word_titles(self) -> Mapping[str, tuple[Recording, ...]]:
        """Recordings whose title is one word behind the name of the series, by that word."""
        found: defaultdict[str, list[Recording]] = defaultdict(list)
        for title in self.titles:
            if len(title.main) == 1:
                found[title.main[0]].append(title.recording)
        return {word: tuple(recordings) for word, recordings in found.items()}

    @cached_property
    def title_words(self) -> frozenset[str]:
        """Every content word of every title."""
        return frozenset().union(*(title.content for title in self.titles))

    @cached_property
    def near_title_words(self) -> Nearest:
        """The same, of which misspelt ones may be meant."""
        return Nearest(self.title_words)

    @cached_property
    def titles_by_word(self) -> Mapping[str, tuple[Title, ...]]:
        """Titles by each of their content words."""
        found: defaultdict[str, list[Title]] = defaultdict(list)
        for title in self.titles:
            for word in title.content:
                found[word].append(title)
        return {word: tuple(titles) for word, titles in found.items()}

    @cached_property
    def told_words(self) -> Mapping[str, frozenset[str]]:
        """Every content word of the title and the attributes of a recording, by its id."""
        told = ((r.id, " ".join((r.title, *r.details.attributes.values()))) for r in self.recordings)
        return {name: content(text) for name, text in told}

    @cached_property
    def numbered(self) -> Mapping[int, tuple[Recording, ...]]:
        """Recordings by their number: the attribute `episode`, else the one that ends the name of their
        series ("Slow Signals 4: ...")."""
        found: defaultdict[int, list[Recording]] = defaultdict(list)
        for recording in self.recordings:
            number = _number(recording)
            if number is not None:
                found[number].append(recording)
        return {number: tuple(recordings) for number, recordings in found.items()}

    @cached_property
    def coded(self) -> Mapping[str, tuple[Recording, ...]]:
        """Recordings by words of their title that have letters and figures both: "ES2015c"."""
        found: defaultdict[str, list[Recording]] = defaultdict(list)
        for recording in self.recordings:
            for word in set(words_of(recording.details.title or "")):
                if len(word) > 3 and not word.isdigit() and not word.isalpha():
                    found[word].append(recording)
        return {word: tuple(recordings) for word, recordings in found.items()}

    @cached_property
    def by_address(self) -> Mapping[str, tuple[Recording, ...]]:
        """Recordings by what their link or media file opens (see `onrecord.ingest.links.opened`)."""
        found: defaultdict[str, list[Recording]] = defaultdict(list)
        for recording in self.recordings:
            places = (recording.details.link, recording.details.media)
            for place in dict.fromkeys(opened(address) for address in places if address):
                if place:
                    found[place].append(recording)
        return {place: tuple(recordings) for place, recordings in found.items()}

    @cached_property
    def languages(self) -> frozenset[str]:
        return frozenset((r.details.language or "").split("-")[0].lower() for r in self.recordings) - {""}


_SERIES = re.compile(r"^(?P<series>[^:|]{2,60}?\d+|[^:|]{2,60}?)\s*[:|]\s+(?P<main>.{4,})$")


def _number(recording: Recording) -> int | None:
    attributes = {low(name): value for name, value in recording.details.attributes.items()}
    given = next((attributes[name] for name in EPISODES if name in attributes), "")
    series = _SERIES.match(recording.title)
    found = re.fullmatch(r"\D*(\d{1,4})\D*", given) or re.search(
        r"(\d{1,4})$", series["series"] if series else ""
    )
    found = found or re.search(r"#\s?(\d{1,4})\b", recording.title)
    return int(found[1]) if found else None


def _told(recording: Recording) -> Iterable[tuple[str, str]]:
    return recording.details.attributes.items()


def _label_of(label: str, words: frozenset[str]) -> bool:
    """Whether a label has but some of these words, figures and letters."""
    told = (word for word in words_of(label.replace("_", " ")) if not word.isdigit() and len(word) > 1)
    return words.issuperset(told)


_ARTICLES = frozenset("the a an le la les l".split())


def series_of(recording: Recording) -> frozenset[tuple[str, ...]]:
    """What the series of a recording is called, without articles: by its attributes, and by its title up to
    the number."""
    given = (v for name, v in recording.details.attributes.items() if low(name) in SERIES)
    titled = re.match(r"(\D{2,60}?)\W*\d{1,4}\b", recording.details.title or "")
    names = (*given, titled[1] if titled else "")
    return frozenset(name for words in names if (name := _named(words_of(words))))


def _named(words: tuple[str, ...]) -> tuple[str, ...]:
    return words[1:] if words and words[0] in _ARTICLES else words


def _title(recording: Recording) -> Title:
    series = _SERIES.match(recording.title)
    main = series["main"] if series else recording.title
    return Title(recording, content(recording.title), words_of(main), main)


# ---------------------------------------------------------------- kept from question to question

_known: dict[str, tuple[Line, Known]] = {}
_keeping = Lock()


def known(reader: Reader) -> Known:
    """What a workspace knows. The index is kept and used again while the line of its passages is the same
    object, or its recordings are the same values: it can never show one workspace what another has, nor
    what is gone."""
    line = reader.line()
    with _keeping:
        seen, kept = _known.get(reader.workspace, (None, None))
    if kept is not None and seen is line:
        return kept
    recordings = tuple(reader.recordings())
    if kept is None or kept.recordings != recordings:
        kept = Known(recordings)
    with _keeping:
        _known.pop(reader.workspace, None)
        _known[reader.workspace] = line, kept
        for old in list(_known)[:-_KEPT]:
            del _known[old]
    return kept


def one_of(people: Iterable[Person]) -> Person | None:
    """The one person whom all of these names can be: "Kelly" where there are "Kelly" and "Brendan Kelly"
    only; None where they are several."""
    found = sorted(set(people), key=lambda person: len(person.words))
    if not found or any(not one.words <= other.words for one, other in pairwise(found)):
        return None
    return found[0]
