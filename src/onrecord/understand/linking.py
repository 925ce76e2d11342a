"""Which of what the archive knows a question mentions.

`link` holds the words of a question against the catalogue: whole names and values first, then parts of them,
then, for words that nobody says, what is written nearly so (rapidfuzz). A mention is exact where it can only
be one thing: an operator (``speaker:kelly``), a link, a code, a number with its series, a whole title. All
others prefer what they mention, and exclude nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from onrecord.ingest.links import opened
from onrecord.stores.base import Reader
from onrecord.stores.words import STOP
from onrecord.types import FILTER_FIELDS
from onrecord.understand.catalog import CatalogIndex, Value, longest_at, same_roles
from onrecord.understand.dates import Period
from onrecord.understand.lexicon import Token, lexicon, span_text, tokens, words
from onrecord.understand.mentions import (
    Linked,
    Linking,
    Mention,
    codes,
    hinted,
    numbers,
    outermost,
    quoted_titles,
    titles,
)

NEAR = 82
"""How alike (rapidfuzz's ratio, 0..100) a name and a word that nobody says are where it is read so."""
_ADDRESS = re.compile(
    r"(?<![\w/.@])(?:https?://|www\.|(?=(?:\w+\.)?(?:youtube\.com|youtu\.be|vimeo\.com)/))[^\s<>\"«»“”]+",
    re.I,
)
_OPERATOR = re.compile(r"(?<![\w:/])([A-Za-z][\w ]{0,20}?):(?:\"([^\"]{1,200})\"|([^\s:/\"][^\s\"]{0,99}))")
_BEHIND = ".,;:!?)]}'’*_"
_MOST_FUZZY = 6
"""Words of a question that are compared with all names."""


def link(
    text: str, catalog: CatalogIndex, reader: Reader, today: date, common: frozenset[str] = frozenset()
) -> Linked:
    """What a question mentions. `common` are words that are no names where they are written small."""
    text, given, unknown = _without_operators(text, catalog)
    linking = Linking(text, tokens(text), catalog, reader, today, common)
    linking.unknown += unknown
    for step in (
        titles,
        quoted_titles,
        codes,
        numbers,
        _names,
        _quarters,
        _values,
        _dates,
        _sections,
        outermost,
        _roles,
        hinted,
        _short_names,
        _fuzzy,
    ):
        step(linking)
    mentions = _joined(sorted(_dated_by_recordings(linking), key=lambda m: m.first), text, linking.tokens)
    return Linked(text, linking.tokens, mentions, given, tuple(linking.unknown))


def _joined(some: Sequence[Mention], text: str, all_of: Sequence[Token]) -> tuple[Mention, ...]:
    """The mentions, with two of one person side by side as one: "Brendan" and "Kelley"."""
    found: list[Mention] = []
    for mention in some:
        last = found[-1] if found else None
        if last and last.field == mention.field == "speaker" and last.last + 1 == mention.first:
            both = tuple(name for name in last.values if name in mention.values)
            if both:
                said = span_text(text, all_of[last.first : mention.last + 1])
                near = last.near or mention.near
                found[-1] = replace(last, last=mention.last, values=both, said=said, near=near)
                continue
        found.append(mention)
    return tuple(found)


def _without_operators(
    text: str, catalog: CatalogIndex
) -> tuple[str, tuple[Mention, ...], list[tuple[str, str]]]:
    """The text without the operators and links in it, and what these name."""
    given: list[Mention] = []
    unknown: list[tuple[str, str]] = []
    left = text
    for found in _ADDRESS.finditer(text):
        address = found[0].rstrip(_BEHIND)
        ids = catalog.by_address.get(opened(address) or "")
        if ids:
            given.append(Mention(-1, -1, "recording", ids, address, exact=len(ids) == 1))
        else:
            unknown.append(("unlinked", address))
        left = re.sub(rf"(?:\b(?:in|at|of|from|dans|de|sur|à)\s+)?{re.escape(address)}", " ", left)
    for found in _OPERATOR.finditer(left):
        name, value = found[1].strip().rpartition(" ")[2].lower(), found[2] or found[3].rstrip(_BEHIND)
        mention = _given(name, value, catalog)
        if mention:
            given.append(replace(mention, said=f"{name}:{value}"))
            left = re.sub(rf"{re.escape(name)}:\"?{re.escape(value)}\"?", " ", left, flags=re.IGNORECASE)
    if left != text:
        left = re.sub(
            r" {1,3}([?.!,;])", r"\1", re.sub(r"[(\[<]\s*[)\]>]", " ", " ".join(left.split()))
        ).strip()
    return (left if re.search(r"\w", left) or given else " ".join(text.split())), tuple(given), unknown


def _given(name: str, value: str, catalog: CatalogIndex) -> Mention | None:
    """What ``field:value`` names; None where that is no field, or not a value of it."""
    name = {"after": "since", "before": "until", "in": "recording"}.get(name, name)
    values: tuple[str, ...] = (value,)
    if name == "speaker":
        values = _people_called(value, catalog) or values
    elif name == "recording":
        values = catalog.whole_titles.get(words(value)) or catalog.codes.get("".join(words(value))) or ()
        values = values or ((value,) if value in catalog.by_id else ())
    elif name in ("since", "until"):
        values = values if re.fullmatch(r"\d{4}(-\d\d){0,2}", value) else ()
    elif name not in FILTER_FIELDS:
        held = [v for v in catalog.values.get(words(value), ()) if v.attribute.casefold() == name]
        name, values = (held[0].attribute, (held[0].value,)) if held else (name, ())
    return Mention(-1, -1, name, values, value, exact=True) if values else None


def _people_called(name: str, catalog: CatalogIndex) -> tuple[str, ...]:
    wanted = words(name)
    if wanted in catalog.people:
        return (catalog.people[wanted],)
    some = [set(catalog.name_parts.get(word, ())) for word in wanted]
    both = set.intersection(*some) if some else set()
    return tuple(sorted(both)) if len(both) == 1 else ()


def _names(on: Linking) -> None:
    """Whole names, then parts of names that are written as names."""
    for first, last, name in on.phrases(on.catalog.people, 6):
        if last > first or (on.tokens[first].capital and on.words[first] not in on.catalog.name_parts):
            on.add(first, last, "speaker", (name,))
    for at, word in enumerate(on.words):
        if word not in on.catalog.name_parts or not on.free(at) or not on.named(at) or _in_value(on, at):
            continue
        last = at
        some = set(on.catalog.name_parts[word])
        while last + 1 < len(on.words) and on.free(last + 1) and on.tokens[last + 1].capital:
            more = some.intersection(on.catalog.name_parts.get(on.words[last + 1], ()))
            if not more:
                break
            some, last = more, last + 1
        if _stranger(on, at, last):
            continue
        on.add(at, last, "speaker", sorted(some))


def _in_value(on: Linking, at: int) -> bool:
    """Whether a word begins a value, which is meant then: all of it, or a firm that goes by its first word.

    Not behind a title of courtesy or a first name, where it is somebody."""
    if longest_at(on.catalog.values, on.words, at, 8) > 1:
        return True
    before = on.tokens[at - 1] if at else None
    called = before is not None and (
        lexicon().has("titles", before.word) or before.word in on.catalog.name_parts
    )
    return on.words[at] in on.catalog.first_words and not called


def _stranger(on: Linking, first: int, last: int) -> bool:
    """Whether a part of a name stands beside another name, so that somebody else is meant: "Paul Kelly"."""
    for beside in (first - 1, last + 1):
        if not 0 < beside < len(on.tokens) or not on.free(beside):
            continue
        token = on.tokens[beside]
        one, other = sorted((on.tokens[first if beside < first else last], token), key=lambda t: t.begin)
        joined = on.text[one.end : other.begin] == " "
        plain = token.word in STOP or lexicon().has("titles", token.word) or token.word in on.common
        if joined and token.text[0].isupper() and token.text[1:2].islower() and not plain:
            return not _nearly(on, first, last, beside)
    return False


def _nearly(on: Linking, first: int, last: int, beside: int) -> bool:
    """Whether a name with the word beside it is nearly somebody's whole name: "Bob Halloran"."""
    from rapidfuzz import fuzz

    known = {name for at in range(first, last + 1) for name in on.catalog.name_parts[on.words[at]]}
    said = on.words[beside]
    rest = [part for name in known for part in words(name) if part not in on.words[first : last + 1]]
    return (
        any(fuzz.partial_ratio(said, part) >= 70 or said[:1] == part[:1] or len(said) < 4 for part in rest)
        and len(known) == 1
    )


def _roles(on: Linking) -> None:
    """Somebody by what they are: "the CFO", "l'invitée". Who that is depends on the recordings."""
    for first, last, held in on.phrases(on.catalog.holders, 6):
        before = on.words[first - 1] if first else ""
        if before in ("the", "le", "la", "l", "our", "their", "s"):
            on.add(first, last, "role", sorted({name for some in held.values() for name in some}))


def _values(on: Linking) -> None:
    """Values of attributes, whole; then firms by their first word."""
    for at in range(len(on.words)):
        size = longest_at(on.catalog.values, on.words, at, 8)
        keyed = on.catalog.keyed.get(tuple(on.words[at : at + 2]))
        if keyed and on.free(at, at + 1):
            _add_value(on, at, at + 1, keyed)
        if size and on.free(at, at + size - 1) and (size > 1 or on.named(at) or _keyed(on, at)):
            some = on.catalog.values[tuple(on.words[at : at + size])]
            if size == 1 and not on.tokens[at].capital and not _keyed(on, at):
                continue
            _add_value(on, at, at + size - 1, some)
    for at, token in enumerate(on.tokens):
        some = on.catalog.first_words.get(token.word, ())
        if some and token.capital and on.free(at) and at + len(some) and _one_attribute(some):
            _add_value(on, at, at, some)


def _one_attribute(some: Sequence[Value]) -> bool:
    return len({(value.attribute.casefold(), words(value.value)) for value in some}) == 1


def _keyed(on: Linking, at: int) -> bool:
    """Whether a value stands beside the name of its attribute or a word for recordings: "databases track"."""
    beside = [on.words[n] for n in (at - 1, at + 1) if 0 <= n < len(on.words)]
    return any(word in on.catalog.keys or word in lexicon().sets["recordings"] for word in beside)


def _add_value(on: Linking, first: int, last: int, some: Sequence[Value]) -> None:
    on.add(first, last, some[0].attribute, (some[0].value,))


def _quarters(on: Linking) -> None:
    """A quarter with its year by the attributes of that name, where recordings have them."""
    quarters = on.catalog.keys.get("quarter", ())
    for period in on.periods if quarters else ():
        if period.quarter and on.free(period.first, period.last):
            number, year = period.quarter
            on.add(period.first, period.last, quarters[0], (f"Q{number}",), period=period)
            years = on.catalog.keyed.get(("year", str(year)), ())
            if years:
                _add_value(on, period.first, period.last, years)


def _dates(on: Linking) -> None:
    """Periods, in the words of the question with the preposition before them."""
    for period in on.periods:
        if on.free(period.first, period.last):
            on.add(period.first, period.last, "date", (), period=period)
            if period.first and on.words[period.first - 1] in ("in", "on", "en", "au", "during", "dans"):
                said = span_text(on.text, on.tokens[period.first - 1 : period.last + 1])
                on.found[-1] = replace(on.found[-1], said=said)


def _dated_by_recordings(on: Linking) -> Iterator[Mention]:
    """The mentions, with days in place of a recording behind a limit: "before the election episode"."""
    lex = lexicon()
    for mention in on.found:
        limit_at = mention.first - 1
        while limit_at >= 0 and on.words[limit_at] in lex.sets["articles"]:
            limit_at -= 1
        word = on.words[limit_at] if limit_at >= 0 else ""
        only = on.catalog.by_id.get(mention.values[0]) if len(mention.values) == 1 else None
        day = _day(only.details.date) if only and mention.field == "recording" else None
        if day is None or word == "from" or word not in lex.limits:
            yield mention
            continue
        period = Period(limit_at, mention.last, day, day).limited(lex.limits[word])
        said = span_text(on.text, on.tokens[limit_at : mention.last + 1])
        yield Mention(limit_at, mention.last, "date", mention.values, said, exact=True, period=period)


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text or "")
    except ValueError:
        return None


