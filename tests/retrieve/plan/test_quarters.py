"""Quarters: with their year, and two of them beside each other."""

from dataclasses import replace

import pytest
from plan_world import ROWS, TODAY, Row, world

from onrecord.retrieve.plan import plan
from onrecord.stores.memory import MemoryStore
from onrecord.types import Passage, Plan, Question

STORE = world()
DAYS = ("2023-10-20", "2024-10-20")
_OAK = {"firm": "Oak Mills", "quarter": "Q3"}
UNYEARED_ROWS: list[Row] = [(f"oak-{day}", "Oak call", day, "en", ("Vera Holm",), _OAK, ()) for day in DAYS]
UNYEARED = world(UNYEARED_ROWS)


def asked(text: str, store: MemoryStore = STORE) -> Plan:
    return plan(Question(text), store, TODAY, strategies=("balanced", "comparison"))


def values(made: Plan, field: str) -> list[str]:
    return [found.value for found in made.filters if found.field == field]


@pytest.mark.parametrize("said", ["second quarter of 2019", "Q2 2019", "Q2 2023"])  # there is a Q4 2023
def test_a_quarter_of_a_year_that_no_recording_is_of_is_no_quarter_of_another(said: str) -> None:
    made = asked(f"What was revenue in the {said}?")
    assert not made.filters
    assert said in made.text  # what others tell of that time may be found by its words
    assert made.notes == (f'Nothing fits "{said}", so that was left out.',)
    assert [fact.text for fact in made.facts] == [f'None of the 22 recordings fits "{said}".']
    assert made.settled  # nobody speaks of it either
    counted = asked(f"How many calls are there in the {said}?")
    assert counted.facts[0].text == f'None of the 22 recordings fits "{said}".'


def test_a_firm_is_searched_for_what_it_says_of_a_quarter_that_it_has_no_call_of() -> None:
    made = asked("What did TD Bank say about credit losses in Q4 2023?")
    assert [(found.field, found.value) for found in made.filters] == [("bank", "TD Bank")]
    assert "Q4 2023" in made.text
    assert made.facts[0].text == 'None of the 22 recordings fits "TD Bank" + "Q4 2023".'


@pytest.mark.parametrize(
    ("words", "spoken_of"),
    [
        ("The third quarter of fiscal 2019 was a good one.", True),
        ("It was more than in Q3 2019.", True),
        ("In the third quarter sales rose above those of 2019.", False),
        ("In 2019 the second quarter was a good one.", False),
    ],
)
def test_a_quarter_that_is_spoken_of_is_looked_for(words: str, spoken_of: bool) -> None:
    store = world(UNYEARED_ROWS)
    recording = replace(store.recordings()[0], id="new", passages=1)
    store.add(recording, [Passage("new", 0, words, "Vera Holm", 0.0, 9.0)], [])
    for text in ("What was revenue in the third quarter of 2019?", "What was revenue in Q3 2019?"):
        made = asked(text, store)
        assert made.facts and made.settled is not spoken_of
    assert not asked("What was said about Q3 2019?", store).facts
    assert asked("What did Vera Holm say about revenue in Q3 2018?", store).settled


def test_what_others_say_of_a_quarter_is_nothing_that_the_firm_says() -> None:
    store = world(
        [*UNYEARED_ROWS, ("elm", "Elm call", "2024-10-20", "en", ("Ida Rye",), {"firm": "Elm"}, ())]
    )
    recording = replace(store.recordings()[0], id="new", passages=1)
    said = Passage("new", 0, "It was more than in Q3 2019.", "Vera Holm", 0.0, 9.0)
    store.add(recording, [said], [])
    assert asked("What did Elm say in Q3 2019?", store).settled
    assert not asked("What did Oak Mills say about revenue in Q3 2019?", store).settled


def test_of_two_quarters_the_one_that_nothing_is_of_is_told() -> None:
    made = asked("What was revenue in Q2 2019 and Q2 2024?")
    assert [found.value for found in made.filters] == ["Q2", "2024"]
    assert made.notes == ('Nothing fits "Q2 2019" as well, so that was left out.',)


def test_a_quarter_of_its_year_narrows_to_both() -> None:
    made = asked("What was revenue in the fourth quarter of 2023?")
    assert values(made, "quarter") == ["Q4"] and values(made, "fiscal year") == ["2023"]


def test_where_no_attribute_tells_the_year_dates_do() -> None:
    made = asked("What was revenue in Q3 2024?", UNYEARED)
    assert values(made, "quarter") == ["Q3"] and values(made, "since") == ["2024-01-01"]
    gone = asked("What was revenue in Q3 2019?", UNYEARED)
    assert not gone.filters
    assert gone.notes == ('Nothing fits "Q3 2019", so that was left out.',)


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        (
            "What changed at TD Bank between the first and second quarter?",
            "What changed at TD Bank in the first quarter?",
            "What changed at TD Bank in the second quarter?",
        ),
        ("What changed from the first to the second quarter?",
         "What changed in the first quarter?", "What changed in the second quarter?"),
        ("What changed between Q1 and Q2?", "What changed in Q1?", "What changed in Q2?"),
        ("Qu'est-ce qui diffère entre le premier et le deuxième trimestre ?",
         "Qu'est-ce qui diffère pendant le premier trimestre ?",
         "Qu'est-ce qui diffère pendant le deuxième trimestre ?"),
    ],
)  # fmt: skip
def test_two_quarters_are_the_sides_of_what_changed(text: str, first: str, second: str) -> None:
    made = asked(text)
    assert (made.intent, made.queries) == ("comparison", (first, second))
    assert values(made, "quarter") == ["Q1", "Q2"]


def test_the_year_behind_two_quarters_is_of_both() -> None:
    made = asked("How did deposits develop between the first and the second quarter of 2024?")
    assert values(made, "quarter") == ["Q1", "Q2"] and values(made, "fiscal year") == ["2024"]


def test_where_nothing_carries_quarters_two_of_them_are_a_stretch_of_days() -> None:
    store = world([(name, title, day, *rest[:2], {}, ()) for name, title, day, *rest in ROWS])
    made = asked("What was said between the first and third quarter of 2024?", store)
    assert (values(made, "since"), values(made, "until")) == (["2024-01-01"], ["2024-09-30"])


def test_a_first_and_a_second_thing_stay_what_they_are() -> None:
    made = asked("What is the difference between the first and second bridge?")
    assert made.text == "What is the difference between the first and second bridge?"


def test_a_fiscal_year_that_nothing_is_of_is_told_too() -> None:
    made = asked("What was revenue in fiscal 2019?")
    assert not made.filters and made.settled
    assert made.facts[0].text == 'None of the 22 recordings fits "fiscal 2019".'
    both = asked("What changed between fiscal 2019 and fiscal 2024?")
    assert both.queries == ("What changed in fiscal 2019?", "What changed in fiscal 2024?")
    assert both.notes == ('Nothing fits "fiscal 2019" as well, so that was left out.',)
    assert not both.facts


def test_quarters_that_are_told_with_their_years() -> None:
    rows = [
        ("elm", "Elm call", "2024-10-20", "en", ("Vera Holm",), {"firm": "Elm", "quarter": "Q3 2024"}, ())
    ]
    made = asked("What was revenue in Q3 2019?", world(rows))
    assert made.facts[0].text == 'None of the 1 recordings fits "Q3 2019".'
    assert values(asked("What was revenue in Q3 2024?", world(rows)), "quarter") == ["Q3 2024"]
