"""``/v1``: what clients of OpenAI's chat completions ask for.

The models are the strategies. Sources stand below the text, and with all that is known of them in the
field ``onrecord`` of the reply (when streamed: of its last piece).
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

from anyio import to_thread
from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

import onrecord.serve.http.errors as errors
from onrecord.serve.http.access import access_of
from onrecord.serve.http.asking import HowBody, ScopeBody, body_of, explained
from onrecord.serve.http.conversation import asked
from onrecord.serve.http.desk import Ask, Desk
from onrecord.serve.http.inert import Inert
from onrecord.serve.http.streaming import Stream, unless_gone
from onrecord.serve.http.ui import DONE, encoded, rest_of
from onrecord.serve.http.views import answer_view, source_view
from onrecord.strategies import STRATEGIES
from onrecord.types import Answer, Event, Heading

DEFAULT = "onrecord"
"""The model that stands for the strategy of the settings."""
Chunk = dict[str, Any]
_HEADERS = {"Content-Type": "text/event-stream", "Cache-Control": "no-cache", "X-Accel-Buffering": "no"}


class StreamOptions(BaseModel):
    """Of them only this one is known."""

    include_usage: bool = False


class CompletionBody(BaseModel):
    """OpenAI's request. Temperature and the like are not for quotes, and are passed over; `scope` and
    `workspace` are our own."""

    model_config = ConfigDict(extra="ignore")

    messages: list[Any] = Field(default=[], description="[{role, content}]; the question last")
    model: str = Field(default=DEFAULT, max_length=200, description="GET /v1/models lists them")
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    scope: ScopeBody = ScopeBody()
    workspace: str | None = Field(default=None, max_length=500)

    def how(self) -> HowBody:
        name = self.model.removeprefix(DEFAULT).removeprefix("/")
        return HowBody(strategy=name or None, scope=self.scope)


def openai_router(desk: Desk) -> APIRouter:
    """``/v1/models`` and ``/v1/chat/completions``."""
    router = APIRouter(prefix="/v1", tags=["openai"])

    @router.get("/models")
    async def models(request: Request) -> Response:
        """The strategies, as models."""
        try:
            workspace = access_of(request).workspace(None)
            names = await to_thread.run_sync(_names, desk, workspace)
        except Exception as error:
            return _refusal(error)
        return JSONResponse({"object": "list", "data": [_model(name) for name in names]})

    @router.post("/chat/completions", openapi_extra=_DESCRIBED)
    async def completions(request: Request) -> Response:
        """Answer the last message of a conversation."""
        try:
            return await _completed(desk, request)
        except Exception as error:
            return _refusal(error)

    return router


async def _completed(desk: Desk, request: Request) -> Response:
    """The reply, whole or as it comes. Raises what is wrong with the request, and what goes wrong."""
    body = await _read(request)
    question, history = asked(body.messages)
    workspace = access_of(request).workspace(body.workspace)
    ask, extension = Ask(workspace, question, body.how(), history), _extension(desk, workspace)
    if body.stream:
        usage = bool(body.stream_options and body.stream_options.include_usage)
        events = await desk.events(ask)
        return Stream(_streamed(events, _head(body.model), extension, usage), events, _HEADERS)
    answer = await unless_gone(request, desk.answer(ask))
    return JSONResponse(_whole(answer, body.model, extension))


async def _read(request: Request) -> CompletionBody:
    try:
        return CompletionBody.model_validate(await body_of(request))
    except ValidationError as error:
        raise explained(error) from None


def _refusal(error: Exception) -> Response:
    status = errors.status_of(errors.logged(error))
    kind = "invalid_request_error" if status < 500 else "server_error"
    told = {**errors.as_json(error)["error"], "type": kind, "param": None}
    return JSONResponse({"error": told}, status, errors.headers_of(error))


# ---------------------------------------------------------------- models


def _names(desk: Desk, workspace: str) -> list[str]:
    own = desk.tenants.archive(workspace).own_strategies
    return [DEFAULT, *(f"{DEFAULT}/{name}" for name in {**STRATEGIES, **own})]


def _model(name: str) -> Chunk:
    return {"id": name, "object": "model", "created": 0, "owned_by": DEFAULT}


# ---------------------------------------------------------------- completions


def _head(model: str) -> Chunk:
    return {"id": f"chatcmpl-{uuid.uuid4().hex}", "created": int(time.time()), "model": model}


def _extension(desk: Desk, workspace: str) -> Any:
    """Makes the field ``onrecord`` of an answer."""
    media = partial(desk.media, workspace)

    def extension(answer: Answer) -> Chunk:
        sources = [source_view(c, media(c.recording)) for c in answer.citations]
        return {**answer_view(answer), "sources": sources}

    return extension


def _whole(answer: Answer, model: str, extension: Any) -> Chunk:
    heading = f"{answer.heading}\n\n" if answer.heading else ""
    content = Inert()(heading + answer.text + rest_of(answer, bool(answer.text)))
    message = {"role": "assistant", "content": content}
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
    """The pieces, each as one server-sent event. Never raises: an error is its last piece."""
    base = {**head, "object": "chat.completion.chunk"}
    inert, written = Inert(), False

    def piece(delta: Chunk, finish: str | None = None, **more: Any) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return encoded({**base, "choices": [choice], **more})

    yield piece({"role": "assistant", "content": ""})
    try:
        async for event in events:
            if isinstance(event, Heading):
                yield piece({"content": inert(f"{event.text}\n\n")})
            elif isinstance(event, str):
                written = True
                yield piece({"content": inert(event)})
            elif isinstance(event, Answer):
                yield piece({"content": inert(rest_of(event, written))})
                yield piece({}, "stop", onrecord=extension(event))
                if usage:
                    yield encoded({**base, "choices": [], "usage": _usage(event)})
        yield DONE
    except Exception as error:
        yield encoded(json.loads(bytes(_refusal(error).body)))


def _usage(answer: Answer) -> Chunk:
    """The tokens that language models counted for this answer; none where it was made of quotes."""
    asked_for = sum(call.prompt_tokens for call in answer.calls)
    written = sum(call.completion_tokens for call in answer.calls)
    return {"prompt_tokens": asked_for, "completion_tokens": written, "total_tokens": asked_for + written}


_DESCRIBED = {
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": CompletionBody.model_json_schema()}},
    }
}
