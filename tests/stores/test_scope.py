"""Scopes: matching of speakers, sections, dates, languages and attributes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.errors import SettingError
from onrecord.stores.scope import check_scope, in_scope, names_section, names_speaker
from onrecord.types import Details, Recording, Scope


def recording(**details):
    return Recording("r", "r.vtt", "", "webvtt", Details(**details))


@pytest.mark.parametrize(
    ("expected", "name", "fits"),
    [
        ("kelly", "Brendan Kelly", True),
        ("KELLY, Brendan", "Brendan J. Kelly", True),
        ("al", "Alan", False),
        ("al", "Al Gore", True),
        ("amelie", "Amélie Roux", True),
        ("amélie jones", "Amélie Roux", False),
        ("speaker_00", "SPEAKER_00", True),
        ("speaker", "SPEAKER_00", False),
        ("o'brien", "Pat O’Brien", True),
        ("", "Alan", False),
        ("?", "?", True),
    ],
)
def test_a_speaker_is_named_by_whole_words(expected, name, fits):
    assert names_speaker(expected, name) is fits


def test_section_titles_are_whole():
    assert names_section("q & a", "Q  &  A")
    assert names_section("économie", "ECONOMIE")
    assert not names_section("Q", "Q & A")


@pytest.mark.parametrize(
    ("date", "since", "until", "inside"),
    [
        ("2024-03-05", "2024-03-05", "2024-03-05", True),
        ("2024-03-05", "2024-03-06", None, False),
        ("2024-03-05", None, "2024-03", True),
        ("2024-12-31", None, "2024", True),
        ("2025-01-01", None, "2024", False),
        ("2024", "2024-06", None, True),
        ("2024", None, "2024-06", True),
        ("2023", "2024-06", None, False),
        ("2024-03", "2024-03-15", "2024-03-20", True),
        (None, "1900", None, False),
        (None, None, None, True),
    ],
)
def test_dates_of_any_precision(date, since, until, inside):
    assert in_scope(recording(date=date), Scope(since=since, until=until)) is inside


@pytest.mark.parametrize("date", ["2024-3", "yesterday", "", "2024-03-05T00:00", "24"])
def test_what_is_no_date_is_refused(date):
    with pytest.raises(SettingError, match="until"):
        check_scope(Scope(until=date))


@pytest.mark.parametrize(
    ("language", "expected", "inside"),
    [
        ("en", "EN", True),
        ("en-GB", "en", True),
        ("en", "en-GB", False),
        ("eng", "en", False),
        (None, "en", False),
    ],
)
def test_languages(language, expected, inside):
    assert in_scope(recording(language=language), Scope(languages=(expected,))) is inside


def test_all_attributes_wanted_must_be_there():
    known = recording(attributes={"Bank": "Crédit Lyonnais", "quarter": "Q1"})
    assert in_scope(known, Scope(attributes={"bank": "credit lyonnais"}))
    assert in_scope(known, Scope(attributes={"bank": "CREDIT LYONNAIS", "Quarter": "q1"}))
    assert not in_scope(known, Scope(attributes={"bank": "credit lyonnais", "quarter": "Q2"}))
    assert not in_scope(known, Scope(attributes={"show": ""}))


@given(st.dates(), st.dates(), st.sampled_from([4, 7, 10]), st.sampled_from([4, 7, 10]))
def test_a_date_is_inside_where_the_two_spans_of_time_meet(day, bound, precise, bounded):
    date, since = day.isoformat()[:precise], bound.isoformat()[:bounded]
    shorter = min(precise, bounded)
    assert in_scope(recording(date=date), Scope(since=since)) is (date[:shorter] >= since[:shorter])
    assert in_scope(recording(date=date), Scope(until=since)) is (date[:shorter] <= since[:shorter])
