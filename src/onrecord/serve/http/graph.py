"""The graph over HTTP: who speaks of what since when, how it connects, and what names are read as."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from pydantic import Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from onrecord.graph.results import plain
from onrecord.serve.http.access import Workspace
from onrecord.serve.http.asking import Strict, Text, known_parameters
from onrecord.serve.http.desk import Desk
from onrecord.serve.keys import WRITE

if TYPE_CHECKING:
    from onrecord.archive.graph import ArchiveGraph

Name = Annotated[str, Query(min_length=1, max_length=300, description="of somebody or something")]
Most = Annotated[int, Query(ge=1, le=100, description="of each list")]


def graph_router(desk: Desk) -> APIRouter:
    """``GET /api/graph/NAME`` for each query below, ``POST /api/graph/merge``, ``split``, ``alias``."""
    known = [Depends(known_parameters)]
    router = APIRouter(prefix="/api/graph", tags=["graph"], dependencies=known)
    of = _Queries(desk)
    for query in (
        of.concepts,
        of.about,
        of.aliases,
        of.similar,
        of.between,
        of.causes,
        of.timeline,
        of.common,
    ):
        router.get(f"/{query.__name__}")(query)
    _names(router, desk)
    return router


class _NameBody(Strict):
    """A name, and why it is read otherwise from now on."""

    name: Text = Field(min_length=1)
    reason: Text | None = Field(default=None, min_length=1, description="kept beside the change")
    workspace: Text | None = Field(default=None, description="the first one served, unless named")

    def why(self) -> dict[str, str]:
        return {"reason": self.reason} if self.reason else {}


class MergeBody(_NameBody):
    """Two names of one."""

    into: Text = Field(min_length=1, description="the name that it is read as")


class SplitBody(_NameBody):
    """Two names that are not of one."""

    off: Text = Field(min_length=1, description="the name that it is not read as")


class AliasBody(_NameBody):
    """One more name of somebody or something that is spoken of."""

    of: Text = Field(min_length=1, description="whose name it is")


def _names(router: APIRouter, desk: Desk) -> None:
    """What names are read as. Every change is a row with its reason, and can be taken back."""

    def graph(request: Request, body: _NameBody) -> ArchiveGraph:
        return desk.archive_for(request, body.workspace, WRITE)[1].graph

    @router.post("/merge")
    def merge(request: Request, body: MergeBody) -> Response:
        """Read `name` as `into` from now on. `split` takes it back; nothing is lost."""
        return JSONResponse(plain(graph(request, body).merge(body.name, body.into, **body.why())))

    @router.post("/split")
    def split(request: Request, body: SplitBody) -> Response:
        """Do not read `name` as `off` any more. `merge` takes it back."""
        return JSONResponse(plain(graph(request, body).split(body.name, body.off, **body.why())))

    @router.post("/alias")
    def alias(request: Request, body: AliasBody) -> Response:
        """Make `name`, which nobody may have said yet, one more name of what is spoken of."""
        return JSONResponse(plain(graph(request, body).alias(body.name, body.of, **body.why())))


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

    def aliases(self, request: Request, name: Name, workspace: Workspace = None) -> Response:
        """All names of somebody or something, each with reason and score; a score of 0 keeps two apart."""
        return self._reply(request, workspace, lambda graph: {"aliases": graph.aliases(name)})

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
