"""What the embedded model gains by reading the best passages again, word by word, and what that costs.

    python benchmarks/rerank.py [SET ...] [--data ../shared/data] [--keep FOLDER] [--most 20]

The sets of benchmarks/sets.py: the best passages of the curve as they are, and after `Rerank` with the
reranker `minilm`, without a time limit. Prints nDCG@10 and Recall@5, their difference with a 95 % interval,
and the milliseconds of the reranking (p50).
"""

from __future__ import annotations

from onrecord.evaluate import Dataset, compare
from onrecord.models import open_embedder, open_reranker
from onrecord.retrieve import Passages, Rerank, Tools
from onrecord.strategies import CURVE, Strategy
from sets import SHOWN, archives, parser_of


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--most", type=int, default=20, help="passages that are read (default: 20)")
    options = parser.parse_args()
    unranked = CURVE >> Passages(max(options.most, 20))
    after = unranked >> Rerank(most=options.most, milliseconds=1e9)
    strategies = Strategy("as found", unranked), Strategy("reranked", after)
    embedder, reranker = open_embedder("minilm"), open_reranker("minilm")
    for dataset, store in archives(options, embedder):
        for known in (True, False) if dataset.questions[0].recording else (False,):
            measure(Tools(store, embedder, reranker), dataset, strategies, known)


def measure(tools: Tools, dataset: Dataset, strategies: tuple[Strategy, Strategy], known: bool) -> None:
    report = compare(tools, dataset, strategies, known=known)
    before, after = (strategy.name for strategy in strategies)
    print(f"{dataset.name}, {'recording known' if known else 'all'}: {len(dataset.questions)} questions")
    for label, name in SHOWN:
        values = f"{report.mean(before, name):.3f} -> {report.mean(after, name):.3f}"
        print(f"  {label:9} {values}   {report.difference(after, before, name)}")
    print(f"  reading took {1000 * report.percentile(after)['Rerank']:.0f} ms", flush=True)


if __name__ == "__main__":
    main()
