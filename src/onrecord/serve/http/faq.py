"""``POST /api/faq``: questions that have a ready answer.

Every reply of its address, errors of every kind included, has seven headers that tell how it came to be.
"""

from __future__ import annotations

import json
import logging
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from onrecord.errors import InputError, OnRecordError
from onrecord.retrieve.faq import FaqReply
from onrecord.retrieve.faq.reply import NO_CANDIDATES
from onrecord.serve.http.access import access_of
from onrecord.serve.http.asking import unknown_field
from onrecord.serve.http.errors import code_of, status_of
from onrecord.serve.http.tenants import Tenants

log = logging.getLogger("onrecord.serve")

FAQ_PATH = "/api/faq"
MOST_BYTES = 64 * 1024
_FIELDS = ("question", "workspace")


def faq_router(tenants: Tenants) -> APIRouter:
    """The route ``POST /api/faq``: {question, workspace?} to {answer, entry, stage, score, ...}."""

    def ask(request: Request, data: Annotated[bytes, Depends(_body)]) -> Response:
        """Answer with a ready answer, or ask back."""
        try:
            access = access_of(request)
            question, workspace = _read_question(data)
            reply = tenants.faq(access.workspace(workspace)).ask(question)
        except OnRecordError as error:
            return JSONResponse(_error_view(error), status_of(error))
        except Exception:
            log.exception("a question could not be answered")
            return JSONResponse(_error_view(OnRecordError()), 500)
        return JSONResponse(reply.to_json(), headers=headers(reply))

    router = APIRouter(tags=["faq"])
    router.add_api_route(FAQ_PATH, ask, methods=["POST"], openapi_extra=_REQUEST_SCHEMA, name="Ask the FAQ")
    return router


async def _body(request: Request) -> bytes:
    """The body, up to one byte more than allowed."""
    data = b""
    async for part in request.stream():
        data += part
        if len(data) > MOST_BYTES:
            break
    return data[: MOST_BYTES + 1]


def _read_question(data: bytes) -> tuple[str, str | None]:
    """The question and the workspace, if one is named. Raises InputError."""
    if len(data) > MOST_BYTES:
        raise InputError(f"the request is too long: at most {MOST_BYTES // 1024} KB are read")
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        raise InputError('the request is not JSON: send {"question": "..."}') from None
    message = unknown_field(value, _FIELDS)
    if message:
        raise InputError(message)
    if not isinstance(value, dict) or not isinstance(value.get("question"), str):
        raise InputError('the request has no question: send {"question": "..."}')
    if not isinstance(value.get("workspace"), str | None):
        raise InputError("workspace must be a text")
    return value["question"], value.get("workspace")


def headers(reply: FaqReply) -> dict[str, str]:
    """The headers that say how a reply came to be."""
    return {
        "X-Retrieval-Stage": reply.stage,
        "X-Retrieval-Score": f"{reply.score:.4f}",
        "X-Cache-Hit": str(reply.cached).lower(),
        "X-Rerank-Triggered": str(reply.reranked).lower(),
        "X-Rerank-Gate": reply.gate,
        "X-Rerank-Ms": f"{reply.rerank_ms:.1f}",
        "X-Retrieval-Ms": f"{reply.retrieval_ms:.1f}",
    }


class FaqHeaders:
    """Adds the headers to replies of the FAQ's address that lack them: errors of every kind."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        unasked = headers(FaqReply("", NO_CANDIDATES))
        self._unasked = [(name.lower().encode(), value.encode()) for name, value in unasked.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].rstrip("/") != FAQ_PATH:
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name.lower() for name, _ in message["headers"]}
                missing = [pair for pair in self._unasked if pair[0] not in present]
                message["headers"] = [*message["headers"], *missing]
            await send(message)

        await self._app(scope, receive, with_headers)


def _error_view(error: OnRecordError) -> dict[str, Any]:
    """An error as JSON: the caller's mistake in full, a fault inside by its code only."""
    if isinstance(error, InputError):
        message = str(error)
    else:
        log.warning("a question could not be answered: %s", error)
        message = "the FAQ cannot answer at the moment; try again later"
    return {"error": {"code": code_of(error), "message": message}}


_REQUEST_SCHEMA = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "required": ["question"],
                    "properties": {name: {"type": "string"} for name in _FIELDS},
                    "additionalProperties": False,
                }
            }
        },
    }
}
