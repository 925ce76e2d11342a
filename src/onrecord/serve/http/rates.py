"""Rate limits on requests and on wrong keys."""

from __future__ import annotations

import math
import time

from limits import parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from onrecord.errors import SettingError
from onrecord.serve.http.errors import Refused

_WRONG_KEYS = "20/minute"
_A_RATE = "a rate such as 120/minute or 5/second"


class Rates:
    """Counters of requests by sender, and of wrong keys by address.

    `rate` is as in the setting ``server.rate``. Raises SettingError for a rate that cannot be parsed.
    """

    def __init__(self, rate: str) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._wrong = parse(_WRONG_KEYS)
        try:
            self._rate = parse(rate) if rate else None
        except ValueError:
            raise SettingError("server.rate", rate, _A_RATE) from None
        if self._rate and not self._rate.amount:
            raise SettingError("server.rate", rate, _A_RATE)

    def count(self, name: str) -> None:
        """Count a request. Raises Refused (429) if it exceeds the rate."""
        if self._rate and not self._limiter.hit(self._rate, "key", name):
            reset = self._limiter.get_window_stats(self._rate, "key", name).reset_time
            raise _refusal(f"too many requests: {self._rate} are answered", reset)

    def check_wrong(self, address: str) -> None:
        """Raise Refused (429) if too many wrong keys came from an address."""
        if not self._limiter.test(self._wrong, "wrong", address):
            reset = self._limiter.get_window_stats(self._wrong, "wrong", address).reset_time
            raise _refusal("too many wrong keys came from this address", reset)

    def count_wrong(self, address: str) -> None:
        self._limiter.hit(self._wrong, "wrong", address)


def _refusal(reason: str, reset: float) -> Refused:
    wait = max(1, math.ceil(reset - time.time()))
    return Refused(429, "too_many_requests", f"{reason}; try again in {wait} s", {"Retry-After": str(wait)})
