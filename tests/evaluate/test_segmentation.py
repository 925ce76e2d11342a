"""Pk and WindowDiff, against values counted by hand and, if they are installed, NLTK and segeval."""

import warnings
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from onrecord.evaluate.measures import pk, segmentation_window, window_diff

cuts = st.sets(st.integers(1, 29), max_size=8)


def test_the_same_is_0_and_nothing_against_much_is_bad() -> None:
    assert pk([5, 9], [9, 5], 14) == window_diff([5, 9], [5, 9], 14) == 0
    assert pk([4, 8], [], 12, 2) == window_diff([4, 8], [], 12, 2) == pytest.approx(4 / 10)


def test_a_near_miss_costs_less_than_a_far_one() -> None:
    for measure in (pk, window_diff):
        costs = [measure([10], [at], 20) for at in (10, 11, 12, 15)]
        assert costs == sorted(costs)
        assert costs[1] < costs[3]


def test_window_diff_sees_what_pk_does_not() -> None:
    assert pk([10], [9, 10, 11], 20, 5) == pytest.approx(2 / 15)
    assert window_diff([10], [9, 10, 11], 20, 5) == pytest.approx(7 / 15)


def test_the_window_is_half_a_mean_segment() -> None:
    assert segmentation_window([10, 20], 30) == 5
    assert segmentation_window([], 30) == 15
    assert segmentation_window(range(1, 30), 30) == 2


@given(cuts, cuts)
def test_both_are_shares_and_pk_is_the_milder(reference: set[int], predicted: set[int]) -> None:
    assert 0 <= pk(reference, predicted, 30) <= window_diff(reference, predicted, 30) <= 1


@pytest.fixture(scope="module")
def nltk() -> Any:
    return pytest.importorskip("nltk.metrics.segmentation", reason="NLTK is not installed")


@pytest.fixture(scope="module")
def segeval() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # segeval is old and warns at import
        return pytest.importorskip("segeval", reason="segeval is not installed")


@settings(deadline=None)
@given(cuts, cuts, st.integers(2, 8))
def test_as_nltk_counts(nltk: Any, reference: set[int], predicted: set[int], k: int) -> None:
    def as_text(boundaries: set[int]) -> str:
        return "".join("1" if at in boundaries else "0" for at in range(1, 30))

    theirs = nltk.windowdiff(as_text(reference), as_text(predicted), k)
    assert window_diff(reference, predicted, 30, k) == pytest.approx(theirs)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(cuts, cuts, st.integers(2, 8))
def test_as_segeval_counts(segeval: Any, reference: set[int], predicted: set[int], k: int) -> None:
    def masses(boundaries: set[int]) -> tuple[int, ...]:
        ends = [*sorted(boundaries), 30]
        return tuple(b - a for a, b in zip([0, *ends], ends, strict=False))

    theirs = segeval.pk(masses(predicted), masses(reference), window_size=k)
    assert pk(reference, predicted, 30, k) == pytest.approx(float(theirs))
