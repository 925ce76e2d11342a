"""An answer as parts of the UI message stream of the Vercel AI SDK (versions 5, 6 and 7).

Parts come in this order: ``start``, ``data-plan``, a transient ``data-step`` for every stage,
``data-evidence``, a transient ``data-nearest`` if a language model is to write, then text with each
``source-url`` or ``source-document`` before the text that cites it, ``data-answer``, ``finish``, and the
mark ``[DONE]``. A failure ends the stream with a part ``error``, because a stream that breaks off would look
finished.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

from anyio import to_thread

from onrecord.answer.conversation import follow_ups
from onrecord.answer.render import plan_json
from onrecord.ingest.links import is_web_link
from onrecord.retrieve.profile import profiles
from onrecord.serve.http.errors import logged, message_of
from onrecord.serve.http.inert import Inert
from onrecord.serve.http.views import answer_view, follow_up_view, profile_view, source_view, step_view
from onrecord.stores import Store
from onrecord.types import Answer, Citation, Event, Evidence, Heading, Nearest, Plan, Step

Part = dict[str, Any]
MediaOf = Callable[..., str | None]
"""Returns the address that plays a recording, or None."""

EVENT_HEADERS = {"Content-Type": "text/event-stream", "Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
HEADERS = {**EVENT_HEADERS, "X-Vercel-AI-UI-Message-Stream": "v1"}
DONE = b"data: [DONE]\n\n"


class UiMessage:
    """One assistant message while it is made. Passages are read from the `store`."""

    def __init__(self, store: Store, media_of: MediaOf) -> None:
        self._store, self._media_of = store, media_of
        self._text: str | None = None
        self._inert = Inert()

    def parts(self, event: Event) -> Iterator[Part]:
        """Yield the parts to send for an event."""
        if isinstance(event, Plan):
            yield {"type": "data-plan", "data": plan_json(event)}
        elif isinstance(event, Evidence):
            for step in event.trace:
                yield {"type": "data-step", "data": step_view(step), "transient": True}
            shown = [
                profile_view(profile, self._media_of(profile.recording))
                for profile in profiles(event, self._store)
            ]
            yield {"type": "data-evidence", "data": {"recordings": shown}}
        elif isinstance(event, Nearest):
            sources = [
                known_source(citation, self._media_of(citation.recording)) for citation in event.citations
            ]
            yield {"type": "data-nearest", "data": {"sources": sources}, "transient": True}
        elif isinstance(event, Step):
            yield {"type": "data-step", "data": step_view(event), "transient": True}
        elif isinstance(event, Citation):
            yield _source(event, self._media_of(event.recording))
        elif isinstance(event, str):
            yield from self._write(event)
        elif isinstance(event, Answer):
            yield from self._end(event)

    def _write(self, text: str) -> Iterator[Part]:
        if self._text is None:
            self._text = f"txt_{uuid.uuid4().hex}"
            yield {"type": "text-start", "id": self._text}
        if text:
            yield {"type": "text-delta", "id": self._text, "delta": self._inert(text)}

    def _end(self, answer: Answer) -> Iterator[Part]:
        if self._text is None:  # there are no quotes, and the heading says so
            yield from self._write(answer.heading)
        yield {"type": "text-end", "id": self._text}
        next_questions = [follow_up_view(each) for each in follow_ups(answer, self._store)]
        yield {"type": "data-answer", "data": {**answer_view(answer), "follow_ups": next_questions}}
        yield {"type": "finish", "finishReason": "stop"}


def known_source(citation: Citation, media: str | None) -> Part:
    """Return the details of a source; unknown ones are left out."""
    return {name: value for name, value in source_view(citation, media).items() if value is not None}


def _source(citation: Citation, media: str | None) -> Part:
    details = known_source(citation, media)
    part: Part = {"sourceId": f"source-{citation.number}", "title": citation.source}
    if is_web_link(citation.link):
        part |= {"type": "source-url", "url": citation.link}
    else:
        part |= {"type": "source-document", "mediaType": "text/plain"}
    return {**part, "providerMetadata": {"onrecord": details}}


def encoded(part: Part) -> bytes:
    """Return a part as one server-sent event."""
    return b"data: " + json.dumps(part, ensure_ascii=False, separators=(",", ":")).encode() + b"\n\n"


async def ui_stream(events: AsyncIterator[Event], message: UiMessage) -> AsyncIterator[bytes]:
    """Yield the events as server-sent events. Never raises: an error is a part of the stream."""
    yield encoded({"type": "start", "messageId": f"msg_{uuid.uuid4().hex}"})
    try:
        async for event in events:
            if isinstance(event, str):
                parts = list(message.parts(event))
            else:  # reads the archive and the disk, so it runs in a thread
                parts = await to_thread.run_sync(list, message.parts(event))
            yield b"".join(map(encoded, parts))
    except Exception as error:
        yield encoded({"type": "error", "errorText": message_of(logged(error))})
    yield DONE


# ---------------------------------------------------------------- plain text

TEXT_HEADERS = {"Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-cache"}


async def text_stream(events: AsyncIterator[Event]) -> AsyncIterator[bytes]:
    """Yield the heading, the text as it arrives, then the sources.

    Plain text has no other place for an error, so the error is the last paragraph.
    """
    written, inert = False, Inert()
    try:
        async for event in events:
            if isinstance(event, Heading):
                yield inert(f"{event.text}\n\n").encode()
            elif isinstance(event, str):
                written = True
                yield inert(event).encode()
            elif isinstance(event, Answer):
                yield inert(rest_of(event, written)).encode()
    except Exception as error:
        yield f"\n\n[The answer broke off: {message_of(logged(error))}]\n".encode()


def rest_of(answer: Answer, written: bool) -> str:
    """Return the end of a plain text: sources and notes."""
    parts = [part for part in (answer.sources, answer.remarks) if part]
    return ("\n\n" if written and parts else "") + "\n\n".join(parts) + "\n"
