"""Greetings, thanks and tests get a short reply that does not look like an answer."""

import pytest
from talks import talks

from onrecord.answer.conversation import courtesy, reply_to_courtesy, without_courtesies
from onrecord.stores.memory import MemoryStore
from onrecord.types import Evidence, Exchange, Question, Scope


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("hello", ("en", "greeting")),
        ("  Hello there!! ", ("en", "greeting")),
        ("hi, thanks", ("en", "greeting")),
        ("Thank you very much.", ("en", "thanks")),
        ("test", ("en", "trial")),
        ("Test test", ("en", "trial")),
        ("Help!", ("en", "help")),
        ("What can I ask?", ("en", "help")),
        ("Bonjour, ça va ?", ("fr", "greeting")),
        ("MERCI beaucoup", ("fr", "thanks")),
        ("à bientôt", ("fr", "parting")),
        ("hello, why did margins fall?", None),
        ("test results", None),
        ("Who says thanks?", None),
        ("What helps?", None),
        ("merci Léa", None),
        ("hello " * 40, None),
        ("?!", None),
        ("", None),
    ],
)
def test_courtesy_is_distinguished_from_questions(text: str, reply: tuple[str, str] | None) -> None:
    assert courtesy(text) == reply


def test_the_word_back_says_what_can_be_asked_and_shows_no_search() -> None:
    question = Question("Thanks!")
    answer = reply_to_courtesy(question, talks())
    assert answer is not None
    assert answer.heading.startswith("You are welcome. Ask about the 2 recordings here")
    assert answer.heading.endswith("What is said in Halden Call?")
    assert (answer.verdict, answer.confidence, answer.text) == ("nothing_found", 0.0, "")
    assert answer.citations == answer.notes == ()
    assert answer.evidence == Evidence(question)


def test_it_is_in_the_language_of_the_greeting() -> None:
    answer = reply_to_courtesy(Question("bonsoir"), talks())
    assert answer is not None
    assert answer.heading.startswith("Bonjour. Demandez ce qui a été dit dans les 2 enregistrements")


def test_it_knows_an_empty_archive_and_an_empty_scope() -> None:
    empty = reply_to_courtesy(Question("hello"), MemoryStore())
    narrow = reply_to_courtesy(Question("hello", Scope(speakers=("Nobody",))), talks())
    assert empty and "no recordings yet" in empty.heading
    assert narrow and "No recording matches" in narrow.heading
    one = reply_to_courtesy(Question("hello", Scope(recordings=("night desk",))), talks())
    assert one and one.heading.endswith("about the recording here, for example: What is said in Night Desk?")


def test_a_question_gets_no_word_back() -> None:
    assert reply_to_courtesy(Question("Why did margins fall?"), talks()) is None


def test_later_questions_lean_on_those_that_ask() -> None:
    asked, hello = Exchange("Why did margins fall?", "Freight."), Exchange("hello", "Hello.")
    assert without_courtesies((hello, asked, Exchange("merci"))) == (asked,)
