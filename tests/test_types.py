"""The value types: times and speakers in passages, details, scopes and plans."""

import pytest

from onrecord.types import Details, Filter, Passage, Plan, QuestionHints, Scope, one_line

TALK = Passage(
    "r",
    0,
    "Shall we? Yes. Good.",
    speaker="Ann",
    start=10.0,
    end=14.0,
    marks=((0, 10.0), (9, 11.0), (10, 12.0), (20, 14.0)),
    voices=((0, "Ann"), (10, "Bob"), (15, None)),
)


@pytest.mark.parametrize(
    ("offset", "second"), [(0, 10.0), (9, 11.0), (10, 12.0), (15, 13.0), (20, 14.0), (99, 14.0)]
)
def test_time_at_runs_evenly_between_marks(offset, second):
    """Times are interpolated linearly between marks."""
    assert TALK.time_at(offset) == second


def test_time_at_without_times_is_none():
    assert Passage("r", 0, "words").time_at(3) is None


def test_time_at_uses_start_and_end_where_there_are_no_marks():
    assert Passage("r", 0, "0123456789", start=0.0, end=10.0).time_at(5) == 5.0


@pytest.mark.parametrize(("offset", "speaker"), [(0, "Ann"), (9, "Ann"), (10, "Bob"), (15, None)])
def test_speaker_at(offset, speaker):
    assert TALK.speaker_at(offset) == speaker


def test_spoken_names_whoever_speaks():
    """The spoken text names each speaker at the start of a turn."""
    assert TALK.spoken == "Ann: Shall we? Bob: Yes. Good."
    assert Passage("r", 0, "Hello.", speaker="Ann").spoken == "Ann: Hello."
    assert Passage("r", 0, "Hello.").spoken == "Hello."


def test_details_are_completed_by_what_they_do_not_say():
    """Missing details are taken from the base details."""
    details = Details(title="A", attributes={"show": "x"})
    base = Details(title="B", date="2024", attributes={"show": "y", "bank": "z"})
    assert details.over(base) == Details("A", "2024", attributes={"show": "x", "bank": "z"})


def test_an_empty_scope_is_false():
    assert not Scope()
    assert Scope(since="2024")


def test_a_single_text_is_one_value_of_a_field_of_several() -> None:
    """A text in place of several texts is one of them, not its letters."""
    assert Scope(speakers="Kelly", sections=["Q&A"]) == Scope(speakers=("Kelly",), sections=("Q&A",))
    assert QuestionHints(queries="Who paid?").queries == ("Who paid?",)


def test_one_line_is_a_part_of_a_line() -> None:
    """Control characters are removed, and whitespace is collapsed."""
    assert one_line(" Night\tDesk \n\x1b[31m 12\u202e ") == "Night Desk [31m 12"


def test_a_plan_says_what_is_related_and_how_hard_the_question_is() -> None:
    """Requirement D1: a plan has the required relations and the complexity."""
    assert (Plan("How many ships?").relations, Plan("How many ships?").complexity) == ((), "simple")
    causal = Plan("Why did copper ruin Ann and Bo?", "causal", entities=("Ann", "Bo"))
    assert (causal.relations, causal.complexity) == ((("Ann", "causes", "Bo"),), "complex")
    three = Plan("Ann, Bo and Cy", "comparison", entities=("Ann", "Bo", "Cy"), queries=("Ann", "Bo", "Cy"))
    assert [pair for pair in three.relations if pair[1] != "differs from"] == []
    assert (len(three.relations), three.complexity) == (3, "complex")
    assert Plan("Why did rents rise?", "causal").complexity == "moderate"
    assert Plan("Ann and Bo?", entities=("Ann", "Bo")).relations == ()


def test_a_scope_narrowed_by_filters_has_their_values() -> None:
    """Filters of one field add up; an end of a date and an attribute have one value; other fields stay."""
    people = (Filter("speaker", "Ann", "Ann"), Filter("speaker", "Bob", "Bob"))
    given = Scope(languages=("en",), attributes={"year": "2024"})
    narrowed = given.narrowed((*people, Filter("since", "2024-03", "March"), Filter("bank", "TD", "TD")))
    assert narrowed == Scope(
        speakers=("Ann", "Bob"), since="2024-03", languages=("en",), attributes={"year": "2024", "bank": "TD"}
    )
