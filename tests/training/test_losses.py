"""The training losses, against values computed with plain Python."""

import math

import pytest

torch = pytest.importorskip("torch", reason="training needs torch: pip install -e '.[train]'")

from batches import Example, Passage  # noqa: E402
from losses import ABSENT, Logits, listwise_loss, losses, passage_loss, sentence_loss  # noqa: E402

RIGHT = Passage(("a", "b", "c"), frozenset({0, 2}), True)
WRONG = Passage(("d", "e"), frozenset(), False)
UNKNOWN = Passage(("f", "g"), None, True)


def logits_of(core, relevant=None, passages=None):
    """Return logits from lists of log-odds, one list per passage; None stands for an absent sentence."""
    width = max(map(len, core))
    padded = torch.tensor(
        [[c if c is not None else 9.0 for c in [*row, *[None] * (width - len(row))]] for row in core]
    )
    present = torch.tensor([[at < len(row) and row[at] is not None for at in range(width)] for row in core])
    first = torch.zeros_like(padded) if relevant is None else torch.tensor(relevant)
    return Logits(torch.stack([first, padded], -1), present, torch.tensor(passages or [0.0] * len(core)))


def softplus(x):
    return math.log1p(math.exp(x))


def test_a_passage_is_judged_by_whether_it_answers():
    logits = logits_of([[0.0]] * 2, passages=[1.5, -0.5])
    expected = (softplus(-1.5) + softplus(-0.5)) / 2
    assert passage_loss([RIGHT, WRONG], logits).item() == pytest.approx(expected, rel=1e-5)


def test_relevant_sentences_weigh_twice_and_unknown_and_absent_ones_nothing():
    relevant = [[1.0, -2.0, 0.5], [0.3, 0.0, 7.0], [5.0, 5.0, 7.0]]
    logits = logits_of([[0.0] * 3, [0.0, None], [0.0] * 2], relevant)
    expected = (2 * softplus(-1.0) + softplus(-2.0) + 2 * softplus(-0.5) + softplus(0.3)) / 4
    assert sentence_loss([RIGHT, WRONG, UNKNOWN], logits).item() == pytest.approx(expected, rel=1e-5)


def listwise(example, core):
    """Return the listwise loss of one example."""
    return listwise_loss([example], logits_of(core)).item()


def log_share(at, values):
    """Return the logarithm of the softmax of one value."""
    return values[at] - math.log(sum(math.exp(value) for value in values))


def test_the_core_has_most_of_the_target_and_none_competes():
    core = [[1.0, 0.0, -1.0], [0.5, 2.0]]
    values = [1.0, 0.0, -1.0, 0.5, 2.0, 0.0]
    expected = -0.15 * log_share(0, values) - 0.85 * log_share(2, values)
    assert listwise(Example("?", (RIGHT, WRONG), core=2), core) == pytest.approx(expected, rel=1e-4)


def test_none_is_the_target_of_a_near_miss():
    expected = -log_share(2, [0.5, 2.0, 0.0])
    assert listwise(Example("?", (WRONG,)), [[0.5, 2.0]]) == pytest.approx(expected, rel=1e-4)


def test_any_sentence_may_answer_where_nobody_knows_which():
    values = [1.0, 0.0, 0.5, 2.0, 0.0]
    expected = -math.log(sum(math.exp(log_share(at, values)) for at in (0, 1)))
    example = Example("?", (UNKNOWN, WRONG))
    assert listwise(example, [[1.0, 0.0], [0.5, 2.0]]) == pytest.approx(expected, rel=1e-4)


def test_a_core_that_did_not_fit_leaves_the_target_to_the_others():
    values = [1.0, 0.0, 0.0]
    assert listwise(Example("?", (RIGHT,), core=2), [[1.0, 0.0]]) == pytest.approx(
        -log_share(0, values), rel=1e-4
    )


def test_nothing_is_learnt_where_no_relevant_sentence_fits():
    late = Passage(("a", "b", "c"), frozenset({2}), True)
    assert listwise(Example("?", (late,), core=2), [[1.0, 0.0]]) == 0


def test_claims_have_no_part_in_the_list():
    claim = Example("It is so.", (RIGHT,), claim=True)
    assert listwise(claim, [[3.0, 0.0, 0.0]]) == 0


def test_the_losses_of_a_batch_are_of_its_own_passages_in_order():
    examples = [
        Example("?", (RIGHT, WRONG), core=0),
        Example("It is so.", (WRONG,), claim=True),
        Example("?", (WRONG,)),
    ]
    core = [[2.0, 0.0, -1.0], [0.0, 1.0], [9.0, 9.0], [0.5, -0.5]]
    logits = logits_of(core, passages=[1.0, -1.0, 0.0, -2.0])
    parts = losses(examples, logits)
    alone = [
        listwise_loss(examples[:1], logits_of(core[:2])).item(),
        0.0,
        listwise_loss(examples[2:], logits_of(core[3:])).item(),
    ]
    assert parts.listwise.item() == pytest.approx(sum(alone) / 3, rel=1e-4)
    passage, sentence, listed = parts.numbers()
    assert parts.total.item() == pytest.approx(passage + 4 * sentence + listed, rel=1e-5)


def test_an_absent_sentence_has_no_chance():
    assert math.exp(ABSENT) == 0
