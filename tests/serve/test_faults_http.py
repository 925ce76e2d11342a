"""Faults injected into a real server give the right status and a clear message without internals."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from model_server import model_server
from onrecord.errors import WeightsError
from onrecord.serve.http import Tenants, create_app
from onrecord.stores.file import ArchiveFile
from server_world import World, chat, free_of_paths, parts_of, running

QUESTION = "Why did gross margin fall by five points?"


@pytest.fixture(scope="module")
def archive_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of an archive that each test copies."""
    folder = tmp_path_factory.mktemp("made")
    world = World(folder)
    world.tenants.close()
    for archive in world.opened.values():
        archive.close()
    return folder / "talks.db"


class Copy(World):
    """A world on a copy of the archive, so that a test may damage it."""

    def __init__(self, folder: Path, archive_path: Path, **llm: Any) -> None:
        self.folder, self.llm, self.opened = folder, llm, {}
        shutil.copy(archive_path, folder / "talks.db")
        self.tenants = Tenants(("one", "two"), self.open)


@pytest.fixture
def world(tmp_path: Path, archive_path: Path) -> Copy:
    return Copy(tmp_path, archive_path)


def all_doors(address: str) -> list[httpx.Response]:
    """Send the same question to every route that runs a search, and return the replies."""
    return [
        httpx.post(f"{address}/api/chat", json=chat(QUESTION)),
        httpx.post(f"{address}/api/ask", json={"question": QUESTION}),
        httpx.post(f"{address}/api/search", json={"words": QUESTION}),
        httpx.post(
            f"{address}/v1/chat/completions", json={"messages": [{"role": "user", "content": QUESTION}]}
        ),
    ]


def check(replies: list[httpx.Response], world: Copy, status: int, message: str) -> None:
    """Check the status and the message of every reply, and that no reply contains a path."""
    for reply in replies:
        assert reply.status_code == status and message in reply.text, (
            reply.url,
            reply.status_code,
            reply.text,
        )
        assert free_of_paths(reply.text, world.folder)


def test_the_archive_is_missing(world: Copy) -> None:
    (world.folder / "talks.db").unlink()
    world.tenants = Tenants(("one",), lambda name: _opened(world, name, make=False))
    with running(world.app()) as address:
        check(all_doors(address), world, 500, "the archive cannot be read at the moment")
        assert httpx.get(f"{address}/readyz").status_code == 503
        assert httpx.get(f"{address}/healthz").status_code == 200


def _opened(world: Copy, name: str, make: bool) -> Any:
    """Open an archive of the world, and create it only with `make`."""
    import onrecord

    return onrecord.open(world.folder / "talks.db", make=make, workspace=name, embedding={"model": "hashing"})


def test_the_archive_is_damaged(world: Copy) -> None:
    (world.folder / "talks.db").write_bytes(b"not a database at all, and never was one" * 50)
    with running(world.app()) as address:
        check(all_doors(address), world, 500, "the archive cannot be read at the moment")


