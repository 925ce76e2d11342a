"""Mentions in a question; first of all of recordings, by title, code, number, or place in a series."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from onrecord.stores.base import Reader
from onrecord.stores.words import STOP, query_terms
from onrecord.types import Passage, Scope
from onrecord.understand.catalog import LONGEST_HEAD, NUMBERS, CatalogIndex, Value, few, longest_at
from onrecord.understand.dates import Period
from onrecord.understand.lexicon import Phrase, Token, lexicon, span_text, words

_QUOTED = re.compile('(?<!\\w)["«“\']([^"«»“”]{1,200})["»”\'](?!\\w)')
_FIGURE = re.compile(r"\d")
_FEW_TITLES = 9
"""Of more recordings, a word of the titles of three still names them by itself."""
_DEFINITE = frozenset(("the", "that", "le", "la", "l", "cet", "cette"))
_ABOUT = frozenset(("about", "sur"))
_LONGEST_SUBJECT, _MORE = 5, 2
"""Words of a subject that describes a recording, and how many times better than any other it matches it."""
_MOST_HEARD = 50
"""Passages with a word of a title that are looked at."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Mention:
    """What tokens `first`..`last` name, in the words `said`: one of `values` of a field.

    It is `exact` where it can be nothing else, and `near` where it is not written so. `period` is of dates.
    Operators and links are at no token: their `first` and `last` are -1."""

    first: int
    last: int
    field: str
    values: tuple[str, ...]
    said: str
    exact: bool = False
    near: bool = False
    period: Period | None = None

    @property
    def places(self) -> range:
        """The places of its tokens."""
        return range(self.first, self.last + 1)

    @property
    def of_several(self) -> bool:
        """Whether it is a name that several people have."""
        return self.field == "speaker" and len(self.values) > 1


@dataclass(frozen=True)
class Linked:
    """A question without its operators and links, its words, and its mentions from left to right.

    `at` has the mention of each token that is of one, by its place. `operators` are the operators and links;
    `unknown` pairs the key of a message with the words that name nothing here."""

    text: str
    tokens: tuple[Token, ...]
    mentions: tuple[Mention, ...]
    at: Mapping[int, Mention]
    operators: tuple[Mention, ...]
    unknown: tuple[tuple[str, str], ...]


@dataclass
class Linking:
    """One question while it is looked up in the catalogue: `mentions` grows step by step."""

    text: str
    tokens: tuple[Token, ...]
    catalog: CatalogIndex
    reader: Reader
    periods: Sequence[Period]
    common: frozenset[str]
    unknown: list[tuple[str, str]] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.words = [token.word for token in self.tokens]
        self.lower = not any(token.text[0].isupper() for token in self.tokens[1:])
        self._taken: set[int] = set()

    def word(self, at: int) -> str:
        """The word at a place; empty outside the question."""
        return self.words[at] if 0 <= at < len(self.words) else ""

    def is_a(self, name: str, at: int) -> bool:
        """Whether a word is of a class of the lexicon."""
        return self.word(at) in lexicon().sets[name]

    def free(self, first: int, last: int | None = None) -> bool:
        """Whether these tokens exist and no mention has any of them."""
        last = first if last is None else last
        return first >= 0 and last < len(self.tokens) and self._taken.isdisjoint(range(first, last + 1))

    def phrases(self, table: Mapping[Phrase, T], most: int) -> Iterator[tuple[int, int, T]]:
        """The longest phrases of a table that begin at each word and are free, with their tokens."""
        for at in range(len(self.words)):
            size = longest_at(table, self.words, at, most)
            if size and self.free(at, at + size - 1):
                yield at, at + size - 1, table[tuple(self.words[at : at + size])]

    def add(
        self, first: int, last: int, field: str, values: Iterable[str], *, said: str = "", **more: Any
    ) -> None:
        """Add a mention by those tokens, in their words unless `said` is given."""
        said = said or span_text(self.text, self.tokens[first : last + 1])
        self.mentions.append(Mention(first, last, field, tuple(dict.fromkeys(values)), said, **more))
        self._taken.update(range(first, last + 1))

    def add_value(self, first: int, last: int, value: Value) -> None:
        """Add the mention of the value of an attribute."""
        self.add(first, last, value.attribute, (value.value,))

    def named(self, at: int) -> bool:
        """Whether a word may be a name by how it is written."""
        token = self.tokens[at]
        return token.capital or (self.lower and token.word not in self.common and token.word not in STOP)


