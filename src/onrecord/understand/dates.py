"""Reader of dates and periods in a question, in English and French.

Dates are a table of patterns over the words of a question, without accents. Their word classes come from the
lexicon.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache

from onrecord.stores.words import fold
from onrecord.understand.lexicon import Tokens, lexicon

_PATTERNS = (
    r"(?P<year>\d{4})[-/](?P<month>\d\d?)(?:[-/](?P<day>\d\d?))?",
    r"(?P<day>\d\d?)[./](?P<month>\d\d?)[./]YEAR",
    r"(?P<month>\d\d?)/YEAR",
    r"(?P<decade>(?:19|20)?\d0)s",
    r"[qt](?P<quarter>[1-4])(?:OF_YEAR)?",
    r"(?P<quarter>NUMBER) (?:quarter|trimestre)(?:OF_YEAR)?",
    r"(?P<quarter>NUMBER)(?= JOIN (?:ARTICLE )?NUMBER (?:quarter|trimestre)(?:OF_YEAR)?(?! ))",
    r"(?P<season>SEASON)(?:OF_YEAR| LAST)",
    r"(?:LAST|THIS) (?P<season>SEASON)",
    r"(?P<unit>yesterday|hier)",
    r"(?P<count>NUMBER|\d\d?) (?P<unit>UNIT)s? (?P<ago>ago)",
    r"(?P<ago>il y a) (?P<count>NUMBER|\d\d?) (?P<unit>UNIT)s?",
    r"LAST (?P<weekday>WEEKDAY)",
    r"LAST (?:(?P<count>NUMBER|\d\d?) )?(?:LAST )?(?P<unit>UNIT)s?",
    r"(?P<unit>UNIT)s? LAST",
    r"(?P<this>THIS) (?P<unit>UNIT)",
    r"(?:(?P<early>EARLY)|(?P<late>LATE))OF_YEAR",
    r"(?P<day>\d\d?)(?:st|nd|rd|th|er)?(?: of| de)? (?P<month>MONTH)s?(?:OF_YEAR)?",
    r"(?P<month>MONTH)s? (?P<day>\d\d?)(?:st|nd|rd|th)?(?! (?:am|pm|o|h)\b)(?:OF_YEAR)?",
    r"(?P<month>MONTH)s?OF_YEAR",
    r"LAST (?P<month>MONTH)s?",
    r"(?P<bare>(?P<month>MONTH))s?",
    r"YEAR",
)
"""What dates look like, the first match counts. Capitals are word classes of the lexicon, or `_PARTS`."""
_PARTS = {
    "OF_YEAR": r"(?: (?:of|de|du|del|d|the|la|le|l|in|en))? YEAR",
    "YEAR": r"(?P<year>(?:19|20)\d\d)",
}
_BETWEEN = frozenset(("between", "entre", "from", "de", "du"))
_ONWARD = frozenset(("on", "onward", "onwards"))
_JOINS_ENDS = frozenset("and et to until till a au jusqu".split())
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
    """Return the periods in a question, from left to right; relative ones count from `today`."""
    calendar = lexicon().calendar | {"yesterday", "hier"}
    if not re.search(r"\d", tokens.text) and not tokens.have(calendar):
        return []  # a shortcut, because most questions have no date
    reader, at = _Reader(tokens, today), 0
    periods: list[Period] = []
    while at < len(tokens):
        if period := reader.limited(at):
            periods.append(period)
            at = period.last
        at += 1
    return periods


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Return the patterns of dates with the words of the lexicon."""
    lex = lexicon()
    classes = {
        "NUMBER": [word for word, number in lex.numbers.items() if number], "JOIN": lex.joins,
        "ARTICLE": lex.articles, "SEASON": lex.seasons, "UNIT": lex.units, "WEEKDAY": lex.weekdays,
        "LAST": [f"{word}s?" for word in lex.last], "THIS": lex.this, "MONTH": lex.months,
        "EARLY": lex.early, "LATE": lex.late,
    }  # fmt: skip
    parts = {name: f"(?:{'|'.join(some)})" for name, some in classes.items()} | _PARTS
    patterns = []
    for pattern in _PATTERNS:
        for name in ("OF_YEAR", *parts):
            pattern = pattern.replace(name, parts[name])
        patterns.append(re.compile(rf"(?:{pattern})(?!\S)"))
    return tuple(patterns)


