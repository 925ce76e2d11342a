"""The sockets that a server listens on, bound before anything slow begins, and the server on them."""

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
"""What a machine without IPv6 says of the second address of "localhost"."""


class AnnouncingServer(uvicorn.Server):
    """Calls `announce` with its address once it can be reached: the port may have been left open (0)."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[str], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if sockets:
            host, port = sockets[0].getsockname()[:2]
            self._announce(f"http://{f'[{host}]' if ':' in host else host}:{port}")


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach this host."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@contextmanager
def bound(host: str, port: int) -> Iterator[list[socket.socket]]:
    """A socket for every address of the host, closed at the end; for port 0 one socket at a free port.

    Raises SettingError for a host that is not this machine, and InputError for a port that cannot be used.
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
    """Families and addresses, each once, in the system's order."""
    try:
        answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise SettingError("--host", host, "an address or name of this machine") from None
    return {(family, address): None for family, _, _, _, address in answers}


def _bound(family: socket.AddressFamily, address: tuple[object, ...]) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # elsewhere it would let two servers have one port
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
