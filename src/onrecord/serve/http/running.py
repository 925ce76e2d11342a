"""Start the server. What is wrong is said now, not to the first client."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from socket import socket

import click
import uvicorn

from onrecord.archive import Archive
from onrecord.errors import SettingError
from onrecord.serve.http.app import create_app
from onrecord.serve.http.guard import LOOPBACK
from onrecord.serve.http.heads import in_time
from onrecord.serve.http.listening import AnnouncingServer, bound, is_loopback
from onrecord.serve.http.streaming import Closing
from onrecord.serve.http.tenants import Tenants
from onrecord.serve.keys import KeyFile, Keys
from onrecord.settings import Server, load

_LAST_WORDS, _GRACE = 3, 5
"""Seconds after which answers are ended, and connections cut, when the server is to stop."""
OpenArchive = Callable[[str | None], Archive]


def run(open_archive: OpenArchive, workspaces: Sequence[str], host: str, port: int) -> None:
    """Answer requests until interrupted.

    Raises SettingError for what must not be served, InputError for a port that cannot be used, and whatever
    keeps the archive from being opened.
    """
    settings = load().server
    keys = KeyFile(settings.keys, workspaces) if settings.keys else None
    if keys is None and not is_loopback(host):
        raise SettingError(
            "--host", host, "127.0.0.1 as long as there are no keys: make one with onrecord keys new"
        )
    with bound(host, port) as sockets:
        first, names = _first(open_archive, workspaces, keys)
        tenants = Tenants(names, lambda name: first if name == names[0] else open_archive(name))
        app = create_app(tenants, settings, keys=keys, hosts=() if keys else LOOPBACK)
        _warm(first)
        announce = partial(_announce, names=names, keys=keys)
        server = _Server(config(app, settings), announce, app.state.closing)
        with suppress(KeyboardInterrupt):  # uvicorn has shut down, and passes it on
            server.run(sockets)


def _first(
    open_archive: OpenArchive, workspaces: Sequence[str], keys: Keys | None
) -> tuple[Archive, tuple[str, ...]]:
    """The archive of the first workspace, and the names of all that are served."""
    if keys is None:
        first = open_archive(workspaces[0] if workspaces else None)
        return first, tuple(workspaces) or (first.store.workspace,)
    names = tuple(workspaces) or keys.workspaces
    beyond = next((key for key in keys.keys if key.workspace not in names), None)
    if beyond:
        raise SettingError(
            "server.keys", beyond.name, f"a key of a workspace that is served ({', '.join(names)})"
        )
    return open_archive(names[0]), names


def _warm(archive: Archive) -> None:
    """Load the models and caches. No language model is called: that may cost money."""
    if archive.recordings():
        archive.warm()  # asking alone would not: what was asked before is remembered
        ready = archive.ask if archive.settings.llm.model is None else archive.search
        counting, archive.ledger.counting = archive.ledger.counting, False
        ready("Are you ready to answer?")
        archive.ledger.counting = counting
    gc.collect()
    gc.freeze()  # all of it stays: to look it through for garbage would only keep answers waiting


def config(app: object, settings: Server, port: int = 8000) -> uvicorn.Config:
    """The configuration of uvicorn. The application knows about proxies itself: see `server.proxies`."""
    return uvicorn.Config(
        app,  # type: ignore[arg-type]  # any ASGI application
        port=port,
        http=in_time(settings.body_seconds),
        proxy_headers=False,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=_GRACE,
        h11_max_incomplete_event_size=32 * 1024,
    )


class _Server(AnnouncingServer):
    """When it stops, it lets short answers finish and tells whoever waits for the others."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[str], None], closing: Closing) -> None:
        super().__init__(config, announce)
        self._closing = closing

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        asyncio.get_running_loop().call_later(_LAST_WORDS, self._closing.begin)
        await super().shutdown(sockets)


def _announce(address: str, names: Sequence[str], keys: Keys | None) -> None:
    click.echo(f"onrecord is served on {address}")
    click.echo("  /                        the chat page")
    click.echo("  /api/chat                for the Vercel AI SDK")
    click.echo("  /v1/chat/completions     for OpenAI clients")
    missing = "" if find_spec("mcp") else ", not here: pip install 'onrecord[mcp]'"
    click.echo(f"  /mcp                     for agents{missing}")
    click.echo("  /api/..., /openapi.json  for programs: ask, search, recordings, faq")
    who = f"{len(keys.keys)} keys" if keys else "no keys: this machine only"
    click.echo(f"  workspaces: {', '.join(names)}; {who}")
