"""``POST /api/faq``: questions that have a ready answer.

Every reply of its address, errors of every kind included, has seven headers that tell how it came to be.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from onrecord.retrieve.faq import FaqReply
from onrecord.retrieve.faq.reply import NO_CANDIDATES
from onrecord.serve.http.access import access_of
from onrecord.serve.http.asking import Strict, Text, body_of, described, known_parameters, validated
from onrecord.serve.http.errors import json_reply
from onrecord.serve.http.tenants import Tenants

FAQ_PATH = "/api/faq"


class FaqBody(Strict):
    """A question for the FAQ."""

    question: str
    workspace: Text | None = None


def faq_router(tenants: Tenants) -> APIRouter:
    """The route ``POST /api/faq``: {question, workspace?} to {answer, entry, stage, score, ...}."""
    router = APIRouter(tags=["faq"], dependencies=[Depends(known_parameters)])

    @router.post(FAQ_PATH, openapi_extra=described(FaqBody), name="Ask the FAQ")
    def ask(request: Request, value: Annotated[Any, Depends(body_of)]) -> Response:
        """Answer with a ready answer, or ask back."""
        try:
            body = validated(FaqBody, value)
            reply = tenants.archive(access_of(request).workspace(body.workspace)).faq.ask(body.question)
        except Exception as error:  # beyond the middleware that adds the headers it would be answered without
            return json_reply(error)
        return JSONResponse(reply.to_json(), headers=headers(reply))

    return router


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
