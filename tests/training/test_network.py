"""The network in torch, against the one that onrecord runs, and the packing of its weights."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch: pip install -e '.[train]'")
pytest.importorskip("safetensors", reason="training needs safetensors: pip install -e '.[train]'")

import pack  # noqa: E402
from network import CLAIM, Encoder, Reader, TrainedReader, base_folder, base_tensors  # noqa: E402
from onrecord.errors import WeightsError  # noqa: E402
from onrecord.models.minilm.deltas import merge, read_deltas  # noqa: E402
from onrecord.models.minilm.pairs import LONGEST, PairTokenizer  # noqa: E402
from onrecord.models.minilm.reader import UNREAD, MiniLMReader  # noqa: E402

QUESTION = "How long does the bread bake?"
PASSAGE = ["ann: We sold the bakery in May.", "bob: Mine takes forty minutes.", "Then the ship came in."]


@pytest.fixture(scope="module")
def folder():
    """The folder with the base weights."""
    try:
        return base_folder()
    except WeightsError as error:
        pytest.skip(f"needs the real weights: {error}")


@pytest.fixture(scope="module")
def shipped(folder):
    """The shipped reader, loaded into torch."""
    base = base_tensors(folder)
    merged = merge({name: tensor.numpy() for name, tensor in base.items()}, read_deltas())
    reader = Reader(folder)
    reader.take({name: torch.from_numpy(np.array(values)) for name, values in merged.items()})
    return reader.eval()


@pytest.mark.model
def test_it_reads_as_onrecord_does(folder, shipped):
    (reading,) = MiniLMReader(precision="float32").read(QUESTION, [PASSAGE])
    with torch.no_grad():
        logits, present, _ = shipped([Encoder(folder).row(QUESTION, PASSAGE)], exact=True)
    assert present.all()
    assert logits[0, :, 1].numpy() == pytest.approx(reading.core, abs=2e-3)
    assert logits[0, :, 0].sigmoid().numpy() == pytest.approx(reading.relevant, abs=2e-3)


@pytest.mark.model
def test_bfloat16_reads_nearly_so(folder, shipped):
    (exact,) = MiniLMReader(precision="float32").read(QUESTION, [PASSAGE])
    (reading,) = TrainedReader(shipped, Encoder(folder)).read(QUESTION, [PASSAGE])
    assert reading.core == pytest.approx(exact.core, abs=0.5)
    assert reading.relevant.dtype == np.float32 and int(reading.core.argmax()) == int(exact.core.argmax())


@pytest.mark.model
@pytest.mark.parametrize("passage", [PASSAGE, ["so it goes on " * 20] * 9, [""], ["", "Yes."]])
def test_rows_are_those_of_onrecord(folder, passage):
    tokens, types, owner = Encoder(folder).row(QUESTION, passage)
    pair = PairTokenizer(folder / "tokenizer.json").pair(QUESTION, passage)
    assert tokens == pair.tokens.tolist() and types == pair.types.tolist() and len(tokens) <= LONGEST
    assert (pair.spans > 0).tolist() == [[number == own for own in owner] for number in range(len(passage))]


@pytest.mark.model
def test_a_claim_is_marked_after_the_first_token(folder):
    encoder = Encoder(folder)
    asked, claimed = (encoder.row("It is so.", PASSAGE, claim=claim)[0] for claim in (False, True))
    assert claimed == [asked[0], CLAIM, *asked[1:]]


def test_padding_changes_nothing(small_network, letters):
    reader = small_network.Reader(None).eval()
    rows = [letters.row("Who sailed?", ["We did."]), letters.row("Who sailed?", ["The ship " * 9, "", "Yes"])]
    with torch.no_grad():
        together = reader(rows, exact=True)
        alone = reader(rows[:1], exact=True)
    assert together[1].tolist() == [[True, False, False], [True, False, True]]
    assert together[0][0, 0].tolist() == pytest.approx(alone[0][0, 0].tolist(), abs=1e-5)
    assert together[2][0].item() == pytest.approx(alone[2][0].item(), abs=1e-5)


def test_a_sentence_without_tokens_is_unread(small_network, letters):
    reader = small_network.TrainedReader(small_network.Reader(None), letters)
    first, second = reader.read("Who sailed?", [["We did.", "", ""], ["Yes"]])
    assert first.core.shape == first.relevant.shape == (3,)
    assert first.core[1] == first.core[2] == UNREAD and first.core[0] > UNREAD
    assert second.core.shape == (1,)
    assert reader.read("Who sailed?", []) == []


def test_weights_are_named_as_they_are_taken(small_network):
    first, second = small_network.Reader(None), small_network.Reader(None)
    with torch.no_grad():
        for weights in first.parameters():
            weights.add_(torch.randn_like(weights))
    base = small_network.base_tensors(None)
    second.take(base | first.by_base_names())
    assert second.by_base_names().keys() == {*small_network.BASE_NAMES, *_heads()}
    for name, weights in second.by_base_names().items():
        assert torch.equal(weights, first.by_base_names()[name]), name


def _heads():
    return {f"heads.{head}.{part}" for head in ("sentences", "passage") for part in ("weight", "bias")}


@pytest.fixture
def packing(small_network, monkeypatch):
    """A reader with two changed tensors, and its base weights."""
    monkeypatch.setattr(pack, "base_tensors", small_network.base_tensors)
    monkeypatch.setattr(pack, "base_folder", lambda: None)
    monkeypatch.setattr(pack, "BASE_NAMES", small_network.BASE_NAMES)
    reader = small_network.Reader(None)
    with torch.no_grad():
        reader.layers[0].widen.weight.add_(torch.randn(96, 24) * 0.1)
        reader.layers[0].narrowed.bias.add_(0.5)
    base = {name: tensor.numpy() for name, tensor in small_network.base_tensors(None).items()}
    return reader, base


@pytest.mark.parametrize(("rank", "most"), [(24, 2e-3), (23, 0.1)])
def test_what_is_packed_is_merged_to_what_was_trained(packing, rank, most):
    reader, base = packing
    merged = merge(base, {k: v.astype(np.float32) for k, v in pack.pack(reader, rank).items()})
    for name, weights in reader.by_base_names().items():
        assert np.abs(merged[name] - weights.numpy()).max() <= most, name


def test_only_changes_are_packed(packing):
    reader, _ = packing
    layer = "encoder.layer.0"
    changed = {f"{layer}.intermediate.dense.weight|left", f"{layer}.intermediate.dense.weight|right"}
    assert pack.pack(reader, 4).keys() == changed | {f"{layer}.output.LayerNorm.bias|whole"} | _heads()
