"""Stretches of days named in other languages than English and French: "am 14. März 2024", "el mes pasado".

dateparser knows the words of the calendar in some two hundred languages, and reads a moment with its period,
from which the stretch follows. It is given no sentences, in which it takes "die", "so" and "mar" for days of
the week, but runs of words that all are its own, and one of them a month, a unit or a day such as "gestern".
It takes 0.1 s to be ready, which only questions in those languages pay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import lru_cache
from typing import Any

from onrecord.retrieve.plan.asked import Asked, low
from onrecord.retrieve.plan.foreign_words import AROUND, Around
from onrecord.retrieve.plan.stretches import YEAR, Days, Period, back, containing, month_days

_MOST_WORDS = 40
"""Words of the calendar that are looked at: however long a question, this takes some milliseconds."""
_LONGEST = 6
"""Words of a date."""
_MONTHS = "january february march april may june july august september october november december".split()
_UNITS = ("year", "month", "week", "day")
_WORD = re.compile(r"\w+'|\w+(?:-\w+)*")
_FIGURE = re.compile(r"\d{1,4}").fullmatch
_BARE_YEAR = re.compile(rf"(?<![\w.,$€£/-]){YEAR}(?![\w%/-]|[.,]\d)")


@dataclass(frozen=True, slots=True)
class _Word:
    low: str
    begin: int
    end: int


def periods(asked: Asked, today: date, language: str) -> list[Period]:
    """The stretches of days that a question in one of the languages of `AROUND` names, in its order."""
    around = AROUND.get(language)
    if around is None:
        return []
    found: list[Period] = []
    left = _MOST_WORDS
    for run in _runs(asked, language, around):
        found += _in_run(run[:left], asked.text, today, language, around)
        left -= len(run)
        if left <= 0:
            break
    for year in _BARE_YEAR.finditer(asked.low):
        if not any(one.begin < year.end() and year.start() < one.end for one in found):
            found.append(Period(*month_days(int(year[0]), 1, 12), *year.span(), bare=True))
    return sorted(found, key=lambda period: period.begin)


def _runs(asked: Asked, language: str, around: Around) -> Iterator[list[_Word]]:
    """Words one after the other that all may belong to a date, one of them its name."""
    words = _words(language)
    last = re.compile(around.last).fullmatch
    run: list[_Word] = []
    for found in [*_WORD.finditer(asked.low), None]:
        gap = asked.low[run[-1].end : found.start()] if run and found else ""
        mine = found and (
            _FIGURE(found[0]) or found[0] in words.all or found[0] in around.number or last(found[0])
        )
        if run and (not mine or gap not in ("", " ", ". ", ", ", "º ", "ª ")):
            if any(word.low in words.names for word in run):
                yield run
            run = []
        if mine and found:
            run.append(_Word(found[0], *found.span()))


def _in_run(run: Sequence[_Word], text: str, today: date, language: str, around: Around) -> Iterator[Period]:
    """The dates of a run, each as long as it can be, from its beginning on."""
    at = 0
    while at < len(run):
        for size in range(min(_LONGEST, len(run) - at), 0, -1):
            words = run[at : at + size]
            days = _days(words, text, today, language, around)
            if days:
                dated = any(len(word.low) == 4 and word.low.isdecimal() for word in words)
                bare = size == 1 and not dated and words[0].low in _words(language).months
                yield Period(*days, words[0].begin, words[-1].end, bare, dated)
                at += size - 1
                break
        at += 1


def _days(words: Sequence[_Word], text: str, today: date, language: str, around: Around) -> Days | None:
    if not any(word.low in _words(language).names for word in words):
        return None
    lasting = _last(words, today, language, around)
    if lasting:
        return lasting
    phrase = _phrase(words, text, around)
    links = _words(language).links
    if words[-1].low in links:
        return None
    read = _parsed(phrase, today, language, "relative-time")
    if read is None:
        return None if words[0].low in links else _absolute(words, phrase, today, language)
    day = read.date_obj.date()
    return containing(day, read.period) if day < today or (day == today and read.period != "day") else None


def _last(words: Sequence[_Word], today: date, language: str, around: Around) -> Days | None:
    """ "Last month", "the last three months": the unit before this one, or from that day until today."""
    others = [word.low for word in words if not re.fullmatch(around.last, word.low)]
    if len(others) == len(words) or not 1 <= len(others) <= 2:
        return None
    *count, unit = others
    number = (_number(count[0], around) if count else 1) or 0
    read = _parsed(f"{number} {unit}", today, language, "relative-time")
    if not number or read is None or (not count and re.fullmatch(around.many, unit)):
        return None
    earlier = back(today, read.period, number)
    return (earlier, today) if count else containing(earlier, read.period)


def _absolute(words: Sequence[_Word], phrase: str, today: date, language: str) -> Days | None:
    """A day or a month, whose name must be written in full where no year is told."""
    read = _parsed(phrase, today, language, "absolute-time")
    figures = any(word.low.isdecimal() for word in words)
    if read is None or "month" not in read.parts or not (figures or read.parts == ("month",)):
        return None
    if "year" not in read.parts and not any(word.low in _words(language).months for word in words):
        return None
    day = read.date_obj.date()
    if read.parts == ("month",):
        return month_days(today.year - (day.month > today.month), day.month)
    return containing(day, "day" if "day" in read.parts else "month")


def _number(word: str, around: Around) -> int | None:
    return int(word) if word.isdecimal() else around.number.get(word)


def _phrase(words: Sequence[_Word], text: str, around: Around) -> str:
    """The words as they are written, with figures for numbers, of which dateparser knows few."""
    pieces, end = [], words[0].begin
    for word in words:
        number = around.number.get(word.low)
        pieces += [text[end : word.begin], text[word.begin : word.end] if number is None else str(number)]
        end = word.end
    return "".join(pieces)


# ---------------------------------------------------------------- dateparser


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of dateparser's locale: `all`, those that name a stretch of days by themselves or with a
    number, of these the months that are written in full, and `links` such as "of"."""

    all: frozenset[str]
    names: frozenset[str]
    months: frozenset[str]
    links: frozenset[str]


