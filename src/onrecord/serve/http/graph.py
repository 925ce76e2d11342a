"""The graph over HTTP: entities, their speakers and connections, and changes of names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import fastapi
from fastapi import APIRouter, Depends
from pydantic import create_model
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from onrecord.serve.graph_queries import READS, WRITES, Parameter, Query, parameters_of, view
from onrecord.serve.http.access import Workspace
from onrecord.serve.http.bodies import Served, Strict, known_parameters
from onrecord.serve.http.desk import Desk
from onrecord.serve.keys import WRITE
from onrecord.serve.signatures import annotation_of, with_signature


def graph_router(desk: Desk) -> APIRouter:
    """Return ``GET /api/graph/NAME`` for each query that reads, and ``POST`` for each that writes."""
    router = APIRouter(prefix="/api/graph", tags=["graph"], dependencies=[Depends(known_parameters)])
    for query in READS:
        router.get(f"/{query.__name__}")(_reading(desk, query))
    for query in WRITES:
        router.post(f"/{query.__name__}")(_writing(desk, query))
    return router


def _reading(desk: Desk, query: Query) -> Callable[..., Response]:
    """Return the handler of a query whose parameters are in the address."""

    def read(request: Request, workspace: str | None, **values: Any) -> Response:
        name, archive = desk.archive_for(request, workspace)
        return JSONResponse(desk.linked(name, view(query, archive.graph, **values)))

    parameters = {"request": (Request, Parameter.required), "workspace": (Workspace, None)}
    asked: dict[str, tuple[Any, Any]] = {}
    for each in parameters_of(query):
        # in an address, a list has the singular name, once for each value: name=Ann&name=Bo
        alias = {"alias": each.name.removesuffix("s")} if each.type == list[str] else {}
        asked[each.name] = annotation_of(each, fastapi.Query, **alias), each.default
    return with_signature(read, query.__name__, query.__doc__, {**parameters, **asked}, Response)


class _ChangeBody(Strict):
    """A change of the entity that a name means. It is stored with its reason, and can be undone."""

    workspace: Served = None


def _writing(desk: Desk, query: Query) -> Callable[..., Response]:
    """Return the handler of a query whose parameters are in a body."""
    fields: dict[str, Any] = {
        p.name: (annotation_of(p), ... if p.default is Parameter.required else p.default)
        for p in parameters_of(query)
    }
    title = f"{query.__name__.title()}Body"
    body_type = create_model(title, __base__=_ChangeBody, __doc__=query.__doc__, **fields)

    def write(request: Request, body: _ChangeBody) -> Response:
        _, archive = desk.archive_for(request, body.workspace, WRITE)
        values = body.model_dump(exclude={"workspace"})
        return JSONResponse(view(query, archive.graph, **values))

    parameters = {"request": (Request, Parameter.required), "body": (body_type, Parameter.required)}
    return with_signature(write, query.__name__, query.__doc__, parameters, Response)
