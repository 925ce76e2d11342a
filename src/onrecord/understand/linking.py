"""Entity linking: matches the words of a question to names, titles and values in the catalog.

`link` looks the words up in the catalog in three rounds: whole names and values, then parts of them, then
near spellings (rapidfuzz). A mention is exact if it has only one possible reading: an operator
(``speaker:kelly``), a link, a code, a number with its series, a whole title. An exact mention excludes
everything that does not match it. Any other mention is only a preference.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import islice
from typing import Any, TypeVar

from onrecord.ingest.links import canonical_address
from onrecord.stores.base import Snapshot
from onrecord.stores.words import STOP
from onrecord.types import FILTER_FIELDS
from onrecord.understand.catalog import NUMBERS, CatalogIndex, Value
from onrecord.understand.dates import Period, periods
from onrecord.understand.intents import part_of
from onrecord.understand.lexicon import Phrase, Tokens, lexicon, word_of, words

_QUOTED = re.compile('(?<!\\w)["«“\']([^"«»“”]{1,200})["»”\'](?!\\w)')
_FIGURE = re.compile(r"\d")
PEOPLE = ("speaker", "role")
"""Fields of mentions that refer to people."""
_FEW_TITLES = 3
"""Maximum number of recordings that a single title word may refer to by itself."""
_ABOUT = frozenset(("about", "sur"))
_MOST_HEARD = 50
"""Maximum number of passages with a title word that are examined."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Mention:
    """A span of tokens in a question that refers to one or more values of a field.

    The span is tokens `first` to `last`, inclusive (-1 for operators and links), and `said` is its text. It
    refers to one of `values`. `exact` marks the only possible reading, `near` an uncertain one, such as a
    part of a title. Dates have a `period`. `cited` marks recordings that only the previous answer cites."""

    first: int
    last: int
    field: str
    values: tuple[str, ...]
    said: str
    exact: bool = False
    near: bool = False
    period: Period | None = None
    cited: bool = False

    @property
    def places(self) -> range:
        """The positions of the mention's tokens."""
        return range(self.first, self.last + 1)

    @property
    def of_several(self) -> bool:
        """Whether the mention is a name that several people share."""
        return self.field == "speaker" and len(self.values) > 1


@dataclass(frozen=True)
class Linked:
    """A question without operators and links, with its tokens and its mentions from left to right.

    `at` maps a token position to the mention that covers it. `operators` are the mentions from operators and
    links. `unknown` pairs a message key with the words that match nothing in the archive."""

    tokens: Tokens
    mentions: tuple[Mention, ...]
    at: Mapping[int, Mention]
    operators: tuple[Mention, ...]
    unknown: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        """The text of the question, without operators and links."""
        return self.tokens.text


@dataclass
class Linking:
    """The working state of entity linking for one question; each step adds to `mentions`."""

    tokens: Tokens
    catalog: CatalogIndex
    reader: Snapshot
    periods: Sequence[Period]
    common: frozenset[str]
    unknown: list[tuple[str, str]] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.words = self.tokens.words
        lower = not any(token.text[0].isupper() for token in self.tokens[1:])
        no_names = self.common | STOP if lower else frozenset(self.words)
        self.named = {n for n, token in enumerate(self.tokens) if token.capital or token.word not in no_names}
        """Positions of words that may be names, judged by their spelling."""
        self._taken: set[int] = set()

    def word(self, at: int) -> str:
        """Return the word at a position, or "" outside the text."""
        return self.words[at] if 0 <= at < len(self.words) else ""

    def free(self, first: int, last: int | None = None) -> bool:
        """Check that tokens `first` to `last` exist and that no mention covers any of them."""
        last = first if last is None else last
        return first >= 0 and last < len(self.tokens) and self._taken.isdisjoint(range(first, last + 1))

    def phrases(self, table: Mapping[Phrase, T], most: int) -> Iterator[tuple[int, int, T]]:
        """Yield the phrases of `table` whose tokens are free, as `Tokens.phrases` does."""
        return (found for found in self.tokens.phrases(table, most) if self.free(found[0], found[1]))

    def mention_at(self, at: int) -> Mention | None:
        """Return the mention that covers a token, or None."""
        return next((mention for mention in self.mentions if at in mention.places), None)

    def recordings_of(self, mention: Mention) -> frozenset[str]:
        """Return the ids of the recordings that match a mention."""
        name = "speaker" if mention.field in PEOPLE else mention.field
        return self.catalog.meeting(name, mention.values)

    def beside(self, first: int, last: int) -> frozenset[str]:
        """Return the recordings of the mention after a span of tokens, or else before it."""
        behind, small = last + 1, lexicon().prepositions | lexicon().articles
        while self.free(behind) and self.word(behind) in small:
            behind += 1
        near = filter(None, (self.mention_at(behind), self.mention_at(first - 1)))
        return next(filter(None, map(self.recordings_of, near)), frozenset())

    def add(
        self, first: int, last: int, field: str, values: Iterable[str], *, said: str = "", **more: Any
    ) -> None:
        """Add a mention of tokens `first` to `last`; it replaces mentions of fewer of these tokens."""
        said = said or self.tokens.said(first, last)
        around = [m for m in self.mentions if not set(m.places) < set(range(first, last + 1))]
        self.mentions = [*around, Mention(first, last, field, tuple(dict.fromkeys(values)), said, **more)]
        self._taken.update(range(first, last + 1))

    def add_value(self, first: int, last: int, value: Value) -> None:
        """Add a mention of an attribute value."""
        self.add(first, last, value.attribute, (value.value,))


