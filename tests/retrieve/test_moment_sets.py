"""Moments as sets of passages: however they are combined, no passage is in two."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from worlds import moment, places

from onrecord.retrieve.moments.moments import fresh, fused, interleaved, unique, within_words
from onrecord.retrieve.moments.order import by_rank, in_reading_order
from onrecord.types import Moment

SPANS = st.tuples(st.sampled_from("abc"), st.integers(0, 12), st.integers(0, 5), st.integers(0, 9))
MOMENTS = st.lists(SPANS, max_size=8).map(
    lambda spans: [moment(name, first, first + more, score / 10) for name, first, more, score in spans]
)


def shown(moments: tuple[Moment, ...]) -> list[tuple[str, int]]:
    return [(name, at) for name, positions in places(moments) for at in positions]


@given(MOMENTS)
def test_unique_keeps_every_passage_once_where_it_stood_first(moments: list[Moment]) -> None:
    unique_moments = unique(moments)
    assert shown(unique_moments) == list(dict.fromkeys(shown(tuple(moments))))
    for one in unique_moments:
        positions = [p.position for p in one.passages]
        assert positions == list(range(positions[0], positions[0] + len(positions)))
        assert 0 <= one.peak < len(positions)


@given(st.lists(MOMENTS, max_size=4))
def test_rankings_put_together_hold_every_passage_once(rankings: list[list[Moment]]) -> None:
    every = {place for ranking in rankings for place in shown(tuple(ranking))}
    for whole in (interleaved(rankings), fused(rankings)):
        assert len(shown(whole)) == len(every) and set(shown(whole)) == every
    scores = [m.score for m in fused(rankings)]
    assert scores == sorted(scores, reverse=True)


@given(MOMENTS, st.integers(0, 60))
def test_a_budget_of_words_is_kept_but_for_the_first(moments: list[Moment], words: int) -> None:
    within_budget = within_words(moments, words)
    assert list(within_budget) == moments[: len(within_budget)] and len(within_budget) >= min(len(moments), 1)
    assert len(within_budget) < 2 or sum(m.words for m in within_budget) <= words
    if len(within_budget) < len(moments):
        assert sum(m.words for m in moments[: len(within_budget) + 1]) > words


@given(MOMENTS)
def test_reading_order_is_the_order_of_talk(moments: list[Moment]) -> None:
    ordered = in_reading_order(moments)
    assert set(shown(ordered)) == set(shown(tuple(moments)))
    assert len(shown(ordered)) == len(set(shown(ordered)))
    for one, other in pairwise(ordered):
        if one.recording == other.recording:  # with a gap between, because adjacent moments are merged
            assert one.passages[-1].position + 1 < other.passages[0].position
    assert in_reading_order(ordered) == ordered


def test_reading_order_knows_which_was_best() -> None:
    moments = (moment("a", 7, 8, 0.9, "dense"), moment("b", 1, 1, 0.8), moment("a", 2, 2, 0.4))
    ordered = in_reading_order(moments)
    assert places(ordered) == [("a", [2]), ("a", [7, 8]), ("b", [1])]
    assert [m.score for m in by_rank(ordered)] == [0.9, 0.8, 0.4]


def test_the_peak_of_what_becomes_one_is_that_of_the_better() -> None:
    (whole,) = in_reading_order((moment("a", 2, 3, 0.9), moment("a", 0, 1, 0.8)))
    assert places([whole]) == [("a", [0, 1, 2, 3])]
    assert (whole.peak, whole.score, whole.scores["rank"]) == (2, 0.9, 0)


def test_what_is_left_of_a_moment_keeps_its_peak_or_begins_with_it() -> None:
    seen = {("a", 2)}
    left = fresh(Moment(moment("a", 0, 4).passages, 0.5, peak=3), seen)
    assert places(left) == [("a", [0, 1]), ("a", [3, 4])]
    assert [m.peak for m in left] == [0, 0] and left[1].passages[0].position == 3
    assert seen == {("a", at) for at in range(5)}


def test_passages_that_several_rankings_hold_come_first() -> None:
    one = (moment("a", 0, 1, 0.9), moment("a", 5, 5, 0.8))
    other = (moment("b", 0, 0, 0.9), moment("a", 5, 6, 0.7))
    assert places(fused([one, other])) == [("a", [5, 6]), ("a", [0, 1]), ("b", [0])]
