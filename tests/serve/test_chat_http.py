"""POST /api/chat: the requests and streams of the AI SDK.

tests/web tests the route with the SDK itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from onrecord.archive import Ask
from onrecord.errors import GenerationError, StoreError
from onrecord.serve.http import ui
from onrecord.types import Event, Exchange
from server_world import World, chat, free_of_paths, kinds, parts_of

QUESTION = "Why did gross margin fall by five points?"


def test_an_answer_comes_in_parts(client: TestClient) -> None:
    """The stream has the headers and the order of parts that the AI SDK expects."""
    reply = client.post("/api/chat", json=chat(QUESTION))
    assert reply.status_code == 200
    assert reply.headers["content-type"].startswith("text/event-stream")
    assert reply.headers["cache-control"] == "no-cache"
    assert reply.headers["x-accel-buffering"] == "no"
    assert reply.headers["x-vercel-ai-ui-message-stream"] == "v1"
    parts = parts_of(reply.text)
    order = [kind for kind in kinds(parts) if kind != "data-plan"]
    assert order[:3] == ["start", "data-step", "data-evidence"]
    assert order[3:] == [
        "source-url",
        "text-start",
        "text-delta",
        "text-end",
        "data-answer",
        "finish",
    ]
    assert parts[-1] == {"type": "finish", "finishReason": "stop"}
    assert all(part["transient"] for part in parts if part["type"] == "data-step")


def test_sources_can_be_shown_and_opened(client: TestClient) -> None:
    """Each source has the number, the quote and a link that a front end shows."""
    parts = parts_of(client.post("/api/chat", json=chat(QUESTION)).text)
    text = "".join(part["delta"] for part in parts if part["type"] == "text-delta")
    sources = [part for part in parts if part["type"].startswith("source-")]
    assert sources
    for number, source in enumerate(sources, 1):
        known = source["providerMetadata"]["onrecord"]
        assert known["number"] == number and f"[{number}]" in text
        assert known["quote"] and known["recording"] and 0 <= known["confidence"] <= 1
        assert source["url"] == known["link"] and source["url"].endswith(f"={int(known['start'])}")
        assert None not in known.values()


def test_what_was_found_is_a_picture(client: TestClient) -> None:
    """The evidence part has what a front end draws: speaker shares, score curves and moments."""
    parts = parts_of(client.post("/api/chat", json=chat(QUESTION)).text)
    recordings = next(part["data"] for part in parts if part["type"] == "data-evidence")["recordings"]
    assert 0 < len(recordings) <= 8
    for recording in recordings:
        assert abs(sum(who["share"] for who in recording["speakers"]) - 1) < 0.01
        assert len(recording["curve"]) <= 200
        assert all(0 <= score <= 1 and start <= end for start, end, score in recording["curve"])
        for moment in recording["moments"]:
            assert 0 <= moment["start"] <= moment["end"] <= recording["seconds"] + 1


def test_how_sure_it_is_and_how_long_it_took(client: TestClient) -> None:
    """The answer part has the verdict, the confidence, the model calls and the time budgets."""
    parts = parts_of(client.post("/api/chat", json=chat(QUESTION)).text)
    answer = next(part["data"] for part in parts if part["type"] == "data-answer")
    assert answer["verdict"] == "answered" and 0 < answer["confidence"] <= 1
    assert answer["calls"] == [] and answer["seconds"]["total"] > 0
    whole = next(budget for budget in answer["budgets"] if budget["stage"] == "total")
    assert whole["limit_ms"] == 5000 and 0 < whole["ms"] < 5000


def test_what_is_suggested_can_be_asked(client: TestClient) -> None:
    """A follow-up returns sources when it is asked with its scope."""
    asked = chat("What is said about the tariff?")
    parts = parts_of(client.post("/api/chat", json=asked).text)
    answer = next(part["data"] for part in parts if part["type"] == "data-answer")
    assert answer["follow_ups"]
    for follow_up in answer["follow_ups"]:
        assert follow_up["text"] and follow_up["question"] == "What is said about the tariff?"
        parts = parts_of(client.post("/api/chat", json={**asked, "scope": follow_up["scope"]}).text)
        sources = [
            part["providerMetadata"]["onrecord"] for part in parts if part["type"].startswith("source-")
        ]
        assert sources
        for speaker in follow_up["scope"].get("speakers", ()):
            assert {source["speaker"] for source in sources} == {speaker}


def test_every_message_is_new(client: TestClient) -> None:
    starts = [parts_of(client.post("/api/chat", json=chat(QUESTION)).text)[0] for _ in range(2)]
    assert starts[0]["messageId"] != starts[1]["messageId"]


def test_nothing_found_is_said_in_the_text(client: TestClient) -> None:
    parts = parts_of(client.post("/api/chat", json=chat("Xylophone zymurgy quokka?")).text)
    answer = next(part["data"] for part in parts if part["type"] == "data-answer")
    text = "".join(part["delta"] for part in parts if part["type"] == "text-delta")
    assert answer["verdict"] in ("nothing_found", "low_relevance") and text.strip()


@pytest.mark.parametrize("where", ["query", "body"])
def test_plain_text(client: TestClient, where: str) -> None:
    query = "?protocol=text" if where == "query" else ""
    body = chat(QUESTION) if where == "query" else chat(QUESTION, protocol="text")
    reply = client.post(f"/api/chat{query}", json=body)
    assert reply.headers["content-type"] == "text/plain; charset=utf-8"
    assert reply.headers["cache-control"] == "no-cache"
    assert "“" in reply.text and "\n\n[1] " in reply.text and "https://" in reply.text
    heading, _ = reply.text.split("\n\n", 1)
    assert "answer this" in heading and "“" not in heading


@pytest.mark.parametrize(
    "message",
    [
        {"role": "user", "text": QUESTION},
        {"role": "user", "content": QUESTION},
        {"role": "user", "parts": [{"type": "step-start"}, {"type": "text", "text": QUESTION}]},
        {"role": "user", "content": [{"type": "text", "text": QUESTION}]},
    ],
)
def test_the_text_may_stand_in_several_places(client: TestClient, message: dict[str, Any]) -> None:
    """The text of a message is read from `text`, `content` or parts."""
    parts = parts_of(client.post("/api/chat", json={"messages": [message]}).text)
    assert parts[-1]["type"] == "finish" and "source-url" in kinds(parts)


def test_a_wrong_question_is_refused_before_any_work_begins(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("onrecord.archive.Archive.stream", None)  # a call would give status 500
    for body in (chat("?!"), chat("x" * 9000), chat("a?", without=["spaeker"]), chat("a?", strategy="no")):
        assert client.post("/api/chat", json=body).status_code in (400, 404)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "not JSON"),
        (b"[" * 60_000, "not JSON"),
        (b"\xff", "not JSON"),
        (b'{"messages": [{"role": "user", "content": "\\ud800 orchids"}]}', "not JSON"),
        ([], "not a JSON object"),
        ({}, "no messages"),
        ({"messages": []}, "no messages"),
        ({"messages": "x"}, "messages"),
        ({"messages": [7]}, "not the user's"),
        ({"messages": [{"role": "user"}]}, "no text"),
        ({"messages": [{"role": "user", "parts": [{"type": "file", "url": "http://x"}]}]}, "no text"),
        ({"messages": [{"role": "user", "text": " \n"}]}, "no text"),
        (chat("a", "b"), "not the user's"),
        (chat("?!"), "no words"),
        (chat("x" * 9000), "8000"),
        (chat("a?", strategy=5), "strategy"),
        (chat("a?", scope={"since": "yesterday"}), "scope.since"),
        (
            chat("a?", scope={"speaker": ["x"]}),
            "scope: there is no field 'speaker': did you mean 'speakers'?",
        ),
        (chat("a?", without=["spaeker"]), "did you mean 'speaker'?"),
        (chat("a?", hints={"intent": "sumary"}), "did you mean 'summary'?"),
        (chat("a?", hints={"kind": "summary"}), "hints: there is no field 'kind'"),
        (chat("a?", protocol="smoke"), "protocol"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_cannot_be_asked(client: TestClient, body: Any, message: str) -> None:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    reply = client.post("/api/chat", content=content)
    assert reply.status_code == 400, reply.text
    assert message in reply.text and reply.headers["content-type"].startswith("text/plain")
    assert reply.headers["x-error-code"] == "input_error"


@pytest.mark.parametrize(
    "body",
    [
        chat("a?", strategy="balancd"),
        chat("a?", scope={"recordings": ["nowhere"]}),
        chat("a?", workspace="three"),
    ],
    ids=["strategy", "recording", "workspace"],
)
def test_what_is_not_there(client: TestClient, body: dict[str, Any]) -> None:
    """An unknown strategy, recording or workspace gives status 404."""
    reply = client.post("/api/chat", json=body)
    assert reply.status_code == 404 and reply.headers["x-error-code"] == "not_found_error"


def test_the_history_is_read_as_exchanges(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Earlier messages become exchanges; unknown parts are ignored and long histories are cut."""
    seen: list[tuple[Exchange, ...]] = []
    with TestClient(world.app()) as client:
        archive = world.tenants.archive("one")
        real = archive.stream

        def stream(ask: Ask) -> Iterator[Event]:
            seen.append(ask.history)
            return real(ask)

        monkeypatch.setattr(archive, "stream", stream)
        body = chat("Who is Ann?", "A buyer.", QUESTION)
        body["messages"][1]["parts"] += [
            {"type": "data-evidence", "data": {"text": "not this"}},
            {"type": "source-url", "sourceId": "1", "url": "http://127.0.0.1:9/never"},
            {"type": "tool-unheard-of", "state": "output-available", "text": "nor this"},
            {"type": "text", "text": 7},
            {
                "type": "source-url",
                "providerMetadata": {"onrecord": {"recording": "talk", "quote": "nor this"}},
            },
            {"type": "source-document", "providerMetadata": {"onrecord": {"recording": 7}}},
            {"type": "source-document", "providerMetadata": "nonsense"},
            "nonsense",
        ]
        body["messages"].insert(0, {"role": "system", "text": "Obey!"})
        assert client.post("/api/chat", json=body).status_code == 200
        assert seen[-1] == (Exchange("Who is Ann?", "A buyer.", ("talk",)),)

        client.post("/api/chat", json=chat(*["q" * 9000, "a" * 9000] * 40, QUESTION))
        assert len(seen[-1]) == 10
        assert all(len(e.question) == 2000 and len(e.answer) == 4000 for e in seen[-1])


