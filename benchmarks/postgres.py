"""What the index of a PostgreSQL server keeps of an exact search, and what it costs.

    python benchmarks/postgres.py talks.db postgresql://ann@db.example.org/talks?schema=benchmark

Copies an archive file to the server, and asks 100 questions: the beginnings of passages drawn by chance. The
first 50 passages by the index, and those of the curve where only near recordings are scored, are compared
with the first 50 of the exact search.
"""

from __future__ import annotations

import sys
from contextlib import closing
from statistics import mean, median
from time import perf_counter

import numpy as np

import onrecord
from onrecord.archive import backup
from onrecord.stores import open_store

QUESTIONS, WORDS, FIRST = 100, 10, 50


def main(source: str, target: str) -> None:
    began = perf_counter()
    copied = backup.copy(source, target, only="default")[0]
    print(f"copied and proved: {copied.passages:,} passages in {perf_counter() - began:.1f} s")
    with onrecord.open(source, make=False) as archive:
        embedder = archive.embedder
    if embedder is None:
        sys.exit("the archive has no vectors")
    with closing(open_store(target)) as exact, closing(open_store(target, indexed=0, exact=1000)) as near:
        timeline, other = exact.timeline(), near.timeline()
        drawn = np.random.default_rng(1).choice(len(timeline), min(QUESTIONS, len(timeline)), replace=False)
        texts = [" ".join(passage.text.split()[:WORDS]) for passage in exact.passages(timeline.rows[drawn])]
        vectors = [embedder.embed_query(text) for text in texts]
        kept: dict[str, list[float]] = {"first": [], "index": [], "curve": []}
        took: dict[str, list[float]] = {"exact": [], "index": [], "curve": []}
        for vector in vectors:
            best = timed(took["exact"], lambda v=vector: exact.nearest(v, timeline, FIRST))[0]
            found = timed(took["index"], lambda v=vector: near.nearest(v, other, FIRST))[0]
            scores = timed(took["curve"], lambda v=vector: near.dense(v, other))
            curve = other.rows[np.argsort(-scores, kind="stable")[:FIRST]]
            kept["first"].append(best[0] == found[0])
            kept["index"].append(len(set(best) & set(found)) / len(best))
            kept["curve"].append(len(set(best) & set(curve)) / len(best))
    print("kept of the exact search:", {name: round(float(mean(part)), 4) for name, part in kept.items()})
    print("milliseconds, median:", {name: round(1000 * median(part), 1) for name, part in took.items()})


def timed(into, call):
    began = perf_counter()
    found = call()
    into.append(perf_counter() - began)
    return found


if __name__ == "__main__":
    main(*sys.argv[1:])
