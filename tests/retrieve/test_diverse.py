"""Maximal marginal relevance, near duplicates, and a cap for each recording."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from worlds import moment, places, store_of, tools_of

from onrecord.errors import SettingError
from onrecord.retrieve import Cap, Distinct, Diverse, Tools
from onrecord.retrieve.diversity.diverse import centres, mmr
from onrecord.types import Evidence, Moment, Question

TALK = {
    "a": ["freight costs rose again", "freight costs rose again", "the council voted"],
    "b": ["freight costs rose again", "harvest came early"],
}
ANGLES = np.array([0, 0.1, 1.5], np.float32)
VECTORS = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)
RELEVANCE = np.array([1, 0.9, 0.5], np.float32)


def evidence_of(tools: Tools, *spans: tuple[str, int, int]) -> Evidence:
    scores = [1 - at / 10 for at in range(len(spans))]
    return Evidence(
        Question("x"),
        tuple(Moment(tuple(tools.store.transcript(*span)), s) for span, s in zip(spans, scores, strict=True)),
    )


def test_by_hand() -> None:
    assert mmr(RELEVANCE, VECTORS, 0.0, 3) == [0, 1, 2]
    # second choice: 0.5 * 0.9 - 0.5 * cos 0.1 < 0.5 * 0.5 - 0.5 * cos 1.5
    assert mmr(RELEVANCE, VECTORS, 0.5, 3) == [0, 2, 1]
    # 0.1 means one tenth of difference, not nine: the near duplicate still comes second
    assert mmr(RELEVANCE, VECTORS, 0.1, 2) == [0, 1]


@given(st.integers(1, 12), st.floats(0, 1), st.integers(0, 15), st.integers(0, 999))
def test_laws(count: int, diversity: float, most: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    relevance = np.sort(random.random(count, np.float32))[::-1]
    vectors = random.standard_normal((count, 4), np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    chosen = mmr(relevance, vectors, diversity, most)
    assert len(chosen) == len(set(chosen)) == min(most, count)
    assert mmr(relevance, vectors, 0.0, most) == list(range(min(most, count)))
    for place, at in enumerate(chosen):
        left = set(range(count)) - set(chosen[:place])
        gains = {
            i: (1 - diversity) * relevance[i] - diversity * _most_alike(vectors, i, chosen[:place])
            for i in left
        }
        assert gains[at] >= max(gains.values()) - 1e-5


def _most_alike(vectors: np.ndarray, at: int, chosen: list[int]) -> float:
    return max((float(vectors[at] @ vectors[i]) for i in chosen), default=0.0)


def test_the_stage_works_on_stored_vectors() -> None:
    tools = tools_of(TALK)
    evidence = evidence_of(tools, ("a", 0, 0), ("b", 0, 0), ("a", 2, 2))
    assert places(Diverse(0.5).run(evidence, tools).moments) == [("a", [0]), ("a", [2]), ("b", [0])]
    assert places(Diverse(0.5, most=2).run(evidence, tools).moments) == [("a", [0]), ("a", [2])]
    assert Diverse().run(Evidence(Question("x")), tools).moments == ()


def test_without_vectors_nothing_is_alike() -> None:
    tools = Tools(store_of(TALK, vectors=False))
    evidence = evidence_of(tools, ("a", 0, 0), ("b", 0, 0), ("a", 2, 2))
    assert Diverse(0.7).run(evidence, tools).moments == evidence.moments
    assert Distinct().run(evidence, tools).moments == evidence.moments


@pytest.mark.parametrize("diversity", [-0.1, 1.1])
def test_diversity_is_a_share(diversity: float) -> None:
    with pytest.raises(SettingError, match="from 0 to 1"):
        Diverse(diversity)


def test_the_centre_of_a_moment_is_the_mean_of_its_passages() -> None:
    tools = tools_of(TALK)
    evidence = evidence_of(tools, ("a", 1, 2), ("b", 1, 1))
    rows = [[p.row for p in m.passages] for m in evidence.moments]
    mean = tools.store.vectors(rows[0]).mean(axis=0)
    centre = centres(evidence.moments, tools.store)
    assert centre[0] == pytest.approx(mean / np.linalg.norm(mean), abs=1e-6)
    assert centre[1] == pytest.approx(tools.store.vectors(rows[1])[0], abs=1e-6)


def test_what_says_the_same_again_is_left_out() -> None:
    tools = tools_of(TALK)
    step = Distinct()(evidence_of(tools, ("a", 0, 0), ("a", 2, 2), ("b", 0, 0)), tools)
    assert places(step.moments) == [("a", [0]), ("a", [2])]
    assert step.trace[0].note == "1 said the same as a better one"


def test_a_cap_for_each_recording() -> None:
    ranked = (moment("a", 0, 0), moment("a", 2, 2), moment("b", 0, 0), moment("a", 4, 4), moment("b", 2, 2))
    capped = Cap(2).run(Evidence(Question("x"), ranked), tools_of({})).moments
    assert places(capped) == [("a", [0]), ("a", [2]), ("b", [0]), ("b", [2])]
