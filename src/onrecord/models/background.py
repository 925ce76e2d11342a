"""One event loop in a thread of its own: where asynchronous clients work for synchronous callers."""

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
    """Work that is under way, which another thread may cancel: then, and whatever is begun afterwards."""

    def __init__(self) -> None:
        self._futures: set[Future[Any]] = set()
        self._over = False

    def add(self, future: Future[Any]) -> None:
        self._futures.add(future)
        future.add_done_callback(self._futures.discard)
        if self._over:
            future.cancel()

    def cancel(self) -> None:
        self._over = True
        for future in tuple(self._futures):
            future.cancel()


_noted: ContextVar[Calls | None] = ContextVar("noted", default=None)


@contextmanager
def noted(calls: Calls) -> Iterator[None]:
    """What is begun in here can be cancelled through `calls`, by another thread."""
    token = _noted.set(calls)
    try:
        yield
    finally:
        _noted.reset(token)


def submit(work: Coroutine[Any, Any, T]) -> Future[T]:
    """Begin some work at once. `cancel()` of what is returned ends it, wherever it waits."""
    future = asyncio.run_coroutine_threadsafe(work, _loop())
    calls = _noted.get()
    if calls is not None:
        calls.add(future)
    return future


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="onrecord-models", daemon=True).start()
    return loop
