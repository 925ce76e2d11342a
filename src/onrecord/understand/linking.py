"""Links the words of a question to what the archive knows.

`link` looks the words up in the catalogue: first whole names and values, then parts of them, then what is
written nearly so (rapidfuzz). A mention is exact where it can only be one thing: an operator
(``speaker:kelly``), a link, a code, a number with its series, a whole title. An exact mention excludes all
else; all other mentions only prefer.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from datetime import date
from itertools import islice

from onrecord.ingest.links import canonical_address
from onrecord.stores.base import Reader
from onrecord.stores.words import STOP
from onrecord.types import FILTER_FIELDS
from onrecord.understand.catalog import CatalogIndex, longest_at
from onrecord.understand.dates import Period, periods
from onrecord.understand.lexicon import lexicon, tokens, words
from onrecord.understand.mentions import (
    Linked,
    Linking,
    Mention,
    described,
    numbers,
    outermost,
    title_words,
    titles,
)

NEAR = 82
"""How alike (rapidfuzz's ratio, 0..100) a name and a word that nobody says are where it is read so."""
_ADDRESS = re.compile(
    r"(?<![\w/.@])(?:https?://|www\.|(?=(?:\w+\.)?(?:youtube\.com|youtu\.be|vimeo\.com)/))[^\s<>\"«»“”]+",
    re.I,
)
_OPERATOR = re.compile(r"(?<![\w:/])([A-Za-z][\w ]{0,20}?):(?:\"([^\"]{1,200})\"|([^\s:/\"][^\s\"]{0,99}))")
_LIMITS = {"since": "since", "after": "since", "until": "until", "before": "until"}
"""Operators of dates, and the field of each."""
_BEHIND = ".,;:!?)]}'’*_"
_NEARLY = 70
"""How alike (partial ratio) a word and a part of a name are beside the rest of that name."""
_LEADING = ("in", "on", "en", "au", "during", "dans")
"""Prepositions before a date."""
_MOST_FUZZY = 6
"""Words of a question that are compared with all names."""


def link(
    text: str, catalog: CatalogIndex, reader: Reader, today: date, common: frozenset[str] = frozenset()
) -> Linked:
    """The mentions in a question. `common` are words that are no names where they are written small."""
    text, operators, unknown = _without_operators(text, catalog)
    asked = tokens(text)
    linking = Linking(text, asked, catalog, reader, periods(text, asked, today), common, unknown=unknown)
    steps = (
        titles, _whole_names, _quarters, _values, _parts_of_names, _dates, numbers,
        _sections, _languages, _roles, title_words, described, outermost,
    )  # fmt: skip
    for step in steps:
        step(linking)
    linked = Linked(text, asked, (), {}, operators, tuple(linking.unknown), tuple(linking.doubtful))
    return linked.with_mentions(_dated_by_recordings(linking))


def _without_operators(
    text: str, catalog: CatalogIndex
) -> tuple[str, tuple[Mention, ...], list[tuple[str, str]]]:
    """The text without its operators and links, what these name, and the links that open nothing."""
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
    """What ``name:value`` names; None where that is no field, or not a value of it."""
    said = f"{name}:{value}"
    name = _LIMITS.get(name, "recording" if name == "in" else name)
    values: tuple[str, ...] = (value,)
    if name == "speaker":
        values = _people_called(value, catalog) or values
    elif name == "recording":
        values = (
            catalog.whole_titles.get(words(value)) or catalog.whole_titles.get(("".join(words(value)),)) or ()
        )
        values = values or ((value,) if value in catalog.by_id else ())
    elif name in ("since", "until"):
        whole = re.fullmatch(r"\d{4}(-\d\d){0,2}", value) and _day(f"{value}-01-01"[:10])  # of "2024-03", too
        values = values if whole else ()
    elif name not in FILTER_FIELDS:
        held = [v for v in catalog.attributes.values.get(words(value), ()) if v.attribute.casefold() == name]
        name, values = (held[0].attribute, (held[0].value,)) if held else (name, ())
    return Mention(-1, -1, name, values, said, exact=True) if values else None


def _people_called(name: str, catalog: CatalogIndex) -> tuple[str, ...]:
    """The one person of that name, or of parts of it; empty for none or several."""
    parts = words(name)
    if parts in catalog.people.by_words:
        return (catalog.people.by_words[parts],)
    people = [set(catalog.people.name_parts.get(part, ())) for part in parts]
    both = set.intersection(*people) if people else set()
    return tuple(both) if len(both) == 1 else ()


# ---------------------------------------------------------------- people


def _whole_names(linking: Linking) -> None:
    """Whole names; one of a single word only by its capital, and if it is no part of another."""
    people = linking.catalog.people
    for first, last, name in linking.phrases(people.by_words, 6):
        if last > first or (linking.tokens[first].capital and linking.words[first] not in people.name_parts):
            linking.add(first, last, "speaker", (name,))


def _parts_of_names(linking: Linking) -> None:
    """Parts of names that are written as names, side by side where they are of one person."""
    parts = linking.catalog.people.name_parts
    places = [
        at for at in range(len(linking.words))
        if linking.free(at) and linking.named(at) and not _in_date(linking, at)
    ]  # fmt: skip
    known = {at: linking.words[at] for at in places if linking.words[at] in parts}
    nearly = _misspelt(linking, [at for at in places if at not in known])
    for at, part in sorted({**known, **nearly}.items()):
        if not linking.free(at):
            continue
        people, last = set(parts[part]), at
        while linking.free(last + 1):  # also the small words of a name: "Chris d'Arcy"
            following = nearly.get(last + 1, linking.words[last + 1])
            both = {name for name in people if following in words(name)}
            if not both:
                break
            people, last = both, last + 1
        if not _someone_else(linking, at, last, people):
            near = any(n in nearly for n in range(at, last + 1))
            linking.add(at, last, "speaker", sorted(people), near=near)


def _misspelt(linking: Linking, places: Iterable[int]) -> dict[int, str]:
    """The part of a name that a word is nearly written as, by its place, where nobody says that word."""
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
            from rapidfuzz import fuzz, process  # which takes a while to load

            parts = [part for part in catalog.people.name_parts if part[0] == word[0] and len(part) > 3]
            best = process.extractOne(word, parts, scorer=fuzz.ratio, score_cutoff=NEAR)
            nearly |= {at: str(best[0])} if best else {}
    return nearly


def _in_date(linking: Linking, at: int) -> bool:
    """Whether a word is of a date of several words, or stands behind "in": "in May", "May 2020"."""
    led = linking.word(at - 1) in _LEADING
    return any(p.first <= at <= p.last and (led or p.last > p.first) for p in linking.periods)


def _someone_else(linking: Linking, first: int, last: int, people: Collection[str]) -> bool:
    """Whether another name stands beside a part of a name: "Paul Kelly" is not Brendan Kelly.

    Not where both are nearly the whole name of one person, as in "Bob Halloran"."""
    for left, beside in ((first - 1, first - 1), (last, last + 1)):
        if beside < 1 or not linking.free(beside):
            continue
        token = linking.tokens[beside]
        apart = linking.text[linking.tokens[left].end : linking.tokens[left + 1].begin] != " "
        is_name = token.text[0].isupper() and token.text[1:2].islower() and token.word not in linking.common
        if not apart and is_name and token.word not in STOP | lexicon().sets["titles"]:
            return len(people) > 1 or not _nearly_in(token.word, next(iter(people)))
    return False


def _nearly_in(word: str, name: str) -> bool:
    """Whether a word may stand for a part of a name: alike, short, or with the same initial."""
    from rapidfuzz import fuzz

    return len(word) < 4 or any(
        word[0] == part[0] or fuzz.partial_ratio(word, part) >= _NEARLY for part in words(name)
    )


def _roles(linking: Linking) -> None:
    """Somebody by what they are: "the CFO", "l'invitée". Who that is depends on the recordings."""
    for first, last, held in linking.phrases(linking.catalog.holders, 6):
        if linking.word(first - 1) in ("the", "le", "la", "l", "our", "their", "s"):
            linking.add(first, last, "role", sorted({name for names in held.values() for name in names}))


# ---------------------------------------------------------------- values, dates and sections


def _values(linking: Linking) -> None:
    """Values of attributes: whole, then firms by their first word. One word that is a part of somebody's name
    is no value, nor is the first of a firm behind a title of courtesy or a first name."""
    attributes, people = linking.catalog.attributes, linking.catalog.people.name_parts
    for at, word in enumerate(linking.words):
        last = at + longest_at(attributes.values, linking.words, at, 8) - 1
        if last < at or not linking.free(at, last):
            continue
        beside = (
            linking.word(n) in attributes.keys or linking.is_a("recordings", n) for n in (at - 1, at + 1)
        )
        if last > at or (linking.tokens[at].capital and word not in people) or any(beside):
            linking.add_value(at, last, attributes.values[tuple(linking.words[at : last + 1])][0])
    for at, word in enumerate(linking.words):
        firms = attributes.first_words.get(word, ()) if linking.named(at) and linking.free(at) else ()
        of_person = linking.is_a("titles", at - 1) or linking.word(at - 1) in people
        if len({(firm.attribute, words(firm.value)) for firm in firms}) == 1 and not of_person:
            linking.add_value(at, at, firms[0])


def _quarters(linking: Linking) -> None:
    """A quarter with its year by the attributes of that name, where recordings have them."""
    quarters = linking.catalog.attributes.keys.get("quarter", ())
    for period in linking.periods if quarters else ():
        if period.quarter and linking.free(period.first, period.last):
            number, year = period.quarter
            linking.add(period.first, period.last, quarters[0], (f"Q{number}",), period=period)
            for value in linking.catalog.attributes.values.get(("year", str(year)), ())[:1]:
                linking.add_value(period.first, period.last, value)


def _dates(linking: Linking) -> None:
    """Periods, with the preposition before them."""
    for period in linking.periods:
        if linking.free(period.first, period.last):
            led = linking.word(period.first - 1) in _LEADING
            said = linking.said(period.first - led, period.last)
            linking.add(period.first, period.last, "date", (), said=said, period=period)


def _dated_by_recordings(linking: Linking) -> Iterator[Mention]:
    """The mentions, with days in place of a recording behind a limit: "before the election episode"."""
    lex = lexicon()
    for mention in linking.mentions:
        limit_at = mention.first - 1
        while linking.is_a("articles", limit_at):
            limit_at -= 1
        word = linking.word(limit_at)
        only = linking.catalog.by_id.get(mention.values[0]) if len(mention.values) == 1 else None
        day = _day(only.details.date) if only and mention.field == "recording" else None
        if day is None or word == "from" or word not in lex.limits:
            yield mention
            continue
        period = Period(limit_at, mention.last, day, day).limited(lex.limits[word])
        said = linking.said(limit_at, mention.last)
        yield Mention(limit_at, mention.last, "date", mention.values, said, exact=True, period=period)


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text or "")
    except ValueError:
        return None


def _sections(linking: Linking) -> None:
    """Kinds of sections: "in the closing remarks"."""
    lex = lexicon()
    for first, last, kind in linking.phrases(lex.sections, 4):
        lead = first - 1 - linking.is_a("articles", first - 1)
        if linking.is_a("prepositions", lead) and linking.word(lead) not in ("of", "de", "du"):
            linking.add(first, last, "section", (kind,))


def _languages(linking: Linking) -> None:
    """Languages: "the French episodes", "in German", "answer in French"."""
    lex = lexicon()
    for at, word in enumerate(linking.words):
        code = lex.languages.get(word)
        if code is None or not linking.free(at):
            continue
        beside = linking.is_a("recordings", at - 1) or linking.is_a("recordings", at + 1)
        if beside or linking.word(at - 1) in ("in", "en"):
            linking.add(at, at, "language", (code,))
