"""Runs asynchronous clients for synchronous callers, on one event loop in a separate thread."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")


class Calls:
    """Running calls that another thread may cancel, together with all calls that begin later."""

    def __init__(self) -> None:
        self._futures: set[Future[Any]] = set()
        self._cancelled = False

    def add(self, future: Future[Any]) -> None:
        self._futures.add(future)
        future.add_done_callback(self._futures.discard)
        if self._cancelled:
            future.cancel()

    def cancel(self) -> None:
        self._cancelled = True
        for future in tuple(self._futures):
            future.cancel()


_current: ContextVar[Calls | None] = ContextVar("calls", default=None)


@contextmanager
def cancellable(calls: Calls) -> Iterator[None]:
    """Let another thread cancel, through `calls`, the work that begins in this block."""
    token = _current.set(calls)
    try:
        yield
    finally:
        _current.reset(token)


def submit(work: Coroutine[Any, Any, T]) -> Future[T]:
    """Start a coroutine. Cancelling the future ends it, wherever it waits."""
    future = asyncio.run_coroutine_threadsafe(work, _loop())
    calls = _current.get()
    if calls is not None:
        calls.add(future)
    return future


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="onrecord-models", daemon=True).start()
    return loop
