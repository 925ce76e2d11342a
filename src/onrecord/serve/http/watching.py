"""Count and trace answers while they are made."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from onrecord.serve.http.metrics import Metrics
from onrecord.serve.tracing import Spans
from onrecord.types import Answer, Event, Evidence


def watched(events: Iterator[Event], metrics: Metrics) -> Generator[Event]:
    """The same events. However they end, that is counted and traced."""
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
