"""The guard before every route: who is admitted, how much they may send, and the headers of every reply."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import unquote

import anyio
from starlette.datastructures import Headers, QueryParams
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from onrecord.serve.http.access import Access
from onrecord.serve.http.errors import Refused, json_reply, text_reply
from onrecord.serve.http.listening import is_loopback
from onrecord.serve.http.rates import Rates
from onrecord.serve.http.signing import Signer
from onrecord.serve.keys import METRICS, READ, WRITE, Keys
from onrecord.settings import Server

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_OPEN = re.compile(r"/|/page/.*|/healthz|/readyz|/openapi\.json")
"""Paths that need no key, because their replies contain nobody's data."""
_MEDIA = re.compile(r"/api/recordings/([^/]+)/media")
_UPLOAD = "/api/recordings"
_FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")
"""Headers that proxies add: a sender behind a proxy is not on this machine."""
_SECURITY = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
)


class Guard:
    """Middleware that admits requests and records their senders.

    With `keys`, a request needs a key. Without them, it may read the workspaces `names` and has to come from
    this machine: only the names in `hosts` are answered (all, if it is empty), and pages of other sites are
    refused. Such a request may also write, unless the settings forbid it.
    """

    def __init__(
        self,
        app: ASGIApp,
        names: Sequence[str],
        settings: Server,
        rates: Rates,
        signer: Signer | None = None,
        keys: Keys | None = None,
        hosts: tuple[str, ...] = (),
    ) -> None:
        self._app, self._names, self._settings = app, tuple(names), settings
        self._signer, self._keys, self._hosts = signer, keys, hosts
        self._rates = rates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers, send = Headers(scope=scope), with_headers(send, _SECURITY)
        try:
            self._check_sender(headers)
            if not _OPEN.fullmatch(scope["path"]):
                scope["onrecord.access"] = access = self._access(scope, headers)
                self._rates.count(access.name)
            if scope["method"] in ("POST", "PUT", "PATCH"):
                upload, settings = scope["path"] == _UPLOAD, self._settings
                most = 1024 * (settings.upload_kilobytes if upload else settings.body_kilobytes)
                body = await _body(receive, headers, most, settings.body_seconds)
                if body is None:
                    return
                receive = _replayed(body, receive)
        except Refused as refusal:
            reply = text_reply if scope["path"] == "/api/chat" else json_reply
            await reply(refusal)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _check_sender(self, headers: Headers) -> None:
        """Refuse foreign hosts and origins if there are no keys.

        This stops DNS rebinding, where a foreign name points at this machine, and requests that pages of
        other sites send through a browser.
        """
        if not self._hosts:
            return
        host = headers.get("host", "")
        if name_of(host) not in self._hosts:
            raise Refused(421, "wrong_host", f"this server does not answer for the host {host[:200]!r}")
        origin = headers.get("origin", "")
        if not is_own_page(origin, host) and origin not in self._settings.origins:
            raise Refused(403, "wrong_origin", f"pages of {origin[:200]!r} may not ask here: server.origins")

    def _access(self, scope: Scope, headers: Headers) -> Access:
        address = scope["client"][0] if scope.get("client") else ""
        if self._keys is None:
            writes = (WRITE,) if self._is_of_this_machine(address, headers) else ()
            return Access(address, self._names, frozenset((READ, METRICS, *writes)))
        signed = self._signed(scope)
        if signed:
            return signed
        secret = _secret(headers)
        key = self._keys.find(secret) if secret else None
        if key is None:  # wrong keys lock out their sender, but nobody with a valid key at the same address
            self._rates.check_wrong(address)
            if secret:
                self._rates.count_wrong(address)
            message = "this key is not known" if secret else "a key is needed: Authorization: Bearer KEY"
            raise Refused(401, "unauthorized", message, {"WWW-Authenticate": "Bearer"})
        return Access(key.name, (key.workspace,), frozenset(key.rights))

    def _is_of_this_machine(self, address: str, headers: Headers) -> bool:
        """Return whether a request without a key may write.

        It has to come from this machine, from no other site's page and through no proxy, and the server has
        to be for this machine alone.
        """
        return bool(
            self._settings.local_writes
            and self._hosts
            and is_loopback(address)
            and not any(name in headers for name in _FORWARDED)
            and is_own_page(headers.get("origin", ""), headers.get("host", ""))
        )

    def _signed(self, scope: Scope) -> Access | None:
        """Return the access of a signed media address, or None."""
        media = _MEDIA.fullmatch(scope["path"])
        query = QueryParams(scope["query_string"])
        if (
            self._signer
            and media
            and scope["method"] in ("GET", "HEAD")
            and self._signer.holds(unquote(media[1]), query)
        ):
            # each address has a rate of its own, so that no listener uses up that of the others
            return Access(query["signature"], (query["workspace"],), frozenset((READ,)))
        return None


async def _body(receive: Receive, headers: Headers, most: int, seconds: float) -> bytes | None:
    """Receive the whole body, of at most `most` bytes and within `seconds`, before any work begins.

    None if the client has left. Raises Refused.
    """
    length = headers.get("content-length", "0")
    if length.isdigit() and int(length) > most:
        raise _too_large(most)
    parts, size = [], 0
    try:
        with anyio.fail_after(seconds):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    return None
                parts.append(message.get("body", b""))
                size += len(parts[-1])
                if size > most:
                    raise _too_large(most)
                if not message.get("more_body"):
                    return b"".join(parts)
    except TimeoutError:
        reason = f"the request did not arrive within {seconds:g} s"
        raise Refused(408, "request_timeout", reason, {"Connection": "close"}) from None


def _too_large(most: int) -> Refused:
    # Created where it is raised: a local variable would keep the body alive through its traceback.
    reason = f"the request is too long: at most {most // 1024} KB are read"
    return Refused(413, "request_too_large", reason, {"Connection": "close"})


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Return a channel that replays this body, then passes on the client's next messages."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again


def with_headers(send: Send, headers: Sequence[tuple[bytes, bytes]]) -> Send:
    """Return a `send` that adds headers to a reply, except those whose names the reply already has.

    The names of `headers` are in lower case.
    """

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            present = {name.lower() for name, _ in message["headers"]}
            missing = [pair for pair in headers if pair[0] not in present]
            message["headers"] = [*message["headers"], *missing]
        await send(message)

    return send_with_headers


def name_of(host: str) -> str:
    """Return the name in a Host header, without its port."""
    return (host if host.endswith("]") else host.rpartition(":")[0] or host).lower()


def is_own_page(origin: str, host: str) -> bool:
    """Return whether a request comes from a page of this host, or from no page at all."""
    return not origin or origin.partition("://")[2] == host


def _secret(headers: Headers) -> str:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else headers.get("x-api-key", "")
