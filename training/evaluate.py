"""How well the reader reads a window: `python training/evaluate.py [READER.pt] --windows=-3-`

Asks the questions of the windows of `questions` whose id has the mark. Each question is asked of its own
window only, cut into passages of 130 words. Prints, for the embedder's cosine, the reader, and both together:

- first: for how many questions the sentence with the highest score answers,
- core3: for how many the core is among the three highest scores,
- AUROC: how often an answerable question has a higher confidence than a near miss,

with 95 % intervals (bootstrap over recordings). Then, for each dialogue act, it reads the windows of the same
recordings in `labels/acts.jsonl` with the act's first question. It prints the average precision of their
sentences, and the precision of the top sentences, as many as are marked. Without a file it measures the
reader that onrecord ships.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from batches import TILE, cut
from data import (
    CHOOSING,
    DATA,
    LABELS,
    Acts,
    Question,
    Recording,
    Window,
    act_questions,
    labelled_acts,
    labelled_windows,
    recordings_marked,
    shared_questions,
    shared_windows,
)
from onrecord.models import open_embedder, open_reader
from onrecord.models.base import Embedder, Reader

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

COSINE = 8.0
"""Weight of the cosine relative to the reader's log-odds."""
DRAWS = 1000
"""Samples of the bootstrap."""


@dataclass(frozen=True)
class Scores:
    """The scores of one question's sentences, shapes (sentences,).

    They are the embedder's cosine, the log-odds that each sentence holds the answer, and the log-odds that
    each is relevant.
    """

    cosine: Array
    core: Array
    relevant: Array


@dataclass(frozen=True)
class Method:
    """A ranking of sentences, and a confidence that one of them answers."""

    name: str
    rank: Callable[[Scores], Array]
    confidence: Callable[[Scores], float]


METHODS = (
    Method("cosine", lambda s: s.cosine, lambda s: float(s.cosine.max())),
    Method("reader", lambda s: s.core, lambda s: float(np.logaddexp.reduce(s.core))),
    Method(
        f"reader + {COSINE:g} cosine",
        lambda s: s.core + s.relevant + COSINE * s.cosine,
        lambda s: float(np.logaddexp.reduce(s.core) + s.relevant.max()),
    ),
)


@dataclass(frozen=True)
class Outcome:
    """The outcome of one question. `first` and `core3` are meaningless for an unanswerable question."""

    recording: Recording
    answerable: bool
    first: bool
    core3: bool
    confidence: float


@dataclass(frozen=True)
class Figures:
    """Shares in 0..1."""

    first: float
    core3: float
    auroc: float


def outcome(question: Question, recording: Recording, scores: Scores, method: Method) -> Outcome:
    """Compare a ranking with the labels of a question."""
    ranked = np.argsort(-method.rank(scores), kind="stable").tolist()
    return Outcome(
        recording,
        bool(question.sentences),
        ranked[0] in question.sentences,
        bool(set(question.cores[:1]).intersection(ranked[:3])),
        method.confidence(scores),
    )


def figures(outcomes: Sequence[Outcome], weights: Array | None = None) -> Figures:
    """Return the figures of some questions; `weights` says how often each counts. NaN if there are none."""
    weights = np.ones(len(outcomes)) if weights is None else weights
    right = np.array([o.answerable for o in outcomes], bool)
    first, core3, sure = (
        np.array([getattr(o, name) for o in outcomes], float) for name in ("first", "core3", "confidence")
    )
    good = weights[right]
    with np.errstate(invalid="ignore"):
        return Figures(
            float(good @ first[right] / good.sum()),
            float(good @ core3[right] / good.sum()),
            area(sure, right, weights),
        )


def area(scores: Array, marked: Array, weights: Array) -> float:
    """Return the area under the ROC curve. NaN if all or none are marked.

    `weights` says how often each score counts.
    """
    good, bad = weights[marked], weights[~marked]
    above = scores[marked][:, None] - scores[~marked]
    with np.errstate(invalid="ignore"):
        return float(good @ ((above > 0) + (above == 0) / 2) @ bad / (good.sum() * bad.sum()))


def intervals(outcomes: Sequence[Outcome], draws: int = DRAWS, seed: int = 1) -> tuple[Figures, Figures]:
    """Return the 2.5th and 97.5th percentiles of the figures over recordings drawn with replacement."""
    recordings = sorted({o.recording for o in outcomes})
    recording_numbers = np.array([recordings.index(o.recording) for o in outcomes])
    rng = np.random.default_rng(seed)
    drawn = []
    for _ in range(draws):
        counts = rng.multinomial(len(recordings), [1 / len(recordings)] * len(recordings))
        sample = figures(outcomes, counts[recording_numbers])
        drawn.append((sample.first, sample.core3, sample.auroc))
    low, high = np.nanpercentile(drawn, (2.5, 97.5), axis=0)
    return Figures(*low), Figures(*high)


def read_window(reader: Reader, question: str, window: Window) -> tuple[Array, Array]:
    """Return two log-odds of each sentence of a window, shapes (sentences,).

    The first is that it holds the answer, the second that it is relevant.
    """
    passages = [window.render(part) for part in cut(window.words, TILE)]
    readings = reader.read(question, passages)
    relevant = np.clip(np.concatenate([reading.relevant for reading in readings]), 1e-6, 1 - 1e-6)
    return np.concatenate([reading.core for reading in readings]), np.log(relevant / (1 - relevant))


