"""In a lively recording, passages among other good ones are raised; elsewhere nothing changes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from worlds import lively_tools

from onrecord.errors import SettingError
from onrecord.retrieve import Search, Tools, WideNeighbourMean
from onrecord.retrieve.curve.smooth import lively
from onrecord.types import Evidence, Question


@pytest.fixture(autouse=True)
def few_words_are_a_long_recording(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores flow the full distance although the recordings here have only a few words."""
    monkeypatch.setattr("onrecord.retrieve.curve.layout.FULL", 1)


TALK = ["the pump", "rain", "the pump", "sun", "snow", "fog", "wind", "hail", "ice", "the pump"]


def searched(tools: Tools) -> Evidence:
    return Search()(Evidence(Question("pump")), tools)


def test_of_passages_that_are_as_good_the_one_near_another_good_one_wins():
    tools = lively_tools(TALK)
    before = searched(tools)
    assert before.curve.score[0] == pytest.approx(before.curve.score[9])
    after = WideNeighbourMean(share=0.3, words=4).run(before, tools).curve
    assert after.score[0] > after.score[9] > after.score[5]
    assert after.score[1] > after.score[5]
    counts = lively(before.curve, tools.store, 20)
    stretched = before.curve.score - before.curve.score.min()
    stretched /= stretched.max()
    assert after.score == pytest.approx(stretched + 0.3 * counts * after.parts["region"])


def test_a_share_of_nothing_leaves_the_ranking():
    tools = lively_tools(TALK)
    before = searched(tools)
    after = WideNeighbourMean(share=0).run(before, tools)
    assert np.argsort(-after.curve.score, kind="stable").tolist() == (
        np.argsort(-before.curve.score, kind="stable").tolist()
    )


@pytest.mark.parametrize(
    "tools",
    [lively_tools(TALK, TALK), lively_tools(TALK, turns=1), lively_tools()],
    ids=["two", "long turns", "none"],
)
def test_elsewhere_nothing_changes(tools):
    before = searched(tools)
    assert WideNeighbourMean().run(before, tools) == before


def test_without_a_curve_nothing_changes():
    tools = lively_tools(TALK)
    before = Evidence(Question("pump"))
    assert WideNeighbourMean().run(before, tools) == before


def test_words_are_enough_for_it():
    tools = Tools(lively_tools(TALK).store, None)
    after = WideNeighbourMean(words=4).run(searched(tools), tools).curve
    assert after.score[0] > after.score[9]


@given(st.lists(st.sampled_from(["the pump", "rain", "a pump is a pump"]), min_size=1, max_size=30))
def test_the_region_lies_in_zero_to_one(texts):
    tools = lively_tools(texts)
    after = WideNeighbourMean(words=3).run(searched(tools), tools).curve
    assert after.parts["region"].min() >= 0 and after.parts["region"].max() <= 1
    assert np.isfinite(after.score).all()


def test_a_power_of_nothing_is_refused():
    with pytest.raises(SettingError, match="power"):
        WideNeighbourMean(power=0)
