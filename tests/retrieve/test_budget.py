"""Budgets: whole moments, the last one cut around its best passage, with a note."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from worlds import moment, places, tools_of

from onrecord.errors import SettingError
from onrecord.retrieve import Budget
from onrecord.retrieve.moments.budget import tokens_of
from onrecord.types import Evidence, Moment, Passage, Question

TOOLS = tools_of({})
RANKED = (moment("a", 0, 1), moment("b", 3, 6), moment("c", 0, 0))  # three words a passage


def remaining(budget: Budget, moments: tuple[Moment, ...] = RANKED) -> list:
    return places(budget.run(Evidence(Question("x"), moments), TOOLS).moments)


def test_whole_moments_while_they_fit_then_a_part() -> None:
    assert remaining(Budget(words=100)) == [("a", [0, 1]), ("b", [3, 4, 5, 6]), ("c", [0])]
    assert remaining(Budget(words=18)) == [("a", [0, 1]), ("b", [3, 4, 5, 6])]
    assert remaining(Budget(words=13)) == [("a", [0, 1]), ("b", [3, 4])]
    assert remaining(Budget(words=8)) == [("a", [0, 1])]
    assert remaining(Budget(words=0)) == []


def test_the_best_passage_stays_and_what_follows_it_first() -> None:
    peaked = Moment(RANKED[1].passages, 1.0, peak=2)
    cut = Budget(words=9).run(Evidence(Question("x"), (peaked,)), TOOLS).moments[0]
    assert [p.position for p in cut.passages] == [4, 5, 6]
    assert cut.passages[cut.peak] == peaked.passages[peaked.peak]


def test_what_was_cut_or_left_out_is_said() -> None:
    note = Budget(words=13)(Evidence(Question("x"), RANKED), TOOLS).trace[0].note
    assert note == "1 moments did not fit; the last one was cut"
    assert Budget(words=99)(Evidence(Question("x"), RANKED), TOOLS).trace[0].note == ""


@given(st.integers(0, 60), st.lists(st.tuples(st.integers(1, 6), st.integers(0, 5)), max_size=5))
def test_the_budget_is_kept_and_nothing_else_is_lost(words: int, sizes: list[tuple[int, int]]) -> None:
    moments = tuple(
        Moment(tuple(Passage(f"r{i}", at, "one two three") for at in range(n)), 1.0, peak=min(peak, n - 1))
        for i, (n, peak) in enumerate(sizes)
    )
    moments_left = Budget(words=words).run(Evidence(Question("x"), moments), TOOLS).moments
    assert sum(m.words for m in moments_left) <= words
    assert moments_left[:-1] == moments[: max(len(moments_left) - 1, 0)]
    if len(moments_left) < len(moments):
        assert words - sum(m.words for m in moments_left) < 3 * len(moments[len(moments_left)].passages)


def test_tokens_are_estimated_by_bytes() -> None:
    assert tokens_of("abcd") == 1 and tokens_of("abcde") == 2 and tokens_of("éé") == 1 and tokens_of("") == 0
    assert remaining(Budget(tokens=4), (moment("a", 0, 1),)) == [("a", [0, 1])]
    assert remaining(Budget(tokens=3), (moment("a", 0, 1),)) == [("a", [0])]


def test_words_or_tokens() -> None:
    for bad in ({}, {"words": 1, "tokens": 1}):
        with pytest.raises(SettingError):
            Budget(**bad)
