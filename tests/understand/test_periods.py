"""Periods that a question names, resolved to their first and last days."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.understand.dates import periods
from onrecord.understand.lexicon import Tokens

TODAY = date(2025, 6, 18)


def read(text: str) -> list[tuple[str, str]]:
    """Return the first and last day of each period in a text; an open end is empty."""
    return [(str(period.since or ""), str(period.until or "")) for period in periods(Tokens(text), TODAY)]


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("in March 2024", "2024-03-01", "2024-03-31"),
        ("on 14 March 2024", "2024-03-14", "2024-03-14"),
        ("March 14, 2024", "2024-03-14", "2024-03-14"),
        ("le 14 mars 2024", "2024-03-14", "2024-03-14"),
        ("in 2023", "2023-01-01", "2023-12-31"),
        ("since 2023", "2023-01-01", ""),
        ("after 2023", "2024-01-01", ""),
        ("until June 2024", "", "2024-06-30"),
        ("before June 2024", "", "2024-05-31"),
        ("avant juin 2024", "", "2024-05-31"),
        ("between March and May 2025", "2025-03-01", "2025-05-31"),
        ("from January 2024 to April 2024", "2024-01-01", "2024-04-30"),
        ("the calls from January 2024", "2024-01-01", "2024-01-31"),
        ("the calls from January 2024 on", "2024-01-01", ""),
        ("from 3 to 9 April 2024", "2024-04-03", "2024-04-09"),
        ("entre mars et mai 2025", "2025-03-01", "2025-05-31"),
        ("last year", "2024-01-01", "2024-12-31"),
        ("this year", "2025-01-01", "2025-12-31"),
        ("last month", "2025-05-01", "2025-05-31"),
        ("le mois dernier", "2025-05-01", "2025-05-31"),
        ("l'année dernière", "2024-01-01", "2024-12-31"),
        ("la semaine dernière", "2025-06-09", "2025-06-15"),
        ("two weeks ago", "2025-06-02", "2025-06-08"),
        ("il y a deux ans", "2023-01-01", "2023-12-31"),
        ("the last six months", "2024-12-18", "2025-06-18"),
        ("yesterday", "2025-06-17", "2025-06-17"),
        ("last Friday", "2025-06-13", "2025-06-13"),
        ("in the first quarter of 2024", "2024-01-01", "2024-03-31"),
        ("Q4 2023", "2023-10-01", "2023-12-31"),
        ("the spring of 2024", "2024-03-01", "2024-05-31"),
        ("the winter of 2023", "2023-12-01", "2024-02-29"),
        ("in the 1990s", "1990-01-01", "1999-12-31"),
        ("early 2024", "2024-01-01", "2024-04-30"),
        ("on 2024-03-14", "2024-03-14", "2024-03-14"),
        ("on 14.03.2024", "2024-03-14", "2024-03-14"),
        ("on 03/2024", "2024-03-01", "2024-03-31"),
        ("since the last quarter", "2025-01-01", ""),
    ],
)
def test_a_period_is_its_days(text: str, since: str, until: str) -> None:
    """Absolute and relative periods in several languages resolve to the right days."""
    assert read(f"what was said {text}?") == [(since, until)]


@pytest.mark.parametrize(
    "text",
    [
        "what may she say",
        "they march on",
        "the second question",
        "Python 3.11.7",
        "24/7 service",
        "31 June 2024 and nothing else"[:7],
        "one of them",
        "a fall in prices",
        "episode 41",
    ],
)
def test_what_names_no_day_is_none(text: str) -> None:
    """Words and numbers that resemble dates are not read as periods."""
    assert read(text) == []


def test_a_month_without_a_year_is_the_last_that_began() -> None:
    """A month without a year is the most recent one that has begun."""
    assert read("what was said in March?") == [("2025-03-01", "2025-03-31")]
    assert read("what was said in November?") == [("2024-11-01", "2024-11-30")]


WORDS = "since before between and 2024 March 3 31 last next two 99 weeks decades ago Q1 il y a".split()


@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)))
def test_any_text_is_read_in_peace(text: str) -> None:
    """In any text, periods do not overlap, and none ends before it begins."""
    some = Tokens(text)
    last = -1
    for period in periods(some, TODAY):
        assert last < period.first <= period.last < len(some)
        assert not (period.since and period.until) or period.since <= period.until
        last = period.last
