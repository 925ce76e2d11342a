"""The embedding model with its real weights, which are fetched if they are missing."""

import json
from pathlib import Path

import numpy as np
import pytest
from reference import TEXTS

from onrecord.errors import WeightsError
from onrecord.models import describe, open_embedder
from onrecord.models.contract import EmbedderContract
from onrecord.models.minilm.processor import weight_bits

pytestmark = pytest.mark.model
REFERENCE = Path(__file__).with_name("reference.json")


@pytest.fixture(scope="module", params=["float32", "int8"])
def model(request):
    try:
        opened = open_embedder("minilm", precision=request.param)
        opened.embed(["It loads at its first use."])
    except WeightsError as error:
        pytest.skip(f"needs the real weights: {error}")
    return opened


class TestContract(EmbedderContract):
    @pytest.fixture
    def embedder(self, model):
        return model


def test_vectors_agree_with_sentence_transformers(model):
    cosines = np.sum(model.embed(TEXTS) * json.loads(REFERENCE.read_text()), axis=1)
    least = {8: 0.998, 7: 0.995}[weight_bits()] if model.precision == "int8" else 0.999999
    assert cosines.min() > least


def test_a_paraphrase_is_nearer_than_another_subject(model):
    question = model.embed_query("How do I bake bread?")
    near, far = model.embed(
        ["Put the dough in a hot oven for an hour.", "The ship left the harbour at dawn."]
    )
    assert question @ near > 0.3 > question @ far


def test_the_model_at_hand_is_described(model):
    """`describe` gives the size, precision and folder of a model whose weights are present."""
    first = describe()[0]
    assert first["name"] == "minilm"
    assert first["ready"]
    assert first["bytes"] > 30_000_000
    assert first["precision"] in first["state"]
    assert first["folder"] in first["state"]
