"""Directions of dialogue acts among the vectors of sentences."""

import numpy as np

from directions import direction
from evaluate import area


def test_a_direction_tells_the_marked_from_the_others():
    random = np.random.default_rng(4)
    vectors = random.normal(size=(200, 8))
    performs = vectors[:, 2] + 0.3 * random.normal(size=200) > 0.5
    unit = direction(vectors, performs)
    assert abs(np.linalg.norm(unit) - 1) < 1e-9
    assert np.abs(unit).argmax() == 2
    assert area(vectors @ unit, performs, np.ones(200)) > 0.95


def test_the_area_counts_pairs_in_the_right_order():
    marked = np.array([True, False, False])
    assert area(np.array([0.5, 0.1, 0.9]), marked, np.ones(3)) == 0.5
    assert area(np.array([0.5, 0.5, 0.1]), marked, np.ones(3)) == 0.75