def test_the_weights_are_missing(world: Copy, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = world.tenants.archive("one")

    def missing() -> Any:
        raise WeightsError(f"no weights in {world.folder}/models/minilm")

    monkeypatch.setattr(archive.models, "open_embedder", missing)
    with running(world.app()) as address:
        reply = httpx.post(f"{address}/api/ask", json={"question": QUESTION}).json()
    assert reply["citations"]  # the search used words only, and a note says so
    assert any("by words only" in note for note in reply["notes"])
    assert free_of_paths(str(reply), world.folder)


def test_another_writes_for_too_long(world: Copy, monkeypatch: pytest.MonkeyPatch) -> None:
    """When another process holds the write lock, writes get status 503 and reads go on."""
    keys, secrets = world.keys(one=("read", "write"))
    headers = {"Authorization": f"Bearer {secrets['one']}"}
    with running(world.app(keys=keys)) as address:
        httpx.get(f"{address}/api/stats", headers=headers)
        store: Any = world.tenants.archive("one").store
        store.database.file.patience = 0.2
        writer = sqlite3.connect(world.folder / "talks.db", isolation_level=None)
        writer.execute("BEGIN IMMEDIATE")
        try:
            reply = httpx.post(
                f"{address}/api/recordings?name=a.txt", headers=headers, content=b"Ann: Hello."
            )
            asked = httpx.post(f"{address}/api/ask", headers=headers, json={"question": QUESTION})
        finally:
            writer.execute("ROLLBACK")
            writer.close()
        assert reply.status_code == 503 and "being written to" in reply.text and reply.headers["retry-after"]
        assert free_of_paths(reply.text, world.folder)
        assert asked.status_code == 200 and asked.json()["citations"]  # readers do not wait for a writer
        again = httpx.post(f"{address}/api/recordings?name=a.txt", headers=headers, content=b"Ann: Hello.")
        assert again.status_code == 201


def test_the_disk_is_full(world: Copy, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a full disk, an upload gets status 507 and changes nothing.

    `PRAGMA max_page_count` simulates the full disk.
    """
    connect = ArchiveFile.connect

    def full(self: ArchiveFile) -> sqlite3.Connection:
        connection = connect(self)
        connection.execute(f"PRAGMA max_page_count = {pages}")
        return connection

    with sqlite3.connect(world.folder / "talks.db") as database:
        (pages,) = database.execute("PRAGMA page_count").fetchone()
    database.close()
    monkeypatch.setattr(ArchiveFile, "connect", full)
    keys, secrets = world.keys(one=("read", "write"))
    headers = {"Authorization": f"Bearer {secrets['one']}"}
    with running(world.app(keys=keys)) as address:
        before = httpx.get(f"{address}/api/stats", headers=headers).json()
        words = "\n".join(f"Ann: Sentence number {n} says something else entirely." for n in range(20_000))
        reply = httpx.post(
            f"{address}/api/recordings?name=a.txt", headers=headers, content=words.encode(), timeout=60
        )
        assert reply.status_code == 507 and "disk is full: nothing was changed" in reply.text
        assert free_of_paths(reply.text, world.folder)
        assert httpx.get(f"{address}/api/stats", headers=headers).json()["recordings"] == before["recordings"]


# ---------------------------------------------------------------- language models


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONRECORD_LLM_API_KEY", "sk-none")


@pytest.mark.parametrize("fault", ["broken", "html", "limit", "cut"])
def test_a_model_that_fails_leaves_the_quotes(
    tmp_path: Path, archive_path: Path, key: None, fault: str
) -> None:
    """When the model fails, the answer has the quotes and reports the failed call."""
    with model_server("Margins fell. [Source 1]", fault) as model:
        world = Copy(tmp_path, archive_path, llm={"model": "stand-in", "base_url": model.base_url})
        with running(world.app()) as address:
            reply = httpx.post(f"{address}/api/chat", json=chat(QUESTION), timeout=30)
            metrics = httpx.get(f"{address}/metrics").text
        parts = parts_of(reply.text)
        answer = next(part["data"] for part in parts if part["type"] == "data-answer")
        assert parts[-1]["type"] == "finish" and "source-url" in {part["type"] for part in parts}
        assert "'stand-in'" in answer["calls"][0]["failure"] and "127.0.0.1" not in reply.text
        assert 'onrecord_model_calls_total{outcome="failed",role="answer"} 1.0' in metrics
        assert free_of_paths(reply.text, world.folder)


@pytest.mark.parametrize("door", ["/api/chat", "/api/ask", "/v1/chat/completions"])
@pytest.mark.parametrize("fault", ["slow", "none"])
def test_a_client_that_goes_ends_the_call_of_the_model(
    tmp_path: Path, archive_path: Path, key: None, fault: str, door: str
) -> None:
    """A closed connection ends the model call, before its first word and while it writes."""
    sentence = "Margins fell because freight was dear. [Source 1] "
    with model_server(sentence * 400, fault, pieces=20, pause=0.02) as model:
        world = Copy(tmp_path, archive_path, llm={"model": "stand-in", "base_url": model.base_url})
        with running(world.app()) as address:
            asyncio.run(_leave(address + door, lambda: bool(model.asked)))
            over = time.monotonic() + 6
            while _under_way(address) and time.monotonic() < over:
                time.sleep(0.02)
            assert _under_way(address) == 0
            assert 'unfinished_total{why="left"} 1.0' in httpx.get(f"{address}/metrics").text
            if fault == "none":
                assert model.gone.wait(5), "the model was read on, though nobody waited"


async def _leave(door: str, when: Callable[[], bool]) -> None:
    """Send a question, wait until `when` is true and then close the connection."""

    body = {"question": QUESTION} if door.endswith("/ask") else chat(QUESTION)

    async def read() -> None:
        async with httpx.AsyncClient() as client:
            await client.post(door, json=body, timeout=20)

    reading = asyncio.create_task(read())
    while not when() and not reading.done():
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.2)
    assert not reading.done()
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)


def _under_way(address: str) -> float:
    """Return the number of answers in progress, from the metrics."""
    line = next(
        line
        for line in httpx.get(f"{address}/metrics").text.splitlines()
        if line.startswith("onrecord_answers_under_way ")
    )
    return float(line.split()[1])


def test_many_streams_from_a_slow_model(tmp_path: Path, archive_path: Path, key: None) -> None:
    """60 streams at a time, more than a default thread pool has threads, all finish."""
    with model_server("Margins fell because freight was dear. [Source 1]", pieces=10, pause=0.1) as model:
        world = Copy(tmp_path, archive_path, llm={"model": "stand-in", "base_url": model.base_url})
        with running(world.app()) as address:

            async def ask(client: httpx.AsyncClient) -> str:
                return (await client.post(f"{address}/api/chat", json=chat(QUESTION))).text

            async def main() -> list[str]:
                limits = httpx.Limits(max_connections=None)
                async with httpx.AsyncClient(timeout=60, limits=limits) as client:
                    return list(await asyncio.gather(*[ask(client) for _ in range(60)]))

            for reply in asyncio.run(main()):
                assert parts_of(reply)[-1]["type"] == "finish"
    written = [asked for asked in model.asked if asked.get("stream")]
    assert len(written) == 60  # other calls, which check sentences, are not streamed


def test_the_app_needs_no_lifespan_to_be_made(world: Copy) -> None:
    assert create_app(world.tenants).openapi()["info"]["title"] == "onrecord"
