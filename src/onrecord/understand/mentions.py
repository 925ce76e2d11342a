"""What a question mentions; first of all recordings, by title, code, number, place in a series."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import TypeVar

from onrecord.stores.base import Reader
from onrecord.stores.words import STOP
from onrecord.understand.catalog import NUMBERS, CatalogIndex, few, longest_at
from onrecord.understand.dates import Period, periods
from onrecord.understand.lexicon import Phrase, Token, lexicon, span_text, words

_QUOTED = re.compile('(?<!\\w)["«“\']([^"«»“”]{1,200})["»”\'](?!\\w)')


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Mention:
    """What tokens `first`..`last` name: one of `values` of a field.

    `said` are the words for it; `exact` tells whether it can be nothing else. `period` is set for dates."""

    first: int
    last: int
    field: str
    values: tuple[str, ...]
    said: str
    exact: bool = False
    near: bool = False
    period: Period | None = None


@dataclass(frozen=True)
class Linked:
    """A question without its operators and links, its words, and what they mention, from left to right."""

    text: str
    tokens: tuple[Token, ...]
    mentions: tuple[Mention, ...]
    given: tuple[Mention, ...] = ()
    unknown: tuple[tuple[str, str], ...] = ()

    def at(self, place: int) -> Mention | None:
        """The mention that a token is of."""
        return next((m for m in self.mentions if m.first <= place <= m.last), None)


@dataclass
class Linking:
    """One question as it is held against the catalogue."""

    text: str
    tokens: tuple[Token, ...]
    catalog: CatalogIndex
    reader: Reader
    today: date
    common: frozenset[str]
    found: list[Mention] = field(default_factory=list)
    unknown: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.words = [token.word for token in self.tokens]
        self.lower = not any(token.text[0].isupper() for token in self.tokens[1:])

    @cached_property
    def periods(self) -> list[Period]:
        """The periods that the question names."""
        return periods(self.text, self.tokens, self.today)

    def free(self, first: int, last: int | None = None) -> bool:
        """Whether no mention has any of these tokens."""
        last = first if last is None else last
        return (
            first >= 0
            and last < len(self.tokens)
            and all(m.last < first or m.first > last for m in self.found)
        )

    def phrases(self, table: Mapping[Phrase, T], most: int) -> Iterator[tuple[int, int, T]]:
        """The longest phrases of a table that begin at each word and are free, with their tokens."""
        for at in range(len(self.words)):
            size = longest_at(table, self.words, at, most)
            if size and self.free(at, at + size - 1):
                yield at, at + size - 1, table[tuple(self.words[at : at + size])]

    def add(self, first: int, last: int, of: str, values: Iterable[str], **more: object) -> None:
        said = span_text(self.text, self.tokens[first : last + 1])
        self.found.append(Mention(first, last, of, tuple(dict.fromkeys(values)), said, **more))  # type: ignore[arg-type]

    def named(self, at: int) -> bool:
        """Whether a word may be a name by how it is written."""
        token = self.tokens[at]
        return token.capital or (self.lower and token.word not in self.common and token.word not in STOP)


def titles(on: Linking) -> None:
    """Whole titles. One of few ordinary words must be written as a title, or stand in quotes."""
    quoted = [(found.start(1), found.end(1)) for found in _QUOTED.finditer(on.text)]
    for first, last, ids in on.phrases(on.catalog.whole_titles, 20):
        some = on.tokens[first : last + 1]
        if tuple(on.words[first : last + 1]) in on.catalog.values:
            continue
        marked = any(begin <= some[0].begin and some[-1].end <= end for begin, end in quoted)
        content = [token for token in some if token.word not in STOP]
        figured = any(re.search(r"\d", token.word) for token in content)
        named = last > first and sum(token.capital for token in content) >= len(content) / 2
        if marked or figured or named or len(content) > 3:
            if len(content) > 1 or marked or re.search(r"\d", some[0].word):
                on.add(first, last, "recording", ids, exact=len(ids) == 1)
        elif len(content) > 1 and few(ids, len(on.catalog.by_id)):
            on.add(first, last, "recording", ids, near=True)


def quoted_titles(on: Linking) -> None:
    """Titles in quotes that are nearly written so."""
    for found in _QUOTED.finditer(on.text):
        inside = [at for at, t in enumerate(on.tokens) if found.start(1) <= t.begin and t.end <= found.end(1)]
        if not inside or not on.free(inside[0], inside[-1]) or len(found[1]) < 8:
            continue
        from rapidfuzz import fuzz, process

        some = {" ".join(way): ids for way, ids in on.catalog.whole_titles.items()}
        near = process.extractOne(" ".join(words(found[1])), some.keys(), scorer=fuzz.ratio, score_cutoff=85)
        if near:
            on.add(inside[0], inside[-1], "recording", some[near[0]])


def codes(on: Linking) -> None:
    """Words of letters and figures that stand in one title."""
    for at, word in enumerate(on.words):
        ids = on.catalog.codes.get(word)
        if ids and on.free(at):
            on.add(at, at, "recording", ids, exact=len(ids) == 1)


def numbers(on: Linking) -> None:
    """A number behind a word for recordings ("episode 41") or behind its series ("Slow Signals 4")."""
    lex = lexicon()
    for at, token in enumerate(on.tokens):
        number = on.words[at].lstrip("0") or "0"
        if not on.words[at].isdigit() or len(number) > 4 or not at or not on.free(at):
            continue
        before = on.words[at - 1]
        if (
            before in lex.sets["recordings"]
            or before in NUMBERS
            or on.text[max(0, token.begin - 2) : token.begin].strip() == "#"
        ):
            first = at - (before in lex.sets["recordings"] or before in NUMBERS)
            _numbered(on, first, at, number, first - 1)
            continue
        series = _series_ending_at(on, at - 1)
        if series and on.text[on.tokens[at - 1].end : token.begin].strip(" ,:#") == "":
            _numbered(on, series[0], at, number, at - 1)


def _series_ending_at(on: Linking, last: int) -> tuple[int, frozenset[str]] | None:
    """The longest series, or beginning of titles, that ends at a token, and its recordings."""
    for first in range(max(0, last - 7), last + 1):
        phrase = tuple(on.words[first : last + 1])
        for value in on.catalog.values.get(phrase, ()):
            if last > first or on.named(first):
                return first, on.catalog.having(value.attribute, value.value)
    return None


def _numbered(on: Linking, first: int, last: int, number: str, series_end: int) -> None:
    """The recordings of a number, within the series that is named beside it."""
    ids = on.catalog.numbered.get(number, ())
    beside = _series_ending_at(on, series_end) if series_end >= 0 else None
    beside = beside or _series_behind(on, last + 1)
    if beside:
        ids = tuple(name for name in ids if name in beside[1])
    if ids:
        on.add(first, last, "recording", ids, exact=len(ids) == 1)
    else:
        on.unknown.append(("no_number", span_text(on.text, on.tokens[first : last + 1])))


def _series_behind(on: Linking, at: int) -> tuple[int, frozenset[str]] | None:
    """The series behind a number: "episode 4 of Slow Signals", "l'épisode 2 des Voix du port"."""
    lex = lexicon()
    while at < len(on.words) and (
        on.words[at] in lex.sets["prepositions"] or on.words[at] in lex.sets["articles"]
    ):
        at += 1
    for start in (at, at - 1):
        size = longest_at(on.catalog.values, on.words, start, 8) if 0 <= start < len(on.words) else 0
        if size:
            value = on.catalog.values[tuple(on.words[start : start + size])][0]
            return start, on.catalog.having(value.attribute, value.value)
    return None


def outermost(on: Linking) -> None:
    """The latest or the first recording: "the last episode of Slow Signals", "le dernier épisode"."""
    lex = lexicon()
    for at, word in enumerate(on.words[:-1]):
        end = next((name for name, some in lex.ends.items() if word in some), "")
        single = (
            on.words[at + 1] in lex.sets["recordings"] and on.tokens[at + 1].text.casefold()[-1] not in "sx"
        )
        if not end or not single or not on.free(at, at + 1):
            continue
        if not _stands_alone(on, at):
            continue
        some = set(on.catalog.by_id)
        beside = _series_behind(on, at + 2) or _series_ending_at(on, at - 1)
        behind = on.words[at + 2 : at + 3]
        if beside:
            some &= beside[1]
        elif behind and behind[0] in ("of", "de", "des", "du"):
            continue  # of a series that is not here
        dated = sorted(
            (on.catalog.by_id[n].details.date or "", n) for n in some if on.catalog.by_id[n].details.date
        )
        if dated:
            best = dated[-1] if end == "latest" else dated[0]
            on.add(at, at + 1, "recording", (best[1],), exact=True)


def _stands_alone(on: Linking, at: int) -> bool:
    """Whether "the latest episode" is named, and not "the first video game"."""
    before = on.words[at - 1] if at else ""
    behind = on.words[at + 2] if at + 2 < len(on.words) else ""
    led = not at or before in ("the", "le", "la", "l", "our", "de", "du")
    return led and (not behind or behind in on.common or behind in STOP or not on.free(at + 2))


def hinted(on: Linking) -> None:
    """Words of titles and values beside a word for recordings: "the council meeting", "the Halden call"."""
    lex = lexicon()
    for at, word in enumerate(on.words):
        if word not in lex.sets["recordings"] or not on.free(at):
            continue
        some = [n for n in range(max(0, at - 3), at) if on.free(n) and _telling(on, n)]
        some = [
            n
            for n in some
            if all(_telling(on, k) or on.words[k] in lex.sets["articles"] for k in range(n, at))
        ]
        ids = _best_of_titles(on, [on.words[n] for n in some])
        if some and ids:
            on.add(some[0], at, "recording", ids)


def _telling(on: Linking, at: int) -> bool:
    return on.words[at] in on.catalog.title_words and on.words[at] not in lexicon().sets["recordings"]


def _best_of_titles(on: Linking, some: Sequence[str]) -> tuple[str, ...]:
    """The recordings that have all of some words in title or values, if these are few."""
    held = [on.catalog.title_words[word] for word in some]
    both = frozenset.intersection(*held) if held else frozenset()
    return tuple(sorted(both)) if few(both, len(on.catalog.recordings)) else ()
