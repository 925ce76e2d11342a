"""Where all protocols bring their questions: a workspace's archive is asked, and what it does counted."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode

from anyio import to_thread

from onrecord.archive import WITHOUT_MEANINGS, Archive
from onrecord.serve.http.asking import HowBody
from onrecord.serve.http.media import media_address
from onrecord.serve.http.metrics import Metrics
from onrecord.serve.http.signing import Signer
from onrecord.serve.http.streaming import Closing, Work, begun, pieces
from onrecord.serve.http.tenants import Tenants
from onrecord.serve.http.watching import watched
from onrecord.settings import Server
from onrecord.types import Answer, Citation, Event, Exchange, Nearest, Recording

_HOST = re.compile(r"(?<=') at [\w.\[\]:-]+(?= )")
"""Where a model is, in the message of an error: "the model 'small' at 10.0.0.7 answered ..."."""
_WEB = ("https://", "http://")


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to a workspace, how it is to be answered, and what was said before it; `base` is the address
    of this server, for whom links of it have to be absolute."""

    workspace: str
    question: str
    how: HowBody
    history: tuple[Exchange, ...] = ()
    base: str = ""


@dataclass(frozen=True, slots=True)
class Desk:
    """The workspaces that are served, and how. `web` says whether those who ask may be elsewhere: they are
    not told where things are on this machine."""

    tenants: Tenants
    settings: Server
    metrics: Metrics = field(default_factory=Metrics)
    signer: Signer | None = None
    web: bool = True
    closing: Closing = field(default_factory=Closing)

    async def events(self, ask: Ask) -> AsyncIterator[Event]:
        """The events of an answer, which end, also in the middle, when nobody reads them any longer.

        Raises what is wrong with the question, and what goes wrong before the first event is there.
        """
        await to_thread.run_sync(self._check, ask)
        work: Work[Event] = Work(lambda: self._events(ask))
        return await begun(pieces(work, self.settings.answer_seconds, self.closing))

    async def answer(self, ask: Ask) -> Answer:
        """The whole answer. Raises what is wrong with the question, and what goes wrong."""
        work: Work[Answer] = Work(lambda: self._whole(ask, work))
        (answer,) = [answer async for answer in pieces(work, self.settings.answer_seconds, self.closing)]
        return answer

    def media(self, workspace: str, recording: Recording, base: str = "") -> str | None:
        """The address at which a recording can be played; one of this server begins with the `base`."""
        found = media_address(recording, lambda: self._query(recording, workspace))
        return f"{base}{found}" if found and found.startswith("/") else found

    def link(
        self, workspace: str, recording: Recording, start: float | None, given: str | None, base: str = ""
    ) -> str | None:
        """The link `given`, where it opens for whoever asked, else one to where the recording can be played:
        paths of this machine stay here."""
        if not self.web or (given and given.startswith(_WEB)):
            return given
        media = self.media(workspace, recording, base)
        at = f"#t={int(start)}" if start is not None else ""
        return media and media + at

    def shown(self, workspace: str, citation: Citation, base: str = "") -> Citation:
        """The citation with a link that opens for whoever asked."""
        link = self.link(workspace, citation.recording, citation.start, citation.link, base)
        return replace(citation, link=link)

    def linked(self, workspace: str, value: Any, base: str = "") -> Any:
        """The JSON value with a `link` that opens for whoever asked wherever it names a `recording` too."""
        if isinstance(value, list):
            return [self.linked(workspace, each, base) for each in value]
        if not isinstance(value, dict):
            return value
        shown = {name: self.linked(workspace, each, base) for name, each in value.items()}
        if "link" in value and "recording" in value:
            recording = self.tenants.archive(workspace).store.recording(value["recording"])
            link = recording and self.link(workspace, recording, value.get("start"), value["link"], base)
            shown["link"] = link
        return shown

    def _query(self, recording: Recording, workspace: str) -> str:
        if self.signer:
            return self.signer.query(recording.id, workspace)
        return "" if workspace == self.tenants.names[0] else "?" + urlencode({"workspace": workspace})

    def _check(self, ask: Ask) -> None:
        archive = self.tenants.archive(ask.workspace)
        if ask.how.strategy:
            archive.strategy(ask.how.strategy)
        archive.resolved(ask.how.place())

    def _events(self, ask: Ask) -> Generator[Event]:
        archive: Archive = self.tenants.archive(ask.workspace)
        how = ask.how
        scope, hints = how.place(), how.hints.hints()
        stream = archive.stream(
            ask.question,
            how.strategy,
            scope,
            ask.history,
            without=how.without,
            hints=hints,
            form=how.form.form(),
            faq=how.faq,
        )
        with closing(watched(stream, self.metrics)) as events:
            for event in events:
                yield self._shown(ask, event)

    def _whole(self, ask: Ask, work: Work[Answer]) -> Iterator[Answer]:
        """The answer alone, so that all of it is made in one go, unless the work is stopped."""
        self._check(ask)
        with closing(self._events(ask)) as events:
            for event in events:
                if work.stopped:
                    return
                if isinstance(event, Answer):
                    yield event

    def _shown(self, ask: Ask, event: Event) -> Event:
        if isinstance(event, Citation):
            return self.shown(ask.workspace, event, ask.base)
        if isinstance(event, Nearest):
            return Nearest(tuple(self.shown(ask.workspace, c, ask.base) for c in event.citations))
        if isinstance(event, Answer):
            citations = tuple(self.shown(ask.workspace, c, ask.base) for c in event.citations)
            return replace(event, citations=citations, **(_discreet(event) if self.web else {}))
        return event


def _discreet(answer: Answer) -> dict[str, Any]:
    """Its notes and calls without the server's paths and addresses; what is wrong stays told."""
    cut = (note.partition(":")[0] if note.startswith(WITHOUT_MEANINGS) else note for note in answer.notes)
    calls = (replace(call, failure=_HOST.sub("", call.failure)) for call in answer.calls)
    return {"notes": tuple(_HOST.sub("", note) for note in cut), "calls": tuple(calls)}
