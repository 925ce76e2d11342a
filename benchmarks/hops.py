"""How far a question travels through the code: files and functions entered, and calls from file to file.

    python benchmarks/hops.py [--question "Why did margins fall?"]

Plans and asks one question of the built-in examples, embedded by the double, and counts with a profiler the
files of `onrecord` that are entered, their functions, and the calls that cross from one file to another.
Both are counted twice: the first time in the process, and again. Then, in new processes, the modules that
`import onrecord.archive` loads, and the milliseconds of the processor for the first plan, with bytecode as an
installed package has it (the least of five).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import onrecord

HOME = str(Path(onrecord.__file__).parent)
EXAMPLES = Path(HOME) / "examples"

MODULES = "import sys, onrecord.archive; print(sum(name.startswith('onrecord') for name in sys.modules))"


class Tracer:
    """Counts while it is entered."""

    def __init__(self) -> None:
        self.functions: set[CodeType] = set()
        self.crossings = 0

    def __enter__(self) -> Tracer:
        sys.setprofile(self._called)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _called(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(HOME):
            return
        self.functions.add(code)
        caller = frame.f_back.f_code.co_filename if frame.f_back else ""
        self.crossings += caller.startswith(HOME) and caller != code.co_filename

    def __str__(self) -> str:
        files = {code.co_filename for code in self.functions}
        return f"{len(files):4} files {len(self.functions):5} functions {self.crossings:6} crossings"


def traced(call: Callable[[], object]) -> Tracer:
    with Tracer() as tracer:
        call()
    return tracer


def first_plan(archive: Path, question: str) -> float:
    """Milliseconds of the first plan of a process whose archive is open."""
    code = """
import sys, time
import onrecord
archive = onrecord.open(sys.argv[1], embedding={"model": "hashing"})
archive.recordings()
began = time.process_time()
archive.plan(sys.argv[2])
print(1000 * (time.process_time() - began))
"""
    bytecode = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(archive.parent / "bytecode")}
    run = [sys.executable, "-c", code, str(archive), question]
    env = os.environ | bytecode
    return float(subprocess.run(run, check=True, capture_output=True, text=True, env=env).stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--question", default="Why did margins fall?")
    question = parser.parse_args().question
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "examples.db"
        settings: dict[str, Any] = {"embedding": {"model": "hashing"}, "cache": {"results": 0}}
        with onrecord.open(place, **settings) as archive:
            archive.add(EXAMPLES)
            for name, call in (("plan", archive.plan), ("ask", archive.ask)):
                for time in ("first", "again"):
                    print(f"{name:5} {time:6} {traced(lambda: call(question))}")  # noqa: B023
        loaded = subprocess.run([sys.executable, "-c", MODULES], check=True, capture_output=True, text=True)
        print(f"modules after import onrecord.archive: {loaded.stdout.strip()}")
        print(f"first plan of a process: {min(first_plan(place, question) for _ in range(5)):.0f} ms")


if __name__ == "__main__":
    main()
