"""The whitened space: it follows its definition wherever there is enough data to fit it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from onrecord.stores import whitening
from onrecord.stores.contract import passages, recording
from onrecord.stores.memory import MemoryStore
from onrecord.stores.whitening import LEAST, SHRINKAGE, fit_whitening


def unit(rows):
    return (rows / np.linalg.norm(rows, axis=-1, keepdims=True)).astype(np.float32)


def defined(differences):
    """Return the matrix B of the definition, with a separate factor for every direction."""
    spread, axes = np.linalg.eigh((differences.T @ differences).astype(float))
    return (axes / np.sqrt((1 - SHRINKAGE) * spread / spread.mean() + SHRINKAGE)) @ axes.T


def cosines(queries, rows):
    with np.errstate(invalid="ignore"):  # some processors report invalid values in lanes that are not used
        return unit(queries) @ unit(rows).T


numbers = st.floats(-1, 1, width=32).map(lambda x: np.float32(round(x, 3)))


@given(arrays(np.float32, (12, 5), elements=numbers), arrays(np.float32, (3, 5), elements=numbers))
def test_products_over_lengths_are_the_cosines_of_the_definition(differences, rows):
    result = fit_whitening(differences)
    if result is None:
        assert not differences.any()
        return
    rows = rows[np.linalg.norm(rows, axis=1) > 0.1]
    if len(rows):
        rows, b = unit(rows), defined(differences)
        scores = rows @ result.query(rows[0]) / result.lengths(rows)
        assert scores == pytest.approx(cosines(rows[0] @ b, rows @ b), abs=2e-3)


def test_only_the_widest_directions_are_distinguished(monkeypatch):
    """Only the directions with the largest spread have their own factors."""
    monkeypatch.setattr(whitening, "DIRECTIONS", 1)
    rng = np.random.default_rng(0)
    result = fit_whitening((rng.normal(size=(500, 4)) * [5, 1, 1, 1]).astype(np.float32))
    assert result.directions.shape == (1, 4) and abs(result.directions[0, 0]) > 0.99
    assert result.gains[0] < 0 < result.rest
    across, along = unit(np.array([[0.0, 1, 1, 0], [1, 0, 0, 0]]))
    assert result.lengths(np.stack((across, along))) == pytest.approx(
        [result.rest**0.5, (result.rest + result.gains[0]) ** 0.5], rel=0.01
    )


def talk(rng, subject, noise, count):
    """Return unit vectors about one subject (the last three numbers) in varying styles (the first three)."""
    rows = np.concatenate((noise * rng.normal(size=(count, 3)), np.tile(subject, (count, 1))), axis=1)
    return unit(rows + 0.01 * rng.normal(size=rows.shape))


def store_of(talks):
    store = MemoryStore()
    for number, vectors in enumerate(talks):
        name = f"talk {number:03}"
        texts = tuple(["words"] * len(vectors))
        store.add(recording(name, len(vectors)), passages(name, texts), vectors=vectors)
    return store


def test_the_subject_is_heard_through_how_it_is_said():
    """The whitened space ranks passages about the subject higher than the plain cosine does."""
    rng = np.random.default_rng(1)
    subjects = np.eye(3)[np.arange(30) % 3]
    store = store_of([talk(rng, subject, 0.6, 60) for subject in subjects])
    timeline = store.timeline()
    query = unit(np.array([1.5, 0, 0, 1.0, 0, 0]))
    plain, whitened = store.whitened(query, timeline)
    about = np.isin(timeline.recordings, np.arange(0, 30, 3))
    raw, heard = (about[np.argsort(-scores)][:600].mean() for scores in (plain, whitened))
    assert heard > raw + 0.1
    assert plain == pytest.approx(store.dense(query, timeline), abs=1e-6)
    assert np.abs(whitened).max() <= 1.001


@pytest.mark.parametrize(
    ("talks", "why"),
    [
        ([np.eye(4, dtype=np.float32)] * 20, "too few neighbours"),
        ([np.eye(4, dtype=np.float32)[:1]] * (LEAST + 1), "no neighbours"),
        ([np.ones((LEAST + 5, 4), np.float32) / 2], "no differences"),
        ([], "nothing"),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_without_enough_to_fit_it_is_the_plain_cosine_twice(talks, why):
    store = store_of(talks)
    query = unit(np.array([1, 2, 0, 0.0]))
    plain, whitened = store.whitened(query, store.timeline())
    assert np.array_equal(plain, whitened) and np.array_equal(plain, store.dense(query, store.timeline())), (
        why
    )


def test_a_query_of_another_model_is_the_plain_cosine_twice():
    rng = np.random.default_rng(2)
    store = store_of([talk(rng, np.eye(3)[0], 1, LEAST + 1)])
    plain, whitened = store.whitened(np.ones(3, np.float32), store.timeline())
    assert not plain.any() and not whitened.any()


def test_large_archives_are_sampled_and_no_pair_reaches_over_two_recordings(monkeypatch):
    monkeypatch.setattr(whitening, "SAMPLE", 100)
    monkeypatch.setattr(whitening, "LEAST", 50)
    seen = []
    monkeypatch.setattr(whitening, "fit_whitening", lambda differences: seen.append(differences))
    vectors = [np.tile(unit(np.array([number, 1.0])), (30, 1)) for number in range(10)]
    store = store_of(vectors)
    store.whitened(vectors[0][0], store.timeline())
    store.whitened(vectors[0][0], store.timeline())
    (differences,) = seen
    assert len(differences) == 4 * 29 and not differences.any()