# ---------------------------------------------------------------- titles


def titles(linking: Linking) -> None:
    """Whole titles. One of few ordinary words must be written as a title, or stand in quotes; one of a
    single word needs quotes, or a capital behind a preposition: "on Tides"."""
    quoted = [match.span(1) for match in _QUOTED.finditer(linking.text)]
    for first, last, ids in linking.phrases(linking.catalog.whole_titles, 20):
        tokens = linking.tokens[first : last + 1]
        if tuple(linking.words[first : last + 1]) in linking.catalog.attributes.values:
            continue
        content = [token for token in tokens if token.word not in STOP]
        marked = any(begin <= tokens[0].begin and tokens[-1].end <= end for begin, end in quoted)
        figured = any(_FIGURE.search(token.word) for token in content)
        named = last > first and sum(token.capital for token in content) >= len(content) / 2
        is_person = tokens[0].word in linking.catalog.people.name_parts
        placed = last > first or (linking.is_a("prepositions", first - 1) and not is_person)
        written = marked or (placed and all(token.capital for token in tokens))
        if written or (
            (figured or named or len(content) > 3) and (len(content) > 1 or _FIGURE.search(tokens[0].word))
        ):
            linking.add(first, last, "recording", ids, exact=len(ids) == 1)
        elif len(content) > 1 and few(ids, len(linking.catalog.by_id)):
            linking.add(first, last, "recording", ids, near=True)
    if quoted:
        _misspelt_titles(linking)


def _misspelt_titles(linking: Linking) -> None:
    """Titles in quotes that are nearly written so."""
    for match in _QUOTED.finditer(linking.text):
        inside = [
            n for n, t in enumerate(linking.tokens) if match.start(1) <= t.begin and t.end <= match.end(1)
        ]
        if not inside or not linking.free(inside[0], inside[-1]) or len(match[1]) < 8:
            continue
        from rapidfuzz import fuzz, process

        known = {" ".join(title): ids for title, ids in sorted(linking.catalog.whole_titles.items())}
        near = process.extractOne(" ".join(words(match[1])), known.keys(), scorer=fuzz.ratio, score_cutoff=85)
        if near:
            linking.add(inside[0], inside[-1], "recording", known[near[0]])


def hinted(linking: Linking) -> None:
    """Words of titles and values before a word for recordings: "the council meeting", "the Halden one"."""
    titled = linking.catalog.title_words
    for at in range(len(linking.words)):
        if not (linking.is_a("recordings", at) or linking.is_a("ones", at)) or not linking.free(at):
            continue
        first, ids = at, frozenset(linking.catalog.by_id)
        for before in range(at - 1, max(0, at - 3) - 1, -1):
            word = linking.words[before]
            if linking.is_a("articles", before):
                continue
            fitting = ids & frozenset(titled.get(word, ()))
            if not fitting or linking.is_a("recordings", before) or not linking.free(before):
                break
            first, ids = before, fitting
        if first < at and few(ids, len(linking.catalog.recordings)):
            while _is_led_in_titles(linking, first, ids):
                first -= 1
            linking.add(first, at, "recording", sorted(ids))


def _is_led_in_titles(linking: Linking, at: int, ids: Iterable[str]) -> bool:
    """Whether a word stands behind the one before it in all these titles, as in "Go Time"."""
    pair = (linking.word(at - 1), linking.words[at])
    return linking.free(at - 1) and all(
        pair in pairwise(linking.catalog.titles.get(name, ())) for name in ids
    )


def described(linking: Linking) -> None:
    """The one recording that a question describes by its subject: "the (Zulip) episode (about Zulip)"."""
    for at in range(1, len(linking.words)):
        named = next((m for m in linking.mentions if m.field == "recording" and m.last == at), None)
        first = named.first if named else at
        noun = linking.is_a("recordings", at) and linking.tokens[at].singular
        if not noun or (linking.word(at + 1) in _ABOUT and linking.word(first - 1) not in _DEFINITE):
            continue
        if linking.word(at + 1) in _ABOUT:
            last = _clause_end(linking, at + 1)
            subject = range(at + 2, last + 1)
        else:
            first, last = _subject_before(linking, first), at
            subject = range(first, at)
        content = [linking.tokens[n].text for n in subject if linking.words[n] not in STOP]
        if not 0 < len(content) <= _LONGEST_SUBJECT or not linking.free(subject[0], subject[-1]):
            continue
        name = _most_about(content, named.values if named else (), linking.reader)
        if name:
            linking.mentions = [mention for mention in linking.mentions if mention is not named]
            linking.add(first, last, "recording", (name,))


