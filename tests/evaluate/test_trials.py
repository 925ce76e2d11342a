"""Trials of two strategies on live questions: shares, their differences and confidence intervals."""

from __future__ import annotations

from math import isnan, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.evaluate.feedback import arms
from onrecord.evaluate.intervals import Share, share_difference
from onrecord.stores.ledger import Tally
from onrecord.types import Feedback


@pytest.mark.parametrize(
    ("one", "base", "low", "high"),
    [  # examples of Newcombe (1998), table II: 56/70 - 48/80, 9/10 - 3/10, 10/10 - 0/10
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((10, 10), (0, 10), 0.6075, 1.0),
    ],
)
def test_the_interval_of_a_difference_is_newcombes(
    one: tuple[int, int], base: tuple[int, int], low: float, high: float
) -> None:
    difference = share_difference(Share(*one), Share(*base))
    assert (difference.low, difference.high) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))
    assert difference.mean == pytest.approx(one[0] / one[1] - base[0] / base[1])


shares = st.integers(0, 60).flatmap(lambda n: st.builds(Share, st.integers(0, n), st.just(n)))


@given(shares, shares)
def test_an_interval_holds_its_mean_and_turns_with_the_sides(one: Share, base: Share) -> None:
    """An interval contains its mean, and exchanging the sides negates it."""
    difference, turned = share_difference(one, base), share_difference(base, one)
    assert -1 <= difference.low <= difference.high <= 1
    if one.total and base.total:
        assert difference.low - 1e-12 <= difference.mean <= difference.high + 1e-12
    else:
        assert isnan(difference.mean)
    assert (difference.low, difference.high) == (pytest.approx(-turned.high), pytest.approx(-turned.low))


def test_only_what_chance_chose_counts_and_sums_are_those_of_every_answer() -> None:
    """Only answers with a randomly chosen strategy count, and sums of seconds give the exact interval."""
    seconds = np.array([0.1, 0.4, 0.2, 0.7])
    tallies = [
        Tally("2024-11-02", "new", verdict, True, asked=1, seconds=s, squares=s * s)
        for s, verdict in zip(
            seconds, ("answered", "answered", "nothing_found", "low_relevance"), strict=True
        )
    ]
    tallies += [
        Tally("2024-11-02", "old", "answered", True, asked=3, sentences=10, marked=2),
        Tally("2024-11-02", "old", "answered", False, asked=99),
        Tally("2024-10-01", "old", "answered", True, asked=50),
        Tally("2024-11-02", embedded_tokens=5),
    ]
    judged = [
        Feedback("a", True, "q", made="2024-11-02T10:00:00+00:00", strategy="new", trial=True),
        Feedback("b", False, "q", made="2024-11-02T10:00:00+00:00", strategy="new", trial=True),
        Feedback("c", True, "q", made="2024-11-02T10:00:00+00:00", strategy="new"),
        Feedback("d", True, "q", made="2024-09-02T10:00:00+00:00", strategy="new", trial=True),
    ]
    new, old = arms(tallies, judged, "2024-11")
    assert (new.strategy, new.asked, new.refused) == ("new", 4, Share(2, 4))
    assert new.good == Share(1, 2) and old.marked == Share(2, 10) and old.asked == 3
    half = 1.959964 * seconds.std(ddof=1) / sqrt(4)
    assert new.seconds.mean == pytest.approx(seconds.mean())
    assert new.seconds.high - new.seconds.mean == pytest.approx(half)
