"""Names in a recording's details, and aliases: which names mean one entity, with reasons."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from onrecord.graph.nouns import STOPS, classes, key_of, listed_class, word_class, words_in
from onrecord.ingest.people import NO_ROLES, is_generic_label, name_key, person_key, speaker_roles
from onrecord.stores.words import fold
from onrecord.types.graph import Alias, Mention
from onrecord.types.recordings import Recording

_ORGANIZATIONS = frozenset(
    "company organization organisation bank firm employer publisher author entreprise societe banque".split()
)
_PLACES = frozenset("place city location country venue lieu ville pays".split())
NO_PEOPLE = frozenset("organization place product".split())
"""Kinds of names that no person has."""
_LONGEST_VALUE = 6
"""Most words of an attribute or a title that counts as a name."""
_PARTS = re.compile(r"[^\W_]+")
_ASIDE = re.compile(r"\([^()]*\)\s*$")
SLIP_SCORE, SLIP_REASON = 0.7, "spelt nearly so"
_INITIALS = "initials"
_MOST_LETTERS = 3
"""Most letters of a degree or an honor behind a name; two more behind a comma.

At most this many degrees and honors are removed.
"""
_BEGINNING = 3
"""Fewest letters that two forms of a first name have in common."""
_SLIP = 5
"""Letters of the shortest name that may be misspelled."""
_OFTEN = 3
"""Most times as frequent as the longer name that its first word may be, to count as its short form."""


@dataclass(frozen=True)
class Names:
    """The names in the details of a recording.

    `kinds` maps keys to kinds, `shown` maps keys to written names, `speakers` maps labels to keys, and
    `roles` maps the forms of a role to the key of its holder.
    """

    kinds: Mapping[str, str]
    shown: Mapping[str, str]
    speakers: Mapping[str, str]
    roles: Mapping[str, str]

    @classmethod
    def of(cls, recording: Recording) -> Names:
        shown: dict[str, str] = {}
        kinds: dict[str, str] = {}
        speakers = {label: _person_key(label) for label in recording.speakers if not is_generic_label(label)}
        for label in (*speakers, *recording.details.people):
            if key := _person_key(label):
                shown.setdefault(key, label)
                kinds[key] = "person"
        by_name = {person_key(label): key for label, key in speakers.items() if key}
        roles: dict[str, str] = {}
        for role, holder_words in speaker_roles(recording):
            holder = by_name.get(holder_words)
            if holder and role not in NO_ROLES:
                roles |= dict.fromkeys(_role_forms(role), holder)
        for name, value in recording.details.attributes.items():
            kind = _kind_of_attribute(name)
            key = key_of(value)
            if kind and key and len(key.split()) <= _LONGEST_VALUE and key not in kinds:
                shown[key], kinds[key] = value, kind
        return cls(kinds, shown, {label: key for label, key in speakers.items() if key}, roles)

    def longest(self, keys: Sequence[str]) -> int:
        """Return how many words at the start of `keys` form a name or role of the details, or 0."""
        if keys[0] not in self._firsts:
            return 0
        for size in range(len(keys), 0, -1):
            key = " ".join(keys[:size])
            if all(keys[:size]) and (
                key in self.kinds or key in self.roles or (size == 1 and key in self._parts)
            ):
                return size
        return 0

    @cached_property
    def _firsts(self) -> frozenset[str]:
        return frozenset(key.split()[0] for key in (*self.kinds, *self.roles)) | self._parts

    @cached_property
    def _parts(self) -> frozenset[str]:
        """The single words of the names of people."""
        return frozenset(
            part
            for key, kind in self.kinds.items()
            if kind == "person"
            for part in key.split()
            if len(part) > 2 and not listed_class(part)[1]
        )

    @cached_property
    def first_names(self) -> frozenset[str]:
        """The first words of the names of people."""
        return frozenset(key.split()[0] for key, kind in self.kinds.items() if kind == "person")

    @cached_property
    def firms(self) -> frozenset[str]:
        """The first words of the names of firms, works and places, without articles."""
        names = (key.split() for key, kind in self.kinds.items() if kind != "person")
        return frozenset(
            next((part for part in parts if not word_class(part)[1] & STOPS), "") for parts in names
        )

    def detailed(self, recording: Recording) -> dict[str, tuple[str, str, str]]:
        """Return name, kind and rule of the entities that the details of a recording name, by key.

        The title names an entity if the recording is an entry and the title its heading.
        """
        named = {
            key: (self.shown[key], kind, "attribute")
            for key, kind in self.kinds.items()
            if key not in self.speakers.values()
        }
        title = _ASIDE.sub("", recording.details.title or "").rstrip()
        key = key_of(title)
        if recording.is_entry and key and len(key.split()) <= _LONGEST_VALUE:
            named.setdefault(key, (title, "name", "title"))
        return named


def _person_key(label: str) -> str:
    """Return the key of the name in a label, equal to `key_of` of the name in speech.

    "O'Neil, Eryn (CEO)" and "Eryn O'Neil" have the same key.
    """
    label = _without_letters_behind(label)
    places = {word: at for at, word in enumerate(name_key(label))}
    words = [(_PARTS.findall(fold(word.text)), word) for word in words_in(label) if not word.elided]
    own = [(places[parts[0]], word.key) for parts, word in words if parts and places.keys() >= set(parts)]
    return " ".join(key for _, key in sorted(own, key=lambda word: word[0]))


def _without_letters_behind(label: str) -> str:
    """Return a label without degrees and honors behind a full name: "Ann Lee" for "Ann Lee, MD".

    Labels in capital letters stay as they are: "ANN LEE".
    """
    for _ in range(_MOST_LETTERS):
        name, _, last = label.strip().rpartition(" ")
        letters = last.replace(".", "")
        most = _MOST_LETTERS + 2 * name.endswith(",")
        are_letters = letters.isalpha() and len(letters) <= most and sum(map(str.isupper, letters)) > 1
        name = name.rstrip(", ")
        is_full = min(len(name.split()), len(name_key(name))) > 1 and not name.isupper()
        if not are_letters or not is_full:
            break
        label = name
    return label


def _kind_of_attribute(name: str) -> str:
    """Return the kind of the entity that an attribute names, by the attribute's name; "" for none."""
    last = key_of(name).rpartition(" ")[2]
    if last in _ORGANIZATIONS:
        return "organization"
    return "product" if last in classes()["works"] else "place" if last in _PLACES else ""


