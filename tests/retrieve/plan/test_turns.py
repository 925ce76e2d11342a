"""Turns of a conversation that name another firm, compare those asked of, or ask when something was said."""

import pytest
from plan_world import TODAY, world

from onrecord.retrieve.plan import plan
from onrecord.types import Exchange, Plan, Question

STORE = world()


def asked(*turns: str) -> Plan:
    *before, text = turns
    question = Question(text, history=tuple(map(Exchange, before)))
    return plan(question, STORE, TODAY, strategies=("balanced", "comparison"))


def filters(made: Plan) -> list[tuple[str, str]]:
    return [(found.field, found.value) for found in made.filters]


def test_a_person_gives_way_to_a_firm_in_whose_recordings_they_do_not_speak() -> None:
    made = asked("What did Robert Halloran say about dividends?", "And TD Bank?")
    assert filters(made) == [("bank", "TD Bank")]
    assert made.text == "What did TD Bank say about dividends?"
    assert not made.notes


def test_a_person_who_speaks_there_stays() -> None:
    made = asked("What did William Tran say about dividends?", "And at TD Bank?")
    assert filters(made) == [("speaker", "William Tran"), ("bank", "TD Bank")]


def test_who_is_meant_by_a_pronoun_or_by_a_quarter_stays() -> None:
    first = "What did Gregory Stanfield say about dividends?"
    assert ("speaker", "Gregory Stanfield") in filters(asked(first, "And what did he say at Alder Bank?"))
    assert ("speaker", "Gregory Stanfield") in filters(asked(first, "And in Q4 2023?"))


def test_two_firms_that_were_asked_of_one_after_the_other_are_compared() -> None:
    made = asked("What did TD Bank say about debt in Q1 2024?", "And Alder Bank?", "Compare them")
    assert made.intent == "comparison"
    assert made.queries == ("Compare TD Bank on debt", "Compare Alder Bank on debt")
    assert {value for field, value in filters(made) if field == "bank"} == {"TD Bank", "Alder Bank"}
    assert ("quarter", "Q1") in filters(made)


@pytest.mark.parametrize("text", ["Compare the two", "And how do they differ?", "What is the difference?"])
def test_two_people_are_compared(text: str) -> None:
    made = asked("What did Kelly say about copper?", "And Ortega?", text)
    assert made.queries == ("Compare Kelly on copper", "Compare Ortega on copper")


def test_two_of_one_question_are_compared() -> None:
    made = asked("What did TD Bank and Alder Bank say about debt?", "Compare them")
    assert made.queries == ("Compare TD Bank on debt", "Compare Alder Bank on debt")


def test_who_is_compared_is_kept_over_a_turn_that_names_nobody() -> None:
    turns = ("What did TD Bank say about debt?", "And Alder Bank?", "And in Q1 2024?", "Compare them")
    assert asked(*turns).queries == ("Compare TD Bank on debt", "Compare Alder Bank on debt")


def test_a_person_gives_way_to_two_firms() -> None:
    made = asked("What did Robert Halloran say about debt?", "And TD Bank and Slow Signals?")
    assert "speaker" not in {field for field, _ in filters(made)}


def test_somebody_and_a_firm_are_compared() -> None:
    made = asked("What did Robert Halloran say about debt?", "And TD Bank?", "Compare them.")
    assert made.queries == ("Robert Halloran on debt", "TD Bank on debt")
    assert not made.filters


@pytest.mark.parametrize(
    ("text", "looked_for"),
    [
        ("When did he say that?", "When did he say something about licences?"),
        ("When was that said?", "When was something about licences said?"),
        ("Did he mention it again?", "Did he mention licences again?"),
    ],
)
def test_what_was_said_is_what_the_turn_before_is_about(text: str, looked_for: str) -> None:
    made = asked("What did Brendan Kelly say about licences?", text)
    assert made.text == looked_for
    assert filters(made) == [("speaker", "Brendan Kelly")]


def test_in_french_too() -> None:
    made = asked("Qu'a dit Pierre Garnier sur la digue ?", "Quand a-t-il dit ça ?")
    assert made.text == "Quand a-t-il dit quelque chose sur la digue ?"
