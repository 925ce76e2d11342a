"""Attributes read from a question: any value that recordings carry ("TD Bank", "The Night Desk"), a numbered
one behind its name ("season 2"), quarters and fiscal years."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from onrecord.retrieve.plan.asked import Asked, Reading, Span, Token, aside
from onrecord.retrieve.plan.calendar_words import ORDINALS, either
from onrecord.retrieve.plan.kinds import KIND
from onrecord.retrieve.plan.known import EPISODES, Known, Value
from onrecord.retrieve.plan.names import ORDINARY, TAILS, titled
from onrecord.retrieve.plan.relations import RELATION
from onrecord.retrieve.plan.stretches import YEAR
from onrecord.stores.base import Reader
from onrecord.stores.words import STOP
from onrecord.types import Filter

QUARTERS = ("quarter", "fiscal quarter", "trimestre", "period")
FIRMS = (
    "company",
    "company name",
    "firm",
    "bank",
    "issuer",
    "organisation",
    "organization",
    "entreprise",
    "banque",
)
YEARS = ("fiscal year", "fy", "year", "exercice", "annee")
_ALSO_CALLED = {
    "season": "saison",
    "track": "piste parcours",
    "show": "podcast emission",
    "bank": "banque",
    "event": "conference evenement",
    "topic": "theme sujet",
    "speaker level": "niveau",
}
_ARTICLES = frozenset("the a an le la les l un une".split())


def values(asked: Asked, known: Known, reader: Reader) -> Iterator[Reading]:
    """Values that the question names, the longest first; none within another. One that is only spoken of, and
    is spoken of in other recordings too, is a subject: "what hurt Halden Cycles"; "Ms Halden" is no firm."""
    tokens = asked.tokens()
    written = [token.low for token in tokens]
    found: list[tuple[Span, Value]] = []
    for attribute, by_word in known.values_by_word.items():
        if attribute.lower() in (*QUARTERS, *YEARS, *EPISODES):
            continue
        for value in dict.fromkeys(value for token in tokens for value in by_word.get(token.low, ())):
            places = _places(value, attribute, by_word, tokens, written)
            found += [(span, value) for span in places if not _of_somebody(asked, tokens, span, known)]
    taken: list[Span] = []
    for span, value in sorted(found, key=lambda place: (place[0][0] - place[0][1], place[0])):
        if not any(span[0] < end and begin < span[1] for begin, end in taken):
            taken.append(span)
            phrase = _with_kind(asked, aside(asked, span), value.attribute)
            if phrase is None and not _carries(asked, span) and _told_elsewhere(value, known, reader):
                continue
            filter_ = Filter(value.attribute, value.value, asked.said(span))
            yield Reading(filter_, phrase or span, aside=phrase is not None)


def _of_somebody(asked: Asked, tokens: Sequence[Token], span: Span, known: Known) -> bool:
    """Whether a word is of a name that somebody has: "Ms Halden", "Ines Halden"."""
    if titled(asked, span[0]):
        return True
    at = next(number for number, token in enumerate(tokens) if token.begin == span[0])
    if tokens[at].end != span[1]:
        return False
    beside = {token.low for token in (*tokens[max(0, at - 1) : at], *tokens[at + 1 : at + 2])}
    return any(beside & person.words for person in known.by_name_word.get(tokens[at].low, ()))


_KIND = rf"(?:(?:earnings|conference|results) )?{KIND}"


def _with_kind(asked: Asked, phrase: Span | None, attribute: str) -> Span | None:
    """A phrase with the word behind it for what is called so: "of the Halden call"."""
    if phrase is None:
        return None
    kind = re.match(rf"\s+(?:{_KIND}|{re.escape(attribute.lower())})\b", asked.low[phrase[1] :])
    return (phrase[0], phrase[1] + kind.end()) if kind else phrase


_CARRIES = re.compile(
    r"(?:^|[:,]\s*|\b(?:versus|vs|and|or|et|ou|que dit|qu'a dit|banque|bank|show|summari[sz]e|"
    r"resume[rz]?)\s+)(?:the |le |la |l')?$"
)
_DOES = re.compile(r"\b(?:did|does|do|has|have|had|was|is|will)(?:n't)?\s+(?:the |le |la |l')?$")
_SAYS = re.compile(
    r"(?:\s+\w+){0,2}?\s+(?:sa(?:y|id)|tell|told|report|announc|mention|discuss|talk|explain|think|expect|"
    r"forecast|guid|comment|describ|present|show|address|respond|repl)\w*\b"
)
"""What a firm does in its own calls; that it did not raise its prices, others may tell."""


def _carries(asked: Asked, span: Span) -> bool:
    """Whether a value is what the sentence is said of: "did TD Bank say", "TD Bank's branches"."""
    before, behind = asked.low[max(0, span[0] - 30) : span[0]], asked.low[span[1] :]
    if re.match(r"'s?\b", behind) or _CARRIES.search(before):
        return True
    return bool(_DOES.search(before) and _SAYS.match(behind))


def _told_elsewhere(value: Value, known: Known, reader: Reader) -> bool:
    """Whether recordings that do not carry a value speak of it: all of its words in one passage."""
    line = reader.line()
    heard = np.ones(len(line), bool)
    for word in value.words:
        if word not in STOP:
            heard &= reader.keyword([word], line) > 0
    theirs = known.fitting.carrying(value.attribute, value.value)
    return any(line.names[number] not in theirs for number in np.unique(line.recordings[heard]))


def _of_firm(attribute: str, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """What a firm is called for short: its first words, or the first alone."""
    named = attribute.lower() in FIRMS and len(words) > 1 and len(words[0]) > 2
    if named and words[0] not in ORDINARY | STOP:
        yield from (words[:count] for count in range(len(words) - 1, 0, -1))


def _only_in(part: tuple[str, ...], by_word: Mapping[str, Sequence[Value]]) -> bool:
    fewest = min((by_word[word] for word in part if word in by_word), key=len, default=())
    return sum(set(part) <= set(other.words) for other in fewest) == 1


def _places(
    value: Value,
    attribute: str,
    by_word: Mapping[str, Sequence[Value]],
    tokens: Sequence[Token],
    written: list[str],
) -> Iterator[Span]:
    """Where a value is named: in full, or by a part that only it has. `written` are the words of `tokens`."""
    full = tuple(word for at, word in enumerate(value.words) if at or word not in _ARTICLES)
    short = tuple(word for word in full if word not in TAILS)
    for words in dict.fromkeys((full, short, *_of_firm(attribute, full))):
        stands = list(_stands(words, written))
        if not stands or (words != full and not _only_in(words, by_word)):
            continue
        for at in stands:
            place = tokens[at : at + len(words)]
            if _meant(place, value, attribute, tokens, at):
                yield place[0].begin, place[-1].end


def _stands(words: tuple[str, ...], written: list[str]) -> Iterator[int]:
    """Where these words stand one after the other."""
    at = -1
    for _ in range(written.count(words[0]) if words else 0):
        at = written.index(words[0], at + 1)
        if words == tuple(written[at : at + len(words)]):
            yield at


_IS_QUARTER = re.compile(r"[qt][1-4]").fullmatch
_BEHIND_KIND = re.compile(
    r"\b(?:episode|show|podcast|call|emission|appel)s?(?: (?:number |no )?\d+)? (?:of|from|de|du|d)"
    r"(?: the| la| le| l)?$"
)


def _meant(place: Sequence[Token], value: Value, attribute: str, tokens: Sequence[Token], at: int) -> bool:
    """One word is a name only where it is written as one, or beside the attribute's; "security" is not."""
    names = {attribute.lower(), *_ALSO_CALLED.get(attribute.lower(), "").split()}
    beside = tokens[at + len(place) : at + len(place) + 1], tokens[max(0, at - 1) : at]
    if any(token.low in names for side in beside for token in side):
        return True
    if len(place) == 1 and _BEHIND_KIND.search(" ".join(token.low for token in tokens[max(0, at - 5) : at])):
        return True
    firm = attribute.lower() in FIRMS and place[0].low not in ORDINARY | STOP
    if firm and any(_IS_QUARTER(token.low) for token in beside[0]):  # "halden q1 2024"
        return True
    if len(place) == 1:
        named = place[0].capital and not place[0].low.isdigit() and value.value[:1].isupper()
        return named and (at > 0 or firm)
    if all(word.isdigit() for word in value.words):
        return False
    capital = any(token.capital for token in place)
    return capital or not all(token.low in ORDINARY or token.low in STOP for token in place)


