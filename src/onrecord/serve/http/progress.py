"""Replies of long work: one line of JSON for each step, then one for the result."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Generic, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from onrecord.archive.progress import Progress
from onrecord.serve.http.errors import as_json, logged
from onrecord.serve.http.streaming import Closing, Stream, Work, pieces
from onrecord.serve.views import View

T = TypeVar("T")
LINES = "application/x-ndjson"
"""The media type with which a client requests the progress."""
_LONGEST = 3600.0
"""The most seconds that the work may take."""
_EVERY = 0.2
"""Seconds between two checks whether the work is stopped."""


@dataclass(frozen=True, slots=True)
class _Result(Generic[T]):
    value: T


class _Gone(Exception):  # noqa: N818 - no fault
    """The client left before the work was done."""


def accepts_lines(request: Request) -> bool:
    """Return whether the client requests the progress, line by line."""
    return LINES in request.headers.get("accept", "")


def reply_in_lines(work: Callable[[Progress], T], view: Callable[[T], View], closing: Closing) -> Response:
    """Return a reply with a line for each step of `work`, then a line for its result or error.

    `view` turns the result into JSON. If the client leaves, the work stops at its next step.
    """
    source = pieces(_in_steps(work), _LONGEST, closing)

    async def lines() -> AsyncIterator[bytes]:
        try:
            async for step in source:
                yield _line(view(step.value) if isinstance(step, _Result) else {"progress": step})
        except Exception as error:
            yield _line(as_json(logged(error)))

    return Stream(lines(), source, {"Content-Type": LINES, "Cache-Control": "no-cache"})


async def result_of(work: Callable[[Progress], T], closing: Closing) -> T:
    """Return the result of `work`, which stops at its next step if nobody waits for it any more.

    Raises its error, and Refused if the server is stopping.
    """
    steps = [step async for step in pieces(_in_steps(work), _LONGEST, closing) if isinstance(step, _Result)]
    return steps[-1].value


def _line(value: View) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


def _in_steps(work: Callable[[Progress], T]) -> Work[View | _Result[T]]:
    steps: Work[View | _Result[T]] = Work(lambda: _steps(work, lambda: steps.stopped))
    return steps


def _steps(work: Callable[[Progress], T], stopped: Callable[[], bool]) -> Iterator[View | _Result[T]]:
    """Yield each step of the work, then its result.

    Nothing more is yielded once the work is stopped, however long a step takes.
    """
    steps: SimpleQueue[View | _Result[T] | BaseException] = SimpleQueue()
    gone = False

    def progress(done: int, of: int, name: str) -> None:
        if gone:
            raise _Gone
        steps.put({"done": done, "of": of, "name": name.rpartition("/")[2]})

    def run() -> None:
        try:
            steps.put(_Result(work(progress)))
        except BaseException as error:
            steps.put(error)

    Thread(target=run, daemon=True).start()
    try:
        while not stopped():
            with suppress(Empty):
                step = steps.get(timeout=_EVERY)
                if isinstance(step, BaseException):
                    raise step
                yield step
                if isinstance(step, _Result):
                    return
    finally:
        gone = True
