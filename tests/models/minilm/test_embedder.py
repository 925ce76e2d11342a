"""Properties of the embedder that hold for all weights, tested on a small random model."""

import shutil
from math import erf

import numpy as np
import pytest

from onrecord.archive import Archive
from onrecord.errors import EmbeddingError, ModelError, SettingError, WeightsError
from onrecord.models import open_embedder, open_reranker
from onrecord.models.base import Vocabulary
from onrecord.models.contract import BREAD, SHIP, EmbedderContract, RerankerContract
from onrecord.models.minilm import embedder as module
from onrecord.models.minilm import prepare, safetensors
from onrecord.models.minilm.embedder import MiniLMReranker
from onrecord.models.minilm.prepare import calibration_texts
from onrecord.models.minilm.session import Session, Tokenizer
from onrecord.settings import load
from onrecord.stores.memory import MemoryStore

TEXTS = [BREAD, SHIP, "", "Yes.", *calibration_texts()[:5], " ".join(calibration_texts())]


@pytest.fixture
def open_small(small, shared_cache):
    """A function that opens the small model with options."""

    def opener(**options):
        return open_embedder("minilm", **{"path": small, "cache": shared_cache, "download": False, **options})

    return opener


@pytest.fixture
def own_cache(shared_cache, open_small, tmp_path):
    """A copy of the prepared cache that a test may damage."""
    open_small()
    return shutil.copytree(shared_cache, tmp_path / "cache")


def int8_file(cache):
    (file,) = cache.rglob("int8-*.onnx")
    return file


class TestExact(EmbedderContract):
    """The contract of embedders, in float32."""

    @pytest.fixture
    def embedder(self, open_small):
        return open_small(precision="float32")


class TestRounded(EmbedderContract):
    """The contract of embedders, in 8 bits."""

    @pytest.fixture
    def embedder(self, open_small):
        return open_small(precision="int8")


class TestReranker(RerankerContract):
    @pytest.fixture
    def reranker(self, open_small):
        return MiniLMReranker(open_small(precision="int8"))


@pytest.mark.parametrize("precision", ["float32", "int8"])
def test_a_vector_is_the_mean_of_its_tokens_states(open_small, precision):
    model = open_small(precision=precision)
    tokens = model._tokenizer.tokens([BREAD])[0]
    mean = model._session.states(tokens).mean(axis=0)
    assert model.embed([BREAD])[0] == pytest.approx(mean / np.linalg.norm(mean), abs=1e-5)
    inner = model._session.states(tokens)[1:-1]
    (vectors,) = model.embed_tokens([BREAD])
    assert vectors == pytest.approx(inner / np.linalg.norm(inner, axis=1, keepdims=True), abs=1e-6)


def test_texts_without_a_word_piece_have_no_vectors_of_tokens(open_small):
    assert [len(vectors) for vectors in open_small().embed_tokens(["", "Yes.", ""])] == [0, 2, 0]
    assert open_small().embed_tokens([]) == []


def test_words_of_its_vocabulary_are_those_that_are_whole(open_small):
    """`has_word` accepts whole words of the vocabulary, not word pieces, special tokens or misspellings."""
    model = open_small()
    assert isinstance(model, Vocabulary) and model.has_word("committee")
    for word in ("comittee", "the committee", "##e", "[CLS]", "", "\ud800"):
        assert not model.has_word(word), repr(word)


def test_a_reranker_of_a_model_that_is_loaded_loads_no_other(open_small, monkeypatch):
    model = open_small()
    monkeypatch.setattr(module, "prepare", None)
    scores = open_reranker("minilm", model).score(SHIP, [BREAD, SHIP])
    assert scores.tolist() == MiniLMReranker(model).score(SHIP, [BREAD, SHIP]).tolist()


def test_what_is_said_word_for_word_is_read_as_surest(open_small):
    """A passage equal to the question gets the score 1, and an empty passage 0."""
    scores = MiniLMReranker(open_small(precision="float32")).score(SHIP, [BREAD, SHIP, ""])
    assert scores[1] == pytest.approx(1, abs=1e-5) and scores[0] < scores[1] and scores[2] == 0


