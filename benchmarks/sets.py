"""Does a strategy lose anywhere? Other sets, each passage a labelled unit, against vectors and words alone.

    python benchmarks/sets.py [SET ...] [--data ../shared/data] [--keep FOLDER]

Earnings calls and podcasts (questions taken from the recordings: the turn that asks is hidden, so it neither
is found nor lends its score; labels are by rule, for comparison only), paragraphs of an encyclopaedia (which
do not follow one another and must not be smoothed), and single turns of meetings (qmsum). Prints nDCG@10 and
Recall@5 of every preset, and its distance in nDCG@10 from dense + BM25 with a 95 % interval.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from onrecord.evaluate import compare, fill, load
from onrecord.models import open_embedder
from onrecord.retrieve import Keyword, Moments, Search, Semantic, Tools
from onrecord.stores import open_store
from onrecord.strategies import STRATEGIES, Strategy

SETS = ("earnings21", "changelog", "hipporag_musique", "hipporag_hotpotqa", "qmsum")
PLAIN = Strategy("dense + BM25", Search(strip=False) >> Moments(words=1200, longest=0))
RIVALS = (Strategy("BM25", Keyword(100)), Strategy("dense", Semantic(100)), PLAIN)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="*", default=SETS, metavar="SET", help=", ".join(SETS))
    parser.add_argument("--data", type=Path, default=Path(__file__).parent.parent.parent / "shared" / "data")
    parser.add_argument("--keep", type=Path, help="keep the archives here, and use those built before")
    options = parser.parse_args()
    embedder = open_embedder("minilm")
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name in options.sets:
            dataset, file = load(options.data / name), folder / f"{name}.db"
            built = file.exists()
            store = open_store(file)
            if not built:
                fill(store, dataset, embedder)
            measure(Tools(store, embedder), dataset)


def measure(tools: Tools, dataset) -> None:
    strategies = [*RIVALS, *STRATEGIES.values()]
    for known in (True, False):
        if known and not dataset.questions[0].recording:
            continue
        report = compare(tools, dataset, strategies, known=known)
        print(f"{dataset.name}, {'recording known' if known else 'all'}: {len(dataset.questions)} questions")
        for name in (strategy.name for strategy in strategies):
            above = "" if name == PLAIN.name else str(report.difference(name, PLAIN.name, "ndcg@10"))
            ndcg, recall = report.mean(name, "ndcg@10"), report.mean(name, "recall@5")
            print(f"  {name:14} nDCG@10 {ndcg:.3f}   Recall@5 {recall:.3f}   {above}")


if __name__ == "__main__":
    main()
