"""How long a question takes from its words to ranked moments, stage by stage, over a large archive.

    python benchmarks/search.py [--passages 200000] [--questions 200] [--keep FOLDER] [--model]
        [--strategy balanced --strategy auto]

Searches the synthetic archive of benchmarks/store.py (built first if it does not exist) with some preset
strategies, through the same snapshot and stages as `onrecord ask`. Vectors of questions are random unless
--model embeds them; the embedding is timed separately. On the same questions it times a program without
onrecord: a matrix product, FTS5's bm25(), min-max, a sort and 10 passages, without smoothing or moments.
Prints milliseconds, p50 and p95.
"""

from __future__ import annotations

import argparse
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from onrecord.models import open_embedder
from onrecord.models.base import Calibration
from onrecord.retrieve import Tools
from onrecord.stores import open_store
from onrecord.strategies import STRATEGIES
from onrecord.types import Question, Scope
from store import DIMENSIONS, Clock, Talk, build, resident

SCOPES = {"": Scope(), ", one recording": Scope(recordings=("talk-7",))}


class Vectors:
    """An embedder of questions that are known in advance: by random vectors, or by the model."""

    name, fingerprint, dimensions, calibration = "known", "known", DIMENSIONS, Calibration()

    def __init__(self, clock: Clock, talk: Talk, model: bool) -> None:
        self.clock, self.talk = clock, talk
        self.model = open_embedder("minilm") if model else None
        self.seconds = 0.0

    def embed_query(self, text: str) -> np.ndarray:
        if self.model is None:
            return self.talk.vectors(1)[0]
        began = time.perf_counter()
        vector = self.clock("embedding a question", lambda: self.model.embed_query(text))
        self.seconds = time.perf_counter() - began
        return vector


def search(folder: Path, questions: int, model: bool, strategies: list[str]) -> None:
    clock, talk = Clock(), Talk(3)
    embedder = Vectors(clock, talk, model)
    store = open_store(folder / "store.db")
    asked = [" ".join(talk.question()) for _ in range(questions + 3)]
    for number, text in enumerate(asked):
        for strategy in (STRATEGIES[name] for name in strategies):
            for label, scope in SCOPES.items():
                name = strategy.name + label
                began = time.perf_counter()
                with store.snapshot() as now:
                    evidence = strategy.retrieve(Question(text, scope), Tools(now, embedder))
                total = time.perf_counter() - began - embedder.seconds
                if number >= 3:  # the first few warm the caches
                    clock.add(f"{name}: total", total)
                    for step in evidence.trace:
                        clock.add(f"{name}: {step.stage.partition('(')[0]}", step.seconds)
    memory = resident()
    find = plain(store, folder)
    for text, vector in zip(asked[3:], talk.vectors(questions), strict=True):
        clock("plain alternative: total", lambda v=vector, t=text: find(v, t))
    show(clock, len(store.timeline()), memory, strategies)


def plain(store, folder: Path) -> Callable[[np.ndarray, str], object]:
    """Return the alternative, with all vectors in memory and an FTS5 table of the same words."""
    timeline = store.timeline()
    matrix = store.vectors(timeline.rows)
    rival = sqlite3.connect(folder / "rival.db")
    sql = "SELECT rowid, -bm25(words) FROM words WHERE words MATCH ?"

    def find(vector: np.ndarray, text: str) -> object:
        dense, lexical = matrix @ vector, np.zeros(len(matrix), np.float32)
        match = " OR ".join(f'"{word}"' for word in text.split())
        matches = np.array(rival.execute(sql, (match,)).fetchall()).reshape(-1, 2)
        lexical[matches[:, 0].astype(int)] = matches[:, 1]
        score = 0.6 * (dense - dense.min()) / np.ptp(dense) + 0.4 * lexical / max(lexical.max(), 1e-9)
        best = np.argpartition(-score, 10)[:10]
        return store.passages(timeline.rows[best[np.argsort(-score[best])]])

    return find


def show(clock: Clock, passages: int, memory: float, strategies: list[str]) -> None:
    report = clock.report()
    print(f"{passages:,} passages of {DIMENSIONS} dimensions; milliseconds; resident {memory:.0f} MB")
    for name, times in report.items():
        print(f"  {name:40} p50 {times['p50']:8.2f}   p95 {times['p95']:8.2f}")
    for name in strategies:
        ratio = report["plain alternative: total"]["p95"] / report[f"{name}: total"]["p95"]
        print(f"  {name}, without the embedding, is {ratio:.1f} times as fast as the plain alternative (p95)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--passages", type=int, default=200_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--keep", type=Path, help="build here, or search what was built here before")
    parser.add_argument("--model", action="store_true", help="embed the questions with minilm")
    parser.add_argument("--strategy", action="append", choices=STRATEGIES, help="default: balanced and auto")
    parser.add_argument("--search", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    strategies = options.strategy or ["balanced", "auto"]
    if options.search:
        search(options.keep, options.questions, options.model, strategies)
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "store.db").exists():
            build(folder, options.passages)
        # the search runs in a separate process, so that its memory is what a user would see
        command = [sys.executable, __file__, "--search", "--keep", str(folder)]
        command += ["--questions", str(options.questions), *(["--model"] if options.model else [])]
        command += [f"--strategy={name}" for name in strategies]
        subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
