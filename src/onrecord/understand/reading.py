"""One question held against the catalogue and the examples, and what is beside it: turns, sides, others."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from itertools import groupby, pairwise

from onrecord.stores.base import Reader
from onrecord.stores.scope import in_scope
from onrecord.stores.words import STOP
from onrecord.types import Exchange, Scope
from onrecord.understand.catalog import CatalogIndex
from onrecord.understand.intents import (
    CATALOGUE,
    COURTESY,
    DATE,
    KEY,
    PERSON,
    WHERE,
    Guess,
    Shape,
    frame_words,
    kinds,
    mask,
    roles,
)
from onrecord.understand.lexicon import lexicon, tokens
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
    readings: dict[str, Reading] = field(default_factory=dict, repr=False, compare=False)
    """What was read already, by the text."""

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
    if text not in on.readings:
        on.readings[text] = _read(text, on)
    return on.readings[text]


def _read(text: str, on: Background) -> Reading:
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


MOST_TURNS = 3
"""Turns that lend something to a question."""
_FEW = 2
"""Words of its own with which a question may still lean on the one before it."""


@dataclass(frozen=True)
class Prior:
    """What the turns before tell: what they mention, latest first, and the words of their subject."""

    mentions: tuple[Mention, ...] = ()
    voices: tuple[Mention, ...] = ()
    words: str = ""
    kind: str = ""
    beside: tuple[Mention, ...] = ()


def turns_of(history: Sequence[Exchange]) -> list[Exchange]:
    """The last turns, oldest first."""
    return list(history[-MOST_TURNS:])


def leans(linked: Linked, guess: Guess, sure: float) -> bool:
    """Whether a question goes on from the one before: it is shaped like one that does, it has a pronoun where
    it names nobody, or next to nothing of its own."""
    if guess.kind == "followup" and guess.likeness >= sure:
        return True
    own = [token for at, token in enumerate(linked.tokens) if own_word(linked, at)]
    if not own and guess.likeness < sure:
        return True
    lex = lexicon()
    named = any(m.field in ("speaker", "recording") for m in linked.mentions)
    person = any(token.word in lex.sets["personal"] for token in linked.tokens)
    thing = any(token.word in lex.sets["pronouns"] for token in linked.tokens)
    return not named and (person or len(own) < (_FEW if thing else 1))


def own_word(linked: Linked, at: int) -> bool:
    """Whether a word is of the subject of a question: none of a mention, and no word that only asks."""
    lex = lexicon()
    word = linked.tokens[at].word
    small = word in STOP or word in lex.sets["pronouns"] or word in lex.sets["recordings"] or len(word) < 2
    return linked.at(at) is None and not small and word not in lex.sets["prepositions"]


def subject_of(text: str, linked: Linked, common: frozenset[str]) -> str:
    """The words of a question's subject, as they are written."""
    some = [token for at, token in enumerate(linked.tokens) if own_word(linked, at)]
    return " ".join(token.text for token in some if token.word not in common)


def searched_with(text: str, prior: Prior) -> str:
    """A question behind the words of the subject before it."""
    if not prior.words:
        return text
    have = {token.word for token in tokens(text)}
    more = [token.text for token in tokens(prior.words) if token.word not in have]
    return f"{' '.join(more)} {text}" if more else text


Span = tuple[int, int]
"""The first and the last token of a side."""


def sides_of(
    linked: Linked, signs: Mapping[int, str], voices: Sequence[Mention], comparing: bool
) -> tuple[tuple[str, str], ...]:
    """The words for each side, and the question with those of the others left out; empty without sides.

    Sides are mentions of one field beside one another, or, where a question compares, what stands around a
    joining word."""
    for _, some in groupby(sorted(linked.mentions, key=_by_field), key=lambda m: m.field):
        beside = _beside(linked, list(some), voices)
        if len(beside) > 1:
            return _queries(linked, [(m.first, m.last) for m in beside])
    return _queries(linked, _around_join(linked, signs)) if comparing else ()


def _by_field(mention: Mention) -> tuple[str, int]:
    return mention.field, mention.first