def _sections(on: Linking) -> None:
    """Kinds of sections and languages of recordings."""
    lex = lexicon()
    for first, last, kind in on.phrases(lex.sections, 4):
        lead = first - 1 - bool(first and on.words[first - 1] in lex.sets["articles"])
        if lead >= 0 and on.words[lead] in lex.sets["prepositions"] - {"of", "de", "du"}:
            on.add(first, last, "section", (kind,))
    spoken = {(r.details.language or "")[:2] for r in on.catalog.recordings}
    for at, word in enumerate(on.words):
        code = lex.languages.get(word)
        before, behind = on.words[at - 1] if at else "", on.words[at + 1] if at + 1 < len(on.words) else ""
        led = behind in lex.sets["recordings"] or before in lex.sets["recordings"] or before in ("in", "en")
        asked_in = at > 1 and on.words[at - 2] in lex.sets["reply"]
        if code in spoken and led and on.free(at) and not asked_in:
            on.add(at, at, "language", (code,))


def _fuzzy(on: Linking) -> None:
    """Names that are misspelt: words written as names that nobody says and nothing else explains."""
    some = [
        at
        for at, token in enumerate(on.tokens)
        if on.free(at)
        and len(token.word) > 4
        and token.word.isalpha()
        and on.named(at)
        and token.word not in on.common
        and token.word not in STOP
    ][:_MOST_FUZZY]
    heard = on.reader.heard([on.words[at] for at in some]) if some else frozenset()
    for at in some:
        if on.words[at] in heard:
            continue
        found = _nearest_part(on, on.words[at])
        if not found and any(on.words[at] == part[: len(on.words[at])] for part in on.catalog.name_parts):
            continue
        if found and not _stranger_of(on, at):
            on.add(at, at, "speaker", on.catalog.name_parts[found], near=True)


