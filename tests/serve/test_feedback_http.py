"""Feedback over HTTP: who may add, read and remove it, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from server_world import World

QUESTION = "Why did gross margin fall by five points?"


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


@pytest.fixture
def client(world: World) -> TestClient:
    return TestClient(world.app(), raise_server_exceptions=False)


def judgement(client: TestClient, **changes: Any) -> dict[str, Any]:
    """Return the feedback that a front end sends for an answer."""
    answer = client.post("/api/ask", json={"question": QUESTION}).json()
    cited = [
        {"recording": c["recording"]["id"], **{name: c[name] for name in ("quote", "start", "end")}}
        for c in answer["citations"]
    ]
    known = {name: answer[name] for name in ("question", "verdict", "text", "strategy", "trial")}
    return {**known, "good": True, "citations": cited, **changes}


def test_what_is_said_is_kept_changed_and_taken_back(client: TestClient, world: World) -> None:
    """Feedback can be added, changed by its id and removed."""
    ledger = world.open("one").ledger
    response = client.post("/api/feedback", json=judgement(client, note="yes, that"))
    assert response.status_code == 201
    stored = response.json()
    (one,) = ledger.feedback()
    assert stored == {"id": one.id, "good": True, "note": "yes, that"}
    assert one.question == QUESTION and one.evidence and one.verdict == "answered" and one.strategy == "auto"
    other = client.post("/api/feedback", json=judgement(client, good=False, id=one.id)).json()
    assert [(each.id, each.good) for each in ledger.feedback()] == [(other["id"], False)]
    assert client.delete(f"/api/feedback/{one.id}").json() == {"removed": one.id}
    assert ledger.feedback() == []
    assert client.delete(f"/api/feedback/{one.id}").status_code == 404


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"citations": [{"recording": "x", "quote": "Margins rose."}]}, "quote 1 does not stand"),
        ({"good": "perhaps"}, "good"),
        ({"goood": True}, "did you mean 'good'"),
        ({"note": "n" * 2001}, "note"),
        ({"question": " "}, "no question"),
        ({"id": "../../etc"}, "id"),
    ],
)
def test_what_was_not_shown_is_refused(client: TestClient, changes: dict[str, Any], message: str) -> None:
    """Feedback with a forged quote or a wrong field is refused."""
    reply = client.post("/api/feedback", json=judgement(client, **changes))
    assert reply.status_code == 400 and message in reply.json()["error"]["message"]


def test_nobody_takes_the_place_of_a_judgement_that_is_not_there(client: TestClient) -> None:
    """Changing feedback with an unknown id gets status 404."""
    assert client.post("/api/feedback", json=judgement(client, id="0" * 32)).status_code == 404


def test_reading_it_all_needs_the_right_to_write_and_workspaces_stay_apart(world: World) -> None:
    keys, secrets = world.keys(one=("read",), one_desk=("read", "write"), two=("read", "write"))
    client = TestClient(world.app(keys=keys), raise_server_exceptions=False)

    def as_(name: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {secrets[name]}"}

    client.headers.update(as_("one"))
    given = client.post("/api/feedback", json=judgement(client)).json()
    assert client.get("/api/feedback").status_code == 403
    judgements = client.get("/api/feedback", headers=as_("one_desk")).json()
    assert judgements["total"] == 1 and judgements["feedback"][0]["question"] == QUESTION
    assert client.get("/api/feedback", headers=as_("two")).json()["total"] == 0
    assert client.delete(f"/api/feedback/{given['id']}", headers=as_("two")).status_code == 404
    assert client.get("/api/feedback?workspace=one", headers=as_("two")).status_code == 404


def test_thumbs_are_counted_once(client: TestClient) -> None:
    """The metrics count a rating once, also if it is changed later."""
    first = client.post("/api/feedback", json=judgement(client)).json()
    client.post("/api/feedback", json=judgement(client, id=first["id"], note="more"))
    client.post("/api/feedback", json=judgement(client, good=False))
    metrics = client.get("/metrics").text
    assert 'onrecord_feedback_total{thumb="good"} 1.0' in metrics
    assert 'onrecord_feedback_total{thumb="bad"} 1.0' in metrics
