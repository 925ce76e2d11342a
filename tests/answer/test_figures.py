"""Numbers in digits and in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.answer.figures import figures, values


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("3.5% of 1,200", {3.5, 1200}),
        ("$0.13 a share", {0.13}),
        ("1 200 euros, 3,5 pour cent", {1200, 3.5}),
        ("12,345.67", {12345.67}),
        ("in 2024-10-02", {2024, 10, 2}),
        ("Q3 and R2", {3, 2}),
        ("3.5 million", {3.5, 3_500_000}),
        ("2bn", {2, 2e9}),
        ("", set()),
    ],
)
def test_figures(text: str, numbers: set[float]) -> None:
    assert values(text) == numbers


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("twenty-three people", 23),
        ("nineteen eighty four", 1984),
        ("twenty twenty four", 2024),
        ("two thousand and twenty four", 2024),
        ("two hundred million", 200_000_000),
        ("one hundred twenty five thousand", 125_000),
        ("vingt-trois", 23),
        ("deux mille", 2000),
        ("the third quarter", 3),
    ],
)
def test_number_words(text: str, value: float) -> None:
    assert value in values(text)


@given(st.integers(0, 10**12))
def test_a_figure_is_itself_however_it_is_grouped(number: int) -> None:
    assert float(number) in values(str(number))
    assert float(number) in values(f"about {number:,} of them")
    assert [value for _, value in figures(f"x {number}.5 y")] == [number + 0.5]


@given(st.text(max_size=60))
def test_any_text_has_values(text: str) -> None:
    assert all(value >= 0 for value in values(text))
