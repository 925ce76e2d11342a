"""Stretches of days, and how the rules that read them from a text are tried."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, timedelta

DAY = timedelta(days=1)
YEAR = r"(?:19|20)\d\d"
Days = tuple[date, date]
"""The first day and the last one."""


@dataclass(frozen=True, slots=True)
class Period:
    """From `first` to `last` (both inclusive), named at `begin`..`end` of the text. `bare` where the name
    means a time only behind a word such as "in" ("2024", "May"); `dated` where it names its year, `yearless`
    where it could name one and does not ("3 May"); `other` is the day it would be with day and month
    exchanged, where nothing in it tells ("3/4/2024")."""

    first: date
    last: date
    begin: int
    end: int
    bare: bool = False
    dated: bool = True
    yearless: bool = False
    other: date | None = None


def month_days(year: int, month: int, months: int = 1) -> Days:
    """The first and the last day of so many months, from one on; month 13 is the next January."""
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    after = year + (month + months - 1) // 12, (month + months - 1) % 12 + 1
    return date(year, month, 1), date(*after, 1) - DAY


_MONTHS = {"month": 1, "quarter": 3, "year": 12}


def containing(day: date, unit: str) -> Days:
    """The calendar's day, week (from Monday), month, quarter or year with this day in it."""
    if unit == "day":
        return day, day
    if unit == "week":
        monday = day - day.weekday() * DAY
        return monday, monday + 6 * DAY
    months = _MONTHS[unit]
    return month_days(day.year, (day.month - 1) // months * months + 1, months)


def back(day: date, unit: str, count: int) -> date:
    """The same day so many units before; a shorter month has its last day for those that it lacks."""
    if unit in ("day", "week"):
        return day - count * (7 if unit == "week" else 1) * DAY
    month = day.year * 12 + day.month - 1 - count * _MONTHS[unit]
    last = month_days(month // 12, month % 12 + 1)[1]
    return last.replace(day=min(day.day, last.day))


def short_year(two_figures: str, today: date) -> int:
    """The year that "'23" means: the latest that is not after next year."""
    year = 2000 + int(two_figures)
    return year if year <= today.year + 1 else year - 100


Read = Callable[[re.Match[str], date], "Days | None"]
Rule = tuple[re.Pattern[str], Read, bool]
"""A pattern, what it means on a day (None: nothing), and whether it is `Period.bare`."""


def scan(rules: Iterable[Rule], low: str, today: date) -> list[Period]:
    """The stretches of days that rules find in a text, in its order; none within another, the first rules
    first. A day that does not exist (31 June) is not read."""
    found: list[Period] = []
    taken = bytearray(len(low))
    for pattern, read, bare in rules:
        for match in pattern.finditer(low):
            begin, end = match.span()
            if any(taken[begin:end]):
                continue
            days = _tried(read, match, today)
            if days:
                taken[begin:end] = b"\1" * (end - begin)
                groups = match.groupdict()
                dated = bool(groups.get("y"))
                found.append(Period(*days, begin, end, bare, dated, "m" in groups and not dated))
    return sorted(found, key=lambda period: period.begin)


def _tried(read: Read, match: re.Match[str], today: date) -> Days | None:
    try:
        return read(match, today)
    except (ValueError, OverflowError):  # no such day
        return None
