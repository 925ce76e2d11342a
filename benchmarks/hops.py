"""How far a question travels through the code: files and functions entered, and calls from file to file.

    python benchmarks/hops.py [--question "Why did margins fall?"] [--small 6]

Plans and asks one question of the built-in examples, embedded by the test double. A profiler counts the files
of `onrecord` that are entered, their functions (and how many of these are comprehensions, generator
expressions and lambdas, which Python 3.12 and later enter less often), and the calls from one file to
another. All are counted twice: for the first question in the process, and for its repetition. With `--small`
it lists the functions of fewer lines that one other function entered once: candidates to be inlined. Then, in
new processes, it reports the modules that `import onrecord.archive` loads, and the processor milliseconds of
the first plan, with bytecode as in an installed package (the lowest of five).
"""

from __future__ import annotations

import argparse
import inspect
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import onrecord

HOME = str(Path(onrecord.__file__).parent)
EXAMPLES = Path(HOME) / "examples"

MODULES = "import sys, onrecord.archive; print(sum(name.startswith('onrecord') for name in sys.modules))"


class Tracer:
    """A profiler that counts while its context is active."""

    def __init__(self) -> None:
        self.functions: set[CodeType] = set()
        self.calls: Counter[tuple[CodeType | None, CodeType]] = Counter()
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
        caller = frame.f_back.f_code if frame.f_back else None
        self.calls[caller, code] += 1
        file = caller.co_filename if caller else ""
        self.crossings += file.startswith(HOME) and file != code.co_filename

    def __str__(self) -> str:
        files = {code.co_filename for code in self.functions}
        unnamed = sum(code.co_name.startswith("<") for code in self.functions)
        functions = f"{len(self.functions):5} functions ({unnamed:3} unnamed)"
        return f"{len(files):4} files {functions} {self.crossings:6} crossings"

    def small(self, lines: int) -> Iterator[str]:
        """Yield the functions of fewer lines that one other function entered once, by file."""
        entries = Counter(code for _, code in self.calls.elements())
        for caller, code in sorted(
            self.calls, key=lambda pair: (pair[1].co_filename, pair[1].co_firstlineno)
        ):
            if entries[code] > 1 or caller is None or code.co_name.startswith("<"):
                continue
            size = len(inspect.getsource(code).splitlines())
            if size < lines:
                file = Path(code.co_filename).relative_to(HOME)
                place = f"{file}:{code.co_firstlineno}"
                yield f"    {place} {code.co_qualname} ({size}) from {caller.co_qualname}"


def traced(call: Callable[[], object]) -> Tracer:
    with Tracer() as tracer:
        call()
    return tracer


def first_plan(archive: Path, question: str) -> float:
    """Return the milliseconds of a process's first plan, with the archive already open."""
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
    parser.add_argument("--small", type=int, default=0, help="list functions of fewer lines entered once")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "examples.db"
        settings: dict[str, Any] = {"embedding": {"model": "hashing"}, "cache": {"results": 0}}
        with onrecord.open(place, **settings) as archive:
            archive.add(EXAMPLES)
            for name, call in (("plan", archive.plan), ("ask", archive.ask)):
                for time in ("first", "again"):
                    tracer = traced(lambda: call(options.question))  # noqa: B023
                    print(f"{name:5} {time:6} {tracer}")
                print(*tracer.small(options.small), sep="\n", end="\n" if options.small else "")
        loaded = subprocess.run([sys.executable, "-c", MODULES], check=True, capture_output=True, text=True)
        print(f"modules after import onrecord.archive: {loaded.stdout.strip()}")
        print(f"first plan of a process: {min(first_plan(place, options.question) for _ in range(5)):.0f} ms")


if __name__ == "__main__":
    main()
