"""Bodies of requests: received whole before any work begins, within limits of time and size."""

from __future__ import annotations

import anyio
from starlette.datastructures import Headers
from starlette.types import Message, Receive

from onrecord.serve.http.errors import Refused


async def received(receive: Receive, headers: Headers, most: int, seconds: float) -> bytes | None:
    """The body, of at most `most` bytes, within `seconds`; None where the client is gone. Raises Refused."""
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
    reason = f"the request is too long: at most {most // 1024} KB are read"
    return Refused(413, "request_too_large", reason, {"Connection": "close"})


def replayed(body: bytes, receive: Receive) -> Receive:
    """A channel that replays this body, then passes on what the client does next."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again
