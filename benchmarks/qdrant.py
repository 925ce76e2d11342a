"""The recall of Qdrant's engine against an exact search, and its cost: full vectors, and one byte per number.

    python benchmarks/qdrant.py talks.db                          in a folder: Qdrant Edge, within the process
    python benchmarks/qdrant.py talks.db http://localhost:6333    on a server, in separate collections

Works on a copy of the archive. Asks 200 questions: passages drawn at random, with a little noise added to
each vector. The first half is for choosing settings, the second half for the figures. Recall is the share of
the exact first 50 results that are returned, among all recordings, a tenth and a fiftieth of them: by meaning
(a vector), by words (the passage's first ten), and by both, fused.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from contextlib import closing
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np

from onrecord.retrieve import Fuse, Keyword, Semantic, Tools
from onrecord.retrieve.curve.curves import convex
from onrecord.stores import open_store, sql_snapshot
from onrecord.stores.qdrant.points import QUANTIZATIONS
from onrecord.stores.ranking import top
from onrecord.types import Evidence, Question, Scope
from postgres import timed

QUESTIONS, FIRST, WORDS = 200, 50, 10


def main(archive: str, server: str = "") -> None:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.db"
        shutil.copy(archive, copy)
        for quantization in QUANTIZATIONS:
            measure(copy, server or f"{folder}/{quantization}", quantization)


def measure(archive: Path, url: str, quantization: str) -> None:
    vectors = {"url": url, "quantization": quantization, "collection": f"benchmark-{quantization}"}
    options = {**vectors, "exact": 0, "indexed": 0}
    with closing(open_store(archive, vectors=options)) as store, closing(open_store(archive)) as exact:
        began = perf_counter()
        store.mend()
        took = perf_counter() - began
        print(
            f"{quantization}: {len(store.timeline()):,} passages written in {took:.0f} s; {store.compare()}"
        )
        names, whole = exact.timeline().names, exact.timeline()
        chance = np.random.default_rng(1)
        drawn = chance.choice(len(whole), QUESTIONS, replace=False)
        queries = exact.vectors(whole.rows[drawn])
        queries += 0.3 / queries.shape[1] ** 0.5 * chance.standard_normal(queries.shape).astype(np.float32)
        queries /= np.linalg.norm(queries, axis=1, keepdims=True)
        curve(exact, store, drawn[QUESTIONS // 2 :], queries[QUESTIONS // 2 :])
        for share in (1, 10, 50):
            scope = Scope(recordings=tuple(names[::share])) if share > 1 else Scope()
            texts = [p.text for p in exact.passages(whole.rows[drawn[QUESTIONS // 2 :]])]
            compare(exact, store, scope, texts, queries[QUESTIONS // 2 :], f"1/{share} of the recordings")


def curve(exact, store, drawn, queries):
    """Print the recall of the first 50 results by four parts of meaning and one part of words.

    A tenth of the passages is scored in full, and the index is asked for one in a hundred: as in archives of
    100,000 to 200,000 passages.
    """
    timeline, overlaps = exact.timeline(), []
    sql_snapshot._NEAR_PASSAGES, sql_snapshot._MOST_NEAR = len(timeline) // 10, len(timeline) // 100
    for passage, query in zip(exact.passages(timeline.rows[drawn]), queries, strict=True):
        words = exact.keyword([" ".join(passage.text.split()[:WORDS])], timeline)
        best, approximate = (
            top(convex([(0.8, store_read.dense(query, timeline)), (0.2, words)]), FIRST)
            for store_read in (exact, store)
        )
        overlaps.append(len(set(best) & set(approximate)) / len(best))
    print(f"  curve, a tenth scored in full: {np.mean(overlaps):.3f} of the first {FIRST}")


def compare(exact, store, scope, texts, queries, label):
    searches = {"meaning": Semantic(FIRST), "words": Keyword(FIRST)}
    searches["both"] = Fuse(*searches.values())
    for name, stage in searches.items():
        overlaps, first, took, plain = [], [], [], []
        for text, query in zip(texts, queries, strict=True):
            evidence, embedder = Evidence(Question(" ".join(text.split()[:WORDS]), scope)), Fixed(query)
            rows, approximate = (
                [
                    m.passages[m.peak].row
                    for m in timed(times, partial(stage, evidence, Tools(now, embedder))).moments
                ][:FIRST]
                for times, now in ((plain, exact), (took, store))
            )
            overlaps.append(len(set(rows) & set(approximate)) / max(len(rows), 1))
            first.append(rows[:1] == approximate[:1])
        figures = f"recall@{FIRST} {np.mean(overlaps):.4f}, first {np.mean(first):.3f}"
        spread = f"{1000 * median(took):.1f} ms / {1000 * np.quantile(took, 0.95):.1f} ms (p50 / p95)"
        print(f"  {label}, {name}: {figures}, {spread}; in memory {1000 * median(plain):.1f} ms")


class Fixed:
    """An embedder with one vector for every question."""

    name = fingerprint = "fixed"

    def __init__(self, vector):
        self.vector, self.dimensions = vector, len(vector)

    def embed_query(self, text):
        return self.vector


if __name__ == "__main__":
    main(*sys.argv[1:])