def numbered(asked: Asked, known: Known) -> Iterator[Reading]:
    """ "Season 2", "the first season": attributes whose values are numbers, by their name."""
    for attribute, all_values in known.attributes.items():
        if attribute.lower() in (*QUARTERS, *YEARS, *EPISODES):
            continue
        names = "|".join(
            map(re.escape, (attribute.lower(), *_ALSO_CALLED.get(attribute.lower(), "").split()))
        )
        number = r"(?:number |no\.? ?|#)?(?P<n>\d{1,4})\b"
        for found in re.finditer(rf"\b(?:(?:{names})s? {number}|(?P<nth>{_NTH}) (?:{names})\b)", asked.low):
            wanted = found["n"] or str(ORDINALS[found["nth"]])
            for value in all_values:
                if value.words == (wanted,):
                    span = aside(asked, found.span()) or found.span()
                    yield Reading(Filter(attribute, value.value, asked.said(found.span())), span)


_NTH = either(ORDINALS)


# ---------------------------------------------------------------- quarters and fiscal years

_YEAR = r"(?:fiscal (?:year )?|fy ?|exercice )?'?(?P<year>20\d\d)"
QUARTER = re.compile(
    rf"\b(?:[qt](?P<q>[1-4])|(?P<nth>{either(ORDINALS)}) (?:fiscal )?(?:quarter|trimestre))\b"
    rf"(?:(?:,| of| de| du| de l')? ?{_YEAR})?"
)
_FISCAL = re.compile(
    r"\b(?:fiscal(?: year)? ?|fy ?|exercice (?:fiscal )?)(?:of |de )?'?(?P<year>(?:20)?\d\d)\b"
)


