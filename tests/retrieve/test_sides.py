"""Comparisons: a search for each side, equal shares, side by side."""

import pytest
from worlds import EMBEDDER, places

from onrecord.retrieve import Moments, Search, Sides, Tools
from onrecord.retrieve.loops.sides import SIDE, names_apart, without_names
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Evidence, Passage, Plan, Question, Recording

SINGLE = Search() >> Moments(words=400, longest=0)
TALK = {
    "desk": (
        ("Ann Bell", "Tariffs raise prices for everybody who buys steel."),
        ("Ann Bell", "Tariffs, tariffs, tariffs: steel tariffs are all that I hear about."),
        ("Ann Bell", "Steel tariffs again, and prices with them."),
        ("Bob Cray", "I think tariffs protect the mills here."),
        ("Bob Cray", "My garden is full of roses, and no tariffs grow there."),
        ("Bob Cray", "Steel is what the mills make."),
        ("Ann Bell", "Without tariffs the steel mills would close, some say."),
    ),
    "mill": (("Cleo Dunn", "The mills were built long ago."),),
}


@pytest.fixture
def tools() -> Tools:
    store = MemoryStore()
    for name, texts in TALK.items():
        passages = [Passage(name, at, text, speaker) for at, (speaker, text) in enumerate(texts)]
        people = tuple(dict.fromkeys(speaker for speaker, _ in texts))
        details = Details(title=f"The {name.title()} hour", people=people)
        recording = Recording(name, name, name, "t", details, len(texts), speakers=people)
        store.add(recording, passages, vectors=EMBEDDER.embed([p.spoken for p in passages]))
    return Tools(store, EMBEDDER)


def shares(evidence: Evidence) -> list[int]:
    return [sum(f"{SIDE}{n}" in m.scores for m in evidence.moments) for n in range(2)]


def test_each_side_has_its_share_and_speaks_for_itself(tools: Tools) -> None:
    evidence = Sides(SINGLE, each=2)(Evidence(Question("Compare Ann Bell and Bob Cray on tariffs")), tools)
    assert shares(evidence) == [2, 2]
    assert [m.passages[0].speaker for m in evidence.moments] == ["Ann Bell", "Bob Cray"] * 2
    alone = SINGLE(Evidence(Question("tariffs")), tools).moments[:4]
    assert [m.passages[0].speaker for m in alone].count("Ann Bell") == 3  # she says the word more often
    assert (
        evidence.plan is not None
        and evidence.plan.strategy == "comparison"
        and len(evidence.plan.queries) == 2
    )
    assert evidence.trace[-1].note.endswith(": 2")
    assert evidence.question.text == "Compare Ann Bell and Bob Cray on tariffs"


def test_no_passage_is_shown_for_two_sides(tools: Tools) -> None:
    plan = Plan("steel", "comparison", queries=("steel tariffs", "tariffs on steel"))
    evidence = Sides(SINGLE, each=3)(Evidence(Question("steel"), plan=plan), tools)
    shown = [place for name, at in places(evidence.moments) for place in ((name, one) for one in at)]
    assert len(shown) == len(set(shown)) == 3
    assert shares(evidence) == [3, 3]  # the shared moment counts for both sides


def test_a_side_that_is_a_recording_is_searched_for_there(tools: Tools) -> None:
    plan = Plan(
        "x",
        "comparison",
        entities=("Mill", "Desk"),
        queries=("The Mill hour on mills", "The Desk hour on mills"),
    )
    evidence = Sides(SINGLE, each=2)(Evidence(Question("x"), plan=plan), tools)
    sides = [{m.recording for m in evidence.moments if f"{SIDE}{n}" in m.scores} for n in range(2)]
    assert sides == [{"mill"}, {"desk"}]


def test_a_side_about_which_nothing_is_said_stays_empty(tools: Tools) -> None:
    plan = Plan(
        "x",
        "comparison",
        entities=("Mill", "Desk"),
        queries=("The Mill hour on roses", "The Desk hour on roses"),
    )
    evidence = Sides(SINGLE)(Evidence(Question("x"), plan=plan), tools)
    assert shares(evidence)[0] == 0 and {m.recording for m in evidence.moments} == {"desk"}


def test_a_question_without_sides_is_asked_as_it_is(tools: Tools) -> None:
    asked = Evidence(Question("tariffs"))
    evidence = Sides(SINGLE)(asked, tools)
    assert evidence.moments == SINGLE(asked, tools).moments
    assert evidence.trace[-1].note == "the question has no sides" and evidence.plan is None


def test_the_curve_is_the_best_of_each_side(tools: Tools) -> None:
    evidence = Sides(SINGLE)(Evidence(Question("Compare Ann Bell and Bob Cray on tariffs")), tools)
    assert evidence.curve is not None
    assert evidence.curve.timeline.rows.tolist() == tools.store.timeline().rows.tolist()
    by_row = dict(zip(evidence.curve.timeline.rows.tolist(), evidence.curve.score.tolist(), strict=True))
    for moment in evidence.moments:
        assert by_row[moment.passages[0].row] == pytest.approx(moment.score)


def test_what_all_sides_are_asked_about_tells_none_from_another() -> None:
    queries = ("What did Ann Bell say about Vantor?", "What did Bob Cray say about Vantor?")
    plan = Plan("x", "multi_entity", entities=("Ann Bell", "Bob Cray", "Vantor"), queries=queries)
    assert names_apart(plan) == ["Ann Bell", "Bob Cray"]


@pytest.mark.parametrize(
    ("query", "names", "asked"),
    [
        ("Ann Bell on tariffs", ["Ann Bell"], "tariffs"),
        ("What did Ann Bell say about tariffs?", ["Ann Bell"], "What did say about tariffs?"),
        ("Ann Bell", ["Ann Bell"], "Ann Bell"),
        ("How does Ann differ on steel tariffs?", ["Ann"], "steel tariffs?"),
        ("Ann's view of tariffs", ["Ann"], "view of tariffs"),
    ],
)
def test_what_is_asked_of_a_side(query: str, names: list[str], asked: str) -> None:
    assert without_names(query, names) == asked


def test_a_side_that_is_a_firm_is_searched_for_in_its_calls() -> None:
    store = MemoryStore()
    for name, firm in (("one", "Vantor Foods"), ("two", "Meridell Steel"), ("three", "")):
        attributes = {"company": firm} if firm else {}
        text = f"the steel price hurt us, says {name}"
        recording = Recording(name, name, name, "t", Details(title="A call", attributes=attributes), 1)
        store.add(recording, [Passage(name, 0, text)], vectors=EMBEDDER.embed([text]))
    asked = Question("How did the steel price hit Vantor versus everybody else?")
    plan = Plan(asked.text, "comparison", queries=("steel price at Vantor", "steel price of everybody else"))
    evidence = Sides(SINGLE, each=3)(Evidence(asked, plan=plan), Tools(store, EMBEDDER))
    sides = [{m.recording for m in evidence.moments if f"{SIDE}{n}" in m.scores} for n in range(2)]
    assert sides[0] == {"one"} and {"two", "three"} <= sides[1]
