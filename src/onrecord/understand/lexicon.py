"""The small closed classes of words that matching leans on, read from ``data/lexicon.yaml``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from onrecord.errors import WeightsError
from onrecord.models.minilm.cache import cache_root, write
from onrecord.understand.tokens import words

DATA = Path(__file__).parent.parent / "data"

_VERSION = 1
"""Of the form in which what is made of a file is kept: to be raised when that changes."""
Phrase = tuple[str, ...]


def read_data(name: str) -> Any:
    """The value of a YAML file of the package."""
    return read_made(name, "data", lambda value: value)


def read_made(name: str, what: str, make: Callable[[Any], Any]) -> Any:
    """What is made of a YAML file of the package, kept as JSON in the user's cache folder."""
    source = b"".join((DATA / each).read_bytes() for each in dict.fromkeys((name, "lexicon.yaml")))
    digest = hashlib.sha256(source).hexdigest()[:16]
    kept = cache_root() / "understand" / f"{_VERSION}-{name}-{what}-{digest}.json"
    with suppress(OSError, ValueError):
        return json.loads(kept.read_bytes())
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    made = make(yaml.load((DATA / name).read_bytes(), loader))  # noqa: S506 - a safe loader
    with suppress(WeightsError):  # it is made again the next time
        write(kept, [json.dumps(made).encode()])
    return made


@dataclass(frozen=True)
class Lexicon:
    """Classes of words by name: sets, and numbers or names by word."""

    sets: Mapping[str, frozenset[str]]
    months: Mapping[str, int]
    weekdays: Mapping[str, int]
    seasons: Mapping[str, str]
    units: Mapping[str, str]
    numbers: Mapping[str, int]
    limits: Mapping[str, str]
    languages: Mapping[str, str]
    ends: Mapping[str, frozenset[str]]
    sections: Mapping[Phrase, str]
    same_roles: tuple[frozenset[Phrase], ...]
    role_verbs: Mapping[str, str]

    def has(self, name: str, word: str) -> bool:
        """Whether a word is of the class of that name."""
        return word in self.sets[name]


@cache
def lexicon() -> Lexicon:
    """The classes of words, read once."""
    data = read_data("lexicon.yaml")
    return Lexicon(
        sets={name: frozenset(words(value)) for name, value in data.items() if isinstance(value, str)},
        months=_numbered(data["months"], 1),
        weekdays=_numbered(data["weekdays"], 0),
        seasons=_by_word(data["seasons"]),
        units=_by_word(data["units"]),
        numbers=_numbered(data["numbers"], 0),
        limits=_by_word(data["limits"]),
        languages=_by_word(data["languages"]),
        ends={name: frozenset(words(value)) for name, value in data["ordinals"].items()},
        sections={
            words(phrase): kind for kind, some in data["sections"].items() for phrase in some.split("/")
        },
        role_verbs=_by_word(data["role_verbs"]),
        same_roles=tuple(frozenset(words(way) for way in some.split("/")) for some in data["same_roles"]),
    )


def _numbered(rows: list[str], first: int) -> dict[str, int]:
    """The number of every word; a word of two rows is of the first."""
    return {word: number for number, row in reversed(list(enumerate(rows, first))) for word in words(row)}


def _by_word(rows: Mapping[str, str]) -> dict[str, str]:
    return {word: name for name, row in rows.items() for word in words(row)}
