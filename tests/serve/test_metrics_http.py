"""The metrics and the trace spans of the server, which contain no words of questions or recordings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from onrecord.serve.budgets import budgets
from onrecord.types import Answer, Evidence, Question
from server_world import World, chat

QUESTION = "What did Brendan Kelly say about tariffs?"


@pytest.fixture(scope="module")
def spans() -> Iterator[InMemorySpanExporter]:
    """Yield an exporter that collects the spans of this process."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    yield exporter
    provider.shutdown()


def ours(spans: InMemorySpanExporter) -> dict[str, ReadableSpan]:
    """Return the spans of onrecord by name, without the spans of other packages."""
    return {span.name: span for span in spans.get_finished_spans() if span.name.startswith("onrecord.")}


def counted(client: TestClient) -> dict[str, float]:
    """Return the value of every sample by its name and its label values, without `le`."""
    samples = {}
    for family in text_string_to_metric_families(client.get("/metrics").text):
        for sample in family.samples:
            labels = ",".join(value for name, value in sorted(sample.labels.items()) if name != "le")
            samples[f"{sample.name}{{{labels}}}"] = sample.value
    return samples


def test_answers_and_their_budgets_are_counted(world: World) -> None:
    client = TestClient(world.app())
    client.post("/api/chat", json=chat(QUESTION))
    client.post("/api/ask", json={"question": "Why did gross margin fall?"})
    client.post("/api/ask", json={})
    client.get("/api/recordings/nowhere")
    client.get("/a/path/that/nobody/knows")
    seen = counted(client)
    assert seen["onrecord_answers_total{answered}"] == 2
    limits = {"plan": 0.01, "embed": 0.05, "search": 0.05, "total": 5.0}
    for stage in limits:
        assert seen[f"onrecord_stage_seconds_count{{{stage}}}"] == 2
        assert seen[f"onrecord_budget_seconds{{{stage}}}"] == limits[stage]
    assert seen["onrecord_requests_total{POST,/api/ask,200}"] == 1
    assert seen["onrecord_requests_total{POST,/api/ask,400}"] == 1
    assert seen["onrecord_requests_total{GET,/api/recordings/{recording},404}"] == 1
    assert seen["onrecord_requests_total{GET,none,404}"] == 1
    assert not any(word in str(seen) for word in ("Kelly", "nobody", "nowhere"))


def test_a_part_over_its_budget() -> None:
    answer = Answer(
        *("?", "", "", "answered", (), Evidence(Question("?"))),
        seconds={"search": 0.06, "total": 0.1},
        budgets={"search": 0.05, "total": 5.0, "embed": 0.05},
    )
    search, total = budgets(answer)
    assert (search.stage, search.is_met, total.is_met) == ("search", False, True)
    assert search.to_json() == {"stage": "search", "limit_ms": 50, "ms": 60.0}


def test_spans_tell_what_was_done_but_not_what_was_said(world: World, spans: InMemorySpanExporter) -> None:
    spans.clear()
    reply = TestClient(world.app()).post("/api/ask", json={"question": QUESTION}).json()
    done = ours(spans)
    whole = done["onrecord.ask"]
    assert whole.attributes is not None and whole.attributes["onrecord.verdict"] == "answered"
    assert {f"onrecord.stage.{step['name']}" for step in reply["trace"]} == set(done) - {"onrecord.ask"}
    for name, span in done.items():
        assert span.context is not None and whole.context is not None
        assert span.context.trace_id == whole.context.trace_id
        times = [whole.start_time, span.start_time, span.end_time, whole.end_time]
        assert times == sorted(times, key=lambda time: time or 0), name
    text = " ".join(span.to_json() for span in spans.get_finished_spans())
    assert "Kelly" not in text and "tariff" not in text


def test_spans_of_what_failed(
    world: World, spans: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    spans.clear()
    with TestClient(world.app(), raise_server_exceptions=False) as client:
        archive = world.tenants.archive("one")

        def failing(*_: object, **__: object) -> Iterator[str]:
            yield "A word"
            raise ZeroDivisionError("secret")

        monkeypatch.setattr(archive, "stream", failing)
        client.post("/api/chat", json=chat(QUESTION))
        assert counted(client)["onrecord_answers_unfinished_total{failed}"] == 1
    (span,) = ours(spans).values()
    assert span.status.description == "ZeroDivisionError" and "secret" not in span.to_json()
