"""The subject of a question without its framing words."""

import pytest

from onrecord.retrieve.wording import point, subject


@pytest.mark.parametrize(
    ("asked", "about"),
    [
        ("Summarize the discussion about battery life.", "battery life"),
        ("Could you please summarise what was said about battery life?", "battery life"),
        ("Give me a short overview of battery life", "battery life"),
        ("What did the group think about battery life?", "battery life"),
        ("What was said on battery life?", "battery life"),
        ("What's new on battery life?", "What's new on battery life"),
        ("Why did margins fall?", "Why did margins fall"),
        ("What did Kelly say about tariffs?", "What did Kelly say about tariffs"),
        ("Résume la discussion sur les batteries.", "les batteries"),
        ("Qu'est-ce qu'ils ont dit sur la taxe carbone ?", "la taxe carbone"),
        ("Pouvez-vous résumer la discussion sur les batteries ?", "les batteries"),
        ("Que disent-ils sur la taxe carbone ?", "la taxe carbone"),
        ("  battery\n life ", "battery life"),
        ("Which episodes talk about tariffs?", "tariffs"),
        ("What other recordings mention Porto?", "Porto"),
        ("Give me three quotes about burnout", "burnout"),
        ("list all mentions of freight", "freight"),
        ("List the risks that RWE named", "risks that RWE named"),
        ("Name all of the bakers in Porto", "bakers in Porto"),
        ("Liste les risques du fret", "risques du fret"),
        ("The list of the bakers", "The list of the bakers"),
        ("Read a brief summary of the talks about rents", "rents"),
        ("Read the report about rents", "Read the report about rents"),
        ("In which meetings do they discuss the gate?", "the gate"),
        ("Quels épisodes parlent des tarifs ?", "tarifs"),
        ("Dans quels enregistrements parle-t-on de la piscine ?", "la piscine"),
        ("Which meeting is next?", "Which meeting is next"),
    ],
)
def test_the_frame_is_left_out(asked: str, about: str) -> None:
    assert subject(asked) == about


@pytest.mark.parametrize("asked", ["Summarize it.", "Explain", "?", "", "Tell me about us"])
def test_what_would_leave_nothing_stays_whole(asked: str) -> None:
    assert subject(asked) == asked


@pytest.mark.parametrize(
    ("asked", "about"),
    [
        ("Why did Ann doubt the valve when discussing costs?", "Why did Ann doubt the valve"),
        (
            "What did Ann propose about chips while she was talking about costs?",
            "What did Ann propose about chips",
        ),
        ("Who wanted to buy bricks in the discussion of the wall?", "Who wanted to buy bricks"),
        ("What happened to prices when the war began?", "What happened to prices when the war began"),
        ("How did it go when presenting the pump?", "How did it go"),
        ("What came up during the discussion of pay?", "What came up during the discussion of pay"),
    ],
)
def test_the_point_leaves_out_the_occasion(asked, about):
    assert point(asked) == about
