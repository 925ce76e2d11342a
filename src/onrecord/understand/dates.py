"""Reader of dates and periods in a question.

English and French come from the lexicon. dateparser reads months in other languages. It is imported only for
an otherwise unexplained word next to a year.
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date, timedelta

from onrecord.understand.lexicon import Tokens, lexicon

_YEAR = re.compile(r"(?:19|20)\d\d")
_DECADE = re.compile(r"(?:19|20)?\d0s")
_QUARTER = re.compile(r"[qt]([1-4])")
_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th|er)?")
_FIGURES = re.compile(
    r"(?<![\w./-])(?:(?P<iso>\d{4}[-/]\d\d?(?:[-/]\d\d?)?)|(?P<dmy>\d\d?([/.])\d\d?\3(?:19|20)\d\d)|"
    r"(?P<my>\d\d?/(?:19|20)\d\d))(?![\w/-]|\.\d)"
)
_YESTERDAY = frozenset(("yesterday", "hier"))
_BETWEEN = frozenset(("between", "entre", "from", "de", "du"))
_ONWARD = frozenset(("on", "onward", "onwards"))
_JOINS_ENDS = frozenset("and et to until till a au jusqu".split())
_BEFORE_YEAR = frozenset("of de du del d the le la l in en".split())
_BEFORE_MONTH = frozenset(
    "in en since depuis until before avant after apre between entre from and et to of de the fin".split()
)
_ALSO_WORDS = frozenset("may march sept dec".split())
"""Month names that are also ordinary words; they count as months only with a capital."""
_ARTICLES = frozenset("the le la a in en au".split())
_SEASON_MONTHS = {"spring": (3, 5), "summer": (6, 8), "autumn": (9, 11), "winter": (12, 14)}
_UNIT_MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}


@dataclass(frozen=True, slots=True)
class Period:
    """A period in a question: the days from `since` to `until`, and the tokens `first` to `last`.

    None is an open end. `yearless` is true if the question mentions no year. `quarter` is the number of a
    quarter and its year; the year is 0 if the question mentions none."""

    first: int
    last: int
    since: date | None
    until: date | None
    yearless: bool = False
    quarter: tuple[int, int] | None = None

    def limited(self, limit: str) -> Period:
        """Return the period "since", "until", "after" or "before" this one."""
        if limit == "after":
            day = self.until + timedelta(1) if self.until else self.since
            return replace(self, since=day, until=None)
        if limit == "before":
            day = self.since - timedelta(1) if self.since else self.until
            return replace(self, since=None, until=day)
        return replace(self, until=None) if limit == "since" else replace(self, since=None)


def periods(tokens: Tokens, today: date) -> list[Period]:
    """Return the periods in a question, from left to right, without overlaps.

    `today` is the day that relative dates count from."""
    figures = re.search(r"\d", " ".join((tokens.text, *tokens.words)))
    if not figures and not tokens.have(lexicon().calendar | _YESTERDAY):
        return []  # a shortcut, because most questions have no date
    reader = _Reader(tokens, today)
    periods: list[Period] = []
    at = 0
    while at < len(tokens):
        period = reader.limited(at)
        if period:
            periods.append(period)
            at = period.last
        at += 1
    return periods


class _Reader:
    """A reader of the periods in one question.

    Each method reads the period of one kind that starts at a token, or returns None."""

    def __init__(self, tokens: Tokens, today: date) -> None:
        self._tokens, self._today = tokens, today
        self._lexicon = lexicon()

    # ---- limits of periods

    def _word(self, at: int) -> str:
        """Return the word at a position, or "" outside the text."""
        return self._tokens.words[at] if 0 <= at < len(self._tokens) else ""

    def limited(self, at: int) -> Period | None:
        """Read a period with the limit before it: "since March", "between 2020 and 2022"."""
        if self._word(at) in _BETWEEN and (both := self._between(at)):
            return both
        limit = self._lexicon.limits.get(self._word(at))
        if limit is None:
            return self._period(at)
        inner = self._period(at + 1 + sum(self._word(n) in _ARTICLES for n in (at + 1, at + 2)))
        if inner and self._word(at) == "from" and self._word(inner.last + 1) not in _ONWARD:
            return replace(inner, first=at)  # "calls from March" took place in March
        return replace(inner.limited(limit), first=at) if inner else None

    def _between(self, at: int) -> Period | None:
        """Read a period with two ends: "between March and May 2025", "from 3 to 9 April 2024"."""
        start = self._period(at + 1)
        day = None if start else _DAY.fullmatch(self._word(at + 1))
        join = start.last + 1 if start else at + 2
        end = self._period(join + 1) if self._word(join) in _JOINS_ENDS else None
        if end is None or end.since is None or end.until is None:
            return None
        if start:
            since = start.since
            if since and start.yearless and not end.yearless:
                since = since.replace(year=end.since.year, day=min(since.day, 28))
        elif day and 0 < int(day[1]) <= monthrange(end.since.year, end.since.month)[1]:
            since = end.since.replace(day=int(day[1]))
        else:
            return None
        if since and since > end.until:
            since = since.replace(year=since.year - 1, day=min(since.day, 28))
        return Period(at, end.last, since, end.until)

    def _period(self, at: int) -> Period | None:
        """Read a period of any kind, without a limit before it."""
        kinds = (
            self._figures, self._quarter, self._season, self._ago, self._beside_unit,
            self._years, self._month,
        )  # fmt: skip
        return next((period for kind in kinds if (period := kind(at))), None) if self._word(at) else None

    # ---- calendar dates

    def _figures(self, at: int) -> Period | None:
        """Read a date in digits: "2024-03-14", "14.03.2024", "3/2024"."""
        match = _FIGURES.match(self._tokens.text, self._tokens[at].begin)
        if not match:
            return None
        last = max(n for n, token in enumerate(self._tokens) if token.end <= match.end())
        numbers = [int(part) for part in re.split(r"[-/.]", match[0])]
        if not match["iso"]:
            numbers.reverse()
        if match["dmy"] and numbers[1] > 12:
            numbers[1:] = numbers[:0:-1]
        year, month, day = (*numbers, 0, 0)[:3]
        return _span(at, last, year, month, day)

    def _quarter(self, at: int) -> Period | None:
        """Read a quarter: "Q1 2024", "the first quarter of 2024", "T2".

        In "the first and second quarter", "the first" is read as a quarter too."""
        short = _QUARTER.fullmatch(self._word(at))
        number = int(short[1]) if short else self._lexicon.numbers.get(self._word(at), 0)
        if not 0 < number < 5:
            return None
        year, last = self._year_after(at if short else at + 1)
        if not short and self._word(at + 1) in self._lexicon.joins:
            other = self._quarter(at + 2 + (self._word(at + 2) in self._lexicon.articles))
            if other is None or not other.quarter or _QUARTER.fullmatch(self._word(other.first)):
                return None
            year, last = other.quarter[1], at
        elif not short and (
            self._lexicon.units.get(self._word(at + 1)) != "quarter" or self._tokens[at + 1].text[-1] in "sS"
        ):
            return None  # "two quarters" does not mean the second quarter
        since, until = _months(year or self._latest_year(3 * number - 2), 3 * number - 2, 3 * number)
        return Period(at, last, since, until, not year, (number, year))

    def _month(self, at: int) -> Period | None:
        """Read a month or a day: "14 March 2024", "March 14, 2024", "March 2024", "last March", "in May"."""
        back = self._word(at) in self._lexicon.last
        month_at = at + (back or self._word(at) in self._lexicon.this)
        day = _DAY.fullmatch(self._word(month_at))
        if day:
            month_at += 1 + (self._word(month_at + 1) in ("of", "de", "di"))
        month = self._lexicon.months.get(self._word(month_at)) or self._foreign_month(month_at, bool(day))
        if not month:
            return None
        last = month_at
        after = _DAY.fullmatch(self._word(last + 1))
        if after and not day and self._word(last + 2) not in ("am", "pm", "o", "h"):
            day, last = after, last + 1
        year, last = self._year_after(last)
        plain = self._word(month_at) not in _ALSO_WORDS or self._tokens[month_at].text[0].isupper()
        if not (year or day or back or (plain and self._word(month_at - 1) in _BEFORE_MONTH)):
            return None
        named = year or self._latest_year(month)
        return _span(at, last, named, month, int(day[1]) if day else 0, yearless=not year)

    def _season(self, at: int) -> Period | None:
        """Read a season: "the spring of 2024", "last winter"."""
        near = self._word(at) in self._lexicon.last | self._lexicon.this
        season_at = at + near
        season = self._lexicon.seasons.get(self._word(season_at))
        year, last = self._year_after(season_at)
        near_after = not year and self._word(season_at + 1) in self._lexicon.last
        if season is None or not (year or near or near_after):
            return None
        begin, end = _SEASON_MONTHS[season]
        since, until = _months(year or self._latest_year(begin), begin, end)
        return Period(at, last + near_after, since, until, not year)

    def _years(self, at: int) -> Period | None:
        """Read a year, a decade or a part of a year: "2023", "the 1990s", "early 2024"."""
        if _DECADE.fullmatch(self._tokens[at].text):
            begin = int(self._tokens[at].text[:-1])
            begin += 1900 if begin < 100 else 0
            return Period(at, at, date(begin, 1, 1), date(begin + 9, 12, 31))
        for part, months in ((self._lexicon.early, (1, 4)), (self._lexicon.late, (9, 12))):
            if self._word(at) in part:
                year, last = self._year_after(at)
                return Period(at, last, *_months(year, *months)) if year else None
        return _span(at, at, int(self._word(at))) if _YEAR.fullmatch(self._word(at)) else None

    def _foreign_month(self, at: int, has_day: bool) -> int:
        """Return the number of a month in another language before a year; 0 for none.

        Examples are "14. März 2024" and "janvāris 2025"."""
        year, _ = self._year_after(at)
        word = self._word(at)
        if not year or len(word) < 3 or not word.isalpha() or word in _BEFORE_YEAR:
            return 0
        if self._tokens[at].text.isascii() and not has_day:
            return 0
        import dateparser

        settings = {"REQUIRE_PARTS": ["month"]}
        parsed = dateparser.parse(f"1 {self._tokens[at].text} {year}", settings=settings)
        return parsed.month if parsed else 0

    def _year_after(self, last: int) -> tuple[int, int]:
        """Return the year after a token and the year's position; 0 and `last` if there is none.

        A word such as "of" may stand before the year."""
        at = last + 1 + (self._word(last + 1) in _BEFORE_YEAR)
        return (int(self._word(at)), at) if _YEAR.fullmatch(self._word(at)) else (0, last)

    def _latest_year(self, month: int) -> int:
        """Return the year in which a month last began: this year, or last year for a later month."""
        return self._today.year - (month > self._today.month)

    # ---- dates relative to today

    def _ago(self, at: int) -> Period | None:
        """Read a distance from today: "yesterday", "two weeks ago", "il y a deux ans"."""
        if self._word(at) in _YESTERDAY:
            return Period(at, at, *_unit("day", -1, self._today))
        french = self._tokens.words[at : at + 3] == ("il", "y", "a")
        number = at + 3 * french
        unit, count = self._lexicon.units.get(self._word(number + 1)), self._count(number)
        if not unit or not count or not (french or self._word(at + 2) == "ago"):
            return None
        return Period(at, number + 2 - french, *_unit(unit, -count, self._today))

    def _beside_unit(self, at: int) -> Period | None:
        """Read a unit of time with "last" or "this", or a weekday with "last".

        Examples are "last year", "this month", "the last three months", "la semaine dernière" and "last
        Tuesday"."""
        units, lasts = self._lexicon.units, self._lexicon.last
        is_last = self._word(at) in lasts
        if not (is_last or self._word(at) in self._lexicon.this):
            behind = units.get(self._word(at)) if self._word(at + 1) in lasts else None
            return Period(at, at + 1, *_unit(behind, -1, self._today)) if behind else None
        weekday = self._lexicon.weekdays.get(self._word(at + 1))
        if is_last and weekday is not None:
            day = self._today - timedelta((self._today.weekday() - weekday - 1) % 7 + 1)
            return Period(at, at + 1, day, day)
        count = self._count(at + 1)
        last = at + 1 if count < 2 else at + 2 + (self._word(at + 2) in lasts)
        unit = units.get(self._word(last))
        if unit is None:
            return None
        if count > 1:
            return Period(at, last, _earlier(unit, count, self._today), self._today)
        return Period(at, last, *_unit(unit, -1 if is_last else 0, self._today))

    def _count(self, at: int) -> int:
        """Return the number at a position, at most 99 in digits; 0 if there is none."""
        word = self._word(at)
        return int(word) if word.isdecimal() and len(word) < 3 else self._lexicon.numbers.get(word, 0)


