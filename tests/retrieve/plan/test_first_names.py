"""A first name that somebody does not have, beside a name that they have."""

import pytest
from plan_world import TODAY, world

from onrecord.retrieve.plan import plan
from onrecord.types import Exchange, Plan, Question

NAMES = ("Chris Benson", "Kris Brandow", "Mara Quill")
STORE = world([("go", "Gophers at sea", "2024-01-15", "en", NAMES, {}, ())])


def asked(text: str, *before: str) -> Plan:
    return plan(Question(text, history=tuple(map(Exchange, before))), STORE, TODAY)


@pytest.mark.parametrize("name", ["Kris Benson", "Cris Benson", "Chriss Benson", "Tom Benson"])
def test_another_first_name_is_told(name: str) -> None:
    made = asked(f"What did {name} say about sails?")
    assert [found.value for found in made.filters] == ["Chris Benson"]
    assert made.filters[0].said == name
    assert made.notes == (f'"{name}" was read as Chris Benson.',)
    assert made.entities == ("Chris Benson",)


def test_it_is_told_of_a_follow_up_too() -> None:
    made = asked("And Kris Benson?", "What did Mara Quill say about sails?")
    assert [found.value for found in made.filters] == ["Chris Benson"]
    assert made.notes == ('"Kris Benson" was read as Chris Benson.',)
    assert made.text == "What did Kris Benson say about sails?"


@pytest.mark.parametrize(
    "name", ["Benson", "Mr Benson", "Chris", "Kris", "Senator Benson", "Team Benson", "Chris Benson"]
)
def test_nothing_is_told_of_names_and_titles_that_are_right(name: str) -> None:
    made = asked(f"What did {name} say about sails?")
    assert [found.field for found in made.filters] == ["speaker"]
    assert not made.notes


def test_names_side_by_side_stay_two() -> None:
    made = asked("What did Mara and Kris say about sails?")
    assert {found.value for found in made.filters} == {"Mara Quill", "Kris Brandow"}
    assert not made.notes
