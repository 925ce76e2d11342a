"""Train the judge: `python training/judge.py --minutes 60 --out build/training/judge.pt`

The judge reads a claim with the sentences that it may rest on and says whether they support it. It goes on
from the reader that onrecord ships (or from `--init`), on the claims of `labels/` and the first halves of
SummEdits and WiCE. Prints the means of the losses every 50 steps (passage, sentence, contrast), saves every
300, and ends with its figures on the recordings and documents to choose by. With `--report` it trains
nothing, and measures `--init` on those recordings and on the second halves of SummEdits and WiCE. It is a
trial: nothing of it is shipped (see README.md).
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch

from batches import Example, Passage
from data import (
    CHOOSING,
    HELD_OUT,
    TEXTS,
    Claim,
    TextClaim,
    Window,
    claim_windows,
    labelled_claims,
    recordings_marked,
    shared_windows,
    text_claims,
)
from losses import claim_losses
from network import Encoder, Reader, base_folder, choose_device, load_reader, shipped_reader
from onrecord.answer.check import content_stems
from premise import WORDS, choose_premise
from train import Plan, Trainer, read_sorted, rows_of, train, training_options

AROUND, BESIDE = (2, 14), (0, 2)
"""Sentences on each side of those that a claim rests on, among which its premise is chosen: least and most,
of premises from far around and of the others."""
FAR = 0.6
"""How many premises are chosen from far around."""
SIZES = (60, 100, WORDS)
"""The most words of a premise: shorter ones teach the same in less time."""
ELSEWHERE = 0.06
"""Of supported claims, how many also come with a premise from elsewhere in the window, which does not support
them."""
OWN = 0.75
"""Of the claims of a batch, how many are of `labels/`."""
BATCH = 24
"""Claims that are read at once to measure."""


@dataclass(frozen=True)
class Material:
    """What the judge learns, or is measured by: claims of `labels/` with their windows, and about texts."""

    windows: Mapping[str, Window]
    claims: Sequence[Claim]
    texts: Sequence[TextClaim]


def load_claims(data: Path, *, choosing: bool, final: bool = False) -> Material:
    """The claims to learn, or those to choose settings by; `final`: to learn both."""
    windows, shared = claim_windows(data), shared_windows(data).values()
    held_out, apart = recordings_marked(shared, HELD_OUT), recordings_marked(shared, CHOOSING)
    claims = [claim for claim in labelled_claims() if windows[claim.window].recording not in held_out]
    texts = [claim for name in TEXTS for claim in text_claims(data, name) if claim.first_half]
    if final:
        return Material(windows, claims, texts)
    return Material(
        windows,
        [claim for claim in claims if (windows[claim.window].recording in apart) == choosing],
        [claim for claim in texts if claim.for_choosing == choosing],
    )


def held_out_texts(data: Path) -> list[TextClaim]:
    """The claims of the second halves of `TEXTS`, which nothing is trained on nor chosen by."""
    return [claim for name in TEXTS for claim in text_claims(data, name) if not claim.first_half]


class ClaimBatches:
    """Draws claims with their premises: each of `labels/` once before any repeats, the others at random, half
    of them supported."""

    def __init__(self, material: Material, *, size: int = 32, own: float = OWN, seed: int = 1) -> None:
        """Draw about `size` claims a batch; the share `own` of the draws is of `labels/`, twins in one."""
        self._material, self._size, self._own = material, size, own
        self._random = random.Random(seed)
        self._twins = twins_of(material.claims)
        self._turn: list[tuple[Claim, ...]] = []
        self._by_label = [[c for c in material.texts if c.supported is so] for so in (False, True)]
        self._read: dict[TextClaim, Example] = {}

    def draw(self) -> list[Example]:
        """The next batch."""
        drawn: list[Example] = []
        while len(drawn) < self._size:
            drawn += self._labelled() if self._random.random() < self._own else [self._text()]
        return drawn

    def _labelled(self) -> Iterator[Example]:
        if not self._turn:
            self._turn = self._random.sample(self._twins, len(self._twins))
        twins = self._turn.pop()
        window, far = self._material.windows[twins[0].window], self._random.random() < FAR
        for claim in twins:
            yield replace(claim_example(claim, window, self._random, far), twin=claim is not twins[0])
        if twins[0].supported and self._random.random() < ELSEWHERE:
            yield from self._unsupported(twins[0], window)

    def _unsupported(self, claim: Claim, window: Window) -> Iterator[Example]:
        """A claim with a premise from elsewhere in its window."""
        near = range(min(claim.sentences) - AROUND[1], max(claim.sentences) + AROUND[1] + 1)
        others = [number for number in range(len(window.sentences)) if number not in near]
        if others:
            texts, _ = premise_of(claim.text, window, others)
            yield Example(claim.text, (Passage(texts, frozenset(), False),), claim=True)

    def _text(self) -> Example:
        claim = self._random.choice(self._random.choice([some for some in self._by_label if some]))
        if claim not in self._read:
            self._read[claim] = text_example(claim)
        return self._read[claim]


def twins_of(claims: Sequence[Claim]) -> list[tuple[Claim, ...]]:
    """Pair each supported claim with an unsupported one about the same sentences; the rest stay alone."""
    waiting: defaultdict[tuple[str, tuple[int, ...]], list[Claim]] = defaultdict(list)
    for claim in claims:
        if not claim.supported:
            waiting[claim.window, claim.sentences].append(claim)
    twins: list[tuple[Claim, ...]] = []
    for claim in claims:
        if claim.supported:
            others = waiting[claim.window, claim.sentences]
            twins.append((claim, others.pop(0)) if others else (claim,))
    return [*twins, *((claim,) for others in waiting.values() for claim in others)]


def claim_example(claim: Claim, window: Window, draw: random.Random, far: bool = True) -> Example:
    """A claim of `labels/` with a premise from a few sentences around those it rests on, or from `far`."""
    least, most = AROUND if far else BESIDE
    first = max(0, min(claim.sentences) - draw.randint(least, most))
    last = min(len(window.sentences), max(claim.sentences) + 1 + draw.randint(least, most))
    texts, numbers = premise_of(claim.text, window, range(first, last), draw.choice(SIZES))
    relevant = frozenset(at for at, number in enumerate(numbers) if number in claim.sentences)
    return Example(claim.text, (Passage(texts, relevant, claim.supported),), claim=True)


def far_example(claim: Claim, window: Window) -> Example:
    """A claim of `labels/` with a premise from all sentences around it that training may choose from."""
    first, last = max(0, min(claim.sentences) - AROUND[1]), max(claim.sentences) + AROUND[1] + 1
    texts, _ = premise_of(claim.text, window, range(first, min(last, len(window.sentences))))
    return Example(claim.text, (Passage(texts, None, claim.supported),), claim=True)


def text_example(claim: TextClaim) -> Example:
    """A claim about a text; which sentences it rests on is unknown."""
    sentences = [claim.sentences[n] for n in _chosen(claim.text, claim.sentences)]
    return Example(claim.text, (Passage(tuple(sentences), None, claim.supported),), claim=True)


def premise_of(
    text: str, window: Window, numbers: Sequence[int], words: int = WORDS
) -> tuple[tuple[str, ...], list[int]]:
    """The premise of a claim among some sentences of a window, and the numbers of its sentences."""
    chosen = [numbers[n] for n in _chosen(text, [window.sentences[n].text for n in numbers], words)]
    return tuple(window.render(chosen)), chosen


def _chosen(text: str, sentences: Sequence[str], words: int = WORDS) -> list[int]:
    heard = [content_stems(sentence) for sentence in sentences]
    lengths = [len(sentence.split()) for sentence in sentences]
    return choose_premise(content_stems(text), heard, lengths, words)


@torch.no_grad()
def log_odds(network: Reader, encoder: Encoder, examples: Sequence[Example]) -> np.ndarray:
    """The network's log-odds that each claim is supported."""
    network.eval()
    read = (
        read_sorted(network, rows_of(examples[at : at + BATCH], encoder), 1).passages
        for at in range(0, len(examples), BATCH)
    )
    return torch.cat(list(read)).cpu().numpy()


