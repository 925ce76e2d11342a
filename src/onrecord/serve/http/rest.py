"""Recordings, transcripts, search and answers as JSON."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from onrecord.answer.render import grade_json, plan_json
from onrecord.errors import InputError
from onrecord.serve.advice import scope_notes
from onrecord.serve.costs import costs_view
from onrecord.serve.http.access import Workspace, access_of
from onrecord.serve.http.bodies import AskBody, SearchBody, known_parameters
from onrecord.serve.http.desk import Desk, WorkspaceAsk
from onrecord.serve.http.media import media_reply
from onrecord.serve.http.streaming import unless_gone
from onrecord.serve.http.views import full_answer_view, public_moment, step_view
from onrecord.serve.keys import METRICS
from onrecord.serve.views import passage_view, section_view, stats_view

Second = Annotated[float | None, Query(ge=0, le=1e7, allow_inf_nan=False)]
Signed = Annotated[str | None, Query(description="as in the address in the field `media`")]
_MOST = 2000
"""The most recordings in one reply."""


def rest_router(desk: Desk) -> APIRouter:
    """Return the routes for one desk."""
    router = APIRouter(prefix="/api", dependencies=[Depends(known_parameters)])
    _recording_routes(router, desk)
    _account_routes(router, desk)
    _transcript_routes(router, desk)
    _question_routes(router, desk)
    return router


# ---------------------------------------------------------------- recordings


def _recording_routes(router: APIRouter, desk: Desk) -> None:
    @router.get("/recordings", tags=["recordings"])
    def recordings(
        request: Request,
        workspace: Workspace = None,
        offset: Annotated[int, Query(ge=0, le=10**9)] = 0,
        limit: Annotated[int, Query(ge=1, le=_MOST)] = 500,
    ) -> Response:
        """List the recordings by date, then title; undated last. `rights` are those of the sender."""
        name, archive = desk.archive_for(request, workspace)
        all_of_them = archive.recordings()
        page = [desk.recording(name, recording) for recording in all_of_them[offset : offset + limit]]
        about = {"workspace": name, "rights": sorted(access_of(request).rights), "total": len(all_of_them)}
        return JSONResponse({**about, "recordings": page})

    @router.get("/recordings/{recording}", tags=["recordings"])
    def one_recording(request: Request, recording: str, workspace: Workspace = None) -> Response:
        """Show a recording, by id or title, with its sections."""
        name, archive = desk.archive_for(request, workspace)
        match = archive.find(recording)
        passages = archive.store.transcript(match.id)
        sections = [section_view(section, passages) for section in archive.store.sections(match.id)]
        return JSONResponse({**desk.recording(name, match), "sections": sections})


# ---------------------------------------------------------------- counts and costs


def _account_routes(router: APIRouter, desk: Desk) -> None:
    @router.get("/stats", tags=["recordings"])
    def stats(request: Request, workspace: Workspace = None) -> Response:
        """Count recordings, passages, words, seconds of speech and live FAQ entries.

        The reply also names the embedding model.
        """
        _, archive = desk.archive_for(request, workspace)
        return JSONResponse(stats_view(archive))

    @router.get("/costs", tags=["recordings"])
    def costs(request: Request, workspace: Workspace = None) -> Response:
        """Show the costs of answers, embedding and the FAQ by day; for keys with the right to metrics."""
        _, archive = desk.archive_for(request, workspace, METRICS)
        return JSONResponse(costs_view(archive))


# ---------------------------------------------------------------- transcripts


def _transcript_routes(router: APIRouter, desk: Desk) -> None:
    @router.get("/recordings/{recording}/transcript", tags=["recordings"])
    def transcript(
        request: Request,
        recording: str,
        workspace: Workspace = None,
        at: Second = None,
        around: Annotated[float, Query(ge=0, le=1e7, allow_inf_nan=False)] = 60.0,
        start: Annotated[float | None, Query(alias="from", ge=0, le=1e7, allow_inf_nan=False)] = None,
        end: Annotated[float | None, Query(alias="to", ge=0, le=1e7, allow_inf_nan=False)] = None,
    ) -> Response:
        """Show the transcript of a recording, or a part of it.

        The part is what is said `around` the second `at`, or from one second to another.
        """
        name, archive = desk.archive_for(request, workspace)
        match = archive.find(recording)
        if start is not None or end is not None:
            if at is not None:
                raise InputError("send at and around, or from and to, not both")
            first = start or 0.0
            last = max(first, match.seconds or 0.0) if end is None else end
            if last < first:
                raise InputError(f"from={first:g} is after to={last:g}")
            at, around = (first + last) / 2, (last - first) / 2
        passages = [passage_view(p) for p in archive.transcript(match.id, at, around)]
        return JSONResponse({"recording": desk.recording(name, match), "passages": passages})

    @router.get("/recordings/{recording}/media", tags=["recordings"])
    def media(
        request: Request,
        recording: str,
        workspace: Workspace = None,
        until: Signed = None,
        signature: Signed = None,
    ) -> Response:
        """Send the audio or video file of a recording, or a range of it."""
        _, archive = desk.archive_for(request, workspace)
        return media_reply(archive.find(recording))


# ---------------------------------------------------------------- questions


def _question_routes(router: APIRouter, desk: Desk) -> None:
    @router.post("/search", tags=["questions"])
    def search(request: Request, body: SearchBody) -> Response:
        """List the moments that match some words, best first, without an answer."""
        name, archive = desk.archive_for(request, body.workspace)
        evidence = archive.search(body.asks(body.words, body.exchanges()))
        best = evidence.moments[: body.limit]
        pairs = ((moment, archive.store.recording(moment.recording)) for moment in best)
        reply = {
            "words": body.words,
            # a recording may have been removed in the meantime
            "moments": [public_moment(m, r, desk.media(name, r)) for m, r in pairs if r is not None],
            "notes": scope_notes(archive, evidence.question.scope),
            "plan": plan_json(evidence.plan) if evidence.plan else None,
            "grade": grade_json(evidence),
            "trace": [step_view(step) for step in evidence.trace],
        }
        return JSONResponse(reply)

    @router.post("/plan", tags=["questions"])
    def plan(request: Request, body: AskBody) -> Response:
        """Show how a question is understood: its kind, the filters read from it, and the strategy."""
        _, archive = desk.archive_for(request, body.workspace)
        return JSONResponse(plan_json(archive.plan(body.asks(body.question, body.exchanges()))))

    @router.post("/ask", tags=["questions"])
    async def ask(request: Request, body: AskBody) -> Response:
        """Answer a question. Every claim names who said it, where and at which second."""
        name = access_of(request).workspace(body.workspace)
        work = desk.answer(WorkspaceAsk(name, body.asks(body.question, body.exchanges())))
        answer = await unless_gone(request, work)
        return JSONResponse(full_answer_view(answer))
