"""Conversations in Chainlit: questions, streamed answers and their sources.

Transcripts are not trusted: their text is escaped, or made inert, before it goes into a message.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import chainlit as cl
from anyio import to_thread

from onrecord.answer.conversation import follow_ups
from onrecord.answer.render import escape
from onrecord.archive import Archive
from onrecord.ingest.details import MEDIA_TYPES
from onrecord.ingest.links import is_web_link
from onrecord.serve.http.errors import logged, message_of
from onrecord.serve.http.inert import Inert
from onrecord.serve.http.media import media_file
from onrecord.serve.http.streaming import Work, pieces
from onrecord.types import Answer, Citation, Event, Evidence, Filter, Heading, Scope, Step, one_line

MEDIA_PATH = "/onrecord/media/"
_MOST_STARTERS = 4
_MOST_RATED = 20
"""The number of latest answers in a conversation that can still be rated."""
_THUMBS = (("good", "👍", "A good answer"), ("bad", "👎", "Not a good answer"))


class Conversations:
    """The callbacks that answer the messages of all users who chat with one archive."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    def register(self) -> None:
        """Register the callbacks with Chainlit."""
        cl.set_starters(self.starters)
        cl.on_message(self.message)
        for name in ("ask", "good", "bad"):
            cl.action_callback(name)(getattr(self, name))
        cl.on_app_shutdown(self._archive.close)

    # ---------------------------------------------------------------- user actions

    async def starters(self, user: object = None) -> list[Any]:
        """Return questions to begin with, about the latest recordings."""
        recordings = await to_thread.run_sync(self._archive.recordings)
        dated = sorted(recordings, key=lambda recording: recording.details.date or "", reverse=True)
        titles = [one_line(recording.title) for recording in dated[:_MOST_STARTERS]]
        return [cl.Starter(label=title, message=f"What is said in {title}?") for title in titles]

    async def message(self, message: Any) -> None:
        """Answer a question that the user typed."""
        await self._answer(str(message.content))

    async def ask(self, action: Any) -> None:
        """Answer a suggested question: the same one without a filter, or a follow-up."""
        payload = action.payload
        fields: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in payload["scope"].items()
        }
        scope = Scope(**fields)
        await cl.Message(content=str(payload["question"]), type="user_message").send()
        await self._answer(str(payload["question"]), scope, [str(field) for field in payload["without"]])

    async def good(self, action: Any) -> None:
        """Store a thumb up."""
        await self._rate(action, good=True)

    async def bad(self, action: Any) -> None:
        """Store a thumb down."""
        await self._rate(action, good=False)

    async def _rate(self, action: Any, good: bool) -> None:
        """Store a rating, and withdraw an earlier rating of the same answer in this conversation."""
        name = action.payload["answer"]
        answer = (cl.user_session.get("answers") or {}).get(name)
        if answer is None:
            return
        ratings = cl.user_session.get("ratings") or {}
        if name in ratings:
            await to_thread.run_sync(self._archive.ledger.withdraw, ratings[name])
        rating = await to_thread.run_sync(self._archive.ledger.rate, answer, good)
        cl.user_session.set("ratings", {**ratings, name: rating.id})
        await cl.Message(content="Thank you, saved.", author="onrecord").send()

    # ---------------------------------------------------------------- an answer

    async def _answer(self, question: str, scope: Scope | None = None, without: Sequence[str] = ()) -> None:
        history = cl.user_session.get("history") or []
        work: Work[Event] = Work(
            lambda: self._archive.stream(question, scope=scope, history=history, without=without)
        )
        message = cl.Message(content="")
        try:
            answer = await self._stream(work, message)
        except Exception as error:
            await cl.ErrorMessage(content=message_of(logged(error))).send()
            return
        quotes = [_quote(c) for c in answer.citations]
        message.elements = [*quotes, *(player for c in answer.citations for player in _players(c))]
        message.actions = self._actions(answer, question, scope or Scope(), without, message.id)
        await message.send()
        await cl.ElementSidebar.set_elements([])  # otherwise Chainlit opens all quotes over a small screen
        cl.user_session.set("history", [*history, answer.exchange])
        light = replace(answer, evidence=replace(answer.evidence, curve=None))
        answers = {**(cl.user_session.get("answers") or {}), message.id: light}
        cl.user_session.set("answers", dict(list(answers.items())[-_MOST_RATED:]))

    async def _stream(self, work: Work[Event], message: Any) -> Answer:
        """Show the events of an answer as they arrive, and return the whole answer."""
        inert, written = Inert(), False
        async for event in pieces(work, self._archive.settings.server.answer_seconds):
            if isinstance(event, Evidence):
                await _show_trace(event)
            elif isinstance(event, Step):
                await _show_step(event)
            elif isinstance(event, Heading):
                await message.stream_token(f"**{escape(event.text.strip())}**\n\n")
            elif isinstance(event, str):
                written = True
                await message.stream_token(inert(event))
            elif isinstance(event, Answer):
                answer = event
        if not written and not message.content:
            await message.stream_token(f"**{escape(answer.heading)}**")
        await message.stream_token(_sources_and_notes(answer))
        return answer

    def _actions(
        self, answer: Answer, question: str, scope: Scope, without: Sequence[str], name: str
    ) -> list[Any]:
        """Return buttons: one for each filter field to leave out, one for each follow-up, and two thumbs."""
        conditions = scope.conditions
        filters: Sequence[Filter] = answer.evidence.plan.filters if answer.evidence.plan else ()
        shown: dict[str, list[str]] = {}
        for one in filters:
            recording = self._archive.store.recording(one.value) if one.field == "recording" else None
            shown.setdefault(one.field, []).append(one_line(recording.title if recording else one.value))
        buttons = [
            _ask(f"× {name} {', '.join(values)}", question, conditions, [*without, name])
            for name, values in shown.items()
        ]
        for follow_up in follow_ups(answer, self._archive.store):
            narrower = {**conditions, **follow_up.scope.conditions}
            buttons.append(_ask(one_line(follow_up.text), follow_up.question, narrower, list(without)))
        for thumb, label, tooltip in _THUMBS:
            buttons.append(cl.Action(name=thumb, payload={"answer": name}, label=label, tooltip=tooltip))
        return buttons


