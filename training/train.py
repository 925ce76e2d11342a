"""Train the reader: `python training/train.py --minutes 60 --out build/training/reader.pt`

Starts from the base weights, or continues from `--init`. Every layer is trained; the embeddings of words and
positions are fixed. Prints the means of the losses (passage, sentence, listwise) every 50 steps, saves every
300, and ends with the table of `training/evaluate.py` on the recordings for choosing settings.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from batches import MIX, Batches, Example, Tiles, mine_all
from data import CHOOSING, DATA, HELD_OUT, load_material
from evaluate import act_table, evaluate
from losses import Logits, Losses, losses
from network import Encoder, Reader, Row, TrainedReader, base_folder, choose_device, load_reader
from onrecord.models import open_embedder

FOLDER = Path(__file__).parents[1] / "build" / "training"
WARM_UP, LEAST = 50, 0.03
"""Steps over which the learning rate rises, and the share of it that is left at the end."""
MEAN_DECAY = 0.995
"""Decay of the moving average of the weights per step: the average spans about the last 200 steps."""
Batch = tuple[list[Example], list[Row]]
"""Examples, and their rows in order."""
PRINT_EVERY, SAVE_EVERY = 50, 300
"""Steps between two lines of figures, and between two saves."""


@dataclass(frozen=True)
class Plan:
    """The length of training, in minutes or in steps, and its learning rate.

    `flat`: the rate does not fall at the end, for a run that another run continues.
    """

    minutes: float = 60.0
    steps: int | None = None
    rate: float = 1.5e-4
    flat: bool = False

    def done(self, step: int, seconds: float) -> float:
        """Return the share of the training that is over; 1 or more: all of it."""
        return step / self.steps if self.steps else seconds / (60 * self.minutes)

    def rate_at(self, step: int, done: float) -> float:
        """Return the learning rate of a step."""
        falling = 1.0 if self.flat else max(LEAST, 1 - done)
        return self.rate * min(1.0, (step + 1) / WARM_UP) * falling


def rows_of(examples: Sequence[Example], encoder: Encoder) -> list[Row]:
    """Return the passages of examples with their questions, in order, as the network's input."""
    return [
        encoder.row(example.text, passage.sentences, claim=example.claim)
        for example in examples
        for passage in example.passages
    ]


