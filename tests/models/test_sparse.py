"""Learned sparse weights: the real libraries, with tiny models that the test makes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from onrecord.errors import EmbeddingError, ModelError, SettingError
from onrecord.models.sparse import SparseEncoder, open_sparse

WORDS = ["<pad>", "<unk>", "<s>", "</s>", "the", "boat", "sank", "bread", "rose", "slowly"]
MARKS = {"pad_token": "<pad>", "unk_token": "<unk>", "cls_token": "<s>", "sep_token": "</s>"}


def tokenizer_of(folder: Path) -> None:
    """Write a whole-word tokenizer that both libraries can read."""
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="<unk>"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 2), ("</s>", 3)]
    )
    whole = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=40, **MARKS)
    whole.save_pretrained(folder)


@pytest.fixture(scope="module")
def bge(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of BGE-M3: an encoder, its tokenizer, and the head that weighs words."""
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    folder = tmp_path_factory.mktemp("bge")
    tokenizer_of(folder)
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    torch.manual_seed(3)
    config = transformers.XLMRobertaConfig(vocab_size=len(WORDS), max_position_embeddings=64, **sizes)
    transformers.XLMRobertaModel(config).save_pretrained(folder)
    head = torch.nn.Linear(16, 1)
    head.bias.data.fill_(2.0)  # a positive weight for every word
    torch.save(head.state_dict(), folder / "sparse_linear.pt")
    return folder


def test_the_head_of_bge_m3_weighs_words_as_its_paper_says(bge: Path) -> None:
    """A word's weight is the ReLU of the head's output, and the largest one of a repeated word."""
    import torch
    import transformers

    encoder = open_sparse("transformers:tiny/bge", path=bge, device="cpu")
    (weights,) = encoder.passages(["The boat sank the boat"])
    assert set(weights) == {WORDS.index(word) for word in ("the", "boat", "sank")}, "no mark, each word once"
    tokens = transformers.AutoTokenizer.from_pretrained(bge)(["The boat sank the boat"], return_tensors="pt")
    with torch.inference_mode():
        hidden = transformers.AutoModel.from_pretrained(bge).eval()(**tokens).last_hidden_state[0]
    head = torch.load(bge / "sparse_linear.pt", weights_only=True)
    by_hand = torch.relu(hidden @ head["weight"][0] + head["bias"])[1:-1].tolist()
    assert weights[WORDS.index("boat")] == pytest.approx(max(by_hand[1], by_hand[4]), rel=1e-5)
    assert weights[WORDS.index("sank")] == pytest.approx(by_hand[2], rel=1e-5)


def test_padding_and_what_is_too_long_change_nothing_and_break_nothing(bge: Path) -> None:
    encoder = open_sparse("transformers:tiny/bge", path=bge)
    alone, beside = encoder.passages(["bread rose"]), encoder.passages(["bread rose", "the boat " * 90])
    assert alone[0] == pytest.approx(beside[0], rel=1e-4)
    assert encoder.score("bread", ["", "\ud800", "bread"] * 7).shape == (21,)


def test_fastembed_weighs_words(tmp_path: Path) -> None:
    pytest.importorskip("fastembed")
    from onrecord.models.minilm.onnx_writer import Graph

    tokenizer_of(tmp_path)
    (tmp_path / "config.json").write_text('{"pad_token_id": 0}')
    graph = Graph("tiny")
    table = np.eye(len(WORDS), dtype=np.float32) * 3
    tokens = graph.input("input_ids", "int64", ["batch", "sequence"])
    graph.input("attention_mask", "int64", ["batch", "sequence"])
    graph.node("Gather", [graph.tensor("table", table), tokens], "logits")
    graph.output("logits", "float32", ["batch", "sequence", len(WORDS)])
    (tmp_path / "model.onnx").write_bytes(graph.model({}))
    encoder = open_sparse("fastembed:prithivida/Splade_PP_en_v1", path=tmp_path)
    one, other = encoder.score("boat sank", ["The boat sank slowly", "bread rose slowly"]).tolist()
    marks = 2 * np.log(4) ** 2  # the tiny model also weighs the tokens <s> and </s>
    assert one == pytest.approx(2 * np.log(4) ** 2 + marks, rel=1e-4) and other == pytest.approx(
        marks, rel=1e-4
    )


def test_passages_are_weighed_once() -> None:
    asked: list[list[str]] = []

    def encode(texts: list[str]) -> list[dict[int, float]]:
        asked.append(texts)
        return [{len(text): 2.0} for text in texts]

    encoder = SparseEncoder("test", encode, lambda texts: [{4: 1.5} for _ in texts])
    assert encoder.score("?", ["boat", "bread", "boat"]).tolist() == [3.0, 0.0, 3.0]
    assert encoder.score("?", ["bread", "boat", "rose"]).tolist() == [0.0, 3.0, 3.0]
    assert asked == [["boat", "bread"], ["rose"]]
    assert encoder.score("?", []).shape == (0,)


def test_what_goes_wrong_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="fastembed:NAME or transformers"):
        open_sparse("bm25")
    pytest.importorskip("transformers")
    with pytest.raises(ModelError, match=r"cannot load transformers:tiny/none"):
        open_sparse("transformers:tiny/none", path=tmp_path)
    broken = SparseEncoder("test", lambda texts: [], lambda texts: [{} for _ in texts])
    with pytest.raises(EmbeddingError, match="weights of 0 texts for 1"):
        broken.score("?", ["boat"])
