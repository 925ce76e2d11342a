"""The stage that mixes learned word weights into the curve."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from worlds import tools_of

from onrecord.errors import SettingError
from onrecord.models.sparse import SparseEncoder
from onrecord.retrieve import Passages, Search, Sparse, Tools
from onrecord.types import Evidence, Question

TEXTS = ("The boat sank.", "A vessel went down.", "Bread rose.", "The boat was red.")


@pytest.fixture
def tools() -> Tools:
    weights = {"The boat sank.": {1: 1.0}, "A vessel went down.": {1: 3.0}}
    encode = lambda texts: [weights.get(text, {}) for text in texts]  # noqa: E731
    sparse = SparseEncoder("test", encode, lambda texts: [{1: 1.0} for _ in texts])
    return replace(tools_of({"talk": TEXTS}, vectors=False), embedder=None, sparse=sparse)


def texts(stage: Search | Sparse, tools: Tools) -> list[str]:
    evidence = (stage >> Passages(4))(Evidence(Question("Which boat sank?")), tools)
    return [moment.passages[0].text for moment in evidence.moments]


def test_it_raises_what_the_model_says_and_leaves_the_rest_in_order(tools: Tools) -> None:
    assert texts(Search(), tools)[0] == "The boat sank."
    assert texts(Search() >> Sparse(weight=0.8), tools)[:2] == ["A vessel went down.", "The boat sank."]
    assert texts(Search() >> Sparse(weight=0.0), tools) == texts(Search(), tools)


def test_only_the_best_are_weighed(tools: Tools) -> None:
    evidence = (Search() >> Sparse(most=1))(Evidence(Question("Which boat sank?")), tools)
    assert evidence.curve is not None
    assert np.count_nonzero(evidence.curve.parts["sparse"]) == 1
    assert evidence.curve.score.max() == pytest.approx(1.0)


def test_without_a_model_the_curve_stays_and_it_says_so(tools: Tools) -> None:
    bare = replace(tools, sparse=None)
    evidence = (Search() >> Sparse())(Evidence(Question("Which boat sank?")), bare)
    assert "embedding.sparse" in evidence.trace[-1].note
    assert texts(Search() >> Sparse(), bare) == texts(Search(), bare)
    with pytest.raises(SettingError):
        Sparse(weight=2)