def bert(weights, tokens):
    """Compute a text's vector in NumPy: an independent implementation that checks the graph."""

    def linear(name, x):
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def normalise(name, x):
        x = (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-12)
        return x * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def heads(x):
        return x.reshape(len(x), 12, 32).transpose(1, 0, 2)

    gelu = np.vectorize(lambda v: v * (1 + erf(v / np.sqrt(2))) / 2)
    table = "embeddings.{}_embeddings.weight".format
    x = weights[table("word")][tokens] + weights[table("position")][: len(tokens)]
    x = normalise("embeddings.LayerNorm", x + weights[table("token_type")][0])
    for layer in range(6):
        name = f"encoder.layer.{layer}"
        q, k, v = (heads(linear(f"{name}.attention.self.{p}", x)) for p in ("query", "key", "value"))
        shares = np.exp(q @ k.transpose(0, 2, 1) / np.sqrt(32))
        mixed = (shares / shares.sum(axis=-1, keepdims=True)) @ v
        mixed = linear(f"{name}.attention.output.dense", mixed.transpose(1, 0, 2).reshape(len(x), 384))
        x = normalise(f"{name}.attention.output.LayerNorm", x + mixed)
        fed = linear(f"{name}.output.dense", gelu(linear(f"{name}.intermediate.dense", x)))
        x = normalise(f"{name}.output.LayerNorm", x + fed)
    mean = x.mean(axis=0)
    return mean / np.linalg.norm(mean)


def test_float32_agrees_with_the_network_in_numpy(small, open_small):
    file = small / "model.safetensors"
    weights = safetensors.read_tensors(file)
    weights = {name: values.astype(np.float64) for name, values in weights.items()}
    texts = [BREAD, ""]
    vectors = open_small(precision="float32").embed(texts)
    tokens = Tokenizer(small / "tokenizer.json").tokens(texts)
    assert np.allclose(vectors, [bert(weights, t) for t in tokens], atol=1e-6)


def test_int8_keeps_the_vectors_nearly_where_they_are(open_small):
    exact, rounded = open_small(precision="float32"), open_small(precision="int8")
    cosines = np.sum(exact.embed(TEXTS) * rounded.embed(TEXTS), axis=1)
    # The vectors are similar on every processor, but not equal: the weights are rounded.
    assert 0.99 < cosines.min() <= cosines.max() < 0.9999999
    assert (exact.fingerprint, exact.precision) == (rounded.fingerprint, "float32")
    assert rounded.precision == "int8"


@pytest.mark.parametrize("precision", ["float32", "mixed", "int8"])
def test_vectors_are_the_same_to_the_bit_however_they_are_asked_for(open_small, precision, monkeypatch):
    one = open_small(precision=precision, workers=1)
    together = one.embed(TEXTS)
    assert np.array_equal(together, open_small(precision=precision, workers=5).embed(TEXTS))
    assert np.array_equal(together, [one.embed_query(text) for text in TEXTS])
    assert np.array_equal(together[::-1], one.embed(TEXTS[::-1]))
    monkeypatch.setattr(module, "BATCH", 3)
    assert np.array_equal(together, one.embed(TEXTS))


def test_a_text_is_read_up_to_its_256th_token(open_small):
    model = open_small()
    long = "yes " * 254
    assert np.array_equal(model.embed_query(long), model.embed_query(long + "and then more of it"))
    assert not np.array_equal(model.embed_query(long), model.embed_query(long[:-8]))


@pytest.mark.parametrize("value", ["int4", "", "INT8"])
def test_an_unknown_precision_is_refused(open_small, value):
    with pytest.raises(SettingError, match="auto, int8, mixed, float32"):
        open_small(precision=value)


def test_workers_that_are_none_are_refused(open_small):
    with pytest.raises(SettingError, match="'workers' cannot be 0"):
        open_small(workers=0)


def test_a_vector_that_is_not_of_numbers_is_an_error(open_small, monkeypatch):
    model = open_small()
    monkeypatch.setattr(model._session, "vector", lambda tokens: np.full(384, np.nan, np.float32))
    with pytest.raises(EmbeddingError, match="not of numbers"):
        model.embed([BREAD])


