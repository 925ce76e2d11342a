"""Stretches of days that a question names."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.retrieve.plan.asked import Asked, low
from onrecord.retrieve.plan.dates import dates
from onrecord.retrieve.plan.periods import periods
from onrecord.retrieve.plan.stretches import month_days

TODAY = date(2025, 6, 18)  # a Wednesday


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("March 2024", "2024-03-01", "2024-03-31"),
        ("mars 2024", "2024-03-01", "2024-03-31"),
        ("février 2024", "2024-02-01", "2024-02-29"),
        ("5th of March 2024", "2024-03-05", "2024-03-05"),
        ("le 1er mars 2024", "2024-03-01", "2024-03-01"),
        ("March 5, 2024", "2024-03-05", "2024-03-05"),
        ("last March", "2025-03-01", "2025-03-31"),
        ("octobre dernier", "2024-10-01", "2024-10-31"),
        ("the spring of 2024", "2024-03-01", "2024-05-31"),
        ("winter 2024", "2024-12-01", "2025-02-28"),
        ("l'été dernier", "2024-06-01", "2024-08-31"),
        ("early 2024", "2024-01-01", "2024-04-30"),
        ("fin 2024", "2024-09-01", "2024-12-31"),
        ("Q4 2023", "2023-10-01", "2023-12-31"),
        ("premier trimestre 2024", "2024-01-01", "2024-03-31"),
        ("the second half of 2024", "2024-07-01", "2024-12-31"),
        ("last year", "2024-01-01", "2024-12-31"),
        ("l'an dernier", "2024-01-01", "2024-12-31"),
        ("last quarter", "2025-01-01", "2025-03-31"),
        ("la semaine dernière", "2025-06-09", "2025-06-15"),
        ("this month", "2025-06-01", "2025-06-30"),
        ("the past two weeks", "2025-06-04", "2025-06-18"),
        ("les 3 derniers mois", "2025-03-18", "2025-06-18"),
        ("three months ago", "2025-03-01", "2025-03-31"),
        ("il y a un an", "2024-01-01", "2024-12-31"),
        ("yesterday", "2025-06-17", "2025-06-17"),
        ("avant-hier", "2025-06-16", "2025-06-16"),
        ("last Wednesday", "2025-06-11", "2025-06-11"),
        ("lundi dernier", "2025-06-16", "2025-06-16"),
    ],
)
def test_a_stretch_of_days_is_read(text: str, first: str, last: str) -> None:
    (found,) = periods(low(text), TODAY)
    assert (str(found.first), str(found.last), found.bare) == (first, last, False)


@pytest.mark.parametrize(
    "text",
    ["version 2.2024", "31/31", "the first time", "$2024", "2024%", "a second half", "30 percent", "marsh"],
)
def test_what_only_looks_like_one_is_not(text: str) -> None:
    assert not [period for period in periods(low(text), TODAY) if not period.bare]


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("said since March 2024", "2024-03-01", None),
        ("said after March 2024", "2024-04-01", None),
        ("dit avant mars 2024", None, "2024-02-29"),
        ("dit jusqu'en mars 2024", None, "2024-03-31"),
        ("between 2022 and 2023", "2022-01-01", "2023-12-31"),
        ("de novembre à février 2024", "2023-11-01", "2024-02-29"),
        ("in 2022 and 2024", "2022-01-01", "2024-12-31"),
        ("in May", "2025-05-01", "2025-05-31"),
        ("en août", "2024-08-01", "2024-08-31"),
        ("before the election", None, "2024-11-04"),
        ("after the 2020 election", "2020-11-04", None),
        ("after the election of 2020", "2020-11-04", None),
        ("avant la présidentielle", None, "2022-04-23"),
        ("the 2024 episodes", "2024-01-01", "2024-12-31"),
        ("the 2024 budget", None, None),
        ("in the 2008 crisis", None, None),
        ("plans for 2026", None, None),
        ("who may march", None, None),
    ],
)
def test_what_stands_before_it_counts(text: str, since: str | None, until: str | None) -> None:
    found = dates(Asked.of(text), TODAY)
    assert (str(found.since or "") or None, str(found.until or "") or None) == (since, until)


@given(st.integers(1900, 2099), st.integers(-30, 60), st.integers(1, 24))
def test_months_follow_one_another(year: int, month: int, months: int) -> None:
    first, last = month_days(year, month, months)
    assert first.day == 1 and (last + timedelta(days=1)).day == 1 and first <= last
    assert month_days(year, month + months)[0] == last + timedelta(days=1)


@given(st.text(max_size=200), st.dates(date(1950, 1, 1), date(2090, 1, 1)))
def test_any_text_and_any_day_will_do(text: str, today: date) -> None:
    for found in periods(low(text), today):
        assert found.first <= found.last
