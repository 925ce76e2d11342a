"""What speakers are, as recordings tell it by attributes that name them: "guest: Ann Lee"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from onrecord.ingest.roles import NO_ROLES, credited_roles, held_roles
from onrecord.retrieve.plan.asked import low, words_of
from onrecord.retrieve.plan.names import ANYBODY
from onrecord.types import Recording

Words = tuple[str, ...]

_PARTS = re.compile(r"\s*(?:[,;/&]|--|[–—]|\band\b|\bet\b)\s*")
_SAME = tuple(
    tuple(tuple(way.split()) for way in ways.split(", "))
    for ways in (
        "guest, invite, invitee",
        "host, animateur, animatrice, presentateur, presentatrice",
        "chair, chairman, chairwoman, chairperson",
        "chief executive officer, chief executive, ceo, pdg",
        "chief financial officer, finance chief, cfo, directeur financier, directrice financiere",
        "chief operating officer, coo",
        "chief technology officer, cto, directeur technique, directrice technique",
    )
)
"""Roles by several names, English and French."""
OFTEN: tuple[Words, ...] = tuple(
    (word,) for word in "guest host moderator invite animateur presentateur".split()
)
"""Roles that are asked for wherever people speak."""
_LONGEST = 6
"""Words of a role; longer ones are descriptions, which nobody asks by."""


def roles_in(recording: Recording) -> Iterator[tuple[Words, Words]]:
    """The words of every role that a recording tells, each with the key of a speaker whose it is."""
    for attribute, key in held_roles(recording):
        yield from ((words, key) for words in _ways(attribute))


def credits_in(recording: Recording) -> Iterator[tuple[Words, str]]:
    """The same with the name of somebody who takes part in a recording in which nobody is heard by name."""
    for attribute, name in credited_roles(recording):
        yield from ((words, name) for words in _ways(attribute))


@lru_cache(1024)
def _ways(role: str) -> tuple[Words, ...]:
    """How a role may be asked for: each part of "Chairman and Chief Executive Officer", and "CEO"."""
    if low(role) in NO_ROLES:
        return ()
    parts = [words_of(part) for part in _PARTS.split(low(role))]
    ways = [next((same for same in _SAME if words in same), (words,)) for words in parts]
    return tuple(w for same in ways for w in same if 0 < len(w) <= _LONGEST and not ANYBODY.issuperset(w))
