"""The routes below ``/v1``: the protocol of OpenAI's chat completions.

The models are the strategies. Sources follow the text. The field ``onrecord`` of the reply has all their
details; in a stream, it is in the chunk that ends the answer.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from anyio import to_thread
from fastapi import APIRouter
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

import onrecord.strategies as strategies
from onrecord.answer.marks import marks_in
from onrecord.errors import did_you_mean, nearest
from onrecord.ingest.links import is_web_link
from onrecord.serve.http.access import access_of
from onrecord.serve.http.bodies import (
    CallBody,
    FormBody,
    HowBody,
    ScopeBody,
    Served,
    body_of,
    described,
    validated,
)
from onrecord.serve.http.conversation import asked
from onrecord.serve.http.desk import Desk, WorkspaceAsk, base_of
from onrecord.serve.http.errors import Refused, as_json, headers_of, logged, status_of
from onrecord.serve.http.inert import Inert
from onrecord.serve.http.parameters import Unsupported, refuse_unsupported
from onrecord.serve.http.streaming import Stream, unless_gone
from onrecord.serve.http.ui import DONE, EVENT_HEADERS, MediaOf, encoded, rest_of
from onrecord.serve.http.views import answer_view, source_view
from onrecord.types import Answer, Event, Heading, one_line

DEFAULT = "onrecord"
"""The model that represents the strategy of the settings."""
Chunk = dict[str, Any]


class StreamOptions(BaseModel):
    """The known stream option; others are ignored."""

    include_usage: bool = False


class CompletionBody(CallBody):
    """A request in OpenAI's format.

    Harmless parameters are ignored, others are refused by name: see `parameters`. `scope`, `workspace`, `faq`
    and those of an earnings call are onrecord's own.
    """

    model_config = ConfigDict(extra="ignore")

    messages: list[Any] = Field(default=[], description="[{role, content}]; the question last")
    model: str = Field(default=DEFAULT, max_length=200, description="GET /v1/models lists them")
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    scope: ScopeBody = ScopeBody()
    workspace: Served = None
    faq: bool | None = Field(default=None, description="ask the FAQ first")
    temperature: float | None = Field(default=None, ge=0, le=2, description="of what a language model writes")

    def how(self) -> HowBody:
        name = self.model.removeprefix(DEFAULT).removeprefix("/")
        form = FormBody(temperature=self.temperature)
        call = self.model_dump(include=set(CallBody.model_fields))
        return HowBody(strategy=name or None, scope=self.scope, form=form, faq=self.faq, **call)


class _Route(APIRoute):
    """A route that replies to any error in OpenAI's format."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handled(request: Request) -> Response:
            try:
                return await handle(request)
            except Exception as error:
                return JSONResponse(_error_object(error), status_of(error), headers_of(error))

        return handled


def openai_router(desk: Desk) -> APIRouter:
    """Return the routes ``/v1/models``, ``/v1/models/NAME`` and ``/v1/chat/completions``."""
    router = APIRouter(prefix="/v1", tags=["openai"], route_class=_Route)

    @router.get("/models")
    async def models(request: Request) -> Response:
        """List the strategies as models."""
        known = await to_thread.run_sync(_models, desk, access_of(request).workspace(None))
        return JSONResponse({"object": "list", "data": list(known.values())})

    @router.get("/models/{name:path}")
    async def model(request: Request, name: str) -> Response:
        """Show one model."""
        known = await to_thread.run_sync(_models, desk, access_of(request).workspace(None))
        return JSONResponse(known_model(known, name))

    @router.post("/chat/completions", openapi_extra=described(CompletionBody))
    async def completions(request: Request) -> Response:
        """Answer the last message of a conversation."""
        return await _completed(desk, request)

    return router


def known_model(models: Mapping[str, dict[str, Any]], name: str) -> dict[str, Any]:
    """Return the model with this name. Raises Refused."""
    if name not in models:
        requested = name.removeprefix(f"{DEFAULT}/")[:200]
        hint = did_you_mean(nearest(name, models)) or f"use {DEFAULT!r}, or one that GET /v1/models lists"
        raise Refused(404, "model_not_found", one_line(f"there is no model {requested!r}: {hint}"))
    return models[name]


async def _completed(desk: Desk, request: Request) -> Response:
    """Return the reply, whole or streamed. Raises the errors of the request and of the answer."""
    value = await body_of(request)
    refuse_unsupported(value, CompletionBody.model_fields)
    body = validated(CompletionBody, value)
    question, history = asked(body.messages)
    workspace = access_of(request).workspace(body.workspace)
    how = body.how()
    if how.strategy:
        known_model(await to_thread.run_sync(_models, desk, workspace), f"{DEFAULT}/{how.strategy}")
    base = base_of(request, desk.settings)
    ask = WorkspaceAsk(workspace, how.asks(question, history), base)
    extension = partial(_extension, partial(desk.media, workspace, base=base))
    if body.stream:
        usage = bool(body.stream_options and body.stream_options.include_usage)
        events = await desk.events(ask)
        return Stream(_streamed(events, _head(body.model), extension, usage), events, EVENT_HEADERS)
    answer = await unless_gone(request, desk.answer(ask))
    return JSONResponse(_completion(answer, body.model, extension))


