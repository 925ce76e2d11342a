"""What somebody is in a recording, as its attributes tell it: "guest: Ann Lee"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from onrecord.ingest.people import name_key
from onrecord.types import Recording

_LONGEST_NAME = 200
"""Characters; attributes may also be whole descriptions."""
_LONGEST = 6
"""Words of a role; longer ones are descriptions."""
NO_ROLES = frozenset("show podcast series emission serie company firm bank author publisher".split())
"""Attributes that may have somebody's name without saying what they are in the recording."""
_WHOEVER_SPEAKS = frozenset(
    "speaker speakers participant participants people voice voices name names".split()
)
_LETTERS = frozenset("ceo cfo cio coo cto evp pdg phd svp vp".split())
"""Roles that are told by their letters."""


def held_roles(recording: Recording) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every attribute that names a speaker, with the `person_key` of each that it names."""
    yield from _held(recording, recording.speakers)


def credited_roles(recording: Recording) -> Iterator[tuple[str, str]]:
    """Every attribute that names somebody who takes part in a recording in which nobody is heard by name,
    with the name."""
    people = () if recording.speakers else recording.details.people
    names = {person_key(name): name for name in people}
    yield from ((attribute, names[key]) for attribute, key in _held(recording, people))


def _held(recording: Recording, people: Iterable[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    speakers = {person_key(name) for name in people} - {()}
    for attribute, value in recording.details.attributes.items():
        for person in value.split(";"):
            key = person_key(person)
            if key in speakers:
                yield attribute, key


def roles_of(recording: Recording) -> dict[str, str]:
    """What each speaker of a recording (else each of its people) is, where it is known: {"Tobias Brandt":
    "CFO"}."""
    told: dict[tuple[str, ...], list[str]] = {}
    people = recording.speakers or recording.details.people
    for attribute, key in _held(recording, people):
        if role := _told(attribute):
            told.setdefault(key, []).append(role)
    keys = {name: person_key(name) for name in people}
    return {name: ", ".join(told[key]) for name, key in keys.items() if key in told}


def _told(attribute: str) -> str:
    """A role as people read it; empty for an attribute that is none."""
    words = re.split(r"[\s_]+", attribute)
    if attribute in NO_ROLES or len(words) > _LONGEST or _WHOEVER_SPEAKS.issuperset(words):
        return ""
    return " ".join(word.upper() if word in _LETTERS else word for word in words)


@lru_cache(8192)
def person_key(name: str) -> tuple[str, ...]:
    """What all ways of writing somebody's name have in common; empty for what is nobody's."""
    named = len(name) <= _LONGEST_NAME and any(map(str.isalpha, name))
    return tuple(sorted(name_key(name))) if named else ()
