"""Work in threads ends when the client disconnects, the time limit passes or the server stops."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from threading import Event, Thread
from threading import enumerate as enumerate_threads

import pytest

from onrecord.archive.progress import Progress
from onrecord.models.background import submit
from onrecord.serve.http.errors import Refused
from onrecord.serve.http.progress import result_of
from onrecord.serve.http.streaming import Closing, Work, begun, pieces


class Source:
    """A callable that returns an iterator, which counts up with a pause before each number.

    `closed` is set when the iterator ends.
    """

    def __init__(self, pause: float = 0.0, most: int = 10**9, fails_at: int = -1) -> None:
        self.pause, self.most, self.fails_at = pause, most, fails_at
        self.drawn, self.closed = 0, Event()

    def __call__(self) -> Iterator[int]:
        try:
            while self.drawn < self.most:
                time.sleep(self.pause)
                if self.drawn == self.fails_at:
                    raise ZeroDivisionError
                self.drawn += 1
                yield self.drawn
        finally:
            self.closed.set()


def test_all_pieces_in_order() -> None:
    async def main() -> list[int]:
        return [piece async for piece in pieces(Work(Source(most=5)), 5)]

    assert asyncio.run(main()) == [1, 2, 3, 4, 5]


def test_leaving_ends_the_work() -> None:
    source = Source()

    async def main() -> None:
        stream = pieces(Work(source), 5)
        assert await anext(stream) == 1
        await stream.aclose()  # type: ignore[attr-defined]

    asyncio.run(main())
    assert source.closed.is_set() and source.drawn == 1


def test_cancelling_ends_the_work_at_its_next_piece() -> None:
    source = Source(pause=0.05)

    async def main() -> None:
        async def read() -> None:
            async for _ in pieces(Work(source), 5):
                pass

        task = asyncio.create_task(read())
        await asyncio.sleep(0.02)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(main())
    assert source.closed.wait(2) and source.drawn <= 1


def test_time_is_up() -> None:
    source = Source(pause=0.2)

    async def main() -> list[int]:
        return [piece async for piece in pieces(Work(source), 0.05)]

    with pytest.raises(Refused, match=r"longer than 0.05 s"):
        asyncio.run(main())
    assert source.closed.wait(2)


def test_what_goes_wrong_early_is_raised_at_once_and_later_where_it_happens() -> None:
    """An error before the first piece is raised by `begun`; a later one is raised by the stream."""

    async def main(source: Source, grace: float) -> list[int]:
        stream = await begun(pieces(Work(source), 5), grace)
        return [piece async for piece in stream]

    with pytest.raises(ZeroDivisionError):
        asyncio.run(main(Source(fails_at=0), 5))

    async def late() -> tuple[int, type[BaseException]]:
        stream = await begun(pieces(Work(Source(fails_at=1)), 5))
        first = await anext(stream)
        try:
            await anext(stream)
        except ZeroDivisionError as error:
            return first, type(error)
        raise AssertionError("it did not fail")

    assert asyncio.run(late()) == (1, ZeroDivisionError)


def test_a_slow_beginning_does_not_hold_the_reply_back() -> None:
    async def main() -> tuple[float, list[int]]:
        began = time.monotonic()
        stream = await begun(pieces(Work(Source(pause=0.3, most=1)), 5), grace=0.02)
        return time.monotonic() - began, [piece async for piece in stream]

    waited, reply = asyncio.run(main())
    assert waited < 0.25 and reply == [1]


def test_a_reply_that_is_left_before_its_first_piece_ends_the_work() -> None:
    source = Source(pause=0.1)

    async def main() -> None:
        stream = await begun(pieces(Work(source), 5), grace=0.01)
        reading = asyncio.ensure_future(anext(stream))
        await asyncio.sleep(0.01)
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
        await stream.aclose()  # type: ignore[attr-defined]

    asyncio.run(main())
    assert source.closed.wait(2) and source.drawn <= 1


def test_stopping_cancels_calls_of_models() -> None:
    reached, cancelled = Event(), Event()

    async def model() -> None:
        reached.set()
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    def asking() -> Iterator[int]:
        future = submit(model())
        with pytest.raises(BaseException):  # noqa: B017 - concurrent.futures.CancelledError
            future.result(timeout=20)
        yield 1

    work = Work(asking)
    thread = Thread(target=work.draw)
    thread.start()
    assert reached.wait(5)
    began = time.monotonic()
    work.stop()
    assert cancelled.wait(5)
    thread.join(5)
    assert time.monotonic() - began < 5 and work.draw() is None


def test_a_long_step_keeps_no_server_from_stopping() -> None:
    """When the server stops, neither the reply nor the thread that reads the progress waits for the step."""
    begun_step, release, before = Event(), Event(), set(enumerate_threads())

    def work(progress: Progress) -> bool:
        progress(0, 1, "long.txt")
        begun_step.set()
        return release.wait(20)

    async def main() -> None:
        closing = Closing()
        asyncio.get_running_loop().call_later(0.2, closing.begin)
        with pytest.raises(Refused, match="the server is being stopped"):
            await result_of(work, closing)

    began = time.monotonic()
    asyncio.run(main())
    assert begun_step.is_set()
    for thread in set(enumerate_threads()) - before:
        if not thread.daemon:
            thread.join(5)
            assert not thread.is_alive()
    assert time.monotonic() - began < 5
    release.set()


def test_the_result_of_long_work_and_its_error() -> None:
    def fail(progress: Progress) -> int:
        progress(0, 1, "short.txt")
        raise Refused(400, "bad", "no talk")

    assert asyncio.run(result_of(lambda progress: 7, Closing())) == 7
    with pytest.raises(Refused, match="no talk"):
        asyncio.run(result_of(fail, Closing()))
