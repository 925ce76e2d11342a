"""In a lively recording, talk that stays on the subject is raised; with long turns nothing changes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from worlds import EMBEDDER, lively_tools

from onrecord.retrieve import NeighbourMean, Search, Tools
from onrecord.retrieve.curve.smooth import lively
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Evidence, Passage, Question, Recording


@pytest.fixture(autouse=True)
def few_words_are_a_long_recording(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores flow the full distance although the recordings here have only a few words."""
    monkeypatch.setattr("onrecord.retrieve.curve.layout.FULL", 1)


TALK = [
    "the pump",
    "a pump",
    "this pump",
    "that pump",
    "rain",
    "sun",
    "snow",
    "the pump",
    "rain",
    "sun",
    "snow",
]


def searched(tools: Tools, text: str = "pump") -> Evidence:
    return Search()(Evidence(Question(text)), tools)


def test_talk_that_keeps_to_the_subject_is_raised_above_a_passage_that_stands_alone():
    tools = lively_tools(TALK)
    before = searched(tools)
    after = NeighbourMean(share=0.2, lexical=0, forward=2, backward=1).run(before, tools)
    steady = after.curve.parts["steady"]
    assert steady.max() == pytest.approx(1) and steady.min() == pytest.approx(0)
    assert steady[:4].min() > steady[7] > steady[10]
    counts = lively(before.curve, tools.store, 20)
    assert after.curve.score == pytest.approx(before.curve.score + 0.2 * counts * steady)


def test_words_around_count_as_well():
    talk = ["rain", "the pump", "rain", "sun", "snow", "fog", "ice", "hail", "wind", "dew"]
    tools = lively_tools(talk)
    before = searched(tools)
    without, with_words = (
        NeighbourMean(lexical=share, forward=1, backward=1).run(before, tools) for share in (0, 0.2)
    )
    gained = with_words.curve.score - without.curve.score
    assert gained.argmax() == 1 and gained[0] > gained[9] == pytest.approx(0)


def test_the_occasion_that_a_question_names_is_looked_for_in_the_talk_around():
    talk = ["budget", "a budget", "the pump", "budget", "sun", "sun", "sun", "sun", "the pump", "sun", "sun"]
    tools = lively_tools(talk)
    stage = NeighbourMean(forward=2, backward=2)
    steady = stage.run(searched(tools, "What failed in the pump when they discussed the budget?"), tools)
    assert steady.curve.parts["steady"].argmax() < 4
    assert steady.curve.parts["steady"][2] > steady.curve.parts["steady"][8]


@pytest.mark.parametrize(
    "tools",
    [lively_tools(TALK, TALK), lively_tools(TALK, turns=1), Tools(lively_tools(TALK).store, None)],
    ids=["two recordings", "turns of a hundred words", "no embedder"],
)
def test_elsewhere_nothing_changes(tools):
    before = searched(tools)
    assert NeighbourMean().run(before, tools) == before


def test_recordings_whose_turns_nobody_counted_are_left_alone():
    store = MemoryStore()
    store.add(
        Recording("r", "", "", "test", Details(), 1), [Passage("r", 0, "pump")], (), EMBEDDER.embed(["a"])
    )
    tools = Tools(store, EMBEDDER)
    before = searched(tools)
    assert NeighbourMean().run(before, tools) == before


def test_nothing_in_scope_is_left_as_it_is():
    tools = lively_tools()
    before = searched(tools)
    assert NeighbourMean().run(before, tools) == before


@given(st.lists(st.integers(1, 400), min_size=2, max_size=2, unique=True))
def test_the_shorter_the_turns_the_livelier(turns):
    few, many = sorted(turns)
    slow, quick = (lively_tools(["a"], turns=count) for count in (few, many))
    slower, quicker = (lively(searched(tools).curve, tools.store, 20) for tools in (slow, quick))
    assert 0 <= slower < quicker <= 1
    assert np.isclose(lively(searched(slow).curve, slow.store, 100 / few), 0.5)
