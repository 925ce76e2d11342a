"""The relevance of each sentence of the evidence."""

from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from talks import evidence_for, talks, tools, whole

from onrecord.answer.extract import Extractive
from onrecord.answer.judging import subject_asked
from onrecord.answer.talk import Talk
from onrecord.retrieve import RecordingPrior, Tools
from onrecord.types import Question
from onrecord.understand.planner import plan


def test_a_sentence_is_worth_what_it_is_by_itself_wherever_its_recording_stands() -> None:
    work = tools(talks())
    evidence = evidence_for(Question("Why did margins fall?"), work)
    weighed = RecordingPrior().run(evidence, work)
    assert evidence.curve is not None and weighed.curve is not None
    assert not np.array_equal(weighed.curve.score, evidence.curve.score)
    before, after = Talk(evidence, 8, work.store), Talk(weighed, 8, work.store)
    assert after.relevance.tolist() == pytest.approx(before.relevance.tolist())


def quoted(text: str, work: Tools) -> str:
    """Return the first quote of an answer about the Halden call, with its speaker."""
    question = Question(text)
    evidence = replace(evidence_for(question, work), plan=plan(question, work.store, date(2025, 1, 1)))
    first = Extractive().answer(evidence, work).citations[0]
    return f"{first.speaker}: {first.quote}"


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("Who asked about the harbour lease?", "Claire Dumont"),
        ("harbour lease", "Claire Dumont"),
        ("When does the harbour lease end?", "Ann Bell"),
    ],
)
def test_who_asks_answers_only_a_question_for_who_asks(text: str, speaker: str) -> None:
    store = talks(
        ("Claire Dumont", "When does the harbour lease end?"),
        ("Ann Bell", "It runs out in the spring of next year."),
    )
    assert quoted(text, tools(store)).startswith(speaker)


def test_the_words_that_ask_for_an_act_are_no_subject() -> None:
    work = tools(talks())
    question = Question("Who asked about the tariff on frames?")
    evidence = replace(evidence_for(question, work), plan=plan(question, work.store, date(2025, 1, 1)))
    assert "asked" not in subject_asked(evidence) and "tariff" in subject_asked(evidence)


@pytest.mark.parametrize(
    ("text", "expected"), [("harbour lease", 1.0), ("What about the harbour lease?", 0.0)]
)
def test_what_leads_up_to_a_question_is_what_keywords_look_for(text: str, expected: float) -> None:
    lead = "The skippers would like to hear about the harbour lease."
    store = talks(
        ("Claire Dumont", f"{lead} Can you tell them?"),
        ("Ann Bell", "We talk to the owner of the harbour every week."),
    )
    talk = Talk(whole(Question(text), tools(store)), 8, store)
    chance = np.array([sentence.text == lead for sentence in talk.sentences], np.float32)
    handed = talk.hand_to_replies(chance, text)
    assert chance.sum() == 1 and handed[chance > 0] == expected