def _clause_end(linking: Linking, at: int) -> int:
    """The last token from a place on before a comma, a colon or a semicolon."""
    ends = (n for n in range(at, len(linking.tokens) - 1) if linking.text[linking.tokens[n].end] in ",;:")
    return next(ends, len(linking.tokens) - 1)


def _subject_before(linking: Linking, noun: int) -> int:
    """Where the subject between "the" and a word for recordings begins; that word where there is none."""
    for first in range(noun - 1, max(0, noun - 4), -1):
        if linking.word(first - 1) in _DEFINITE and linking.free(first, noun):
            asks = all(word in linking.common or word in STOP for word in linking.words[first:noun])
            return noun if asks else first
    return noun


def _most_about(subject: Sequence[str], names: tuple[str, ...], reader: Reader) -> str:
    """The recording (of these, or of all) whose passages match a subject far better than any other's by BM25;
    empty for none."""
    timeline = reader.timeline(Scope(recordings=names))
    scores = reader.keyword(query_terms(subject), timeline)
    totals = np.bincount(timeline.recordings, scores, len(timeline.names))
    best, *others = np.sort(totals)[::-1][:2].tolist() or (0.0,)
    return timeline.names[int(totals.argmax())] if best > _MORE * max(others, default=0.0) else ""


def title_heads(linking: Linking) -> None:
    """The beginning of the titles of few recordings, written as a name: "Bed Bath and Beyond"."""
    for first, last, ids in linking.phrases(linking.catalog.title_heads, LONGEST_HEAD):
        content = [at for at in range(first, last + 1) if linking.words[at] not in STOP]
        if few(ids, len(linking.catalog.recordings)) and all(map(linking.named, content)):
            linking.add(first, last, "recording", ids, near=True)


def title_names(linking: Linking) -> None:
    """Names in the titles of few recordings that are said in no other: "danaher guidance"."""
    if len(linking.catalog.recordings) < 2:
        return  # which it would name anyway
    for at, token, ids in _title_words(linking.tokens, linking.catalog, linking.common):
        if linking.free(at) and not token.word.isdigit():
            rows = linking.reader.holding(token.text, _MOST_HEARD)
            passages = linking.reader.passages(rows)
            elsewhere = any(passage.recording not in ids for passage in passages)
            if not elsewhere and _is_written_as_name(token.text, passages):
                linking.add(at, at, "recording", sorted(ids), near=True)


def _title_words(
    tokens: Sequence[Token], catalog: CatalogIndex, common: frozenset[str]
) -> Iterator[tuple[int, Token, tuple[str, ...]]]:
    """The words, none of them common, that only the titles of few recordings have, and these recordings."""
    for at, token in enumerate(tokens):
        ids = catalog.title_words.get(token.word, ())
        if token.word not in common and few(ids, min(_FEW_TITLES, len(catalog.recordings))):
            yield at, token, ids


def _is_written_as_name(word: str, passages: Sequence[Passage]) -> bool:
    """Whether a word has a capital in most places of the passages; not if it has no place there."""
    pattern = re.compile(rf"\b{re.escape(word)}", re.IGNORECASE)
    places = [match[0] for passage in passages for match in pattern.finditer(passage.text)]
    return sum(place[0].isupper() for place in places) > len(places) / 2


def by_title_words(linked: Linked, catalog: CatalogIndex, common: frozenset[str]) -> Linked:
    """A question with words of the titles of few recordings as mentions: "tldr harbour"."""
    mentions: list[Mention] = []
    for at, token, ids in _title_words(linked.tokens, catalog, common):
        if at in linked.at:
            continue
        last = mentions[-1] if mentions else None
        both = set(ids).intersection(last.values) if last and last.last == at - 1 else set[str]()
        if last and both:
            said = span_text(linked.text, linked.tokens[last.first : at + 1])
            mentions[-1] = replace(last, last=at, values=tuple(sorted(both)), said=said)
        else:
            mentions.append(Mention(at, at, "recording", tuple(sorted(ids)), token.text))
    if not mentions:
        return linked
    ordered = tuple(sorted((*linked.mentions, *mentions), key=lambda mention: mention.first))
    return replace(linked, mentions=ordered, at={at: mention for mention in ordered for at in mention.places})


