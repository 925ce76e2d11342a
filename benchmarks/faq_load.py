"""How fast the FAQ answers with 10,000 entries, in the library and over HTTP.

    python benchmarks/faq_load.py [--entries 10000] [--variants 4] [--rate 200] [--seconds 20]

Entries are invented. In the library, every question is new, embedded and searched; then the same questions
are answered from the cache. Over HTTP, a server in a separate process gets questions at a steady rate,
whether or not it can keep up (a request that waits for others counts from when it was due); `--repeated` is
the share of questions that were asked before. Takes about two minutes, most of it to embed the entries once.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np

from onrecord.models import open_embedder
from onrecord.retrieve.faq import Faq
from onrecord.stores.sqlite import SqliteFaqStore
from onrecord.types import FaqEntry


def split_list(text: str) -> list[str]:
    return [" ".join(part.split()) for part in text.split(",")]


VERBS = split_list("""
change, cancel, find, open, close, move, share, print, lock, unlock, rename, export, import, renew, pause""")
THINGS = split_list("""
password, invoice, order, ticket, parcel, account, subscription, profile picture, calendar, gift card, role,
meter, contract, playlist, backup, licence, card limit, phone number, delivery address, booking, receipt,
voucher, alarm, newsletter, workspace, meeting room, time sheet, travel pass, warranty, loyalty points""")
WHERE = split_list("""
in the app, on the website, from abroad, by phone, for a friend, without the card, on a tablet, at night,
in the shop, for my company, after moving house, before the weekend, with a new phone, as a student,
without logging in, on the first of the month, for two people, with the old terminal, by letter,
during the strike, at the airport, in another country, for my parents""")
PHRASINGS = (
    "How do I {} my {} {}?",
    "I want to {} the {} {}",
    "{} {} {}, how does that work?",
    "is it possible to {} a {} {}",
    "please help me {} my {} {}",
    "what do I have to do to {} this {} {}",
)
ASKED = (
    "can somebody tell me how to {} my {} {}",
    "hello, {} my {} {} please",
    "I can't {} the {} {}",
    "where can I {} my {} {}?",
)


def entries(count: int, variants: int) -> list[FaqEntry]:
    """Return invented entries, each with `variants` further wordings."""
    topics = random.Random(1).sample(list(product(VERBS, THINGS, WHERE)), count)
    return [
        FaqEntry(
            f"e{number}",
            PHRASINGS[0].format(*topic),
            "Like this.",
            tuple(wording.format(*topic) for wording in PHRASINGS[1 : 1 + variants]),
        )
        for number, topic in enumerate(topics)
    ]


def questions(count: int, seed: int, repeated: float = 0.0) -> list[str]:
    """Return invented questions, a share of which was asked before; each seed gives different ones."""
    chance = random.Random(seed)
    topics = list(product(ASKED, VERBS, THINGS, WHERE))
    new = iter(chance.sample(topics, min(count, len(topics))))
    asked: list[str] = []
    for _ in range(count):
        if asked and chance.random() < repeated:
            asked.append(chance.choice(asked))
        else:
            wording, *topic = next(new)
            asked.append(wording.format(*topic))
    return asked


def print_percentiles(title: str, seconds: list[float]) -> None:
    p50, p95, p99 = np.percentile(seconds, [50, 95, 99]) * 1000
    print(f"{title:<34} p50 {p50:6.2f} ms   p95 {p95:6.2f} ms   p99 {p99:6.2f} ms   ({len(seconds):,} asked)")


def in_the_library(faq: Faq, count: int) -> None:
    faq.set_thresholds(None)  # any change empties the cache, in case the archive already existed
    began = time.perf_counter()
    faq.ask("the first question reads the entries into memory")
    print(f"{'first question (reads all entries)':<34} {time.perf_counter() - began:.2f} s")
    for title in ("direct, with embedding", "from the cache"):
        seconds, stages = [], Counter()
        used = time.process_time()
        for question in questions(count, seed=1):
            began = time.perf_counter()
            stages[faq.ask(question).stage] += 1
            seconds.append(time.perf_counter() - began)
        print_percentiles(title, seconds)
        print(f"{'':<34} {(time.process_time() - used) / count * 1000:.2f} ms of processor time each")
        print(f"{'':<34} {dict(stages)}")


# ---------------------------------------------------------------- over HTTP


def serve(path: str, port: int) -> None:
    import uvicorn

    from onrecord.serve.http import create_app

    embedder = open_embedder("minilm")
    app = create_app(lambda name: Faq(SqliteFaqStore(path, name), lambda: embedder))
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="error", access_log=False)


class Asker:
    """A connection that asks one question after the other."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def open(self) -> None:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)

    async def ask(self, question: str) -> tuple[int, str]:
        """Ask a question; return the status and the stage."""
        body = json.dumps({"question": question}).encode()
        head = f"POST /api/faq HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
        self.writer.write(head.encode() + body)
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower().split("\r\n")
        headers = dict(line.split(": ", 1) for line in lines[1:] if line)
        await self.reader.readexactly(int(headers["content-length"]))
        return int(lines[0].split()[1]), headers["x-retrieval-stage"]


