"""The reader's network and runtime, with a small random model and with the real weights."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.errors import WeightsError
from onrecord.models.contract import ReaderContract
from onrecord.models.minilm import deltas
from onrecord.models.minilm.pairs import LONGEST, PairTokenizer
from onrecord.models.minilm.prepare import find_intact
from onrecord.models.minilm.reader import UNREAD, MiniLMReader

QUESTION = "Why did Halden move its freight to the railway?"
TALK = [
    "Ann: What about freight?",
    "Bob: We moved it to the railway because lorries had become too dear.",
    "That was in May.",
    "Ann: Thank you all for coming.",
]


@pytest.fixture
def tokenizer(small):
    return PairTokenizer(small / "tokenizer.json")


def test_a_pair_holds_question_and_sentences_in_order(tokenizer):
    pair = tokenizer.pair("who spoke", ["Ann spoke.", "Bob."])
    assert pair.types.tolist() == sorted(pair.types.tolist())
    assert pair.spans.shape == (2, len(pair.tokens))
    assert pair.spans.sum(axis=1) == pytest.approx([1, 1])
    first, second = (np.flatnonzero(row) for row in pair.spans)
    assert first.max() < second.min() and pair.types[first.min()] == 1


@given(st.text(max_size=200), st.lists(st.text(max_size=200), max_size=8))
def test_any_text_makes_a_pair_of_bounded_length(small_files, question, sentences):
    pair = PairTokenizer(small_files / "tokenizer.json").pair(question, sentences)
    assert len(pair.tokens) == len(pair.types) == pair.spans.shape[1] <= LONGEST
    assert len(pair.spans) == len(sentences)
    sums = pair.spans.sum(axis=1)
    assert np.all(np.isclose(sums, 1, atol=1e-5) | (sums == 0))


def test_deltas_are_added_to_the_base():
    base = {"a": np.ones((2, 2), np.float32), "b": np.zeros(2, np.float32)}
    added = {
        "a|left": np.array([[1.0], [0.0]]),
        "a|right": np.array([[0.0, 2.0]]),
        "b|whole": np.array([3.0, 4.0]),
        "heads.x": np.array([5.0]),
    }
    merged = deltas.merge(base, added)
    assert merged["a"].tolist() == [[1, 3], [1, 1]]
    assert merged["b"].tolist() == [3, 4] and merged["heads.x"].tolist() == [5]
    assert base["b"].tolist() == [0, 0]


def test_deltas_of_an_unknown_tensor_are_an_error():
    with pytest.raises(KeyError):
        deltas.merge({}, {"a|whole": np.zeros(1)})


def test_the_deltas_that_are_shipped_are_small():
    assert len(deltas._content()) <= 8_000_000


@pytest.mark.slow
def test_eight_bits_read_as_float32_does(small, shared_cache):
    exact = MiniLMReader(path=small, cache=shared_cache, precision="float32")
    rounded = MiniLMReader(path=small, cache=shared_cache, precision="int8")
    (one,), (other,) = exact.read(QUESTION, [TALK]), rounded.read(QUESTION, [TALK])
    assert exact.precision == "float32" and rounded.precision in ("int8", "float32")
    assert other.core == pytest.approx(one.core, abs=0.5)


@pytest.mark.slow
def test_a_damaged_model_is_prepared_again(small, shared_cache):
    reader = MiniLMReader(path=small, cache=shared_cache, precision="int8")
    reader.load()
    (file,) = reader._folder.glob("reader-*.onnx")
    file.write_bytes(b"damaged")
    assert find_intact(reader._folder, "reader-*.onnx") is None
    again = MiniLMReader(path=small, cache=shared_cache, precision="int8")
    assert np.isfinite(again.read(QUESTION, [TALK])[0].core).all()


def test_without_weights_it_says_how_to_get_them(tmp_path):
    reader = MiniLMReader(cache=tmp_path, download=False)
    with pytest.raises(WeightsError):
        reader.read(QUESTION, [TALK])


@pytest.fixture(scope="module")
def real():
    reader = MiniLMReader(download=False)
    try:
        reader.load()
    except WeightsError as error:
        pytest.skip(f"needs the real weights: {error}")
    return reader


@pytest.mark.model
class TestMiniLMReader(ReaderContract):
    @pytest.fixture
    def reader(self, real):
        return real


@pytest.mark.model
def test_it_points_at_the_sentence_that_answers(real):
    (reading,) = real.read(QUESTION, [TALK])
    assert int(reading.core.argmax()) == 1


@pytest.mark.model
def test_a_near_miss_has_lower_odds(real):
    near = "How much did Halden pay the railway for its freight?"
    (answered,), (missed,) = real.read(QUESTION, [TALK]), real.read(near, [TALK])
    assert answered.core.max() > missed.core.max() + 1


@pytest.mark.model
def test_what_is_beyond_its_length_counts_for_nothing(real):
    """A sentence beyond the length limit gets the log-odds of an unread sentence."""
    (reading,) = real.read(QUESTION, [["word " * 300, TALK[1]]])
    assert reading.core[1] == pytest.approx(UNREAD) and reading.relevant[1] < 0.001
