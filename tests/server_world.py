"""A server on the built-in examples in two workspaces, as an app or on a loopback address."""

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
"""Words that only workspace "two" contains."""


class World:
    """Two workspaces in one archive file, and the server's access to them.

    `opened` holds the archives by workspace. Their embedder needs no weights.
    """

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
        """Open the archive of a workspace."""
        self.opened[name] = onrecord.open(
            self.folder / "talks.db", workspace=name, embedding={"model": "hashing"}, **self.llm
        )
        return self.opened[name]

    def app(self, settings: Server | None = None, keys: Keys | None = None, **options: Any) -> FastAPI:
        """Return a web app for both workspaces."""
        return create_app(self.tenants, settings, keys=keys, **options)

    def keys(self, **rights: tuple[str, ...]) -> tuple[Keys, dict[str, str]]:
        """Create one key for each name with these rights; return the keys and their secrets by name."""
        path = self.folder / "keys.yaml"
        secrets = {name: new_key(path, name, name.partition("_")[0], some) for name, some in rights.items()}
        return load_keys(path), secrets


def copied(folder: Path) -> Path:
    """Copy the examples to a new folder, and return the folder."""
    return Path(shutil.copytree(EXAMPLES, folder / "talks"))


@contextmanager
def running(app: FastAPI) -> Iterator[str]:
    """Run a real server on loopback, and yield its address."""
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
    """Return a request of the AI SDK; `texts` alternate between user and assistant."""
    messages = [
        {"id": str(at), "role": ("user", "assistant")[at % 2], "parts": [{"type": "text", "text": text}]}
        for at, text in enumerate(texts)
    ]
    return {"id": "chat", "messages": messages, "trigger": "submit-message", **body}


def parts_of(text: str) -> list[dict[str, Any]]:
    """Return the parts of a UI message stream, and check how it ends."""
    *events, done, rest = text.split("\n\n")
    assert (done, rest) == ("data: [DONE]", "")
    return [json.loads(event.removeprefix("data: ")) for event in events]


def kinds(parts: list[dict[str, Any]]) -> list[str]:
    """Return the types of the parts; a run of one type counts once."""
    types = [part["type"] for part in parts]
    return [kind for at, kind in enumerate(types) if at == 0 or types[at - 1] != kind]


def free_of_paths(text: str, folder: Path) -> bool:
    """Return whether a text contains no path of the server."""
    return str(folder) not in text and "talks.db" not in text and os.sep + "site-packages" not in text
