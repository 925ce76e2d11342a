"""Blocks of vectors in memory: which recordings are read, what is reused after a change, and the scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.stores import matrix
from onrecord.stores.catalogue import Entry, distinct
from onrecord.stores.contract import recording
from onrecord.stores.matrix import Matrix
from onrecord.stores.records import pack_vectors, unpack_vectors


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Use blocks of ten vectors, so that a few recordings fill several."""
    monkeypatch.setattr(matrix, "BLOCK", 10)


def entry(key, size, dimensions=2):
    return Entry(key, 0, recording(str(key)), key * 100, np.ones(size, np.int32), {}, {}, dimensions)


def stored(entry, vectors):
    """Return the key, the scale and the packed vectors of a recording, as an archive stores them."""
    scale, data = pack_vectors(np.asarray(vectors, np.float32))
    return entry.key, scale, np.frombuffer(data, "<i2").reshape(entry.size, -1)


class Loads:
    """A function that loads made-up vectors and records which recordings are read.

    The vector of a passage is the key of its recording, then its position.
    """

    def __init__(self):
        self.read = []

    def __call__(self, needed):
        for entry in needed:
            self.read.append(entry.key)
            yield stored(entry, np.column_stack([np.full(entry.size, entry.key), np.arange(entry.size)]))


def near(expected):
    return pytest.approx(np.array(expected), abs=3e-3)


def products(vectors, queries, load, slots=None):
    return vectors.products(queries, slots, [None] * len(queries), load)


def expected(entries):
    rows = [(e.key, at) if e.dimensions == 2 else (0, 0) for e in entries for at in range(e.size)]
    return np.array(rows, np.float32).reshape(-1, 2)


FIRST = np.array([[1, 0]], np.float32)
BOTH = np.array([[1, 0], [1, 0.5]], np.float32)


def test_only_what_is_asked_about_is_read():
    load, entries = Loads(), [entry(1, 4), entry(2, 4), entry(3, 4)]
    vectors = Matrix(entries)
    assert products(vectors, BOTH, load, np.array([5, 4])) == near([[2, 2], [2.5, 2]])
    assert load.read == [2]
    assert products(vectors, BOTH, load) == near(BOTH @ expected(entries).T)
    assert load.read == [2, 1, 3]


def test_threads_give_every_passage_the_same_score_to_the_last_bit(monkeypatch):
    random = np.random.default_rng(1)
    vectors = {key: random.standard_normal((7, 384), np.float32) for key in range(40)}

    def load(needed):
        return [stored(entry, vectors[entry.key]) for entry in needed]

    queries = random.standard_normal((2, 384), np.float32)
    entries = [entry(key, 7, 384) for key in vectors]
    shared = products(Matrix(entries), queries, load)
    monkeypatch.setattr(matrix, "MANY", 1000)
    assert np.array_equal(shared, products(Matrix(entries), queries, load))


def test_a_recording_added_is_all_that_is_read_again():
    load, entries = Loads(), [entry(key, 4) for key in range(1, 5)]
    before = Matrix(entries)
    products(before, FIRST, load)
    load.read.clear()
    after = Matrix([*entries, entry(5, 2)], before.blocks)
    assert products(after, FIRST, load) == near([[1] * 4 + [2] * 4 + [3] * 4 + [4] * 4 + [5] * 2])
    assert load.read == [5]
    assert products(before, FIRST, load) == near([[1] * 4 + [2] * 4 + [3] * 4 + [4] * 4])
    assert load.read == [5]


def test_a_recording_removed_costs_no_more_than_its_block():
    load, entries = Loads(), [entry(key, 4) for key in range(1, 9)]
    before = Matrix(entries)
    products(before, FIRST, load)
    load.read.clear()
    after = Matrix([e for e in entries if e.key != 3], before.blocks)
    assert products(after, FIRST, load) == near([[e.key for e in entries if e.key != 3 for _ in range(4)]])
    assert set(load.read) <= {3, 4}
    assert products(before, FIRST, load) == near([[e.key for e in entries for _ in range(4)]])


def test_two_that_follow_one_state_do_not_disturb_each_other():
    """Two matrices that reuse the blocks of one state do not change each other's vectors."""
    load, entries = Loads(), [entry(1, 4)]
    first = Matrix([*entries, entry(2, 3)], Matrix(entries).blocks)
    products(first, FIRST, load)
    shorter = Matrix(entries, first.blocks)
    longer = Matrix([*entries, entry(3, 3)], shorter.blocks)
    assert products(longer, FIRST, load) == near([[1] * 4 + [3] * 3])
    assert products(first, FIRST, load) == near([[1] * 4 + [2] * 3])


def test_a_recording_larger_than_a_block_has_its_own():
    load, entries = Loads(), [entry(1, 3), entry(2, 25), entry(3, 3)]
    vectors = Matrix(entries)
    assert [block.size for block in vectors.blocks] == [3, 25, 3]
    assert vectors.rows(np.array([30, 3, 0]), 2, load) == near([[3, 2], [2, 0], [1, 0]])


