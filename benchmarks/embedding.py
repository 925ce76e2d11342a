"""How fast the embedded model is, compared with sentence-transformers in one run, and what rounding costs.

    python benchmarks/embedding.py [--data ../shared/data] [--rounds 5] [--texts 192] ...

Speed: all models embed the same passages, taking turns, `--rounds` times. Prints tokens a second of processor
time on one thread, and of wall-clock time on all processors, each with its median ratio to
sentence-transformers (float32 on torch), if that is installed. Then the time of one short question, and the
time from a new process to the first vector. Quality, on the meetings of QMSum: how many of float32's ten
nearest passages the other precisions retain, and nDCG@10 and S of plain dense search with each
(docs/evaluation.md). Without that data the passages are speech that ships with the package, and quality is
left out.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from onrecord.evaluate import Dataset, compare, fill, load
from onrecord.ingest.passages import Cutter
from onrecord.models import open_embedder
from onrecord.models.minilm.prepare import calibration_texts
from onrecord.models.minilm.session import Tokenizer
from onrecord.models.minilm.weights import fetch_weights
from onrecord.retrieve import Semantic, Tools
from onrecord.stores import open_store
from onrecord.strategies import Strategy
from shared import DATA

Contestant = Callable[[Sequence[str]], Any]
PRECISIONS = ("float32", "mixed", "int8")
RIVAL = "sentence-transformers"
START = """
import time
began = time.perf_counter()
from onrecord.models import open_embedder
model = open_embedder("minilm", precision="{}")
ready = time.perf_counter()
model.embed_query("Why did margins fall?")
print(ready - began, time.perf_counter() - ready)
"""


def rival(folder: Path, threads: int) -> Contestant | None:
    """Return sentence-transformers with the same weights, or None if it is not installed."""
    try:
        import torch
        from sentence_transformers import SentenceTransformer
        from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    except ImportError:
        return None
    from transformers import BertConfig, BertTokenizerFast

    shape = BertConfig(
        hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536, vocab_size=30522
    )
    with tempfile.TemporaryDirectory() as name:
        shape.architectures = ["BertModel"]
        shape.save_pretrained(name)
        BertTokenizerFast(tokenizer_file=str(folder / "tokenizer.json")).save_pretrained(name)
        (Path(name) / "model.safetensors").symlink_to(folder / "model.safetensors")
        bert = Transformer(name, max_seq_length=256)
        model = SentenceTransformer(modules=[bert, Pooling(384)], device="cpu")

    def embed(texts: Sequence[str]) -> Any:
        torch.set_num_threads(threads)
        return model.encode(list(texts), batch_size=32, normalize_embeddings=True)

    return embed


def contestants(folder: Path, threads: int) -> dict[str, Contestant]:
    """Return all models to compare, on `threads` threads."""
    ours: dict[str, Contestant] = {
        f"onrecord {p}": open_embedder("minilm", precision=p, workers=threads).embed for p in PRECISIONS
    }
    rival_embed = rival(folder, threads)
    return ({RIVAL: rival_embed} if rival_embed else {}) | ours


def race(
    field: dict[str, Contestant], texts: Sequence[str], tokens: int, rounds: int, clock: Callable[[], float]
) -> dict[str, dict[str, float]]:
    """Return tokens a second, and the ratio to the first model, as medians over the rounds."""
    speeds: dict[str, list[float]] = {name: [] for name in field}
    for embed in field.values():
        embed(texts[:8])
    for _ in range(rounds):
        for name, embed in field.items():
            began = clock()
            embed(texts)
            speeds[name].append(tokens / (clock() - began))
    first = speeds[next(iter(field))]
    return {
        name: {
            "tokens_per_second": statistics.median(seen),
            "ratio": statistics.median(a / b for a, b in zip(seen, first, strict=True)),
        }
        for name, seen in speeds.items()
    }


def agreement(field: dict[str, Contestant], texts: Sequence[str]) -> dict[str, float]:
    """Return for each model the lowest cosine of its vectors to the first model's."""
    first = next(iter(field.values()))(texts)
    return {name: float(np.sum(first * embed(texts), axis=1).min()) for name, embed in field.items()}


def questions(precision: str, count: int = 200) -> dict[str, float]:
    """Return the milliseconds for one short question."""
    model = open_embedder("minilm", precision=precision)
    times = []
    for number in range(count):
        began = time.perf_counter()
        model.embed_query(f"Why did margins fall in the quarter {number}?")
        times.append(1000 * (time.perf_counter() - began))
    return {"p50": float(np.percentile(times, 50)), "p95": float(np.percentile(times, 95))}