# ---------------------------------------------------------------- days


def _earlier(unit: str, count: int, today: date) -> date:
    """Return the day that is a number of units before today."""
    if unit in ("day", "week"):
        return today - timedelta(count * (7 if unit == "week" else 1))
    year, month = divmod(today.year * 12 + today.month - 1 - count * _UNIT_MONTHS[unit], 12)
    return date(year, month + 1, min(today.day, monthrange(year, month + 1)[1]))


def _unit(unit: str, step: int, today: date) -> tuple[date, date]:
    """Return the first and last day of the unit (day, week, month, ...) that is `step` units from today's."""
    if unit in ("day", "week"):
        size = 7 if unit == "week" else 1
        first = today + timedelta(size * step - (today.weekday() if unit == "week" else 0))
        return first, first + timedelta(size - 1)
    size = _UNIT_MONTHS[unit]
    months = (today.year * 12 + today.month - 1) // size * size + size * step
    return _months(months // 12, months % 12 + 1, months % 12 + size)


def _months(year: int, first: int, last: int) -> tuple[date, date]:
    """Return the first day of month `first` and the last day of month `last`.

    Values of `last` above 12 are months of a later year."""
    end_year, end_month = year + (last - 1) // 12, (last - 1) % 12 + 1
    return date(year, first, 1), date(end_year, end_month, monthrange(end_year, end_month)[1])


def _span(
    first: int, last: int, year: int, month: int = 0, day: int = 0, yearless: bool = False
) -> Period | None:
    """Return the period of a year, a month or a day; None if the calendar does not have it.

    A month or day of 0 means that the question does not mention it."""
    if not 1000 < year < 3000 or month > 12:
        return None
    since, until = _months(year, month or 1, month or 12)
    if month and day:
        if day > until.day:
            return None
        since = until = date(year, month, day)
    return Period(first, last, since, until, yearless)
