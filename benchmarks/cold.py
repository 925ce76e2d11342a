"""How long a user waits for a command in a new process: `onrecord --help`, and others on a small archive.

    python benchmarks/cold.py [--runs 11]

Prints medians of wall-clock seconds, each with a bare `python -c pass` of the same run for comparison.
"again" repeats a question that is in the cache. The other questions are not cached, so the embedded model has
to be loaded.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent / "src" / "onrecord" / "examples"
ONRECORD = [sys.executable, "-m", "onrecord"]


def median(command: list[str], runs: int, environment: dict[str, str]) -> float:
    """Return the median wall-clock seconds of `runs` runs."""
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, env=environment)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--runs", type=int, default=11)
    runs = options.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "ONRECORD_ARCHIVE": f"{folder}/cold.db"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # users' modules are compiled
        subprocess.run([*ONRECORD, "add", str(EXAMPLES)], check=True, capture_output=True, env=environment)
        bare = median([sys.executable, "-c", "pass"], runs, environment)
        print(f"{'python -c pass':<38} {bare:.3f} s")
        fresh = {**environment, "ONRECORD_CACHE__RESULTS": "0", "ONRECORD_CACHE__EMBEDDINGS": "0"}
        question = "Why did margins fall?"
        for label, words, setting in (
            ("", ["--help"], environment),
            ("", ["list"], environment),
            ("", ["plan", question], environment),
            ("", ["search", "tariff"], fresh),
            ("", ["ask", question], fresh),
            (" again", ["ask", question], environment),
            ("", ["demo"], environment),
        ):
            seconds = median([*ONRECORD, *words], runs, setting)
            print(
                f"{'onrecord ' + ' '.join(words) + label:<38} {seconds:.3f} s   {seconds / bare:.1f} x python"
            )


if __name__ == "__main__":
    main()
