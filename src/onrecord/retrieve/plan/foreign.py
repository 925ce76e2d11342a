"""Stretches of days named in other languages than English and French: "am 14. März 2024", "el mes pasado".

dateparser knows the words of the calendar in some two hundred languages, and reads times reckoned from today
with their period, from which the stretch follows; days and months are read here, by its words. It is given
no sentences, in which it takes "die", "so" and "mar" for days of the week, but runs of words that all are its
own, and one of them a month, a unit or a day such as "gestern". Its words take 40 ms to be ready, its parser
60 more, which only questions in those languages pay that have a word like a month's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import cached_property, lru_cache
from typing import Any

from onrecord.retrieve.plan.asked import Asked, low
from onrecord.retrieve.plan.foreign_words import AROUND, Around, may_name_a_day
from onrecord.retrieve.plan.stretches import YEAR, Days, Period, back, containing, month_days, short_year

_MOST_WORDS = 24
"""Words of the calendar that are looked at: however long a question, this takes some milliseconds."""
_LONGEST = 6
"""Words of a date."""
_MOST_DAYS = 31
_MONTHS = "january february march april may june july august september october november december".split()
_UNITS = ("year", "month", "week", "day")
_WORD = re.compile(r"\w+'|\w+(?:-\w+)*")
_GAP = re.compile(r"|,? |[.ºª] ").fullmatch
_FINAL = re.compile("letzt|ultim|laatst|последн").match
"""What is also said of the end of something: "the last week of the strike"."""
_FIGURE = re.compile(r"[0-9]{1,4}").fullmatch
_BARE_YEAR = re.compile(rf"(?<![\w.,$€£/-]){YEAR}(?![\w%/-]|[.,]\d)")


def periods(asked: Asked, today: date, language: str) -> list[Period]:
    """The stretches of days that a question in one of the languages of `AROUND` names, in its order."""
    if language not in AROUND:
        return []
    words = _Dates(asked, today, language, AROUND[language])
    found = list(words.periods()) if may_name_a_day(asked.low) else []
    for year in _BARE_YEAR.finditer(asked.low):
        if not any(one.begin < year.end() and year.start() < one.end for one in found):
            found.append(Period(*month_days(int(year[0]), 1, 12), *year.span(), bare=True))
    return sorted(found, key=lambda period: period.begin)


@dataclass(frozen=True, slots=True)
class _Word:
    low: str
    begin: int
    end: int


Words = Sequence[_Word]


@dataclass(frozen=True)
class _Dates:
    """Reads the dates of a question."""

    asked: Asked
    today: date
    language: str
    around: Around

    @cached_property
    def known(self) -> _Known:
        return _known(self.language)

    def periods(self) -> Iterator[Period]:
        left = _MOST_WORDS
        for run in self._runs():
            yield from self._in_run(run[:left])
            left -= len(run)
            if left <= 0:
                return

    def _runs(self) -> Iterator[list[_Word]]:
        """Words one after the other that all may belong to a date, one of them its name."""
        run: list[_Word] = []
        for found in _WORD.finditer(self.asked.low):
            word = _Word(found[0], *found.span())
            goes_on = self._may_belong(word.low)
            if run and not (goes_on and _GAP(self.asked.low[run[-1].end : word.begin])):
                yield from [run] * self._names(run)
                run = []
            if goes_on:
                run.append(word)
        yield from [run] * self._names(run)

    def _may_belong(self, word: str) -> bool:
        ours = word in self.around.number or word in self.around.month or self.around.is_beside(word)
        return ours or word in self.known.all or bool(_FIGURE(word))

    def _names(self, words: Words) -> bool:
        return any(word.low in self.known.names or word.low in self.around.month for word in words)

    def _months(self, words: Words) -> int:
        return sum(self._month(word.low) > 0 for word in words)

    def _in_run(self, run: Words) -> Iterator[Period]:
        """The dates of a run, each as long as it can be, from its beginning on."""
        at = 0
        while at < len(run):
            for size in range(min(_LONGEST, len(run) - at), 0, -1):
                words = run[at : at + size]
                days = self._days(words)
                if days:
                    yield self._period(words, days)
                    at += size - 1
                    break
            at += 1

    def _period(self, words: Words, days: Days) -> Period:
        dated = any(len(word.low) == 4 and _FIGURE(word.low) for word in words)
        month = self._months(words) > 0
        bare = month and len(words) == 1
        return Period(*days, words[0].begin, words[-1].end, bare, dated, yearless=month and not dated)

    def _days(self, words: Words) -> Days | None:
        if not self._names(words) or words[-1].low in self.known.links or self._of_a_whole(words):
            return None
        months, figures = self._months(words), sum(self._number(word.low) > 0 for word in words)
        try:
            if months:
                return self._absolute(words) if months == 1 and figures < 3 else None
            return (self._this(words) or self._last(words) or self._relative(words)) if figures < 2 else None
        except (ValueError, OverflowError):  # no such day
            return None

    def _this(self, words: Words) -> Days | None:
        """ "This week"; not "this day"."""
        if len(words) != 2 or not re.fullmatch(self.around.this, words[0].low):
            return None
        unit = self._unit(words[1].low)
        return containing(self.today, unit) if unit and unit != "day" else None

    def _last(self, words: Words) -> Days | None:
        """ "Last month", "the last three months": the unit before this one, or from that day until today."""
        others = [word.low for word in words if not re.fullmatch(self.around.last, word.low)]
        unit = self._unit(others[-1]) if len(others) < len(words) and len(others) in (1, 2) else None
        if unit is None:
            return None
        if len(others) == 1:
            several = re.fullmatch(self.around.many, others[0])
            return None if several else containing(back(self.today, unit, 1), unit)
        count = self._number(others[0])
        return (back(self.today, unit, count), self.today) if count else None

    def _of_a_whole(self, words: Words) -> bool:
        """ "The last week of the strike", "the last three months of 2023"."""
        if not _FINAL(words[0].low):
            return False
        what = "" if len(words) == 2 else f" ?{YEAR}"
        return bool(re.match(rf" (?:{self.around.of})(?:\b|(?<=')){what}", self.asked.low[words[-1].end :]))

    def _unit(self, word: str) -> str | None:
        read = self._parsed(f"1 {word}")
        return read.period if read else None

    def _relative(self, words: Words) -> Days | None:
        """ "Yesterday", "two weeks ago"; "two weeks", which is read as the future, is no time."""
        read = self._parsed(self._phrase(words))
        day = read.date_obj.date() if read else None
        if day is None or day > self.today or (day == self.today and read.period == "day"):
            return None
        return containing(day, read.period)

    def _absolute(self, words: Words) -> Days | None:
        """A day or a month, whose name must be written in full where no year is told. Read here: what
        dateparser does for it, which also looks for time zones, takes 60 ms to be ready."""
        months = {word.low: month for word in words if (month := self._month(word.low))}
        rest = [word.low for word in words if word.low not in months and word.low not in self.known.links]
        figures = [self._number(word) for word in rest]
        told = _day_and_year(figures, self.today) if all(figures) else None
        if words[0].low in self.known.links or told is None:
            return None
        (name, month), (day, year) = *months.items(), told
        if not year and name in self.known.short:
            return None
        if not day:
            return month_days(year or self.today.year - (month > self.today.month), month)
        year = year or self.today.year - ((month, day) > (self.today.month, self.today.day))
        return containing(date(year, month, day), "day")

    def _month(self, word: str) -> int:
        """The number of a month, 0 for another word."""
        return self.around.month.get(word, 0) or self.known.months.get(word, 0)

    def _number(self, word: str) -> int:
        return int(word) if _FIGURE(word) else self.around.number.get(word, 0)

    def _phrase(self, words: Words) -> str:
        """The words as they are written, with figures for numbers, of which dateparser knows few."""
        pieces, end = [], words[0].begin
        for word in words:
            pieces += [self.asked.text[end : word.begin], self._written(word)]
            end = word.end
        return "".join(pieces)

    def _written(self, word: _Word) -> str:
        if word.low in self.around.number:
            return str(self.around.number[word.low])
        return self.asked.text[word.begin : word.end]

    def _parsed(self, phrase: str) -> Any:
        """dateparser's `DateData` of a time reckoned from today, or None."""
        read = _parser(self.language, self.today).get_date_data(phrase)
        return read if read.date_obj else None


