"""The sockets that a server listens on, bound before any slow work, and the server that uses them."""

from __future__ import annotations

import errno
import ipaddress
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import uvicorn

from onrecord.errors import InputError, SettingError

_NOT_HERE = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)
"""The errors of a machine without IPv6 for the second address of "localhost"."""


class AnnouncingServer(uvicorn.Server):
    """A server that calls `announce` with its address once it is reachable.

    The address is known only then, because port 0 means any free port.
    """

    def __init__(self, config: uvicorn.Config, announce: Callable[[str], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if sockets:
            host, port = sockets[0].getsockname()[:2]
            self._announce(f"http://{f'[{host}]' if ':' in host else host}:{port}")


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach a host."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@contextmanager
def bound(host: str, port: int) -> Iterator[list[socket.socket]]:
    """Yield a socket for every address of the host, or one socket at a free port for port 0.

    The sockets are closed at the end. Raises SettingError for a host that is not this machine, and InputError
    for a port that cannot be used.
    """
    with ExitStack() as stack:
        sockets, refused = [], None
        for family, address in _addresses(host, port):
            try:
                sockets.append(stack.enter_context(_bound(family, address)))
            except OSError as error:
                if error.errno not in _NOT_HERE:
                    raise InputError(_reason(host, port, error)) from None
                refused = error
            if sockets and not port:
                break
        if refused and not sockets:
            raise SettingError("--host", host, "an address of this machine, such as 127.0.0.1 or 0.0.0.0")
        yield sockets


def _addresses(host: str, port: int) -> dict[tuple[socket.AddressFamily, tuple[object, ...]], None]:
    """Return families and addresses, each once, in the system's order."""
    try:
        answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise SettingError("--host", host, "an address or name of this machine") from None
    return {(family, address): None for family, _, _, _, address in answers}


def _bound(family: socket.AddressFamily, address: tuple[object, ...]) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # on other systems this would let two servers share a port
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        made.bind(address)
    except OSError:
        made.close()
        raise
    return made


def _reason(host: str, port: int, error: OSError) -> str:
    where = f"port {port} of {host}"
    if error.errno == errno.EADDRINUSE:
        return f"{where} is in use: choose another with --port (0 is any that is free), or end what is there"
    if error.errno == errno.EACCES:
        return f"{where} is kept for the system: choose another with --port, such as 8000"
    return f"cannot listen on {where}: {error.strerror}"
