"""Tests of dates as people and feeds write them."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.ingest.dates import iso_date


@pytest.mark.parametrize(
    ("written", "iso"),
    [
        ("2024", "2024"),
        ("2024-03", "2024-03"),
        ("2024-3-5", "2024-03-05"),
        ("2024/03/05", "2024-03-05"),
        ("2024.03.05", "2024-03-05"),
        ("20240305", "2024-03-05"),
        ("2024-03-05T23:30:00-08:00", "2024-03-05"),
        ("2024-03-05 10:00", "2024-03-05"),
        ("20240305T100000Z", "2024-03-05"),
        ("2024-W10-2", "2024-03-05"),
        ("Tue, 05 Mar 2024 08:00:00 GMT", "2024-03-05"),
        ("Tue, 5 Mar 2024 23:59 -0800", "2024-03-05"),
        ("05-Mar-2024", "2024-03-05"),
        ("March 5, 2024", "2024-03-05"),
        ("Sept. 30th, 2024", "2024-09-30"),
        ("5 March 2024", "2024-03-05"),
        ("Tuesday, 5th of March 2024 at 10:00", "2024-03-05"),
        ("March 2024", "2024-03"),
        ("1er août 2024", "2024-08-01"),
        ("mardi 5 mars 2024", "2024-03-05"),
        ("25/12/2024", "2024-12-25"),
        ("12/25/2024", "2024-12-25"),
        ("05.05.2024", "2024-05-05"),
    ],
)
def test_what_people_and_feeds_write(written: str, iso: str) -> None:
    assert iso_date(written) == iso
    assert iso_date(f"  {written}\n") == iso


def test_two_readings_are_refused_with_both() -> None:
    with pytest.raises(ValueError, match="write 2024-04-03 or 2024-03-04"):
        iso_date("03/04/2024")


@pytest.mark.parametrize(
    "written",
    ["", "soon", "24-03-05", "2024-02-30", "2024-13", "32/01/2024", "5 Mai-March 2024", "5 ju 2024",
     "5 jui 2024", "March 32, 2024", "1709632800", "2024-W60-1", "Friday", "0000-01-01", "2024-03/05"],
)  # fmt: skip
def test_anything_else_is_refused_with_an_example(written: str) -> None:
    with pytest.raises(ValueError, match="5 March 2024"):
        iso_date(written)


@given(
    st.dates(min_value=date(1000, 1, 1)),
    st.sampled_from(["%Y-%m-%d", "%Y/%m/%d", "%d %B %Y", "%B %d, %Y", "%a, %d %b %Y %H:%M"]),
)
def test_every_day_can_be_written_in_every_way(day: date, form: str) -> None:
    assert iso_date(day.strftime(form)) == day.isoformat()


@given(st.text())
def test_any_text_is_a_date_or_a_value_error(text: str) -> None:
    try:
        parsed = iso_date(text)
    except ValueError as error:
        assert str(error)
    else:
        assert iso_date(parsed) == parsed