def _error_object(error: Exception) -> Chunk:
    """Log an error, and return it in OpenAI's format."""
    status = status_of(logged(error))
    kind = "invalid_request_error" if status < 500 else "server_error"
    parameter = error.parameter if isinstance(error, Unsupported) else None
    return {"error": {**as_json(error)["error"], "type": kind, "param": parameter}}


# ---------------------------------------------------------------- models


def _models(desk: Desk, workspace: str) -> dict[str, Chunk]:
    """Return the models by name, each with the date of its file.

    `root` of the default model is the strategy of the settings.
    """
    archive = desk.tenants.archive(workspace)
    shipped, own_file = Path(strategies.__file__), archive.settings.strategies
    names = {DEFAULT: shipped} | {f"{DEFAULT}/{name}": shipped for name in strategies.STRATEGIES}
    names |= {f"{DEFAULT}/{name}": own_file or shipped for name in archive.own_strategies}
    models: dict[str, Chunk] = {}
    for name, file in names.items():
        created = int(file.stat().st_mtime)
        models[name] = {"id": name, "object": "model", "created": created, "owned_by": DEFAULT}
    models[DEFAULT]["root"] = f"{DEFAULT}/{archive.strategy(None).name}"
    return models


# ---------------------------------------------------------------- completions


def _head(model: str) -> Chunk:
    return {"id": f"chatcmpl-{uuid.uuid4().hex}", "created": int(time.time()), "model": model}


def _extension(media_of: MediaOf, answer: Answer) -> Chunk:
    """Return the field ``onrecord`` of an answer."""
    sources = [source_view(c, media_of(c.recording)) for c in answer.citations]
    return {**answer_view(answer), "sources": sources}


def _annotations(answer: Answer, cited_text: str) -> list[Chunk]:
    """Return OpenAI's annotations: the positions of web citations in a text, in characters."""
    links = {str(c.number): c for c in answer.citations if is_web_link(c.link)}
    return [
        {
            "type": "url_citation",
            "url_citation": {
                "start_index": mark.start(),
                "end_index": mark.end(),
                "url": links[mark[1]].link,
                "title": one_line(links[mark[1]].source),
            },
        }
        for mark in marks_in(cited_text)
        if mark[1] in links
    ]


def _completion(answer: Answer, model: str, extension: Any) -> Chunk:
    inert = Inert()
    cited_text = inert((f"{answer.heading}\n\n" if answer.heading else "") + answer.text)
    content = cited_text + inert(rest_of(answer, bool(answer.text)))
    message = {"role": "assistant", "content": content, "annotations": _annotations(answer, cited_text)}
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    return {
        **_head(model),
        "object": "chat.completion",
        "choices": [choice],
        "usage": _usage(answer),
        "onrecord": extension(answer),
    }


async def _streamed(
    events: AsyncIterator[Event], head: Chunk, extension: Any, usage: bool
) -> AsyncIterator[bytes]:
    """Yield each chunk as one server-sent event. Never raises: an error is the last chunk."""
    base = {**head, "object": "chat.completion.chunk"}
    inert, written, cited_text = Inert(), False, ""

    def piece(delta: Chunk, finish: str | None = None, **more: Any) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return encoded({**base, "choices": [choice], **more})

    yield piece({"role": "assistant", "content": ""})
    try:
        async for event in events:
            if isinstance(event, Heading | str):
                written = written or isinstance(event, str)
                text = inert(f"{event.text}\n\n" if isinstance(event, Heading) else event)
                cited_text += text
                yield piece({"content": text})
            elif isinstance(event, Answer):
                yield piece({"content": inert(rest_of(event, written))})
                yield piece({"annotations": _annotations(event, cited_text)})
                yield piece({}, "stop", onrecord=extension(event))
                if usage:
                    yield encoded({**base, "choices": [], "usage": _usage(event)})
        yield DONE
    except Exception as error:
        yield encoded(_error_object(error))


def _usage(answer: Answer) -> Chunk:
    """Return the tokens that language models counted for this answer; 0 if it consists of quotes."""
    asked_for = sum(call.prompt_tokens for call in answer.calls)
    written = sum(call.completion_tokens for call in answer.calls)
    return {"prompt_tokens": asked_for, "completion_tokens": written, "total_tokens": asked_for + written}
