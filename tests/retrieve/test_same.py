"""Texts that say the same, and texts that only resemble each other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.retrieve.diversity.same import adds

REVENUE = "Revenue was {} million dollars in the second quarter, and we are pleased with that."


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (REVENUE.format(137), REVENUE.format(174)),
        (REVENUE.format(137), REVENUE.format("one hundred and seventy-four")),
        (REVENUE.format(137), REVENUE.format(137).replace("dollars", "euros")),
        (REVENUE.format(137), REVENUE.format(137).replace("second", "third")),
        ("We spoke with Ann Bell about the new harbour.", "We spoke with Bo Lund about the new harbour."),
        ("Smith voted for the new harbour.", "Jones voted for the new harbour."),
        ("The margins of the shop did fall.", "The margins of the shop did not fall."),
        ("The margins of the shop didn't fall.", "The margins of the shop did fall."),
        ("Nobody in the town wants the bridge.", "Everybody in the town wants the bridge."),
        ("It went from five to nine percent.", "It went from nine to five percent."),
    ],
)
def test_other_figures_names_and_negations_are_never_the_same(one: str, other: str) -> None:
    assert adds(one, other) or adds(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (REVENUE.format(137), REVENUE.format("one hundred and thirty-seven")),
        (REVENUE.format(137), "Well, " + REVENUE.format(137).replace("we are", "we're")),
        ("Download the app, and never miss a show.", "So download the app and never miss a show."),
        ("He did not say why. It rained.", "And he did not say why. It rained"),
    ],
)
def test_the_same_in_nearly_the_same_words(one: str, other: str) -> None:
    assert not adds(one, other) and not adds(other, one)


def test_a_part_adds_nothing_to_the_whole_and_the_whole_does_to_a_part() -> None:
    whole = "We raised the fares. We did not close the ferry to Tolm, which carries 90 cars."
    assert not adds("We raised the fares.", whole) and not adds("which carries ninety cars", whole)
    assert not adds("We did not close the ferry to Tolm", whole)
    assert adds(whole, "We raised the fares.") and adds("We did close the ferry to Tolm", whole)


SOME = "the fell not 12 twelve Ann bell no . margins didn't of percent".split()
WORDS = st.lists(st.sampled_from(SOME), max_size=25)


@given(WORDS.map(" ".join))
def test_a_text_adds_nothing_to_itself(text: str) -> None:
    assert not adds(text, text)
