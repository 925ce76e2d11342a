"""A number, and who holds an office, are told in quotes or they are not."""

from dataclasses import replace

import pytest
from talks import add, found, talks

from onrecord.answer.extract import Extractive
from onrecord.answer.quotes import Quote
from onrecord.answer.told import ELSEWHERE, named_in, told_by
from onrecord.models.double import HashingEmbedder
from onrecord.retrieve import Tools
from onrecord.retrieve.sentences import sentences
from onrecord.retrieve.wording import Wording
from onrecord.stores.memory import MemoryStore
from onrecord.types import Evidence, Moment, Passage, Question


def share(question: str, *said: str) -> float:
    talk = [Passage("r", at, text, "Ann Bell", row=at) for at, text in enumerate(said)]
    quotes = [Quote(tuple(sentences(passage)), 0.5, at) for at, passage in enumerate(talk)]
    evidence = Evidence(Question(question), tuple(Moment((passage,), 0.5) for passage in talk))
    return told_by(evidence, quotes, Tools(talks()))


@pytest.mark.parametrize(
    "said",
    [
        "We have 14 microphones in the hall.",
        "Twelve microphones hang there.",
        "There is one microphone in the hall.",
        "There is only one.",
        "We own dozens of them, microphones of every kind.",
        "The microphones are new. We bought three.",
    ],
)
def test_a_number_near_what_is_counted_is_told(said: str) -> None:
    assert share("How many microphones does the desk have?", said) > 0
    assert share("How many microphones does the desk have?", said, "So it is.") > 0


@pytest.mark.parametrize(
    "said",
    [
        "The microphone was on, and nobody knew.",
        "One of them broke the microphone in the first quarter of 2019.",
        "I love microphones.",
    ],
)
def test_without_a_number_none_is_told(said: str) -> None:
    assert share("How many microphones does the desk have?", said) == 0
    assert share("What number of microphones does the desk have?", said) == 0
    assert share("Combien de microphones a la radio ?", said) == 0


def test_a_number_of_something_else_tells_less() -> None:
    said = ("The microphones are new.", "The desk costs 300 euros.")
    assert share("How many microphones does the desk have?", *said) == ELSEWHERE


def test_a_share_is_told_by_a_number() -> None:
    assert share("What percentage of shops sell frames?", "Shops sell frames, and gladly.") == 0
    assert share("What percentage of shops sell frames?", "Some 40 percent of the shops sell frames.") == 1


@pytest.mark.parametrize(
    ("question", "said", "much"),
    [
        ("Who is the CFO of Halden?", "My CFO cares for batteries.", 0),
        ("Who is the CFO of Halden?", "Halden is a new firm now.", 0),
        ("Who is the CFO of Halden?", "Ann Bell is the chief financial officer of Halden.", 1),
        ("Who is the CFO of Halden?", "I work for Halden. I am the CFO there.", 1),
        ("Who is Halden's CEO?", "Ann Bell, CEO of Halden, will speak first.", 1),
        ("who's the ceo of halden", "Halden sells bicycles.", 0),
        ("Qui est la directrice financière de Halden ?", "Notre directrice financière est là.", 0),
        ("Who is the CFO?", "Halden is a new firm now.", 1),
        ("Who is Ann Bell?", "Halden is a new firm now.", 1),
        ("Why did margins fall?", "Freight doubled.", 1),
    ],
)
def test_an_office_and_its_place_are_told_together(question: str, said: str, much: float) -> None:
    assert share(question, said) == much


def test_a_recording_may_name_the_place_by_its_title() -> None:
    talk = Passage("halden call", 0, "Our CFO, Ann Bell, runs through the numbers.", "Bo Lund", row=0)
    evidence = Evidence(Question("Who is the CFO of Halden?"), (Moment((talk,), 0.5),))
    assert told_by(evidence, [Quote(tuple(sentences(talk)), 0.5, 0)], Tools(talks())) == 1


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("What is hard about learning Go is that nobody teaches it.", "answered"),
        ("What is hard about learning is that nobody can go and teach it.", "low_relevance"),
    ],
)
def test_a_name_that_is_a_function_word_too_must_be_said(said: str, verdict: str) -> None:
    store = MemoryStore()
    add(store, "shop", [("Ann Bell", said)])
    add(
        store, "desk", [("Bo Lund", "We sell a game of stones that is called Go here."), ("Bo Lund", "Rain.")]
    )
    work = Tools(store, HashingEmbedder())
    evidence = found(Question("What is hard about learning Go?"), work)
    best = tuple(m for m in evidence.moments if m.recording == "shop")
    evidence = replace(evidence, moments=best)
    assert Extractive().answer(evidence, work).verdict == verdict


def test_a_word_whose_stem_is_a_function_word_need_not_be_said() -> None:
    words = Wording({"them": 0.5, "interview": 0.5})
    quotes = [
        Quote(tuple(sentences(Passage("r", 0, "The interviews went well.", "Ann Bell", row=0))), 0.5, 0)
    ]
    assert named_in("What themes come up in interviews?", words, quotes)
    assert not named_in("What comes up in interviews with Them?", words, quotes)


def test_an_answer_without_the_number_asked_for_is_none() -> None:
    store = MemoryStore()
    add(
        store,
        "shop",
        [("Ann Bell", "Dealers asked us not to raise prices after the tariff, and we did not.")],
    )
    work = Tools(store, HashingEmbedder())
    why, many = (
        Question(f"{begin} dealers asked us not to raise prices?") for begin in ("Why have", "How many")
    )
    assert Extractive().answer(found(why, work), work).verdict == "answered"
    answer = Extractive().answer(found(many, work), work)
    assert answer.verdict == "low_relevance" and answer.citations
