"""Adding on many machines: Ray actors load the model once and write whole recordings to a server."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from importlib import import_module
from socket import create_connection
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from onrecord.archive.preparing import AHEAD, ATTEMPTS, EditsByRecording
from onrecord.errors import IngestError, InputError
from onrecord.ingest.outcomes import Refused, TranscriptSource

if TYPE_CHECKING:
    from onrecord.types import Recording

LOCAL = "local"
"""The address that starts Ray on this machine."""
_PATIENCE = 10.0
"""The seconds to wait for a cluster."""


@dataclass(frozen=True, slots=True)
class Written:
    """The recordings that an actor wrote of one source, and the tokens that it paid for.

    Some `recordings` may have been in the archive before. `twins` are names of sources, each with the
    recording that has the same words and stays.
    """

    recordings: tuple[Recording, ...]
    twins: tuple[tuple[str, Recording], ...]
    notes: tuple[str, ...]
    spent: int


Write = Callable[[TranscriptSource], Written | None]
"""Writes a source. Returns None for a source that it refuses."""


@dataclass(slots=True)
class _Sent:
    """A source, the actor that reads it, and the pending result; `result` is None if the caller reads it."""

    item: TranscriptSource | Refused
    at: int = -1
    actor: Any = None
    result: Any = None


class Actors:
    """Actors on the machines of a Ray cluster. Each one reads, prepares and writes sources.

    If an actor dies, a new one takes over its sources, and skips recordings that were written already.

    Args:
        address: the cluster's address: ``auto``, ``HOST:6379``, ``ray://HOST:10001``; ``local`` starts a
            cluster here.
        count: the number of actors, spread over the machines. The embedded model uses all processors of a
            machine.
        open_writer: called once in each actor; returns how that actor writes.

    Raises InputError if Ray is not installed or no cluster answers.
    """

    def __init__(self, address: str, count: int, open_writer: Callable[[], Write]) -> None:
        self._address, self._count, self._open = address, count, open_writer
        self._actors: list[Any] = []
        try:
            self._ray: Any = import_module("ray")
        except ModuleNotFoundError:
            raise InputError(
                "adding on many machines needs a package that is not installed: pip install 'onrecord[ray]'"
            ) from None

    def ahead(
        self,
        items: Iterable[TranscriptSource | Refused],
        edits_of: Callable[[TranscriptSource | Refused], EditsByRecording | None],
    ) -> Generator[tuple[TranscriptSource | Refused, Written | None], None, None]:
        """Yield each source in order with the recordings that an actor wrote.

        None means that nothing was written: the caller reads the source itself, and gets any error that the
        actor got. Closing this generator ends the actors. See `Workers.ahead`.
        """
        started = self._connect()
        waiting: deque[_Sent] = deque()
        try:
            for number, item in enumerate(items):
                skipped = isinstance(item, Refused) or edits_of(item) is None
                waiting.append(_Sent(item) if skipped else self._send(item, number % self._count))
                if len(waiting) >= AHEAD * self._count:
                    yield self._first(waiting)
            while waiting:
                yield self._first(waiting)
        finally:
            for actor in self._actors:
                self._ray.kill(actor)
            self._actors = []
            if started:
                self._ray.shutdown()

    def _first(self, waiting: deque[_Sent]) -> tuple[TranscriptSource | Refused, Written | None]:
        """Return the first source in the queue. Refuse a source over which actors die again and again."""
        sent = waiting.popleft()
        for attempt in range(ATTEMPTS):
            if attempt:
                sent = self._send(sent.item, sent.at)
            try:
                return sent.item, sent.result and self._ray.get(sent.result)
            except self._ray.exceptions.RayActorError:
                if self._actors[sent.at] is sent.actor:  # else it is replaced already
                    self._actors[sent.at] = self._actor()
        error = IngestError(f"{sent.item.name}: the process that read it was ended {ATTEMPTS} times")
        return Refused(sent.item.name, error), None

    def _send(self, item: TranscriptSource | Refused, at: int) -> _Sent:
        """Have an actor take a source. The first source starts all actors. Raises IngestError."""
        if not self._actors:
            self._actors = [self._actor() for _ in range(self._count)]
            try:
                self._ray.get([actor.__ray_ready__.remote() for actor in self._actors])
            except self._ray.exceptions.RayActorError as error:  # it cannot open the archive
                reason = str(error).strip().splitlines()[-1]
                raise IngestError(f"--ray {self._address}: its processes cannot begin: {reason}") from None
        actor = self._actors[at]
        return _Sent(item, at, actor, actor.write.remote(item))

    def _actor(self) -> Any:
        return self._ray.remote(_Actor).options(num_cpus=1, scheduling_strategy="SPREAD").remote(self._open)

    def _connect(self) -> bool:
        """Connect to the cluster. Return False if the caller had connected already."""
        if self._ray.is_initialized():
            return False
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        options: dict[str, Any] = {"address": self._address}
        if self._address == LOCAL:
            processors = max(self._count, os.cpu_count() or 1)
            options = {"num_cpus": processors, "include_dashboard": False, "_node_ip_address": "127.0.0.1"}
        try:
            place = urlsplit(self._address if "://" in self._address else f"//{self._address}")
            if place.hostname and place.port:  # Ray itself waits for minutes
                create_connection((place.hostname, place.port), _PATIENCE).close()
            self._ray.init(log_to_driver=False, logging_level="ERROR", **options)
        except (OSError, RuntimeError, ValueError) as error:
            raise InputError(f"--ray {self._address}: no cluster answers there ({error})") from None
        return True


class _Actor:
    def __init__(self, open_writer: Callable[[], Write]) -> None:
        self._write = open_writer()

    def write(self, item: TranscriptSource) -> Written | None:
        return self._write(item)
