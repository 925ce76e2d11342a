"""How long it took to load what is loaded once, so that it is not taken for the time of a question."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import local
from time import perf_counter


class _Spent(local):
    seconds = 0.0


_spent = _Spent()


@contextmanager
def loading() -> Iterator[None]:
    """What is done in here is done once in a process: a model is loaded, patterns are compiled."""
    began = perf_counter()
    try:
        yield
    finally:
        _spent.seconds += perf_counter() - began


def seconds_of_loading() -> float:
    """The seconds that this thread has spent loading so far: only differences mean something."""
    return _spent.seconds
