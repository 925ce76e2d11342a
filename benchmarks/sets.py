"""Does a strategy lose anywhere? Other sets, each passage a labeled unit, against vectors and words alone.

    python benchmarks/sets.py [SET ...] [--data ../shared/data] [--keep FOLDER] [--strategy balanced]

Earnings calls and podcasts (questions taken from the recordings: the turn that asks is hidden, so it is
neither returned nor affects other scores; labels are by rule, for comparison only), paragraphs of an
encyclopedia (which do not follow one another and must not be smoothed), and single turns of meetings (qmsum).
Prints nDCG@10 and Recall@5, and their difference from dense + BM25 with a 95 % interval; then their cost:
words shown, and milliseconds (the median).
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

from onrecord.evaluate import Dataset, Report, compare, fill, load
from onrecord.models import Embedder, open_embedder
from onrecord.retrieve import Tools
from onrecord.stores import Store, open_store
from onrecord.strategies import STRATEGIES, Strategy
from qmsum import PLAIN, RIVALS, Counting
from shared import DATA

SETS = ("earnings21", "earnings22", "changelog", "hipporag_musique", "hipporag_hotpotqa", "qmsum")
SHOWN = (("nDCG@10", "ndcg@10"), ("Recall@5", "recall@5"))


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--strategy", action="append", choices=STRATEGIES, help="default: balanced and auto")
    options = parser.parse_args()
    asked = [STRATEGIES[name] for name in options.strategy or ("balanced", "auto")]
    embedder = open_embedder("minilm")
    for dataset, store in archives(options, embedder):
        measure(Tools(store, embedder), dataset, [*RIVALS, *asked])


def parser_of(doc: str) -> argparse.ArgumentParser:
    """Return a parser with the options that the benchmarks on these sets share; `doc` is the docstring."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("sets", nargs="*", default=SETS, metavar="SET", help=", ".join(SETS))
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--keep", type=Path, help="keep the archives here, and use those built before")
    return parser


def archives(options: argparse.Namespace, embedder: Embedder) -> Iterator[tuple[Dataset, Store]]:
    """Yield each requested set, in an archive in which every labeled unit is a passage."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name in options.sets:
            dataset, file = load(options.data / name), folder / f"{name}.db"
            built = file.exists()
            store = open_store(file)
            if not built:
                fill(store, dataset, embedder)
            yield dataset, store


def measure(tools: Tools, dataset: Dataset, strategies: list[Strategy]) -> None:
    for known in (True, False):
        if known and not dataset.questions[0].recording:
            continue
        report = compare(tools, dataset, strategies, known=known, yardstick=Counting())
        print(f"{dataset.name}, {'recording known' if known else 'all'}: {len(dataset.questions)} questions")
        for name in (strategy.name for strategy in strategies):
            figures = (
                f"{label} {report.mean(name, measure):.3f}{above(report, name, measure)}"
                for label, measure in SHOWN
            )
            cost = (
                f"{report.mean(name, 'words'):5.0f} words {1000 * report.percentile(name)['total']:3.0f} ms"
            )
            print(f"  {name:14} {'   '.join(figures)}   {cost}")


def above(report: Report, name: str, measure: str) -> str:
    """Return the difference from dense + BM25."""
    return "" if name == PLAIN.name else f" {report.difference(name, PLAIN.name, measure)}"


if __name__ == "__main__":
    main()
