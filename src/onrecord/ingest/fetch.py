"""Guarded download of the remote parts of a feed.

A feed is untrusted. An address in it may point into the user's own network, directly, by a redirect, or by a
name that resolves differently each time. A response may never end, or send a byte a minute. So every address
of a host and every redirect is checked, and size and total time are limited: see `onrecord.network`.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import SplitResult, quote, urljoin, urlsplit

import httpcore2

from onrecord.errors import FetchError
from onrecord.network import Address, Deadline, headers_of, request
from onrecord.types import printable

_HEADERS = {
    "User-Agent": "onrecord (reads podcast transcripts)",
    "Accept": "application/json, text/*;q=0.9, application/*;q=0.8",
    "Accept-Encoding": "identity",  # plain bytes cannot hide a compression bomb
}
_REDIRECTS = (301, 302, 303, 307, 308)
# The IANA special-purpose address registries; the standard library's list differs by version.
_PRIVATE_V4 = tuple(
    ipaddress.IPv4Network(net)
    for net in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
        *("192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15"),
        *("198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3"),
    )
)
_GLOBAL_V6 = ipaddress.IPv6Network("2000::/3")
_PRIVATE_V6 = tuple(
    ipaddress.IPv6Network(net)
    for net in (
        "2001::/23",  # protocol assignments, Teredo among them
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: an IPv4 address inside
        "3fff::/20",  # documentation
    )
)


@dataclass(frozen=True, slots=True)
class Fetcher:
    """Fetches http(s) addresses on the public internet, under limits.

    `limit_bytes` is the most bytes of a body, `timeout_s` the most seconds from the call to the last byte,
    and `redirects` the most redirects followed. `allow_loopback` also allows this machine's own addresses,
    for tests.
    """

    limit_bytes: int = 64 << 20
    timeout_s: float = 30.0
    redirects: int = 5
    allow_loopback: bool = False

    def __call__(self, url: str) -> bytes:
        """Return the body at `url`. Raises FetchError."""
        deadline = Deadline(self.timeout_s)
        location = url
        try:
            for _ in range(self.redirects + 1):
                body = self._get(location, deadline)
                if isinstance(body, bytes):
                    return body
                location = urljoin(location, body)
        except TimeoutError:
            raise FetchError(f"{url}: not there within {self.timeout_s:g} seconds; try again later") from None
        except (OSError, ValueError) as error:
            raise FetchError(f"{url}: could not be fetched: {printable(str(error))}") from None
        raise FetchError(f"{url}: redirected more than {self.redirects} times, last to {printable(location)}")

    def _get(self, url: str, deadline: Deadline) -> bytes | str:
        """Return the body at an address, or the address it redirects to."""
        parts = _split_checked(url)

        def check(host: str, address: Address) -> None:
            if not (is_public(address) or (self.allow_loopback and address.is_loopback)):
                raise FetchError(
                    f"{url}: {host} is at {address}, which is not on the public internet; "
                    "download the file yourself and add it, if you trust it"
                )

        target = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~")  # "%" stays, so nothing is encoded twice
        target += f"?{quote(parts.query, safe='/%:@!$&()*+,;=~?[]')}" if parts.query else ""
        with request("GET", parts, target, _HEADERS, deadline, check=check) as response:
            headers = headers_of(response)
            if response.status in _REDIRECTS and headers.get("location"):
                return headers["location"]
            _check_response(url, response, headers)
            length = headers.get("content-length", "")
            return self._body(url, response, int(length) if length.isdecimal() else None)

    def _body(self, url: str, response: httpcore2.Response, length: int | None) -> bytes:
        """Read the body, which must have the announced length and stay within the limit."""
        too_long = FetchError(f"{url}: larger than {self.limit_bytes:,} bytes, the most that is fetched")
        if length is not None and length > self.limit_bytes:
            raise too_long
        body = bytearray()
        try:
            for chunk in response.iter_stream():
                body += chunk
                if len(body) > self.limit_bytes:
                    raise too_long
        except httpcore2.RemoteProtocolError:
            of = "" if length is None else f" of {length:,}"
            raise FetchError(f"{url}: cut off after {len(body):,}{of} bytes; try again") from None
        return bytes(body)


def is_public(address: Address) -> bool:
    """Check whether an address is on the public internet.

    Private, loopback, link-local, multicast and reserved addresses are not. Neither are IPv6 addresses that
    stand for an IPv4 address (mapped, NAT64, 6to4, Teredo).
    """
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in net for net in _PRIVATE_V4)
    return address in _GLOBAL_V6 and not any(address in net for net in _PRIVATE_V6)


def _split_checked(url: str) -> SplitResult:
    """Split an address that may be fetched. Raises FetchError for any other address."""
    if re.search(r"[\x00-\x1f\x7f-\x9f\\]", url):
        raise FetchError(f"{url!r}: not an address: it holds control characters or backslashes")
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises where it is no number
    except ValueError as error:
        raise FetchError(f"{url}: not an address: {error}") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise FetchError(f"{url}: only http:// and https:// addresses are fetched")
    if "@" in parts.netloc:
        raise FetchError(f"{parts.hostname}: an address with a user name or password in it is not fetched")
    return parts


def _check_response(url: str, response: httpcore2.Response, headers: dict[str, str]) -> None:
    if response.status != 200:
        reason = response.extensions.get("reason_phrase", b"").decode("latin-1")
        raise FetchError(f"{url}: the server answers {response.status} {printable(reason)}")
    encoding = headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("", "identity"):
        raise FetchError(f"{url}: sent as {encoding}, although plain bytes were asked for; not read")
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind.startswith(("audio/", "video/", "image/", "font/")):
        raise FetchError(f"{url}: expected a text, found {kind}")