def _role_forms(role: str) -> list[str]:
    """Return the forms of a role.

    A role of three words also has its initials and its first two words as forms.
    """
    key = key_of(role)
    words = key.split()
    initials = "".join(word[0] for word in words)
    return [key, initials, " ".join(words[:2])] if len(words) == 3 else [key]


# ---------------------------------------------------------------- aliases


def aliases_of(recording: Recording, names: Names, mentions: Sequence[Mention]) -> tuple[Alias, ...]:
    """Return the aliases in a recording: parts of names, initials, misspellings and roles.

    A name that could mean two entities is an alias of neither.
    """
    named = [m for m in mentions if m.rule != "phrase"]
    counts = Counter(m.entity for m in named)
    kinds = {m.entity: m.kind for m in named}
    people = [key for key in counts if kinds[key] == "person" and key in names.kinds]
    unknown = [
        key
        for key in counts
        if key not in names.kinds and key not in names.roles and kinds[key] not in NO_PEOPLE
    ]
    aliases = [
        Alias(role, holder, 0.9, "holds that role in the recording", recording.id)
        for role, holder in sorted(names.roles.items())
    ]
    aliases += _other_first_names(unknown, people, recording.id)
    full = [key for key in unknown if " " in key and key not in {each.alias for each in aliases}]
    aliases += _slips(full, people, recording.id)
    of_others = {each.alias for each in aliases}
    full_names_of = _longer([key for key in counts if " " in key and key not in of_others])
    first_named: dict[str, tuple[int, int]] = {}
    for m in named:
        first_named[m.entity] = min(first_named.get(m.entity, (m.position, m.begin)), (m.position, m.begin))
    for key in sorted(counts.keys() - of_others):
        full_names = full_names_of.get(key, {})
        if len(full_names) != 1 or names.kinds.get(key) == "person":
            continue
        ((name, reason),) = full_names.items()
        introduced = name in names.kinds or first_named[name] < first_named[key]
        rare = introduced and counts[key] <= _OFTEN * counts[name]
        is_other_kind = kinds[key] in NO_PEOPLE and kinds[name] == "person"  # "Austin", where people live
        of_person = _is_of_person(key, name, kinds)
        is_short = reason == _INITIALS or of_person or (rare and _may_be_shortened(key, name))
        if is_short and not is_other_kind:
            aliases.append(Alias(key, name, 0.95 if name in names.kinds else 0.85, reason, recording.id))
    aliased = {each.alias for each in aliases}
    alone = [key for key in unknown if " " not in key and key not in aliased and key not in full_names_of]
    aliases += _slips(alone, people, recording.id)
    return tuple(aliases)


