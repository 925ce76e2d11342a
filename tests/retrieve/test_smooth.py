"""Smoothing along the timeline: where scores spread, and where they must not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from worlds import curve_of, timeline_of, tools_of

from onrecord.retrieve import Smooth
from onrecord.retrieve.curve.layout import layout_of
from onrecord.retrieve.curve.smooth import gaussian, kernel
from onrecord.types import Evidence, PassageTimeline, Question


@pytest.fixture(autouse=True)
def few_words_are_a_long_recording(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores flow the full distance although the recordings here have only a few words."""
    monkeypatch.setattr("onrecord.retrieve.curve.layout.FULL", 1)


sigmas = st.floats(0.3, 4)


@st.composite
def lines(draw: st.DrawFn) -> list[tuple[int, int]]:
    sizes = draw(st.lists(st.sets(st.integers(0, 40), min_size=1, max_size=12), min_size=1, max_size=4))
    return [(recording, at) for recording, taken in enumerate(sizes) for at in sorted(taken)]


def weight(distance: int, forward: float, backward: float) -> float:
    if abs(distance) > max(1, round(3 * max(forward, backward))):
        return 0.0
    return float(np.exp(-(distance**2) / (2 * (forward if distance > 0 else backward) ** 2)))


def flow(scores: np.ndarray, timeline: PassageTimeline, weights: np.ndarray) -> np.ndarray:
    return layout_of(timeline).flow(scores, weights)


def slow(scores: np.ndarray, places: list[tuple[int, int]], forward: float, backward: float) -> np.ndarray:
    """Return the smoothed scores, computed directly from the formula."""
    weights = [weight(j, forward, backward) for j in range(-60, 61)]
    flowed = []
    for recording, at in places:
        near = [(s, at - p) for s, (r, p) in zip(scores, places, strict=True) if r == recording]
        most = max(sum(weights[i : i + len(near)]) for i in range(len(weights)))
        flowed.append(sum(s * weight(j, forward, backward) for s, j in near) / most)
    return np.array(flowed)


@given(lines(), sigmas, sigmas, st.randoms())
def test_against_the_formula(places: list[tuple[int, int]], forward: float, backward: float, random) -> None:
    scores = np.array([random.random() for _ in places], np.float32)
    flowed = flow(scores, timeline_of(places), gaussian(forward, backward))
    assert flowed == pytest.approx(slow(scores, places, forward, backward), abs=1e-4)


def test_the_sum_of_scores_stays_far_from_the_edges() -> None:
    scores = np.zeros(60, np.float32)
    scores[30] = 5
    flowed = flow(scores, timeline_of([(0, i) for i in range(60)]), gaussian(1.8, 1.8))
    assert flowed.sum() == pytest.approx(5, rel=1e-4)
    assert flowed.argmax() == 30
    assert flowed[29] == pytest.approx(flowed[31]) and flowed[29] > flowed[28] > 0


def test_more_flows_forward_than_backward() -> None:
    scores = np.array([0, 0, 0, 1, 0, 0, 0], np.float32)
    flowed = flow(scores, timeline_of([(0, i) for i in range(7)]), gaussian(2.0, 0.5))
    assert flowed[3] > flowed[4] > flowed[5] > flowed[2]


def test_nothing_flows_into_another_recording() -> None:
    places = [(0, 0), (0, 1), (1, 0), (1, 1)]
    flowed = flow(np.array([0, 9, 0, 0], np.float32), timeline_of(places), gaussian(2, 2))
    assert flowed[0] > 0 and flowed[2] == flowed[3] == 0


def test_what_was_left_out_keeps_its_place() -> None:
    def second(position: int) -> float:
        timeline = timeline_of([(0, 0), (0, position)])
        return float(flow(np.array([1, 0], np.float32), timeline, gaussian(1, 1))[1])

    assert second(1) > second(2) > second(50) == 0


def test_passages_that_do_not_follow_one_another_keep_their_scores() -> None:
    scores = np.array([0.3, 0.9, 0.5], np.float32)
    assert flow(scores, timeline_of([(0, 0), (1, 0), (2, 0)]), gaussian(3, 2)) == pytest.approx(scores)
    tools = tools_of({"a": ["one two"], "b": ["three"], "c": ["four"]})
    assert Smooth().run(curve_of(tools, [0.3, 0.9, 0.5]), tools).curve.score == pytest.approx(scores)


