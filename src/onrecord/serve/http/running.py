"""The start of the server. Errors are reported at the start, not to the first client."""

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
from uvicorn.protocols.http.h11_impl import H11Protocol

from onrecord.archive import Archive
from onrecord.errors import SettingError
from onrecord.serve.http.app import create_app
from onrecord.serve.http.guard import LOOPBACK
from onrecord.serve.http.listening import AnnouncingServer, bound, is_loopback
from onrecord.serve.http.streaming import Closing
from onrecord.serve.http.tenants import Tenants
from onrecord.serve.keys import KeyFile, Keys
from onrecord.settings import Server, load

_LAST_WORDS, _GRACE = 3, 5
"""Seconds after which answers are ended, and connections are cut, when the server stops."""
_LATE = (
    b"HTTP/1.1 408 Request Timeout\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n"
    b"Content-Length: 35\r\n\r\nthe request did not arrive in time\n"
)
OpenArchive = Callable[[str | None], Archive]


def run(open_archive: OpenArchive, workspaces: Sequence[str], host: str, port: int) -> None:
    """Answer requests until interrupted.

    Raises SettingError for a host or key that must not be served, InputError for a port that cannot be used,
    and any error that opening the archive raises.
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
        with suppress(KeyboardInterrupt):  # uvicorn has shut down, and raises it again
            server.run(sockets)


def _first(
    open_archive: OpenArchive, workspaces: Sequence[str], keys: Keys | None
) -> tuple[Archive, tuple[str, ...]]:
    """Return the archive of the first workspace, and the names of all served workspaces."""
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
    """Load the models and caches. No language model is called, because that may cost money."""
    if archive.recordings():
        archive.warm()  # a question alone may not load them, because its answer may be cached
        ready = archive.ask if archive.settings.llm.model is None else archive.search
        counting, archive.ledger.counting = archive.ledger.counting, False
        ready("Are you ready to answer?")
        archive.ledger.counting = counting
    gc.collect()
    gc.freeze()  # these objects stay, so collecting them would only delay answers


def config(app: object, settings: Server, port: int = 8000) -> uvicorn.Config:
    """Return the configuration of uvicorn.

    The application handles proxies itself: see `server.proxies`.
    """
    return uvicorn.Config(
        app,  # type: ignore[arg-type]  # any ASGI application
        port=port,
        http=type("InTime", (InTime,), {"seconds": settings.body_seconds}),  # uvicorn takes a class
        proxy_headers=False,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=_GRACE,
        h11_max_incomplete_event_size=32 * 1024,
    )


class InTime(H11Protocol):
    """A protocol that cuts a connection if no whole request head arrives within `seconds`.

    Otherwise a head that is sent byte by byte would hold a connection forever.
    """

    seconds = 30.0
    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before:
            self._arrived()
        elif self._idle and self._limit is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._arrived()
        super().connection_lost(exc)

    @property
    def _idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _wait(self) -> None:
        self._limit = self.loop.call_later(self.seconds, self._cut)

    def _arrived(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None

    def _cut(self) -> None:
        self._limit = None
        if self._idle and not self.transport.is_closing():
            self.transport.write(_LATE)
            self.transport.close()


class _Server(AnnouncingServer):
    """A server that lets short answers finish when it stops, and notifies clients that wait for others."""

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
