"""A cache of what was read most recently."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """Values by key, with a total weight of at most `limit`. The least recently used leave first.

    May be used from several threads.
    """

    def __init__(self, limit: int, weigh: Callable[[Value], int]) -> None:
        self._limit, self._weigh, self._weight = limit, weigh, 0
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def get(self, keys: Sequence[Key], read: Callable[[list[Key]], Mapping[Key, Value]]) -> dict[Key, Value]:
        """The values of these keys. `read` is called once with the keys that are missing here; it may leave
        some out."""
        with self._lock:
            cached = {key: self._values[key] for key in keys if key in self._values}
            for key in cached:
                self._values.move_to_end(key)
        missing = [key for key in dict.fromkeys(keys) if key not in cached]
        if not missing:
            return cached
        read_now = read(missing)
        with self._lock:
            for key, value in read_now.items():
                self._put(key, value)
        return {**cached, **read_now}

    def _put(self, key: Key, value: Value) -> None:
        if key in self._values:
            return
        self._values[key] = value
        self._weight += self._weigh(value)
        while self._weight > self._limit:
            _, oldest = self._values.popitem(last=False)
            self._weight -= self._weigh(oldest)