def _short_names(on: Linking) -> None:
    """The beginning of one person's name, where it is written as a name: "Greg" is Gregory."""
    for at, token in enumerate(on.tokens):
        if (
            not at
            or not on.free(at)
            or not token.text[0].isupper()
            or len(token.word) < 3
            or token.word in on.common
        ):
            continue
        some = {part: names for part, names in on.catalog.name_parts.items() if part.startswith(token.word)}
        names = {name for each in some.values() for name in each}
        if len(names) == 1 and token.word not in on.catalog.title_words and not _stranger_of(on, at):
            on.add(at, at, "speaker", tuple(names))


def _nearest_part(on: Linking, word: str) -> str:
    from rapidfuzz import fuzz, process

    parts = [part for part in on.catalog.name_parts if part[:1] == word[:1] and len(part) > 3]
    found = process.extractOne(word, parts, scorer=fuzz.ratio, score_cutoff=NEAR)
    return str(found[0]) if found else ""


def _stranger_of(on: Linking, at: int) -> bool:
    """Whether another name stands beside: "Conoco Zielinsky" is nobody misspelt."""
    for beside in (at - 1, at + 1):
        if 0 < beside < len(on.tokens):
            token = on.tokens[beside]
            one, other = sorted((on.tokens[at], token), key=lambda t: t.begin)
            plain = (
                token.word in STOP
                or lexicon().has("titles", token.word)
                or token.word in on.catalog.name_parts
            )
            if on.text[one.end : other.begin] == " " and token.text[0].isupper() and not plain:
                return True
    return False


__all__ = ["Linked", "Mention", "link", "same_roles"]
