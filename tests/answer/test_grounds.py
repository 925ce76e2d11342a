"""Contradictions between a statement and its sources, kind by kind."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.answer.clauses import Spoken
from onrecord.answer.grounds import Ground

SENTENCES = (
    Spoken("The old bridge carries forty tonnes, the new one carries sixty.", "Ann Bell"),
    Spoken("We closed the ferry in May because the engine broke.", "Ann Bell"),
    Spoken("I would keep the ferry.", "Bo Lund"),
    Spoken("Fares went from five to seven crowns.", "Bo Lund"),
    Spoken("The council did not ask the bakers.", "Ann Bell"),
    Spoken("Pears ripen before apples.", "Bo Lund"),
    Spoken("Tickets became dearer, about forty trams a week are late.", "Bo Lund"),
    Spoken("Joan Marsh built the pier at Tolm.", "Bo Lund"),
    Spoken("The lamp at Varga was built by Emil Roth.", "Bo Lund"),
    Spoken("They say that the mayor sold the harbour.", "Ann Bell"),
    Spoken("He did not.", "Ann Bell"),
    Spoken("The pump is oiled twice a month, and mowing takes seventy minutes per hectare.", "Bo Lund"),
    Spoken("The fair opens on the sixth of August, and the second raft carries the goats.", "Ann Bell"),
    Spoken("Geese are the loud ones, they sleep in the reeds.", "Ann Bell"),
)


def doubts(text: str) -> list[str]:
    return Ground(SENTENCES).doubts(text)


@pytest.mark.parametrize(
    ("said", "stated", "expected"),
    [
        ("We did not open the office in San Rivo.", "The office in San Rivo was opened.", ["negation"]),
        ("We opened the office in San Rivo.", "The office in San Rivo was not opened.", ["negation"]),
        ("We opened the office last year.", "The San Rivo office opened last year.", []),
        ("Le vélo roule sans frein.", "Le vélo roule avec frein.", ["negation"]),
        ("We had zero accidents at the pier.", "There were accidents at the pier.", ["negation"]),
        ("We had zero accidents at the pier.", "There were no accidents at the pier.", []),
        ("We had no accidents at the pier.", "There were zero accidents at the pier.", []),
    ],
)
def test_zero_and_sans_deny_and_san_is_a_name(said: str, stated: str, expected: list[str]) -> None:
    assert Ground((Spoken(said, "Ann Bell"),)).doubts(stated) == expected


@pytest.mark.parametrize(
    ("said", "stated", "expected"),
    [
        ("It is simply not true that Halden missed its target.", "Halden missed its target.", ["negation"]),
        ("Nobody believes that Halden missed its target.", "Halden missed its target.", ["negation"]),
        ("Bo denies that Halden missed its target.", "Halden missed its target.", ["negation"]),
        ("I doubt that Halden missed its target.", "Halden missed its target.", ["negation"]),
        ("Il n'est pas vrai que Halden perd le bac.", "Halden perd le bac.", ["negation"]),
        (
            "Nobody believes that Halden missed its target.",
            "It is not true that Halden missed its target.",
            [],
        ),
        ("I do not doubt that Halden missed its target.", "Halden missed its target.", []),
        ("We did not notice that Halden missed its target.", "Halden missed its target.", []),
        ("It is true that Halden missed its target.", "Halden missed its target.", []),
    ],
)
def test_a_clause_is_denied_by_the_words_before_that(said: str, stated: str, expected: list[str]) -> None:
    assert Ground((Spoken(said, "Ann Bell"),)).doubts(stated) == expected


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ("The pier answers within five calendar days.", ["unit"]),
        ("The pier answers within five business days.", []),
        ("The pier answers within five days.", []),
    ],
)
def test_a_word_between_figure_and_unit_counts(stated: str, expected: list[str]) -> None:
    assert (
        Ground((Spoken("The pier answers within five business days.", "Ann Bell"),)).doubts(stated)
        == expected
    )


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ("Halden bought Portlink in the spring.", []),
        ("Portlink bought Halden in the spring.", ["subject"]),
        ("Portlink bought Halden in the spring of 2019.", ["subject"]),
        ("Portlink was bought by Halden in the spring.", []),
    ],
)
def test_names_on_either_side_of_a_verb_are_not_exchanged(stated: str, expected: list[str]) -> None:
    said = Spoken("Halden bought Portlink in the spring of 2019.", "Ann Bell")
    assert Ground((said,)).doubts(stated) == expected


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ("The council cut the dividend by three crowns.", []),
        ("The mayor cut the dividend by three crowns.", ["subject"]),
        ("Portlink cut the dividend by three crowns.", []),
        ("The dividend was cut by three crowns after long talks in the council hall.", []),
    ],
)
def test_a_word_that_nobody_says_is_in_no_place_of_another(stated: str, expected: list[str]) -> None:
    said = Spoken("The council cut the dividend by three crowns in March.", "Ann Bell")
    assert Ground((said,)).doubts(stated) == expected


SHIPYARD = (
    Spoken("Because at the tail end of my time at Halden, it was really leading the paint crew.", "Ann Bell"),
    Spoken("Portlink has an incredibly strong painting discipline.", "Ann Bell"),
    Spoken("It was my apprentice who sent the invoice by mistake.", "Ann Bell"),
    Spoken("We argued about the invoice for a month.", "Bo Lund"),
    Spoken("Primer - we do not need it on oak.", "Ann Bell"),
    Spoken("We use the primer coat for varnish.", "Ann Bell"),
    Spoken("Nobody wants to row at night.", "Bo Lund"),
    Spoken("We built 2,143 boats in all.", "Bo Lund"),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # a firm or town that the statement itself names is no rival of the speaker
        ("At Halden, Bell led the paint crew.", []),
        ("Bell considers painting to be Portlink's strongest discipline.", []),
        # two words that are said tell nothing of the place of the others
        ("Bell blames a junior colleague for mailing the invoice too early to customers.", []),
        ("Finding volunteers for night shifts has become hard lately.", []),
        # what is denied was said in other words
        ("The primer coat isn't required; it is there for varnish.", []),
        ("The primer coat is not used for varnish.", ["negation"]),
        ("They built about 2,100 boats in all.", []),
        ("They built about 2,200 boats in all.", ["figure"]),
    ],
)
def test_free_wording_is_doubted_only_where_the_rest_is_said(text: str, expected: list[str]) -> None:
    assert Ground(SHIPYARD).doubts(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The old bridge carries 40 tonnes.",
        "The ferry was closed in May because the engine broke.",
        "Bo Lund would keep the ferry.",
        "Fares went up from 5 to 7 crowns.",
        "The bakers were not asked by the council.",
        "Pears ripen before the apples.",
        "Tickets became more expensive.",
        "The pier at Tolm was built by Joan Marsh.",
        "Geese sleep in the reeds.",
        "The mayor did not sell the harbour.",
        "The pump is oiled two times a month.",
        "Mowing takes seventy minutes per hectare.",
        "The second raft carries the goats first.",
        "The fair opens on August 6th.",
        "",
    ],
)
def test_what_is_said_is_not_doubted(text: str) -> None:
    assert doubts(text) == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The old bridge carries sixty tonnes.", "figure"),
        ("The old bridge carries 50 tonnes.", "figure"),
        ("The old bridge carries forty miles.", "unit"),
        ("Fares went from seven to five crowns.", "figure"),
        ("Ann Bell would keep the ferry.", "name"),
        ("The council asked the bakers.", "negation"),
        ("The ferry was closed in May because the council asked.", "cause"),
        ("We opened the ferry in May.", "direction"),
        ("Tickets became cheaper.", "direction"),
        ("Apples ripen before pears.", "subject"),
        ("About forty trams a day are late.", "unit"),
        ("The pump is oiled twice a week.", "unit"),
        ("Mowing takes seventy minutes per acre.", "unit"),
        ("The fair opens on the sixteenth of August.", "figure"),
        ("The fair opens on the twenty-sixth of August.", "figure"),
        ("The first raft carries the goats.", "figure"),
        ("Joan Roth built the pier at Tolm.", "name"),
        ("Joan Marsh built the pier at Varga.", "name"),
        ("The ferry sleeps in the reeds.", "subject"),
        ("Ann Bell says that she would keep the ferry.", "subject"),
    ],
)
def test_what_is_said_otherwise_is_recognized_by_its_kind(text: str, kind: str) -> None:
    assert kind in doubts(text)


@given(st.text(max_size=80), st.lists(st.text(max_size=60), max_size=4))
def test_any_texts_can_be_held_against_one_another(text: str, texts: list[str]) -> None:
    Ground([Spoken(one, "Ann") for one in texts]).doubts(text)


def calls_of_doubts(sentences: int) -> int:
    """Return how many functions are called to check statements against this many sentences."""
    said = [f"In year {n} the margin of division {n} fell by {n} percent, said Bo." for n in range(sentences)]
    ground, calls = Ground([Spoken(text) for text in said]), 0

    def count(*_: object) -> None:
        nonlocal calls
        calls += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        for n in range(5):
            ground.doubts(f"The margin of division {n} fell by {n} percent because freight was dear.")
    finally:
        sys.setprofile(before)
    return calls


def test_the_work_of_a_check_grows_with_what_was_said_and_no_faster() -> None:
    calls_of_doubts(1)  # fills the caches
    assert calls_of_doubts(160) < 6 * calls_of_doubts(40)
