"""The recording prior: a recording that repeatedly discusses a subject beats a single passage elsewhere."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from worlds import curve_of, store_of, timeline_of

from onrecord.errors import SettingError
from onrecord.retrieve import RecordingPrior, Tools
from onrecord.types import Curve, Evidence, Question

TOOLS = Tools(store_of({}))


def weighed(scores, places, share=0.75, softness=0.06, words=10):
    evidence = Evidence(
        Question("anything"), curve=Curve(timeline_of(places, words), np.array(scores, np.float32))
    )
    return RecordingPrior(share, softness).run(evidence, TOOLS).curve


TWO = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]


def test_of_places_that_are_as_good_the_one_among_others_wins():
    after = weighed([0.9, 0.1, 0.1, 0.9, 0.85, 0.8], TWO)
    assert after.score[3] > after.score[0] > after.score[1]
    assert after.score[3:] == pytest.approx([0.9, 0.85, 0.8])


def test_it_is_the_soft_maximum_that_counts():
    scores, softness = np.array([0.5, 0.2, 0.3, 0.4, 0.4, 0.4]), 0.1
    soft = [softness * np.log(np.exp(part / softness).mean()) for part in np.split(scores, 2)]
    after = weighed(scores, TWO, share=1, softness=softness)
    assert after.parts["likely"] == pytest.approx(np.repeat(soft, 3), abs=1e-5)
    assert after.score == pytest.approx(scores - np.repeat(max(soft) - np.array(soft), 3), abs=1e-5)


def test_what_each_place_is_worth_by_itself_is_kept():
    scores = [0.9, 0.1, 0.1, 0.9, 0.85, 0.8]
    assert weighed(scores, TWO).parts["alone"] == pytest.approx(scores)


def test_a_long_recording_gains_nothing_by_its_length():
    short, long = [(0, at) for at in range(3)], [(1, at) for at in range(9)]
    after = weighed([0.9, 0.2, 0.2] + [0.9, 0.2, 0.2] * 3, short + long)
    assert after.parts["likely"] == pytest.approx(after.parts["likely"][0])
    assert weighed([0.9, 0.2, 0.2] + [0.9] + [0.2] * 8, short + long).parts["likely"].argmin() >= 3


def test_one_recording_and_none_are_left_as_they_are():
    for scores, places in (([0.3, 0.9], [(0, 0), (0, 1)]), ([], [])):
        assert "likely" not in weighed(scores, places).parts
    nothing = Evidence(Question("anything"))
    assert RecordingPrior().run(nothing, TOOLS) == nothing


def test_a_share_of_nothing_changes_nothing():
    assert weighed([0.9, 0.1, 0.1, 0.9, 0.85, 0.8], TWO, share=0).score == pytest.approx(
        [0.9, 0.1, 0.1, 0.9, 0.85, 0.8]
    )


@given(st.lists(st.floats(0, 1, width=32), min_size=2, max_size=40), st.data())
def test_scores_stay_between_nothing_and_what_they_were(scores, data):
    breaks = data.draw(st.lists(st.booleans(), min_size=len(scores), max_size=len(scores)))
    recordings = np.cumsum(breaks)
    places = [(int(r - recordings[0]), at) for at, r in enumerate(recordings)]
    after = weighed(scores, places, words=data.draw(st.sampled_from((0, 1, 80))))
    assert np.isfinite(after.score).all() and (after.score >= 0).all()
    assert (after.score <= np.array(scores, np.float32) + 1e-6).all()
    best = int(np.argmax(scores))
    same = recordings == recordings[best]
    assert after.score[same].argmax() == np.array(scores)[same].argmax()


def test_settings_that_cannot_be_are_refused():
    for wrong in ({"share": -1}, {"softness": 0}):
        with pytest.raises(SettingError, match="RecordingPrior"):
            RecordingPrior(**wrong)


def test_the_curve_of_a_store():
    talks = {"a": ["the pump broke", "rain and wind"], "b": ["the pump broke", "the pump again"]}
    tools = Tools(store_of(talks))
    evidence = RecordingPrior()(curve_of(tools, [0.9, 0.1, 0.9, 0.8]), tools)
    assert evidence.curve.score[2] > evidence.curve.score[0]
    assert evidence.trace[-1].note == "the first in another order; likeliest of 2: b"
    alike = RecordingPrior()(curve_of(tools, [0.5, 0.5, 0.5, 0.5]), tools)
    assert alike.trace[-1].note == ""
