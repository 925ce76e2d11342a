"""Cross-encoders opened by name: the real libraries, with tiny models that the tests make."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from onrecord.errors import ModelError, RerankError, SettingError
from onrecord.models import open_reranker
from onrecord.models.base import Reranker
from onrecord.models.contract import BREAD, SHIP, RerankerContract
from onrecord.models.double import OverlapReranker

WORDS = sorted({word.strip(".").lower() for word in (BREAD + " " + SHIP).split()})
NAME = "onrecord/tiny-cross"


class TestOverlap(RerankerContract):
    @pytest.fixture
    def reranker(self) -> Reranker:
        return OverlapReranker()


# ---------------------------------------------------------------- fastembed


def tokenizer(folder: Path) -> None:
    """Write the files of a whole-word tokenizer for fastembed; [SEP] separates the two texts of a pair."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    known = {word: at for at, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS])}
    word_tokenizer = Tokenizer(models.WordLevel(known, unk_token="[UNK]"))
    word_tokenizer.normalizer = normalizers.Lowercase()
    word_tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    word_tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    word_tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 64, "pad_token": "[PAD]"}))
    (folder / "config.json").write_text(json.dumps({"pad_token_id": 0}))
    (folder / "special_tokens_map.json").write_text(json.dumps({"pad_token": "[PAD]"}))


def network(folder: Path) -> None:
    """Write a model whose logit sums one random number per token; special tokens count 0."""
    from onrecord.models.minilm.onnx_writer import Graph

    numbers = np.random.default_rng(0).normal(size=(4 + len(WORDS), 1)).astype(np.float32)
    numbers[:4] = 0
    graph = Graph("tiny")
    tokens = graph.input("input_ids", "int64", ["batch", "sequence"])
    graph.input("attention_mask", "int64", ["batch", "sequence"])
    graph.node("Gather", [graph.tensor("table", numbers), tokens], "each")
    axes = graph.tensor("axes", np.array([1], np.int64))
    graph.node("ReduceSum", ["each", axes], "logits", keepdims=0)
    graph.output("logits", "float32", ["batch", 1])
    (folder / "model.onnx").write_bytes(graph.model({}))


@pytest.fixture(scope="module")
def by_fastembed(tmp_path_factory: pytest.TempPathFactory) -> Reranker:
    pytest.importorskip("fastembed", reason="the extra [fastembed] is not installed")
    from fastembed.common.model_description import ModelSource
    from fastembed.rerank.cross_encoder import TextCrossEncoder

    folder = tmp_path_factory.mktemp("tiny")
    tokenizer(folder)
    network(folder)
    TextCrossEncoder.add_custom_model(model=NAME, sources=ModelSource(hf=NAME), model_file="model.onnx")
    return open_reranker(f"fastembed:{NAME}", path=folder)


class TestFastEmbed(RerankerContract):
    @pytest.fixture
    def reranker(self, by_fastembed: Reranker) -> Reranker:
        return by_fastembed


def test_an_unknown_model_of_fastembed_is_one_clear_error() -> None:
    pytest.importorskip("fastembed", reason="the extra [fastembed] is not installed")
    with pytest.raises(ModelError, match="cannot load fastembed:no/such-model"):
        open_reranker("fastembed:no/such-model")


# ---------------------------------------------------------------- sentence-transformers


@pytest.fixture(scope="module")
def by_sentence_transformers(tmp_path_factory: pytest.TempPathFactory) -> Reranker:
    """A reranker on a random BERT of two layers with one output."""
    pytest.importorskip("sentence_transformers", reason="the extra [sentence-transformers] is not installed")
    return open_reranker(f"sentence-transformers:{bert(tmp_path_factory.mktemp('bert'), outputs=1)}")


def bert(folder: Path, outputs: int) -> Path:
    """Write a random BERT of two layers. Its vocabulary has letters and the words of the contract's texts."""
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizer

    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghijklmnopqrstuvwxyz.?", *WORDS]
    (folder / "vocab.txt").write_text("\n".join(dict.fromkeys(vocabulary)))
    BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    settings = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        num_labels=outputs,
    )
    BertForSequenceClassification(settings).save_pretrained(folder)
    return folder


class TestSentenceTransformers(RerankerContract):
    @pytest.fixture
    def reranker(self, by_sentence_transformers: Reranker) -> Reranker:
        return by_sentence_transformers


def test_a_model_that_is_no_reranker_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers", reason="the extra [sentence-transformers] is not installed")
    with pytest.raises(ModelError, match="is no reranker: it has 3 outputs"):
        open_reranker(f"sentence-transformers:{bert(tmp_path, outputs=3)}")
    with pytest.raises(ModelError, match="cannot load sentence-transformers:"):
        open_reranker(f"sentence-transformers:{tmp_path / 'nothing'}")


# ---------------------------------------------------------------- names and numbers


@pytest.mark.parametrize("name", ["", "bge", "fastembed:", "sentence-transformers", "openai:x"])
def test_a_name_that_is_none_is_refused_with_those_that_are(name: str) -> None:
    with pytest.raises(SettingError, match=r"rerank.model.*sentence-transformers:NAME.*fastembed:NAME"):
        open_reranker(name)


def reranker_with(logits: list[float], monkeypatch: pytest.MonkeyPatch) -> Reranker:
    """Return the reranker of a library, in place of fastembed, that gives these logits for any texts."""
    model = SimpleNamespace(rerank=lambda query, texts: logits)
    library = SimpleNamespace(TextCrossEncoder=lambda *names, **options: model)
    for name in ("fastembed", "fastembed.rerank.cross_encoder"):
        monkeypatch.setitem(sys.modules, name, library)
    return open_reranker("fastembed:m")


def test_logits_become_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    """Logits are mapped to probabilities by the logistic function; NaN and wrong counts are errors."""
    shares = reranker_with([0.0, 2.0, -2.0], monkeypatch).score("q", ["a", "b", "c"])
    assert shares.tolist() == pytest.approx([0.5, 0.880797, 0.119203])
    shares = reranker_with([1e9, -1e9], monkeypatch).score("q", ["a", "b"])
    assert shares.tolist() == [1.0, pytest.approx(0.0, abs=1e-6)]
    for bad in ([float("nan")], [1.0, 2.0]):
        with pytest.raises(RerankError, match="fastembed:m gave"):
            reranker_with(bad, monkeypatch).score("q", ["a"])
