"""Numbers in digits and in words, each as one value with its unit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.retrieve.quantities import Quantity, quantities, tokens


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("six to seventy-nine percent", [(6, "percent"), (79, "percent")]),
        ("four point two million crowns", [(4_200_000, "crown")]),
        ("$174 million and £2,400", [(174_000_000, "dollar"), (2400, "pound")]),
        ("between 700 and 730 million dollars", [(7e8, "dollar"), (7.3e8, "dollar")]),
        ("between seven hundred and seven hundred and thirty", [(700, ""), (730, "")]),
        ("nineteen eighty-four, twenty twenty-four", [(1984, ""), (2024, "")]),
        ("six and a half thousand pounds", [(6500, "pound")]),
        ("two pounds twenty", [(2.2, "pound")]),
        ("thirty nautical miles, 300 square feet", [(30, "mile"), (300, "square foot")]),
        ("five thousand two hundred a day", [(5200, "")]),
        ("two thirds of that, half of them", [(2 / 3, "part"), (0.5, "part")]),
        ("half a percent, a quarter of a percentage point", [(0.5, "percent"), (0.25, "point")]),
        ("the first half, and the third quarter", [(1, "half"), (3, "quarter")]),
        ("half a million, a dozen eggs", [(500_000, ""), (12, "egg")]),
        ("eleven cents", [(11, "cent")]),
        ("1 200 euros, 3,5 pour cent", [(1200, "euro"), (3.5, "percent")]),
        ("soixante-dix-neuf, quatre-vingt-dix-neuf mille", [(79, ""), (99_000, "")]),
        ("deux virgule cinq millions, deux cents euros", [(2_500_000, ""), (200, "euro")]),
        ("the third of May, on 2nd June", [(3, ""), (2, "june")]),
        ("twelve ships", [(12, "ship")]),
        ("the thirteenth of May, the twenty-first ship", [(13, ""), (21, "ship")]),
        ("the thirty-second of them, a thirty-second pause", [(32, ""), (30, "second")]),
        ("le dix-septième, la vingt et unième, le quinzième", [(17, ""), (21, ""), (15, "")]),
        ("le soixante-douzième jour, la première", [(72, "day"), (1, "")]),
        ("twice a week, once per day, but twice as many", [(2, "time"), (1, "time")]),
        ("forty acres, 12 hectares", [(40, "acre"), (12, "hectare")]),
        ("a number of things", []),
    ],
)
def test_quantities_are_read_whole(text: str, values: list[tuple[float, str]]) -> None:
    assert [(round(q.value, 6), q.unit) for q in quantities(text)] == [
        (round(v, 6), unit) for v, unit in values
    ]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a margin of -5 percent, \u22125 %, –5% or \u20115%", [-5, -5, -5, -5]),
        ("-5 percent. Between -7 and -5 percent.", [-5, -7, -5]),
        ("a loss of -$7 million, $-7m, minus $7 million", [-7e6, -7e6, -7e6]),
        ("it came to $(7) million, and (7) percent", [-7e6, -7]),
        ("minus five percent, a negative 5 percent", [-5, -5]),
        ("a score of negative five, then of -4, at minus one", [-5, -4, -1]),
        ("il fait moins 5 degrés, menos 7 por ciento, meno 7 per cento", [-5, -7, -7]),
        ("a change of -12 seats", [-12]),
        ("+7 percent, plus 5 people", [7, 5]),
        ("pages 5-7, 5 -7, 5–7 and 5 –7, from 5% -7%", [5, 7, 5, 7, 5, 7, 5, 7, 5, 7]),
        ("- 5 people", [5]),
        ("-5 people came", [5]),
        ("It rained. -5 people came --5 people", [5, 5]),
        ("covid-19 and covid -19 is", [19, 19]),
        ("on 2024-10-02, from –1990", [2024, 10, 2, 1990]),
        ("ten minus five, 10 - 5, dix heures moins cinq", [10, 5, 10, 5, 10, 5]),
        ("plus or minus 5 percent, +/-5 percent", [5, 5]),
        ("au moins 5 %, al menos 7 %, más o menos 7 %", [5, 7, 7]),
        ("a small part (7 percent), seven (7) percent, (7) people", [7, 7, 7, 7]),
        ("they were negative 5 days later, and this was a negative one", [5, 1]),
    ],
)
def test_a_minus_is_read_and_no_other_dash(text: str, values: list[float]) -> None:
    assert [-q.value if q.negative else q.value for q in quantities(text)] == values


@pytest.mark.parametrize("text", ["two point twenty" + " hundred" * 160, "9" * 12 + " million" * 60])
def test_a_scale_that_is_repeated_without_end_does_not_count(text: str) -> None:
    assert quantities(text)[0].value < 1e30


@pytest.mark.parametrize(
    ("text", "is_weak"),
    [
        ("zero accidents", False),
        ("one of the accidents", True),
        ("une grue", True),
    ],
)
def test_a_number_that_may_count_nothing_is_weak(text: str, is_weak: bool) -> None:
    assert [quantity.weak for quantity in quantities(text)] == [is_weak]


def test_percent_and_per_mille_are_different_units() -> None:
    assert [q.unit for q in quantities("7 ‰, 7 per mille, 7 pour mille, 7 por ciento, 7 %")] == [
        *["permille"] * 3,
        *["percent"] * 2,
    ]


def test_one_and_first_may_count_nothing() -> None:
    assert [q.weak for q in quantities("One of them came first. No one knew.")] == [True, True, True]
    assert [q.weak for q in quantities("one day, one percent, the first quarter")] == [False, False, False]


def test_units_of_measure_clash_and_things_that_are_counted_do_not() -> None:
    percent, dollars, some = Quantity(5, "percent"), Quantity(5, "dollar"), Quantity(5, "ship")
    assert percent.clashes(dollars) and not percent.same(dollars)
    assert percent.same(Quantity(5)) and some.same(percent) and not some.same(Quantity(6, "ship"))


SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
)
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"


def spelled(number: int) -> str:
    """Return a number below a billion in English words."""
    for scale, word in ((1_000_000, "million"), (1000, "thousand"), (100, "hundred")):
        if number >= scale:
            rest = number % scale
            joined = " and " if scale == 100 or rest < 100 else " "
            return f"{spelled(number // scale)} {word}" + (joined + spelled(rest) if rest else "")
    below = [*SMALL.split(), "seventeen", "eighteen", "nineteen"]
    if number < 20:
        return below[number]
    return TENS.split()[number // 10 - 2] + (f"-{below[number % 10]}" if number % 10 else "")


@given(st.integers(2, 999_999_999))
def test_a_number_is_the_same_in_digits_and_in_words(number: int) -> None:
    (one,), (other,) = quantities(f"about {number:,} ships"), quantities(f"about {spelled(number)} ships")
    assert one.value == other.value == number and one.unit == other.unit == "ship"


@given(st.text(max_size=80))
def test_every_text_can_be_read(text: str) -> None:
    assert all(token.text and (token.quantity is None or token.quantity.value >= 0) for token in tokens(text))
