"""Where all protocols bring their questions: a workspace's archive is asked, and what it does counted."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

from anyio import to_thread

from onrecord.archive import Archive
from onrecord.serve.http.asking import HowBody
from onrecord.serve.http.media import media_address
from onrecord.serve.http.streaming import Work, begun, pieces
from onrecord.serve.http.tenants import Tenants
from onrecord.settings import Server
from onrecord.strategies import named
from onrecord.types import Answer, Event, Exchange, Recording


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to a workspace, how it is to be answered, and what was said before it."""

    workspace: str
    question: str
    how: HowBody
    history: tuple[Exchange, ...] = ()


@dataclass(frozen=True, slots=True)
class Desk:
    """The workspaces that are served, and how."""

    tenants: Tenants
    settings: Server

    async def events(self, ask: Ask) -> AsyncIterator[Event]:
        """The events of an answer, which end, also in the middle, when nobody reads them any longer.

        Raises what is wrong with the question, and what goes wrong before the first event is there.
        """
        await to_thread.run_sync(self._check, ask)
        work: Work[Event] = Work(lambda: self._events(ask))
        return await begun(pieces(work, self.settings.answer_seconds))

    async def answer(self, ask: Ask) -> Answer:
        """The whole answer."""
        answer = None
        async for event in await self.events(ask):
            if isinstance(event, Answer):
                answer = event
        assert answer is not None  # noqa: S101 - `Event` promises it
        return answer

    def media(self, workspace: str, recording: Recording) -> str | None:
        """The address at which a recording can be played."""
        query = "" if workspace == self.tenants.names[0] else f"?workspace={workspace}"
        return media_address(recording, query)

    def _check(self, ask: Ask) -> None:
        archive = self.tenants.archive(ask.workspace)
        if ask.how.strategy:
            named(ask.how.strategy)
        archive.resolved(ask.how.scope.scope())

    def _events(self, ask: Ask) -> Iterator[Event]:
        archive: Archive = self.tenants.archive(ask.workspace)
        yield from archive.stream(ask.question, ask.how.strategy, ask.how.scope.scope(), ask.history)
