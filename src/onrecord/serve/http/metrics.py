"""Counters for Prometheus at ``/metrics``. No workspace, key or text is a label."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import partial
from time import perf_counter

from fastapi import APIRouter
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from onrecord.archive.ledger import tally_of
from onrecord.serve.budgets import PARTS, budgets
from onrecord.serve.http.access import access_of
from onrecord.serve.keys import METRICS
from onrecord.serve.tracing import Spans
from onrecord.types import Answer, Event, Evidence

_TIMES = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60)
_METHODS = ("GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH")


class Metrics:
    """The counters of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        counter, gauge = partial(Counter, registry=self.registry), partial(Gauge, registry=self.registry)
        times = partial(Histogram, buckets=_TIMES, registry=self.registry)
        by_route = ("method", "route", "status")
        self.requests = counter("onrecord_requests", "Requests by route and status", by_route)
        self.request_seconds = times("onrecord_request_seconds", "Until the first byte", ("route",))
        self.under_way = gauge("onrecord_answers_under_way", "Answers being made")
        self.answers = counter("onrecord_answers", "Answers by verdict", ("verdict",))
        left = "Answers that nobody waited for, or failed"
        self.unfinished = counter("onrecord_answers_unfinished", left, ("why",))
        self.stage_seconds = times("onrecord_stage_seconds", "The parts of an answer", ("stage",))
        self.budget = gauge("onrecord_budget_seconds", "What a part may take", ("stage",))
        self.over = counter("onrecord_over_budget", "Answers of which a part took longer", ("stage",))
        self.calls = counter("onrecord_model_calls", "Calls of language models", ("role", "outcome"))
        self.tokens = counter("onrecord_model_tokens", "Their tokens", ("kind",))
        self.money = counter("onrecord_model_money", "What they cost, by the prices set")
        self.reranked = counter("onrecord_answers_reranked", "Answers whose passages were read again")
        self.remembered = counter("onrecord_answers_remembered", "Answers to what was asked before")
        self.written = counter("onrecord_answers_written", "Answers that a language model wrote")
        self.sentences = counter("onrecord_sentences", "Written sentences by what became of them", ("kind",))
        for kind in ("shown", "marked", "withheld"):
            self.sentences.labels(kind)
        self.feedback = counter("onrecord_feedback", "Thumbs of people who asked", ("thumb",))
        for thumb in ("good", "bad"):
            self.feedback.labels(thumb)
        for stage in PARTS:
            self.over.labels(stage)

    def ended(self, answer: Answer | None, error: Exception | None) -> None:
        """Count an answer, or the reason why there is none: an error, or a client that left."""
        if answer is None:
            self.unfinished.labels("failed" if error else "left").inc()
            return
        self.answers.labels(answer.verdict).inc()
        for budget in budgets(answer):
            self.stage_seconds.labels(budget.stage).observe(budget.taken)
            self.budget.labels(budget.stage).set(budget.limit)
            if not budget.is_met:
                self.over.labels(budget.stage).inc()
        tally = tally_of(answer)
        self.reranked.inc(tally.reranked)
        self.remembered.inc(tally.remembered)
        self.written.inc(tally.written)
        self.sentences.labels("shown").inc(tally.sentences)
        self.sentences.labels("marked").inc(tally.marked)
        self.sentences.labels("withheld").inc(tally.withheld)
        for call in answer.calls:
            self.calls.labels(call.role, "failed" if call.failure else "used").inc()
            self.tokens.labels("prompt").inc(call.prompt_tokens)
            self.tokens.labels("completion").inc(call.completion_tokens)
            self.money.inc(call.money)

    def router(self) -> APIRouter:
        """Return the route ``/metrics``, for keys with the right to metrics."""
        router = APIRouter(tags=["health"])

        @router.get("/metrics")
        async def metrics(request: Request) -> Response:
            """Return the counters in Prometheus' text format."""
            access_of(request).need(METRICS)
            return Response(generate_latest(self.registry), headers={"Content-Type": CONTENT_TYPE_LATEST})

        return router


class Counted:
    """Middleware that counts requests by route, not by address, because addresses are unlimited in number."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = perf_counter()
        method = scope["method"] if scope["method"] in _METHODS else "other"

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                route = getattr(scope.get("route"), "path", "none")
                self._metrics.requests.labels(method, route, str(message["status"])).inc()
                self._metrics.request_seconds.labels(route).observe(perf_counter() - began)
            await send(message)

        await self._app(scope, receive, counted)


def watched(events: Iterator[Event], metrics: Metrics) -> Generator[Event]:
    """Yield the same events, then count and trace the answer, however the events end."""
    spans = Spans()
    answer: Answer | None = None
    failed: Exception | None = None
    metrics.under_way.inc()
    try:
        for event in events:
            if isinstance(event, Evidence):
                spans.searched(event)
            elif isinstance(event, Answer):
                answer = event
            yield event
    except Exception as error:
        failed = error
        raise
    finally:
        getattr(events, "close", lambda: None)()
        metrics.under_way.dec()
        metrics.ended(answer, failed)
        spans.end(answer, failed)
