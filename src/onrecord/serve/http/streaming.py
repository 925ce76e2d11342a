"""Work in threads that yields results piece by piece, and stops when nobody waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import Any, Generic, TypeVar

import anyio
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from onrecord.models.background import Calls, cancellable
from onrecord.serve.http.errors import Refused

T = TypeVar("T")
GRACE = 0.05
"""Seconds that a reply waits for its first piece.

A failure within this time still gets its own status.
"""


class Work(Generic[T]):
    """An iterator that is read in threads.

    `stop` ends it at any time: at once if it waits to be read, else after the current piece.
    """

    def __init__(self, begin: Callable[[], Iterator[T]]) -> None:
        self._begin = begin
        self._iterator: Iterator[T] | None = None
        self._busy = Lock()
        self._calls = Calls()
        self.stopped = False

    def draw(self) -> T | None:
        """Return the next piece; None at the end."""
        with self._busy:
            if self.stopped:
                return None
            if self._iterator is None:
                self._iterator = self._begin()
            with cancellable(self._calls):
                piece = next(self._iterator, None)
            if piece is None:
                self.stopped = True
            elif self.stopped:  # in the meantime, so nobody waits for the piece
                self._close()
            return piece

    def stop(self) -> None:
        """Stop, and cancel the calls of language models."""
        self.stopped = True
        self._calls.cancel()
        if self._busy.acquire(blocking=False):
            try:
                self._close()
            finally:
                self._busy.release()

    def _close(self) -> None:
        close = getattr(self._iterator, "close", None)
        if close:
            close()


class Closing:
    """The end of all replies when the server stops.

    Clients get an error, instead of half an answer that looks whole. Belongs to one event loop.
    """

    def __init__(self) -> None:
        self.begun = False
        self._waiting: set[anyio.CancelScope] = set()

    def begin(self) -> None:
        self.begun = True
        for scope in tuple(self._waiting):
            scope.cancel()

    @contextmanager
    def until(self, over: float) -> Iterator[anyio.CancelScope]:
        """Yield a cancel scope that ends at the time `over`, or when the server begins to stop."""
        with anyio.CancelScope(deadline=over) as scope:
            self._waiting.add(scope)
            try:
                if self.begun:
                    scope.cancel()
                yield scope
            finally:
                self._waiting.discard(scope)


async def pieces(work: Work[T], seconds: float, closing: Closing | None = None) -> AsyncIterator[T]:
    """Yield the pieces as they arrive. The work is stopped however the reader leaves.

    Raises Refused if they take longer than `seconds` in all (504), and if the server is stopping (503).
    """
    over, closing = anyio.current_time() + seconds, closing or Closing()
    try:
        while True:
            piece = None
            with closing.until(over) as limit:
                piece = await to_thread.run_sync(work.draw, abandon_on_cancel=True)
            if limit.cancelled_caught and closing.begun:
                reason = "the server is being stopped, and the answer ends here: ask again in a moment"
                raise Refused(503, "stopping", reason, {"Retry-After": "5"})
            if limit.cancelled_caught:
                raise Refused(504, "answer_timeout", f"the answer took longer than {seconds:g} s")
            if piece is None:
                return
            yield piece
    finally:
        if not work.stopped:
            with anyio.CancelScope(shield=True):
                await to_thread.run_sync(work.stop)


async def begun(source: AsyncIterator[T], grace: float = GRACE) -> AsyncIterator[T]:
    """Return the same pieces, once the first has arrived or `grace` seconds are over.

    Raises failures until then.
    """
    first = asyncio.ensure_future(_list(source))
    try:
        await asyncio.wait({first}, timeout=grace)
    except asyncio.CancelledError:
        await _cancelled(first)
        await _closed(source)
        raise
    if first.done() and not first.cancelled() and (error := first.exception()) is not None:
        raise error
    return _rest(first, source)


async def _list(source: AsyncIterator[T]) -> list[T]:
    async for piece in source:
        return [piece]
    return []


async def _rest(first: asyncio.Task[list[T]], source: AsyncIterator[T]) -> AsyncIterator[T]:
    try:
        for piece in await first:
            yield piece
        async for piece in source:
            yield piece
    finally:
        with anyio.CancelScope(shield=True):
            await _cancelled(first)
            await _closed(source)


async def _cancelled(task: asyncio.Task[list[T]]) -> None:
    """Cancel a task, and wait until it has ended."""
    task.cancel()
    await asyncio.wait({task})


async def _closed(source: AsyncIterable[object]) -> None:
    close = getattr(source, "aclose", None)
    if close:
        await close()


async def unless_gone(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of some work, which is canceled if the client leaves.

    Raises Refused if the client leaves, though nobody reads it.
    """
    task, gone = asyncio.ensure_future(work), asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise Refused(499, "client_gone", "the client went away")
        return task.result()
    finally:
        task.cancel()
        gone.cancel()


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


class Stream(StreamingResponse):
    """A streamed reply. However it ends, it closes `content`, then the `source` behind it."""

    def __init__(
        self, content: AsyncIterator[bytes], source: AsyncIterator[object], headers: Mapping[str, str]
    ) -> None:
        super().__init__(content, headers=headers)
        self._source = source

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            with anyio.CancelScope(shield=True):
                await _closed(self.body_iterator)
                await _closed(self._source)