def embed_window(embedder: Embedder, window: Window) -> Array:
    """Return the vectors of the sentences, each embedded with its neighbors.

    The shape is (sentences, dimensions).
    """
    texts = [sentence.text for sentence in window.sentences]
    return embedder.embed([" ".join(texts[max(0, at - 1) : at + 2]) for at in range(len(texts))])


def measure(
    reader: Reader, embedder: Embedder, windows: Sequence[Window], questions: Sequence[Question]
) -> dict[str, list[Outcome]]:
    """Return the outcome of each question, by method."""
    outcomes: dict[str, list[Outcome]] = {method.name: [] for method in METHODS}
    for window in windows:
        embedded = embed_window(embedder, window)
        for question in questions:
            if question.window == window.id:
                cosine = embedded @ embedder.embed_query(question.text)
                scores = Scores(cosine, *read_window(reader, question.text, window))
                for method in METHODS:
                    outcomes[method.name].append(outcome(question, window.recording, scores, method))
    return outcomes


def table(outcomes: dict[str, list[Outcome]]) -> str:
    """Return the figures of each method with their intervals, on one line each."""
    first = next(iter(outcomes.values()))
    answerable = sum(o.answerable for o in first)
    rows = [
        f"{answerable} answerable questions and {len(first) - answerable} near misses"
        f" of {len({o.recording for o in first})} recordings",
        f"{'':20}{'first':20}{'core3':20}{'AUROC':20}".rstrip(),
    ]
    for name, method_outcomes in outcomes.items():
        mean, (low, high) = figures(method_outcomes), intervals(method_outcomes)
        cells = (
            f"{getattr(mean, part):.3f} ({getattr(low, part):.3f}-{getattr(high, part):.3f})"
            for part in ("first", "core3", "auroc")
        )
        rows.append(f"{name:20}" + "".join(f"{cell:20}" for cell in cells).rstrip())
    return "\n".join(rows)


def evaluate(reader: Reader, embedder: Embedder, data: Path, mark: str, language: str = "en") -> str:
    """Return the table of the windows of `questions` with a mark in their id.

    Raises ValueError if none has it.
    """
    windows = [window for key, window in shared_windows(data).items() if mark in key]
    if not windows:
        raise ValueError(f"no window of {data / 'questions'} has {mark!r} in its id")
    questions = [question for question in shared_questions(data) if question.language == language]
    return table(measure(reader, embedder, windows, questions))


def read_acts(
    reader: Reader, windows: Mapping[str, Window], labelled: Sequence[Acts], question: str, kind: str
) -> tuple[Array, Array]:
    """Return how relevant each sentence of the windows is to a question for an act, and whether it is marked.

    The shapes are (sentences,).
    """
    scores = [read_window(reader, question, windows[acts.window])[1] for acts in labelled]
    marked = [
        np.isin(np.arange(len(windows[acts.window].sentences)), sorted(acts.sentences.get(kind, ())))
        for acts in labelled
    ]
    return np.concatenate(scores), np.concatenate(marked)


def average_precision(scores: Array, marked: Array) -> float:
    """Return the mean of the precisions at each marked sentence, in the order of falling scores."""
    hits = marked[np.argsort(-scores, kind="stable")]
    return float((np.cumsum(hits) / np.arange(1, len(hits) + 1))[hits].mean())


def act_table(reader: Reader, data: Path, mark: str, labels: Path = LABELS) -> str:
    """Return the figures of each act, on one line each, over the recordings whose windows have a mark."""
    shared = shared_windows(data)
    windows = shared | labelled_windows(data, labels)
    recordings = recordings_marked(shared.values(), mark)
    labelled = [acts for acts in labelled_acts(labels) if windows[acts.window].recording in recordings]
    rows = []
    for kind, questions in act_questions().items():
        scores, marked = read_acts(reader, windows, labelled, questions[0], kind)
        if count := int(marked.sum()):
            best = marked[np.argsort(-scores, kind="stable")[:count]].mean()
            ap = average_precision(scores, marked)
            rows.append(f"{kind:16}{count:5} of {len(marked)}: average precision {ap:.3f}, first {best:.3f}")
    return "\n".join(rows)


def _open_reader(file: Path | None, device: str) -> Reader:
    """Open the reader in a file that training saved, or else the reader that onrecord ships."""
    if file is None:
        shipped = open_reader("minilm")
        if shipped is None:
            raise ValueError("onrecord has no reader called minilm")
        return shipped
    from network import Encoder, TrainedReader, base_folder, choose_device, load_reader

    return TrainedReader(load_reader([file], choose_device(device)), Encoder(base_folder()))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = partial(parser.add_argument)
    add("reader", type=Path, nargs="?", help="what train.py saved")
    add("--data", type=Path, default=DATA)
    add(
        "--windows",
        default=CHOOSING,
        help="a mark in the ids of windows; -4- are held out: report on them only",
    )
    add("--language", default="en")
    add("--device", default="auto")
    arguments = parser.parse_args()
    reader = _open_reader(arguments.reader, arguments.device)
    print(evaluate(reader, open_embedder("minilm"), arguments.data, arguments.windows, arguments.language))
    print(act_table(reader, arguments.data, arguments.windows))


if __name__ == "__main__":
    main()
