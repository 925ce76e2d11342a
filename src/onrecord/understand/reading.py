"""One question held against the catalogue and the examples: what it mentions, its shape, its kind."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from onrecord.stores.base import Reader
from onrecord.stores.scope import in_scope
from onrecord.stores.words import STOP
from onrecord.types import Scope
from onrecord.understand.catalog import CatalogIndex
from onrecord.understand.intents import (
    COURTESY,
    DATE,
    KEY,
    PERSON,
    WHERE,
    Guess,
    Shape,
    kinds,
    mask,
    roles,
)
from onrecord.understand.lexicon import lexicon
from onrecord.understand.linking import Linked, Mention, link

MOST_READ = 1000
"""Characters of a question that are held against the catalogue; all of it is searched for."""


@dataclass(frozen=True)
class Background:
    """What a question is understood against."""

    catalog: CatalogIndex
    reader: Reader
    today: date
    without: Collection[str]
    strategies: Collection[str]
    given: Scope

    @cached_property
    def within(self) -> frozenset[str]:
        """The ids of the recordings in the scope that was given."""
        whole = replace(self.given, speakers=(), sections=())
        if not whole:
            return frozenset(self.catalog.by_id)
        return frozenset(r.id for r in self.catalog.recordings if in_scope(r, whole))


@dataclass(frozen=True)
class Reading:
    """One question: what it mentions, its shape, and the kind of that shape."""

    linked: Linked
    signs: Mapping[int, str]
    shape: Shape
    guess: Guess
    voices: tuple[Mention, ...]


def clean(text: str) -> str:
    """A text as one line without control characters, once where it was pasted twice."""
    line = " ".join(unicodedata.normalize("NFC", text).replace("\x00", " ").split())
    some = line.split()
    half = len(some) // 2
    bare = [word.strip("?!.,;").casefold() for word in some]
    return " ".join(some[:half]) if half > 1 and len(some) % 2 == 0 and bare[:half] == bare[half:] else line


def read(text: str, on: Background) -> Reading:
    """What one question mentions and of what kind it is, by itself."""
    known = kinds().known
    linked = link(clean(text)[:MOST_READ], on.catalog, on.reader, on.today, known)
    signs = dict(_signs(linked, on.catalog))
    masked = [(some, *_guessed(linked, some, known)) for some in _maskings(linked, signs, on.catalog)]
    chosen, shape, guess = max(masked, key=lambda each: each[2].likeness)
    signs |= {at: sign for at, sign in chosen.items() if sign == KEY}
    return Reading(linked, signs, shape, guess, tuple(_voices(linked, signs)))


def _guessed(linked: Linked, signs: Mapping[int, str], known: frozenset[str]) -> tuple[Shape, Guess]:
    """The shape of a question with some signs, and its kind."""
    shape = mask(linked.tokens, signs, known)
    if any(m.field == "recording" for m in linked.given):
        shape = (*shape, WHERE)  # a link, or an operator
    exact = kinds().exact.get(shape)
    if exact and exact not in COURTESY:
        return shape, Guess(exact, 1.0, 1.0)
    return shape, kinds().guess(shape, COURTESY)


def _maskings(linked: Linked, signs: dict[int, str], catalog: CatalogIndex) -> Iterator[Mapping[int, str]]:
    """The signs of a question in every way in which examples may have it: "the latest episode" and "the host"
    as they are written or as a recording and a person, "show" as a recording or as an attribute."""
    lex = lexicon()
    ends = frozenset().union(*lex.ends.values())
    loose = {
        at
        for m in linked.mentions
        if m.field == "role" or (m.field == "recording" and linked.tokens[m.first].word in ends)
        for at in range(m.first, m.last + 1)
    }
    if loose:
        yield {at: sign for at, sign in signs.items() if at not in loose}
    yield signs
    keyed = [
        at
        for at, token in enumerate(linked.tokens)
        if at not in signs and token.word in lex.sets["recordings"] and token.word in catalog.keys
    ]
    if keyed:
        yield {**signs, **dict.fromkeys(keyed, KEY)}


def _signs(linked: Linked, catalog: CatalogIndex) -> Iterator[tuple[int, str]]:
    """The sign of every word of a mention, and of names of attributes."""
    for mention in linked.mentions:
        sign = {"speaker": PERSON, "role": PERSON, "date": DATE}.get(mention.field, WHERE)
        yield from ((at, sign) for at in range(mention.first, mention.last + 1))
    recordings, known = lexicon().sets["recordings"], kinds().known
    for at, token in enumerate(linked.tokens):
        free = linked.at(at) is None and token.word not in recordings
        if free and token.word in catalog.keys and token.word not in known:
            yield at, KEY


def _voices(linked: Linked, signs: Mapping[int, str]) -> Iterator[Mention]:
    """The people whose words are asked for."""
    for mention in linked.mentions:
        if mention.field in ("speaker", "role"):
            at = range(mention.first, mention.last + 1)
            if roles().part("person", linked.tokens, signs, at) == "voice":
                yield mention


def like_a_name(linked: Linked, at: int) -> bool:
    token = linked.tokens[at]
    plain = token.word in STOP or token.word in lexicon().sets["recordings"] or token.word.isdigit()
    return token.text[0].isupper() and not plain and (at > 0 or not kinds().known.__contains__(token.word))
