"""The loss of training: the sum of three losses over the passages of a batch.

Does the passage answer? Is the sentence relevant? Which sentence of all passages of the question is the core,
if any? The last is a softmax over all sentences and "none", whose logit is 0 (shared normalization: Clark and
Gardner, Simple and Effective Multi-Paragraph Reading Comprehension, 2018). This makes the logits of passages
that are read one by one comparable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from batches import Example, Passage

SENTENCE = 4.0
"""Weight of the sentences' loss relative to the two others."""
POSITIVE = 2.0
"""Weight of a relevant sentence relative to an irrelevant one."""
CORE = 0.7
"""Share of the core in the listwise target; all relevant sentences share the rest."""
ABSENT = -1e4
"""Logit of padding, where there is no sentence."""


@dataclass(frozen=True)
class Logits:
    """The network's output for the passages of some examples, in order.

    `sentences` has the shape (passages, sentences, 2), `passages` (passages,); `present`, (passages,
    sentences), says which sentences are not padding.
    """

    sentences: Tensor
    present: Tensor
    passages: Tensor


@dataclass(frozen=True)
class Losses:
    """The three losses."""

    passage: Tensor
    sentence: Tensor
    listwise: Tensor

    @property
    def total(self) -> Tensor:
        """The loss that training minimizes."""
        return self.passage + SENTENCE * self.sentence + self.listwise

    def numbers(self) -> tuple[float, float, float]:
        """The values of the three losses."""
        return self.passage.item(), self.sentence.item(), self.listwise.item()


def losses(examples: Sequence[Example], logits: Logits) -> Losses:
    """Return the losses of a batch."""
    passages = [passage for example in examples for passage in example.passages]
    return Losses(
        passage_loss(passages, logits), sentence_loss(passages, logits), listwise_loss(examples, logits)
    )


def passage_loss(passages: Sequence[Passage], logits: Logits) -> Tensor:
    """Return the binary cross-entropy of "this passage answers", or supports the claim."""
    right = [float(passage.answers) for passage in passages]
    return functional.binary_cross_entropy_with_logits(logits.passages, logits.passages.new_tensor(right))


def sentence_loss(passages: Sequence[Passage], logits: Logits) -> Tensor:
    """Return the binary cross-entropy of "this sentence is relevant", over the sentences with that label."""
    relevant = logits.sentences[..., 0]
    judged = logits.present & torch.tensor(
        [[p.relevant is not None] for p in passages], device=relevant.device
    )
    target = torch.zeros_like(relevant)
    for row, passage in enumerate(passages):
        target[row, _within(passage.relevant or (), target.shape[1])] = 1.0
    losses_of_sentences = functional.binary_cross_entropy_with_logits(
        relevant, target, reduction="none", pos_weight=relevant.new_tensor(POSITIVE)
    )
    return (losses_of_sentences * judged).sum() / judged.sum().clamp(min=1)


def listwise_loss(examples: Sequence[Example], logits: Logits) -> Tensor:
    """Return the cross-entropy over all sentences of a question's passages and "none", without claims."""
    core = logits.sentences[..., 1].masked_fill(~logits.present, ABSENT)
    total, begin = core.new_zeros(()), 0
    for example in examples:
        end = begin + len(example.passages)
        if not example.claim:
            total = total + _of_list(example, core[begin:end], logits.present[begin:end])
        begin = end
    return total / len(examples)


def _of_list(example: Example, core: Tensor, present: Tensor) -> Tensor:
    """Return the loss of one question; `core` and `present`: (passages, sentences)."""
    chances = torch.log_softmax(torch.cat([core.flatten(), core.new_zeros(1)]), 0)
    first = example.passages[0]
    if not first.answers:
        return -chances[-1]
    if first.relevant is None:
        answering = torch.tensor([[passage.answers] for passage in example.passages], device=core.device)
        return -torch.logsumexp(chances[:-1][(present & answering).flatten()], 0)
    target = _shares(example, present[0])
    return -(target * chances[: len(target)]).sum() / target.sum().clamp(min=1e-9)


def _shares(example: Example, present: Tensor) -> Tensor:
    """Return the target for the sentences of the first passage; zeros if no relevant sentence fits."""
    target = torch.zeros(present.shape, device=present.device)
    relevant = [n for n in _within(example.passages[0].relevant or (), len(present)) if present[n]]
    if example.core is not None and example.core < len(present) and present[example.core]:
        target[example.core] = CORE
    for number in relevant:
        target[number] += (1 - CORE) / len(relevant)
    return target


def _within(numbers: Sequence[int] | frozenset[int], end: int) -> list[int]:
    return [number for number in sorted(numbers) if number < end]