def auroc(scores: np.ndarray, labels: Iterable[bool]) -> float:
    """How often a supported claim scores higher than another; ties count half."""
    right = np.array(list(labels))
    difference = scores[right][:, None] - scores[~right][None, :]
    return float(((difference > 0) + 0.5 * (difference == 0)).mean())


def evaluate(network: Reader, encoder: Encoder, material: Material) -> str:
    """A line of AUROC for each set."""
    sets = {"labels": [far_example(c, material.windows[c.window]) for c in material.claims]}
    sets |= {name: [text_example(c) for c in material.texts if c.of == name] for name in TEXTS}
    rows = []
    for name, examples in sets.items():
        scores = log_odds(network, encoder, examples)
        right = [example.passages[0].answers for example in examples]
        accuracy = float(((scores > 0) == np.array(right)).mean())
        rows.append(f"{name} {len(right)}: AUROC {auroc(scores, right):.3f}, accuracy {accuracy:.3f}")
    return "\n".join(rows)


def _arguments() -> argparse.Namespace:
    parser = training_options(__doc__, rate=1e-4, out="judge.pt")
    parser.add_argument("--batch", type=int, default=32, help="claims a step")
    parser.add_argument("--own", type=float, default=OWN, help="share of the draws that are of labels/")
    parser.add_argument("--report", action="store_true", help="train nothing, and measure --init")
    return parser.parse_args()


def main() -> None:
    arguments = _arguments()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    device = choose_device(arguments.device)
    network = load_reader(arguments.init, device) if arguments.init else shipped_reader(device)
    encoder, apart = Encoder(base_folder()), load_claims(arguments.data, choosing=True)
    if arguments.report:
        print(evaluate(network, encoder, replace(apart, texts=held_out_texts(arguments.data))))
        return
    material = load_claims(arguments.data, choosing=False, final=arguments.final)
    print(f"{len(material.claims)} claims of labels, {len(material.texts)} about texts", flush=True)
    trainer = Trainer(network, encoder, claim_losses)
    plan = Plan(arguments.minutes, arguments.steps, arguments.rate, arguments.flat)
    batches = ClaimBatches(material, size=arguments.batch, own=arguments.own, seed=arguments.seed)
    train(trainer, batches, plan, arguments.out)
    print(f"saved {arguments.out}")
    if not arguments.final:
        print(evaluate(trainer.mean.module, encoder, apart))


if __name__ == "__main__":
    main()
