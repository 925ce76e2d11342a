"""Fusion: its laws, and small examples worked out by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from worlds import moment, places, tools_of

from onrecord.errors import MissingToolError, SettingError
from onrecord.retrieve import Fuse, Keyword, Moments, Semantic, Tools
from onrecord.retrieve.candidates.fuse import reciprocal_ranks
from onrecord.retrieve.curve.curves import convex, minmax
from onrecord.types import Evidence, Question

things = st.lists(st.sampled_from("abcdefgh"), unique=True)
signals = st.lists(
    st.floats(-1000, 1000, width=32).map(lambda x: float(np.float32(round(x, 2)))), min_size=1, max_size=30
).map(lambda x: np.array(x, np.float32))


def test_reciprocal_ranks_by_hand() -> None:
    scores = reciprocal_ranks([["a", "b"], ["b", "c"]], k=60)
    assert list(scores) == ["b", "a", "c"]
    assert scores == pytest.approx({"b": 1 / 62 + 1 / 61, "a": 1 / 61, "c": 1 / 62})


@given(st.lists(things))
def test_reciprocal_ranks_hold_everything_once_and_fall(rankings: list[list[str]]) -> None:
    scores = reciprocal_ranks(rankings)
    assert set(scores) == {thing for ranking in rankings for thing in ranking}
    assert list(scores.values()) == sorted(scores.values(), reverse=True)
    for thing, score in scores.items():
        assert score == pytest.approx(sum(1 / (61 + r.index(thing)) for r in rankings if thing in r))


@given(things, st.integers(0, 4), st.integers(1, 100))
def test_a_ranking_fused_with_itself_or_with_nothing_is_itself(ranking: list[str], n: int, k: int) -> None:
    assert list(reciprocal_ranks([ranking, *[ranking] * n, []], k)) == ranking


def test_a_repeat_within_a_ranking_counts_once_at_its_best_rank() -> None:
    assert reciprocal_ranks([["a", "a", "b"]]) == reciprocal_ranks([["a", "b"]])


def test_ties_stay_in_order_of_first_sight() -> None:
    assert list(reciprocal_ranks([["x", "y"], ["y", "x"]])) == ["x", "y"]


def test_convex_by_hand() -> None:
    dense, lexical = np.array([0.2, 0.4, 0.6], np.float32), np.array([10, 0, 5], np.float32)
    assert convex([(0.6, dense), (0.4, lexical)]) == pytest.approx([0.4, 0.3, 0.8])


@given(signals, st.floats(0.125, 8, width=32), st.floats(-100, 100, width=32))
def test_minmax_is_blind_to_scale_and_shift(scores: np.ndarray, scale: float, shift: float) -> None:
    stretched = minmax(scores)
    assert stretched.min() >= 0 and stretched.max() <= 1
    if scores.max() - scores.min() > 1:
        assert minmax(scores * np.float32(scale) + np.float32(shift)) == pytest.approx(stretched, abs=1e-2)


def test_a_signal_that_tells_nothing_apart_does_not_change_the_order() -> None:
    scores, flat = np.array([3, 1, 2], np.float32), np.full(3, 7, np.float32)
    assert convex([(0.6, scores), (0.4, flat)]).argsort().tolist() == scores.argsort().tolist()
    assert minmax(flat).tolist() == [1, 1, 1] and minmax(0 * flat).tolist() == [0, 0, 0]
    assert len(minmax(np.zeros(0, np.float32))) == 0


def test_moments_found_by_both_come_first_and_keep_both_scores() -> None:
    words = (moment("a", 0, 0, 9.0, "lexical"), moment("b", 0, 0, 5.0, "lexical"))
    meanings = (moment("c", 1, 2, 0.8, "dense"), moment("b", 0, 0, 0.7, "dense"))
    fused = Fuse(Keyword(2), Semantic(2)).fused([words, meanings])
    assert places(fused) == [("b", [0]), ("a", [0]), ("c", [1, 2])]
    assert dict(fused[0].scores) == {"lexical": 5.0, "dense": 0.7}
    assert fused[0].score == pytest.approx(2 / 62)


def test_convex_fusion_of_moments_by_hand() -> None:
    left = (moment("a", 0, 0, 9.0), moment("b", 0, 0, 6.0), moment("c", 0, 0, 3.0))
    right = (moment("c", 0, 0, 0.9), moment("d", 0, 0, 0.1))
    fused = Fuse(Keyword(3), Semantic(3), method="convex", weights=(0.5, 1.0)).fused([left, right])
    assert [(m.recording, round(m.score, 6)) for m in fused] == [("c", 1), ("a", 0.5), ("b", 0.25), ("d", 0)]


def test_fuse_runs_its_legs_and_tells_of_each() -> None:
    tools = tools_of({"a": ["margins fell on freight costs", "hello there"], "b": ["tariffs raised costs"]})
    stages = Fuse(Keyword(50), Semantic(50)) >> Moments(words=1000)
    evidence = stages(Evidence(Question("Why did margins fall on freight costs?")), tools)
    assert evidence.moments[0].passages[0].text == "margins fell on freight costs"
    assert [step.stage.split("(")[0] for step in evidence.trace] == ["Keyword", "Semantic", "Fuse", "Moments"]


def test_fuse_refuses_what_a_leg_lacks_and_what_cannot_be() -> None:
    with pytest.raises(MissingToolError, match="embedder"):
        Fuse(Keyword(), Semantic()).check(Tools(tools_of({"a": ["x"]}).store))
    for bad in ({"method": "sum"}, {"weights": (1.0,)}):
        with pytest.raises(SettingError):
            Fuse(Keyword(), Semantic(), **bad)
    with pytest.raises(SettingError):
        Fuse()


def test_equal_fusions_are_equal() -> None:
    assert Fuse(Keyword(5), Semantic(5)) == Fuse(Keyword(5), Semantic(5))
    assert Fuse(Keyword(5)) != Fuse(Keyword(5), k=10)
