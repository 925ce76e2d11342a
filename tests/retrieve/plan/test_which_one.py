"""What is told where it is not said which recording, firm or speaker is meant, or only by the turn before."""

import pytest
from plan_world import TODAY
from test_facts import Row, tidal

from onrecord.retrieve.plan import plan
from onrecord.types import Exchange, Plan, Question

HALDEN = {"company": "Halden Cycles", "sector": "Bicycles", "bank": "Alder Bank"}
THIRD, SECOND = "Halden Cycles, third quarter call", "Halden Cycles, second quarter call"
COUNCIL, TRAMS = "Harbour council meeting", "Tram works"
ROWS: list[Row] = [
    (THIRD, "2024-11-12", HALDEN, [("Ines Halden", "Margins fell."), ("Bo Lund", "Freight, freight!")], True),
    (SECOND, "2024-08-12", HALDEN, [("Ines Halden", "Margins rose and freight fell.")], True),
    (COUNCIL, "2024-09-12", {}, [("Rosa Vane", "The freight quay is closed."), (None, "Freight?")], True),
    (TRAMS, "2024-09-01", {"company": "Ostra Trams", "sector": "Transport"}, [("Lev Ost", "Loud.")], True),
]
STORE = tidal(ROWS)
MANY = tidal([(f"Call {n}", None, {}, [("Ann", "Freight again.")], False) for n in range(401)])
WAYS = ("balanced", "factual", "overview", "acts")


def asked(text: str, *before: str, store: object = STORE) -> Plan:
    history = tuple(Exchange(turn) for turn in before)
    return plan(Question(text, history=history), store, TODAY, strategies=WAYS)  # type: ignore[arg-type]


def told(text: str, *before: str) -> str:
    return " | ".join(line for fact in asked(text, *before).facts for line in (fact.text, *fact.items))


# ---------------------------------------------------------------- "the meeting", of several recordings


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("How long is the meeting?", f"{COUNCIL} lasts 0:20, up to its last word."),
        ("When was the meeting recorded?", f"{COUNCIL} is dated 2024-09-12."),
        ("Who speaks in the meeting?", f"Rosa Vane speaks in {COUNCIL}."),
        (
            "How long is this call?",
            f"2 recordings could be meant. | {SECOND} lasts 0:10, up to its last word. | {THIRD} lasts 0:20",
        ),
        ("How long is the recording?", f"4 recordings could be meant. | {SECOND} lasts 0:10"),
        (
            "How long is the interview?",
            f'4 recordings could be meant. None of them has "interview" in title or attributes. | {SECOND}',
        ),
        (
            "Who speaks in the call?",
            f"2 recordings could be meant. | Ines Halden speaks in {SECOND}. | Ines Halden and Bo Lund speak",
        ),
        ("How long is the conference call?", f"2 recordings could be meant. | {SECOND} lasts 0:10, up to"),
        ("How long is the council meeting?", f"{COUNCIL} lasts 0:20"),
        ("Which bank is the call?", f'2 recordings could be meant. | "bank" of {SECOND} is Alder Bank. | '),
        ("Combien de temps dure l'appel ?", "4 enregistrements peuvent être ceux-là. Aucun n'a « appel »"),
    ],
)
def test_the_one_that_is_called_so_is_meant_or_all_are_listed(text: str, fact: str) -> None:
    assert told(text).startswith(fact)
    assert asked(text).settled


@pytest.mark.parametrize("text", ["How long is it?", "Who speaks most in the call?", "Who speaks in it?"])
def test_nothing_is_told_where_it_is_not_clear_of_what(text: str) -> None:
    assert not asked(text).facts


def test_what_is_asked_next_is_of_the_same() -> None:
    assert told("Who speaks in it?", "How long is the meeting?") == f"Rosa Vane speaks in {COUNCIL}."
    assert told("How long is the meeting?", f'What was said in "{TRAMS}"?').startswith(TRAMS)


# ---------------------------------------------------------------- attributes, of "that firm"


@pytest.mark.parametrize(
    "text",
    [
        "In which sector is Ostra Trams?",
        "What sector is Ostra Trams in?",
        "What is the sector of Ostra Trams?",
    ],
)
def test_an_attribute_of_one_that_is_named(text: str) -> None:
    assert told(text) == f'"sector" of {TRAMS} is Transport.'


@pytest.mark.parametrize(
    "text",
    [
        "In which sector is that firm?",
        "What is that firm's sector?",
        "And which sector is that?",
        "Which sector is it?",
    ],
)
def test_an_attribute_of_the_firm_before(text: str) -> None:
    assert told(text, "What did Ostra Trams say about noise?") == f'"sector" of {TRAMS} is Transport.'
    two = told(text, "What did Halden Cycles say about margins?")
    assert two == 'There is 1 value of "sector". | Bicycles (2 recordings)'


def test_in_french() -> None:
    before = "Que dit Ostra Trams du bruit ?"
    for text in (
        "Dans quel sector est cette entreprise ?",
        "C'est quel sector ?",
        "De quel sector s'agit-il ?",
    ):
        assert told(text, before) == f"« sector » de {TRAMS} : Transport."


def test_an_attribute_of_whom_somebody_speaks_for() -> None:
    assert (
        told("Which bank is that?", "What did Bo Lund say about freight?")
        == f'"bank" of {THIRD} is Alder Bank.'
    )
    two = told("Which bank is that?", "What did Ines Halden say about margins?")
    assert two == 'There is 1 value of "bank". | Alder Bank (2 recordings)'


@pytest.mark.parametrize(
    "text", ["In which sector is that firm?", "Which bank is that?", "Which ship is that?"]
)
def test_of_nobody_nothing_is_told(text: str) -> None:
    assert not asked(text).facts


# ---------------------------------------------------------------- by whom, after a count

COUNT = '"freight" is said in 4 passages of 3 recordings.'
VOICES = "Bo Lund: 1 passage | Ines Halden: 1 passage | Rosa Vane: 1 passage | nobody known: 1 passage"


@pytest.mark.parametrize("text", ["By whom?", "And by whom?", "by who", "By which speakers?"])
def test_by_whom_it_is_said(text: str) -> None:
    assert told(text, "How often is freight mentioned?") == f"{COUNT} | {VOICES}"
    assert asked(text, "How often is freight mentioned?").text == "freight"


def test_in_one_question_and_in_french() -> None:
    assert told("How often is freight mentioned, and by whom?") == f"{COUNT} | {VOICES}"
    assert told("How often is freight mentioned?") == COUNT
    french = told("Par qui ?", "Combien de fois parle-t-on de freight ?")
    assert french.endswith("| Rosa Vane : 1 passage | on ne sait pas qui : 1 passage")


def test_who_says_it_first_is_told_anyway() -> None:
    first = told("By whom?", "When was freight first mentioned?")
    assert first.startswith(f'"freight" is first said by Ines Halden in {SECOND}')
    assert told("When was freight first mentioned, and by whom?") == first


def test_of_very_many_passages_it_is_not_counted() -> None:
    made = asked("How often is freight mentioned, and by whom?", store=MANY)
    (fact,) = made.facts
    assert fact.items == ("By whom was not counted in 401 passages: name a recording or somebody.",)


def test_by_whom_without_a_count_is_asked_of_what_is_said() -> None:
    made = asked("By whom?", "What was said about freight?")
    assert not made.facts and "freight" in made.text
