"""Tests of timestamps and of the longest run of rising times."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.ingest.formats.clock import longest_rising, seconds_of


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("0:12", 12.0),
        ("75:03", 4503.0),
        ("1:02:03", 3723.0),
        ("00:01:02.5", 62.5),
        ("00:01:02,500", 62.5),
        ("00:01:02:500", 62.5),
        ("00:01:500", 1.5),
        ("01:02:03:12", 3723.0),
        ("00;00;05;03", 5.0),
        ("0:0:5.4801234", 5.48),
        (" ٠٠:٠١ ", 1.0),
    ],
)
def test_clock_times_of_all_kinds(written: str, seconds: float) -> None:
    assert seconds_of(written) == seconds


@given(st.lists(st.integers(0, 30)))
def test_the_longest_run_that_never_falls(values: list[int]) -> None:
    chain = longest_rising(values)
    assert all(a < b and values[a] <= values[b] for a, b in pairwise(chain))
    lengths: list[int] = []  # the textbook recurrence, in quadratic time, as the reference
    for i, value in enumerate(values):
        lengths.append(1 + max((lengths[j] for j in range(i) if values[j] <= value), default=0))
    assert len(chain) == max(lengths, default=0)


def test_of_two_that_exclude_each_other_the_earlier_is_believed() -> None:
    """Check that the earlier of two values that exclude each other is kept."""
    assert longest_rising([1, 5, 4, 9]) == [0, 1, 3]
