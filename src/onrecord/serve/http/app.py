"""The web application: its routes and middleware."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from anyio import to_thread
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from onrecord.errors import OnRecordError
from onrecord.serve.http.access import access_of
from onrecord.serve.http.bodies import misshapen
from onrecord.serve.http.chat import chat_router
from onrecord.serve.http.desk import Desk
from onrecord.serve.http.editing import editing_router
from onrecord.serve.http.errors import Refused, json_reply
from onrecord.serve.http.evaluation import evaluation_router
from onrecord.serve.http.faq import FaqHeaders, faq_router
from onrecord.serve.http.feedback import feedback_router
from onrecord.serve.http.graph import graph_router
from onrecord.serve.http.guard import Guard
from onrecord.serve.http.health import health_router
from onrecord.serve.http.metrics import Counted, Metrics
from onrecord.serve.http.openai import openai_router
from onrecord.serve.http.rates import Rates
from onrecord.serve.http.rest import rest_router
from onrecord.serve.http.signing import Signer
from onrecord.serve.http.tenants import Tenants
from onrecord.serve.http.writing import writing_router
from onrecord.serve.keys import Keys
from onrecord.serve.page import mount
from onrecord.settings import Server
from onrecord.types import one_line

_CORS: dict[str, Any] = {
    "allow_methods": ["GET", "POST", "PATCH", "DELETE"],
    "allow_headers": ["authorization", "content-type", "x-api-key"],
    "expose_headers": ["x-error-code", "x-vercel-ai-ui-message-stream", "retry-after"],
}


def create_app(
    tenants: Tenants, settings: Server | None = None, *, keys: Keys | None = None, hosts: Sequence[str] = ()
) -> FastAPI:
    """Return the application.

    With `keys`, a request needs a key. `hosts` are the only host names that are answered; if empty, all are.
    """
    desk = Desk(tenants, settings or Server(), Metrics(), Signer(keys.removals) if keys else None)
    agents, agents_routes = _agents(desk)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        to_thread.current_default_thread_limiter().total_tokens = desk.settings.threads
        async with agents:
            yield
        desk.tenants.close()

    app = FastAPI(
        title="onrecord",
        version=version("onrecord"),
        summary="Answers about what people said, each with who said it, where, at which second.",
        lifespan=lifespan,
        exception_handlers=dict.fromkeys(_HANDLED, _refused),
        docs_url=None,
        redoc_url=None,
    )
    asking = (chat_router, openai_router, rest_router, graph_router)
    for make in (*asking, writing_router, editing_router, feedback_router, evaluation_router, health_router):
        app.include_router(make(desk))
    app.include_router(faq_router(desk))
    app.include_router(desk.metrics.router())
    app.router.routes.extend(agents_routes)
    app.state.closing = desk.closing
    mount(app)
    _add_middleware(app, desk, keys, hosts)
    return app


def _add_middleware(app: FastAPI, desk: Desk, keys: Keys | None, hosts: Sequence[str]) -> None:
    """Add the middleware. The last one added runs first."""
    settings = desk.settings
    app.add_middleware(
        Guard,
        names=desk.tenants.names,
        settings=settings,
        rates=Rates(settings.rate),
        signer=desk.signer,
        keys=keys,
        hosts=tuple(hosts),
    )
    app.add_middleware(FaqHeaders)  # runs before the guard, so that its refusals have the headers too
    app.add_middleware(Counted, metrics=desk.metrics)
    if settings.proxies:
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=list(settings.proxies))
    if settings.origins:
        app.add_middleware(CORSMiddleware, allow_origins=list(settings.origins), **_CORS)


def _agents(desk: Desk) -> tuple[AbstractAsyncContextManager[None], list[BaseRoute]]:
    """Return the context and the routes of the server for agents at ``/mcp``.

    The application enters the context while it runs. Without the extra `mcp`, there are no routes.
    """
    if not find_spec("mcp"):
        return nullcontext(), []
    from onrecord.serve.mcp import http_server

    server, routes = http_server(desk, access_of)
    return server.session_manager.run(), routes


_HANDLED = (OnRecordError, HTTPException, RequestValidationError, Exception)


async def _refused(request: Request, error: Exception) -> Response:
    """Return the reply to a request that failed."""
    if isinstance(error, HTTPException):
        error = _not_served(request, error)
    elif isinstance(error, RequestValidationError):
        error = _misread(request, error)
    return json_reply(error)


def _not_served(request: Request, error: HTTPException) -> Refused:
    """Return the refusal of a request that no route accepts, with advice."""
    code, headers = str(error.detail).lower().replace(" ", "_"), dict(error.headers or {})
    reason, path = str(error.detail), repr(one_line(request.url.path)[:200])
    if error.status_code == 404:
        reason = f"there is nothing at {path}: /openapi.json lists what there is"
    elif error.status_code == 400:  # FastAPI's reply to bytes that are not UTF-8
        code, reason = "input_error", "the request is not JSON in UTF-8: send an object"
    elif error.status_code == 405:
        reason = f"{path} does not take {request.method}: send {headers.get('Allow', 'another method')}"
    return Refused(error.status_code, code, reason, headers)


def _misread(request: Request, error: RequestValidationError) -> Refused:
    """Return the refusal for the first error in a request.

    A form, as curl sends it by default, and broken JSON have their own messages.
    """
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return Refused(400, "input_error", f"the request is not JSON: {first['ctx']['error']}")
    if first["loc"] == ("body",) and "json" not in request.headers.get("content-type", ""):
        reason = "the request is not JSON: send an object, with the header Content-Type: application/json"
        return Refused(400, "input_error", reason)
    return misshapen(first, outer=1)