def read_sorted(reader: Reader, rows: Sequence[Row], parts: int = 3) -> Logits:
    """Read rows in `parts` batches of similar lengths, to save padding; logits are in the rows' order."""
    order = sorted(range(len(rows)), key=lambda number: len(rows[number][0]))
    size = -(-len(order) // parts)
    outputs = [reader([rows[n] for n in order[at : at + size]]) for at in range(0, len(order), size)]
    widest = max(present.shape[1] for _, present, _ in outputs)
    sentences = [functional.pad(s, (0, 0, 0, widest - s.shape[1])) for s, _, _ in outputs]
    present = [functional.pad(t, (0, widest - t.shape[1])) for _, t, _ in outputs]
    back = torch.argsort(torch.tensor(order))
    return Logits(
        torch.cat(sentences)[back],
        torch.cat(present)[back],
        torch.cat([passage for *_, passage in outputs])[back],
    )


def freeze_embeddings(reader: Reader) -> None:
    """Fix the embeddings: they are half of the weights, and the examples contain few of their words."""
    for part in (reader.words, reader.places, reader.types, reader.normalise):
        part.requires_grad_(False)


class Trainer:
    """A trainer that takes steps of AdamW.

    Loshchilov and Hutter, Decoupled Weight Decay Regularization, 2019.
    """

    def __init__(self, reader: Reader) -> None:
        """Set up training of a network, and freeze its embeddings."""
        freeze_embeddings(reader)
        self._reader = reader
        self.mean = AveragedModel(reader, multi_avg_fn=get_ema_multi_avg_fn(MEAN_DECAY))
        """The exponential moving average of the weights, which `save` stores."""
        self._learning = [weights for weights in reader.parameters() if weights.requires_grad]
        self._optimizer = torch.optim.AdamW(self._learning, weight_decay=0.01)

    def step(self, batch: Batch, rate: float) -> Losses:
        """Learn from a batch. Return the losses before the step."""
        examples, rows = batch
        self._reader.train()
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        loss = losses(examples, read_sorted(self._reader, rows))
        self._optimizer.zero_grad()
        torch.autograd.backward(loss.total)
        torch.nn.utils.clip_grad_norm_(self._learning, 1.0)
        self._optimizer.step()
        self.mean.update_parameters(self._reader)
        return loss

    def save(self, file: Path) -> None:
        """Save the network."""
        file.parent.mkdir(parents=True, exist_ok=True)
        torch.save(self.mean.module.state_dict(), file)


class Drawn(IterableDataset[Batch]):
    """An endless stream of batches; every worker draws others."""

    def __init__(self, batches: Callable[[int], Batches], encoder: Encoder, seed: int) -> None:
        """Draw with `batches`, which makes them from a seed."""
        self._batches, self._encoder, self._seed = batches, encoder, seed

    def __iter__(self) -> Iterator[Batch]:
        worker = get_worker_info()
        batches = self._batches(self._seed + (1000 * worker.id if worker else 0))
        while True:
            examples = batches.draw()
            yield examples, rows_of(examples, self._encoder)


def train(trainer: Trainer, drawn: Iterator[Batch], plan: Plan, out: Path) -> None:
    """Take steps until the plan is done, print the losses, and save."""
    began, step, history = time.monotonic(), 0, []
    while (done := plan.done(step, time.monotonic() - began)) < 1:
        history.append(trainer.step(next(drawn), plan.rate_at(step, done)).numbers())
        step += 1
        if step % PRINT_EVERY == 0:
            means = " ".join(f"{mean:.3f}" for mean in np.mean(history[-PRINT_EVERY:], axis=0))
            print(f"{step} steps, {time.monotonic() - began:.0f} s: {means}", flush=True)
        if step % SAVE_EVERY == 0:
            trainer.save(out)
    trainer.save(out)


def parse_mix(text: str) -> dict[str, int]:
    """Parse the shares of the sources: ``questions=11,pairs=1``. Raises ValueError for another format."""
    parts = (part.partition("=") for part in text.split(","))
    return {source.strip(): int(share) for source, _, share in parts}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--data", type=Path, default=DATA)
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--minutes", type=float, default=60.0)
    length.add_argument("--steps", type=int)
    add("--init", type=Path, nargs="*", default=[], help="go on from what earlier runs saved, or their mean")
    add("--flat", action="store_true", help="do not let the learning rate fall to the end")
    add("--rate", type=float, default=1.5e-4)
    add(
        "--final",
        action="store_true",
        help=f"train on what is to choose by ({CHOOSING}), too, and do not evaluate",
    )
    add(
        "--mix",
        type=parse_mix,
        default=MIX,
        help="sources and their shares: questions=11,pairs=1,discussions=0,squad=1,claims=2,acts=0",
    )
    add("--batch", type=int, default=15, help="questions and claims a step; each has one to three passages")
    add("--negatives", type=int, default=2, help="passages of a question that do not answer it")
    add("--seed", type=int, default=1)
    add("--threads", type=int, default=2)
    add("--workers", type=int, default=0, help="processes that draw batches, beside the one that learns")
    add("--device", default="auto")
    add("--out", type=Path, default=FOLDER / "reader.pt")
    return parser.parse_args()


def main() -> None:
    arguments = _arguments()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    embedder = open_embedder("minilm")
    material = load_material(arguments.data, (HELD_OUT,) if arguments.final else (HELD_OUT, CHOOSING))
    print(f"{len(material.questions)} questions, {len(material.claims)} claims", flush=True)
    tiles = Tiles.of(material.windows)
    mined = mine_all(material, tiles, embedder, FOLDER)
    make = partial(
        Batches,
        material,
        tiles,
        mined,
        size=arguments.batch,
        mix=arguments.mix,
        negatives=arguments.negatives,
    )
    reader, encoder = load_reader(arguments.init, choose_device(arguments.device)), Encoder(base_folder())
    plan = Plan(arguments.minutes, arguments.steps, arguments.rate, arguments.flat)
    trainer = Trainer(reader)
    drawn = Drawn(lambda seed: make(seed=seed), encoder, arguments.seed)
    train(trainer, iter(DataLoader(drawn, None, num_workers=arguments.workers)), plan, arguments.out)
    print(f"saved {arguments.out}")
    if not arguments.final:
        trained = TrainedReader(trainer.mean.module, encoder)
        print(evaluate(trained, embedder, arguments.data, CHOOSING))
        print(act_table(trained, arguments.data, CHOOSING))


if __name__ == "__main__":
    main()