def test_vectors_of_other_dimensions_are_zeros():
    load, entries = Loads(), [entry(1, 2), entry(2, 2, dimensions=3), entry(3, 2, dimensions=0)]
    vectors = Matrix(entries)
    assert products(vectors, FIRST, load) == near([[1, 1, 0, 0, 0, 0]])
    assert not products(vectors, np.ones((1, 3), np.float32), lambda needed: ()).any()
    assert products(vectors, FIRST, load) == near([[1, 1, 0, 0, 0, 0]])


@given(st.lists(st.sets(st.integers(1, 12)), max_size=8), st.data())
def test_every_state_of_many_is_right(states, data):
    sizes = {key: 1 + key * 7 % 6 for key in range(1, 13)}
    entries = {key: entry(key, size) for key, size in sizes.items()}
    blocks, parts = (), []
    for keys in states:
        chosen = [entries[key] for key in sorted(keys)]
        vectors = Matrix(chosen, blocks)
        blocks = vectors.blocks
        parts.append((vectors, chosen))
    for vectors, chosen in data.draw(st.permutations(parts)):
        assert products(vectors, BOTH, Loads()) == near(BOTH @ expected(chosen).T)
        slots = np.array(
            data.draw(st.lists(st.integers(0, len(expected(chosen)) - 1)) if chosen else st.just([])), int
        )
        assert products(vectors, BOTH, Loads(), slots) == near((BOTH @ expected(chosen).T)[:, slots])


def archive_of(random, sizes, dimensions):
    """Return unit vectors of recordings, a matrix of them, and a function that loads them."""
    vectors = [random.standard_normal((size, dimensions), np.float32) for size in sizes]
    vectors = [some / np.linalg.norm(some, axis=1, keepdims=True) for some in vectors]
    entries = [entry(key, size, dimensions) for key, size in enumerate(sizes)]
    return np.concatenate(vectors), Matrix(entries), lambda want: [stored(e, vectors[e.key]) for e in want]


@pytest.mark.parametrize("dimensions", [1, 3, 64, 384, 1000])
def test_vectors_and_scores_are_those_that_are_stored(dimensions):
    random = np.random.default_rng(dimensions)
    vectors, held, load = archive_of(random, [7, 1, 25, 4], dimensions)
    queries = vectors[:2] + vectors[-2:]
    rows = held.rows(np.arange(len(vectors)), dimensions, load)
    vectors_stored = np.concatenate(
        [
            unpack_vectors(s, d.tobytes(), dimensions)
            for _, s, d in load([e for b in held.blocks for e in b.entries])
        ]
    )
    assert np.array_equal(rows, vectors_stored) and np.abs(rows - vectors).max() < 2e-5
    assert np.abs(products(held, queries, load) - queries @ rows.T).max() < 1e-5


def test_among_many_passages_the_best_have_exact_scores_and_no_other_is_far_off(monkeypatch):
    random = np.random.default_rng(5)
    monkeypatch.setattr(matrix, "EXACT", 500)
    monkeypatch.setattr(matrix, "REFINED", 512)
    vectors, held, load = archive_of(random, [9] * 400, 384)
    query, lengths = vectors[7:8], random.uniform(0.8, 1.2, len(vectors)).astype(np.float32)
    exact = query[0] @ vectors.T / lengths
    for slots in (None, np.arange(0, len(vectors), 2)):
        part = slice(None) if slots is None else slots
        (scores,) = held.products(query, slots, [lengths[part]], load)
        assert np.abs(scores - exact[part]).max() < 5e-3
        best = np.argsort(-exact[part])[:50]
        assert np.abs(scores - exact[part])[best].max() < 1e-5
        assert np.argsort(-scores)[:50].tolist() == best.tolist()


def test_among_many_passages_without_vectors_few_are_scored_exactly(monkeypatch):
    monkeypatch.setattr(matrix, "EXACT", 500)
    monkeypatch.setattr(matrix, "REFINED", 64)
    scored = []
    monkeypatch.setattr(
        Matrix,
        "_some_products",
        lambda self, queries, slots, *_, exact: scored.append(slots) or np.ones((1, len(slots))),
    )
    load, entries = Loads(), [entry(key, 9, dimensions=2 if key == 7 else 0) for key in range(200)]
    scores = products(Matrix(entries), FIRST, load)
    (slots,) = scored
    assert set(range(63, 72)) <= set(slots.tolist()), "those of the recording that has vectors"
    assert len(slots) <= 128 and scores.sum() == len(slots)


@given(st.lists(st.integers(0, 9)), st.sampled_from((np.int32, np.int64)))
def test_distinct_places_are_those_that_numpy_finds(places, kind):
    places_found, expected = distinct(np.array(places, kind)), np.unique(np.array(places, kind))
    assert (places_found.tolist(), places_found.dtype) == (expected.tolist(), expected.dtype)
