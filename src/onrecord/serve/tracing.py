"""OpenTelemetry spans for every answer: one for the answer, one for each stage and model call within it.

Without the extra `otel`, or without a tracer provider, this does nothing. No span contains the question, the
transcript's text or a speaker: only the work done, its duration, and numbers about its result.
"""

from __future__ import annotations

import time
from functools import cache
from importlib.util import find_spec
from typing import Any

from onrecord.types import Answer, Evidence

_SECOND = 1_000_000_000


class Spans:
    """The spans of one answer, which begins when this object is created."""

    def __init__(self) -> None:
        self._began = time.time_ns()
        self._tracer = _tracer()
        self._evidence: tuple[Evidence, int] | None = None

    def searched(self, evidence: Evidence) -> None:
        """Record that all stages have run."""
        self._evidence = evidence, time.time_ns()

    def end(self, answer: Answer | None, error: BaseException | None = None) -> None:
        """Send the spans, with the answer or the error; with neither if the client left."""
        if self._tracer is None:
            return
        from opentelemetry.trace import Status, StatusCode, set_span_in_context

        span = self._tracer.start_span("onrecord.ask", start_time=self._began)
        within = set_span_in_context(span)
        if answer is not None:
            attributes = {
                "verdict": answer.verdict,
                "confidence": answer.confidence,
                "citations": len(answer.citations),
            }
            span.set_attributes({f"onrecord.{name}": value for name, value in attributes.items()})
            self._calls(answer, within)
        if error is not None:
            span.set_status(Status(StatusCode.ERROR, type(error).__name__))
        if self._evidence is not None:
            self._stages(*self._evidence, within)
        span.end(time.time_ns())

    def _stages(self, evidence: Evidence, ended: int, within: Any) -> None:
        """Add the stages one after the other; the last one ends at `ended` (nanoseconds)."""
        start = ended - sum(int(step.seconds * _SECOND) for step in evidence.trace)
        for step in evidence.trace:
            span = self._tracer.start_span(f"onrecord.stage.{step.name}", context=within, start_time=start)
            span.set_attributes({"onrecord.taken": step.taken, "onrecord.given": step.given})
            start += int(step.seconds * _SECOND)
            span.end(start)

    def _calls(self, answer: Answer, within: Any) -> None:
        """Add the calls of models. Only their durations are known, so all of them end now."""
        now = time.time_ns()
        for call in answer.calls:
            start = max(self._began, now - int(call.seconds * _SECOND))
            span = self._tracer.start_span(f"onrecord.model.{call.role}", context=within, start_time=start)
            span.set_attributes(
                {
                    "gen_ai.request.model": call.model,
                    "gen_ai.usage.input_tokens": call.prompt_tokens,
                    "gen_ai.usage.output_tokens": call.completion_tokens,
                    "onrecord.failed": bool(call.failure),
                }
            )
            span.end(now)


@cache
def _available() -> bool:
    return find_spec("opentelemetry") is not None and find_spec("opentelemetry.trace") is not None


def _tracer() -> Any:
    """Return OpenTelemetry's tracer, or None without the package."""
    if not _available():
        return None
    from opentelemetry.trace import get_tracer

    return get_tracer("onrecord")
