"""A server on the built-in examples, in two workspaces, and a real one on loopback."""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI

import onrecord
from onrecord.archive import Archive
from onrecord.serve.http import Tenants, create_app
from onrecord.serve.keys import Keys, load_keys, new_key
from onrecord.settings import Server

EXAMPLES = Path(onrecord.__file__).parent / "examples"
SECRET = "an orchid on the seventh moon"
"""Stands only in workspace "two"."""


class World:
    """`archives` are opened by name; each is asked with an embedder that needs no weights."""

    def __init__(self, folder: Path, **llm: Any) -> None:
        self.folder, self.llm = folder, llm
        self.opened: dict[str, Archive] = {}
        with self.open("one") as one:
            one.add(EXAMPLES)
        (folder / "secret.txt").write_text(f"Zoe: We found {SECRET}, which nobody had seen before.\n")
        with self.open("two") as two:
            two.add(folder / "secret.txt")
        self.tenants = Tenants(("one", "two"), self.open)

    def open(self, name: str) -> Archive:
        self.opened[name] = onrecord.open(
            self.folder / "talks.db", workspace=name, embedding={"model": "hashing"}, **self.llm
        )
        return self.opened[name]

    def app(self, settings: Server | None = None, keys: Keys | None = None, **options: Any) -> FastAPI:
        return create_app(self.tenants, settings, keys=keys, **options)

    def keys(self, **rights: tuple[str, ...]) -> tuple[Keys, dict[str, str]]:
        """Keys called after their workspaces, with these rights; and the keys themselves."""
        path = self.folder / "keys.yaml"
        secrets = {name: new_key(path, name, name.partition("_")[0], some) for name, some in rights.items()}
        return load_keys(path), secrets


def copied(folder: Path) -> Path:
    """The examples in a folder of their own."""
    return Path(shutil.copytree(EXAMPLES, folder / "talks"))


@contextmanager
def running(app: FastAPI) -> Iterator[str]:
    """A real server on loopback; gives its address."""
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="warning", access_log=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    over = time.monotonic() + 20
    while not server.started:
        assert time.monotonic() < over and thread.is_alive(), "the server did not start"
        time.sleep(0.005)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(20)


def chat(*texts: str, **body: Any) -> dict[str, Any]:
    """A request of the AI SDK: questions and answers in turn, the question last."""
    messages = [
        {"id": str(at), "role": ("user", "assistant")[at % 2], "parts": [{"type": "text", "text": text}]}
        for at, text in enumerate(texts)
    ]
    return {"id": "chat", "messages": messages, "trigger": "submit-message", **body}


def parts_of(text: str) -> list[dict[str, Any]]:
    """The parts of a UI message stream, which ends as it must."""
    *events, done, rest = text.split("\n\n")
    assert (done, rest) == ("data: [DONE]", "")
    return [json.loads(event.removeprefix("data: ")) for event in events]


def kinds(parts: list[dict[str, Any]]) -> list[str]:
    """Their types, each run of one type once."""
    types = [part["type"] for part in parts]
    return [kind for at, kind in enumerate(types) if at == 0 or types[at - 1] != kind]


def free_of_paths(text: str, folder: Path) -> bool:
    """Whether a text tells nothing of where the server keeps things."""
    return str(folder) not in text and "talks.db" not in text and os.sep + "site-packages" not in text