@lru_cache(maxsize=len(AROUND))
def _words(language: str) -> _Words:
    from dateparser.languages.loader import default_loader

    info: dict[str, Any] = default_loader.get_locale(language).info
    months = {low(name) for month in _MONTHS for name in info[month]}
    full = {max(map(low, info[month]), key=len) for month in _MONTHS}
    units = {low(name) for unit in _UNITS for name in info[unit]}
    past = [phrase for when, phrases in info["relative-type"].items() if " ago" in when for phrase in phrases]
    around = [phrase for phrases in info["relative-type-regex"].values() for phrase in phrases]
    names = {word for word in months | units | _in(past) if len(word) > 2}
    links = _in([*info["skip"], *info.get("pertain", ())])
    return _Words(
        all=frozenset(names | links | _in([*past, *around, *info["ago"]])),
        names=frozenset(names),
        months=frozenset(name for name in months if len(name) > 3 or name in full),
        links=frozenset(links),
    )


def _in(phrases: Iterable[str]) -> set[str]:
    return {word for phrase in phrases for word in _WORD.findall(low(phrase))}


def _parsed(phrase: str, today: date, language: str, parser: str) -> Any:
    """dateparser's `DateData`, or None. Relative ones are taken for future where they say nothing else: so
    "three years" is told from "three years ago"."""
    try:
        read = _parser(language, today, parser).get_date_data(phrase)
    except (ValueError, OverflowError):  # no such day
        return None
    return read if read.date_obj else None


@lru_cache(maxsize=4 * len(AROUND))
def _parser(language: str, today: date, parser: str) -> Any:
    from dateparser.date import DateDataParser

    settings = {
        "PARSERS": [parser],
        "RELATIVE_BASE": datetime.combine(today, time(12)),
        "TIMEZONE": "UTC",
        "RETURN_AS_TIMEZONE_AWARE": False,
        "PREFER_DATES_FROM": "future" if parser == "relative-time" else "past",
        "PREFER_DAY_OF_MONTH": "first",
        "PREFER_MONTH_OF_YEAR": "first",
        "DATE_ORDER": "DMY",
    }
    return DateDataParser(languages=[language], settings=settings)
