"""Smoothing along the line: what flows, and what must not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from worlds import curve_of, line_of, tools_of

from onrecord.retrieve import Smooth
from onrecord.retrieve.smooth import smooth
from onrecord.types import Evidence, Question


@st.composite
def lines(draw: st.DrawFn) -> list[tuple[int, int]]:
    sizes = draw(st.lists(st.sets(st.integers(0, 40), min_size=1, max_size=12), min_size=1, max_size=4))
    return [(recording, at) for recording, taken in enumerate(sizes) for at in sorted(taken)]


def slow(scores: np.ndarray, places: list[tuple[int, int]], sigma: float) -> np.ndarray:
    """Straight from the formula."""
    reach = max(1, round(3 * sigma))
    total = sum(np.exp(-(j**2) / (2 * sigma**2)) for j in range(-reach, reach + 1))
    flowed = []
    for (recording, at), own in zip(places, scores, strict=True):
        near = [(s, p - at) for s, (r, p) in zip(scores, places, strict=True) if r == recording]
        weighed = sum(s * np.exp(-(j**2) / (2 * sigma**2)) for s, j in near if abs(j) <= reach)
        flowed.append(own if len(near) == 1 else weighed / total)
    return np.array(flowed)


@given(lines(), st.floats(0.3, 4), st.randoms())
def test_against_the_formula(places: list[tuple[int, int]], sigma: float, random) -> None:
    scores = np.array([random.random() for _ in places], np.float32)
    assert smooth(scores, line_of(places), sigma) == pytest.approx(slow(scores, places, sigma), abs=1e-5)


def test_the_sum_of_scores_stays_far_from_the_edges() -> None:
    scores = np.zeros(60, np.float32)
    scores[30] = 5
    flowed = smooth(scores, line_of([(0, i) for i in range(60)]), 1.8)
    assert flowed.sum() == pytest.approx(5, rel=1e-5)
    assert flowed.argmax() == 30
    assert flowed[29] == pytest.approx(flowed[31]) and flowed[29] > flowed[28] > 0


def test_nothing_flows_into_another_recording() -> None:
    places = [(0, 0), (0, 1), (1, 0), (1, 1)]
    flowed = smooth(np.array([0, 9, 0, 0], np.float32), line_of(places), 2.0)
    assert flowed[0] > 0 and flowed[2] == flowed[3] == 0


def test_what_was_left_out_keeps_its_place() -> None:
    near = smooth(np.array([1, 0], np.float32), line_of([(0, 0), (0, 1)]), 1.0)
    far = smooth(np.array([1, 0], np.float32), line_of([(0, 0), (0, 2)]), 1.0)
    beyond = smooth(np.array([1, 0], np.float32), line_of([(0, 0), (0, 50)]), 1.0)
    assert near[1] > far[1] > beyond[1] == 0


def test_passages_that_do_not_follow_one_another_keep_their_scores() -> None:
    scores = np.array([0.3, 0.9, 0.5], np.float32)
    assert smooth(scores, line_of([(0, 0), (1, 0), (2, 0)]), 3.0) == pytest.approx(scores)


def test_the_stage_keeps_part_of_the_own_score() -> None:
    tools = tools_of({"a": ["one", "two", "three"]})
    before = curve_of(tools, [0, 1, 0])
    after = Smooth(sigma=1.0, own=0.25).run(before, tools)
    flowed = smooth(before.curve.score, before.curve.line, 1.0)
    assert after.curve.score == pytest.approx(0.75 * flowed + 0.25 * before.curve.score)


def test_without_a_curve_or_width_nothing_happens() -> None:
    tools = tools_of({"a": ["one", "two"]})
    bare = Evidence(Question("x"))
    assert Smooth().run(bare, tools) == bare
    scores = np.array([1, 2], np.float32)
    assert smooth(scores, line_of([(0, 0), (0, 1)]), 0.0) is scores
    assert len(smooth(np.zeros(0, np.float32), line_of([]), 1.0)) == 0
