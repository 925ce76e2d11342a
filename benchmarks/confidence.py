"""Fit the confidence that the reader of documents needs to accept a speaker, on marked documents.

    python benchmarks/confidence.py [--data ../shared/data] [--least 0.65] [--write]

Reads the marked documents of benchmarks/data/layouts (invented, by some twenty writers), the documents of
tests/ingest/formats/layouts.txt, and the real documents of benchmarks/data/speakers.json if `--data` has
them. A row is a label with its words, or a line below it, that the rules alone would assign to a speaker.
Prints the outcome for the words at each minimum probability; each row is judged by weights fitted without its
writer. `--write` fits the weights on all rows, and writes them to `FILE`.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import speakers
from onrecord.ingest.formats import confidence as own
from onrecord.ingest.formats import layout as reader
from onrecord.ingest.formats.confidence import FILE, Confidence, Features, Model
from onrecord.ingest.formats.labels import is_remark
from onrecord.ingest.formats.turns import Turns
from shared import DATA
from speakers import Word, bare, spoken

LAYOUTS = speakers.ROOT / "benchmarks" / "data" / "layouts"
PENALTY = 10.0
"""The weight of the squared weights in the loss, which keeps them small."""
MAX_ROWS = 60
"""The rows of a longer document together weigh as much as this number of rows."""
MAX_WORDS = 100
"""A row with more words than this weighs no more."""
LEASTS = (0.0, 0.5, 0.6, 0.65, 0.7, 0.8, 0.85, 0.9, 0.95)


@dataclass(frozen=True)
class Document:
    """A marked document; names are compared without their roles if `is_bare`."""

    writer: str
    name: str
    content: bytes
    words: Sequence[Word]
    is_bare: bool


@dataclass(frozen=True)
class Row:
    """A label or a line below it that the rules assign to a speaker.

    `names` has the possible names of each of its words.
    """

    kind: str
    turn: tuple[str, int]
    features: Features
    name: str
    names: Sequence[frozenset[str]]
    writer: str

    @property
    def right(self) -> int:
        return sum(self.name in names for names in self.names)

    @property
    def is_right(self) -> bool:
        return 2 * self.right >= len(self.names)


class Recorder(Confidence):
    """A Confidence that accepts every label and line, and records their features."""

    def __init__(self, turns: Turns) -> None:
        super().__init__(turns)
        self.asked: list[tuple[str, int, int, Features]] = []
        RECORDERS.append(self)

    def is_label(self, begin: int, end: int) -> bool:
        self.asked.append(("label", begin, begin, self.label_features(begin, end)))
        return True

    def is_speech(self, begin: int, end: int, at: int) -> bool:
        self.asked.append(("line", begin, at, self.line_features(begin, end, at)))
        return True


RECORDERS: list[Recorder] = []


def documents(data: Path) -> Iterator[Document]:
    """Yield every marked document; the name of a file in `LAYOUTS` begins with its writer's number."""
    for path in [*sorted(LAYOUTS.glob("*.txt")), speakers.LAYOUTS]:
        for layout in speakers.layouts(path):
            writer = f"{path.stem}{layout.name.split('-')[0]}" if "-" in layout.name[:3] else path.stem
            yield Document(writer, f"{path.stem}/{layout.name}", layout.text.encode(), layout.words, True)
    marks: Mapping[str, Mapping[str, str]] = json.loads(speakers.MARKS.read_text())
    for name, lines in marks.items():
        if (path := data / name).exists():
            words = list(speakers.written(path, lines))
            yield Document(f"real {name.split('/')[0]}", name, path.read_bytes(), words, False)


def rows(document: Document) -> Iterator[Row]:
    """Yield the rows of a document.

    The reader reads a document twice if its signs may be its own; the reading with the most labels counts.
    """
    RECORDERS.clear()
    spoken(document.name, document.content)
    if not RECORDERS:
        return
    recorder = max(RECORDERS, key=lambda recorder: len(recorder._turns.labels))
    names = _names_by_line(recorder, document.words)
    for kind, begin, at, features in recorder.asked:
        if is_remark(recorder._turns.labels[begin].name):
            continue
        first = at
        if kind == "label" and recorder._turns.is_bare(begin):
            first = next((i for i in range(begin, len(names)) if names[i]), begin)
        name = recorder._turns.labels[begin].name
        yield Row(
            kind,
            (document.name, begin),
            features,
            bare(name) if document.is_bare else name,
            names[first],
            document.writer,
        )


