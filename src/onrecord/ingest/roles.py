"""Roles of people in a recording, from its attributes: "guest: Ann Lee"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from onrecord.ingest.people import name_key
from onrecord.types import Recording

_LONGEST_NAME = 200
"""The most characters of a name; an attribute may also be a whole description."""
_LONGEST = 6
"""The most words of a role; longer attributes are descriptions."""
NO_ROLES = frozenset("show podcast series emission serie company firm bank author publisher".split())
"""Attributes that may hold a person's name and yet are no role in the recording."""
_WHOEVER_SPEAKS = frozenset(
    "speaker speakers participant participants people voice voices name names".split()
)
_LETTERS = frozenset("ceo cfo cio coo cto evp pdg phd svp vp".split())
"""Roles written in capital letters."""


def held_roles(recording: Recording) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield every attribute that names a speaker, with the `person_key` of each speaker named."""
    yield from _roles_named(recording, recording.speakers)


def credited_roles(recording: Recording) -> Iterator[tuple[str, str]]:
    """Yield attribute and name of each credited person, for a recording without named speakers."""
    people = () if recording.speakers else recording.details.people
    names = {person_key(name): name for name in people}
    yield from ((attribute, names[key]) for attribute, key in _roles_named(recording, people))


def _roles_named(recording: Recording, people: Iterable[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    speakers = {person_key(name) for name in people} - {()}
    for attribute, value in recording.details.attributes.items():
        for person in value.split(";"):
            key = person_key(person)
            if key in speakers:
                yield attribute, key


def roles_of(recording: Recording) -> dict[str, str]:
    """Return the known role of each speaker, or of each credited person: {"Tobias Brandt": "CFO"}."""
    roles: dict[tuple[str, ...], list[str]] = {}
    people = recording.speakers or recording.details.people
    for attribute, key in _roles_named(recording, people):
        if role := _readable_role(attribute):
            roles.setdefault(key, []).append(role)
    keys = {name: person_key(name) for name in people}
    return {name: ", ".join(roles[key]) for name, key in keys.items() if key in roles}


def _readable_role(attribute: str) -> str:
    """Return a role as people write it; empty if the attribute is no role."""
    words = re.split(r"[\s_]+", attribute)
    if attribute in NO_ROLES or len(words) > _LONGEST or _WHOEVER_SPEAKS.issuperset(words):
        return ""
    return " ".join(word.upper() if word in _LETTERS else word for word in words)


@lru_cache(8192)
def person_key(name: str) -> tuple[str, ...]:
    """Return the same key for all spellings of a name; empty if it is no name."""
    named = len(name) <= _LONGEST_NAME and any(map(str.isalpha, name))
    return tuple(sorted(name_key(name))) if named else ()
