"""The desk, through which every protocol asks the archives, and which counts the answers."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode, urlsplit

from anyio import to_thread
from starlette.requests import HTTPConnection, Request

from onrecord.archive import Archive, Ask
from onrecord.archive.asking import checked_question, excluded_fields
from onrecord.archive.models import WITHOUT_MEANINGS
from onrecord.ingest.links import deep_link, is_web_link
from onrecord.serve.advice import scope_notes
from onrecord.serve.http.access import access_of
from onrecord.serve.http.guard import LOOPBACK, name_of
from onrecord.serve.http.media import media_file
from onrecord.serve.http.metrics import Metrics, watched
from onrecord.serve.http.signing import Signer
from onrecord.serve.http.streaming import Closing, Work, begun, pieces
from onrecord.serve.http.tenants import Tenants
from onrecord.serve.http.views import public_recording
from onrecord.serve.keys import READ
from onrecord.serve.views import View
from onrecord.settings import Server
from onrecord.types import Answer, Call, Citation, Event, Nearest, Recording

if TYPE_CHECKING:
    from onrecord.evaluate import Report

_HOST = re.compile(r"(?<=') at [\w.\[\]:-]+(?= )")
"""The address of a model in an error message: "the model 'small' at 10.0.0.7 answered ..."."""
_HOST_HEADER = re.compile(r"[\w.-]+(?::\d{1,5})?|\[[0-9A-Fa-f:.]+\](?::\d{1,5})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class WorkspaceAsk:
    """A question to a workspace.

    `base` is this server's address, for clients that need absolute links.
    """

    workspace: str
    ask: Ask
    base: str = ""


@dataclass(frozen=True, slots=True)
class Desk:
    """The served workspaces and the services that all protocols share.

    If `web` is true, clients may be on other machines, and never see paths of this machine.
    """

    tenants: Tenants
    settings: Server
    metrics: Metrics = field(default_factory=Metrics)
    signer: Signer | None = None
    web: bool = True
    closing: Closing = field(default_factory=Closing)

    async def events(self, asked: WorkspaceAsk) -> AsyncIterator[Event]:
        """Return the events of an answer. The work stops, even midway, as soon as nobody reads them.

        Raises errors in the question, and failures before the first event.
        """
        await to_thread.run_sync(self._check, asked)
        work: Work[Event] = Work(lambda: self._events(asked))
        return await begun(pieces(work, self.settings.answer_seconds, self.closing))

    async def answer(self, asked: WorkspaceAsk) -> Answer:
        """Return the whole answer. Raises errors in the question, and failures."""
        work: Work[Answer] = Work(lambda: self._answer_alone(asked, work))
        (answer,) = [answer async for answer in pieces(work, self.settings.answer_seconds, self.closing)]
        return answer

    def archive_for(self, request: Request, workspace: str | None, right: str = READ) -> tuple[str, Archive]:
        """Return the name of a request's workspace, and its archive.

        Raises Refused and NotFoundError if the sender may not use it, and StoreError if it cannot be opened.
        """
        name = access_of(request).workspace(workspace, right)
        return name, self.tenants.archive(name)

    def recording(self, workspace: str, recording: Recording) -> View:
        """Return a recording without private details, with the address that plays it."""
        return public_recording(recording, self.media(workspace, recording))

    def media(self, workspace: str, recording: Recording, base: str = "") -> str | None:
        """Return the address that plays a recording: its own web address, or one of this server for a file.

        An address of this server begins with `base`, and is signed if the server uses keys. None if there is
        nothing to play.
        """
        media = recording.details.media
        if media and urlsplit(media).scheme in ("http", "https"):
            return deep_link(None, media, None)
        if media_file(recording) is None:
            return None
        if self.signer:
            query = self.signer.query(recording.id, workspace)
        else:
            query = "" if workspace == self.tenants.names[0] else "?" + urlencode({"workspace": workspace})
        return f"{base}/api/recordings/{quote(recording.id, safe='')}/media{query}"

    def link(
        self, workspace: str, recording: Recording, start: float | None, original: str | None, base: str = ""
    ) -> str | None:
        """Return the `original` link if the client can open it, else the address that plays the recording.

        Paths of this machine are never sent to clients on other machines.
        """
        if not self.web or is_web_link(original):
            return original
        media = self.media(workspace, recording, base)
        at = f"#t={int(start)}" if start is not None else ""
        return media and media + at

    def cited(self, workspace: str, citation: Citation, base: str = "") -> Citation:
        """Return the citation with a link that the client can open."""
        link = self.link(workspace, citation.recording, citation.start, citation.link, base)
        return replace(citation, link=link)

    def linked(self, workspace: str, value: Any, base: str = "") -> Any:
        """Return a JSON value in which every `link` beside a `recording` is one that the client can open."""
        if isinstance(value, list):
            return [self.linked(workspace, each, base) for each in value]
        if not isinstance(value, dict):
            return value
        view = {name: self.linked(workspace, each, base) for name, each in value.items()}
        if "link" in value and "recording" in value:
            recording = self.tenants.archive(workspace).store.recording(value["recording"])
            link = recording and self.link(workspace, recording, value.get("start"), value["link"], base)
            view["link"] = link
        return view

    def discreet_report(self, report: Report) -> Report:
        """Return the evaluation without server addresses in the failures of its calls."""
        if not self.web:
            return report
        outcomes = {
            name: tuple(replace(each, calls=_discreet_calls(each.calls)) for each in part)
            for name, part in report.outcomes.items()
        }
        return replace(report, outcomes=outcomes)

    def _check(self, asked: WorkspaceAsk) -> None:
        """Raise errors in the question before a reply begins.

        On a busy machine they could otherwise arrive after the reply has begun.
        """
        archive, ask = self.tenants.archive(asked.workspace), asked.ask
        if ask.strategy:
            archive.strategy(ask.strategy)
        checked_question(archive, ask)
        excluded_fields(archive.store, ask.without)

    def _events(self, asked: WorkspaceAsk) -> Generator[Event]:
        archive: Archive = self.tenants.archive(asked.workspace)
        with closing(watched(archive.stream(asked.ask), self.metrics)) as events:
            for event in events:
                yield self._for_client(asked, event)

    def _answer_alone(self, asked: WorkspaceAsk, work: Work[Answer]) -> Iterator[Answer]:
        """Yield only the answer, made in one draw of the work unless it is stopped."""
        self._check(asked)
        with closing(self._events(asked)) as events:
            for event in events:
                if work.stopped:
                    return
                if isinstance(event, Answer):
                    yield event

    def _for_client(self, asked: WorkspaceAsk, event: Event) -> Event:
        if isinstance(event, Citation):
            return self.cited(asked.workspace, event, asked.base)
        if isinstance(event, Nearest):
            return Nearest(tuple(self.cited(asked.workspace, c, asked.base) for c in event.citations))
        if isinstance(event, Answer):
            citations = tuple(self.cited(asked.workspace, c, asked.base) for c in event.citations)
            notes = (*event.notes, *scope_notes(self.tenants.archive(asked.workspace), event.scope))
            if not self.web:
                return replace(event, citations=citations, notes=notes)
            # notes and calls must not show paths and addresses of the server, but still name the faults
            cut = (note.partition(":")[0] if note.startswith(WITHOUT_MEANINGS) else note for note in notes)
            discreet_notes = tuple(_HOST.sub("", note) for note in cut)
            calls = _discreet_calls(event.calls)
            return replace(event, citations=citations, notes=discreet_notes, calls=calls)
        return event


def _discreet_calls(calls: Sequence[Call]) -> tuple[Call, ...]:
    return tuple(replace(call, failure=_HOST.sub("", call.failure)) for call in calls)


def base_of(connection: HTTPConnection, settings: Server) -> str:
    """Return the setting `server.url`, or else the request's name for this server, if that name is certain.

    It is certain if it is this machine's own name, or the address at which the connection arrived. Anybody
    can write any other name into a request; then the result is empty, and links stay relative.
    """
    if settings.url:
        return settings.url
    host = connection.headers.get("host", "")
    names, server = set(LOOPBACK), connection.scope.get("server")
    if server and server[0]:
        names.add(f"[{server[0]}]" if ":" in server[0] else server[0].lower())
    if not _HOST_HEADER.fullmatch(host) or name_of(host) not in names:
        return ""
    return f"{connection.scope.get('scheme', 'http')}://{host}"