class TestThePreparedModel:
    def test_it_is_made_once_and_needs_no_weights_any_more(self, open_small, own_cache):
        before = open_small(cache=own_cache).embed_query(BREAD)
        stamp = int8_file(own_cache).stat().st_mtime_ns
        next(own_cache.rglob("model.safetensors")).unlink()
        assert np.array_equal(open_small(cache=own_cache, path=None).embed_query(BREAD), before)
        assert int8_file(own_cache).stat().st_mtime_ns == stamp

    @pytest.mark.parametrize("damage", [b"", b"\x00damage"])
    def test_a_damaged_one_is_made_again(self, open_small, own_cache, damage):
        file = int8_file(own_cache)
        content = file.read_bytes()
        file.write_bytes(damage + content[len(damage) : -1] if damage else damage)
        open_small(cache=own_cache).load()
        assert int8_file(own_cache).read_bytes() == content

    def test_it_is_loaded_where_a_text_is_embedded_and_once(self, open_small, own_cache, monkeypatch):
        loaded = []
        monkeypatch.setattr(prepare, "Session", lambda file: loaded.append(file) or Session(file))
        model = open_small(cache=own_cache)
        assert model.has_word("committee") and loaded == []
        assert np.array_equal(model.embed_query(BREAD), model.embed_query(BREAD))
        model.load()
        assert loaded == [int8_file(own_cache)]

    def test_one_that_is_damaged_and_cannot_be_made_again_is_reported_where_it_is_opened(
        self, open_small, own_cache
    ):
        """Opening a damaged prepared model without weights fails at once, not at the first text."""
        int8_file(own_cache).write_bytes(b"")
        next(own_cache.rglob("model.safetensors")).unlink()
        with pytest.raises(WeightsError):
            open_small(cache=own_cache, path=None)

    def test_an_archive_loads_it_ahead_of_the_first_question(self, own_cache, monkeypatch):
        loaded = []
        monkeypatch.setattr(prepare, "Session", lambda file: loaded.append(file) or Session(file))
        monkeypatch.setenv("ONRECORD_CACHE", str(own_cache))
        archive = Archive(MemoryStore(), load(embedding={"model": "minilm"}))
        assert archive.embedder and loaded == []
        archive.warm()
        assert loaded == [int8_file(own_cache)]

    def test_preparing_tells_how_far_it_is(self, open_small, tmp_path):
        progress = []
        open_small(cache=tmp_path, progress=lambda what, share: progress.append((what, share)))
        shares = [share for what, share in progress if what == "preparing the model"]
        assert (0 < shares[0] < 1, shares[-1]) == (True, 1)
        assert shares == sorted(shares)

    def test_a_processor_that_gets_it_wrong_falls_back_to_float32(self, open_small, monkeypatch):
        exact = open_small(precision="float32").embed_query(BREAD)
        monkeypatch.setattr(prepare, "AGREEMENT", 1.1)  # a cosine that cannot be reached
        model = open_small()
        assert model.precision == "float32"
        assert np.array_equal(model.embed_query(BREAD), exact)
        with pytest.raises(ModelError, match="use float32"):
            open_small(precision="int8").load()

    def test_sums_that_overflow_are_noticed(self, open_small, monkeypatch):
        """The check rejects errors as large as those of overflowing 16-bit sums, which occur without VNNI."""
        model = open_small(precision="int8")
        spoiled = np.random.default_rng(3).normal(0, 0.01, 384).astype(np.float32)
        right = model._session.vector
        monkeypatch.setattr(model._session, "vector", lambda tokens: right(tokens) + spoiled)
        assert prepare.agrees_with_exact(open_small(precision="int8")._session, model._tokenizer)
        assert not prepare.agrees_with_exact(model._session, model._tokenizer)


def test_without_weights_it_says_so(small, tmp_path):
    with pytest.raises(WeightsError, match="onrecord models fetch"):
        open_embedder("minilm", cache=tmp_path, download=False)
    with pytest.raises(WeightsError, match="onrecord models fetch"):
        open_embedder("minilm", cache=tmp_path, download=False, precision="float32")
