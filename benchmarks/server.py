"""What the server adds to the time of an answer, and how many answers it can write at once.

    python benchmarks/server.py [--passages 50000] [--questions 100] [--streams 100] [--json FILE]

Builds an archive of synthetic speech (words by Zipf's law, unit vectors), serves it in a separate process,
and asks over loopback, one question after the other:

- processor: the server's processor time for each request, which other work on the machine hardly changes;
  mean. The same for the library, p50 and p95.
- overhead: the time of a request less the time that the product itself reports for embedding and language
  models; p50 and p95. It includes searching and making the quotes. In the same run, the library answers the
  same questions without a server: the difference is the server's cost.
- first byte: until the stream begins, without a language model.
- streams: the given number of chats at the same time, from a model that takes seconds to write; none may
  fail.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import numpy as np

import onrecord
from onrecord.models.double import HashingEmbedder
from onrecord.types import Details, Passage, Recording

OF_RECORDING, WORDS, VOCABULARY = 100, 80, 40_000
SPEAKERS = ("Ada North", "Ben West", "Cleo East", "Dan South")
TESTS = Path(__file__).parent.parent / "tests"
sys.path.insert(0, str(TESTS))


def words_of(random: np.random.Generator, count: int) -> list[str]:
    """Return words by Zipf's law, as in speech."""
    ranks = np.minimum(random.zipf(1.15, count), VOCABULARY)
    return [f"w{rank:x}ord" for rank in ranks]


def fill(path: Path, passages: int) -> list[str]:
    """Build an archive with this number of passages; return questions about it."""
    random, embedder, questions = np.random.default_rng(7), HashingEmbedder(), []
    with onrecord.open(path, embedding={"model": "hashing"}) as archive:
        archive.models.remember(embedder)
        for number in range(passages // OF_RECORDING):
            name, passages_of = f"talk-{number}", []
            for at in range(OF_RECORDING):
                text = " ".join(words_of(random, WORDS)).capitalize() + "."
                passages_of.append(Passage(name, at, text, SPEAKERS[at % 4], at * 30.0, at * 30.0 + 30))
            details = Details(title=f"Talk {number}", date="2024-05-01", language="en")
            recording = Recording(name, name, name, "made", details, len(passages_of), 8000, 3000.0, SPEAKERS)
            archive.store.add(recording, passages_of, vectors=embedder.embed([p.text for p in passages_of]))
            if number % 3 == 0:
                rare = sorted(set(passages_of[50].text.split()), key=len)[-6:]
                questions.append(f"What is said about {' '.join(rare).lower().rstrip('.')}?")
    return questions


@contextmanager
def server(path: Path, **variables: str) -> Iterator[tuple[str, int]]:
    """Run a server as users start it, in a separate process; yield its address and process id."""
    environment = {**os.environ, "ONRECORD_EMBEDDING__MODEL": "hashing", "PYTHONUNBUFFERED": "1", **variables}
    environment["ONRECORD_SERVER__RATE"] = ""
    command = [sys.executable, "-m", "onrecord", "serve", "--archive", str(path), "--port", "0"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline() if process.stdout else ""
        address = re.search(r"http://\S+", line)
        assert address, f"the server did not start: {line}"
        yield address[0], process.pid
    finally:
        process.terminate()
        process.wait(20)


def spread(values: Sequence[float]) -> dict[str, float]:
    return {"p50": float(np.percentile(values, 50)), "p95": float(np.percentile(values, 95))}


def processor(pid: int) -> float:
    """Return the processor seconds of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure_requests(address: str, pid: int, questions: Sequence[str]) -> dict[str, Any]:
    """Return the milliseconds of each question.

    It is asked twice, in different words, so that nothing is cached.
    """
    totals, overhead, first = [], [], []
    busy = processor(pid)
    with httpx.Client(base_url=address, timeout=60) as client:
        for question in questions:
            began = time.perf_counter()
            answer = client.post("/api/ask", json={"question": question}).json()
            took = time.perf_counter() - began
            elsewhere = answer["seconds"].get("embed", 0.0) + sum(c["seconds"] for c in answer["calls"])
            totals.append(took * 1000)
            overhead.append((took - elsewhere) * 1000)
        busy = (processor(pid) - busy) / len(questions) * 1000
        for question in questions:
            body = {"messages": [{"role": "user", "text": f"{question} Please."}]}
            began = time.perf_counter()
            with client.stream("POST", "/api/chat", json=body) as reply:
                next(reply.iter_raw())
                first.append((time.perf_counter() - began) * 1000)
    figures = {"request": spread(totals), "overhead": spread(overhead), "first byte": spread(first)}
    return {**figures, "processor, mean": busy}


def measure_library(path: Path, questions: Sequence[str]) -> dict[str, Any]:
    """Return the milliseconds of the same questions in the library."""
    took, busy = [], []
    with onrecord.open(path, embedding={"model": "hashing"}) as archive:
        archive.ask("What is said about anything?")
        for question in questions:
            began, worked = time.perf_counter(), time.process_time()
            archive.ask(f"{question} Yes?")
            took.append((time.perf_counter() - began) * 1000)
            busy.append((time.process_time() - worked) * 1000)
    return {"request": spread(took), "processor": spread(busy), "processor, mean": float(np.mean(busy))}


def measure_streams(path: Path, questions: Sequence[str], streams: int) -> dict[str, Any]:
    """Run this number of chats at the same time, each from a model that writes for about two seconds."""
    from model_server import model_server

    text = "They speak of it at length, and at other places too. [Source 1] " * 3
    with model_server(text, pieces=10, pause=0.1) as model:
        variables = {"ONRECORD_LLM__MODEL": "stand-in", "ONRECORD_LLM__BASE_URL": model.base_url}
        with server(path, **variables, ONRECORD_LLM_API_KEY="none") as (address, _):
            began = time.perf_counter()
            ended = asyncio.run(_all(address, (questions * streams)[:streams]))
            took = time.perf_counter() - began
        asked = len(model.asked)
    failed = sum(not finished for finished, _ in ended)
    seconds = [seconds for _, seconds in ended]
    return {
        "streams": streams,
        "failed": failed,
        "asked of the model": asked,
        "seconds of all": took,
        "seconds of one": spread(seconds),
    }


async def _all(address: str, questions: Sequence[str]) -> list[tuple[bool, float]]:
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=address, timeout=120, limits=limits) as client:

        async def one(question: str) -> tuple[bool, float]:
            began = time.perf_counter()
            body = {"messages": [{"role": "user", "text": question}]}
            reply = await client.post("/api/chat", json=body)
            finished = '"type":"finish"' in reply.text and '"type":"error"' not in reply.text
            return finished and reply.text.endswith("data: [DONE]\n\n"), time.perf_counter() - began

        return list(await asyncio.gather(*map(one, questions)))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--passages", type=int, default=50_000)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--streams", type=int, default=100)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "talks.db"
        questions = fill(path, options.passages)[: options.questions]
        with server(path) as (address, pid):
            figures = measure_requests(address, pid, questions)
        figures["library alone"] = measure_library(path, questions)
        figures["many"] = measure_streams(path, questions, options.streams)
    figures["load"] = os.getloadavg()[0]
    print(json.dumps(figures, indent=2))
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
