"""Embedding with the real sentence-transformers library and a tiny model that the test makes."""

import pytest

from onrecord.errors import ModelError
from onrecord.models import open_embedder
from onrecord.models.contract import BREAD, SHIP, EmbedderContract

pytest.importorskip("sentence_transformers", reason="the extra [sentence-transformers] is not installed")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """An embedder on a random BERT of two layers, for letters and the words of the contract's texts."""
    from sentence_transformers import SentenceTransformer

    try:
        from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    except ImportError:  # versions before 6
        from sentence_transformers.models import Pooling, Transformer
    from transformers import BertConfig, BertModel, BertTokenizer

    folder = tmp_path_factory.mktemp("bert")
    words = sorted({word.strip(".").lower() for word in (BREAD + " " + SHIP).split()})
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghijklmnopqrstuvwxyz.?", *words]
    (folder / "vocab.txt").write_text("\n".join(vocabulary))
    BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    settings = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
    )
    BertModel(settings).save_pretrained(folder)
    words_model = Transformer(str(folder), max_seq_length=64)
    transformer = SentenceTransformer(modules=[words_model, Pooling(16)], device="cpu")
    transformer.save(str(folder / "whole"))
    return open_embedder(f"sentence-transformers:{folder / 'whole'}")


class TestContract(EmbedderContract):
    @pytest.fixture
    def embedder(self, model):
        return model


def test_it_says_what_it_is(model):
    assert model.dimensions == 16
    assert model.name.startswith("sentence-transformers:")


def test_a_model_that_is_not_there_is_one_clear_error(tmp_path):
    with pytest.raises(ModelError, match="cannot load sentence-transformers:"):
        open_embedder(f"sentence-transformers:{tmp_path / 'nothing'}")
