"""A guard before Chainlit that admits only pages of this machine and blocks requests to other hosts."""

from __future__ import annotations

import re

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from onrecord.serve.http.guard import LOOPBACK, is_own_page, name_of

POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "media-src 'self' blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "frame-src 'none'",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
_TAG = re.compile(rb"<(?:link|meta)\b[^<>]*>")
_ELSEWHERE = re.compile(rb"""\b(?:href|content)="https?://""")
"""Matches an address of another host in a tag.

Chainlit's page requests fonts and styles from other hosts. It works without them.
"""


class Local:
    """Chainlit's application for this machine alone.

    It prevents DNS rebinding, and refuses pages of other sites, whose sockets Chainlit would accept. Links to
    other hosts are removed from its page.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if name_of(host) in LOOPBACK and is_own_page(headers.get("origin", ""), host):
            await self._app(_uncompressed(scope), receive, _without_links(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            refusal = PlainTextResponse("this is for pages of this machine alone", 403)
            await refusal(scope, receive, send)


def _uncompressed(scope: Scope) -> Scope:
    """Return the request for a page without compression, so that the reply can be read here."""
    if scope["type"] != "http" or scope["path"].startswith(("/assets/", "/onrecord/")):
        return scope
    return {**scope, "headers": [pair for pair in scope["headers"] if pair[0] != b"accept-encoding"]}


def _without_links(send: Send) -> Send:
    """Return a `send` that removes a page's links to other hosts and adds the policy that forbids them."""
    start: Message | None = None

    async def filtered_send(message: Message) -> None:
        nonlocal start
        if message["type"] == "http.response.start":
            headers = [*message["headers"], (b"content-security-policy", POLICY.encode())]
            start = {**message, "headers": [*headers, (b"x-content-type-options", b"nosniff")]}
            if not _is_page(message):
                await send(start)
            return
        if message["type"] == "http.response.body" and start is not None and _is_page(start):
            body = _TAG.sub(_drop_elsewhere, message.get("body", b""))
            headers = [pair for pair in start["headers"] if pair[0] != b"content-length"]
            length = [] if message.get("more_body") else [(b"content-length", str(len(body)).encode())]
            await send({**start, "headers": [*headers, *length]})
            start, message = None, {**message, "body": body}
        await send(message)

    return filtered_send


def _drop_elsewhere(tag: re.Match[bytes]) -> bytes:
    return b"" if _ELSEWHERE.search(tag[0]) else tag[0]


def _is_page(start: Message) -> bool:
    return any(name == b"content-type" and value.startswith(b"text/html") for name, value in start["headers"])
