"""How much of the text that people marked as the answer is shown, and how early: meetings with human labels.

    python benchmarks/qmsum.py [--data ../shared/data] [--keep ARCHIVE] [--strategy balanced --strategy auto]
                               [--without frames --without occasions]

Cuts the meetings of QMSum into passages as `onrecord add` does, and embeds them with minilm into an archive
(kept, and used again, with --keep). Each question is searched in the meeting that it was asked about, then in
all meetings. R is the share of the gold words among the first 1000 words shown; S is the nDCG of the first
ten slices of 100 words (docs/evaluation.md). The strategies are compared with words alone, vectors alone, and
both without the timeline; after each figure stands its difference from the last of these, with a 95 %
interval. The last two columns are two random halves of the meetings: settings tuned on one half must hold on
the other. Then come the same figures by the planner's kind of question, with the words shown and the
milliseconds of each kind. `--without` leaves the frame of a question, or the occasion that it names, in the
search text.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np

from onrecord.evaluate import Dataset, Report, Yardstick, compare, fill, load
from onrecord.evaluate.measures import Retrieved
from onrecord.ingest.passages import Cutter
from onrecord.models import open_embedder, open_reader
from onrecord.retrieve import Keyword, Moments, Search, Tools, wording
from onrecord.stores import open_store
from onrecord.stores.base import Snapshot
from onrecord.strategies import STRATEGIES, Strategy
from onrecord.types import Question
from onrecord.understand.planner import plan
from shared import DATA


class Counting(Yardstick):
    """A Yardstick that also returns how many words are shown."""

    def measure(self, retrieved: Retrieved) -> dict[str, float]:
        return {**super().measure(retrieved), "words": float(len(retrieved.shown))}


PLAIN = Strategy("dense + BM25", Search(strip=False) >> Moments(words=1200, longest=0))
DENSE = Strategy("dense", Search(dense=1, lexical=0, strip=False) >> Moments(words=1200, longest=0))
RIVALS = (Strategy("BM25", Keyword(100)), DENSE, PLAIN)
NOTHING = "(?!)"  # a pattern that matches nothing
PATTERNS = {"frames": ("_FRAMES", (NOTHING,)), "occasions": ("_OCCASION", NOTHING)}


def show(report: Report, strategies: list[Strategy]) -> None:
    names = sorted({question.recording for question in report.questions})
    first = set(random.Random(7).sample(names, len(names) // 2))
    half = np.array([question.recording in first for question in report.questions])
    print(f"  {'strategy':14} {'R':>5} {'S':>6}   R above dense + BM25      first half    second half   p50")
    for name in (strategy.name for strategy in strategies):
        r, s = report.values[name]["R"], report.values[name]["S"]
        above = "" if name == PLAIN.name else str(report.difference(name, PLAIN.name, "R"))
        halves = "".join(f"   {r[part].mean():.3f} {s[part].mean():.3f}" for part in (half, ~half))
        took = 1000 * report.percentile(name)["total"]
        print(f"  {name:14} {r.mean():.3f} {s.mean():.3f}   {above:23}{halves}   {took:.0f} ms")


def show_kinds(report: Report, strategies: list[Strategy]) -> None:
    """Print R and S of each kind of question that has enough questions."""
    kinds = Counter(question.type for question in report.questions)
    for kind, count in kinds.most_common():
        if count >= 20:
            of = report.of_type(kind)
            print(f"  {kind:12} {count:4}   {'   '.join(cost(of, s.name) for s in strategies)}")


def cost(report: Report, name: str) -> str:
    """Return R and S, and their cost: words shown, and milliseconds (the median)."""
    r, s, words = (report.mean(name, measure) for measure in ("R", "S", "words"))
    return f"{name} {r:.3f} {s:.3f} {words:5.0f} words {1000 * report.percentile(name)['total']:3.0f} ms"


def by_intent(dataset: Dataset, reader: Snapshot) -> Dataset:
    """Return the dataset with the planner's intent as the type of each question."""
    intents = (plan(Question(question.text), reader, date.today()).intent for question in dataset.questions)
    typed = [replace(q, type=intent) for q, intent in zip(dataset.questions, intents, strict=True)]
    return replace(dataset, questions=typed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--keep", type=Path, help="build the archive here, or use the one built before")
    parser.add_argument("--strategy", action="append", choices=STRATEGIES, help="default: balanced and auto")
    parser.add_argument("--without", action="append", choices=PATTERNS, default=[])
    options = parser.parse_args()
    for name in options.without:
        setattr(wording, *PATTERNS[name])
    asked = [STRATEGIES[name] for name in options.strategy or ("balanced", "auto")]
    dataset, embedder, reader = load(options.data / "qmsum"), open_embedder("minilm"), open_reader()
    with tempfile.TemporaryDirectory() as folder:
        file = options.keep or Path(folder) / "qmsum.db"
        built = file.exists()
        store = open_store(file)
        if not built:
            fill(store, dataset, embedder, Cutter())
        dataset = by_intent(dataset, store)
        strategies = [*RIVALS, *asked]
        passages, count = len(store.timeline()), len(dataset.questions)
        print(f"{len(dataset.units)} meetings, {passages:,} passages, {count} questions")
        for known, where in ((True, "in the meeting it was asked about"), (False, "in all meetings")):
            print(where)
            tools = Tools(store, embedder, reader=reader)
            report = compare(tools, dataset, strategies, known=known, yardstick=Counting())
            show(report, strategies)
            show_kinds(report, [PLAIN, *asked])


if __name__ == "__main__":
    main()
