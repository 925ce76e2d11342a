"""What the judge learns from, on small data."""

import json
import random
from dataclasses import replace
from itertools import pairwise

import pytest

torch = pytest.importorskip("torch", reason="training needs torch: pip install -e '.[train]'")

from batches import Example, Passage  # noqa: E402
from data import Claim, TextClaim, text_claims  # noqa: E402
from judge import ClaimBatches, Material, auroc, claim_example, twins_of  # noqa: E402
from losses import Logits, claim_losses, contrast_loss  # noqa: E402

RIGHT = Claim("w", "The ovens were old.", True, (1,))
WRONG = Claim("w", "The ovens were new.", False, (1,))
OTHER = Claim("w", "The ship carried salt.", False, (6,))


@pytest.fixture
def window(small_data):
    from data import shared_windows

    return shared_windows(small_data)["talks-0-00"]


def test_a_wrong_claim_is_the_twin_of_the_right_one_about_the_same_sentences():
    assert twins_of([RIGHT, OTHER, WRONG]) == [(RIGHT, WRONG), (OTHER,)]
    assert twins_of([RIGHT, RIGHT, WRONG]) == [(RIGHT, WRONG), (RIGHT,)]


def test_twins_follow_one_another_in_a_batch(window):
    batches = ClaimBatches(Material({"w": window}, [RIGHT, WRONG, OTHER], []), size=9, own=1)
    batch = batches.draw()
    assert 9 <= len(batch) <= 11 and all(example.claim for example in batch)
    for before, example in pairwise(batch):
        assert example.twin == (example.text == WRONG.text)
        assert not example.twin or before.text == RIGHT.text


def test_a_premise_holds_what_the_claim_rests_on(window):
    example = claim_example(RIGHT, window, random.Random(1))
    (passage,) = example.passages
    assert passage.answers and [passage.sentences[n] for n in passage.relevant] == ["The ovens were too old."]


def test_claims_about_texts_are_drawn_half_supported(window):
    texts = [TextClaim("wice", "d", f"It is {n}.", n == 0, ("It is 0.",)) for n in range(9)]
    batches = ClaimBatches(Material({}, [], texts), own=0, size=8)
    drawn = [example for _ in range(40) for example in batches.draw()]
    assert 0.3 < sum(e.passages[0].answers for e in drawn) / len(drawn) < 0.7


def test_texts_are_split_and_halved_by_document(tmp_path):
    rows = [
        {
            "id": str(n),
            "context": "It rained. We stayed.",
            "claim_or_response": "It was wet.",
            "label": "supported" if n % 2 else "partially_supported",
        }
        for n in range(40)
    ]
    (tmp_path / "wice").mkdir()
    (tmp_path / "wice" / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    claims = text_claims(tmp_path, "wice")
    assert claims[0].sentences == ("It rained.", "We stayed.")
    assert [claim.supported for claim in claims[:2]] == [False, True]
    assert 10 < sum(claim.first_half for claim in claims) < 30
    assert all(claim.first_half for claim in claims if claim.for_choosing)


def logits(*passages):
    rows = len(passages)
    return Logits(torch.zeros(rows, 1, 2), torch.ones(rows, 1, dtype=torch.bool), torch.tensor(passages))


def test_a_twin_is_to_be_less_likely_than_the_claim_before():
    one = Example("a", (Passage(("s",), frozenset({0}), True),), claim=True)
    twin = replace(one, twin=True, passages=(Passage(("s",), frozenset({0}), False),))
    good, bad = (contrast_loss([one, twin], logits(*odds)).item() for odds in ((2.0, -1.0), (-1.0, 2.0)))
    assert good == pytest.approx(0.0486, abs=1e-3) and bad == pytest.approx(3.0486, abs=1e-3)
    assert contrast_loss([one, one], logits(1.0, 2.0)).item() == 0
    assert claim_losses([one, twin], logits(2.0, -1.0)).listwise.item() == pytest.approx(good)


def test_auroc_counts_pairs_in_the_right_order():
    import numpy as np

    assert auroc(np.array([0.9, 0.2, 0.5, 0.2]), [True, False, True, True]) == pytest.approx(2.5 / 3)
