"""The FAQ over HTTP: its questions with ready answers, its entries, thresholds and costs.

To ask needs the right to read, to see the costs that to metrics, and all else that to write. Every reply of
``POST /api/faq``, including errors of every kind, has seven headers that say how it was produced.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from pydantic import Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from onrecord.errors import InputError
from onrecord.ingest.faq import MOST_VARIANTS, read_faq, read_labelled
from onrecord.retrieve.faq import Faq, FaqReply
from onrecord.retrieve.faq.reply import NO_CANDIDATES
from onrecord.serve.costs import faq_costs_view
from onrecord.serve.http.access import Workspace
from onrecord.serve.http.bodies import (
    Served,
    Strict,
    body_of,
    described,
    known_parameters,
    read_values,
    validated,
)
from onrecord.serve.http.desk import Desk
from onrecord.serve.http.errors import json_reply
from onrecord.serve.http.guard import with_headers
from onrecord.serve.keys import METRICS, READ, WRITE
from onrecord.stores.faq import Thresholds
from onrecord.types import FaqEntry

FAQ_PATH = "/api/faq"
Status = Annotated[Literal["draft", "live", "retired"] | None, Query()]
_MOST = 10_000


class FaqBody(Strict):
    """A question for the FAQ."""

    question: str
    workspace: Served = None


class EntryBody(Strict):
    """A question with its answer, and other ways to ask it."""

    question: str = Field(min_length=1, max_length=1000)
    answer: str = Field(min_length=1, max_length=20_000)
    variants: list[str] = Field(default=[], max_length=MOST_VARIANTS)
    tags: list[str] = Field(default=[], max_length=100)
    link: str | None = Field(default=None, max_length=2000)
    id: str | None = Field(default=None, max_length=100, description="made of the question, unless given")


class EntriesBody(Strict):
    """Entries to add, as drafts unless `live` is true."""

    entries: list[EntryBody] = Field(min_length=1, max_length=_MOST)
    live: bool = False
    workspace: Served = None


class IdsBody(Strict):
    """Entries, by their ids."""

    ids: list[Annotated[str, Field(max_length=100)]] = Field(min_length=1, max_length=_MOST)
    workspace: Served = None


class LabelBody(Strict):
    """A question and the entry that answers it (its id or question); null or "none" if none does."""

    question: str = Field(min_length=1, max_length=1000)
    entry: str | None = Field(default=None, max_length=1000)


class CalibrateBody(Strict):
    """Labeled questions, and the precision that the thresholds should reach."""

    labelled: list[LabelBody] = Field(min_length=1, max_length=_MOST)
    precision: float = Field(default=0.95, ge=0.5, le=1, description="of what is answered at once")
    lost: float = Field(
        default=0.02, ge=0, le=0.5, description="of what an entry answers, asked back at once"
    )
    write: bool = Field(default=False, description="use the thresholds from now on")
    workspace: Served = None


class ThresholdsBody(Strict):
    """Both thresholds, or null for both to use those of the model."""

    high: float | None = Field(default=None, ge=0, le=1)
    low: float | None = Field(default=None, ge=0, le=1)
    workspace: Served = None


def faq_router(desk: Desk) -> APIRouter:
    """Return the routes ``POST /api/faq``, which answers a question, and those under ``/api/faq/``."""
    router = APIRouter(tags=["faq"], prefix=FAQ_PATH, dependencies=[Depends(known_parameters)])
    _question_routes(router, desk)
    _entry_routes(router, desk)
    _threshold_routes(router, desk)
    _calibration_route(router, desk)
    return router


def _question_routes(router: APIRouter, desk: Desk) -> None:
    @router.post("", openapi_extra=described(FaqBody), name="Ask the FAQ")
    def ask(request: Request, value: Annotated[Any, Depends(body_of)]) -> Response:
        """Answer with a ready answer, or ask back."""
        try:
            body = validated(FaqBody, value)
            reply = _faq(desk, request, body.workspace, READ).ask(body.question)
        except Exception as error:  # outside the middleware that adds the headers, the reply would lack them
            return json_reply(error)
        return JSONResponse(reply.to_json(), headers=headers(reply))

    @router.get("/costs")
    def costs(request: Request, workspace: Workspace = None) -> Response:
        """Show calls, tokens, money and cache hits by day; for keys with the right to metrics."""
        return JSONResponse(faq_costs_view(_faq(desk, request, workspace, METRICS)))


def _faq(desk: Desk, request: Request, workspace: str | None, right: str) -> Faq:
    return desk.archive_for(request, workspace, right)[1].faq


def _entry_routes(router: APIRouter, desk: Desk) -> None:
    @router.get("/entries")
    def entries(request: Request, workspace: Workspace = None, status: Status = None) -> Response:
        """List the entries, in the order in which they were added."""
        listed = _faq(desk, request, workspace, WRITE).entries(status)
        return JSONResponse({"entries": [asdict(entry) for entry in listed]})

    @router.post("/entries", status_code=201)
    def add(request: Request, body: EntriesBody) -> Response:
        """Add entries. One with an id that exists replaces the old one, as a draft unless `live` is true."""
        faq = _faq(desk, request, body.workspace, WRITE)
        entries = [entry.model_dump(exclude_none=True) for entry in body.entries]
        added = faq.add(*read_values(read_faq, entries), live=body.live)
        ids = {kind: _ids(getattr(added, kind)) for kind in ("added", "changed", "unchanged")}
        return JSONResponse(ids, 201 if added.added else 200)

    @router.post("/promote")
    def promote(request: Request, body: IdsBody) -> Response:
        """Make drafts live, so that they answer questions."""
        changed = _faq(desk, request, body.workspace, WRITE).promote(*body.ids)
        return JSONResponse({"live": _ids(changed)})

    @router.post("/retire")
    def retire(request: Request, body: IdsBody) -> Response:
        """Stop using entries, but keep them."""
        changed = _faq(desk, request, body.workspace, WRITE).retire(*body.ids)
        return JSONResponse({"retired": _ids(changed)})

    @router.delete("/entries/{entry}")
    def remove(request: Request, entry: str, workspace: Workspace = None) -> Response:
        """Remove an entry for good."""
        return JSONResponse({"removed": _ids(_faq(desk, request, workspace, WRITE).remove(entry))})


def _threshold_routes(router: APIRouter, desk: Desk) -> None:
    @router.get("/thresholds")
    def thresholds(request: Request, workspace: Workspace = None) -> Response:
        """Show the two thresholds."""
        return JSONResponse(asdict(_faq(desk, request, workspace, WRITE).thresholds()))

    @router.post("/thresholds")
    def set_thresholds(request: Request, body: ThresholdsBody) -> Response:
        """Set the two thresholds of this workspace and model."""
        faq = _faq(desk, request, body.workspace, WRITE)
        if (body.high is None) != (body.low is None):
            raise InputError("send both thresholds, or neither for those of the model")
        if body.high is not None and body.low is not None:
            if body.low > body.high:
                raise InputError(f"low {body.low:g} is over high {body.high:g}")
            faq.set_thresholds(Thresholds(body.high, body.low))
        else:
            faq.set_thresholds(None)
        return JSONResponse(asdict(faq.thresholds()))


def _calibration_route(router: APIRouter, desk: Desk) -> None:
    @router.post("/calibrate")
    def calibrate(request: Request, body: CalibrateBody) -> Response:
        """Propose thresholds for a precision, from labeled questions, with a forecast for other questions.

        If the precision cannot be reached, `within_reach` is false, and `thresholds` answer nothing at once.
        If fewer than `needed` questions are answered at once, `enough` is false, and the proposed
        thresholds are not written.
        """
        from onrecord.evaluate.faq import propose_thresholds

        faq = _faq(desk, request, body.workspace, WRITE)  # as to evaluate: one request asks many questions
        labels = [{"question": one.question, "entry": one.entry or "none"} for one in body.labelled]
        _, made = propose_thresholds(faq, read_values(read_labelled, labels), body.precision, body.lost)
        used = made.thresholds(faq.decides)
        written = body.write and made.may_be_used
        if written:
            faq.set_thresholds(used)
        return JSONResponse({**made.to_json(), "thresholds": asdict(used), "written": written})


def _ids(entries: Sequence[FaqEntry]) -> list[str]:
    return [entry.id for entry in entries]


def headers(reply: FaqReply) -> dict[str, str]:
    """Return the headers that say how a reply was produced."""
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
    """Middleware that adds the headers to the FAQ's replies that lack them: errors of every kind."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        unasked = headers(FaqReply("", NO_CANDIDATES))
        self._unasked = [(name.lower().encode(), value.encode()) for name, value in unasked.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].rstrip("/") == FAQ_PATH:
            send = with_headers(send, self._unasked)
        await self._app(scope, receive, send)
