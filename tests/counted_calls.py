"""A count of Python calls, as a measure of work.

Unlike a clock, it does not measure other processes of the machine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType


def python_calls(run: Callable[[], object]) -> int:
    """Return the number of Python functions that are called in this thread during a run."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        run()
    finally:
        sys.setprofile(before)
    return calls
