"""Pseudo-relevance feedback: what is like the best found comes up."""

import numpy as np
import pytest
from worlds import store_of, tools_of

from onrecord.retrieve import Feedback, Search, Tools
from onrecord.types import Evidence, Question

TALK = {
    "a": ["freight costs rose on container shortage", "container shortage everywhere", "good morning"],
    "b": ["welcome back", "thank you"],
}
ASKED = Evidence(Question("freight costs"))


def test_what_is_like_the_best_gains() -> None:
    tools = tools_of(TALK)
    before = Search().run(ASKED, tools)
    after = Feedback(passages=1, beta=0.5).run(before, tools)
    assert after.curve.score[1] > before.curve.score[1]
    assert after.curve.parts["dense"] is before.curve.parts["dense"]


def test_by_the_formula() -> None:
    tools = tools_of(TALK)
    before = Search().run(ASKED, tools)
    vectors = tools.store.vectors(before.curve.line.rows)
    found = Feedback(passages=1, beta=0.5).run(before, tools).curve
    best = int(before.curve.score.argmax())
    assert found.parts["feedback"] == pytest.approx(vectors @ vectors[best], abs=1e-6)
    dense = before.curve.parts["dense"] + 0.5 * found.parts["feedback"]
    lexical = before.curve.parts["lexical"]
    expected = 0.6 * (dense - dense.min()) / np.ptp(dense) + 0.4 * lexical / lexical.max()
    assert found.score == pytest.approx(expected, abs=1e-5)


def test_without_vectors_or_passages_nothing_changes() -> None:
    words = Tools(store_of(TALK))
    before = Search().run(ASKED, words)
    assert Feedback().run(before, words) is before
    empty = tools_of({})
    assert Feedback().run(ASKED, empty) is ASKED
