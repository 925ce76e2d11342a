"""POST /api/faq: every reply, errors included, has the seven headers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from model_server import model_server
from onrecord.errors import StoreError
from onrecord.models.chat import ChatClient
from onrecord.models.double import HashingEmbedder
from onrecord.retrieve.faq import Faq, FaqSettings
from onrecord.retrieve.faq.reply import STAGES
from onrecord.serve.http import Tenants, create_app
from onrecord.stores.faq import MemoryFaqStore
from onrecord.types import FaqEntry

PASSWORD = FaqEntry(
    "password", "How can I reset the password?", "Click on it.", ("password forgotten",), ("account",)
)
DELETE = FaqEntry("delete", "How can I delete the account?", "Write to us.", link="https://example.org/a")
HEADERS = [
    "X-Retrieval-Stage",
    "X-Retrieval-Score",
    "X-Cache-Hit",
    "X-Rerank-Triggered",
    "X-Rerank-Gate",
    "X-Rerank-Ms",
    "X-Retrieval-Ms",
]


class World:
    """A server with a FAQ in each of two workspaces; only workspace "one" has entries."""

    def __init__(self, **options: Any) -> None:
        self.faqs = {name: Faq(MemoryFaqStore(name), HashingEmbedder, **options) for name in ("one", "two")}
        self.faqs["one"].add(PASSWORD, DELETE, live=True)
        self.client = TestClient(
            create_app(Tenants(("one", "two"), self.archive)),
            raise_server_exceptions=False,
        )

    def archive(self, name: str) -> Any:
        """Return a stand-in for an archive that has only what the FAQ routes use."""
        return SimpleNamespace(faq=self.faqs[name], close=self.faqs[name].close)

    def post(self, value: Any) -> httpx.Response:
        content = value if isinstance(value, bytes) else json.dumps(value).encode()
        return checked(self.client.post("/api/faq", content=content))


def checked(reply: Any) -> Any:
    """Check the seven headers of a reply and return the reply."""
    assert all(name in reply.headers for name in HEADERS), reply.headers
    assert reply.headers["X-Retrieval-Stage"] in STAGES
    assert 0 <= float(reply.headers["X-Retrieval-Score"]) <= 1
    for name in ("X-Cache-Hit", "X-Rerank-Triggered"):
        assert reply.headers[name] in ("true", "false")
    for name in ("X-Rerank-Ms", "X-Retrieval-Ms"):
        assert float(reply.headers[name]) >= 0
    return reply


@pytest.fixture
def world() -> Iterator[World]:
    world = World()
    with world.client:
        yield world


def test_an_answer(world: World) -> None:
    reply = world.post({"question": "password forgotten"})
    assert reply.status_code == 200
    value = reply.json()
    assert list(value) == ["answer", "entry", "stage", "score", "candidates", "clarify"]
    assert value["answer"] == "Click on it." and value["clarify"] is None
    assert value["entry"] == {
        "id": "password",
        "question": PASSWORD.question,
        "tags": ["account"],
        "link": None,
    }
    assert [c["id"] for c in value["candidates"]] == ["password", "delete"]
    assert reply.headers["X-Retrieval-Stage"] == value["stage"] == "embedding_high"
    assert float(reply.headers["X-Retrieval-Score"]) == value["score"] > 0.9
    assert [reply.headers[name] for name in HEADERS[2:5]] == ["false", "false", "not_triggered"]


def test_a_reply_from_the_cache_says_so(world: World) -> None:
    first = world.post({"question": "password forgotten"}).json()
    again = world.post({"question": " Password FORGOTTEN?"})
    assert {**again.json(), "stage": first["stage"]} == first
    assert [again.headers[name] for name in HEADERS[:1] + HEADERS[2:5]] == [
        "cache",
        "true",
        "false",
        "not_triggered",
    ]


def test_asking_back(world: World) -> None:
    """Below the low threshold, the reply has a message and questions to choose from."""
    value = world.post({"question": "Which bands played yesterday?"}).json()
    assert (value["answer"], value["entry"], value["stage"]) == (None, None, "embedding_too_low")
    assert [option["id"] for option in value["clarify"]["options"]] == [c["id"] for c in value["candidates"]]
    assert value["clarify"]["message"]


def test_stage_two_and_its_faults() -> None:
    """Between the thresholds, a model chooses an entry; if it is too slow, the reply asks back."""
    settings = FaqSettings(high=1, low=0, rerank_seconds=0.3)
    with model_server("PICK: 2\nREASON: it is about that") as server:
        world = World(llm=ChatClient("m", server.base_url), settings=settings)
        hit = world.post({"question": "the account"})
        assert hit.headers["X-Retrieval-Stage"] == "rerank_hit"
        assert [hit.headers[name] for name in HEADERS[3:5]] == ["true", "passed"]
        assert float(hit.headers["X-Rerank-Ms"]) > 0
        server.fault = "slow"
        slow = world.post({"question": "my account"})
        assert slow.status_code == 200 and slow.json()["clarify"]["options"]
        assert [slow.headers[name] for name in HEADERS[3:5]] == ["true", "llm_timeout"]
        assert slow.headers["X-Retrieval-Stage"] == "rerank_none"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (b"", "not JSON"),
        (b"question=hello", "not JSON"),
        (b"[" * 60_000, "not JSON"),
        (b"\xff\xfe", "not JSON"),
        ([], "not a JSON object"),
        ({}, "question is missing"),
        ({"question": None}, "question must be a text"),
        ({"question": ["a"]}, "question must be a text"),
        ({"question": ""}, "empty"),
        ({"question": "x" * 3000}, "3,000 characters"),
        ({"question": "x", "workspace": 5}, "workspace must be a text"),
        ({"qestion": "x"}, "no field 'qestion': did you mean 'question'?"),
        ({"question": "x", "scope": {}}, "no field 'scope'"),
        (b'{"question": "' + b"x" * 70_000 + b'"}', "at most 2,000"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_cannot_be_asked(world: World, value: Any, message: str) -> None:
    reply = world.post(value)
    assert reply.status_code == 400
    assert reply.json()["error"]["code"] == "input_error"
    assert message in reply.json()["error"]["message"]
    assert reply.headers["X-Retrieval-Stage"] == "no_candidates"


def test_a_parameter_that_is_not_there_is_refused(world: World) -> None:
    reply = checked(world.client.post("/api/faq?workspace=two", json={"question": "password forgotten"}))
    assert reply.status_code == 400
    assert "there is no parameter 'workspace'" in reply.json()["error"]["message"]


def test_workspaces_are_those_that_are_served(world: World) -> None:
    assert world.post({"question": "password forgotten", "workspace": "one"}).json()["answer"]
    assert (
        world.post({"question": "password forgotten", "workspace": "two"}).json()["stage"] == "no_candidates"
    )
    refused = world.post({"question": "password forgotten", "workspace": "three"})
    assert refused.status_code == 404
    assert "one" not in refused.json()["error"]["message"].replace("there is no", "")


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "OPTIONS"])
def test_other_methods(world: World, method: str) -> None:
    assert checked(world.client.request(method, "/api/faq")).status_code == 405


def test_internals_are_not_shown(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(error: Exception) -> httpx.Response:
        def failing(*_: object) -> None:
            raise error

        monkeypatch.setattr(world.faqs["one"], "ask", failing)
        return world.post({"question": "hello"})

    for error in (StoreError("cannot read /secret/talks.db"), ZeroDivisionError("secret")):
        reply = ask(error)
        assert reply.status_code == 500
        assert "secret" not in reply.text
        assert reply.json()["error"]["message"]


def test_other_addresses_are_left_alone(world: World) -> None:
    """Other routes have no FAQ headers, and the description has the request body."""
    reply = world.client.get("/api/other")
    assert reply.status_code == 404 and "X-Retrieval-Stage" not in reply.headers
    described = world.client.get("/openapi.json").json()
    assert "question" in str(described["paths"]["/api/faq"]["post"]["requestBody"])
