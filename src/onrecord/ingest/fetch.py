"""Guarded download of the remote parts of a feed.

A feed is untrusted: an address in it may point into the user's own network, lead there by a redirect or
by a name that resolves anew at each look, never end, or drip. So every address is resolved once and
checked, the connection goes to the very address that was checked, each redirect is checked again, and
size and total time are limited. Proxies of the environment are not used: behind one, none of this
could be known.
"""

from __future__ import annotations

import http.client
import io
import ipaddress
import queue
import re
import socket
import ssl
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from onrecord.errors import FetchError
from onrecord.types import printable

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_PORTS = {"http": 80, "https": 443}
_REDIRECTS = (301, 302, 303, 307, 308)
# The IANA special-purpose address registries; the standard library's idea of them differs by version.
_CLOSED_V4 = tuple(
    ipaddress.IPv4Network(net)
    for net in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
        *("192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15"),
        *("198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3"),
    )
)
_GLOBAL_V6 = ipaddress.IPv6Network("2000::/3")
_CLOSED_V6 = tuple(
    ipaddress.IPv6Network(net)
    for net in (
        "2001::/23",  # protocol assignments, Teredo among them
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: an IPv4 address inside
        "3fff::/20",  # documentation
    )
)
_CHUNK = 1 << 16


def fetch(url: str, *, limit_bytes: int = 64 << 20, timeout_s: float = 30.0) -> bytes:
    """What stands at an http(s) address on the public internet, of at most `limit_bytes`, within
    `timeout_s` seconds from the call to the last byte. Raises FetchError."""
    return Fetcher(limit_bytes, timeout_s)(url)


@dataclass(frozen=True, slots=True)
class Fetcher:
    """Fetches addresses under limits: bytes of a body, seconds of a whole call, redirects followed.

    `allow_loopback` opens this machine's own addresses, and nothing else; it is there for tests.
    """

    limit_bytes: int = 64 << 20
    timeout_s: float = 30.0
    redirects: int = 5
    allow_loopback: bool = False

    def __call__(self, url: str) -> bytes:
        """The body at `url`. Raises FetchError."""
        deadline = _Deadline(self.timeout_s)
        place = url
        try:
            for _ in range(self.redirects + 1):
                found = self._get(place, deadline)
                if isinstance(found, bytes):
                    return found
                place = urljoin(place, found)
        except TimeoutError:
            raise FetchError(f"{url}: not there within {self.timeout_s:g} seconds; try again later") from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = str(error) or type(error).__name__
            raise FetchError(f"{url}: could not be fetched: {printable(reason)}") from None
        raise FetchError(f"{url}: redirected more than {self.redirects} times, last to {printable(place)}")

    def _get(self, url: str, deadline: _Deadline) -> bytes | str:
        """The body at a place, or where it redirects to."""
        parts = _checked(url)
        connection = _Connection(parts, self._addresses(parts, deadline), deadline)
        try:
            connection.request("GET", _target(parts), headers=_HEADERS)
            with connection.getresponse() as response:
                location = response.headers.get("Location")
                if response.status in _REDIRECTS and location:
                    return location
                _check_answer(url, response)
                return self._body(url, response)
        finally:
            connection.close()

    def _addresses(self, parts: SplitResult, deadline: _Deadline) -> list[str]:
        """Where the host is, every one of its addresses being allowed."""
        host = parts.hostname or ""
        found = _resolved(host, deadline)
        for address in found:
            if not (is_public(address) or (self.allow_loopback and address.is_loopback)):
                raise FetchError(
                    f"{parts.geturl()}: {host} is at {address}, which is not on the public internet; "
                    "download the file yourself and add it, if you trust it"
                )
        return [str(address) for address in found]

    def _body(self, url: str, response: http.client.HTTPResponse) -> bytes:
        """The body, as long as it is said to be and within the limit."""
        too_long = FetchError(f"{url}: larger than {self.limit_bytes:,} bytes, the most that is fetched")
        length = response.length
        if length is not None and length > self.limit_bytes:
            raise too_long
        body = bytearray()
        while chunk := response.read(_CHUNK):
            body += chunk
            if len(body) > self.limit_bytes:
                raise too_long
        if length is not None and len(body) < length:
            raise FetchError(f"{url}: cut off after {len(body):,} of {length:,} bytes; try again")
        return bytes(body)


def is_public(address: Address) -> bool:
    """Whether an address is one of the public internet: not private, loopback, link-local, multicast or
    reserved, and, of IPv6, not one that stands for an IPv4 address (mapped, NAT64, 6to4, Teredo).
    """
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in net for net in _CLOSED_V4)
    return address in _GLOBAL_V6 and not any(address in net for net in _CLOSED_V6)


