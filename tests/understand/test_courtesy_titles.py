"""A courtesy title such as "Ms" refers to a person, even if a company has the same name."""

import pytest
from plan_world import TODAY, world

from onrecord.types import Plan, Question
from onrecord.understand.planner import plan

HALDEN = ("hal-1", "Halden Cycles, third quarter call", "2024-11-12", "en",
          ("Ines Halden", "Tobias Brandt"), {"company": "Halden Cycles"}, ())  # fmt: skip
OTHER = ("desk-1", "Evening desk: batteries", "2024-12-01", "en",
         ("Mara Linde", "Ines Halden"), {"show": "Evening desk"}, ())  # fmt: skip
STORE = world((HALDEN, OTHER))
WITHOUT = world(((*HALDEN[:4], ("Tobias Brandt",), *HALDEN[5:]), (*OTHER[:4], ("Mara Linde",), *OTHER[5:])))


def asked(text: str, store: object = STORE) -> Plan:
    """Return the plan for a question."""
    return plan(Question(text), store, TODAY, strategies=("balanced", "factual", "acts", "overview"))  # type: ignore[arg-type]


def filters(text: str) -> list[tuple[str, str]]:
    """Return the field and value of each filter of a plan."""
    return [(filter_.field, filter_.value) for filter_ in asked(text).filters]


@pytest.mark.parametrize(
    "title",
    "Ms Ms. Miss Mrs Mr. Dr. Dr Prof. Professor Mme M. Madame Herr Frau Señora Signora Sra. ms. frau".split(),
)
def test_a_title_means_the_person(title: str) -> None:
    """Each title in several languages selects the person, and keeps the subject in the text."""
    text = f"What did {title} Halden say about battery suppliers?"
    assert filters(text) == [("speaker", "Ines Halden")]
    assert "battery suppliers" in asked(text).text


@pytest.mark.parametrize(
    "text",
    [
        "Que dit Mme Halden des batteries ?",
        "According to Ms Halden, who sells batteries?",
        "Hi all, I was late. Could you check what Ms Halden said about batteries? Thanks, Tom",
        "What is Ms Halden's view of batteries?",
        "What did Dr Ines Halden say about batteries?",
        "What did Ines Halden say about batteries?",
    ],
)
def test_wherever_she_is_named(text: str) -> None:
    """A person is found anywhere in the text, by title and surname or by full name."""
    assert filters(text) == [("speaker", "Ines Halden")]


@pytest.mark.parametrize(
    "text",
    ["What did Halden say about batteries?", "I miss Halden: what did Halden say?"],
)
def test_without_one_the_firm_is_meant(text: str) -> None:
    """Without a title, the surname refers to the company."""
    assert ("company", "Halden Cycles") in filters(text)


def test_she_may_be_what_is_spoken_of() -> None:
    """A person with a title may be the subject of a question; then she sets no filter."""
    planned = asked("What did Tobias Brandt say about Ms Halden?")
    assert [filter_.value for filter_ in planned.filters] == ["Tobias Brandt"]
    assert "Ines Halden" in planned.entities