def test_an_even_recording_stays_as_high_as_it_is_however_short() -> None:
    for length in (1, 2, 3, 30):
        flowed = flow(
            np.ones(length, np.float32), timeline_of([(0, i) for i in range(length)]), gaussian(3, 1)
        )
        assert flowed.max() == pytest.approx(1, rel=1e-4)


def test_the_stage_joins_own_and_flowed_as_a_power_mean() -> None:
    tools = tools_of({"a": ["one two", "three four", "five six"]})
    before = curve_of(tools, [0.2, 1, 0.4])
    after = Smooth(forward=4, backward=2, own=0.25, power=3).run(before, tools)
    flowed = flow(before.curve.score**3, before.curve.timeline, gaussian(2, 1))
    assert after.curve.score**3 == pytest.approx(0.75 * flowed + 0.25 * before.curve.score**3, rel=1e-4)


def test_a_power_favours_one_that_fits_over_many_that_nearly_do() -> None:
    tools = tools_of({"a": ["word"] * 9, "b": ["word"] * 9})
    before = curve_of(tools, [0.4] * 9 + [0, 0, 0, 0, 1, 0, 0, 0, 0])
    narrow = {"forward": 2, "backward": 2, "own": 0.0}
    assert Smooth(**narrow, power=1).run(before, tools).curve.score.argmax() < 9
    assert Smooth(**narrow, power=6).run(before, tools).curve.score.argmax() == 13


def test_own_alone_changes_nothing() -> None:
    tools = tools_of({"a": ["one", "two", "three"]})
    before = curve_of(tools, [0.2, 1, 0.4])
    assert Smooth(own=1).run(before, tools).curve.score == pytest.approx(before.curve.score)


def test_without_a_curve_or_passages_nothing_happens() -> None:
    bare = Evidence(Question("x"))
    assert Smooth().run(bare, tools_of({"a": ["one"]})) == bare
    empty = tools_of({})
    assert len(Smooth().run(curve_of(empty, []), empty).curve.score) == 0


@given(st.lists(st.integers(1, 60), min_size=1, max_size=6), st.integers(1, 200))
def test_the_longer_the_recordings_the_farther_scores_flow(sizes: list[int], words: int) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("onrecord.retrieve.curve.layout.FULL", 1000)
        places = [(recording, at) for recording, size in enumerate(sizes) for at in range(size)]
        share, more = (layout_of(timeline_of(places, each)).fullness for each in (words, words + 1))
        assert 0 < share <= more <= 1
        assert (share == 1) == (words * sum(n * n for n in sizes) >= 1000 * sum(sizes))


def test_in_a_scene_scores_stay_near_and_in_a_long_talk_they_flow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onrecord.retrieve.curve.layout.FULL", 1000)
    scene, talk = (timeline_of([(0, at) for at in range(size)], 30) for size in (10, 100))
    near, far = kernel(scene, 300, 150), kernel(talk, 300, 150)
    assert near.max() > 0.5 and far.max() < 0.1


@pytest.mark.parametrize("reach", [1, 5, 16, 17, 60, 200])
@pytest.mark.parametrize("count", [2, 31, 32, 33, 4_095, 4_096, 40_000, 140_000])
def test_long_timelines_are_spread_in_windows_without_a_seam(count: int, reach: int) -> None:
    random = np.random.default_rng(count)
    scores, weights = random.random(count, np.float32), random.random(2 * reach + 1, np.float32)
    layout = layout_of(timeline_of([(0, at) for at in range(count)]))
    signals, sums = [(slice(None), scores)], [np.convolve(scores, weights)[reach : reach + count]]
    for least in (0.7, 0.999):  # often and seldom
        some = np.flatnonzero(scores > least)
        signals.append((some, scores[some]))
        laid = np.where(scores > least, scores, 0)
        sums.append(np.convolve(laid, weights)[reach : reach + count])
    for signal, expected in zip(signals, sums, strict=True):
        np.testing.assert_allclose(layout.spread([signal], weights), expected, rtol=1e-4)

    def join(number: int, around: np.ndarray) -> None:
        around *= number + 1

    joined = sums[0] + 2 * sums[1] + 3 * sums[2]
    np.testing.assert_allclose(layout.spread(signals, weights, join), joined, rtol=1e-4)
