"""One event loop in a thread of its own: where asynchronous clients work for synchronous callers."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import Future
from functools import cache
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")


def submit(work: Coroutine[Any, Any, T]) -> Future[T]:
    """Begin some work at once. `cancel()` of what is returned ends it, wherever it waits."""
    return asyncio.run_coroutine_threadsafe(work, _loop())


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="onrecord-models", daemon=True).start()
    return loop
