"""What caches save: questions asked for the first and the second time, with each cache and without.

    python benchmarks/caches.py [--data ../shared/data] [--keep qmsum.db] [--questions 40]

68 meetings as one archive (benchmarks/qmsum.py builds the same archive with --keep). Prints medians in
milliseconds, and the size of the caches afterwards.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import onrecord
from onrecord.evaluate import fill, load
from onrecord.ingest.passages import Cutter
from onrecord.models import open_embedder
from onrecord.stores import open_store
from shared import DATA

SIZES = ({"embeddings": 0, "results": 0}, {"embeddings": 16, "results": 0}, {"embeddings": 16, "results": 16})


def median(call: Callable[[str], object], texts: list[str]) -> float:
    times = []
    for text in texts:
        began = time.perf_counter()
        call(text)
        times.append(1000 * (time.perf_counter() - began))
    return statistics.median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--keep", type=Path, help="build the archive here, or use the one built before")
    parser.add_argument("--questions", type=int, default=40)
    options = parser.parse_args()
    dataset = load(options.data / "qmsum")
    texts = [question.text for question in dataset.questions[: options.questions]]
    with tempfile.TemporaryDirectory() as folder:
        file = options.keep or Path(folder) / "qmsum.db"
        if not file.exists():
            with closing(open_store(file)) as store:
                fill(store, dataset, open_embedder("minilm"), Cutter())
        print(
            f"{'embeddings':>10} {'results':>8}   {'search':^13}   {'ask':^13}   (MB; first, second time, ms)"
        )
        for sizes in SIZES:
            with onrecord.open(file, cache=sizes, embedding={"model": "minilm"}) as archive:
                archive.store.set_meta("measured", time.time())  # a write empties the caches
                archive.ask("Is the model loaded?")
                times = [
                    median(call, texts) for call in (archive.search, archive.search, archive.ask, archive.ask)
                ]
                caches = archive.stats()["caches"]
            shown = "   ".join(f"{first:6.1f} {second:6.1f}" for first, second in (times[:2], times[2:]))
            megabytes = sum(cache["bytes"] for cache in caches.values()) / 1e6
            print(f"{sizes['embeddings']:>10} {sizes['results']:>8}   {shown}   {megabytes:.1f} MB kept")


if __name__ == "__main__":
    main()
