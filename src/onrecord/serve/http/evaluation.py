"""The route ``POST /api/eval``: how well strategies find and answer, by questions with known answers."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from pydantic import Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from onrecord.archive.progress import Progress
from onrecord.serve.eval_show import to_json
from onrecord.serve.http.access import access_of
from onrecord.serve.http.bodies import ScopeBody, Served, Strict, Text, known_parameters, read_values
from onrecord.serve.http.desk import Desk
from onrecord.serve.http.progress import accepts_lines, reply_in_lines, result_of
from onrecord.serve.http.streaming import unless_gone
from onrecord.serve.keys import WRITE

Words = Annotated[str, Field(max_length=8000)]
Alternatives = Annotated[list[Words], Field(min_length=1, max_length=50)]
Names = Annotated[list[Words | Alternatives], Field(max_length=100)]
Second = (
    Annotated[float, Field(ge=0, le=1e7, allow_inf_nan=False)]
    | Annotated[str, Field(pattern=r"^\d{1,3}(:[0-5]\d){1,2}(\.\d{1,3})?$")]
)
_MOST = 500
"""The most questions in a request."""


class PlaceBody(Strict):
    """Where a part of the answer is: a recording, words that are spoken there, or a speaker."""

    recording: Text | None = Field(default=None, description="its id or title")
    from_: Second | None = Field(default=None, alias="from", description="seconds, or 1:02:03")
    to: Second | None = Field(default=None, description="seconds, or 1:02:03")
    words: Words | None = Field(default=None, description="what is said there")
    speaker: Text | None = None


class PastBody(Strict):
    """An earlier question and its answer."""

    question: Words
    answer: Words | None = None


class EvalQuestionBody(Strict):
    """A question, and the content of a good answer: `gold`, `entities`, `points`, or `unanswerable`."""

    text: str = Field(min_length=1, max_length=8000, examples=["Why did margins fall?"])
    id: Text | None = Field(default=None, description="its number, unless given")
    type: Text | None = Field(default=None, description="groups questions in the report")
    gold: list[PlaceBody] = Field(default=[], max_length=100)
    wrong: list[PlaceBody] = Field(default=[], max_length=100, description="what must not be shown")
    entities: Names = Field(default=[], description="names that the answer must have; a list is alternatives")
    points: Names = Field(default=[], description="what the answer must say; a list is alternatives")
    unanswerable: bool = Field(default=False, description="whether the question must be refused")
    history: list[PastBody] = Field(default=[], max_length=200, description="oldest first")
    scope: ScopeBody = ScopeBody()


class EvalBody(Strict):
    """Questions, and the strategies that answer them."""

    questions: list[EvalQuestionBody] = Field(min_length=1, max_length=_MOST)
    strategies: list[Text] = Field(
        default=[], max_length=8, description="by name, compared with the first; none: the setting's"
    )
    known: bool = Field(default=False, description="search only the recordings that hold the answer")
    words: int = Field(default=1000, ge=10, le=100_000, description="of the results that are judged")
    top: int | None = Field(default=None, ge=1, le=1000, description="K of Recall, Precision and nDCG@K")
    seed: int = Field(default=0, ge=0, le=2**32 - 1, description="of the intervals")
    workspace: Served = None


def evaluation_router(desk: Desk) -> APIRouter:
    """Return the route ``POST /api/eval``."""
    router = APIRouter(prefix="/api", tags=["evaluation"], dependencies=[Depends(known_parameters)])

    @router.post("/eval")
    async def evaluate(request: Request, body: EvalBody) -> Response:
        """Ask every question by every strategy, and measure what they find and answer.

        It takes the right to write, since one request asks many questions. With `Accept:
        application/x-ndjson` each question is a line, `{"progress": {"done", "of", "name"}}`, and the last
        line is the report, or `error`.
        """
        where = access_of(request).workspace(body.workspace, WRITE)
        examine = partial(_examine, desk, where, body)
        if accepts_lines(request):
            return reply_in_lines(examine, dict, desk.closing)
        return JSONResponse(await unless_gone(request, result_of(examine, desk.closing)))

    return router


def _examine(desk: Desk, workspace: str, body: EvalBody, progress: Progress | None) -> dict[str, Any]:
    """Return the report as plain values. Raises Refused for questions that cannot be measured."""
    from onrecord.evaluate import Yardstick
    from onrecord.evaluate.examine import examine
    from onrecord.evaluate.question_files import parse_questions

    rows = [each.model_dump(by_alias=True, exclude_unset=True) for each in body.questions]
    questions = read_values(parse_questions, rows)
    archive = desk.tenants.archive(workspace)
    strategies = [archive.strategy(name) for name in dict.fromkeys(body.strategies or (None,))]
    report = examine(
        archive,
        questions,
        strategies,
        known=body.known,
        yardstick=Yardstick.at(body.words, body.top),
        progress=progress,
        seed=body.seed,
    )
    return to_json(desk.discreet_report(report))
