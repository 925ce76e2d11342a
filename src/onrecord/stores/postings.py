"""Which passages hold a term, remembered for the terms asked for last."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onrecord.types import Counts

    Posting = tuple[Counts, Counts]
    """Slots of the passages that hold a term, and how often each does."""


class Postings:
    """At most `limit` passages over all terms; the term not asked for longest goes first."""

    def __init__(self, limit: int) -> None:
        self._limit, self._size = limit, 0
        self._kept: OrderedDict[str, Posting] = OrderedDict()
        self._lock = Lock()

    def get(self, term: str, read: Callable[[], Posting]) -> Posting:
        with self._lock:
            if term in self._kept:
                self._kept.move_to_end(term)
                return self._kept[term]
        posting = read()
        with self._lock:
            self._keep(term, posting)
        return posting

    def _keep(self, term: str, posting: Posting) -> None:
        if term in self._kept:
            return
        self._kept[term] = posting
        self._size += 1 + len(posting[0])
        while self._size > self._limit:
            _, (slots, _) = self._kept.popitem(last=False)
            self._size -= 1 + len(slots)
