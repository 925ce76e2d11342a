"""Work in other threads: the event loop of asynchronous clients, and calls with a time limit."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

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
    import asyncio

    future = asyncio.run_coroutine_threadsafe(work, _loop())
    calls = _noted.get()
    if calls is not None:
        calls.add(future)
    return future


@cache
def _loop() -> AbstractEventLoop:
    import asyncio  # which takes 20 ms, and most questions ask no model over the network

    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="onrecord-models", daemon=True).start()
    return loop


# ---------------------------------------------------------------- within a time limit


def within(seconds: float, call: Callable[[], T]) -> T:
    """What `call` returns or raises, or TimeoutError after so many seconds whatever it does.

    It runs in a thread of its own, which cannot be stopped from outside.
    """
    done: SimpleQueue[tuple[T | None, BaseException | None]] = SimpleQueue()

    def work() -> None:
        try:
            done.put((call(), None))
        except BaseException as error:
            done.put((None, error))

    Thread(target=work, daemon=True).start()
    try:
        result, error = done.get(timeout=seconds)
    except Empty:
        raise TimeoutError(f"not done within {seconds:g} s") from None
    if error is not None:
        raise error
    return result  # type: ignore[return-value]  # None only where call() returned it