def _beside(linked: Linked, some: Sequence[Mention], voices: Sequence[Mention]) -> list[Mention]:
    """The mentions of a field with nothing but joining words between them; of people those who speak."""
    some = [m for m in some if m.field != "speaker" or m in voices]
    for one, other in pairwise(some):
        between = [token.word for token in linked.tokens[one.last + 1 : other.first]]
        said = linked.text[linked.tokens[one.last].end : linked.tokens[other.first].begin]
        joined = "," in said or any(word in lexicon().sets["joins"] for word in between)
        if not joined or not all(_joins(word) for word in between):
            return []
    return list(some)


def _joins(word: str) -> bool:
    lex = lexicon()
    return (
        word in lex.sets["joins"]
        or word in lex.sets["articles"]
        or word in ("what", "ce", "que", "for", "in")
    )


def _around_join(linked: Linked, signs: Mapping[int, str]) -> list[Span]:
    """The runs of words right before and behind the first joining word that has some on both sides."""
    lex, frames = lexicon(), frame_words("comparison")

    def own(at: int) -> bool:
        word = linked.tokens[at].word
        free = word not in frames and word not in STOP and word not in lex.sets["joins"]
        return at in signs or free or word in lex.sets["articles"] or word in ("of", "de")

    def apart(at: int) -> bool:
        return "," in linked.text[linked.tokens[at].end : linked.tokens[at + 1].begin]

    for at, token in enumerate(linked.tokens):
        if token.word not in lex.sets["beside"]:
            continue
        first = last = at
        while first > 0 and own(first - 1) and not apart(first - 1):
            first -= 1
        while last + 1 < len(linked.tokens) and own(last + 1) and not apart(last):
            last += 1
        if (
            first < at < last
            and not _only_articles(linked, first, at - 1)
            and not _only_articles(linked, at + 1, last)
        ):
            return [(first, at - 1), (at + 1, last)]
    return []


def _only_articles(linked: Linked, first: int, last: int) -> bool:
    return all(linked.tokens[at].word in lexicon().sets["articles"] for at in range(first, last + 1))


def _queries(linked: Linked, spans: Sequence[Span]) -> tuple[tuple[str, str], ...]:
    """The words of each span, and the question with them in the place of all."""
    if len(spans) < 2:
        return ()
    begin, end = linked.tokens[spans[0][0]].begin, linked.tokens[spans[-1][1]].end
    before, after = linked.text[:begin], linked.text[end:]
    names = [linked.text[linked.tokens[first].begin : linked.tokens[last].end] for first, last in spans]
    return tuple((name, before + name + after) for name in names)


_MOST, _LONGEST, _ALIKE = 5, 25, 0.55


@dataclass(frozen=True, slots=True)
class Part:
    """One question of a text, and those before it."""

    text: str
    before: tuple[str, ...] = ()


def split_questions(text: str, guess: Callable[[str], Guess]) -> tuple[Part, ...]:
    """The questions of a text that consists of several short ones; empty where it is searched as a whole.

    Each is of a kind that an example shows. One that goes on from the question before stays with it, unless
    either is known without a search. What is asked twice is asked once."""
    text = re.sub(r"\?+", "?", text).strip()
    said = [part.strip() for part in re.split(r"(?<=\?)(?=\s)", text)]
    if not 1 < len(said) <= 2 * _MOST or not all(part.endswith("?") for part in said):
        return ()
    said = list({re.sub(r"\W+", " ", one.casefold()): one for one in reversed(said)}.values())[::-1]
    if any(len(one.split()) > _LONGEST for one in said):
        return ()
    guesses = [guess(one) for one in said]
    if any(each.likeness < _ALIKE for each in guesses):
        return ()
    parts: list[str] = []
    for one, each, before in zip(said, guesses, [None, *guesses], strict=False):
        known = each.kind in CATALOGUE or (before is not None and before.kind in CATALOGUE)
        if parts and each.kind == "followup" and not known:
            parts[-1] = f"{parts[-1]} {one}"
        else:
            parts.append(one)
    if len(parts) > _MOST:
        return ()
    return tuple(Part(part, tuple(parts[:at])) for at, part in enumerate(parts))
