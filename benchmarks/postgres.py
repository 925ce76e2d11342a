"""The recall of a PostgreSQL server's index against an exact search, and its cost.

    python benchmarks/postgres.py large.db postgresql://ann@db.example.org/talks?schema=benchmark

Copies an archive file to the server, unless it is there, and builds the index of all vectors in one step. It
then asks the questions of benchmarks/distractors.py, and compares the results with the archive file, which
scores everything:

- `direct`: the 50 passages nearest by the index;
- candidates: whether the first passages of the curve of `balanced` are among the 1,000 nearest by the index
  and the 1,000 best by words;
- the curve of `balanced`, for which only near recordings are scored in full.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack, closing
from statistics import median
from time import perf_counter

import numpy as np

from distractors import best_of, embedder_with_cache, questions, shares
from onrecord.archive.moving import copy_workspace
from onrecord.retrieve import Tools
from onrecord.retrieve.wording import by_words, point, subject
from onrecord.stores import matrix, open_store
from onrecord.stores.ranking import top
from onrecord.types import Scope

QUESTIONS, FIRST, CANDIDATES = 200, 50, 1000


def fill(source, target: str) -> None:
    """Copy everything, and then build the index."""
    passages = len(source.timeline())
    with closing(open_store(target, indexed=2 * passages, exact=passages)) as store:
        if len(store.timeline()) < passages:
            began = perf_counter()
            copy_workspace(source, store)
            print(f"copied and proved: {passages:,} passages in {perf_counter() - began:.0f} s", flush=True)
    with closing(open_store(target, indexed=0)) as store:
        name, began = store.recordings()[0].id, perf_counter()
        store.set_vectors(name, store.vectors([passage.row for passage in store.transcript(name)]))
        print(f"index of all vectors: {perf_counter() - began:.0f} s", flush=True)


def main(archive: str, target: str) -> None:
    source = open_store(archive)
    matrix.EXACT = len(source.timeline())
    fill(source, target)
    embedder = embedder_with_cache()
    texts, took = questions(QUESTIONS), {"exact": [], "index": [], "curve, exact": [], "curve": []}
    names = ("direct", "candidates", "curve")
    full, partial = ({name: [] for name in names} for _ in range(2))
    with ExitStack() as stack:
        server = stack.enter_context(closing(open_store(target, indexed=0, exact=CANDIDATES)))
        exact, near = (stack.enter_context(store.snapshot()) for store in (source, server))
        timeline, other = exact.timeline(), near.timeline()
        assert np.array_equal(timeline.positions, other.positions), "the server has other recordings"
        places = {int(row): at for at, row in enumerate(timeline.rows)}
        theirs = {int(row): at for at, row in enumerate(other.rows)}

        def at(rows, known):
            return np.array([known[int(row)] for row in rows])

        for text in texts:
            vector = embedder.embed_query(point(text))
            best = timed(took["exact"], lambda v=vector: exact.nearest(v, timeline, FIRST))[0]
            nearest_rows = timed(took["index"], lambda v=vector: near.nearest(v, other, FIRST))[0]
            curve = timed(took["curve, exact"], lambda t=text: best_of(t, Tools(exact, embedder), Scope()))
            rough = timed(took["curve"], lambda t=text: best_of(t, Tools(near, embedder), Scope()))
            words = top(by_words(subject(text), timeline, exact), CANDIDATES)
            wide = at(near.nearest(vector, other, CANDIDATES)[0], theirs)
            own = at(curve, places)
            full["direct"].append(at(best, places))
            partial["direct"].append(at(nearest_rows, theirs))
            full["candidates"].append(own)
            partial["candidates"].append(own[np.isin(own, np.concatenate((wide, words)))])
            full["curve"].append(own)
            partial["curve"].append(at(rough, theirs))
    print(f"first / first {FIRST} that remain:", {name: shares(full[name], partial[name]) for name in names})
    print("milliseconds, median:", {name: round(1000 * median(part), 1) for name, part in took.items()})


def timed(into, call):
    began = perf_counter()
    result = call()
    into.append(perf_counter() - began)
    return result


if __name__ == "__main__":
    main(*sys.argv[1:])
