"""Stretches of days named in English or French: "March 2024", "last year", "il y a deux semaines".

Names of stretches, not of moments, are what questions hold, and all of them must be found within a
sentence in less than a millisecond; so these two languages are read by a small grammar. (dateparser, which
reads the others, reads none of "the last three months", "spring 2024", "early 2024", "last March", "l'an
dernier" and "premier trimestre 2024", and takes 0.1 s to be ready and some milliseconds a sentence.)
"""

from __future__ import annotations

import re
from datetime import date
from functools import cache

from onrecord.retrieve.plan.calendar_words import (
    FEASTS,
    MONTHS,
    NUMBERS,
    ORDINALS,
    SEASONS,
    UNITS,
    WEEKDAYS,
    either,
    number,
)
from onrecord.retrieve.plan.stretches import (
    DAY,
    YEAR,
    Days,
    Period,
    Read,
    Rule,
    back,
    containing,
    month_days,
    scan,
    short_year,
)

_MONTH, _NUMBER = either(MONTHS), rf"(?:\d{{1,3}}|{either(NUMBERS)})"
_UNIT, _SEASON, _WEEKDAY = either(UNITS), either(SEASONS), either(WEEKDAYS)
_ORDINAL = either(ORDINALS)
_ENGLISH = "day|week|month|quarter|year"
_ONE = f"{_ENGLISH}|jour|semaine|mois|trimestre|annee|an"
COUNTED = rf"(?:(?:(?:the|les|des) )?(?P<n>{_NUMBER}) (?P<u>{_UNIT})|(?:the |le |la |l')(?P<one>{_ONE}))"
"""So many days, weeks, ...: the groups are `n` and `u`, or for a single one `one`."""
_LAST = re.compile(r"\b(?:last|past|previous|derniere?|passee?)\b")


def _year_of(found: re.Match[str], today: date) -> int:
    return int(found["y"]) if found["y"].isdecimal() else short_year(found["y"][1:], today)


def _day_of_month(found: re.Match[str], today: date) -> Days | None:
    month, day = MONTHS[found["m"]], int(found["d"])
    if found["y"]:
        return (date(_year_of(found, today), month, day),) * 2
    this = date(today.year, month, day)
    return (this if this <= today else date(today.year - 1, month, day),) * 2


def _month_of_year(found: re.Match[str], today: date) -> Days | None:
    return month_days(_year_of(found, today), MONTHS[found["m"]])


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
        return month_days(_year_of(found, today), month, 3)
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
        return month_days(_year_of(found, today), 3 * which - 2, 3)
    days = month_days(today.year, 3 * which - 2, 3)
    return days if days[0] <= today else month_days(today.year - 1, 3 * which - 2, 3)


def _half(found: re.Match[str], today: date) -> Days | None:
    if not re.match(r"(?:the |le )?h[12]\b", found[0]) and not re.search("half|semestre", found[0]):
        return None
    which = ORDINALS[found["q"]]
    return month_days(_year_of(found, today), 6 * which - 5, 6) if which < 3 else None


def _year(found: re.Match[str], today: date) -> Days | None:
    return month_days(int(found["y"]), 1, 12)


def _around(today: date, unit: str, count: int) -> Days:
    """The calendar's day, week, month, quarter or year so many before this one."""
    return containing(back(today, unit, count), unit)


_OF_A_WHOLE = r" (?:of|de|du)\b| d'"
_OF_A_TIME = rf" of (?:the|this|that|{_MONTH}|{YEAR})\b"


def _is_of_a_whole(found: re.Match[str]) -> bool:
    """ "The last week of the strike" is not the one before this; "said last week of freight" is."""
    behind = _OF_A_WHOLE if found[0].startswith(("the ", "les ", "des ")) else _OF_A_TIME
    return bool(re.match(behind, found.string[found.end() :]))


def _before_this(found: re.Match[str], today: date) -> Days | None:
    if _is_of_a_whole(found):
        return None
    return _around(today, UNITS[found["u"]], 1)


def _this(found: re.Match[str], today: date) -> Days | None:
    return _around(today, UNITS[found["u"]], 0)


def _ago(found: re.Match[str], today: date) -> Days | None:
    return _around(today, UNITS[found["u"]], number(found["n"]))


def _past(found: re.Match[str], today: date) -> Days | None:
    """ "The last three months": from the same day three months ago until today."""
    if not re.search("last|past|previous|dern|pass", found[0]) or _is_of_a_whole(found):
        return None
    return back(today, UNITS[found["u"]], number(found["n"] or "few")), today


