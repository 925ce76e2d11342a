"""What a question asks of those it names, and whether quotes speak to it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from talks import found, talks

from onrecord.answer.extract import Extractive
from onrecord.answer.focus import focus, spoken_to
from onrecord.answer.honesty import NOTHING, of_one_thing
from onrecord.answer.quotes import Quote, telling
from onrecord.models.base import Calibration
from onrecord.models.double import HashingEmbedder
from onrecord.retrieve import Tools
from onrecord.retrieve.sentences import sentences
from onrecord.types import Evidence, Filter, Moment, Passage, Plan, Question

TALK = Passage("r", 0, "The frames come from Porto.", "Ann Bell", row=1)


class Strict(HashingEmbedder):
    """One whose vectors, of a few words, are near only where the words are the same."""

    calibration = Calibration(floor=0.6, sure=0.8)


def asked(text: str, plan: Plan | None = None) -> str:
    return focus(Evidence(Question(text), (Moment((TALK,), 0.5),), plan=plan))


def quote(text: str, row: int = 1) -> Quote:
    return Quote(tuple(sentences(Passage("r", 0, text, "Ann Bell", row=row))), 0.5, 0)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("What is the salary of Ann Bell?", "salary"),
        ("what is the salary of ann bell?", "salary"),
        ("What is Ann Bell's salary?", "salary"),
        ("Which university did Ann Bell attend?", "university attend"),
        ("How old is Ann Bell?", "old"),
        ("How many children does Bo Lund have?", "children"),
        ("When was Halden Cycles founded?", "founded"),
        ("What is the name of the founder of Halden?", "founder"),
        ("What is the role of Ann Bell?", ""),
        ("Who is Ann Bell?", ""),
        ("What was the advantage of HMRC?", "advantage HMRC"),
        ("Quel est le salaire de Ann Bell ?", "salaire"),
        ("Où habite Bo Lund ?", "habite"),
    ],
)
def test_the_words_without_names_and_without_those_that_only_ask(text: str, left: str) -> None:
    assert asked(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "Why did margins fall?",
        "How did the dealers take it?",
        "What did Ann Bell say about the salary?",
        "What are the risks of batteries?",
        "Compare the salary of Ann Bell with that of Bo Lund",
        "When discussing the salary, what did they fear?",
        "Pourquoi le salaire baisse-t-il ?",
        "salary",
    ],
)
def test_who_asks_for_more_than_one_thing_is_not_held_to_a_word(text: str) -> None:
    assert asked(text) == ""


def test_what_a_filter_was_read_from_is_no_focus() -> None:
    kept = Filter("recording", "r", "the night desk")
    plan = Plan("Who composed the music of the night desk?", filters=(kept,))
    assert asked(plan.text) == "composed music night desk"
    assert asked(plan.text, plan) == "composed music"


def test_quotes_speak_to_a_focus_by_its_words() -> None:
    bare = Tools(talks())
    assert spoken_to("frames", [quote("The frames come from Porto.")], bare) == 1
    assert spoken_to("frame colour", [quote("The frames come from Porto.")], bare) == 0.5
    assert spoken_to("salary", [quote("The frames come from Porto.")], bare) == 0
    assert spoken_to("salary", [], bare) == 0


def test_or_by_what_their_passages_are_near_to() -> None:
    store = talks()
    work = Tools(store, HashingEmbedder())
    told = next(p for p in store.transcript("night desk") if "harbour" in p.text)
    near = [Quote(tuple(sentences(told)), 0.5, 0)]
    everything = told.text.replace("harbour", "harbours").lower() + " zeppelin"
    assert spoken_to(everything, near, Tools(store)) < spoken_to(everything, near, work) == 1
    assert spoken_to("zeppelin", near, work) < 0.5


@given(st.floats(0.01, 0.99), st.floats(0, 0.99), st.floats(0, 0.99))
def test_the_less_is_spoken_to_the_less_sure(sure: float, one: float, other: float) -> None:
    less, more = (of_one_thing(sure, share) for share in sorted((one, other)))
    assert min(sure, NOTHING) <= less <= more <= sure
    assert of_one_thing(sure, 1.0) == sure


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("What share of revenue are electric bicycles?", "answered"),
        ("What is the salary of Bo Lund?", "low_relevance"),
        ("How old is Bo Lund?", "low_relevance"),
    ],
)
def test_that_somebody_speaks_is_no_answer_to_what_nobody_says(text: str, said: str) -> None:
    work = Tools(talks(), Strict())
    evidence = found(Question(text), work)
    best = {"dense": 0.9, "lexical": 3.0}  # as where the name of who speaks is what was found
    evidence = replace(evidence, curve=None, moments=tuple(replace(m, scores=best) for m in evidence.moments))
    answer = Extractive().answer(evidence, work)
    assert answer.verdict == said and answer.citations
    assert (answer.confidence >= 0.4) == (said == "answered")


def test_what_says_nothing_by_itself_is_told_only_where_there_is_nothing_else() -> None:
    nod, told = quote("A-ha, frames."), quote("The frames of the touring bicycles come from Porto.")
    assert telling([nod, told]) == [told]
    assert telling([nod]) == [nod]
    assert telling([]) == []
