"""Dates in figures, in any language: 2024-03-14, 14/03/2024, 14.3.24, 03/2024, 2024年3月14日.

Read here and not by a library: one of them alone is arithmetic; whether its day or its month stands first is
told by all of them together and by the language, and `dates` asks the days of the recordings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import cache

from onrecord.retrieve.plan.stretches import (
    YEAR,
    Days,
    Period,
    Rule,
    containing,
    month_days,
    scan,
    short_year,
)

_MONTH_FIRST = frozenset({"en"})
"""Languages of which most writers put the month first, after CLDR's short formats."""
_OLDEST = 1950
"""A short year before this one is no year: "the 10/20/30 rule"."""
_BEGINS, _ENDS = r"(?<![a-z\d_.,:/$€£-])", r"(?![a-z\d_%/-]|[.,:]\d)"
"""Where a date begins and ends. Chinese words may stand close to it."""
_DAY_MONTH_YEAR = rf"{_BEGINS}(?P<a>\d\d?)(?P<by>[/.-])(?P<b>\d\d?)(?P=by)(?P<y>{YEAR}|(?<=[/.])\d\d){_ENDS}"
"""Patterns are compiled when a question has figures, which most have not."""


def figures(low: str, today: date, language: str) -> list[Period]:
    """The stretches of days that are named in figures, in their order."""
    if sum(map(str.isdecimal, low)) < 4:  # "3.5.24"
        return []
    found = scan(_rules(), low, today)
    return sorted([*found, *_days(low, today, language)], key=lambda period: period.begin)


def _year_first(found: re.Match[str], today: date) -> Days | None:
    year, month, day = int(found["y"]), found["m"], found["d"]
    if month is None:
        return month_days(year, 1, 12)
    return containing(date(year, int(month), int(day or 1)), "day" if day else "month")


@cache
def _rules() -> tuple[Rule, ...]:
    year, sign = rf"(?P<y>{YEAR})", r" ?{} ?".format
    eastern = rf"{sign('[月월]')}(?:(?P<d>\d\d?){sign('[日号號일]')})?"
    return (
        (re.compile(rf"{_BEGINS}{year}([-/])(?P<m>\d\d?)\2(?P<d>\d\d?){_ENDS}"), _year_first, False),
        (re.compile(rf"{_BEGINS}{year}\.(?P<m>\d\d)\.(?P<d>\d\d){_ENDS}"), _year_first, False),
        (re.compile(rf"{_BEGINS}{year}-(?P<m>\d\d)(?P<d>){_ENDS}"), _year_first, False),
        (re.compile(rf"{_BEGINS}(?P<m>\d\d?)/{year}(?P<d>){_ENDS}"), _year_first, True),
        (re.compile(rf"(?<!\d){year}{sign('[年년]')}(?:(?P<m>\d\d?){eastern})?"), _year_first, False),
    )


# ---------------------------------------------------------------- the day first, or the month


def _days(low: str, today: date, language: str) -> Iterator[Period]:
    found = list(re.finditer(_DAY_MONTH_YEAR, low))
    told = {order for match in found if (order := _order(match)) is not None}
    shared = told.pop() if len(told) == 1 else None
    for match in found:
        order = _order(match)
        order = shared if order is None else order
        day_first = language not in _MONTH_FIRST if order is None else order
        day, other = _read(match, day_first, today), _read(match, not day_first, today)
        if day and not _version(match, language):
            bare = len(match["y"]) == 2 and match["by"] == "."
            yield Period(
                day, day, *match.span(), bare, other=other if order is None and other != day else None
            )


def _order(match: re.Match[str]) -> bool | None:
    """Whether the day stands first; None where only the language can tell. Points stand behind days alone."""
    first, second = int(match["a"]), int(match["b"])
    if match["by"] == "." or first > 12:
        return True
    return False if second > 12 else None


def _version(match: re.Match[str], language: str) -> bool:
    """Whether "3.11.12" is rather the number of a version: where days are seldom written with points, only
    "03.11.12" is one."""
    short = match["by"] == "." and len(match["y"]) == 2
    return short and language in ("en", "fr") and len(match["a"] + match["b"]) < 4


def _read(match: re.Match[str], day_first: bool, today: date) -> date | None:
    first, second, year = int(match["a"]), int(match["b"]), match["y"]
    day, month = (first, second) if day_first else (second, first)
    full = int(year) if len(year) == 4 else short_year(year, today)
    try:
        return date(full, month, day) if full >= _OLDEST or len(year) == 4 else None
    except ValueError:  # no such day
        return None
