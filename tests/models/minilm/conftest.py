"""A model with the real layers, random weights and a small vocabulary, in place of the real one."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from onrecord.models.minilm import weights
from onrecord.models.minilm.network import LAYERS
from onrecord.models.minilm.parts import Part
from onrecord.models.minilm.prepare import calibration_texts

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def write_safetensors(file, tensors, aliases=None):
    """Write float32 tensors to a safetensors file; `aliases` are further names of the same bytes."""
    header, body = {}, b""
    for name, values in tensors.items():
        place = [len(body), len(body) + values.nbytes]
        header[name] = {"dtype": "F32", "shape": list(values.shape), "data_offsets": place}
        body += values.astype(np.float32).tobytes()
    header |= {alias: header[name] for alias, name in (aliases or {}).items()}
    head = json.dumps(header).encode()
    file.write_bytes(len(head).to_bytes(8, "little") + head + body)


def random_weights(words):
    """Return the tensors of one random layer, and aliases that repeat it for all layers.

    `words` is the size of the vocabulary.
    """
    rng = np.random.default_rng(7)

    def normal(*shape):
        return rng.normal(0, 0.05, shape).astype(np.float32)

    def norm(name):
        return {f"{name}.weight": 1 + normal(384), f"{name}.bias": normal(384)}

    def linear(name, inputs, outputs):
        return {f"{name}.weight": normal(outputs, inputs), f"{name}.bias": normal(outputs)}

    layer = "encoder.layer.0"
    tensors = {
        "embeddings.word_embeddings.weight": normal(words, 384),
        "embeddings.position_embeddings.weight": normal(512, 384),
        "embeddings.token_type_embeddings.weight": normal(2, 384),
        **norm("embeddings.LayerNorm"),
        **linear(f"{layer}.attention.self.query", 384, 384),
        **linear(f"{layer}.attention.self.key", 384, 384),
        **linear(f"{layer}.attention.self.value", 384, 384),
        **linear(f"{layer}.attention.output.dense", 384, 384),
        **norm(f"{layer}.attention.output.LayerNorm"),
        **linear(f"{layer}.intermediate.dense", 384, 1536),
        **linear(f"{layer}.output.dense", 1536, 384),
        **norm(f"{layer}.output.LayerNorm"),
    }
    others = range(1, LAYERS)
    names = [name for name in tensors if name.startswith(layer)]
    return tensors, {n.replace(".0.", f".{i}.", 1): n for n in names for i in others}


def write_tokenizer(file):
    """Write a tokenizer of word pieces, and return the size of its vocabulary.

    The vocabulary has the words of the calibration texts, and letters for all other words.
    """
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    vocabulary = {word.strip(".,?;:!").lower() for text in calibration_texts() for word in text.split()}
    pieces = [
        *SPECIAL,
        *letters,
        *(f"##{letter}" for letter in letters),
        *sorted(vocabulary - {*letters, ""}),
    ]
    tokenizer = Tokenizer(models.WordPiece({p: i for i, p in enumerate(pieces)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.save(str(file))
    return len(pieces)


@pytest.fixture(scope="session")
def small_files(tmp_path_factory) -> Path:
    """A folder with a small model's tokenizer.json and model.safetensors."""
    folder = tmp_path_factory.mktemp("small")
    tensors, aliases = random_weights(write_tokenizer(folder / "tokenizer.json"))
    write_safetensors(folder / "model.safetensors", tensors, aliases)
    return folder


@pytest.fixture
def small(small_files, monkeypatch) -> Path:
    """The small model's folder. The expected digests are set to those of its files."""

    def part(name):
        content = (small_files / name).read_bytes()
        return Part(name, len(content), hashlib.sha256(content).hexdigest())

    monkeypatch.setattr(weights, "TOKENIZER", part("tokenizer.json"))
    monkeypatch.setattr(weights, "WEIGHTS", part("model.safetensors"))
    monkeypatch.setattr(weights, "PARTS", (weights.TOKENIZER, weights.WEIGHTS))
    return small_files


@pytest.fixture(scope="session")
def shared_cache(tmp_path_factory) -> Path:
    """A cache that the tests of the small model share, so that the model is prepared only once."""
    return tmp_path_factory.mktemp("cache")
