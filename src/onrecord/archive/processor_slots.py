"""Processor slots for the processes that add recordings, which leave a core free while a user asks.

A question is recorded as the time of a file in the user's cache folder. A slot is a lock on a file in the
same folder; the system releases it when a process ends. If such files cannot be written, or on Windows, no
process waits.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import IO

from onrecord.models.cache_folder import cache_root

ASKING = 3.0
"""The seconds after a question during which more questions are expected."""
LONGEST = 60.0
"""The most seconds to wait for a slot, because the process that holds it may have been stopped."""
_EVERY, _AGAIN = 1.0, 0.02
"""The seconds between two records of questions, and between two looks for a slot."""
_recorded = [-_EVERY]


def record_question() -> None:
    """Tell the processes that add, at most once a second, that a user asks a question."""
    now = time.monotonic()
    if now - _recorded[0] >= _EVERY:
        _recorded[0] = now
        with suppress(OSError):
            _folder().mkdir(parents=True, exist_ok=True)
            (_folder() / "asked").touch()


@contextmanager
def slot() -> Iterator[None]:
    """Hold one of the slots for adding while this context lasts.

    While a user asks, there are as many slots as cores but one, and at least one. Otherwise nothing is held.
    """
    with _free_slot() or nullcontext():
        yield


def _free_slot() -> closing[IO[bytes]] | None:
    """Return the lock on a slot; None if nobody asks, or if no slot comes free in time."""
    latest = time.monotonic() + LONGEST
    with suppress(OSError):
        while time.monotonic() < latest and time.time() - (_folder() / "asked").stat().st_mtime < ASKING:
            for number in range(max(1, (os.cpu_count() or 1) - 1)):
                if lock := _locked(_folder() / f"slot-{number}"):
                    return closing(lock)
            time.sleep(_AGAIN)
    return None


def _locked(path: Path) -> IO[bytes] | None:
    """Return the file, locked until it is closed; None if another process has the lock."""
    if sys.platform == "win32":
        raise OSError("files are not locked so")
    import fcntl

    file = path.open("ab")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        if isinstance(error, BlockingIOError):
            return None
        raise
    return file


def _folder() -> Path:
    return cache_root() / "slots"