# ---------------------------------------------------------------- before the connection


def _checked(url: str) -> SplitResult:
    """The parts of an address that may be asked for."""
    if re.search(r"[\x00-\x1f\x7f-\x9f\\]", url):
        raise FetchError(f"{url!r}: not an address: it holds control characters or backslashes")
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises where it is no number
    except ValueError as error:
        raise FetchError(f"{url}: not an address: {error}") from None
    if parts.scheme not in _PORTS or not parts.hostname:
        raise FetchError(f"{url}: only http:// and https:// addresses are fetched")
    if "@" in parts.netloc:
        raise FetchError(f"{parts.hostname}: an address with a user name or password in it is not fetched")
    return parts


def _target(parts: SplitResult) -> str:
    """Path and query as they stand in a request: ASCII, what is encoded already left so."""
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~")
    return f"{path}?{quote(parts.query, safe='/%:@!$&()*+,;=~?[]')}" if parts.query else path


def _resolved(host: str, deadline: _Deadline) -> list[Address]:
    """The addresses of a host. The system's resolver knows no time limit: it runs beside."""
    answers: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def look_up() -> None:
        try:
            answers.put(socket.getaddrinfo(host, None, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            answers.put(error)

    threading.Thread(target=look_up, daemon=True).start()
    try:
        answer = answers.get(timeout=deadline.left())
    except queue.Empty:
        raise TimeoutError from None
    if isinstance(answer, Exception):
        raise FetchError(f"{host}: no such host: {answer}; check the address and your connection")
    return list(dict.fromkeys(ipaddress.ip_address(info[4][0]) for info in answer))


# ---------------------------------------------------------------- the connection


class _Deadline:
    """The one time limit of a call, however many reads it takes."""

    def __init__(self, seconds: float) -> None:
        self.at = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds left, more than 0. Raises TimeoutError."""
        left = self.at - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left


class _Connection(http.client.HTTPConnection):
    """A connection to one of the addresses given; the host's name is never looked up again."""

    def __init__(self, parts: SplitResult, addresses: Sequence[str], deadline: _Deadline) -> None:
        super().__init__(parts.hostname or "", parts.port or _PORTS[parts.scheme])
        self.default_port = _PORTS[parts.scheme]  # left out of the Host header
        self.secure = parts.scheme == "https"
        self.addresses, self.deadline = addresses, deadline

    def connect(self) -> None:
        sock = self._opened()
        if self.secure:
            sock.settimeout(self.deadline.left())
            sock = ssl.create_default_context().wrap_socket(sock, server_hostname=self.host)
        sock.settimeout(self.deadline.left())
        self.sock: Any = _TimedSocket(sock, self.deadline)

    def _opened(self) -> socket.socket:
        failure = OSError("the host has no address")
        for address in self.addresses:
            try:
                return socket.create_connection((address, self.port), timeout=self.deadline.left())
            except TimeoutError:
                raise
            except OSError as error:
                failure = error
        raise failure


class _TimedSocket:
    """A socket whose every read ends by the deadline. A timeout set on the socket alone starts anew with
    each byte, so that a server which drips would never run out of it."""

    def __init__(self, sock: socket.socket, deadline: _Deadline) -> None:
        self._sock, self._deadline = sock, deadline

    def sendall(self, data: bytes) -> None:
        self._sock.settimeout(self._deadline.left())
        self._sock.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_TimedReader(self._sock, self._deadline))

    def close(self) -> None:
        self._sock.close()


class _TimedReader(io.RawIOBase):
    def __init__(self, sock: socket.socket, deadline: _Deadline) -> None:
        self._sock, self._deadline = sock, deadline
        self._file = sock.makefile("rb", buffering=0)  # keeps the socket open until it is closed itself

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._sock.settimeout(self._deadline.left())
        return self._file.readinto(buffer)

    def close(self) -> None:
        self._file.close()
        super().close()


# ---------------------------------------------------------------- the answer

_HEADERS = {
    "User-Agent": "onrecord (reads podcast transcripts)",
    "Accept": "application/json, text/*;q=0.9, application/*;q=0.8",
    "Accept-Encoding": "identity",  # what is not compressed cannot be a bomb
    "Connection": "close",
}


def _check_answer(url: str, response: http.client.HTTPResponse) -> None:
    if response.status != 200:
        raise FetchError(f"{url}: the server answers {response.status} {printable(response.reason)}")
    encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding not in ("", "identity"):
        raise FetchError(f"{url}: sent as {encoding}, although plain bytes were asked for; not read")
    kind = response.headers.get_content_type()
    if kind.startswith(("audio/", "video/", "image/", "font/")):
        raise FetchError(f"{url}: expected a text, found {kind}")