def _other_first_names(some: Sequence[str], people: Sequence[str], recording: str) -> Iterator[Alias]:
    """Yield names with the surname of a person who takes part and another form of the first name.

    "Jeff" is a form of "Jeffrey". A middle name may be added or missing.
    """
    by_form: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for name in people:
        if " " in name:
            by_form[_beginning_and_surname(name)].append(name)
    for key in some:
        near = by_form.get(_beginning_and_surname(key), []) if " " in key else []
        if len(near) == 1:
            first, other = key.partition(" ")[0], near[0].partition(" ")[0]
            if first.startswith(other) or other.startswith(first):
                yield Alias(key, near[0], 0.85, "another form of the first name", recording)


def _beginning_and_surname(name: str) -> tuple[str, str]:
    return name.partition(" ")[0][:_BEGINNING], name.rpartition(" ")[2]


def _longer(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the longer names of which a word is the first or last word or the initials, with the reason."""
    full_names: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for name in names:
        parts = name.split()
        initials = "".join(word[0] for word in parts if not word_class(word)[1] & STOPS)
        full_names[initials] |= {name: _INITIALS} if len(initials) > 2 else {}
        for part in (parts[0], parts[-1]):
            full_names[part][name] = "part of the name"
    return full_names


def _is_of_person(key: str, name: str, kinds: Mapping[str, str]) -> bool:
    """Check whether a word is part of the name of a known person, or a surname as in "Mr Moss"."""
    if key in _common():
        return False
    surname = kinds[key] == "person" and kinds[name] == "name" and name.endswith(f" {key}")
    return kinds[name] == "person" or surname


def _may_be_shortened(key: str, name: str) -> bool:
    """Check whether a word may be short for a longer name of a firm or a work.

    Only the first word may be: "Linux" is not short for "Arch Linux", nor "Porto" for "Porto Airport".
    """
    if key in _common() or listed_class(key)[1]:
        return False
    general = classes()["areas"] | classes()["with_of"]
    return name.startswith(f"{key} ") and name.rpartition(" ")[2] not in general


@cache
def _common() -> frozenset[str]:
    known = classes()
    return known["organizations"] | known["areas"] | known["with_of"] | known["honorifics"] | known["settled"]


def _slips(some: Sequence[str], people: Sequence[str], recording: str) -> Iterator[Alias]:
    """Yield names that are one edit away from the name of exactly one person who takes part."""
    if not people:
        return
    from rapidfuzz.distance import OSA

    parts: defaultdict[str, set[str]] = defaultdict(set)
    for name in people:
        for form in (name, *name.split()):
            parts[form].add(name)
    for key in some:
        if len(key) < _SLIP:
            continue
        near = {
            name
            for form, names in parts.items()
            if len(form) >= _SLIP and form[0] == key[0] and OSA.distance(form, key, score_cutoff=1) <= 1
            for name in names
        }
        if len(near) == 1:
            yield Alias(key, near.pop(), SLIP_SCORE, SLIP_REASON, recording)