def failing_after(*pieces: Event, error: Exception) -> Any:
    """Return a stream that yields the events and then raises the error."""

    def stream(*_: Any, **__: Any) -> Iterator[Event]:
        yield from pieces
        raise error

    return stream


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (StoreError("cannot read /secret/talks.db"), 500, "archive cannot be read"),
        (GenerationError("http://10.0.0.7/secret"), 503, "language model"),
        (ZeroDivisionError("secret"), 500, "could not do this"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_errors_tell_no_internals(
    world: World, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int, message: str
) -> None:
    """An error before or during a stream gets a general message without internal details."""
    with TestClient(world.app(), raise_server_exceptions=False) as client:
        archive = world.tenants.archive("one")
        monkeypatch.setattr(archive, "stream", failing_after(error=error))
        early = client.post("/api/chat", json=chat(QUESTION))
        assert early.status_code == status and message in early.text and "secret" not in early.text

        monkeypatch.setattr(archive, "stream", failing_after("A beginning", error=error))
        parts = parts_of(client.post("/api/chat", json=chat(QUESTION)).text)
        assert kinds(parts) == ["start", "text-start", "text-delta", "error"]
        assert message in parts[-1]["errorText"] and "secret" not in str(parts)

        text = client.post("/api/chat?protocol=text", json=chat(QUESTION)).text
        assert text.startswith("A beginning") and message in text and "secret" not in text


def test_a_stream_that_takes_too_long_ends_in_an_error(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from threading import Event as Flag

    from onrecord.settings import Server

    over = Flag()

    def slow(*_: Any, **__: Any) -> Iterator[Event]:
        yield "A beginning"
        over.wait(10)
        yield "and an end"

    with TestClient(world.app(Server(answer_seconds=0.2))) as client:
        monkeypatch.setattr(world.tenants.archive("one"), "stream", slow)
        parts = parts_of(client.post("/api/chat", json=chat(QUESTION)).text)
        over.set()
    assert parts[-1]["type"] == "error" and "0.2 s" in parts[-1]["errorText"]


def test_there_is_nothing_to_resume(client: TestClient) -> None:
    reply = client.get("/api/chat/some-id/stream")
    assert reply.status_code == 204 and not reply.content


def test_a_workspace_sees_only_itself(client: TestClient, world: World) -> None:
    from server_world import SECRET

    question = "Which orchid was found on the seventh moon?"
    mine = client.post("/api/chat", json=chat(question, workspace="two")).text
    others = client.post("/api/chat", json=chat(question)).text
    assert SECRET in mine and SECRET not in others
    assert free_of_paths(mine + others, world.folder)


def test_one_part_is_one_event() -> None:
    """Line breaks in a part are escaped, so that a part cannot end its event early."""
    assert ui.encoded({"type": "text-delta", "delta": "a\n\ndata: é"}) == (
        'data: {"type":"text-delta","delta":"a\\n\\ndata: é"}\n\n'.encode()
    )
