"""Dates read from a question: periods with what stands before them ("since March 2024"), and elections."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from onrecord.retrieve.plan.asked import Asked, Reading, Span
from onrecord.retrieve.plan.calendar_words import UNITS, number
from onrecord.retrieve.plan.figures import figures
from onrecord.retrieve.plan.kinds import KINDS
from onrecord.retrieve.plan.periods import COUNTED, periods
from onrecord.retrieve.plan.relations import RELATION, Relations, relations
from onrecord.retrieve.plan.stretches import DAY, Period, back, containing
from onrecord.types import Filter

_SPOKEN = 40
"""In a question of more words "this year" tells its story; only dates with a year are read."""
_RECORDINGS = re.compile(rf" {KINDS}\b")
_COUNTED = rf"\b{COUNTED} $"
_ERA = 3600 * DAY
"""Some ten years and more are rather what is spoken of than when, unless something was recorded then."""


@dataclass(frozen=True, slots=True)
class Dates:
    """The days that a question is limited to (None: not on that side), the characters that say so, the event
    that was reckoned from, with its day, and days in figures that could be another, with what was taken and
    what was not."""

    since: date | None = None
    until: date | None = None
    spans: tuple[Span, ...] = ()
    event: tuple[str, date] | None = None
    unsure: tuple[tuple[str, date, date], ...] = ()

    def readings(self, asked: Asked) -> Iterator[Reading]:
        """The filters `since` and `until`."""
        said = " ... ".join(asked.said(span) for span in sorted(self.spans))
        for name, day in (("since", self.since), ("until", self.until)):
            if day is not None:
                found = Filter(name, day.isoformat(), said)
                yield Reading(found, self.spans[0], also=self.spans[1:])


def dates(asked: Asked, today: date, language: str = "en", recorded: Iterable[str] = ()) -> Dates:
    """What a question says of days: "since 2023", "between March and May", "after the election".

    Args:
        language: ISO 639-1 code of the one that the question is in.
        recorded: the dates of the recordings: "3/4/2024" is one of them rather than a day on which nothing
            was recorded, "in May" is before the last of them. Gone through only where such a day is named.
    """
    elections = [found for found in _ELECTION.finditer(asked.low) if _since_which(asked, found)]
    asked = asked.without(found.span() for found in elections)
    named = _named(asked, today, language)
    if len(asked.text.split()) > _SPOKEN:
        named = [period for period in named if period.dated]
    if not named and not elections:
        return Dates()
    words = relations(language)
    days = list(recorded) if any(p.other or p.yearless or _is_era(p) for p in named) else []
    named = _in_one_year(asked.low, _as_recorded(named, days), words)
    limits = list(_limits(asked, _as_of_archive(asked.low, named, days, today), words))
    event = _election(asked, elections, limits, today)
    if event:
        limits.append(event[:3])
    if not limits:
        return Dates()
    since = _latest([first for first, _, _ in limits])
    until = _earliest([last for _, last, _ in limits])
    if since and until and since > until and all(first and last for first, last, _ in limits):
        # "in March and in May": from one to the other
        since, until = _earliest([first for first, _, _ in limits]), _latest([last for _, last, _ in limits])
    spans = tuple(span for *_, span in limits)
    return Dates(since, until, spans, event[3:] if event else None, tuple(_unsure(asked, named, spans)))


def _named(asked: Asked, today: date, language: str) -> list[Period]:
    """The stretches of days in a question, in its order: first those in figures, which every language has."""
    first = figures(asked.low, today, language)
    left = asked.without((period.begin, period.end) for period in first)
    if language in ("en", "fr"):
        words = periods(left.low, today)
    else:
        from onrecord.retrieve.plan.foreign import periods as foreign_periods  # of use to few questions

        words = foreign_periods(left, today, language)
    return sorted([*first, *words], key=lambda period: period.begin)


def _as_recorded(named: Sequence[Period], recorded: Iterable[str]) -> list[Period]:
    """Days in figures that could be another as the other one where only that one was recorded; and no era of
    which nothing was recorded."""
    days = frozenset(recorded)
    years = {day[:4] for day in days}
    return [
        _exchanged(period, days)
        for period in named
        if not _is_era(period) or any(str(period.first.year) <= y <= str(period.last.year) for y in years)
    ]


def _is_era(period: Period) -> bool:
    return period.last - period.first > _ERA


def _exchanged(period: Period, days: frozenset[str]) -> Period:
    other = period.other
    if other is None or other.isoformat() not in days or period.first.isoformat() in days:
        return period
    return replace(period, first=other, last=other, other=period.first)


def _in_one_year(low: str, found: Sequence[Period], words: Relations) -> list[Period]:
    """Those that name no year with that of the next one: "between March and May 2025"."""
    last: list[Period] = []
    for period in reversed(found):
        if last and period.yearless and last[0].dated:
            between = low[period.end : last[0].begin]
            if words.joining.fullmatch(between) or words.and_.fullmatch(between):
                period = _in_year_before(period, last[0].first)
        last.insert(0, period)
    return last


def _in_year_before(period: Period, then: date) -> Period:
    """The latest such month or day that is not in a month after another day."""
    year = then.year - (period.first.month > then.month)
    try:
        first = period.first.replace(year=year)
    except ValueError:  # 29 February
        return period
    last = first if period.first == period.last else containing(first, "month")[1]
    return replace(period, first=first, last=last, dated=True, yearless=False)


_LAST = re.compile(r"\b(?:last|dernier)\b")


def _as_of_archive(low: str, named: Sequence[Period], recorded: Sequence[str], today: date) -> list[Period]:
    """Months and days without a year as the latest before the last recording, where that is over a year ago:
    in an archive that ends in 2020, "in May" is not in this year."""
    last = max(recorded, default="")
    if not last or last >= back(today, "year", 1).isoformat():
        return list(named)
    year, month = (*map(int, last.split("-")), 12)[:2]
    return [
        _in_year_before(period, date(year, month, 1))
        if period.yearless and not _LAST.search(low[period.begin : period.end])
        else period
        for period in named
    ]


def _unsure(asked: Asked, named: Sequence[Period], spans: Sequence[Span]) -> Iterator[tuple[str, date, date]]:
    for period in named:
        if period.other and any(begin <= period.begin and period.end <= end for begin, end in spans):
            yield asked.said((period.begin, period.end)), period.first, period.other


Limit = tuple[date | None, date | None, Span]
_NEAR = 60
"""Characters before a date in which "since" and "from 3 to" are looked for."""


def _limits(asked: Asked, found: Sequence[Period], words: Relations) -> Iterator[Limit]:
    at, end = 0, -1
    while at < len(found):
        period, then = found[at], found[at + 1] if at + 1 < len(found) else None
        at += 1
        limit = _range(asked.low, period, then, words) if then else None
        at += limit is not None
        if limit is None and end >= 0 and words.and_.fullmatch(asked.low[end : period.begin]):
            limit = period.first, period.last, (end, period.end)  # "in 2023 and 2024"
        limit = limit or _from_day(asked.low, period, words) or _limit(asked.low, period, words)
        if limit:
            end = limit[2][1]
            yield limit


def _range(low: str, period: Period, then: Period, words: Relations) -> Limit | None:
    """ "Between March and May 2025"."""
    opened = words.opening.search(low, max(0, period.begin - _NEAR), period.begin)
    if not opened or not words.joining.fullmatch(low[period.end : then.begin]):
        return None
    first = period.first
    return (first, then.last, (opened.start(), then.end)) if first <= then.last else None


_DAY_OF_MONTH = re.compile(r"\b([0-3]?\d)(?:st|nd|rd|th|er|[.º])?(?=[ -])")


def _from_day(low: str, period: Period, words: Relations) -> Limit | None:
    """ "From 3 to 9 April 2024"."""
    if period.first != period.last:
        return None
    before = low[max(0, period.begin - _NEAR) : period.begin]
    for day in _DAY_OF_MONTH.finditer(before):
        opened = words.opening.search(before[: day.start()])
        if opened and words.joining.fullmatch(before[day.end() :]) and 0 < int(day[1]) < period.first.day:
            begin = period.begin - len(before) + opened.start()
            return period.first.replace(day=int(day[1])), period.last, (begin, period.end)
    return None


def _limit(low: str, period: Period, words: Relations) -> Limit | None:
    near = max(0, period.begin - _NEAR), period.begin
    if words.for_.search(low, *near):
        return None
    behind = words.behind.match(low, period.end)
    if behind:
        return *around(behind.lastgroup or "", period.first, period.last), (period.begin, behind.end())
    named = period.bare and period.first != period.last
    for name, pattern in words.before.items():
        found = pattern.search(low, *near)
        if found and not (named and words.not_bare.search(low, *near)):
            if found[0].startswith("from") and re.match(r" on(?:wards?)?\b", low[period.end :]):
                name = "since"
            if found["part"]:  # "before the end of May" leaves May in
                name = {"before": "until", "after": "since"}.get(name, name)
            begin, first, last = shifted(low, found.start(), name, period.first, period.last)
            return first, last, (begin, period.end)
    if not period.bare or (period.dated and _RECORDINGS.match(low[period.end :])):
        return period.first, period.last, (period.begin, period.end)
    return None


def shifted(
    low: str, begin: int, relation: str, first: date, last: date
) -> tuple[int, date | None, date | None]:
    """Where a relation at `begin` of the text does begin, with its days. "Three days before" a day are those
    three: also where the first of them is meant, it is one of them."""
    counted = re.search(_COUNTED, low[:begin]) if relation in ("before", "after") else None
    if counted is None:
        return begin, *around(relation, first, last)
    count, unit = number(counted["n"] or "one"), UNITS[counted["u"] or counted["one"]]
    if relation == "before":
        return counted.start(), back(first, unit, count), first - DAY
    return counted.start(), last + DAY, back(last, unit, -count)


def around(relation: str, first: date, last: date) -> tuple[date | None, date | None]:
    """The days since, after, before or until a stretch of days; those within it for another relation."""
    return {
        "since": (first, None),
        "after": (last + DAY, None),
        "before": (None, first - DAY),
        "until": (None, last),
    }.get(relation, (first, last))


def _latest(days: Sequence[date | None]) -> date | None:
    return max((day for day in days if day), default=None)


def _earliest(days: Sequence[date | None]) -> date | None:
    return min((day for day in days if day), default=None)


# ---------------------------------------------------------------- elections

_ELECTION = re.compile(
    r"(?:"
    r"(?P<us>elections? (?:presidentielles? )?americaines?|"
    r"(?P<english>(?:(?P<before>20\d\d) )?(?:us |u\.s\. |american )?(?:presidential )?election)"
    r"(?:(?: of| in)? (?P<year>20\d\d))?"
    r"(?! \w*\b(?:episode|special|show|talk|call|debate|night)))|"
    r"(?P<fr>(?:election )?presidentielle(?: francaise)?)|"
    r"(?P<uk>(?:uk |british )?general election)"
    r")\b"
)
_FRENCH = (date(2012, 5, 6), date(2017, 5, 7), date(2022, 4, 24))
_BRITISH = (date(2015, 5, 7), date(2017, 6, 8), date(2019, 12, 12), date(2024, 7, 4))


def _american(today: date) -> tuple[date, ...]:
    """Presidential elections: the Tuesday after the first Monday of November of every fourth year."""
    years = range(1960, today.year + 1, 4)
    return tuple(date(year, 11, 2 + (-date(year, 11, 2).weekday() + 1) % 7) for year in years)


def _since_which(asked: Asked, found: re.Match[str]) -> re.Match[str] | None:
    """What stands before an election: "since", "before", ...; None for one that is only spoken of, and for
    "l'élection", which does not say whose."""
    relation = RELATION.search(asked.low, max(0, found.start() - 40), found.start())
    return None if relation and found["english"] and relation[0].endswith("'") else relation


def _election(
    asked: Asked, elections: Sequence[re.Match[str]], limits: Sequence[Limit], today: date
) -> tuple[date | None, date | None, Span, str, date] | None:
    """ "Before the election": the last one before today, or the one within the days also named. English
    "the election" is the American one; the plan says which day it took."""
    for found in elections:
        relation = _since_which(asked, found)
        days = _american(today) if found["us"] else _FRENCH if found["fr"] else _BRITISH
        year = found["year"] or found["before"]
        past = [day for day in days if day <= today and (not year or day.year == int(year))]
        within = [day for day in past if any(a and b and a <= day <= b for a, b, _ in limits)]
        if past and relation:
            day = (within or past)[-1]
            begin, first, last = shifted(asked.low, relation.start(), relation.lastgroup or "", day, day)
            return first, last, (begin, found.end()), asked.said(found.span()), day
    return None
