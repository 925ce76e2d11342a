"""Training: steps reduce the loss, embeddings stay frozen, and saved weights can be loaded again."""

import pytest

torch = pytest.importorskip("torch", reason="training needs torch: pip install -e '.[train]'")
pytest.importorskip("safetensors", reason="training needs safetensors: pip install -e '.[train]'")

from batches import Batches, Example, Passage, Tiles, mine_all  # noqa: E402
from data import load_material  # noqa: E402
from onrecord.models import open_embedder  # noqa: E402
from train import (  # noqa: E402
    LEAST,
    Drawn,
    Plan,
    Trainer,
    freeze_embeddings,
    parse_mix,
    read_sorted,
    rows_of,
    train,
)

EXAMPLES = [
    Example(
        "when did it sail?",
        (Passage(("go up", "in may"), frozenset({1}), True), Passage(("no one",), frozenset(), False)),
        core=1,
    ),
    Example("why?", (Passage(("lost at sea", "kept dry"), frozenset(), False),)),
]


def test_steps_make_the_losses_smaller(small_network, letters):
    trainer = Trainer(small_network.Reader(None))
    batch = EXAMPLES, rows_of(EXAMPLES, letters)
    first, *_, last = [trainer.step(batch, 3e-3).total.item() for _ in range(25)]
    assert last < first / 2


def test_embeddings_stay_as_they_are(small_network, letters):
    reader = small_network.Reader(None)
    before = {name: weights.clone() for name, weights in reader.state_dict().items()}
    Trainer(reader).step((EXAMPLES, rows_of(EXAMPLES, letters)), 1e-2)
    same = {name for name, weights in reader.state_dict().items() if torch.equal(weights, before[name])}
    assert same == {f"{part}.weight" for part in ("words", "places", "types", "normalise")} | {
        "normalise.bias"
    }


def test_freezing_leaves_the_layers_to_learn(small_network):
    reader = small_network.Reader(None)
    freeze_embeddings(reader)
    learning = {name.split(".")[0] for name, weights in reader.named_parameters() if weights.requires_grad}
    assert learning == {"layers", "sentences", "passage"}


def test_reading_by_length_keeps_the_order(small_network, letters):
    reader = small_network.Reader(None).eval()
    rows = [letters.row("who?", ["ship " * length, "sea"][: 1 + length % 2]) for length in (9, 2, 30, 1, 17)]
    with torch.no_grad():
        logits = read_sorted(reader, rows, parts=3)
        for at, row in enumerate(rows):
            sentences, present, passage = reader([row])
            count = present.shape[1]
            assert logits.passages[at].item() == pytest.approx(passage[0].item(), abs=0.05)
            assert logits.present[at, :count].tolist() == present[0].tolist()
            assert not logits.present[at, count:].any()
            assert logits.sentences[at, :count].tolist() == [
                pytest.approx(pair, abs=0.05) for pair in sentences[0].tolist()
            ]


def test_rows_are_of_all_passages_and_claims_are_marked(letters):
    claim = Example("it did.", (Passage(("yes",), frozenset({0}), True),), claim=True)
    rows = rows_of([*EXAMPLES, claim], letters)
    assert len(rows) == 4
    assert rows[3] == letters.row("it did.", ["yes"], claim=True)


def test_the_rate_rises_and_falls():
    plan = Plan(steps=200, rate=1.0)
    assert plan.rate_at(0, 0) == pytest.approx(1 / 50)
    assert plan.rate_at(100, 0.5) == pytest.approx(0.5)
    assert plan.rate_at(199, 0.995) == pytest.approx(LEAST)
    assert Plan(rate=1.0, flat=True).rate_at(199, 0.995) == 1


def test_a_plan_ends_by_steps_or_by_minutes():
    assert Plan(steps=10).done(5, 9999) == 0.5
    assert Plan(minutes=2).done(7, 60) == 0.5


def test_a_mix_is_written_as_shares():
    assert parse_mix("questions=11, claims=2") == {"questions": 11, "claims": 2}
    with pytest.raises(ValueError):
        parse_mix("questions")


def test_training_ends_and_saves_what_can_be_taken_up(
    small_network, letters, small_data, small_labels, tmp_path
):
    material = load_material(small_data, labels=small_labels)
    tiles = Tiles.of(material.windows)
    mined = mine_all(material, tiles, open_embedder("hashing"), None)
    drawn = Drawn(lambda seed: Batches(material, tiles, mined, size=5, seed=seed), letters, seed=1)
    reader = small_network.Reader(None)
    trainer = Trainer(reader)
    train(trainer, iter(drawn), Plan(steps=3), tmp_path / "out" / "reader.pt")
    again = small_network.Reader(None)
    again.load_state_dict(torch.load(tmp_path / "out" / "reader.pt", weights_only=True))
    means = trainer.mean.module.parameters()
    assert all(torch.equal(a, b) for a, b in zip(again.parameters(), means, strict=True))


def test_several_saved_networks_are_taken_up_as_their_mean(small_network, tmp_path, monkeypatch):
    monkeypatch.setattr(small_network, "base_folder", lambda: None)
    one, two = small_network.Reader(None), small_network.Reader(None)
    for name, reader in (("one.pt", one), ("two.pt", two)):
        torch.save(reader.state_dict(), tmp_path / name)
    both = small_network.load_reader([tmp_path / "one.pt", tmp_path / "two.pt"], torch.device("cpu"))
    for mean, a, b in zip(both.parameters(), one.parameters(), two.parameters(), strict=True):
        assert torch.allclose(mean, (a + b) / 2)
