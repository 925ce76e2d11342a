"""Moments: the budget holds, no passage appears twice, and adjacent passages stay together."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from worlds import curve_of, moment, places, timeline_of, tools_of

from onrecord.retrieve import Moments
from onrecord.retrieve.stage import top
from onrecord.types import Curve, Evidence, PassageTimeline, Question

SIX = {"a": [f"a says {n}" for n in range(4)], "b": [f"b says {n}" for n in range(2)]}  # three words each


def cut(scores: list[float], **settings: float) -> tuple:
    tools = tools_of(SIX)
    return Moments(**settings).run(curve_of(tools, scores), tools).moments


def test_by_hand_the_best_stands_first_and_is_read_on() -> None:
    spans = cut([0.1, 0.9, 0.8, 0.2, 0.7, 0.3], words=9, floor=0.5)
    assert places(spans) == [("a", [1, 2]), ("b", [0])]
    assert [m.score for m in spans] == pytest.approx([0.9, 0.7])
    assert spans[0].text == "a says 1 a says 2" and spans[0].peak == 0


def test_where_what_follows_is_taken_it_goes_back() -> None:
    spans = cut([0.6, 0.7, 0.9, 0.1, 0.2, 0.1], words=9, floor=0.8)
    assert places(spans) == [("a", [2]), ("a", [0, 1])]
    assert spans[1].peak == 1


def test_a_moment_is_no_longer_than_allowed() -> None:
    assert places(cut([0.9, 0.8, 0.7, 0.6, 0, 0], words=12, longest=6, floor=0.1)) == [
        ("a", [0, 1]),
        ("a", [2, 3]),
    ]


def test_passages_of_different_recordings_never_share_a_moment() -> None:
    assert places(cut([0, 0, 0, 0.9, 0.8, 0], words=6)) == [("a", [3]), ("b", [0])]


def test_passages_that_are_not_neighbours_in_talk_never_share_a_moment() -> None:
    tools = tools_of(SIX)
    scope = Evidence(Question("x"), curve=Curve(timeline_of([(0, 0), (0, 2)]), np.ones(2, np.float32)))
    timeline = tools.store.timeline()
    thinned = PassageTimeline(
        *(part[[0, 2]] for part in (timeline.rows, timeline.recordings, timeline.positions, timeline.words)),
        timeline.names,
    )
    moments = Moments().run(replace(scope, curve=replace(scope.curve, timeline=thinned)), tools).moments
    assert places(moments) == [("a", [0]), ("a", [2])]


def test_the_best_is_shown_even_if_it_is_over_the_budget() -> None:
    assert places(cut([0, 1, 0, 0, 0, 0], words=1)) == [("a", [1])]


def test_what_scores_nothing_is_not_shown() -> None:
    assert places(cut([0, 0, 0, 0, 0, 0])) == []
    assert places(cut([0, 0, 0, 0, 0, 0.1], floor=0.5)) == [("b", [1])]


def test_nothing_in_scope_gives_nothing() -> None:
    tools = tools_of({})
    assert Moments().run(curve_of(tools, []), tools).moments == ()
    assert Moments().run(Evidence(Question("x")), tools).moments == ()


@settings(deadline=None)
@given(
    st.lists(st.integers(1, 20).map(lambda n: n / 20), min_size=6, max_size=6),
    st.integers(3, 20),
    st.integers(1, 12),
    st.floats(0, 1),
)
def test_laws_of_a_cut(scores: list[float], words: int, longest: int, floor: float) -> None:
    spans = cut(scores, words=words, longest=longest, floor=floor)
    shown = [(m.recording, p.position) for m in spans for p in m.passages]
    assert len(set(shown)) == len(shown) == min(6, words // 3)
    for m in spans:
        positions = [p.position for p in m.passages]
        assert positions == list(range(positions[0], positions[0] + len(positions)))
        own = [np.float32(scores[[*SIX].index(m.recording) * 4 + at]) for at in positions]
        assert m.score == own[m.peak] and min(own) >= np.float32(floor) * m.score - 1e-6
        assert m.words <= max(longest, 3)
    assert [m.score for m in spans] == sorted((m.score for m in spans), reverse=True)


def test_moments_found_before_are_joined_within_the_budget() -> None:
    tools = tools_of(SIX)
    moments = (
        moment("a", 2, 2, 0.9, "dense"),
        moment("b", 0, 1, 0.8),
        moment("a", 1, 2, 0.7, "lexical"),
        moment("a", 0, 0, 0.1),
    )
    joined = Moments(words=12).run(Evidence(Question("x"), moments), tools).moments
    assert places(joined) == [("a", [1, 2]), ("b", [0, 1])]
    assert dict(joined[0].scores) == {"dense": 0.9, "lexical": 0.7}


@given(st.lists(st.integers(0, 5), max_size=400), st.integers(0, 50))
def test_top_is_the_start_of_a_stable_sort(scores: list[int], most: int) -> None:
    array = np.array(scores, np.float32)
    assert top(array, most).tolist() == np.argsort(-array, kind="stable")[:most].tolist()


def test_signals_of_a_moment_are_the_best_of_its_passages() -> None:
    tools = tools_of(SIX)
    evidence = curve_of(tools, [0, 0.9, 0.8, 0, 0, 0])
    parts = {"dense": np.array([0, 0.6, 0.4, 0, 0, 0], np.float32)}
    object.__setattr__(evidence.curve, "parts", parts)
    (moment_cut,) = Moments(words=6, floor=0.5).run(evidence, tools).moments
    assert moment_cut.scores["dense"] == pytest.approx(0.6)