class _Reader:
    """A reader of the periods in one question."""

    def __init__(self, tokens: Tokens, today: date) -> None:
        self._tokens, self._today = tokens, today
        self._text = ""
        """The folded words; figures keep the hyphen or slash between them."""
        self._begins: list[int] = []
        for at, token in enumerate(tokens):
            figures = tokens.between(at - 1, at) if at and token.text.isdecimal() else ""
            beside = figures in ("-", "/") and len(tokens[at - 1].text + token.text) < 8
            self._text += figures if beside else " "
            self._begins.append(len(self._text))
            self._text += fold(token.text)

    def _word(self, at: int) -> str:
        """Return the word at a position, or "" outside the text."""
        return self._tokens.words[at] if 0 <= at < len(self._tokens) else ""

    def limited(self, at: int) -> Period | None:
        """Read a period with the limit before it: "since March", "between 2020 and 2022"."""
        if self._word(at) in _BETWEEN and (both := self._between(at)):
            return both
        limit = lexicon().limits.get(self._word(at))
        if limit is None:
            return self._period(at)
        inner = self._period(at + 1 + sum(self._word(n) in _ARTICLES for n in (at + 1, at + 2)))
        if inner and self._word(at) == "from" and self._word(inner.last + 1) not in _ONWARD:
            return replace(inner, first=at)  # "calls from March" took place in March
        return replace(inner.limited(limit), first=at) if inner else None

    def _between(self, at: int) -> Period | None:
        """Read a period with two ends: "between March and May 2025", "from 3 to 9 April 2024"."""
        start = self._period(at + 1)
        join = start.last + 1 if start else at + 2
        end = self._period(join + 1) if self._word(join) in _JOINS_ENDS else None
        if end is None or end.since is None or end.until is None:
            return None
        if start:
            since = start.since
            if since and start.yearless and not end.yearless:
                since = since.replace(year=end.since.year, day=min(since.day, 28))
        else:
            day = int(self._word(at + 1)) if self._word(at + 1).isdecimal() else 0
            if not 0 < day <= end.until.day:
                return None
            since = end.since.replace(day=day)
        if since and since > end.until:
            since = since.replace(year=since.year - 1, day=min(since.day, 28))
        return Period(at, end.last, since, end.until)

    def _period(self, at: int) -> Period | None:
        """Read the period that starts at a token, without a limit before it."""
        if at >= len(self._begins) or self._text[self._begins[at] - 1] != " ":
            return None
        for pattern in _patterns():
            match = pattern.match(self._text, self._begins[at])
            said = {name: text for name, text in match.groupdict().items() if text} if match else {}
            if match and not ("bare" in said and not self._is_month(at)):
                last = max(n for n, begin in enumerate(self._begins) if begin < match.end())
                days = _relative(said, self._today) or _absolute(said, self._today)
                quarter = (_number(said["quarter"]), int(said.get("year", 0))) if "quarter" in said else None
                yearless = bool({"month", "season", "quarter"} & said.keys()) and "year" not in said
                return Period(at, last, *days, yearless, quarter) if days else None
        return None

    def _is_month(self, at: int) -> bool:
        """Check whether the name of a month without day or year means the month: "in May"."""
        capital = self._tokens[at].text[0].isupper()
        return self._word(at - 1) in _BEFORE_MONTH and (capital or self._word(at) not in _ALSO_WORDS)


# ---------------------------------------------------------------- days

Days = tuple[date, date]
"""The first and the last day of a period."""


def _relative(said: Mapping[str, str], today: date) -> Days | None:
    """Return the days of a date that counts from today, by the parts of its pattern."""
    lex = lexicon()
    if "weekday" in said:
        day = today - timedelta((today.weekday() - lex.weekdays[said["weekday"]] - 1) % 7 + 1)
        return day, day
    if "unit" not in said:
        return None
    unit, count = lex.units.get(said["unit"], "day"), _number(said.get("count", "1"))
    if "this" in said or "ago" in said or count == 1:
        return _unit(unit, 0 if "this" in said else -count, today)
    if unit in ("day", "week"):
        return today - timedelta(count * (7 if unit == "week" else 1)), today
    year, month = divmod(today.year * 12 + today.month - 1 - count * _UNIT_MONTHS[unit], 12)
    return date(year, month + 1, min(today.day, monthrange(year, month + 1)[1])), today


def _absolute(said: Mapping[str, str], today: date) -> Days | None:
    """Return the days of a calendar date, by the parts of its pattern; None if the calendar lacks it.

    Without a year, it is the last one that has begun."""
    lex, year, day = lexicon(), int(said.get("year", 0)), int(said.get("day", 0))
    if "decade" in said:
        year = int(said["decade"]) + (1900 if len(said["decade"]) < 4 else 0)
        return date(year, 1, 1), date(year + 9, 12, 31)
    first, last = 1, 12
    if "quarter" in said:
        last = 3 * _number(said["quarter"])
        first = last - 2
    elif "season" in said:
        first, last = _SEASON_MONTHS[lex.seasons[said["season"]]]
    elif "early" in said or "late" in said:
        first, last = (1, 4) if "early" in said else (9, 12)
    elif month := said.get("month"):
        first = last = int(month) if month.isdecimal() else lex.months[month]
        if first > 12 >= day > 0:
            first, last, day = day, day, first
    year = year or today.year - (first > today.month)
    if not (1000 < year < 3000 and 0 < first < 13):
        return None
    since, until = _months(year, first, last)
    if day > until.day:
        return None
    return (date(year, first, day),) * 2 if day else (since, until)


def _number(word: str) -> int:
    """Return a number from its digits or its word."""
    return int(word) if word.isdecimal() else lexicon().numbers[word]


def _unit(unit: str, step: int, today: date) -> Days:
    """Return the first and last day of the unit (day, week, month, ...) that is `step` units from today's."""
    if unit in ("day", "week"):
        size = 7 if unit == "week" else 1
        first = today + timedelta(size * step - (today.weekday() if unit == "week" else 0))
        return first, first + timedelta(size - 1)
    size = _UNIT_MONTHS[unit]
    months = (today.year * 12 + today.month - 1) // size * size + size * step
    return _months(months // 12, months % 12 + 1, months % 12 + size)


def _months(year: int, first: int, last: int) -> Days:
    """Return the first day of month `first` and the last day of month `last`, which may be above 12."""
    end_year, end_month = year + (last - 1) // 12, (last - 1) % 12 + 1
    return date(year, first, 1), date(end_year, end_month, monthrange(end_year, end_month)[1])
