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


Calls = set[Future[Any]]
"""Work that is under way."""
_noted: ContextVar[Calls | None] = ContextVar("noted", default=None)


@contextmanager
def noted(calls: Calls) -> Iterator[None]:
    """What is begun in here stands in `calls` as long as it lasts, so that another thread can cancel it."""
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
        future.add_done_callback(calls.discard)
    return future


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="onrecord-models", daemon=True).start()
    return loop