def _day_and_year(figures: Sequence[int], today: date) -> tuple[int, int] | None:
    """The day and the year that figures beside a month are, 0 for one that is not told: what is above 31 is
    the year, and so is the second of two, in two figures; None where they are neither."""
    days = [figure for figure in figures if figure <= _MOST_DAYS]
    years = [figure for figure in figures if figure > _MOST_DAYS]
    if len(days) == 2 and days[1] > 9:
        years.append(days.pop())
    if len(days) > 1 or len(years) > 1 or any(99 < year < 1000 for year in years):
        return None
    year = years[0] if years else 0
    return days[0] if days else 0, short_year(str(year), today) if 0 < year < 100 else year


# ---------------------------------------------------------------- dateparser


@dataclass(frozen=True, slots=True)
class _Known:
    """The words of dateparser's locale: `all`, those that name a stretch of days by themselves or with a
    number, of these the `months` with their numbers, of these the `short` ones ("mar"), and `links` such as
    "of"."""

    all: frozenset[str]
    names: frozenset[str]
    months: Mapping[str, int]
    short: frozenset[str]
    links: frozenset[str]


@lru_cache(maxsize=len(AROUND))
def _known(language: str) -> _Known:
    from dateparser.languages.loader import default_loader

    info: dict[str, Any] = default_loader.get_locale(language).info
    months = {low(name): number for number, month in enumerate(_MONTHS, 1) for name in info[month]}
    short = {low(name) for month in _MONTHS for name in info[month] if len(name) < 4}
    full = {low(name) for month in _MONTHS for name in info[month] if len(max(info[month], key=len)) < 4}
    units = {low(name) for unit in _UNITS for name in info[unit]}
    past = [phrase for when, phrases in info["relative-type"].items() if " ago" in when for phrase in phrases]
    around = [phrase for phrases in info["relative-type-regex"].values() for phrase in phrases]
    names = {word for word in months.keys() | units | _in(past) if len(word) > 2}
    links = _in([*info["skip"], *info.get("pertain", ())])
    return _Known(
        all=frozenset(names | links | _in([*past, *around, *info["ago"]])),
        names=frozenset(names),
        months={name: number for name, number in months.items() if name in names},
        short=frozenset(short - full),
        links=frozenset(links),
    )


def _in(phrases: Iterable[str]) -> set[str]:
    return {word for phrase in phrases for word in _WORD.findall(low(phrase))}


@lru_cache(maxsize=2 * len(AROUND))
def _parser(language: str, today: date) -> Any:
    from dateparser.date import DateDataParser

    settings = {
        "PARSERS": ["relative-time"],
        "RELATIVE_BASE": datetime.combine(today, time(12)),
        "TIMEZONE": "UTC",
        "RETURN_AS_TIMEZONE_AWARE": False,
        # tells "three years", which is then in the future, from "three years ago"
        "PREFER_DATES_FROM": "future",
    }
    return DateDataParser(languages=[language], settings=settings)
