"""The cost of a question as an archive grows from 50,000 to 1,000,000 passages, and while others add to it.

    python benchmarks/growth.py [--sizes 50000,100000,200000,400000,1000000] [--questions 60]
        [--strategy balanced --strategy auto] [--keep FOLDER] [--json FILE] [--plot growth.png]
    python benchmarks/growth.py --keep FOLDER --build
    python benchmarks/growth.py --writers 8 [--sizes 50000] [--questions 200] [--embedder hashing]

Grows one archive of the synthetic speech of benchmarks/store.py, and asks it at every size, in a new process.
Prints milliseconds p50 and p95 without the embedding of the question, the same as processor time (of all
threads, which other work on the machine hardly changes), and resident memory. Then alternatives without
onrecord answer from the same vectors, each in a separate process: a product with all vectors (10 passages by
cosine, exact), the same with FTS5's bm25(), and, if installed, usearch (exact by its own kernels, and its
HNSW index) and LlamaIndex's default vector store. A ratio gives the cost of doubling the archive. With
--build it only makes the archives (0.4 ms a passage), for a later run in the same folder.

With `--writers` it asks the questions once alone, and once while this number of processes add recordings to
the same archive without a pause, and prints how much longer the questions took.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from math import log2
from pathlib import Path
from typing import Any

import numpy as np

import onrecord
from onrecord.archive.preparing import give_way
from onrecord.archive.processor_slots import record_question
from onrecord.models import open_embedder
from onrecord.retrieve import Tools
from onrecord.stores import open_store
from onrecord.strategies import STRATEGIES
from onrecord.types import Question
from search import Vectors, plain
from store import DIMENSIONS, OF_RECORDING, Clock, Talk, build, resident

WARMING, FIRST = 3, 10
"""Questions that fill the caches before any question is timed; passages that the alternatives return."""
WORTH_SHOWING = 1.0
"""Milliseconds (p95) of a stage below which it is not printed."""
MOST = {"usearch, HNSW": 200_000, "LlamaIndex": 100_000}
"""Most passages for an alternative: with more, it takes minutes to build, or all the memory."""
GOALS = ((200_000, 40), (1_000_000, 120))
"""Passages, and the target milliseconds at p95."""
CPU = ", processor time"
PLAIN = "cosine and FTS5"


# ---------------------------------------------------------------- one size, in a separate process


def ask(folder: Path, questions: int, strategies: list[str], model: str) -> dict[str, Any]:
    """Ask the archive in a folder: return the times of each strategy, and megabytes afterwards.

    `model` embeds the questions if a model has embedded the archive; else their vectors are random.
    """
    clock, talk = Clock(), Talk(3)
    store = open_store(folder / "store.db")
    embedder = open_embedder(model) if store.meta("model") else Vectors(clock, talk, model=False)
    began_all, first_s = time.perf_counter(), 0.0
    for number in range(questions + WARMING):
        text = " ".join(talk.question())
        for name in strategies:
            record_question()  # as `Archive.search` does
            began, used = time.perf_counter(), time.process_time()
            with store.snapshot() as now:
                evidence = STRATEGIES[name].retrieve(Question(text), Tools(now, embedder))
            first_s = first_s or time.perf_counter() - began_all
            if number >= WARMING:
                clock.add(f"{name}{CPU}", time.process_time() - used)
                clock.add(name, time.perf_counter() - began)
                for step in evidence.trace:
                    clock.add(f"{name}: {step.stage.partition('(')[0]}", step.seconds)
    figures = {"resident_mb": resident(), "first_s": first_s, "ms": clock.report()}
    return {"passages": len(store.timeline()), **figures}


def ask_others(folder: Path, questions: int, other: str) -> dict[str, Any]:
    """Ask an alternative the same questions."""
    clock, talk = Clock(), Talk(3)
    store = open_store(folder / "store.db")
    if other == PLAIN:
        find = plain(store, folder)
    else:
        matrix = store.vectors(store.timeline().rows)
        store.close()
        find = OTHERS[other](matrix)
    for _ in range(questions):
        text, vector, used = " ".join(talk.question()), talk.vectors(1)[0], time.process_time()
        clock(other, lambda v=vector, t=text: find(v, t))
        clock.add(f"{other}{CPU}", time.process_time() - used)
    return {"ms": clock.report(), "resident_mb": resident()}


Find = Callable[[np.ndarray, str], Any]


def cosine(matrix: np.ndarray) -> Find:
    def find(vector: np.ndarray, _: str) -> np.ndarray:
        scores = matrix @ vector
        best = np.argpartition(-scores, FIRST)[:FIRST]
        return best[np.argsort(-scores[best])]

    return find


def usearch_exact(matrix: np.ndarray) -> Find:
    from usearch.index import MetricKind, search

    return lambda vector, _: search(matrix, vector, FIRST, MetricKind.IP, exact=True)


def usearch_index(matrix: np.ndarray) -> Find:
    from usearch.index import Index

    index = Index(ndim=DIMENSIONS, metric="ip", dtype="f16")
    index.add(np.arange(len(matrix)), matrix)
    return lambda vector, _: index.search(vector, FIRST)


def llama_index(matrix: np.ndarray) -> Find:
    from llama_index.core.schema import TextNode
    from llama_index.core.vector_stores import SimpleVectorStore, VectorStoreQuery

    store = SimpleVectorStore()
    store.add([TextNode(id_=str(at), embedding=row.tolist()) for at, row in enumerate(matrix)])
    return lambda vector, _: store.query(
        VectorStoreQuery(query_embedding=vector.tolist(), similarity_top_k=FIRST)
    )


OTHERS: dict[str, Callable[[np.ndarray], Find]] = {
    "cosine, exact": cosine,
    "usearch, exact": usearch_exact,
    "usearch, HNSW": usearch_index,
    "LlamaIndex": llama_index,
}
_NEEDS = {"usearch, exact": "usearch", "usearch, HNSW": "usearch", "LlamaIndex": "llama_index"}


# ---------------------------------------------------------------- growing


def again(folder: Path, options: argparse.Namespace, *more: str) -> dict[str, Any]:
    """Run this script with these options in a new process, and return the JSON that it prints."""
    command = [sys.executable, __file__, "--keep", str(folder), "--questions", str(options.questions)]
    command += [f"--strategy={name}" for name in options.strategy]
    command += ["--embedder", options.embedder]
    done = subprocess.run([*command, *more], check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def build_all(folder: Path, sizes: list[int]) -> dict[int, Path]:
    """Build an archive of each size, the smallest first; existing archives are left alone."""
    growing, archives = folder / "growing", {size: folder / str(size) for size in sizes}
    growing.mkdir(exist_ok=True)
    there = len(open_store(growing / "store.db").timeline()) if (growing / "store.db").exists() else 0
    for size, archive in archives.items():
        if not archive.exists():
            build(growing, size, first=there // OF_RECORDING)
            there = size
            shutil.copytree(growing, archive)
    return archives


def grow(folder: Path, options: argparse.Namespace) -> list[dict[str, Any]]:
    """Return the figures of every size, the smallest first. Print each size as soon as it is measured."""
    measured: list[dict[str, Any]] = []
    for size, archive in build_all(folder, options.sizes).items():
        report = again(archive, options, "--ask")
        report["file_mb"] = (archive / "store.db").stat().st_size / 1e6
        for other in (PLAIN, *OTHERS):
            if size <= MOST.get(other, size) and find_spec(_NEEDS.get(other, "numpy")):
                beside = again(archive, options, "--other", other)
                report["ms"] |= beside["ms"]
                report.setdefault("others_mb", {})[other] = beside["resident_mb"]
        show(report, measured[-1] if measured else None)
        measured.append(report)
    return measured


def show(report: dict[str, Any], before: dict[str, Any] | None) -> None:
    print(
        f"{report['passages']:,} passages: resident {report['resident_mb']:,.0f} MB, file "
        f"{report['file_mb']:,.0f} MB, first question {report['first_s']:.1f} s; milliseconds"
    )
    for name, times in report["ms"].items():
        if ": " in name and times["p95"] < WORTH_SHOWING:
            continue
        cost = (
            f"   {doubling(before, report, name):.2f} a doubling" if before and name in before["ms"] else ""
        )
        memory = report.get("others_mb", {}).get(name)
        beside = f"   resident {memory:,.0f} MB" if memory else ""
        print(f"  {name:32} p50 {times['p50']:8.1f}   p95 {times['p95']:8.1f}{cost}{beside}", flush=True)


def doubling(before: dict[str, Any], after: dict[str, Any], name: str) -> float:
    """Return the factor by which the p50 grows for each doubling of the passages."""
    steps = log2(after["passages"] / before["passages"])
    return float((after["ms"][name]["p50"] / before["ms"][name]["p50"]) ** (1 / steps))


def draw(measured: list[dict[str, Any]], strategies: list[str], file: Path) -> None:
    """Draw milliseconds and megabytes by passages on logarithmic axes, with the goals."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 3, figsize=(14, 4))
    sizes = [report["passages"] for report in measured]
    for panel, suffix, of in ((axes[0], CPU, "p50"), (axes[1], "", "p95")):
        for name in (*strategies, PLAIN, *OTHERS):
            known = [
                (r["passages"], r["ms"][name + suffix][of]) for r in measured if name + suffix in r["ms"]
            ]
            if known:
                panel.plot(*zip(*known, strict=True), "-o" if name in strategies else ":.", label=name)
    axes[1].plot(*zip(*GOALS, strict=True), "k_", markersize=14, label="to be reached")
    axes[2].plot(sizes, [report["resident_mb"] for report in measured], "-o", label="onrecord")
    axes[2].plot(sizes, [n * DIMENSIONS * 4 / 1e6 for n in sizes], ":", label="the vectors alone, float32")
    labels = ("processor time, ms, p50", "time to wait, ms, p95", "resident memory, MB")
    for panel, label in zip(axes, labels, strict=True):
        panel.set(xscale="log", yscale="log", xlabel="passages", ylabel=label)
        panel.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(file, dpi=100)