def few(recordings: Collection[str], of: int) -> bool:
    """Check whether a word with these recordings is specific: at most a third of all, at least one."""
    return 0 < len(recordings) <= max(1, of // 3)


# ---------------------------------------------------------------- titles


def titles(linking: Linking) -> None:
    """Add mentions of whole titles.

    One that is quoted or written as a title is exact, if one recording has it. Any other of two content words
    or more is near, if few recordings have it."""
    quoted = [match.span(1) for match in _QUOTED.finditer(linking.tokens.text)]
    for first, last, ids in linking.phrases(linking.catalog.whole_titles, 20):
        if linking.words[first : last + 1] in linking.catalog.attributes.values:
            continue
        begin, end = linking.tokens[first].begin, linking.tokens[last].end
        in_quotes = any(opening <= begin and end <= closing for opening, closing in quoted)
        tells = sum(word not in STOP for word in linking.words[first : last + 1]) > 1
        if in_quotes or _is_written_as_title(linking, first, last):
            linking.add(first, last, "recording", ids, exact=len(ids) == 1)
        elif tells and few(ids, len(linking.catalog.by_id)):
            linking.add(first, last, "recording", ids, near=True)


def _is_written_as_title(linking: Linking, first: int, last: int) -> bool:
    """Check whether a span can only be a title: by capitals, a digit or its number of words.

    A single word counts if it has a digit, or a capital after a preposition ("on Tides")."""
    tokens = linking.tokens[first : last + 1]
    figured = any(_FIGURE.search(token.word) for token in tokens)
    if first == last:
        placed = linking.word(first - 1) in lexicon().prepositions and tokens[0].capital
        return figured or (placed and tokens[0].word not in linking.catalog.people.name_parts)
    content = [token for token in tokens if token.word not in STOP]
    if len(content) < 2:
        return all(token.capital for token in tokens)
    return figured or len(content) > 3 or sum(token.capital for token in content) >= len(content) / 2


def title_words(linking: Linking) -> None:
    """Add mentions by title words that few recordings share.

    The words stand before a word for recordings ("the council meeting"), are several words with capitals
    ("Bed Bath and Beyond"), or include one that occurs in no other recording ("danaher guidance")."""
    for first, last, ids in list(_title_runs(linking)):
        noun = linking.word(last + 1) in lexicon().recordings | lexicon().ones
        content = [at for at in range(first, last + 1) if linking.words[at] not in STOP]
        if noun and linking.free(last + 1):
            linking.add(first, last + 1, "recording", ids)
        elif len(content) > 1 and _is_written_as_title(linking, first, last):
            linking.add(first, last, "recording", ids, near=True)
        elif len(ids) <= _FEW_TITLES:
            own = (at for at in content if linking.words[at] not in linking.common)
            names = [at for at in own if _is_said_only_in(ids, at, linking)]
            if names:
                linking.add(names[0], names[-1], "recording", ids, near=True)


def _title_runs(linking: Linking) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yield the longest runs of free words that the titles of few recordings share, with the recordings' ids.

    One stop word may stand between two words of a run."""
    titled, most = linking.catalog.title_words, len(linking.catalog.recordings)
    nouns = lexicon().recordings

    def having(at: int) -> frozenset[str]:
        word = linking.word(at)
        fits = linking.free(at) and not (word in nouns or word.isdigit())
        return frozenset(titled.get(word, ())) if fits else frozenset()

    at = 0
    while at < len(linking.words):
        first = last = at
        ids = having(at)
        for following in range(at + 1, len(linking.words)):
            both = ids & having(following)
            if both:
                last, ids = following, both
            elif linking.words[following] not in STOP or following > last + 1:
                break
        if few(ids, most):
            yield first, last, tuple(sorted(ids))
        at = last + 1


def _is_said_only_in(ids: tuple[str, ...], at: int, linking: Linking) -> bool:
    """Check that a word occurs only in these recordings and mostly with a capital."""
    if len(linking.catalog.recordings) < 2:
        return False  # every word would refer to the only recording
    passages = linking.reader.passages(linking.reader.holding(linking.tokens[at].text, _MOST_HEARD))
    if any(passage.recording not in ids for passage in passages):
        return False
    pattern = re.compile(rf"\b{re.escape(linking.tokens[at].text)}", re.IGNORECASE)
    places = [match[0] for passage in passages for match in pattern.finditer(passage.text)]
    return sum(place[0].isupper() for place in places) > len(places) / 2


# ---------------------------------------------------------------- numbers and ends of series


def numbers(linking: Linking) -> None:
    """Add mentions by a number after a word for recordings ("episode 41") or a series ("Slow Signals 4")."""
    for at, token in enumerate(linking.tokens):
        number = token.word.lstrip("0") or "0"
        if not at or not token.word.isdigit() or len(number) > 4 or not linking.free(at):
            continue
        noun = linking.word(at - 1) in lexicon().recordings or linking.words[at - 1] in NUMBERS
        marked = linking.tokens.text[max(0, token.begin - 2) : token.begin].strip() == "#"
        series = linking.mention_at(at - 1)
        directly = linking.tokens.between(at - 1, at).strip(" ,:#") == ""
        of_series = series and series.field not in PEOPLE and directly and not series.period
        if not (noun or marked or of_series):
            continue
        first = series.first if series and of_series else at - noun
        within = linking.recordings_of(series) if series and of_series else linking.beside(first, at)
        ids = [name for name in linking.catalog.numbered.get(number, ()) if not within or name in within]
        if ids:
            linking.add(first, at, "recording", ids, exact=len(ids) == 1)
        else:
            linking.unknown.append(("no_number", linking.tokens.said(first, at)))


def outermost(linking: Linking) -> None:
    """Add mentions of the latest or first recording: "the last episode of Slow Signals".

    "What is the latest one about" only prefers it, because "one" may be anything spoken of before."""
    for at, word in enumerate(linking.words[:-1]):
        end = next((name for name, some in lexicon().ends.items() if word in some), "")
        plural = linking.tokens[at + 1].text.casefold()[-1] in "sx"
        noun = linking.word(at + 1) in lexicon().recordings
        asks_about = at + 3 == len(linking.words) and linking.word(at + 2) in _ABOUT
        one = linking.word(at + 1) in lexicon().ones and asks_about
        if not end or plural or not (noun or one) or not linking.free(at, at + 1):
            continue
        led = not at or linking.word(at - 1) in ("the", "le", "la", "l", "our", "de", "du")
        behind = linking.word(at + 2)
        ended = not behind or behind in linking.common or behind in STOP or not linking.free(at + 2)
        if not led or not ended:
            continue  # the noun belongs to a longer phrase: "the first video game"
        ids = linking.beside(at, at + 1)
        if not ids and behind in ("of", "de", "des", "du"):
            continue  # the archive does not have this series
        catalog = linking.catalog.by_id
        dated = [(day, name) for name in ids or catalog if (day := catalog[name].details.date)]
        if dated:
            _, name = max(dated) if end == "latest" else min(dated)
            linking.add(at, at + 1, "recording", (name,), exact=noun)


NEAR = 82
"""Minimum similarity (rapidfuzz's ratio, 0..100) at which a word that nobody says is read as a name."""
_ADDRESS = re.compile(
    r"(?<![\w/.@])(?:https?://|www\.|(?=(?:\w+\.)?(?:youtube\.com|youtu\.be|vimeo\.com)/))[^\s<>\"«»“”]+",
    re.I,
)
_OPERATOR = re.compile(r"(?<![\w:/])([A-Za-z][\w ]{0,20}?):(?:\"([^\"]{1,200})\"|([^\s:/\"][^\s\"]{0,99}))")
_LIMITS = {"since": "since", "after": "since", "until": "until", "before": "until"}
"""The field of each date operator."""
_BEHIND = ".,;:!?)]}'’*_"
_NEARLY = 70
"""Minimum similarity (partial ratio, 0..100) of a word to a name part, beside the rest of the name."""
_LEADING = ("in", "on", "en", "au", "during", "dans")
"""Prepositions that precede a date."""
_SAME = 0.95
"""The minimum likeness of an example, in 0..1, for a language by itself to be that of recordings."""
_MOST_FUZZY = 6
"""Maximum number of words of a question that are compared with all names."""


def link(text: str, catalog: CatalogIndex, reader: Snapshot, today: date, common: frozenset[str]) -> Linked:
    """Link a question: return its tokens, mentions, operators and unknown words.

    Relative dates count from `today`; the `common` words are names only with a capital."""
    text, operators, unknown = _without_operators(text, catalog)
    asked = Tokens(text)
    linking = Linking(asked, catalog, reader, periods(asked, today), common, unknown=unknown)
    steps = (
        titles, _whole_names, _quarters, _values, _parts_of_names, _dates, numbers,
        _sections, _languages, _roles, title_words, outermost,
    )  # fmt: skip
    for step in steps:
        step(linking)
    mentions = tuple(sorted(_dated_by_recordings(linking), key=lambda mention: mention.first))
    at = {at: mention for mention in reversed(mentions) for at in mention.places}
    return Linked(asked, mentions, at, operators, tuple(linking.unknown))


def _without_operators(
    text: str, catalog: CatalogIndex
) -> tuple[str, tuple[Mention, ...], list[tuple[str, str]]]:
    """Return the text without operators and links, their mentions, and pairs as in `Linked.unknown`."""
    given: list[Mention] = []
    unknown: list[tuple[str, str]] = []
    rest = text
    for match in _ADDRESS.finditer(text):
        address = match[0].rstrip(_BEHIND)
        ids = catalog.by_address.get(canonical_address(address) or "")
        if ids:
            given.append(Mention(-1, -1, "recording", ids, address, exact=len(ids) == 1))
        else:
            unknown.append(("unlinked", address))
        rest = re.sub(rf"(?:\b(?:in|at|of|from|dans|de|sur|à)\s+)?{re.escape(address)}", " ", rest)
    for match in _OPERATOR.finditer(rest):
        name, value = match[1].strip().rpartition(" ")[2].lower(), match[2] or match[3].rstrip(_BEHIND)
        mention = _operator(name, value, catalog)
        if mention:
            given.append(mention)
        elif name in _LIMITS:
            unknown.append(("no_date", match[0]))
        if mention or name in _LIMITS:
            rest = re.sub(rf"{re.escape(name)}:\"?{re.escape(value)}\"?", " ", rest, flags=re.IGNORECASE)
    if rest != text:
        rest = re.sub(r"[(\[<]\s*[)\]>]", " ", " ".join(rest.split()))
        rest = re.sub(r" {1,3}([?.!,;])", r"\1", rest).strip()
    return (rest if re.search(r"\w", rest) or given else " ".join(text.split())), tuple(given), unknown


def _operator(name: str, value: str, catalog: CatalogIndex) -> Mention | None:
    """Return the mention of ``name:value``, or None if the field or its value is unknown."""
    said = f"{name}:{value}"
    name = _LIMITS.get(name, "recording" if name == "in" else name)
    values: tuple[str, ...] = (value,)
    if name == "speaker":
        values = _people_called(value, catalog) or values
    elif name == "recording":
        code, titles = ("".join(words(value)),), catalog.whole_titles
        values = titles.get(words(value)) or titles.get(code) or tuple({value} & catalog.by_id.keys())
    elif name in ("since", "until"):
        whole = re.fullmatch(r"\d{4}(-\d\d){0,2}", value) and _day(f"{value}-01-01"[:10])  # also "2024-03"
        values = values if whole else ()
    elif name not in FILTER_FIELDS:
        held = [v for v in catalog.attributes.values.get(words(value), ()) if v.attribute.casefold() == name]
        name, values = (held[0].attribute, (held[0].value,)) if held else (name, ())
    return Mention(-1, -1, name, values, said, exact=True) if values else None


def _people_called(name: str, catalog: CatalogIndex) -> tuple[str, ...]:
    """Return the only person with this name or these name parts; empty for none or several."""
    parts = words(name)
    if parts in catalog.people.by_words:
        return (catalog.people.by_words[parts],)
    people = [set(catalog.people.name_parts.get(part, ())) for part in parts]
    both = set.intersection(*people) if people else set()
    return tuple(both) if len(both) == 1 else ()


# ---------------------------------------------------------------- people


def _whole_names(linking: Linking) -> None:
    """Add mentions of whole names; one of a single word needs a capital, and is no part of another name."""
    people = linking.catalog.people
    for first, last, name in linking.phrases(people.by_words, 6):
        if last > first or (linking.tokens[first].capital and linking.words[first] not in people.name_parts):
            linking.add(first, last, "speaker", (name,))


def _parts_of_names(linking: Linking) -> None:
    """Add mentions by parts of names; adjacent parts of one person's name make one mention."""
    parts = linking.catalog.people.name_parts
    dated = {  # "in May" and "May 2020" are nobody
        at
        for period in linking.periods
        for at in range(period.first, period.last + 1)
        if period.last > period.first or linking.word(at - 1) in _LEADING
    }
    places = [at for at in sorted(linking.named - dated) if linking.free(at)]
    known = {at: linking.words[at] for at in places if linking.words[at] in parts}
    nearly = _misspelt(linking, [at for at in places if at not in known])
    for at, part in sorted({**known, **nearly}.items()):
        if not linking.free(at):
            continue
        people, last = set(parts[part]), at
        while linking.free(last + 1):  # this includes the particles of a name: "Chris d'Arcy"
            following = nearly.get(last + 1, linking.words[last + 1])
            both = {name for name in people if following in words(name)}
            if not both:
                break
            people, last = both, last + 1
        if not _someone_else(linking, at, last, people):
            near = any(n in nearly for n in range(at, last + 1))
            linking.add(at, last, "speaker", sorted(people), near=near)


def _misspelt(linking: Linking, places: Iterable[int]) -> dict[int, str]:
    """Return the name part that each misspelt word, which nobody in the archive says, resembles."""
    catalog, explained = linking.catalog, linking.common | STOP
    doubted = (
        (at, word) for at in places
        if len(word := linking.words[at]) > 4 and word.isalpha()
        and word not in explained and word not in catalog.title_words
    )  # fmt: skip
    strange = dict(islice(doubted, _MOST_FUZZY))
    heard = linking.reader.heard(list(strange.values())) if strange else frozenset()
    nearly: dict[int, str] = {}
    for at, word in strange.items():
        if word not in heard:
            from rapidfuzz import fuzz, process  # loaded here because it takes a while to load

            parts = [part for part in catalog.people.name_parts if part[0] == word[0] and len(part) > 3]
            best = process.extractOne(word, parts, scorer=fuzz.ratio, score_cutoff=NEAR)
            nearly |= {at: str(best[0])} if best else {}
    return nearly


def _someone_else(linking: Linking, first: int, last: int, people: Collection[str]) -> bool:
    """Check whether a neighboring word shows that a name part belongs to another person.

    "Paul Kelly" is not Brendan Kelly. The result is False if both words nearly make up the name of one
    person, as in "Bob Halloran". A short word may be any nickname, unless another person has that name."""
    for left, beside in ((first - 1, first - 1), (last, last + 1)):
        if beside < 1 or not linking.free(beside):
            continue
        word, apart = linking.words[beside], linking.tokens.between(left, left + 1) != " "
        text = linking.tokens[beside].text
        named = text[0].isupper() and text[1:2].islower()
        if apart or not named or word in linking.common | STOP | lexicon().titles:
            continue
        from rapidfuzz import fuzz  # loaded here because it takes a while to load

        short = len(word) < 4 and word not in linking.catalog.people.name_parts
        alike = (
            word[0] == part[0] or fuzz.partial_ratio(word, part) >= _NEARLY
            for part in words(next(iter(people)))
        )  # fmt: skip
        return len(people) > 1 or not (short or any(alike))
    return False


def _roles(linking: Linking) -> None:
    """Add mentions of people by their role: "the CFO"; who holds it depends on the recordings."""
    for first, last, held in linking.phrases(linking.catalog.holders, 6):
        if linking.word(first - 1) in ("the", "le", "la", "l", "our", "their", "s"):
            linking.add(first, last, "role", sorted({name for names in held.values() for name in names}))


# ---------------------------------------------------------------- values, dates and sections


def _values(linking: Linking) -> None:
    """Add mentions of attribute values, with the name of the attribute behind them: "the Oslo office".

    A single word is one if it has a capital and is no part of a person's name, or if it stands beside the
    name of its attribute or a word for recordings."""
    attributes, people = linking.catalog.attributes, linking.catalog.people.name_parts
    for at, last, values in linking.phrases(attributes.values, 8):
        near = (linking.word(at - 1), linking.word(at + 1))
        beside = any(each in attributes.keys or each in lexicon().recordings for each in near)
        if last > at or (linking.tokens[at].capital and linking.words[at] not in people) or beside:
            named = linking.word(last + 1) == word_of(values[0].attribute) and linking.free(last + 1)
            linking.add_value(at, last + named, values[0])
    for at, word in enumerate(linking.words):
        value = attributes.by_first_word.get(word) if at in linking.named and linking.free(at) else None
        before = linking.word(at - 1)
        if value and before not in lexicon().titles and before not in people:
            linking.add_value(at, at, value)


def _quarters(linking: Linking) -> None:
    """Add mentions of a quarter and its year, if recordings have attributes of these names."""
    quarters = linking.catalog.attributes.keys.get("quarter", ())
    for period in linking.periods if quarters else ():
        if period.quarter and linking.free(period.first, period.last):
            number, year = period.quarter
            linking.add(period.first, period.last, quarters[0], (f"Q{number}",), period=period)
            for value in linking.catalog.attributes.values.get(("year", str(year)), ())[:1]:
                linking.add_value(period.first, period.last, value)


def _dates(linking: Linking) -> None:
    """Add mentions of periods; their text includes the preposition before them."""
    for period in linking.periods:
        if linking.free(period.first, period.last):
            led = linking.word(period.first - 1) in _LEADING
            said = linking.tokens.said(period.first - led, period.last)
            linking.add(period.first, period.last, "date", (), said=said, period=period)


def _dated_by_recordings(linking: Linking) -> Iterator[Mention]:
    """Yield the mentions; "before the election episode" becomes a date: the days before that episode."""
    lex = lexicon()
    for mention in linking.mentions:
        limit_at = mention.first - 1
        while linking.word(limit_at) in lex.articles:
            limit_at -= 1
        word = linking.word(limit_at)
        only = linking.catalog.by_id.get(mention.values[0]) if len(mention.values) == 1 else None
        day = _day(only.details.date) if only and mention.field == "recording" else None
        if day is None or word == "from" or word not in lex.limits:
            yield mention
            continue
        period = Period(limit_at, mention.last, day, day).limited(lex.limits[word])
        said = linking.tokens.said(limit_at, mention.last)
        yield Mention(limit_at, mention.last, "date", mention.values, said, exact=True, period=period)


def _day(text: str | None) -> date | None:
    """Parse an ISO 8601 date; return None if it is missing or invalid."""
    try:
        return date.fromisoformat(text or "")
    except ValueError:
        return None


def _sections(linking: Linking) -> None:
    """Add mentions of section kinds: "in the closing remarks"."""
    lex = lexicon()
    for first, last, kind in linking.phrases(lex.sections, 4):
        lead = first - 1 - (linking.word(first - 1) in lex.articles)
        if linking.word(lead) in lex.prepositions.difference(("of", "de", "du")):
            linking.add(first, last, "section", (kind,))


def _languages(linking: Linking) -> None:
    """Add mentions of languages: "the French episodes", "in German", "which talks are Italian"."""
    lex = lexicon()
    for at, word in enumerate(linking.words):
        code = lex.languages.get(word)
        if code is None or not linking.free(at):
            continue
        beside = not lex.recordings.isdisjoint((linking.word(at - 1), linking.word(at + 1)))
        led = beside or linking.word(at - 1) in ("in", "en")
        if led or part_of("language", linking.tokens, {}, (at,), _SAME) == "recorded":
            linking.add(at, at, "language", (code,))
