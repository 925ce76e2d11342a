"""The server: ``POST /api/faq``.

What is asked runs in the server's thread pool. What goes wrong inside is told in the log; whoever asked
gets a status, a code and a line without internals.
"""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from threading import Lock
from typing import Annotated, Any

from onrecord.errors import InputError, NotFoundError, OnRecordError, SettingError
from onrecord.retrieve.faq import Faq, FaqReply
from onrecord.retrieve.faq.reply import NO_CANDIDATES

try:
    import uvicorn
    from fastapi import APIRouter, Depends, FastAPI
    from starlette.requests import Request
    from starlette.responses import JSONResponse, Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send
except ImportError as error:
    raise SettingError(
        "serve", error.name, "possible with the extra: pip install 'onrecord[serve]'"
    ) from error

log = logging.getLogger(__name__)

FAQ_PATH = "/api/faq"
MOST_BYTES = 64 * 1024
OpenFaq = Callable[[str], Faq]
"""Opens the FAQ of a workspace."""


def create_app(open_faq: OpenFaq, workspaces: Sequence[str] = ("default",)) -> FastAPI:
    """The application. It answers for these workspaces and no others, the first where none is named."""
    tenants = Tenants(open_faq, workspaces)

    @asynccontextmanager
    async def living(_: FastAPI) -> AsyncIterator[None]:
        yield
        tenants.close()

    app = FastAPI(title="onrecord", lifespan=living, docs_url=None, redoc_url=None)
    app.include_router(faq_router(tenants))
    app.add_middleware(FaqHeaders)
    return app


def serve(open_faq: OpenFaq, workspaces: Sequence[str], host: str, port: int) -> None:
    """Answer requests until interrupted."""
    uvicorn.run(create_app(open_faq, workspaces), host=host, port=port, log_level="info", access_log=False)


class Tenants:
    """The FAQ of each workspace that is served, opened when it is first asked."""

    def __init__(self, open_faq: OpenFaq, workspaces: Sequence[str]) -> None:
        self._open, self._names = open_faq, tuple(workspaces)
        self._faqs: dict[str, Faq] = {}
        self._lock = Lock()

    def faq(self, name: str | None) -> Faq:
        """Of this workspace, of the first one for None. Raises NotFoundError for one that is not served."""
        name = self._names[0] if name is None else name
        if name not in self._names:
            raise NotFoundError(f"there is no workspace {name[:200]!r} here")
        with self._lock:
            if name not in self._faqs:
                self._faqs[name] = self._open(name)
            return self._faqs[name]

    def close(self) -> None:
        for faq in self._faqs.values():
            faq.close()


def faq_router(tenants: Tenants) -> APIRouter:
    """``POST /api/faq``: {question, workspace?} to {answer, entry, stage, score, candidates, clarify}."""

    def ask(data: Annotated[bytes, Depends(_body)]) -> Response:
        try:
            question, workspace = _asked(data)
            reply = tenants.faq(workspace).ask(question)
        except OnRecordError as error:
            return JSONResponse(_told(error), error.status)
        except Exception:
            log.exception("a question could not be answered")
            return JSONResponse(_told(OnRecordError()), 500)
        return JSONResponse(reply.to_json(), headers=headers(reply))

    router = APIRouter()
    router.add_api_route(FAQ_PATH, ask, methods=["POST"], openapi_extra=_DESCRIBED)
    return router


async def _body(request: Request) -> bytes:
    """What was sent, up to one byte more than is allowed."""
    data = b""
    async for part in request.stream():
        data += part
        if len(data) > MOST_BYTES:
            break
    return data[: MOST_BYTES + 1]


def _asked(data: bytes) -> tuple[str, str | None]:
    """The question and the workspace, if one is named. Raises InputError."""
    if len(data) > MOST_BYTES:
        raise InputError(f"the request is too long: at most {MOST_BYTES // 1024} KB are read")
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        raise InputError('the request is no JSON: send {"question": "..."}') from None
    if not isinstance(value, dict) or not isinstance(value.get("question"), str):
        raise InputError('the request has no question: send {"question": "..."}')
    if not isinstance(value.get("workspace"), str | None):
        raise InputError("workspace must be a text")
    return value["question"], value.get("workspace")


def headers(reply: FaqReply) -> dict[str, str]:
    """What is told about how a reply came to be."""
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
    """Gives the headers to those replies of the FAQ's address that have none: errors of every kind."""

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
                there = {name.lower() for name, _ in message["headers"]}
                missing = [pair for pair in self._unasked if pair[0] not in there]
                message["headers"] = [*message["headers"], *missing]
            await send(message)

        await self._app(scope, receive, with_headers)


def _told(error: OnRecordError) -> dict[str, Any]:
    """An error as JSON: what the caller did wrong in full, what went wrong inside by its code only."""
    if isinstance(error, InputError):
        message = str(error)
    else:
        log.warning("a question could not be answered: %s", error)
        message = "the FAQ cannot answer at the moment; try again later"
    return {"error": {"code": error.code, "message": message}}


_DESCRIBED = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "required": ["question"],
                    "properties": {"question": {"type": "string"}, "workspace": {"type": "string"}},
                }
            }
        },
    }
}
