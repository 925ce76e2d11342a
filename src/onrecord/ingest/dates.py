"""Parser for dates in details, manifests and feeds, with ISO 8601 results: a day, a month or a year."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date

from onrecord.types import without_accents
from onrecord.types.calendar import MONTHS

EXPECTED = "a date such as 2024-03-05, 2024-03, 2024 or 5 March 2024"

# A time of day and its zone may follow a date; they are dropped.
_TIME = r"(?:(?:[ ,]+(?:at |a )?|t)\d{1,2}[:h]?\d{2}.*)?"
_WEEKDAY = r"(?:(?:mon|tue|wed|thu|fri|sat|sun|lun|mar|mer|jeu|ven|sam|dim)[a-z]*\.?,? )?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er)?"
_NAME = r"(?P<name>[a-z]{3,})\.?"
_YEAR = r"(?P<year>\d{4})"

_YEAR_FIRST = re.compile(rf"{_YEAR}(?:(?P<sep>[-/.])(?P<month>\d{{1,2}})(?:(?P=sep){_DAY}{_TIME})?)?")
_COMPACT = re.compile(rf"{_YEAR}(?P<month>\d\d)(?P<day>\d\d){_TIME}")
_WEEK = re.compile(r"\d{4}-?w\d\d-?\d")
_DAY_FIRST = re.compile(rf"(?P<a>\d{{1,2}})(?P<sep>[-/.])(?P<b>\d{{1,2}})(?P=sep){_YEAR}{_TIME}")
MAX_LENGTH = 100
"""The most characters of a date, including its day of the week and its time zone."""
_IN_WORDS = (
    re.compile(rf"{_WEEKDAY}{_DAY}[ -](?:of |de )?{_NAME},?[ -]{_YEAR}{_TIME}"),
    re.compile(rf"{_WEEKDAY}{_NAME} {_DAY},? {_YEAR}{_TIME}"),
    re.compile(rf"{_NAME},? {_YEAR}"),
)


def iso_date(text: str) -> str:
    """Return a date in ISO form: "2024-03-05", "2024-03" or "2024".

    Reads ISO 8601 of any precision, RFC 2822 ("Tue, 05 Mar 2024 08:00:00 GMT"), "2024/03/05", and days and
    months in English or French words. Drops the time of day and keeps the written day, whatever the time
    zone.

    Raises ValueError for anything else, a day that does not exist, a year of two digits, and an ambiguous
    date ("03/04/2024"). Its message says what to write instead.
    """
    if len(text) > MAX_LENGTH:
        raise ValueError(EXPECTED)
    plain = without_accents(" ".join(text.split()))
    if match := _YEAR_FIRST.fullmatch(plain) or _COMPACT.fullmatch(plain):
        return _as_iso(match["year"], match["month"], match["day"])
    if match := _DAY_FIRST.fullmatch(plain):
        return _either_order(match)
    for form in _IN_WORDS:
        if match := form.fullmatch(plain):
            return _as_iso(match["year"], _month(match["name"]), match.groupdict().get("day"))
    if _WEEK.fullmatch(plain):
        with suppress(ValueError):
            return date.fromisoformat(plain.upper()).isoformat()
    raise ValueError(EXPECTED)


def _either_order(match: re.Match[str]) -> str:
    """Read a date of digits: 25/03/2024 is in March, 05/03/2024 is ambiguous."""
    readings = []
    for day, month in ((match["a"], match["b"]), (match["b"], match["a"])):
        try:
            readings.append(_as_iso(match["year"], month, day))
        except ValueError:
            continue
    if not readings:
        raise ValueError(EXPECTED)
    if len(set(readings)) > 1:
        raise ValueError(f"a date with only one reading: write {readings[0]} or {readings[1]}")
    return readings[0]


def _month(name: str) -> str:
    """Return the number of the only month whose name begins with a text: "sept", "juil"."""
    months = [i for i, names in enumerate(MONTHS, 1) if any(n.startswith(name) for n in names)]
    if len(months) != 1:
        raise ValueError(EXPECTED)
    return str(months[0])


def _as_iso(year: str, month: str | None, day: str | None) -> str:
    try:
        full = date(int(year), int(month or 1), int(day or 1)).isoformat()
    except ValueError:
        raise ValueError(
            f"a day that exists, written as {EXPECTED.removeprefix('a date such as ')}"
        ) from None
    return full if day else full[:7] if month else full[:4]
