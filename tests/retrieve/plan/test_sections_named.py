"""Sections that a question names, whether any recording has one, and titles of one word."""

import pytest
from plan_world import QA, ROWS, TODAY, world

from onrecord.retrieve.plan import plan
from onrecord.types import Plan, Question

OPENING = ("Opening remarks", "opening")
CALLS = world(
    [
        ("td", "TD call", "2024-02-29", "en", ("Vera Holm",), {"bank": "TD Bank"}, (OPENING, QA)),
        ("al", "Alder call", "2024-02-28", "en", ("Ina Moor",), {"bank": "Alder Bank"}, (OPENING, QA)),
    ]
)
WITHOUT = world([(*row[:6], ()) for row in ROWS])
TITLES = world(
    [
        ("one", "Slow Signals 7: Tariffs", "2024-02-29", "en", ("Vera Holm",), {}, ()),
        ("two", "Slow Signals 8: Copper", "2024-03-29", "en", ("Vera Holm",), {}, ()),
    ]
)


def read(made: Plan) -> set[tuple[str, str]]:
    return {(found.field, found.value) for found in made.filters}


@pytest.mark.parametrize(
    "text",
    [
        "What is the opening of the TD Bank call about?",
        "Summarize the opening of the TD Bank call",
        "What was said in the opening of the TD Bank call?",
    ],
)
def test_the_opening_of_a_call_is_a_section(text: str) -> None:
    made = plan(Question(text), CALLS, TODAY)
    assert read(made) == {("bank", "TD Bank"), ("section", "opening")}
    assert not made.notes


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("What was shown in the demo?", "in the demo"),
        ("What did Solberg show in the demo?", "in the demo"),
        ("What is the conclusion of the TD Bank Q1 2024 call about?", "the conclusion"),
        ("What was asked in the Q&A?", "in the Q&A"),
    ],
)
def test_a_section_that_no_recording_has_is_told(text: str, said: str) -> None:
    made = plan(Question(text), WITHOUT, TODAY)
    assert "section" not in {found.field for found in made.filters}
    assert made.notes == (f'No recording here has a section for "{said}": everything was searched.',)


def test_in_french() -> None:
    made = plan(Question("Qu'a montré Hélène Dufour dans la démo ?"), WITHOUT, TODAY)
    assert made.notes == ("Aucun enregistrement n'a de section « dans la démo » : tout a été parcouru.",)


@pytest.mark.parametrize(
    "text",
    [
        "What was said about the opening of the new bridge?",
        "What happened in the conclusion of trade talks?",
        "What did Kelly say at the conclusion of the strike?",
        "Who gave a demonstration of the pump?",
        "What did Kelly say about revenue from ads?",
        "What did Kelly say in conclusion?",
    ],
)
def test_what_opens_or_ends_something_else_is_no_section(text: str) -> None:
    made = plan(Question(text), WITHOUT, TODAY)
    assert not made.notes and "section" not in {found.field for found in made.filters}


def test_a_title_of_one_word_is_read_where_it_is_asked_what_it_is_about() -> None:
    made = plan(Question("What is Tariffs about?"), TITLES, TODAY, strategies=("balanced", "overview"))
    assert read(made) == {("recording", "one")} and made.strategy == "overview"
    assert not plan(Question("What are tariffs about?"), TITLES, TODAY).filters
    assert not plan(Question("What did Tariffs do?"), TITLES, TODAY).filters