_NAMED = either(word for word in ORDINALS if not word.isdigit())
_TWO = re.compile(
    rf"\b(?P<one>{_NAMED}) (?P<join>(?:and|to|or|with|versus|vs\.?|et|au) (?:the |le )?{_NAMED}) "
    r"(?P<noun>(?:fiscal )?quarter|trimestre)s?\b(?P<year>(?: of| de)? 20\d\d\b)?"
)


def each_named(asked: Asked) -> Asked:
    """ "The first and second quarter" as the first quarter and second quarter, each with its year."""
    text = asked.text
    for found in reversed(list(_TWO.finditer(asked.low))):
        one, join, noun = (text[slice(*found.span(part))] for part in ("one", "join", "noun"))
        year = found["year"] or ""
        text = f"{text[: found.start()]}{one} {noun}{year} {join} {noun}{year}{text[found.end() :]}"
    return asked if text == asked.text else Asked.of(text)


def quarters(asked: Asked, known: Known) -> Iterator[Reading]:
    """ "Q1 2024", "au premier trimestre 2024", "fiscal 2024", where recordings carry such attributes; of a
    quarter without its year that no recording carries nothing is read."""
    in_quarters, in_years = known.named_like(*QUARTERS), known.named_like(*YEARS)
    end = 0
    if in_quarters:
        for found in QUARTER.finditer(asked.low):
            if not RELATION.search(asked.low[max(0, found.start() - 40) : found.start()]):
                end = found.end()
                which = int(found["q"] or ORDINALS[found["nth"]])
                yield from _quarter(asked, found, which, in_quarters, in_years)
    for found in _FISCAL.finditer(asked.low, end):
        year = f"20{found['year'][-2:]}"
        of_year = _fitting(asked, found.span(), in_years, year)
        yield from (_told_as_missing(reading, in_years, year) for reading in of_year)


