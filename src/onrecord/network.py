"""One HTTP request within one time limit, over connections to checked addresses.

Downloads and the FAQ's language model share this module. A network backend below the HTTP library does the
checks. It resolves a name once, checks every address, connects only to these addresses, and ends each read by
the deadline, however slowly a server sends. It ignores proxies in the environment, because it could not check
addresses behind a proxy. Importing this module imports the HTTP library, which takes 50 ms.
"""

from __future__ import annotations

import ipaddress
import queue
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import SplitResult

import httpcore2

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Check = Callable[[str, Address], None]
"""A callable that raises an error for a host with a forbidden address."""


class Deadline:
    """One time limit for a whole call, however many reads and connections it takes."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def remaining_seconds(self) -> float:
        """Return the remaining seconds, more than 0. Raises TimeoutError."""
        seconds = self._end - time.monotonic()
        if seconds <= 0:
            raise TimeoutError
        return seconds


@contextmanager
def request(
    method: str,
    url: SplitResult,
    target: str,
    headers: Mapping[str, str],
    deadline: Deadline,
    *,
    content: bytes | None = None,
    check: Check = lambda host, address: None,
) -> Iterator[httpcore2.Response]:
    """Send one request and yield its response; read the body from `iter_stream`.

    Redirects are not followed.

    Args:
        url: gives scheme, host and port.
        target: path and query, in ASCII.
        check: is called with the host and each of its addresses before a connection is made.

    Raises TimeoutError, another OSError if the connection fails, ValueError for an invalid host name, and any
    error that `check` raises. It may also raise these while the body is read.
    """
    host = (url.hostname or "").encode("idna")
    place = httpcore2.URL(scheme=url.scheme.encode(), host=host, port=url.port, target=target.encode("ascii"))
    name = host.decode("ascii")
    name = f"[{name}]" if ":" in name else name
    sent = {"Host": f"{name}:{url.port}" if url.port else name, "Connection": "close", **headers}
    network = _CheckedNetwork(deadline, check)
    try:
        with (
            httpcore2.ConnectionPool(network_backend=network) as pool,
            pool.stream(method, place, headers=list(sent.items()), content=content) as response,
        ):
            yield response
    except httpcore2.TimeoutException:
        raise TimeoutError from None
    except (httpcore2.NetworkError, httpcore2.ProtocolError) as error:
        raise OSError(str(error) or type(error).__name__) from None


def headers_of(response: httpcore2.Response) -> dict[str, str]:
    """Return the headers of a response by lower-case name, with the last value of each name."""
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}


# ---------------------------------------------------------------- below the HTTP library


class _CheckedNetwork(httpcore2.NetworkBackend):
    """A network backend that checks all addresses of a host, then connects to the first that responds."""

    def __init__(self, deadline: Deadline, check: Check) -> None:
        self._deadline, self._check = deadline, check
        self._inner = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        addresses = _resolve(host, self._deadline)
        for address in addresses:
            self._check(host, address)
        failure = httpcore2.ConnectError("the host has no address")
        for address in addresses:
            try:
                stream = self._inner.connect_tcp(
                    str(address), port, self._deadline.remaining_seconds(), local_address, socket_options
                )
                return _TimedStream(stream, self._deadline)
            except httpcore2.ConnectError as error:
                failure = error
        raise failure


class _TimedStream(httpcore2.NetworkStream):
    """A connection on which every read and write ends by the deadline.

    The HTTP library's own time limits restart with each byte, so a slow server would never exceed them.
    """

    def __init__(self, inner: httpcore2.NetworkStream, deadline: Deadline) -> None:
        self._inner, self._deadline = inner, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, self._deadline.remaining_seconds())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, self._deadline.remaining_seconds())

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        inner = self._inner.start_tls(ssl_context, server_hostname, self._deadline.remaining_seconds())
        return _TimedStream(inner, self._deadline)

    def close(self) -> None:
        self._inner.close()

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


def _resolve(host: str, deadline: Deadline) -> list[Address]:
    """Return the addresses of a host.

    The lookup runs in a separate thread, because the system's resolver has no time limit.
    """
    answers: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def look_up() -> None:
        try:
            answers.put(socket.getaddrinfo(host, None, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            answers.put(error)

    threading.Thread(target=look_up, daemon=True).start()
    try:
        answer = answers.get(timeout=deadline.remaining_seconds())
    except queue.Empty:
        raise TimeoutError from None
    if isinstance(answer, Exception):
        raise OSError(f"no such host: {answer}; check the address and your connection")
    return list(dict.fromkeys(ipaddress.ip_address(info[4][0]) for info in answer))
