"""BM25 scores, compared with SQLite's FTS5 as an independent implementation."""

import sqlite3

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.stores.contract import passages, recording
from onrecord.stores.memory import MemoryStore
from onrecord.stores.ranking import bm25, score_term

WORDS = st.sampled_from(["tariff", "margin", "freight", "plant", "lyon", "kelly"])
TEXTS = st.lists(st.lists(WORDS, min_size=1, max_size=9).map(" ".join), min_size=3, max_size=12)


def fts5(texts, word):
    """Return bm25() of every text for a word. SQLite returns it negated, so the sign is changed."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5 (x)")
    connection.executemany("INSERT INTO t (rowid, x) VALUES (?, ?)", enumerate(texts))
    scores = dict(
        connection.execute("SELECT rowid, -bm25(t) FROM t WHERE t MATCH ?", (f'"{word}"',)).fetchall()
    )
    connection.close()
    return np.array([scores.get(i, 0) for i in range(len(texts))])


@given(TEXTS)
def test_scores_are_those_of_fts5_but_for_the_idf(texts):
    """Scores equal those of FTS5 except for the idf.

    FTS5 uses ln((N - n + .5) / (n + .5)), and 1e-6 if that is not positive. This package uses
    ln(1 + (N - n + .5) / (n + .5)).
    """
    store = MemoryStore()
    store.add(recording("r"), [*map(without_speaker, passages("r", tuple(texts)))])
    ours = store.keyword(["freight"], store.timeline())
    holding = np.array(["freight" in text.split() for text in texts])
    assert ((ours > 0) == holding).all()
    odds = (len(texts) - holding.sum() + 0.5) / (holding.sum() + 0.5)
    theirs = fts5(texts, "freight") / max(np.log(odds), 1e-6) * np.log(1 + odds)
    assert ours == pytest.approx(theirs, rel=1e-4)


def without_speaker(passage):
    return type(passage)(passage.recording, passage.position, passage.text)


def test_terms_add_up():
    lengths = np.array([4, 9, 2], np.int32)
    first = (np.array([0, 2]), np.array([1, 2], np.int32))
    second = (np.array([2]), np.array([1], np.int32))
    scored = [(at, score_term(at, counts, lengths, 5)) for at, counts in (first, second)]
    both = bm25(scored, 3)
    assert np.allclose(both, bm25(scored[:1], 3) + bm25(scored[1:], 3))
    assert both.dtype == np.float32


@given(st.lists(st.lists(st.integers(0, 3), min_size=9, max_size=9), max_size=4), st.sets(st.integers(0, 8)))
def test_some_have_the_scores_that_they_have_among_all(counts, some):
    """Chosen passages get the same scores as among all passages."""
    postings = [(np.flatnonzero(row), np.array(row, np.int32)[np.flatnonzero(row)]) for row in counts]
    lengths, chosen = np.arange(1, 10, dtype=np.int32), np.array(sorted(some), np.int64)
    scored = [(at, score_term(at, own, lengths, 5.0)) for at, own in postings]
    of_all = bm25(scored, 9)
    assert bm25(scored, 9, chosen).tolist() == of_all[chosen].tolist()


def test_nothing_to_score():
    assert len(bm25([], 0)) == 0
    nowhere, no_counts = np.empty(0, np.int64), np.empty(0, np.int32)
    nothing = nowhere, score_term(nowhere, no_counts, np.array([3], np.int32), 3)
    assert bm25([nothing], 1).tolist() == [0]
    assert bm25([nothing], 1, np.array([0])).tolist() == [0]
