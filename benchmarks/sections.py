"""Where the topics of 68 meetings begin, compared with people's boundaries, even cuts and TextTiling.

    python benchmarks/sections.py [--data ../shared/data] [--keep vectors.npz]

Pk and WindowDiff over turns, 0 is best (onrecord/evaluate/measures.py). The reference is the topic spans
of topics.jsonl: 68 meetings, 306 topics, some of several spans. A topic begins with each span. If a turn is
in two spans, the span that began last counts. Turns outside all spans are a separate segment if they have at
least 100 words; otherwise they belong to the next segment.

Even cuts get as many segments as the reference has, and as many as onrecord makes. TextTiling (Hearst 1997)
is measured as published (w = 20, k = 10, cutoff mean - sd/2) and with the w, k and cutoff that fit the first
half best. The product's settings were chosen on the first half too: the second half is the test.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from pathlib import Path

import numpy as np

from onrecord.evaluate.datasets import Unit, load
from onrecord.evaluate.measures import pk, window_diff
from onrecord.ingest.passages import Cutter
from onrecord.ingest.sections.topics import Topics, window_cosines
from onrecord.ingest.sections.words import COMMON, Words
from onrecord.models import open_embedder
from onrecord.types import Passage, Transcript, Turn
from shared import DATA, read_lines

OUTSIDE = 100
"""Words of turns outside all spans that make a segment."""


@dataclass
class Meeting:
    """A meeting: `begins` has the first turn of each passage, `reference` the first turns of topics."""

    units: Sequence[Unit]
    passages: list[Passage]
    begins: list[int]
    reference: list[int]
    vectors: np.ndarray | None = None


def meetings(folder: Path) -> dict[str, Meeting]:
    spans = defaultdict(list)
    for topic in read_lines(folder / "topics.jsonl"):
        spans[topic["recording_id"]] += [tuple(span) for span in topic["spans"]]
    by_name = {}
    for name, units in load(folder).units.items():
        turns = tuple(Turn(u.text, u.speaker, float(i), i + 0.5) for i, u in enumerate(units))
        passages = Cutter().cut(Transcript(turns, "dataset"), name)[0]
        # turn numbers stand in for seconds, as the set has no times
        begins = [int(p.start or 0) for p in passages]
        bare = [replace(p, start=None, end=None, marks=()) for p in passages]
        by_name[name] = Meeting(units, bare, begins, reference(units, sorted(spans[name])))
    return by_name


def reference(units: Sequence[Unit], spans: Sequence[tuple[int, int]]) -> list[int]:
    places = np.array([int(unit.id.rpartition(":")[2]) for unit in units])
    words = np.array([len(unit.text.split()) for unit in units])
    label = np.full(len(units), -1)
    for number, (first, last) in enumerate(spans):
        label[(places >= first) & (places <= last)] = number
    borders = [0, *(np.flatnonzero(np.diff(label)) + 1).tolist(), len(units)]
    for begin, end in pairwise(borders):
        if label[begin] < 0 and words[begin:end].sum() < OUTSIDE:
            label[begin:end] = label[end] if end < len(units) else label[begin - 1]
    return (np.flatnonzero(np.diff(label)) + 1).tolist()


def embed(by_name: dict[str, Meeting], keep: Path | None) -> None:
    """Give every meeting the vectors of its passages, from the file `keep` if it exists."""
    vectors = dict(np.load(keep)) if keep and keep.exists() else {}
    embedder = None if vectors else open_embedder("minilm")
    for name, meeting in by_name.items():
        if embedder:
            vectors[name] = embedder.embed([p.spoken for p in meeting.passages])
        meeting.vectors = vectors[name]
    if keep and embedder:
        np.savez(keep, **vectors)


# ---------------------------------------------------------------- rivals


def even(meeting: Meeting, segments: int) -> list[int]:
    return [round(len(meeting.units) * i / segments) for i in range(1, segments)]


def text_tiling(meeting: Meeting, width: int, blocks: int, spread: float) -> list[int]:
    """Segment a meeting by Hearst's block comparison.

    It computes cosines of `blocks` token sequences of `width` words on each side of a gap, then depth scores
    from the peaks on both sides. Boundaries are the gaps whose depth exceeds mean - `spread` * deviation,
    moved to the nearest turn.
    """
    words = [(w, at) for at, u in enumerate(meeting.units) for w in re.findall(r"[a-z']+", u.text.lower())]
    gaps = window_cosines(block_counts([w for w, _ in words], width), blocks)
    if len(gaps) < 3:
        return []
    gaps = np.convolve(np.pad(gaps, 1, mode="edge"), np.ones(3) / 3, mode="valid")
    depths = np.array([depth(gaps, i) for i in range(len(gaps))])
    cutoff = depths.mean() - spread * depths.std()
    chosen: list[int] = []
    for i in np.argsort(-depths):
        if depths[i] > cutoff and all(abs(i - other) > 3 for other in chosen):
            chosen.append(int(i))
    starts = {at: i for i, (_, at) in reversed(list(enumerate(words)))}
    turns, offsets = np.array(list(starts)), np.array(list(starts.values()))
    return sorted({int(turns[np.abs(offsets - (i + 1) * width).argmin()]) for i in chosen})


def block_counts(words: list[str], width: int) -> np.ndarray:
    """Return how often each word occurs in each token sequence."""
    number: dict[str, int] = {}
    places = [(i // width, number.setdefault(w, len(number))) for i, w in enumerate(words) if w not in COMMON]
    counts = np.zeros((-(-len(words) // width), len(number)), np.float32)
    np.add.at(counts, tuple(np.array(places).T), 1)
    return counts


def depth(gaps: np.ndarray, at: int) -> float:
    total = 0.0
    for step in (-1, 1):
        peak, i = gaps[at], at + step
        while 0 <= i < len(gaps) and gaps[i] >= peak:
            peak, i = gaps[i], i + step
        total += peak - gaps[at]
    return total


# ---------------------------------------------------------------- measuring

System = Callable[[Meeting], Sequence[int]]


def measure(system: System, sample: Sequence[Meeting]) -> np.ndarray:
    """Return mean Pk, mean WindowDiff, mean number of segments."""
    rows = []
    for meeting in sample:
        boundaries, length = list(system(meeting)), len(meeting.units)
        rows.append(
            (
                pk(meeting.reference, boundaries, length),
                window_diff(meeting.reference, boundaries, length),
                len(set(boundaries)) + 1,
            )
        )
    return np.array(rows).mean(axis=0)


def ours(vectors: bool) -> System:
    def system(meeting: Meeting) -> list[int]:
        begins = Topics().begins(
            meeting.passages, Words(meeting.passages), meeting.vectors if vectors else None
        )
        return [meeting.begins[at] for at in begins[1:]]

    return system


def fit_text_tiling(sample: Sequence[Meeting]) -> System:
    """Return TextTiling with the settings that do best on these meetings."""

    def cost(settings: tuple[int, int, float]) -> float:
        return float(measure(lambda m: text_tiling(m, *settings), sample)[:2].sum())

    best = min(product((20, 40, 80), (6, 10, 20), (0.5, 0.0, -0.5, -1.0, -1.5)), key=cost)
    print(f"TextTiling fits best with w = {best[0]}, k = {best[1]}, cutoff mean - {best[2]:g} sd")
    return lambda m: text_tiling(m, *best)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--keep", type=Path, help="a file for the vectors, made at first use")
    options = parser.parse_args()
    by_name = meetings(options.data / "qmsum")
    embed(by_name, options.keep)
    chosen = set(random.Random(7).sample(sorted(by_name), len(by_name) // 2))
    halves = [[m for name, m in by_name.items() if (name in chosen) == first] for first in (True, False)]
    systems: dict[str, System] = {
        "onrecord": ours(vectors=True),
        "onrecord, words only": ours(vectors=False),
        "even, as the reference": lambda m: even(m, len(m.reference) + 1),
        "even, as onrecord": lambda m: even(m, len(ours(vectors=True)(m)) + 1),
        "TextTiling": lambda m: text_tiling(m, 20, 10, 0.5),
        "TextTiling, fitted": fit_text_tiling(halves[0]),
        "no boundary": lambda m: [],
    }
    print(f"{'':24} {'first half':^21} {'second half':^21}  onrecord is lower by, second half")
    best = None
    for name, system in systems.items():
        first, second = (measure(system, half) for half in halves)
        best = second if best is None else best
        less = "" if second is best else f"{1 - best[0] / second[0]:6.0%} {1 - best[1] / second[1]:6.0%}"
        figures = "  ".join(f"{p:.3f} {w:.3f} {n:6.1f}" for p, w, n in (first, second))
        print(f"{name:24} {figures}  {less}")


if __name__ == "__main__":
    main()