def _names_by_line(recorder: Recorder, words: Sequence[Word]) -> list[list[frozenset[str]]]:
    """Return the names of each word behind the label of each line, by the method of `speakers.judge`."""
    names, at = [], 0
    for number, line in enumerate(recorder._lines):
        names.append([])
        for word in speakers.WORD.findall(recorder._text(number)) if not line.level else ():
            ahead = range(at, min(at + speakers.AHEAD, len(words)))
            place = next((i for i in ahead if words[i][0] == word.casefold()), None)
            if place is not None:
                names[-1].append(words[place][1])
                at = place + 1
    return names


# ---------------------------------------------------------------- the regression


def fit(chosen: Sequence[Row]) -> Model:
    """Fit a logistic regression by Newton's method, with a penalty on weights of standardized features."""
    features = list(chosen[0].features)
    facts = np.array([[float(row.features[name]) for name in features] for row in chosen])
    truth = np.array([float(row.is_right) for row in chosen])
    sizes = Counter(row.turn[0] for row in chosen)
    weigh = np.array(
        [
            math.sqrt(min(len(row.names), MAX_WORDS)) * min(1.0, MAX_ROWS / sizes[row.turn[0]])
            for row in chosen
        ]
    )
    mean, spread = facts.mean(0), facts.std(0)
    spread[spread < 1e-9] = 1.0
    scaled = np.c_[(facts - mean) / spread, np.ones(len(facts))]
    penalty = np.diag([PENALTY] * len(features) + [1e-6])
    solution = np.zeros(len(features) + 1)
    for _ in range(30):
        likely = 1 / (1 + np.exp(-np.clip(scaled @ solution, -30, 30)))
        slope = scaled.T @ (weigh * (likely - truth)) + penalty @ solution
        bend = (scaled * (weigh * likely * (1 - likely))[:, None]).T @ scaled + penalty
        solution -= np.linalg.solve(bend, slope)
    weights = solution[:-1] / spread
    rounded = {name: round(float(weight), 4) for name, weight in zip(features, weights, strict=True)}
    return Model(rounded, round(float(solution[-1] - weights @ mean), 4))


def fit_both(chosen: Sequence[Row]) -> dict[str, Model]:
    return {kind: fit([row for row in chosen if row.kind == kind]) for kind in ("label", "line")}


def left_out(everything: Sequence[Row]) -> list[float]:
    """Return the probability of each row by weights fitted without its writer."""
    models = {
        writer: fit_both([row for row in everything if row.writer != writer])
        for writer in {row.writer for row in everything}
    }
    return [models[row.writer][row.kind].probability(row.features) for row in everything]


def outcome(everything: Sequence[Row], likely: Sequence[float], least: float) -> Counter[str]:
    """Count the outcomes of the words of the rows; a turn ends at its first doubtful line."""
    turns: defaultdict[tuple[str, int], list[tuple[Row, float]]] = defaultdict(list)
    for row, probability in zip(everything, likely, strict=True):
        turns[row.turn].append((row, probability))
    counts: Counter[str] = Counter()
    for turn in turns.values():
        sure = True
        for row, probability in sorted(turn, key=lambda pair: pair[0].kind):  # the label, then its lines
            sure = sure and probability >= least
            for names in row.names:
                if sure:
                    counts["right" if row.name in names else "wrong"] += 1
                else:
                    counts["right" if "" in names else "unnamed"] += 1
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--least", type=float, default=own.MIN_CONFIDENCE, help="the least probability")
    parser.add_argument("--write", action="store_true", help=f"write {FILE.name}")
    args = parser.parse_args()
    reader.Confidence = Recorder  # type: ignore[misc]
    marked = list(documents(args.data))
    everything = [row for document in marked for row in rows(document) if row.names]
    invented = [not row.writer.startswith("real") for row in everything]
    likely = left_out(everything)
    total = sum(len(document.words) for document in marked if document.is_bare)
    print("least  words of invented documents, by a writer left out    of real ones")
    for least in LEASTS:
        cells = []
        for kind in (True, False):
            chosen = [i for i, is_kind in enumerate(invented) if is_kind == kind]
            counts = outcome([everything[i] for i in chosen], [likely[i] for i in chosen], least)
            whole = total if kind else max(1, sum(counts.values()))
            cells += [f"{name} {100 * counts[name] / whole:6.2f} %" for name in ("right", "unnamed", "wrong")]
        print(f"{least:4.2f}   {', '.join(cells[:3])}    {', '.join(cells[3:])}")
    if args.write:
        models = {
            kind: {"intercept": model.intercept, "weights": dict(model.weights)}
            for kind, model in fit_both(everything).items()
        }
        FILE.write_text(json.dumps({"least": args.least, **models}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
