"""Dates and periods in a question, as the days that they name.

English and French are read from the lexicon; a month in another language is left to dateparser, which is
imported only for a word beside a year that nothing else explains.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from onrecord.understand.lexicon import Token, lexicon, word_of

_YEAR = re.compile(r"(?:19|20)\d\d")
_DECADE = re.compile(r"(?:19|20)?\d0s")
_QUARTER = re.compile(r"[qt]([1-4])")
_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th|er)?")
_FIGURES = re.compile(
    r"(?<![\w./-])(?:(?P<iso>\d{4}[-/]\d\d?(?:[-/]\d\d?)?)|(?P<dmy>\d\d?([/.])\d\d?\3(?:19|20)\d\d)|"
    r"(?P<my>\d\d?/(?:19|20)\d\d))(?![\w/-]|\.\d)"
)
_YESTERDAY = {"yesterday": 1, "hier": 1}
_BETWEEN = frozenset(map(word_of, ("between", "entre", "from", "de", "du")))
_LINKS = frozenset(("of", "de", "du", "d", "the", "le", "la", "l", "in", "en"))
_SEASON_MONTHS = {"spring": (3, 5), "summer": (6, 8), "autumn": (9, 11), "winter": (12, 14)}


@dataclass(frozen=True, slots=True)
class Period:
    """Days from `since` to `until`, either of which may be open, and the tokens that name them. `yearless`
    says that the year was not named."""

    first: int
    last: int
    since: date | None
    until: date | None
    yearless: bool = False
    quarter: tuple[int, int] | None = None


def periods(text: str, some: Sequence[Token], today: date) -> list[Period]:
    """The periods that a question names, from left to right; none within another."""
    found: list[Period] = []
    at = 0
    while at < len(some):
        period = _limited(text, some, at, today)
        if period:
            found.append(period)
            at = period.last
        at += 1
    return found


# ---------------------------------------------------------------- limits of periods


def _limited(text: str, some: Sequence[Token], at: int, today: date) -> Period | None:
    """The period that begins at a token, with the limit before it: "since March", "between 2020 and 2022"."""
    words = [token.word for token in some]
    if words[at] in _BETWEEN:
        both = _between(text, some, at, today)
        if both:
            return both
    limit = lexicon().limits.get(words[at])
    if limit is None:
        return _period(text, some, at, today)
    begin = (
        at
        + 1
        + sum(1 for word in words[at + 1 : at + 3] if word in ("the", "le", "la", "a", "in", "en", "au"))
    )
    if begin >= len(some):
        return None
    inner = _period(text, some, begin, today)
    return replace(_cut(inner, words[at]), first=at) if inner else None


def _cut(period: Period, limit: str) -> Period:
    """A period as the limit that it is behind a word such as "since" or "before"."""
    kind = lexicon().limits[limit]
    if kind == "after":
        day = period.until + timedelta(1) if period.until else period.since
        return replace(period, since=day, until=None)
    if kind == "before":
        day = period.since - timedelta(1) if period.since else period.until
        return replace(period, since=None, until=day)
    return replace(period, until=None) if kind == "since" else replace(period, since=None)


def _between(text: str, some: Sequence[Token], at: int, today: date) -> Period | None:
    """Two ends: "between March and May 2025", "from 3 to 9 April 2024"."""
    left = _period(text, some, at + 1, today)
    day = None if left else _DAY.fullmatch(some[at + 1].word) if at + 1 < len(some) else None
    gap = (left.last if left else at + 1) + 1
    if gap >= len(some) - 0 or (left is None and day is None):
        return None
    if some[gap].word not in ("and", "et", "to", "until", "till", "a", "au", "jusqu"):
        return None
    right = _period(text, some, gap + 1, today)
    if right is None or right.since is None or right.until is None:
        return None
    if left is None and day is not None:
        number = int(day[1])
        if not 0 < number <= monthrange(right.since.year, right.since.month)[1]:
            return None
        left = Period(at + 1, at + 1, right.since.replace(day=number), None)
    assert left is not None  # noqa: S101 - one of the two
    since = left.since
    if since and left.yearless and not right.yearless:
        since = since.replace(year=right.since.year, day=min(since.day, 28))
    if since and since > right.until:
        since = since.replace(year=since.year - 1, day=min(since.day, 28))
    return Period(at, right.last, since, right.until)


# ---------------------------------------------------------------- one period


def _period(text: str, some: Sequence[Token], at: int, today: date) -> Period | None:
    """The period whose name begins at a token."""
    if at >= len(some):
        return None
    for read in (_in_figures, _of_quarter, _of_month, _of_season, _relative, _of_years, _foreign):
        found = read(text, some, at, today)
        if found:
            return found
    return None


def _in_figures(text: str, some: Sequence[Token], at: int, today: date) -> Period | None:
    found = _FIGURES.match(text, some[at].begin)
    if not found:
        return None
    last = max(n for n, token in enumerate(some) if token.end <= found.end())
    numbers = [int(part) for part in re.split(r"[-/.]", found[0])]
    if found["dmy"]:
        day, month, year = numbers
        numbers = [year, month, day] if month <= 12 else [year, day, month]
    elif found["my"]:
        numbers.reverse()
    year, month, day = (*numbers, 0, 0)[:3]
    return _stretch(at, last, year, month, day)


def _of_quarter(text: str, some: Sequence[Token], at: int, today: date) -> Period | None:
    """ "Q1 2024", "the first quarter of 2024", "T2"."""
    lex, words = lexicon(), [token.word for token in some]
    number, last = None, at
    if found := _QUARTER.fullmatch(words[at]):
        number = int(found[1])
    elif words[at] in lex.numbers and at + 1 < len(words) and lex.units.get(words[at + 1]) == "quarter":
        number, last = lex.numbers[words[at]], at + 1
    if not number or number > 4:
        return None
    year, last = _year_behind(words, last)
    named = year or _latest_year(today, 3 * number - 2)
    end = monthrange(named, 3 * number)[1]
    since, until = date(named, 3 * number - 2, 1), date(named, 3 * number, end)
    return Period(at, last, since, until, not year, (number, year or 0))


def _of_month(text: str, some: Sequence[Token], at: int, today: date) -> Period | None:
    """ "14 March 2024", "March 14, 2024", "March 2024", "last March", "in May"."""
    lex, words = lexicon(), [token.word for token in some]
    first = at
    back = words[at] in lex.sets["last"]
    if back or words[at] in lex.sets["this"]:
        at += 1
    day = _DAY.fullmatch(words[at]) if at < len(words) else None
    if day:
        at += 1 + (at + 1 < len(words) and words[at + 1] in ("of", "de"))
    if at >= len(words) or words[at] not in lex.months:
        return None
    month, last = lex.months[words[at]], at
    if not day and last + 1 < len(words):
        behind = _DAY.fullmatch(words[last + 1])
        if behind and not _behind_is_hour(words, last + 1):
            day, last = behind, last + 1
    year, last = _year_behind(words, last)
    if not (year or day or back) and not _names_a_month(text, some, at):
        return None
    named = year or _latest_year(today, month)
    return _stretch(first, last, named, month, int(day[1]) if day else 0, yearless=not year)


def _behind_is_hour(words: Sequence[str], at: int) -> bool:
    return at + 1 < len(words) and words[at + 1] in ("am", "pm", "o", "h")


def _names_a_month(text: str, some: Sequence[Token], at: int) -> bool:
    """Whether a month without a year or a day is one: behind a preposition or a limit, and, where it is also
    an ordinary word, with a capital."""
    before = some[at - 1].word if at else ""
    led = before in (
        "in",
        "en",
        "since",
        "depuis",
        "until",
        "before",
        "after",
        "entre",
        "between",
        "from",
        "and",
        "et",
        "to",
        "of",
        "de",
        "the",
    )
    clear = some[at].text[0].isupper() or some[at].word not in ("may", "march", "mar", "sept", "dec", "mai")
    return (led and clear) or (
        before in ("en", "depuis", "fin", "debut", "entre", "et", "avant", "apre")
        and some[at].word in ("mai", "mar")
    )


def _of_season(text: str, some: Sequence[Token], at: int, today: date) -> Period | None:
    """ "the spring of 2024", "last winter"."""
    lex, words = lexicon(), [token.word for token in some]
    first, back = at, words[at] in lex.sets["last"] or words[at] in lex.sets["this"]
    at += back
    season = lex.seasons.get(words[at]) if at < len(words) else None
    if season is None:
        return None
    year, last = _year_behind(words, at)
    behind = at + 1 < len(words) and words[at + 1] in lex.sets["last"]
    if not (year or back or behind):
        return None
    begin, end = _SEASON_MONTHS[season]
    named = year or _latest_year(today, begin)
    since = date(named, begin, 1)
    until = date(named + end // 13, (end - 1) % 12 + 1, monthrange(named + end // 13, (end - 1) % 12 + 1)[1])
    return Period(first, last + behind * (not year), since, until, not year)


def _of_years(text: str, some: Sequence[Token], at: int, today: date) -> Period | None:
    """ "2023", "the 1990s", "early 2024"."""
    word = some[at].word
    if _DECADE.fullmatch(some[at].text):
        begin = int(some[at].text[:-1])
        begin += 1900 if begin < 100 else 0
        return Period(at, at, date(begin, 1, 1), date(begin + 9, 12, 31))
    part = next((name for name in ("early", "late") if word in lexicon().sets[name]), "")
    if part:
        year, last = _year_behind([token.word for token in some], at)
        months = (1, 4) if part == "early" else (9, 12)
        return (
            Period(at, last, date(year, months[0], 1), date(year, months[1], 30 + (part == "late")))
            if year
            else None
        )
    if _YEAR.fullmatch(word):
        return _stretch(at, at, int(word))
    return None


# ---------------------------------------------------------------- reckoned from today


def _relative(text: str, some: Sequence[Token], at: int, today: date) -> Period | None:
    """ "last year", "the last three months", "two weeks ago", "il y a deux ans", "la semaine dernière"."""
    words = [token.word for token in some]
    if words[at] in _YESTERDAY:
        day = today - timedelta(_YESTERDAY[words[at]])
        return Period(at, at, day, day)
    if words[at : at + 3] == ["il", "y", "a"] and at + 4 < len(words):
        return _ago(words, at, at + 3, at + 4, today)
    if at + 2 < len(words) and words[at + 2] == "ago":
        return _ago(words, at, at, at + 2, today)
    return _beside_unit(words, at, today) or _of_weekday(words, at, today)


def _ago(words: Sequence[str], first: int, number: int, last: int, today: date) -> Period | None:
    lex = lexicon()
    unit = lex.units.get(words[number + 1])
    count = lex.numbers.get(words[number]) or (int(words[number]) if words[number].isdigit() else 0)
    if not unit or not 0 < count < 500:
        return None
    since, until = _unit(unit, -count, today)
    return Period(first, last, since, until)


def _beside_unit(words: Sequence[str], at: int, today: date) -> Period | None:
    """A unit of time with "this" or "last" before or behind it."""
    lex = lexicon()
    step = -1 if words[at] in lex.sets["last"] else 0 if words[at] in lex.sets["this"] else None
    if step is None and words[at] in lex.units and at + 1 < len(words) and words[at + 1] in lex.sets["last"]:
        since, until = _unit(lex.units[words[at]], -1, today)
        return Period(at, at + 1, since, until)
    if step is None:
        return None
    inner = at + 1
    count = _count(words, inner)
    if count > 1:
        behind = inner + 1 + (inner + 1 < len(words) and words[inner + 1] in lex.sets["last"])
        unit = lex.units.get(words[behind]) if behind < len(words) else None
        return Period(at, behind, _back(unit, count, today), today) if unit else None
    unit = lex.units.get(words[inner]) if inner < len(words) else None
    if not unit:
        return None
    since, until = _unit(unit, step, today)
    return Period(at, inner, since, until)


def _back(unit: str, count: int, today: date) -> date:
    """The day so many units before today."""
    if unit in ("day", "week"):
        return today - timedelta(count * (7 if unit == "week" else 1))
    months = count * {"month": 1, "quarter": 3, "year": 12, "decade": 120}[unit]
    year, month = divmod(today.year * 12 + today.month - 1 - months, 12)
    return date(year, month + 1, min(today.day, monthrange(year, month + 1)[1]))


def _of_weekday(words: Sequence[str], at: int, today: date) -> Period | None:
    lex, last = lexicon(), at + 1
    if words[at] in lex.sets["last"] and last < len(words) and words[last] in lex.weekdays:
        back = (today.weekday() - lex.weekdays[words[last]] - 1) % 7 + 1
        day = today - timedelta(back)
        return Period(at, last, day, day)
    return None


def _count(words: Sequence[str], at: int) -> int:
    if at >= len(words):
        return 0
    number = lexicon().numbers.get(words[at], 0)
    return int(words[at]) if words[at].isdigit() and len(words[at]) < 3 else number


def _unit(unit: str, step: int, today: date) -> tuple[date, date]:
    """The day, week, month, quarter, year or decade that is `step` away from today's."""
    if unit == "day":
        day = today + timedelta(step)
        return day, day
    if unit == "week":
        monday = today - timedelta(today.weekday()) + timedelta(7 * step)
        return monday, monday + timedelta(6)
    if unit == "year":
        return date(today.year + step, 1, 1), date(today.year + step, 12, 31)
    if unit == "decade":
        begin = today.year // 10 * 10 + 10 * step
        return date(begin, 1, 1), date(begin + 9, 12, 31)
    size = 3 if unit == "quarter" else 1
    months = (today.year * 12 + today.month - 1) // size * size + size * step
    year, month = divmod(months, 12)
    end_year, end_month = divmod(months + size - 1, 12)
    return date(year, month + 1, 1), date(end_year, end_month + 1, monthrange(end_year, end_month + 1)[1])


