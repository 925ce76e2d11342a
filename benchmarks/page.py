"""How soon the page shows an answer once the reply has arrived, and how many bytes are sent.

    python benchmarks/page.py [--times 30]

Serves the built-in examples and asks questions in headless Chromium (`scripts/web` installs it). Prints the
milliseconds from the reply's first words to the frame that shows them, and from its end to the frame that
shows all of it; p50, p95 and the longest. The very first is the slowest, as nothing is compiled yet. Then
prints the sizes of the page's files in bytes, uncompressed and as sent.
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

import numpy as np

TESTS = Path(__file__).parent.parent / "tests"
sys.path[:0] = [str(TESTS), str(TESTS / "web")]


def measure(times: int) -> dict[str, list[float]]:
    """Return the milliseconds until the first words, and the complete answer, show; shape (times,) each."""
    from page_world import examples, served

    from server_world import running

    with tempfile.TemporaryDirectory() as folder, running(served(examples(Path(folder)))) as address:
        command = ["node", str(TESTS / "web/paint.mjs"), json.dumps({"examples": address}), str(times)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    rows = json.loads(done.stdout)
    return {name: [row[name] for row in rows] for name in ("first", "whole")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=30)
    for name, values in measure(parser.parse_args().times).items():
        p50, p95 = np.percentile(values, (50, 95))
        print(f"{name:6} p50 {p50:.0f} ms, p95 {p95:.0f} ms, longest {max(values):.0f} ms")
    assets = [file.read_bytes() for file in files("onrecord.serve.page").joinpath("assets").iterdir()]
    packed = sum(len(gzip.compress(content)) for content in assets)
    print(f"files  {sum(map(len, assets)):,} bytes, {packed:,} as they travel")


if __name__ == "__main__":
    main()