async def over_http(port: int, rate: float, seconds: float, repeated: float) -> None:
    askers: asyncio.Queue[Asker] = asyncio.Queue()
    for _ in range(40):
        asker = Asker(port)
        await asker.open()
        askers.put_nowait(asker)
    took, stages, errors = [], Counter(), Counter()

    async def ask(question: str, due: float) -> None:
        asker = await askers.get()
        try:
            status, stage = await asker.ask(question)
            stages[stage] += 1
            errors[status] += status != 200
            took.append(time.perf_counter() - due)
        except (OSError, EOFError) as error:
            errors[type(error).__name__] += 1
            asker = Asker(port)
            await asker.open()
        askers.put_nowait(asker)

    asked = questions(int(rate * seconds), 2 + int(10 * repeated), repeated)
    began = time.perf_counter()
    tasks = []
    for number, question in enumerate(asked):
        due = began + number / rate
        await asyncio.sleep(max(0, due - time.perf_counter()))
        tasks.append(asyncio.create_task(ask(question, due)))
    await asyncio.gather(*tasks)
    passed = time.perf_counter() - began
    print_percentiles(f"HTTP, {repeated:.0%} repeated", took)
    failed = {name: count for name, count in errors.items() if count}
    print(
        f"{'':<34} {len(took) / passed:.0f} replies a second for {passed:.1f} s, errors: {failed or 'none'}"
    )
    print(f"{'':<34} {dict(stages)}")


def with_server(path: str, arguments: argparse.Namespace) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, __file__, "--serve", path, "--port", str(port)]
    server = subprocess.Popen(command, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})  # as `onrecord serve`
    try:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            try:
                asyncio.run(_warm(port))
                break
            except OSError:
                time.sleep(0.2)
        for repeated in (arguments.repeated, 0.0):
            asyncio.run(over_http(port, arguments.rate, arguments.seconds, repeated))
    finally:
        server.terminate()
        server.wait()


async def _warm(port: int) -> None:
    asker = Asker(port)
    await asker.open()
    await asker.ask("the first question reads the entries into memory")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--variants", type=int, default=4)
    parser.add_argument("--rate", type=float, default=200)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--repeated", type=float, default=0.5)
    parser.add_argument("--archive", type=Path, help="made there if it is not there yet, and kept")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        serve(arguments.serve, arguments.port)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.archive or Path(folder) / "faq.db"
        new = not path.exists()
        embedder = open_embedder("minilm")
        faq = Faq(SqliteFaqStore(path), lambda: embedder)
        began = time.perf_counter()
        if new:
            faq.add(*entries(arguments.entries, arguments.variants), live=True)
        wordings = sum(len(entry.wordings) for entry in faq.entries("live"))
        took = time.perf_counter() - began
        print(f"{len(faq.entries()):,} entries, {wordings:,} ways of asking: opened in {took:.1f} s")
        in_the_library(faq, 1000)
        faq.close()
        with_server(str(path), arguments)


if __name__ == "__main__":
    main()