# ---------------------------------------------------------------- while other processes add


def write(folder: Path, embedder: str, number: int) -> None:
    """Add one recording after the other, until the process is ended."""
    give_way()  # as `onrecord add` does
    talk, count = Talk(100 + number), 0
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / f"writer-{number}.txt"
        with onrecord.open(folder / "store.db", embedding={"model": embedder}) as archive:
            while True:
                file.write_text("\n".join(f"Ann: {talk.text()}." for _ in range(OF_RECORDING)))
                archive.add(file, source=f"writer-{number}-{count}", keep_both=True)
                count += 1


@contextmanager
def writers(folder: Path, options: argparse.Namespace) -> Iterator[None]:
    """Let several processes add to the archive in this block, after each of them has added at least once."""
    command = [sys.executable, __file__, "--keep", str(folder), "--embedder", options.embedder, "--write"]
    running = [subprocess.Popen([*command, str(number)]) for number in range(options.writers)]
    there = recordings(folder)
    try:
        while recordings(folder) < there + options.writers and not any(process.poll() for process in running):
            time.sleep(1)
        yield
        if any(process.poll() is not None for process in running):
            sys.exit("a writer has ended: its error is above")
    finally:
        for process in running:
            process.kill()
            process.wait()


def recordings(folder: Path) -> int:
    with closing(open_store(folder / "store.db")) as store:
        return len(store.recordings())


