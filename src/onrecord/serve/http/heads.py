"""A limit on the time that the head of a request may take: byte by byte it would hold a connection for
ever."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

_LATE = (
    b"HTTP/1.1 408 Request Timeout\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n"
    b"Content-Length: 35\r\n\r\nthe request did not arrive in time\n"
)


class InTime(H11Protocol):
    """Cuts a connection whose next request has no whole head after so many `seconds`, or on which none
    begins."""

    seconds = 30.0
    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before:
            self._arrived()
        elif self._idle and self._limit is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._arrived()
        super().connection_lost(exc)

    @property
    def _idle(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _wait(self) -> None:
        self._limit = self.loop.call_later(self.seconds, self._cut)

    def _arrived(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None

    def _cut(self) -> None:
        self._limit = None
        if self._idle and not self.transport.is_closing():
            self.transport.write(_LATE)
            self.transport.close()


def in_time(seconds: float) -> type[H11Protocol]:
    """The protocol with another limit, as a class: uvicorn takes one."""
    return type("InTime", (InTime,), {"seconds": seconds})
