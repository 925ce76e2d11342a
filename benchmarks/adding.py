"""How long it takes to add 60 podcast episodes, and what share of that time is not the model's.

    python benchmarks/adding.py [--data ../shared/data] [--episodes 60] [--workers 2] [--model minilm]

Episodes from the corpus of real podcasts are written as Markdown turns and added to a new archive, as
`onrecord add` would. Prints words and tokens a second, and the share of the time spent on reading, cutting
and storing. A second figure is for adding the same, unchanged files again. With `--workers N` N processes add
the files to a second archive; the gain over one process is printed.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import onrecord
from onrecord.models import open_embedder
from shared import DATA, read_lines


class TimedEmbedder:
    """An embedder that measures its own time and collects the texts that it embeds."""

    def __init__(self) -> None:
        self.inner = open_embedder("minilm")
        self.seconds, self.texts = 0.0, []

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def embed(self, texts):
        began = time.perf_counter()
        vectors = self.inner.embed(texts)
        self.seconds += time.perf_counter() - began
        self.texts += texts
        return vectors


def write_episodes(data: Path, folder: Path, limit: int) -> int:
    """Write the episodes as Markdown files; return their number."""
    episodes = defaultdict(list)
    for unit in read_lines(data / "changelog" / "corpus.jsonl"):
        episodes[unit["recording_id"]].append(f"**{unit['speaker'] or 'Host'}:** {unit['text']}\n")
    for name in list(episodes)[:limit]:
        (folder / f"{name}.md").write_text("\n".join(episodes[name]))
    return min(limit, len(episodes))


def tokens(texts: list[str]) -> int:
    """Return how many tokens of these texts the model reads."""
    from tokenizers import Tokenizer

    from onrecord.models.minilm.weights import TOKENIZER, model_folder

    tokenizer = Tokenizer.from_file(str(model_folder() / TOKENIZER.name))
    tokenizer.enable_truncation(256)
    tokenizer.no_padding()
    return sum(len(encoding.ids) for encoding in tokenizer.encode_batch(texts))


def seconds_with(workers: int, model: str, folder: Path, file: Path) -> float:
    """Return the seconds to add a folder to a new archive with several processes, their start included."""
    began = time.perf_counter()
    with onrecord.open(file, workspace="default", embedding={"model": model}) as archive:
        archive.add(folder, workers=workers)
    return time.perf_counter() - began


def compare(workers: int, model: str, folder: Path) -> None:
    """Print how long one process and several processes take to add a folder, each to a new archive."""
    alone = seconds_with(1, model, folder, folder.parent / "alone.db")
    several = seconds_with(workers, model, folder, folder.parent / "several.db")
    gain = f"{alone / several:.2f} times as fast on {os.cpu_count()} cores"
    print(f"{model}: one process {alone:.1f} s, {workers} workers {several:.1f} s: {gain}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--data", type=Path, default=DATA)
    options.add_argument("--episodes", type=int, default=60)
    options.add_argument("--workers", type=int, default=1)
    options.add_argument("--model", default="minilm", help="of the workers, and of the one beside them")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "episodes"
        folder.mkdir()
        count = write_episodes(chosen.data, folder, chosen.episodes)
        archive = onrecord.open(Path(place) / "adding.db", workspace="default")
        archive.models._embedder = embedder = TimedEmbedder()
        began = time.perf_counter()
        archive.add(folder)
        seconds = time.perf_counter() - began
        began = time.perf_counter()
        archive.add(folder)
        seconds_unchanged = time.perf_counter() - began
        stats = archive.stats()
        if chosen.workers > 1:
            compare(chosen.workers, chosen.model, folder)
    tokens_read = tokens(embedder.texts)
    print(
        f"{count} episodes, {stats['words']:,} words, {stats['passages']:,} passages, {tokens_read:,} tokens"
    )
    rates = f"{tokens_read / seconds:,.0f} tokens/s, {stats['words'] / seconds:,.0f} words/s"
    print(f"added in {seconds:.1f} s: {rates}")
    print(f"not the model: {1 - embedder.seconds / seconds:.1%} ({seconds - embedder.seconds:.2f} s)")
    print(f"added again, nothing changed: {seconds_unchanged:.2f} s")


if __name__ == "__main__":
    main()
