"""The routes below ``/api/feedback``: ratings of answers.

A sender who may ask may rate. Reading all ratings needs the right to write.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from pydantic import Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from onrecord.archive.ledger import MOST_NOTE, MOST_QUOTES, MOST_TEXT
from onrecord.errors import NotFoundError
from onrecord.serve.http.access import Workspace
from onrecord.serve.http.bodies import (
    RATING,
    ExchangeBody,
    ScopeBody,
    Served,
    Strict,
    Text,
    capped,
    known_parameters,
)
from onrecord.serve.http.desk import Desk
from onrecord.serve.keys import WRITE
from onrecord.types import Exchange, Feedback, Quoted

Second = Annotated[float | None, Field(ge=0, le=1e7, allow_inf_nan=False)]
_WITHDRAWN = "no feedback has this id: it may have been taken back"


class QuotedBody(Strict):
    """A citation of the answer."""

    recording: Text = Field(description="id")
    quote: str = Field(min_length=1, max_length=8000)
    start: Second = None
    end: Second = None


class FeedbackBody(Strict):
    """A rating of an answer."""

    question: str = Field(min_length=1, max_length=8000, examples=["Why did margins fall?"])
    good: bool = Field(description="thumb up")
    note: str = Field(default="", max_length=MOST_NOTE)
    id: str = Field(
        default="", pattern=RATING, description="of an earlier one, which this takes the place of"
    )
    strategy: Text = Field(default="", description="that of the answer, as are trial and verdict")
    trial: bool = False
    verdict: Text = ""
    text: str = Field(default="", max_length=MOST_TEXT, description="what was shown")
    citations: list[QuotedBody] = Field(default=[], max_length=MOST_QUOTES)
    scope: ScopeBody = ScopeBody()
    history: list[ExchangeBody] = Field(default=[], max_length=200, description="oldest first")
    workspace: Served = None

    def feedback(self) -> Feedback:
        history = capped([Exchange(each.question) for each in self.history])
        return Feedback(
            id=self.id,
            good=self.good,
            question=self.question,
            note=self.note,
            history=history,
            scope=self.scope.scope(),
            strategy=self.strategy,
            trial=self.trial,
            verdict=self.verdict,
            text=self.text,
            evidence=tuple(Quoted(c.recording, c.quote, c.start, c.end) for c in self.citations),
        )


def feedback_router(desk: Desk) -> APIRouter:
    """Return ``POST``, ``GET`` and ``DELETE /api/feedback``."""
    router = APIRouter(prefix="/api/feedback", tags=["feedback"], dependencies=[Depends(known_parameters)])

    @router.post("", status_code=201)
    def give(request: Request, body: FeedbackBody) -> Response:
        """Rate an answer. Its citations must stand in the archive word for word."""
        _, archive = desk.archive_for(request, body.workspace)
        rating = body.feedback()
        if rating.id and archive.ledger.find(rating.id) is None:
            raise NotFoundError(_WITHDRAWN)
        stored = archive.ledger.give(rating)
        if not rating.id:
            desk.metrics.feedback.labels("good" if stored.good else "bad").inc()
        return JSONResponse({"id": stored.id, "good": stored.good, "note": stored.note}, 201)

    @router.get("")
    def listed(
        request: Request,
        workspace: Workspace = None,
        offset: Annotated[int, Query(ge=0, le=10**9)] = 0,
        limit: Annotated[int, Query(ge=1, le=2000)] = 500,
    ) -> Response:
        """List all ratings, newest first; for keys that may write."""
        name, archive = desk.archive_for(request, workspace, WRITE)
        ratings = archive.ledger.feedback()[::-1]
        page = [asdict(rating) for rating in ratings[offset : offset + limit]]
        return JSONResponse({"workspace": name, "total": len(ratings), "feedback": page})

    @router.delete("/{id}")
    def withdraw(request: Request, id: str, workspace: Workspace = None) -> Response:  # noqa: A002
        """Withdraw a rating, by its id."""
        _, archive = desk.archive_for(request, workspace)
        if not archive.ledger.withdraw(id):
            raise NotFoundError(_WITHDRAWN)
        return JSONResponse({"removed": id})

    return router
