"""The address under which clients reach this server, for absolute links."""

from __future__ import annotations

import re

from starlette.requests import HTTPConnection

from onrecord.serve.http.guard import LOOPBACK, name_of
from onrecord.settings import Server

_HOST = re.compile(r"[\w.-]+(?::\d{1,5})?|\[[0-9A-Fa-f:.]+\](?::\d{1,5})?", re.ASCII)


def base_of(connection: HTTPConnection, settings: Server) -> str:
    """The setting `server.url`; else what the request calls this server, where that is sure: this machine's
    own name, or the address at which the connection came in. Anybody can write any other name into a request:
    empty, and links stay relative."""
    if settings.url:
        return settings.url
    host = connection.headers.get("host", "")
    if not _HOST.fullmatch(host) or name_of(host) not in (*LOOPBACK, *_own(connection)):
        return ""
    return f"{connection.scope.get('scheme', 'http')}://{host}"


def _own(connection: HTTPConnection) -> tuple[str, ...]:
    server = connection.scope.get("server")
    if not server or not server[0]:
        return ()
    return (f"[{server[0]}]" if ":" in server[0] else server[0].lower(),)