def _quarter(
    asked: Asked, found: re.Match[str], which: int, in_quarters: Sequence[Value], in_years: Sequence[Value]
) -> Iterator[Reading]:
    year, span = found["year"] or "", found.span()
    of_years = [value for value in in_quarters if _of_quarter(value, which, year or YEAR)]
    if year and of_years:
        yield from _fitting(asked, span, of_years, " ".join(of_years[0].words))
        return
    if of_years:
        yield from _of_no_year(asked, found, of_years)
        return
    for reading in _fitting(asked, span, in_quarters, f"q{which}", str(which)):
        yield _told_as_missing(reading, in_quarters, f"Q{which} {year}") if year else reading
        if year and reading.filter.field:
            yield from (replace(reading, filter=limit) for limit in _of_year(reading.filter, year, in_years))


def _told_as_missing(reading: Reading, among: Sequence[Value], value: str) -> Reading:
    """A year or a quarter of one that nothing has as a filter that nothing fits, which is told as that."""
    if reading.filter.field or not among:
        return reading
    return replace(reading, filter=replace(reading.filter, field=among[0].attribute, value=value))


def _of_year(quarter: Filter, year: str, in_years: Sequence[Value]) -> Iterator[Filter]:
    """The year of a quarter, whether recordings are of it or not: Q3 2019 is no other Q3. Where no attribute
    tells years, their dates do; what is told of a fourth quarter is told in the next year."""
    if in_years:
        known = (value.value for value in in_years if _plainly(value) == year)
        yield replace(quarter, field=in_years[0].attribute, value=next(known, year))
        return
    late = "4" in quarter.value
    yield replace(quarter, field="since", value=f"{year}-{'10' if late else '01'}-01")
    yield replace(quarter, field="until", value=f"{int(year) + 1}-03-31" if late else f"{year}-12-31")


def _plainly(value: Value) -> str:
    """The words of a quarter or year: "FY 2024" is 2024."""
    return " ".join(value.words).removeprefix("fy").strip()


_DURING = re.compile(r"\b(?:in|of|from|during|en|au|du|pendant|durant)(?: the| le)? $")


def _of_no_year(asked: Asked, found: re.Match[str], of_years: Sequence[Value]) -> Iterator[Reading]:
    """A quarter without its year as the one that recordings carry, behind a word for when: "guidance for Q2"
    is given in another. Otherwise it is left among the words."""
    if len(of_years) == 1 and _DURING.search(asked.low[: found.start()]):
        yield from _fitting(asked, found.span(), of_years, " ".join(of_years[0].words))
    else:
        yield Reading(Filter("", "", ""), found.span())


def _of_quarter(value: Value, which: int, year: str) -> bool:
    """Whether a value is that quarter of a year: "Q1 2024"."""
    return bool(re.fullmatch(rf"q{which} {year}|{year} q{which}", " ".join(value.words)))


def _fitting(asked: Asked, span: Span, among: Sequence[Value], *written: str) -> Iterator[Reading]:
    phrase = _with_kind(asked, aside(asked, span) or span, "quarter") or span
    for value in among:
        if _plainly(value) in written:
            yield Reading(Filter(value.attribute, value.value, asked.said(span)), phrase)
            return
    yield Reading(Filter("", "", asked.said(span)), phrase)


def read(asked: Asked, known: Known, reader: Reader) -> tuple[list[Reading], list[Reading]]:
    """All attributes of a question; and, apart, what names a quarter or year that no recording carries."""
    found = list(values(asked, known, reader))
    left = asked.without(reading.span for reading in found)
    found += quarters(left, known)
    left = asked.without(reading.span for reading in found)
    found += numbered(left, known)
    kept = [reading for reading in found if reading.filter.field]
    return kept, [reading for reading in found if not reading.filter.field]
