"""Measures of rankings, against values computed by hand and slow independent implementations."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.evaluate.measures import (
    gold_word_recall,
    ndcg_at,
    precision_at,
    recall_at,
    reciprocal_rank,
    slice_ndcg,
)

UNITS = [f"u{i}" for i in range(12)]
rankings = st.permutations(UNITS).flatmap(lambda u: st.integers(0, 12).map(lambda n: list(u)[:n]))
graded = st.dictionaries(st.sampled_from(UNITS), st.sampled_from([0.0, 1.0, 2.0, 3.0]), max_size=12)
shown_words = st.lists(st.booleans(), max_size=1500).map(lambda w: np.array(w, bool))


def test_micro_example_by_hand() -> None:
    ranked, grades = ["a", "b", "c", "d"], {"b": 1.0, "d": 2.0, "x": 1.0, "zero": 0.0}
    assert recall_at(ranked, grades, 3) == 1 / 3
    assert precision_at(ranked, grades, 4) == 0.5
    assert precision_at(["b"], grades, 4) == 0.25
    assert reciprocal_rank(ranked, grades) == 0.5
    dcg = 1 / math.log2(3) + 2 / math.log2(5)
    ideal = 2 / math.log2(2) + 1 / math.log2(3) + 1 / math.log2(4)
    assert ndcg_at(ranked, grades, 4) == pytest.approx(dcg / ideal)


def test_nothing_relevant_or_nothing_found_is_zero() -> None:
    for grades in ({}, {"a": 0.0}):
        assert recall_at(["a"], grades, 5) == precision_at(["a"], grades, 5) == 0
        assert reciprocal_rank(["a"], grades) == ndcg_at(["a"], grades, 5) == 0
    assert recall_at([], {"a": 1.0}, 5) == reciprocal_rank([], {"a": 1.0}) == ndcg_at([], {"a": 1.0}, 5) == 0
    nothing = np.zeros(0, bool)
    assert gold_word_recall(nothing, 0) == slice_ndcg(nothing, 0) == 0
    assert gold_word_recall(nothing, 9) == slice_ndcg(nothing, 9) == 0


@given(rankings, graded, st.integers(1, 12))
def test_units_against_a_slow_implementation(ranked: list[str], grades: dict[str, float], k: int) -> None:
    relevant = [u for u in UNITS if grades.get(u, 0) > 0]
    hits = [u for u in ranked[:k] if u in relevant]
    assert recall_at(ranked, grades, k) == (len(hits) / len(relevant) if relevant else 0)
    assert precision_at(ranked, grades, k) == len(hits) / k
    ranks = [ranked.index(u) + 1 for u in relevant if u in ranked]
    assert reciprocal_rank(ranked, grades) == (1 / min(ranks) if ranks else 0)
    best = max(_dcg([grades.get(u, 0) for u in order], k) for order in (_by_grade(grades), ranked or UNITS))
    expected = _dcg([grades.get(u, 0) for u in ranked], k) / best if best else 0
    assert ndcg_at(ranked, grades, k) == pytest.approx(expected)


def _by_grade(grades: dict[str, float]) -> list[str]:
    return sorted(grades, key=lambda u: -grades[u])


def _dcg(grades: list[float], k: int) -> float:
    return sum(g * math.log(2) / math.log(i + 2) for i, g in enumerate(grades) if i < k)


def test_recall_of_words_by_hand() -> None:
    shown = np.array([True] * 30 + [False] * 70 + [True] * 10, bool)
    assert gold_word_recall(shown, 40) == 1.0
    assert gold_word_recall(shown, 80) == 0.5
    assert gold_word_recall(shown, 40, budget=100) == 0.75
    assert gold_word_recall(shown, 4000, budget=100) == 0.3


def test_slices_by_hand() -> None:
    # Slices of 2 words have the gains 1/2, 0, 1. With four gold words, the ideal gains are 1, 1, 0.
    shown = np.array([True, False, False, False, True, True], bool)
    dcg = 0.5 / math.log2(2) + 0 + 1 / math.log2(4)
    ideal = 1 / math.log2(2) + 1 / math.log2(3)
    assert slice_ndcg(shown, 4, slices=3, width=2) == pytest.approx(dcg / ideal)


@given(shown_words, st.integers(0, 500))
def test_words_against_a_slow_implementation(shown: np.ndarray, missed: int) -> None:
    gold = int(shown.sum()) + missed
    first = sum(1 for word in list(shown)[:1000] if word)
    assert gold_word_recall(shown, gold) == pytest.approx(first / min(gold, 1000) if gold else 0)
    gains, ideal = [], []
    for i in range(10):
        part = list(shown)[i * 100 : (i + 1) * 100]
        gains.append(sum(map(bool, part)) / 100)
        ideal.append(min(100, max(0, gold - i * 100)) / 100)
    best = _dcg(ideal, 10)
    assert slice_ndcg(shown, gold) == pytest.approx(_dcg(gains, 10) / best if best else 0)


@given(shown_words)
def test_gold_first_is_perfect(shown: np.ndarray) -> None:
    gold = int(shown.sum())
    ordered = np.sort(shown)[::-1]
    if gold:
        assert gold_word_recall(ordered, gold) == pytest.approx(1)
        assert slice_ndcg(ordered, gold) == pytest.approx(1)
        assert slice_ndcg(shown, gold) <= slice_ndcg(ordered, gold) + 1e-9
