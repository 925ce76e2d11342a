"""Measures how long loading takes, and limits the time of calls that have no time limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from threading import Thread, local
from time import perf_counter
from typing import TypeVar

T = TypeVar("T")


class _Spent(local):
    seconds = 0.0


_spent = _Spent()


@contextmanager
def loading() -> Iterator[None]:
    """Count the time of this block as loading: work done once in a process, such as loading a model."""
    began = perf_counter()
    try:
        yield
    finally:
        _spent.seconds += perf_counter() - began


def seconds_of_loading() -> float:
    """Return the seconds that this thread has spent loading so far. Only differences are meaningful."""
    return _spent.seconds


def call_within(seconds: float, call: Callable[[], T]) -> T:
    """Return or raise the outcome of a call. Raises TimeoutError after `seconds`.

    The call runs in a separate thread. After a timeout that thread continues, as nothing can stop it.
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
