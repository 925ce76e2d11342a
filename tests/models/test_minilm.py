"""The embedded model itself. Needs its weights."""

import numpy as np
import pytest

from onrecord.models import open_embedder

pytestmark = pytest.mark.model


def test_a_paraphrase_is_nearer_than_another_subject() -> None:
    model = open_embedder("minilm")
    question = model.embed_query("How do I bake bread?")
    near, far = model.embed(
        ["Put the dough in a hot oven for an hour.", "The ship left the harbour at dawn."]
    )
    assert question @ near > 0.3 > question @ far
    assert np.linalg.norm(question) == pytest.approx(1, abs=1e-6)