def measure_beside_writers(folder: Path, options: argparse.Namespace) -> None:
    if not (folder / "store.db").exists():
        build(folder, options.sizes[0])
        with onrecord.open(folder / "store.db", embedding={"model": "hashing"}) as archive:
            archive.embed(again=True)
    alone = again(folder, options, "--ask")
    with writers(folder, options):
        before = recordings(folder)
        beside = again(folder, options, "--ask")
        added = recordings(folder) - before
    print(f"{alone['passages']:,} passages; {options.writers} writers added {added} recordings meanwhile")
    for name in (each + suffix for each in options.strategy for suffix in ("", CPU)):
        one, other = alone["ms"][name], beside["ms"][name]
        steps = "".join(
            f"; {step.rpartition(': ')[2]} {times['p50']:.1f} -> {beside['ms'][step]['p50']:.1f}"
            for step, times in alone["ms"].items()
            if step.startswith(f"{name}: ") and step in beside["ms"]
            if beside["ms"][step]["p50"] > times["p50"] + WORTH_SHOWING
        )
        ratio = other["p95"] / one["p95"]
        print(
            f"  {name:26} alone p50 {one['p50']:.1f} p95 {one['p95']:.1f} ms, while they add "
            f"p50 {other['p50']:.1f} p95 {other['p95']:.1f} ms: {ratio:.2f} times the p95{steps}"
        )


def main() -> None:
    options = parsed()
    if options.ask:
        print(json.dumps(ask(options.keep, options.questions, options.strategy, options.embedder)))
    elif options.other:
        print(json.dumps(ask_others(options.keep, options.questions, options.other)))
    elif options.write is not None:
        write(options.keep, options.embedder, options.write)
    else:
        with tempfile.TemporaryDirectory() as temporary:
            folder = options.keep or Path(temporary)
            folder.mkdir(parents=True, exist_ok=True)
            if options.writers:
                measure_beside_writers(folder, options)
                return
            if options.build:
                build_all(folder, options.sizes)
                return
            measured = grow(folder, options)
        if options.json:
            options.json.write_text(json.dumps(measured, indent=2))
        if options.plot:
            draw(measured, options.strategy, options.plot)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="50000,100000,200000,400000,1000000", help="passages, rising")
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--strategy", action="append", choices=STRATEGIES, help="default: balanced and auto")
    parser.add_argument("--keep", type=Path, help="grow the archive here, or go on with what is here")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--plot", type=Path, help="draw them")
    parser.add_argument("--build", action="store_true", help="only make the archives")
    parser.add_argument("--writers", type=int, default=0, help="ask while so many processes add")
    parser.add_argument("--embedder", default="hashing", help="what the writers embed with")
    parser.add_argument("--ask", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--other", help=argparse.SUPPRESS)
    parser.add_argument("--write", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.strategy = options.strategy or ["balanced", "auto"]
    options.sizes = [int(size) for size in options.sizes.split(",")]
    return options


if __name__ == "__main__":
    main()
