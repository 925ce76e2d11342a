"""Embedding with the real fastembed library and a tiny model that the test makes."""

import json

import numpy as np
import pytest

from onrecord.errors import ModelError
from onrecord.models import open_embedder
from onrecord.models.contract import BREAD, SHIP, EmbedderContract

pytest.importorskip("fastembed", reason="the extra [fastembed] is not installed")

WORDS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    *sorted({w.strip(".").lower() for w in (BREAD + " " + SHIP).split()}),
]
NAME = "onrecord/tiny"


def tokenizer(folder):
    """Write the files of a whole-word tokenizer for fastembed."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    word_tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))
    word_tokenizer.normalizer = normalizers.Lowercase()
    word_tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    word_tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    word_tokenizer.save(str(folder / "tokenizer.json"))
    settings = {"model_max_length": 64, "pad_token": "[PAD]"}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    (folder / "config.json").write_text(json.dumps({"pad_token_id": 0}))
    (folder / "special_tokens_map.json").write_text(json.dumps({"pad_token": "[PAD]"}))


def network(folder):
    """Write a model that gives every token a random vector."""
    from onrecord.models.minilm.onnx_writer import Graph

    graph = Graph("tiny")
    table = np.random.default_rng(0).normal(size=(len(WORDS), 8)).astype(np.float32)
    tokens = graph.input("input_ids", "int64", ["batch", "sequence"])
    graph.input("attention_mask", "int64", ["batch", "sequence"])
    graph.node("Gather", [graph.tensor("table", table), tokens], "last_hidden_state")
    graph.output("last_hidden_state", "float32", ["batch", "sequence", 8])
    (folder / "model.onnx").write_bytes(graph.model({}))


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    folder = tmp_path_factory.mktemp("tiny")
    tokenizer(folder)
    network(folder)
    TextEmbedding.add_custom_model(
        model=NAME,
        pooling=PoolingType.MEAN,
        normalization=True,
        sources=ModelSource(hf=NAME),
        dim=8,
        model_file="model.onnx",
    )
    return open_embedder(f"fastembed:{NAME}", path=folder)


class TestContract(EmbedderContract):
    @pytest.fixture
    def embedder(self, model):
        return model


def test_it_says_what_it_is(model):
    assert (model.name, model.dimensions) == (f"fastembed:{NAME}", 8)
    assert model.fingerprint == f"fastembed:{NAME}/8"


def test_an_unknown_model_is_one_clear_error():
    with pytest.raises(ModelError, match="cannot load fastembed:no/such-model"):
        open_embedder("fastembed:no/such-model")
