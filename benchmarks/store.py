"""How fast the embedded store searches, and how much memory and disk space it needs.

    python benchmarks/store.py [--passages 200000] [--questions 200] [--json FILE] [--keep FOLDER]

Builds an archive of synthetic speech (words by Zipf's law, as in speech, random unit vectors of 384
dimensions, 100 passages a recording), then searches it in a new process as a user would: cold, then question
after question. In the same run it measures alternatives on the same file and the same vectors: FTS5's own
MATCH and bm25(), and one matrix product with a sort over all passages. Prints milliseconds, p50 and p95; the
ratio to these alternatives is comparable between machines.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from onrecord.stores import Snapshot, Store, open_store
from onrecord.types import Details, Passage, Recording, Scope

DIMENSIONS, OF_RECORDING, VOCABULARY = 384, 100, 120_000
SPEAKERS = ("Ada North", "Ben West", "Cleo East", "Dan South")


def word(rank: int) -> str:
    """Return a word for a rank: every number has a unique word of consonants and vowels."""
    letters = ""
    rank += 100
    while rank:
        letters += "bcdfghjklmnpqrtvwxz"[rank % 19] + "aeiou"[rank // 19 % 5]
        rank //= 95
    return letters


class Talk:
    """Synthetic speech. Ranks follow Zipf-Mandelbrot with the shape of the QMSum meetings."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        weights = 1 / (np.arange(VOCABULARY) + 3.7) ** 1.1
        self.steps = np.cumsum(weights / weights.sum())
        self.words = [word(rank) for rank in range(VOCABULARY)]

    def ranks(self, count: int) -> np.ndarray:
        return np.minimum(np.searchsorted(self.steps, self.random.random(count)), VOCABULARY - 1)

    def text(self) -> str:
        return " ".join(self.words[rank] for rank in self.ranks(self.random.integers(60, 111)))

    def question(self) -> list[str]:
        """Return four to seven words as frequent as in speech, without the 50 most frequent (stop words)."""
        ranks = self.ranks(400)
        return [self.words[rank] for rank in ranks[ranks >= 50][: self.random.integers(4, 8)]]

    def vectors(self, count: int) -> np.ndarray:
        rows = self.random.standard_normal((count, DIMENSIONS), dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def build(folder: Path, passages: int, first: int = 0) -> dict[str, float]:
    """Build the archive, and an ordinary FTS5 table of the same words for comparison.

    `first` is the number of recordings that exist already.
    """
    talk, store, spent = Talk(1 + first), open_store(folder / "store.db"), 0.0
    rival = sqlite3.connect(folder / "rival.db")
    rival.execute("CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (text, content = '')")
    for number in range(first, passages // OF_RECORDING):
        name = f"talk-{number}"
        details = Details(title=f"Talk {number}", date=f"{2000 + number % 25}", language="en")
        recording = Recording(name, f"{name}.vtt", name, "webvtt", details, OF_RECORDING)
        recorded = [
            Passage(name, at, talk.text(), SPEAKERS[(at + number) % 4], 30.0 * at, 30.0 * at + 29)
            for at in range(OF_RECORDING)
        ]
        vectors = talk.vectors(OF_RECORDING)
        began = time.perf_counter()
        store.add(recording, recorded, vectors=vectors)
        spent += time.perf_counter() - began
        rows = [(number * OF_RECORDING + passage.position, passage.text) for passage in recorded]
        rival.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", rows)
    store.close()
    rival.commit()
    rival.close()
    return {"add_ms_per_recording": spent * 1000 / max(1, passages // OF_RECORDING - first)}


class Clock:
    """Milliseconds by name."""

    def __init__(self) -> None:
        self.times: dict[str, list[float]] = {}

    def __call__(self, name: str, call: Callable[[], Any]) -> Any:
        began = time.perf_counter()
        result = call()
        self.add(name, time.perf_counter() - began)
        return result

    def add(self, name: str, seconds: float) -> None:
        self.times.setdefault(name, []).append(seconds * 1000)

    def report(self) -> dict[str, dict[str, float]]:
        return {
            name: {"p50": float(np.median(times)), "p95": float(np.percentile(times, 95))}
            for name, times in self.times.items()
        }


def search(folder: Path, questions: int) -> dict[str, Any]:
    """Measure everything in a process that did not build the archive."""
    clock, talk = Clock(), Talk(2)
    vectors, words = talk.vectors(questions + 1), [talk.question() for _ in range(questions + 1)]
    store = clock("cold: open", lambda: open_store(folder / "store.db"))
    with store.snapshot() as now:
        timeline = clock("cold: line", now.timeline)
        clock("cold: keyword", lambda: now.keyword(words[0], timeline))
        one = clock("cold: line of one recording", lambda: now.timeline(Scope(recordings=("talk-3",))))
        clock("cold: dense of one recording", lambda: now.dense(vectors[0], one))
        clock("cold: dense", lambda: now.dense(vectors[0], timeline))
    for vector, asked in zip(vectors[1:], words[1:], strict=True):
        with store.snapshot() as now:
            timeline = clock("line", now.timeline)
            dense = clock("dense", lambda now=now, timeline=timeline, v=vector: now.dense(v, timeline))
            clock("keyword", lambda now=now, timeline=timeline, w=asked: now.keyword(w, timeline))
            clock(
                "40 passages",
                lambda now=now, d=dense, at=timeline.rows: now.passages(at[np.argpartition(d, -40)[-40:]]),
            )
            clock("one recording", lambda now=now, v=vector, w=asked: filtered(now, RECORDING, v, w))
            clock("one speaker", lambda now=now, v=vector, w=asked: filtered(now, SPEAKER, v, w))
    memory = resident()
    compare(store, folder, clock, vectors[1:], words[1:])
    return {
        "ms": clock.report(),
        "resident_mb": memory,
        "file_mb": (folder / "store.db").stat().st_size / 1e6,
        "passages": len(timeline),
    }


RECORDING, SPEAKER = Scope(recordings=("talk-7",)), Scope(speakers=("west",))


def filtered(now: Snapshot, scope: Scope, vector: np.ndarray, words: list[str]) -> None:
    """Run all calls that a store gets for a question within a scope."""
    timeline = now.timeline(scope)
    now.dense(vector, timeline)
    now.keyword(words, timeline)


def compare(store: Store, folder: Path, clock: Clock, vectors: np.ndarray, words: list[list[str]]) -> None:
    """Time the alternatives on the same questions.

    Their names are numbered, so that the report keeps them beside ours.
    """
    matrix = store.vectors(store.timeline().rows)
    rival = sqlite3.connect(folder / "rival.db")
    sql = "SELECT rowid, bm25(words) FROM words WHERE words MATCH ?"
    for vector, asked in zip(vectors, words, strict=True):
        clock("dense, one product and a sort", lambda v=vector: np.argsort(-(matrix @ v))[:50])
        match = " OR ".join(f'"{each}"' for each in asked)
        clock("keyword, bm25() of FTS5", lambda m=match: rival.execute(sql, (m,)).fetchall())


def resident() -> float:
    """Return the process's current memory in megabytes, or its peak if the current figure is unavailable."""
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def show(report: dict[str, Any]) -> None:
    print(f"{report['passages']:,} passages of {DIMENSIONS} dimensions; milliseconds")
    for name, times in report["ms"].items():
        print(f"  {name:32} p50 {times['p50']:8.2f}   p95 {times['p95']:8.2f}")
    for ours, rival in (("dense", "dense, one product and a sort"), ("keyword", "keyword, bm25() of FTS5")):
        ratio = report["ms"][rival]["p50"] / report["ms"][ours]["p50"]
        print(f"  {ours} is {ratio:.1f} times as fast as {rival.partition(', ')[2]} (p50)")
    print(f"  resident {report['resident_mb']:.0f} MB, file {report['file_mb']:.0f} MB", end="")
    print(
        f", adding a recording {report['add_ms_per_recording']:.1f} ms"
        if "add_ms_per_recording" in report
        else ""
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--passages", type=int, default=200_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--keep", type=Path, help="build here, or search what was built here before")
    parser.add_argument("--search", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.search:
        print(json.dumps(search(options.keep, options.questions)))
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        built = {} if (folder / "store.db").exists() else build(folder, options.passages)
        command = [
            sys.executable,
            __file__,
            "--search",
            "--keep",
            folder,
            "--questions",
            str(options.questions),
        ]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    report = {**built, **json.loads(done.stdout)}
    show(report)
    if options.json:
        options.json.write_text(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
