"""Mentions around a passage.

A term counts more the more often it occurs nearby, but no term counts more than its share.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from worlds import curve_of, timeline_of, tools_of

from onrecord.retrieve import Nearby
from onrecord.retrieve.curve.smooth import gaussian, mentions_nearby
from onrecord.types import Question

PEAKED = gaussian(2, 1) / gaussian(2, 1).max()


def term_at(*places: int, score: float = 2.5) -> tuple[np.ndarray, np.ndarray]:
    """Return a term that occurs once in each of these places, with its score there."""
    return np.array(places), np.full(len(places), score, np.float32)


def line(of: int = 12):
    return timeline_of([(0, at) for at in range(of)])


def test_a_stretch_with_all_terms_beats_one_that_repeats_a_single_term():
    near = mentions_nearby([term_at(1, 8, 9, 10), term_at(2)], line(), PEAKED, 0.6)
    assert near.argmax() in (1, 2)
    assert near[2] > near[9]


def test_a_term_counts_less_with_distance_and_reaches_further_forward():
    near = mentions_nearby([term_at(5)], line(), PEAKED, 0.6)
    assert near[5] == pytest.approx(1 / 1.6)
    assert near[5] > near[6] > near[7] > 0
    assert near[7] > near[3]


def test_what_is_said_in_one_recording_is_not_said_in_the_next():
    near = mentions_nearby(
        [term_at(2)], timeline_of([(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]), PEAKED, 0.6
    )
    assert not near[3:].any()


def test_distance_counts_passages_that_are_not_on_the_line():
    gap = mentions_nearby([term_at(0)], timeline_of([(0, 0), (0, 3)]), PEAKED, 0.6)
    whole = mentions_nearby([term_at(0)], line(4), PEAKED, 0.6)
    assert gap.tolist() == pytest.approx([whole[0], whole[3]])


def test_a_rarer_term_counts_for_more():
    near = mentions_nearby([term_at(1), term_at(8, score=5.0)], line(), PEAKED, 0.6)
    assert near[8] == pytest.approx(2 * near[1])


def test_passages_that_do_not_follow_one_another_have_what_they_say():
    near = mentions_nearby([term_at(0)], timeline_of([(0, 0), (1, 0), (2, 0)]), PEAKED, 0.6)
    assert near.tolist() == pytest.approx([1 / 1.6, 0, 0])


@given(
    st.lists(st.lists(st.floats(0, 50, width=32), min_size=5, max_size=5), max_size=4),
    st.floats(0.01, 10),
)
def test_it_is_a_share(terms, saturation):
    signals = [(np.flatnonzero(term), np.array(term, np.float32)[np.flatnonzero(term)]) for term in terms]
    near = mentions_nearby(signals, line(5), PEAKED, saturation)
    assert near.shape == (5,) and (near >= 0).all() and (near <= 1).all()


TALK = {"call": ["the pump failed", "yes", "a spare valve", "the weather was fine", "quite", "sunny indeed"]}


def test_it_mixes_its_share_into_the_curve_and_shows_it_as_a_part():
    tools = tools_of(TALK)
    before = curve_of(tools, [0, 0, 0, 0, 0, 0.5])
    asked = Question("pump valve")
    after = Nearby(share=0.4, forward=6, backward=3).run(before.__class__(asked, curve=before.curve), tools)
    assert after.curve.score == pytest.approx(0.6 * before.curve.score + 0.4 * after.curve.parts["nearby"])
    assert after.curve.parts["nearby"].argmax() in (0, 1, 2)


def test_a_question_without_a_word_that_is_said_adds_nothing():
    tools = tools_of(TALK)
    before = curve_of(tools, [1, 0, 0, 0, 0, 0])
    assert not Nearby().run(before, tools).curve.parts["nearby"].any()


def test_nothing_in_scope_is_left_as_it_is():
    tools = tools_of({})
    evidence = curve_of(tools, [])
    assert Nearby().run(evidence, tools) == evidence