def _ask(label: str, question: str, scope: dict[str, Any], without: list[str]) -> Any:
    payload = {"question": question, "scope": scope, "without": without}
    return cl.Action(name="ask", payload=payload, label=label, tooltip="Ask this")


# ---------------------------------------------------------------- trace and sources


async def _show_trace(evidence: Evidence) -> None:
    """Show the plan and the result of every stage, as steps."""
    async with cl.Step(name="Searched the recordings", type="tool") as whole:
        if evidence.plan:
            filters = ", ".join(f"{each.field} {each.value}" for each in evidence.plan.filters)
            plan = f"{evidence.plan.intent}, by {evidence.plan.strategy}"
            whole.output = escape(f"{plan}; {filters}" if filters else plan)
        for step in evidence.trace:
            await _show_step(step)


async def _show_step(done: Step) -> None:
    async with cl.Step(name=done.name, type="tool") as step:
        step.output = escape(str(done))


def _sources_and_notes(answer: Answer) -> str:
    """Return the sources and notes below the text. The name of a quote in them opens the quote."""
    sources = "\n".join(f"- {_name(c)}: {escape(one_line(c.source))}{_link(c)}" for c in answer.citations)
    notes = "\n\n".join(f"*{escape(one_line(note))}*" for note in answer.notes)
    return "".join(f"\n\n{part}" for part in (sources, notes) if part)


def _name(citation: Citation) -> str:
    return f"Source {citation.number}"


def _link(citation: Citation) -> str:
    """Return a link to the recording if it is on the web. Nothing is fetched until the user opens it."""
    if not is_web_link(citation.link):
        return ""
    return f" ([open]({quote(citation.link, safe=':/?&=#%+,;@~.-_')}))"


def _quote(citation: Citation) -> Any:
    """Return the text of a citation, with its speaker and recording."""
    content = (
        f"**{citation.number}** {escape(one_line(citation.source))}\n\n“{escape(one_line(citation.quote))}”"
    )
    return cl.Text(name=_name(citation), content=content, display="side")


def _players(citation: Citation) -> Iterator[Any]:
    """Yield a player at the second of a citation, if the recording's file is on this machine."""
    file = media_file(citation.recording)
    if file is not None and citation.start is not None:
        player = cl.Video if MEDIA_TYPES[file.suffix.lower()].startswith("video/") else cl.Audio
        address = f"{MEDIA_PATH}{quote(citation.recording.id, safe='')}#t={citation.start:.1f}"
        yield player(name=f"Play {replace(citation, link=None)}", url=address, display="inline")
