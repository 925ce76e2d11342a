"""The evaluation of the reader: figures, bootstrap intervals over recordings, and the tables."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data import Question, shared_windows
from evaluate import (
    METHODS,
    Figures,
    Outcome,
    Scores,
    act_table,
    average_precision,
    evaluate,
    figures,
    intervals,
    outcome,
    read_window,
    table,
)
from onrecord.models import open_embedder, open_reader

HERE, THERE = ("talks", "here"), ("talks", "there")
COSINE, READER, BOTH = METHODS


def of(answerable, confidence, first=True, recording=HERE):
    """Return an outcome whose two ranking results are equal."""
    return Outcome(recording, answerable, first, first, confidence)


OUTCOMES = st.builds(
    Outcome,
    st.sampled_from([HERE, THERE]),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.sampled_from([0.1, 0.2, 0.3]),
)


def both_kinds(outcomes):
    return len({o.answerable for o in outcomes}) == 2


def test_figures_are_shares_of_the_answerable():
    outcomes = [of(True, 0.9), of(True, 0.2, first=False), of(False, 0.5), of(False, 0.1)]
    assert figures(outcomes) == Figures(0.5, 0.5, 0.75)


@given(st.lists(OUTCOMES, min_size=2).filter(both_kinds))
def test_the_area_is_that_of_all_comparisons(outcomes):
    """AUROC is the share of pairs in the right order; ties count one half."""
    good, bad = ([o.confidence for o in outcomes if o.answerable is kind] for kind in (True, False))
    compared = [(g > b) + (g == b) / 2 for g in good for b in bad]
    assert figures(outcomes).auroc == pytest.approx(np.mean(compared))


@given(st.lists(OUTCOMES, min_size=2).filter(both_kinds))
def test_a_weight_counts_an_outcome_so_often(outcomes):
    """An integer weight has the same effect as repeating an outcome."""
    weights = np.array([1 + at % 3 for at in range(len(outcomes))])
    repeated = [o for o, weight in zip(outcomes, weights, strict=True) for _ in range(weight)]
    weighted, plain = figures(outcomes, weights), figures(repeated)
    assert (weighted.first, weighted.core3, weighted.auroc) == pytest.approx(
        (plain.first, plain.core3, plain.auroc)
    )


def test_an_interval_is_over_recordings():
    one = [of(True, 0.9), of(False, 0.1)] * 20
    low, high = intervals(one, draws=50)
    assert low == high == Figures(1, 1, 1)
    two = [*one, *(of(True, 0.2, first=False, recording=THERE), of(False, 0.3, recording=THERE)) * 20]
    low, high = intervals(two, draws=50)
    assert (low.first, high.first) == (0, 1)


def test_a_ranking_is_judged_by_the_marks():
    scores = Scores(np.array([0.9, 0.1, 0.2, 0.3]), np.array([-5.0, 2, -6, -7]), np.array([-5.0, 2, -6, -7]))
    question = Question("w", "Why?", "en", "why", frozenset({1, 2}), (1,))
    by_reader, by_cosine = outcome(question, HERE, scores, READER), outcome(question, HERE, scores, COSINE)
    assert by_reader.first and by_reader.core3 and by_reader.confidence == pytest.approx(2.0014, abs=1e-3)
    assert not by_cosine.first and not by_cosine.core3 and by_cosine.confidence == 0.9
    assert outcome(question, HERE, scores, BOTH).first


def test_a_window_is_read_in_passages(small_data):
    window = shared_windows(small_data)["talks-3-00"]
    core, relevant = read_window(open_reader("overlap"), "How many minutes does bread take?", window)
    assert core.shape == relevant.shape == (8,)
    assert np.isfinite(relevant).all() and int(core.argmax()) == 4


def test_the_table_has_a_line_for_each_method(small_data):
    report = evaluate(open_reader("overlap"), open_embedder("hashing"), small_data, "-3-")
    first, _, *rows = report.splitlines()
    assert first == "1 answerable questions and 1 near misses of 1 recordings"
    assert [row[:20].strip() for row in rows] == [method.name for method in METHODS]


def test_a_mark_that_no_window_has_is_refused(small_data):
    with pytest.raises(ValueError, match="-9-"):
        evaluate(open_reader("overlap"), open_embedder("hashing"), small_data, "-9-")


def test_intervals_stand_beside_the_figures():
    rows = table({"cosine": [of(True, 0.9), of(False, 0.1)]}).splitlines()
    assert rows[2].split() == ["cosine", *["1.000", "(1.000-1.000)"] * 3]


def test_average_precision_is_one_where_the_marked_come_first():
    marked = np.array([False, True, False, True])
    assert average_precision(np.array([0.1, 0.9, 0.2, 0.8]), marked) == 1
    assert average_precision(np.array([0.9, 0.1, 0.8, 0.2]), marked) == pytest.approx((1 / 3 + 2 / 4) / 2)


def test_acts_are_read_in_the_recordings_to_choose_by(small_data, small_labels):
    lines = act_table(open_reader("overlap"), small_data, "-3-", small_labels).splitlines()
    assert [line.split()[:4] for line in lines] == [["complaint", "2", "of", "8:"]]
