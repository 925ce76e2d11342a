"""The route ``POST /api/chat``: the Vercel AI SDK's UI message stream and plain-text stream."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from onrecord.serve.http.access import access_of
from onrecord.serve.http.bodies import ChatBody, body_of, described, validated
from onrecord.serve.http.conversation import asked
from onrecord.serve.http.desk import Desk, WorkspaceAsk
from onrecord.serve.http.errors import text_reply
from onrecord.serve.http.streaming import Stream
from onrecord.serve.http.ui import HEADERS, TEXT_HEADERS, UiMessage, text_stream, ui_stream


def chat_router(desk: Desk) -> APIRouter:
    """Return the chat, and the reply (204) to clients that want to resume a broken stream."""

    async def chat(request: Request) -> Response:
        """Answer the last message of a conversation."""
        try:
            value = await body_of(request)
            protocol = request.query_params.get("protocol")
            body = validated(ChatBody, {**value, "protocol": protocol} if protocol else value)
            access = access_of(request)
            question, history = asked(body.messages)
            ask = WorkspaceAsk(access.workspace(body.workspace), body.asks(question, history))
            events = await desk.events(ask)
            if body.protocol == "text":
                return Stream(text_stream(events), events, TEXT_HEADERS)
            store = desk.tenants.archive(ask.workspace).store
            message = UiMessage(store, partial(desk.media, ask.workspace))
            return Stream(ui_stream(events, message), events, HEADERS)
        except Exception as error:
            return text_reply(error)

    async def resume(chat: str) -> Response:
        """Streams are not stored, so there is nothing to resume."""
        return Response(status_code=204)

    router = APIRouter(tags=["chat"])
    router.add_api_route("/api/chat", chat, methods=["POST"], openapi_extra=described(ChatBody), name="Chat")
    router.add_api_route(
        "/api/chat/{chat}/stream", resume, methods=["GET"], status_code=204, name="Resume a chat"
    )
    return router