def _hours(found: re.Match[str], today: date) -> Days | None:
    """ "The last 24 hours": since yesterday."""
    if not re.search("last|past|previous|dern|pass", found[0]) or _is_of_a_whole(found):
        return None
    return back(today, "day", -(-number(found["n"]) // 24)), today


def _fortnight(found: re.Match[str], today: date) -> Days | None:
    if _LAST.search(found[0]):
        return back(today, "week", 2), today
    return _around(today, "week", 1 if "huit" in found[0] else 2)


def _decade_so_far(found: re.Match[str], today: date) -> Days | None:
    return back(today, "year", 10), today


_IN_DECADE = r"\b(?:in|since|during|throughout|before|after|until|dans|depuis|pendant|durant|avant|apres) $"
_TENS = {"twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60}
_TENS |= {"seventies": 70, "eighties": 80, "nineties": 90}


def _decade(found: re.Match[str], today: date) -> Days | None:
    """ "In the 1990s", "depuis les années 90"; "songs of the 90s" are not of that time."""
    if not re.search(_IN_DECADE, found.string[: found.start()]):
        return None
    tens = _TENS.get(found["t"]) if found["t"] else int(found["d"])
    century = found["c"]
    year = int(century) * 100 + (tens or 0) if century else short_year(f"{tens:02}", today)
    return month_days(year, 1, 120)


_WHEN = rf"\b(?:since|depuis|{_NUMBER} {_UNIT} (?:before|after|avant|apres)) $"


def _feast(found: re.Match[str], today: date) -> Days | None:
    """ "Christmas 2023", "since Christmas": a day. "At Christmas", "before Christmas" are of every year."""
    month, day = FEASTS[found["f"]]
    if found["y"]:
        return (date(_year_of(found, today), month, day),) * 2
    if not re.search(_WHEN, found.string[: found.start()]):
        return None
    this = date(today.year, month, day)
    return (this if this <= today else date(today.year - 1, month, day),) * 2


def _yesterday(found: re.Match[str], today: date) -> Days | None:
    return _around(today, "day", 2 if found[0] in ("the day before yesterday", "avant-hier") else 1)


def _part_of_today(found: re.Match[str], today: date) -> Days | None:
    return today, today


def _weekend(found: re.Match[str], today: date) -> Days | None:
    """The latest one that is over."""
    sunday = today - (today.weekday() + 1) * DAY
    return sunday - DAY, sunday


def _weekday(found: re.Match[str], today: date) -> Days | None:
    if not re.search("last |on |dernier", found[0]):
        return None
    return _such_day(found["w"], today, 1)


def _weekdays_ago(found: re.Match[str], today: date) -> Days | None:
    """ "Two Fridays ago": the last but one."""
    return _such_day(found["w"], today, number(found["n"]))


def _such_day(name: str, today: date, count: int) -> Days:
    return _around(today, "day", (today.weekday() - WEEKDAYS[name] - 1) % 7 + 1 + 7 * (count - 1))


def _rule(pattern: str, read: Read, bare: bool = False) -> Rule:
    return re.compile(rf"(?<![\w.,$€£-])(?:{pattern})(?![\w%]|[.,]\d)"), read, bare


_THE = r"(?:the |le |la |l')?"
_IN_YEAR = rf"(?:(?:,| of| de)? (?P<y>{YEAR}|'\d\d))"


@cache
def _rules() -> tuple[Rule, ...]:
    """Compiled when the first question names a time, which most do not. Those that are tried first stand
    first."""
    return *_of_months(), *_of_parts(), *_of_past(), *_of_days(), *_of_names()


def _of_months() -> tuple[Rule, ...]:
    return (
        _rule(
            rf"{_THE}(?:{_WEEKDAY},? )?(?P<d>[0-3]?\d)(?:st|nd|rd|th|er)?(?: of)? (?P<m>{_MONTH})\.?"
            rf"{_IN_YEAR}?",
            _day_of_month,
        ),
        _rule(
            rf"(?:{_WEEKDAY},? )?(?P<m>{_MONTH})\.? (?P<d>[0-3]?\d)(?:st|nd|rd|th)?{_IN_YEAR}?",
            _day_of_month,
        ),
        _rule(rf"(?:mi-)?(?P<m>{_MONTH})\.?{_IN_YEAR}", _month_of_year),
        _rule(rf"(?:last )?(?P<m>{_MONTH})(?: dernier)?", _last_month_named),
    )


def _of_parts() -> tuple[Rule, ...]:
    """Seasons, parts of years, decades, feasts."""
    tens = "|".join(_TENS)
    return (
        _rule(rf"(?:last |{_THE})(?P<s>{_SEASON})(?: derniere?)?{_IN_YEAR}?", _season),
        _rule(
            rf"{_THE}(?P<p>early|late|mid|start of|beginning of|end of|middle of|debut|fin|mi|milieu)"
            rf"(?: in| de)?[ -](?P<y>{YEAR})",
            _part_of_year,
        ),
        _rule(rf"{_THE}[qt]?(?P<q>{_ORDINAL})(?: quarter| trimestre)?{_IN_YEAR}?", _quarter),
        _rule(rf"{_THE}h?(?P<q>{_ORDINAL})(?: half| semestre)?{_IN_YEAR}", _half),
        _rule(rf"the '?(?:(?P<c>19|20)?(?P<d>\d0)'?s|(?P<t>{tens}))", _decade),
        _rule(r"les annees (?P<c>19|20)?(?P<d>\d0)(?P<t>)", _decade),
        _rule(rf"(?P<f>{either(FEASTS)}){_IN_YEAR}?", _feast),
    )


def _of_past() -> tuple[Rule, ...]:
    """Reckoned from today in units."""
    last = r"(?:last|past|previous)"
    return (
        _rule(rf"(?:the )?{last} (?!an? )(?P<n>{_NUMBER}) (?P<u>{_UNIT})", _past),
        _rule(r"(?:the )?(?:last|past)(?P<n>) (?P<u>days|weeks|months)", _past),
        _rule(
            rf"(?:ces|les|des) (?P<n>{_NUMBER}) (?:derni\w+ )?(?P<u>{_UNIT})(?: derni\w+| pass\w+)?",
            _past,
        ),
        _rule(rf"(?:ces|les|des)(?P<n>) derni\w+ (?P<u>{_UNIT})", _past),
        _rule(rf"(?:the )?{last} (?!an? )(?P<n>{_NUMBER}) hours?", _hours),
        _rule(
            rf"(?:ces|les|des) (?:derni\w+ )?(?P<n>{_NUMBER}) (?:derni\w+ )?heures(?: derni\w+| pass\w+)?",
            _hours,
        ),
        _rule(rf"(?:the )?{last} (?P<u>{_ENGLISH})", _before_this),
        _rule(rf"(?:l'|le |la )(?P<u>{_UNIT}) (?:derniere?|passee?|precedente?)", _before_this),
        _rule(rf"(?:this|the current|cette|cet|ce) (?P<u>{_UNIT})(?:-ci)?", _this),
        _rule(rf"a fortnight ago|(?:the )?{last} fortnight|il y a (?:quinze|huit) jours", _fortnight),
        _rule(rf"(?P<n>{_NUMBER}) (?P<u>{_UNIT}) (?:ago|earlier)", _ago),
        _rule(rf"il y a (?P<n>{_NUMBER}) (?P<u>{_UNIT})", _ago),
        _rule(rf"(?:the )?{last} decade|(?:la|cette) derniere decennie", _decade_so_far),
    )


def _of_days() -> tuple[Rule, ...]:
    own = r"(?!'s (?!(?:call|meeting|episode|talk|session|show)\b))"  # "last night's debate" is spoken of
    return (
        _rule(rf"the day before yesterday|yesterday|last night{own}|avant-hier|hier(?: soir)?", _yesterday),
        _rule(rf"this (?:morning|afternoon|evening){own}|ce (?:matin|soir)|cet apres-midi", _part_of_today),
        _rule(r"(?:over the|(?:over )?(?:the |this )?(?:last|past)) weekend|le week-?end dernier", _weekend),
        _rule(rf"(?P<n>{_NUMBER}) (?P<w>{_WEEKDAY})s ago", _weekdays_ago),
        _rule(rf"il y a (?P<n>{_NUMBER}) (?P<w>{_WEEKDAY})s", _weekdays_ago),
        _rule(rf"(?:last |on )?(?P<w>{_WEEKDAY})(?: dernier)?", _weekday),
    )


def _of_names() -> tuple[Rule, ...]:
    return (
        _rule(rf"(?P<m>{_MONTH})", _last_such_month, bare=True),
        _rule(rf"(?P<y>{YEAR})", _year, bare=True),
    )


_OTHERS = (
    *(f"{day}s" for day in WEEKDAYS),
    *"yesterday hier fortnight quinze huit decade decennie weekend week night morning afternoon".split(),
    *"evening matin soir midi".split(),
)
_NAMES = frozenset(
    word
    for name in (*MONTHS, *SEASONS, *UNITS, *WEEKDAYS, *FEASTS, *_TENS, *_OTHERS)
    for word in re.findall(r"\w+", name)
)
"""One of these words, or a figure, is in the name of every stretch of days."""


def periods(low: str, today: date) -> list[Period]:
    """The stretches of days that a text names, in its order; none within another. `low` is without
    capitals and accents. A day that does not exist (31 June) is not read."""
    named = any(map(str.isdigit, low)) or not _NAMES.isdisjoint(re.findall(r"[^\W\d_]+", low))
    return scan(_rules(), low, today) if named else []