# ---------------------------------------------------------------- other languages, and parts


def _foreign(text: str, some: Sequence[Token], at: int, today: date) -> Period | None:
    """A month in another language beside a year: "14. März 2024", "janvāris 2025"."""
    words = [token.word for token in some]
    day = _DAY.fullmatch(words[at])
    month = at + bool(day)
    month += month < len(words) and words[month] in ("de", "of", "di")
    behind = month + 1 + (month + 1 < len(words) and words[month + 1] in ("de", "del"))
    if behind >= len(words) or not _YEAR.fullmatch(words[behind]) or len(words[month]) < 3:
        return None
    if not words[month].isalpha() or some[month].word in _LINKS or (some[month].text.isascii() and not day):
        return None
    import dateparser

    parsed = dateparser.parse(f"1 {some[month].text} {words[behind]}", settings={"REQUIRE_PARTS": ["month"]})
    if parsed is None:
        return None
    return _stretch(at, behind, parsed.year, parsed.month, int(day[1]) if day else 0)


def _year_behind(words: Sequence[str], last: int) -> tuple[int, int]:
    """The year that follows, with "of" before it or not; 0 where none does."""
    for step in (1, 2):
        at = last + step
        if at < len(words) and _YEAR.fullmatch(words[at]) and (step == 1 or words[last + 1] in _LINKS):
            return int(words[at]), at
    return 0, last


def _latest_year(today: date, month: int) -> int:
    """The year of the last such month that has begun."""
    return today.year if month <= today.month else today.year - 1


def _stretch(
    first: int, last: int, year: int, month: int = 0, day: int = 0, yearless: bool = False
) -> Period | None:
    """A year, a month or a day, as far as it is named; None for one that the calendar does not have."""
    if not 1000 < year < 3000 or month > 12:
        return None
    if not month:
        return Period(first, last, date(year, 1, 1), date(year, 12, 31), yearless)
    end = monthrange(year, month)[1]
    if day > end:
        return None
    if day:
        return Period(first, last, date(year, month, day), date(year, month, day), yearless)
    return Period(first, last, date(year, month, 1), date(year, month, end), yearless)
