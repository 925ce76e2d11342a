"""Stretches of days named in a question: "March 2024", "last year", "il y a deux semaines".

Names of stretches, not of moments, are what questions hold, and all of them must be found within a
sentence in less than a millisecond; so they are read here by a small grammar. (dateparser reads moments:
"March 2024" is the first of it; takes "may" for a month; needs 0.2 s to load and some 5 ms a sentence.)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

from onrecord.retrieve.plan.calendar_words import (
    MONTHS,
    NUMBERS,
    ORDINALS,
    SEASONS,
    UNITS,
    WEEKDAYS,
    either,
    number,
)

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Period:
    """From `first` to `last` (both inclusive), named at `begin`..`end` of the text. `bare` where the name
    means a time only behind a word such as "in" ("2024", "May"); `dated` where it names its year."""

    first: date
    last: date
    begin: int
    end: int
    bare: bool = False
    dated: bool = True


Days = tuple[date, date]
Read = Callable[[re.Match[str], date], "Days | None"]

_MONTH, _NUMBER = either(MONTHS), rf"(?:\d{{1,3}}|{either(NUMBERS)})"
_UNIT, _SEASON, _WEEKDAY = either(UNITS), either(SEASONS), either(WEEKDAYS)
_ORDINAL = either(ORDINALS)
_YEAR = r"(?:19|20)\d\d"
_LAST = re.compile(r"\b(?:last|past|previous|derniere?|passee?)\b")


def month_days(year: int, month: int, months: int = 1) -> Days:
    """The first and the last day of so many months, from one on; month 13 is the next January."""
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    after = year + (month + months - 1) // 12, (month + months - 1) % 12 + 1
    return date(year, month, 1), date(*after, 1) - _DAY


def _iso(found: re.Match[str], today: date) -> Days | None:
    year, month, day = int(found["y"]), int(found["m"]), found["d"]
    if day is None:
        return month_days(year, month)
    return (date(year, month, int(day)),) * 2


def _day_of_month(found: re.Match[str], today: date) -> Days | None:
    month, day = MONTHS[found["m"]], int(found["d"])
    if found["y"]:
        return (date(int(found["y"]), month, day),) * 2
    this = date(today.year, month, day)
    return (this if this <= today else date(today.year - 1, month, day),) * 2


def _month_of_year(found: re.Match[str], today: date) -> Days | None:
    return month_days(int(found["y"]), MONTHS[found["m"]])


def _last_such_month(found: re.Match[str], today: date) -> Days | None:
    month = MONTHS[found["m"]]
    return month_days(today.year - (month > today.month), month)


def _last_month_named(found: re.Match[str], today: date) -> Days | None:
    """ "Last March", "mars dernier": the latest that is over."""
    if not _LAST.search(found[0]):
        return None
    month = MONTHS[found["m"]]
    return month_days(today.year - (month >= today.month), month)


def _season(found: re.Match[str], today: date) -> Days | None:
    month = SEASONS[found["s"]]
    if found["y"]:
        return month_days(int(found["y"]), month, 3)
    if not _LAST.search(found[0]):
        return None
    days = month_days(today.year, month, 3)
    return days if days[1] < today else month_days(today.year - 1, month, 3)


_PARTS = {"early": (1, 4), "mid": (5, 4), "late": (9, 4)}


def _part_of_year(found: re.Match[str], today: date) -> Days | None:
    early = found["p"].startswith(("early", "start", "begin", "debut"))
    name = "early" if early else "mid" if found["p"].startswith("mi") else "late"
    return month_days(int(found["y"]), *_PARTS[name])


def _quarter(found: re.Match[str], today: date) -> Days | None:
    if not re.match(r"(?:the |le )?[qt][1-4]\b", found[0]) and not re.search("quarter|trim", found[0]):
        return None
    which = ORDINALS[found["q"]]
    if found["y"]:
        return month_days(int(found["y"]), 3 * which - 2, 3)
    days = month_days(today.year, 3 * which - 2, 3)
    return days if days[0] <= today else month_days(today.year - 1, 3 * which - 2, 3)


def _half(found: re.Match[str], today: date) -> Days | None:
    if not re.match(r"(?:the |le )?h[12]\b", found[0]) and not re.search("half|semestre", found[0]):
        return None
    which = ORDINALS[found["q"]]
    return month_days(int(found["y"]), 6 * which - 5, 6) if which < 3 else None


def _year(found: re.Match[str], today: date) -> Days | None:
    return month_days(int(found["y"]), 1, 12)


def _around(today: date, unit: str, back: int) -> Days:
    """The calendar's day, week, month, quarter or year so many before this one."""
    if unit == "day":
        return (today - back * _DAY,) * 2
    if unit == "week":
        monday = today - (today.weekday() + 7 * back) * _DAY
        return monday, monday + 6 * _DAY
    months = {"month": 1, "quarter": 3, "year": 12}[unit]
    now = today.year * 12 + (today.month - 1) // months * months - back * months
    return month_days(now // 12, now % 12 + 1, months)


def _before_this(found: re.Match[str], today: date) -> Days | None:
    return _around(today, UNITS[found["u"]], 1)


def _this(found: re.Match[str], today: date) -> Days | None:
    return _around(today, UNITS[found["u"]], 0)


def _ago(found: re.Match[str], today: date) -> Days | None:
    return _around(today, UNITS[found["u"]], number(found["n"]))


def _past(found: re.Match[str], today: date) -> Days | None:
    """ "The last three months": from the same day three months ago until today."""
    if not re.search("last|past|previous|dern|pass", found[0]):
        return None
    return _back(today, UNITS[found["u"]], number(found["n"] or "few")), today


def _back(today: date, unit: str, count: int) -> date:
    if unit in ("day", "week"):
        return today - count * (7 if unit == "week" else 1) * _DAY
    month = today.year * 12 + today.month - 1 - count * {"month": 1, "quarter": 3, "year": 12}[unit]
    last = month_days(month // 12, month % 12 + 1)[1]
    return last.replace(day=min(today.day, last.day))


def _yesterday(found: re.Match[str], today: date) -> Days | None:
    return _around(today, "day", 2 if found[0] in ("the day before yesterday", "avant-hier") else 1)


def _weekday(found: re.Match[str], today: date) -> Days | None:
    if not re.search("last |on |dernier", found[0]):
        return None
    back = (today.weekday() - WEEKDAYS[found["w"]] - 1) % 7 + 1
    return _around(today, "day", back)


def _rule(pattern: str, read: Read, bare: bool = False) -> tuple[re.Pattern[str], Read, bool]:
    return re.compile(rf"(?<![\w.,$€£-]){pattern}(?![\w%]|[.,]\d)"), read, bare


_THE = r"(?:the |le |la |l')?"
_IN_YEAR = rf"(?:(?:,| of| de)? (?P<y>{_YEAR}))"


@cache
def _rules() -> tuple[tuple[re.Pattern[str], Read, bool], ...]:
    """Compiled when the first question names a time, which most do not."""
    return (
        _rule(rf"(?P<y>{_YEAR})-(?P<m>0[1-9]|1[0-2])(?:-(?P<d>[0-3]\d))?", _iso),
        _rule(
            rf"{_THE}(?:{_WEEKDAY},? )?(?P<d>[0-3]?\d)(?:st|nd|rd|th|er)?(?: of)? (?P<m>{_MONTH})\.?"
            rf"{_IN_YEAR}?",
            _day_of_month,
        ),
        _rule(
            rf"(?:{_WEEKDAY},? )?(?P<m>{_MONTH})\.? (?P<d>[0-3]?\d)(?:st|nd|rd|th)?{_IN_YEAR}?",
            _day_of_month,
        ),
        _rule(rf"(?P<m>{_MONTH})\.?{_IN_YEAR}", _month_of_year),
        _rule(rf"(?:last )?(?P<m>{_MONTH})(?: dernier)?", _last_month_named),
        _rule(rf"(?:last |{_THE})(?P<s>{_SEASON})(?: derniere?)?{_IN_YEAR}?", _season),
        _rule(
            rf"{_THE}(?P<p>early|late|mid|start of|beginning of|end of|middle of|debut|fin|mi|milieu)"
            rf"(?: in| de)?[ -](?P<y>{_YEAR})",
            _part_of_year,
        ),
        _rule(rf"{_THE}[qt]?(?P<q>{_ORDINAL})(?: quarter| trimestre)?{_IN_YEAR}?", _quarter),
        _rule(rf"{_THE}h?(?P<q>{_ORDINAL})(?: half| semestre)?{_IN_YEAR}", _half),
        _rule(rf"(?:the )?(?:last|past|previous) (?P<n>{_NUMBER}) (?P<u>{_UNIT})", _past),
        _rule(
            rf"(?:ces|les|des) (?P<n>{_NUMBER}) (?:derni\w+ )?(?P<u>{_UNIT})(?: derni\w+| pass\w+)?", _past
        ),
        _rule(rf"(?:ces|les|des)(?P<n>) derni\w+ (?P<u>{_UNIT})", _past),
        _rule(rf"(?:the )?(?:last|past|previous) (?P<u>{_UNIT})", _before_this),
        _rule(rf"(?:l'|le |la )(?P<u>{_UNIT}) (?:derniere?|passee?|precedente?)", _before_this),
        _rule(rf"(?:this|the current|cette|cet|ce) (?P<u>{_UNIT})(?:-ci)?", _this),
        _rule(rf"(?P<n>{_NUMBER}) (?P<u>{_UNIT}) (?:ago|earlier)", _ago),
        _rule(rf"il y a (?P<n>{_NUMBER}) (?P<u>{_UNIT})", _ago),
        _rule(r"(?:the day before yesterday|yesterday|avant-hier|hier)", _yesterday),
        _rule(rf"(?:last |on )?(?P<w>{_WEEKDAY})(?: dernier)?", _weekday),
        _rule(rf"(?P<m>{_MONTH})", _last_such_month, bare=True),
        _rule(rf"(?P<y>{_YEAR})", _year, bare=True),
    )


_NAMES = frozenset((*MONTHS, *SEASONS, *UNITS, *WEEKDAYS, "yesterday", "hier"))
"""One of these words, or a figure, is in the name of every stretch of days."""


def _names_a_time(low: str) -> bool:
    return any(map(str.isdigit, low)) or not _NAMES.isdisjoint(re.findall(r"[^\W\d_]+", low))


def periods(low: str, today: date) -> list[Period]:
    """The stretches of days that a text names, in its order; none within another. `low` is without
    capitals and accents. A day that does not exist (31 June) is not read."""
    found: list[Period] = []
    taken: list[tuple[int, int]] = []
    for pattern, read, bare in _rules() if _names_a_time(low) else ():
        for match in pattern.finditer(low):
            begin, end = match.span()
            if any(begin < last and first < end for first, last in taken):
                continue
            days = _tried(read, match, today)
            if days:
                taken.append((begin, end))
                found.append(Period(*days, begin, end, bare, "y" in match.groupdict() and bool(match["y"])))
    return sorted(found, key=lambda period: period.begin)


def _tried(read: Read, match: re.Match[str], today: date) -> Days | None:
    try:
        return read(match, today)
    except (ValueError, OverflowError):  # no such day
        return None