def start(precision: str, runs: int = 7) -> dict[str, float]:
    """Return the median seconds from the first line of a new interpreter to a loaded model."""
    command = [sys.executable, "-c", START.format(precision)]
    seen = [subprocess.run(command, check=True, capture_output=True, text=True).stdout for _ in range(runs)]
    ready, first = zip(*(map(float, line.split()) for line in seen), strict=True)
    return {"ready": statistics.median(ready), "first_vector": statistics.median(first)}


def quality(dataset: Dataset) -> dict[str, dict[str, float]]:
    """Return how much of the first precision's search results the other precisions retain."""
    dense = Strategy("dense", Semantic(100))
    vectors, asked, reports = {}, {}, {}
    for precision in PRECISIONS:
        model = open_embedder("minilm", precision=precision)
        with tempfile.TemporaryDirectory() as folder, closing(open_store(Path(folder) / "x.db")) as store:
            fill(store, dataset, model, Cutter())
            vectors[precision] = store.vectors(store.timeline().rows)
            asked[precision] = model.embed([question.text for question in dataset.questions])
            for known in (True, False):
                report = compare(Tools(store, model), dataset, [dense], known=known)
                reports[precision, known] = report.values["dense"]
    exact = nearest(asked[PRECISIONS[0]], vectors[PRECISIONS[0]])
    figures: dict[str, dict[str, float]] = {}
    for precision in PRECISIONS:
        tops = nearest(asked[precision], vectors[precision])
        figures[precision] = {"kept_of_top_10": share_kept(exact, tops)}
        for known, where in ((True, "meeting"), (False, "all")):
            report = reports[precision, known]
            figures[precision] |= {f"{name} {where}": float(report[name].mean()) for name in ("ndcg@10", "S")}
    return figures


def nearest(asked: Any, vectors: Any, count: int = 10) -> Any:
    """Return the nearest rows to each question, shape (questions, count)."""
    return np.argsort(-(asked @ vectors.T), axis=1)[:, :count]


def share_kept(exact: Any, rounded: Any) -> float:
    """Return the mean share of the exact rows that are among the rounded rows."""
    return float(np.mean([len(set(a) & set(b)) / len(a) for a, b in zip(exact, rounded, strict=True)]))


def show(title: str, rows: dict[str, dict[str, float]]) -> None:
    print(title)
    for name, row in rows.items():
        print(f"  {name:24}" + "  ".join(f"{key} {value:,.4g}" for key, value in row.items()), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--texts", type=int, default=192)
    parser.add_argument("--no-quality", action="store_true", help="speed only")
    parser.add_argument("--json", type=Path, help="write the figures here, too")
    options = parser.parse_args()
    dataset = load(options.data / "qmsum") if (options.data / "qmsum").is_dir() else None
    texts = passages(dataset, options.texts)
    folder = fetch_weights()
    tokens = sum(map(len, Tokenizer(folder / "tokenizer.json").tokens(texts)))
    threads = os.cpu_count() or 1
    print(f"{len(texts)} passages of {tokens / len(texts):.0f} tokens, {threads} processors")
    one, all_ = contestants(folder, 1), contestants(folder, threads)
    figures: dict[str, Any] = {
        "one thread, processor time": race(one, texts, tokens, options.rounds, time.process_time),
        f"{threads} threads, wall-clock time": race(all_, texts, tokens, options.rounds, time.perf_counter),
        "a short question, ms": {p: questions(p) for p in PRECISIONS},
        "from a new process, s": {p: start(p) for p in PRECISIONS},
        "least cosine to the first": {name: {"cosine": c} for name, c in agreement(one, texts).items()},
    }
    if dataset and not options.no_quality:
        figures["search in meetings"] = quality(dataset)
    for title, rows in figures.items():
        show(title, rows)
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(figures, indent=2))


def passages(dataset: Dataset | None, count: int) -> list[str]:
    """Return passages as `onrecord add` cuts them."""
    if dataset is None:
        talk = calibration_texts()
        return [" ".join(talk[n % len(talk) :][:3]) for n in range(count)]
    with tempfile.TemporaryDirectory() as folder, closing(open_store(Path(folder) / "x.db")) as store:
        fill(store, dataset, None, Cutter())
        rows = store.timeline().rows
        return [passage.spoken for passage in store.passages(rows[:: max(1, len(rows) // count)][:count])]


if __name__ == "__main__":
    main()
