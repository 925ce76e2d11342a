"""Dates read from a question: periods with what stands before them ("since March 2024"), and elections."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from onrecord.retrieve.plan.asked import Asked, Reading, Span
from onrecord.retrieve.plan.periods import Period, periods
from onrecord.types import Filter

_DAY = timedelta(days=1)
_SPOKEN = 40
"""In a question of more words "this year" tells its story; only dates with a year are read."""
_THE = r"(?:(?:the|le|la|les)\s+|l')?"
_RELATIONS = {
    "since": r"(?:ever since|since|starting(?: in| on| from)?|depuis|a partir d[eu]|a compter d[eu])",
    "after": r"(?:after|following|apres)",
    "before": r"(?:before|prior to|avant)",
    "until": r"(?:until|till|up to|up until|through|jusqu'(?:en|a|au|aux)?)",
    "in": r"(?:^and|^et|what about|how about|only|just|in|on|of|from|during|over|within|throughout|"
    r"en|au|a|le|du|de|d'|pendant|durant|courant)",
}
_BEFORE = {
    name: re.compile(rf"\b{words}(?:(?<=')|\s+){_THE}(?:late |early )?$")
    for name, words in _RELATIONS.items()
}
RELATION = re.compile(
    rf"\b(?:(?P<since>{_RELATIONS['since']})|(?P<after>{_RELATIONS['after']})|"
    rf"(?P<before>{_RELATIONS['before']})|(?P<until>{_RELATIONS['until']}))(?:(?<=')|\s+){_THE}$"
)
"""What may stand before the name of a recording or an event and makes a date of it."""
_RECORDINGS = re.compile(
    r" (?:episode|recording|talk|meeting|call|interview|session|keynote|lecture|reunion|seance|emission)s?\b"
)
_AND = re.compile(r"(?:,| and| et| or| ou)+ ")
_ARTICLE = re.compile(r"\b(?:the|a|le|la|les) $|\bl'$")
_RANGE = re.compile(r"(?:\b(?:between|from|entre|de|d'|du)\s*)$")
_RANGE_JOIN = re.compile(r"\s*(?:and|et|to|until|till|through|-|a|au|jusqu'(?:en|a|au))\s*(?:le |the )?")


@dataclass(frozen=True, slots=True)
class Dates:
    """The days that a question is limited to (None: not on that side), the characters that say so, and
    the event that was reckoned from, with its day."""

    since: date | None = None
    until: date | None = None
    spans: tuple[Span, ...] = ()
    event: tuple[str, date] | None = None

    def readings(self, asked: Asked) -> Iterator[Reading]:
        """The filters `since` and `until`."""
        said = " ... ".join(asked.said(span) for span in sorted(self.spans))
        for name, day in (("since", self.since), ("until", self.until)):
            if day is not None:
                found = Filter(name, day.isoformat(), said)
                yield Reading(found, self.spans[0], also=self.spans[1:])


def dates(asked: Asked, today: date) -> Dates:
    """What a question says of days: "since 2023", "between March and May", "after the election"."""
    elections = [found for found in _ELECTION.finditer(asked.low) if _since_which(asked, found)]
    asked = asked.without(found.span() for found in elections)
    named = periods(asked.low, today)
    if len(asked.text.split()) > _SPOKEN:
        named = [period for period in named if period.dated]
    limits = list(_limits(asked, named))
    event = _election(asked, elections, limits, today)
    if event:
        limits.append(event[:3])
    if not limits:
        return Dates()
    since = _latest([first for first, _, _ in limits])
    until = _earliest([last for _, last, _ in limits])
    both = [limit for limit in limits if limit[0] and limit[1]]
    if (
        since and until and since > until and len(both) == len(limits)
    ):  # "in March and in May": from one to the other
        since, until = min(day for day, _, _ in both if day), max(day for _, day, _ in both if day)
    return Dates(since, until, tuple(span for *_, span in limits), event[3:] if event else None)


Limit = tuple[date | None, date | None, Span]


def _limits(asked: Asked, found: Sequence[Period]) -> Iterator[Limit]:
    at, end = 0, -1
    while at < len(found):
        period, then = found[at], found[at + 1] if at + 1 < len(found) else None
        at += 1
        limit = _range(asked.low, period, then) if then else None
        at += limit is not None
        if limit is None and end >= 0 and _AND.fullmatch(asked.low[end : period.begin]):
            limit = period.first, period.last, (end, period.end)  # "in 2023 and 2024"
        limit = limit or _limit(asked.low, period)
        if limit:
            end = limit[2][1]
            yield limit


def _range(low: str, period: Period, then: Period) -> Limit | None:
    """ "Between March and May 2025": the first takes its year from the second."""
    opened = _RANGE.search(low[: period.begin])
    if not opened or not _RANGE_JOIN.fullmatch(low[period.end : then.begin]):
        return None
    first = period.first
    if period.bare and not period.dated and then.dated:
        first = first.replace(year=then.first.year - (first.month > then.first.month))
    return (first, then.last, (opened.start(), then.end)) if first <= then.last else None


def _limit(low: str, period: Period) -> Limit | None:
    before = low[: period.begin]
    for name, pattern in _BEFORE.items():
        found = pattern.search(before)
        if found and not (period.bare and _ARTICLE.search(before)):  # not "in the 2008 crisis", "a 2016 film"
            if found[0].startswith("from") and re.match(r" on(?:wards?)?\b", low[period.end :]):
                name = "since"
            first, last = around(name, period.first, period.last)
            return first, last, (found.start(), period.end)
    if not period.bare or (period.dated and _RECORDINGS.match(low[period.end :])):
        return period.first, period.last, (period.begin, period.end)
    return None


def around(relation: str, first: date, last: date) -> tuple[date | None, date | None]:
    """The days since, after, before or until a stretch of days; those within it for another relation."""
    return {
        "since": (first, None),
        "after": (last + _DAY, None),
        "before": (None, first - _DAY),
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
            first, last = around(relation.lastgroup or "", day, day)
            return first, last, (relation.start(), found.end()), asked.said(found.span()), day
    return None
