"""The door: who is let in, and what every reply carries."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from onrecord.serve.http.access import METRICS, READ, Access
from onrecord.serve.http.errors import Refused, json_reply
from onrecord.settings import Server

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_SECURITY = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
)


class Guard:
    """Lets requests in, with who they are from, and sees to the headers of every reply."""

    def __init__(
        self, app: ASGIApp, names: Sequence[str], settings: Server, hosts: tuple[str, ...] = ()
    ) -> None:
        self._app, self._names, self._settings, self._hosts = app, tuple(names), settings, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                there = {name.lower() for name, _ in message["headers"]}
                missing = [pair for pair in _SECURITY if pair[0] not in there]
                message["headers"] = [*message["headers"], *missing]
            await send(message)

        try:
            self._check_host(Headers(scope=scope))
            scope["onrecord.access"] = self._access(scope)
        except Refused as refusal:
            await json_reply(refusal)(scope, receive, secured)
            return
        await self._app(scope, receive, secured)

    def _check_host(self, headers: Headers) -> None:
        """Against DNS rebinding: a page elsewhere whose name was made to mean this machine."""
        host = headers.get("host", "")
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        if self._hosts and name.lower() not in self._hosts:
            raise Refused(421, "wrong_host", f"this server does not answer for the host {name[:200]!r}")

    def _access(self, scope: Scope) -> Access:
        client = scope.get("client")
        return Access(client[0] if client else "", self._names, frozenset((READ, METRICS)))
