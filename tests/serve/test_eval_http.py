"""``POST /api/eval`` returns the same measures as ``onrecord eval``, for questions in a request."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from fastapi import FastAPI
from starlette.testclient import TestClient

import onrecord
from model_server import model_server
from onrecord.serve.cli import main
from onrecord.serve.http import Tenants, create_app
from onrecord.serve.http.guard import LOOPBACK
from onrecord.settings import Server
from server_world import EXAMPLES, World

QUESTIONS: list[dict[str, Any]] = yaml.safe_load((EXAMPLES / "questions.yaml").read_text())[:8]
LINES = {"accept": "application/x-ndjson"}


@pytest.fixture(scope="module")
def client(world: World) -> TestClient:
    return local(world.app(Server(rate=""), hosts=LOOPBACK))


def local(app: FastAPI) -> TestClient:
    """Return a client on the machine of the server, which has no keys."""
    return TestClient(
        app, base_url="http://127.0.0.1:8765", client=("127.0.0.1", 5), raise_server_exceptions=False
    )


def sent(questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return questions of a file in the form of a request, where `gold` is always a list."""
    return [{**question, "gold": _listed(question["gold"])} for question in questions]


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def test_a_request_measures_as_the_command_line_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONRECORD_EMBEDDING__MODEL", "hashing")
    path, file = tmp_path / "talks.db", tmp_path / "questions.json"
    file.write_text(json.dumps(QUESTIONS))
    with onrecord.open(path) as archive:
        archive.add(EXAMPLES)
    words = ["--strategy", "balanced", "--strategy", "direct", "--archive", str(path), "--json"]
    line = CliRunner().invoke(main, ["eval", str(file), *words])
    assert line.exit_code == 0, line.output
    expected = json.loads(line.stdout)
    with local(create_app(Tenants(("default",), lambda _: onrecord.open(path)), hosts=LOOPBACK)) as client:
        body = {"questions": sent(QUESTIONS), "strategies": ["balanced", "direct"]}
        reply = client.post("/api/eval", json=body)
    assert reply.status_code == 200, reply.text
    report = reply.json()
    assert report["measures"] == expected["measures"] and list(report["strategies"]) == ["balanced", "direct"]
    for name, of in expected["strategies"].items():
        assert report["strategies"][name]["measures"] == of["measures"]
        assert report["strategies"][name]["types"] == of["types"]
    assert report["differences"] == expected["differences"]
    assert [each["id"] for each in report["by_question"]] == [each["id"] for each in QUESTIONS]


def test_progress_is_a_line_a_question(client: TestClient) -> None:
    """With JSON lines, each finished question sends a progress line."""
    reply = client.post("/api/eval", json={"questions": sent(QUESTIONS[:3])}, headers=LINES)
    *steps, last = map(json.loads, reply.text.splitlines())
    assert [step["progress"]["done"] for step in steps] == [0, 1, 2, 3]
    assert last["questions"] == 3


UNKNOWN = {"text": "Why did margins fall?", "gold": [{"recording": "Nobody's talk"}]}


@pytest.mark.parametrize(
    ("question", "status", "part"),
    [
        ({"text": "Why did margins fall?"}, 422, "what to measure it by"),
        ({"text": "Why?", "gold": [{"from": 3}]}, 422, "a recording"),
        ({"text": "Why?", "unanswerable": True, "points": ["costs"]}, 422, "unanswerable"),
        ({"text": "Why?", "gould": []}, 400, "gold"),
        (UNKNOWN, 400, "Nobody's talk"),
    ],
)
def test_what_cannot_be_measured_is_refused(
    client: TestClient, question: dict[str, Any], status: int, part: str
) -> None:
    reply = client.post("/api/eval", json={"questions": [question]})
    assert reply.status_code == status and part in reply.json()["error"]["message"], reply.text
    assert str(EXAMPLES) not in reply.text


def test_an_unknown_strategy_is_refused(client: TestClient) -> None:
    body = {"questions": [{"text": "Why?", "unanswerable": True}], "strategies": ["blance"]}
    reply = client.post("/api/eval", json=body)
    assert reply.status_code == 404 and "balanced" in reply.json()["error"]["message"]


def test_a_failing_question_ends_the_lines_with_its_error(client: TestClient) -> None:
    reply = client.post("/api/eval", json={"questions": [UNKNOWN]}, headers=LINES)
    assert "Nobody's talk" in json.loads(reply.text.splitlines()[-1])["error"]["message"]


def test_a_key_that_only_reads_measures_nothing(tmp_path: Path) -> None:
    world = World(tmp_path)
    keys, secrets = world.keys(one_w=("read", "write"), one_r=("read",))
    client = TestClient(world.app(Server(rate=""), keys), raise_server_exceptions=False)
    body = {"questions": [{"text": "Why did margins fall?", "unanswerable": True}]}
    status = {
        who: client.post(
            "/api/eval", json=body, headers={"Authorization": f"Bearer {secrets[who]}"}
        ).status_code
        for who in secrets
    }
    assert status == {"one_w": 200, "one_r": 403}
    two = {**body, "workspace": "two"}
    reply = client.post("/api/eval", json=two, headers={"Authorization": f"Bearer {secrets['one_w']}"})
    assert reply.status_code in (403, 404)


def test_the_address_of_a_failing_model_stays_on_the_server(tmp_path: Path) -> None:
    with model_server(fault="broken") as model:
        world = World(tmp_path, llm={"model": "stand-in", "base_url": model.base_url})
        client = local(world.app(Server(rate=""), hosts=LOOPBACK))
        body = {"questions": [{"text": "Why did margins fall?", "points": ["costs"]}]}
        reply = client.post("/api/eval", json=body)
    calls = reply.json()["by_question"][0]["strategies"]
    assert [call["failure"] for of in calls.values() for call in of["calls"]]
    assert "127.0.0.1" not in reply.text
