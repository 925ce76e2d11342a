"""The chat page, served at ``/``, with its files under ``/page/``: its own HTML, CSS and JavaScript.

There is no build step and no third-party code. The page runs under a Content-Security-Policy without inline
script or style. It sends requests only to this host, unless the user plays a recording that is elsewhere.
"""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from importlib.resources import files

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "media-src 'self' https:",
        "connect-src 'self'",
        "frame-src https://www.youtube-nocookie.com https://player.vimeo.com",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
"""The last two directives make the browser itself refuse text where it would be parsed as HTML or script."""

_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-cache",  # cached, but revalidated on each use, so that updates show at once
}
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True, slots=True)
class Asset:
    """A file of the page, plain and `packed` by gzip.

    `tag` is the first 16 hexadecimal digits of its SHA-256.
    """

    content: bytes
    packed: bytes
    media_type: str
    tag: str

    def reply(self, request: Request) -> Response:
        """Return the file, packed if the browser accepts gzip.

        Return status 304 if the browser already has this version.
        """
        headers = {**_HEADERS, "ETag": f'W/"{self.tag}"', "Vary": "Accept-Encoding"}
        if self.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            packed = {**headers, "Content-Encoding": "gzip"}
            return Response(self.packed, media_type=self.media_type, headers=packed)
        return Response(self.content, media_type=self.media_type, headers=headers)


def mount(app: Starlette) -> None:
    """Add the page to an application: ``GET /`` and ``GET /page/NAME``.

    The files are read once, in this call.
    """
    by_name: dict[str, Asset] = {}
    for file in files("onrecord.serve.page").joinpath("assets").iterdir():
        media_type = _TYPES.get("." + file.name.rpartition(".")[2])
        if media_type:
            content = file.read_bytes()
            packed = gzip.compress(content, mtime=0)
            by_name[file.name] = Asset(content, packed, media_type, hashlib.sha256(content).hexdigest()[:16])

    async def send_file(request: Request) -> Response:
        asset = by_name.get(request.path_params.get("name", "index.html"))
        return asset.reply(request) if asset else Response("no such file", 404, media_type="text/plain")

    app.add_route("/", send_file, include_in_schema=False)
    app.add_route("/page/{name}", send_file, include_in_schema=False)