# ---------------------------------------------------------------- numbers and ends of series


def numbers(linking: Linking) -> None:
    """A number behind a word for recordings ("episode 41") or behind its series ("Slow Signals 4")."""
    for at, token in enumerate(linking.tokens):
        number = token.word.lstrip("0") or "0"
        if not at or not token.word.isdigit() or len(number) > 4 or not linking.free(at):
            continue
        if any(period.first < at <= period.last for period in linking.periods):
            continue  # a year: "Q2 2024"
        noun = linking.is_a("recordings", at - 1) or linking.words[at - 1] in NUMBERS
        if noun or linking.text[max(0, token.begin - 2) : token.begin].strip() == "#":
            _add_numbered(linking, at - noun, at, number, at - noun - 1)
            continue
        series = _series_ending_at(linking, at - 1)
        if series and linking.text[linking.tokens[at - 1].end : token.begin].strip(" ,:#") == "":
            _add_numbered(linking, series[0], at, number, at - 1)


def _add_numbered(linking: Linking, first: int, last: int, number: str, series_end: int) -> None:
    """The recordings of a number, within the series that is named beside it."""
    ids = linking.catalog.numbered.get(number, ())
    series = _series_ending_at(linking, series_end) if series_end >= 0 else None
    series = series or _series_behind(linking, last + 1)
    if series:
        ids = tuple(name for name in ids if name in series[1])
    if ids:
        linking.add(first, last, "recording", ids, exact=len(ids) == 1)
    else:
        linking.unknown.append(("no_number", span_text(linking.text, linking.tokens[first : last + 1])))


def outermost(linking: Linking) -> None:
    """The latest or the first recording: "the last episode of Slow Signals", "le dernier épisode"."""
    for at, word in enumerate(linking.words[:-1]):
        end = next((name for name, some in lexicon().ends.items() if word in some), "")
        plural = linking.tokens[at + 1].text.casefold()[-1] in "sx"
        if not end or plural or not linking.is_a("recordings", at + 1) or not linking.free(at, at + 1):
            continue
        led = not at or linking.word(at - 1) in ("the", "le", "la", "l", "our", "de", "du")
        behind = linking.word(at + 2)
        ended = not behind or behind in linking.common or behind in STOP or not linking.free(at + 2)
        if not led or not ended:
            continue  # "the first video game"
        series = _series_behind(linking, at + 2) or _series_ending_at(linking, at - 1)
        if series is None and behind in ("of", "de", "des", "du"):
            continue  # of a series that is not here
        ids = series[1] if series else _recordings_with(linking, at + 3) or linking.catalog.by_id.keys()
        dated = [(day, name) for name in ids if (day := linking.catalog.by_id[name].details.date)]
        if dated:
            _, name = max(dated) if end == "latest" else min(dated)
            linking.add(at, at + 1, "recording", (name,), exact=True)


def _recordings_with(linking: Linking, at: int) -> frozenset[str]:
    """The recordings of the person that is named at a token: "the latest episode with Kelly"."""
    there = (m for m in linking.mentions if m.field == "speaker" and m.first == at)
    return frozenset[str]().union(*(linking.catalog.speaking(name) for m in there for name in m.values))


def _series_ending_at(linking: Linking, last: int) -> tuple[int, frozenset[str]] | None:
    """The longest series that ends at a token: where it begins, and its recordings."""
    for first in range(max(0, last - 7), last + 1):
        for value in linking.catalog.attributes.values.get(tuple(linking.words[first : last + 1]), ()):
            if last > first or linking.named(first):
                return first, linking.catalog.having(value.attribute, value.value)
    return None


def _series_behind(linking: Linking, at: int) -> tuple[int, frozenset[str]] | None:
    """The series behind a number: "episode 4 of Slow Signals", "l'épisode 2 des Voix du port"."""
    while linking.is_a("prepositions", at) or linking.is_a("articles", at):
        at += 1
    for first in (at, at - 1):
        size = (
            longest_at(linking.catalog.attributes.values, linking.words, first, 8)
            if linking.word(first)
            else 0
        )
        if size:
            value = linking.catalog.attributes.values[tuple(linking.words[first : first + size])][0]
            return first, linking.catalog.having(value.attribute, value.value)
    return None
