"""The graph over HTTP: what is spoken of, by whom and since when, and how it hangs together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from onrecord.graph.results import plain
from onrecord.serve.http.access import Workspace
from onrecord.serve.http.asking import known_parameters
from onrecord.serve.http.desk import Desk

if TYPE_CHECKING:
    from onrecord.archive.graph import ArchiveGraph

Name = Annotated[str, Query(min_length=1, max_length=300, description="of somebody or something")]
Most = Annotated[int, Query(ge=1, le=100, description="of each list")]


def graph_router(desk: Desk) -> APIRouter:
    """``GET /api/graph/NAME``, NAME being a query below: ``concepts``, ``about``, ``similar``, ..."""
    known = [Depends(known_parameters)]
    router = APIRouter(prefix="/api/graph", tags=["graph"], dependencies=known)
    of = _Queries(desk)
    for query in (of.concepts, of.about, of.similar, of.between, of.causes, of.timeline, of.common):
        router.get(f"/{query.__name__}")(query)
    return router


@dataclass(frozen=True)
class _Queries:
    """What is answered at each path."""

    desk: Desk

    def _reply(self, request: Request, workspace: str | None, ask: Callable[[ArchiveGraph], Any]) -> Response:
        name, archive = self.desk.archive_for(request, workspace)
        return JSONResponse(self.desk.linked(name, plain(ask(archive.graph))))

    def concepts(
        self,
        request: Request,
        workspace: Workspace = None,
        across: Annotated[int, Query(ge=1, le=1000, description="recordings at least")] = 2,
        most: Most = 20,
    ) -> Response:
        """What is spoken of in several recordings, each with a quote."""
        return self._reply(request, workspace, lambda graph: {"concepts": graph.concepts(across, most)})

    def about(
        self,
        request: Request,
        name: Name,
        workspace: Workspace = None,
        most: Most = 12,
        unsure: Annotated[bool, Query(description="also relations that are right too seldom")] = False,
    ) -> Response:
        """Who speaks of something, how often and where; what is stated of it, and named with it."""
        return self._reply(request, workspace, lambda graph: graph.about(name, most, unsure))

    def similar(self, request: Request, name: Name, workspace: Workspace = None, most: Most = 12) -> Response:
        """What is similar to something in meaning: inferred, each with its strength."""
        return self._reply(request, workspace, lambda graph: {"similar": graph.similar(name, most)})

    def between(
        self,
        request: Request,
        one: Name,
        other: Name,
        workspace: Workspace = None,
        steps: Annotated[int, Query(ge=1, le=3)] = 3,
        most: Most = 5,
    ) -> Response:
        """How two hang together: paths, with the quotes that show each step."""
        return self._reply(request, workspace, lambda graph: graph.between(one, other, steps, most))

    def causes(
        self,
        request: Request,
        name: Name,
        origin: Annotated[str | None, Query(max_length=300, description="where chains begin")] = None,
        workspace: Workspace = None,
        steps: Annotated[int, Query(ge=1, le=3)] = 3,
        most: Most = 5,
    ) -> Response:
        """What is stated to have led to something, step by step back, with the quotes of each step."""
        return self._reply(request, workspace, lambda graph: graph.causes(name, origin, steps, most))

    def timeline(
        self,
        request: Request,
        name: Name,
        workspace: Workspace = None,
        by: Literal["day", "month", "year"] = "month",
    ) -> Response:
        """Mentions of something over time, by speaker."""
        return self._reply(request, workspace, lambda graph: graph.timeline(name, by))

    def common(
        self,
        request: Request,
        name: Annotated[list[str], Query(min_length=2, max_length=6, description="twice or more")],
        workspace: Workspace = None,
        most: Most = 12,
    ) -> Response:
        """What two or more speak of, and what only one of them does."""
        return self._reply(request, workspace, lambda graph: graph.common(*name, most=most))
