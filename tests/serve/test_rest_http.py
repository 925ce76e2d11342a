"""The JSON routes for recordings, transcripts, media, search, plans and answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import onrecord
from onrecord.serve.http import Tenants, create_app
from server_world import SECRET, World, copied, free_of_paths

QUESTION = "Why did gross margin fall by five points?"


@pytest.fixture(scope="module")
def client(world: World) -> TestClient:
    return TestClient(world.app(), raise_server_exceptions=False)


def one(client: TestClient, title: str) -> dict[str, Any]:
    """Return the recording whose title contains `title`."""
    recordings = client.get("/api/recordings").json()["recordings"]
    return next(recording for recording in recordings if title in recording["title"])


def test_the_recordings(client: TestClient, world: World) -> None:
    listed = client.get("/api/recordings").json()
    assert listed["workspace"] == "one" and listed["total"] == len(listed["recordings"]) == 5
    dates = [recording["date"] for recording in listed["recordings"]]
    assert dates == sorted(dates)
    page = client.get("/api/recordings?offset=1&limit=2").json()
    assert page["total"] == 5 and page["recordings"] == listed["recordings"][1:3]
    assert free_of_paths(str(listed), world.folder)


def test_one_recording(client: TestClient) -> None:
    known = one(client, "An expensive spring")
    recording = client.get(f"/api/recordings/{known['id']}").json()
    assert recording["title"] == known["title"] and isinstance(recording["sections"], list)
    assert client.get("/api/recordings/an expensive spring").json()["id"] == known["id"]
    missing = client.get("/api/recordings/nowhere")
    assert missing.status_code == 404 and missing.json()["error"]["code"] == "not_found_error"


def test_a_transcript_whole_and_in_part(client: TestClient) -> None:
    address = f"/api/recordings/{one(client, 'An expensive spring')['id']}/transcript"
    whole = client.get(address).json()["passages"]
    around = client.get(f"{address}?at=100&around=10").json()["passages"]
    between = client.get(f"{address}?from=90&to=110").json()["passages"]
    assert 0 < len(around) < len(whole) and around == between
    assert all(passage["start"] <= 110 and passage["end"] >= 90 for passage in around)
    for query, status in (("from=9&to=1", 400), ("at=nan", 400), ("at=-1", 400), ("around=x", 400)):
        reply = client.get(f"{address}?{query}")
        assert (reply.status_code, "error" in reply.json()) == (status, True), query
    assert client.get(f"{address}?from=999999").json()["passages"] == []


@pytest.mark.parametrize(
    ("recording", "query", "message"),
    [
        ("An expensive spring", "at=100&from=10", "at and around, or from and to, not both"),
        ("An expensive spring", "at=100&to=10", "at and around, or from and to, not both"),
        ("secret", "from=10", "has no times"),
        ("secret", "from=10&to=20", "has no times"),
        ("secret", "at=10", "has no times"),
    ],
)
def test_a_part_of_a_transcript_that_cannot_be_says_why(
    client: TestClient, recording: str, query: str, message: str
) -> None:
    """A part is asked for in one way, and a recording without times has none."""
    workspace = "two" if recording == "secret" else "one"
    address = f"/api/recordings/{recording}/transcript?workspace={workspace}&{query}"
    reply = client.get(address)
    assert reply.status_code == 400 and message in reply.json()["error"]["message"]


def test_search(client: TestClient, world: World) -> None:
    reply = client.post("/api/search", json={"words": "gross margin", "limit": 2}).json()
    assert len(reply["moments"]) == 2 and reply["trace"]
    best = reply["moments"][0]
    assert best["passages"][best["best"]]["text"] and best["link"]
    narrowed = client.post("/api/search", json={"words": "margin", "scope": {"speakers": ["nobody"]}})
    assert narrowed.json()["moments"] == []
    assert free_of_paths(str(reply), world.folder)


def test_ask(client: TestClient) -> None:
    reply = client.post("/api/ask", json={"question": QUESTION}).json()
    assert reply["verdict"] == "answered" and "[1]" in reply["text"]
    assert {"plan", "trace", "seconds", "budgets", "calls", "citations", "notes"} <= set(reply)
    budgets = {budget["stage"]: budget for budget in reply["budgets"]}
    assert {"embed", "search", "total"} <= set(budgets)
    assert budgets["search"]["limit_ms"] == 50 and budgets["total"]["ms"] >= budgets["search"]["ms"]


def test_a_filter_can_be_taken_away(client: TestClient) -> None:
    """`without` removes a filter that the question names."""
    question = "What did Brendan Kelly say about tariffs?"
    plan = client.post("/api/plan", json={"question": question}).json()
    assert [f["field"] for f in plan["filters"]] == ["speaker"]
    freed = client.post("/api/plan", json={"question": question, "without": ["speaker"]}).json()
    assert freed["filters"] == []
    asked = client.post("/api/ask", json={"question": question, "without": ["speaker"]}).json()
    assert asked["plan"]["filters"] == []


def test_search_takes_what_was_asked_before(client: TestClient) -> None:
    """A search with a history is planned as a follow-up."""
    before = {"history": [{"question": "What did Kelly say about tariffs?"}]}
    alone, after = (
        client.post("/api/search", json={"words": "And Priya?", "limit": 3, **more}).json()
        for more in ({}, before)
    )
    assert "tariffs" not in alone["plan"]["text"] and "tariffs" in after["plan"]["text"]
    assert [(f["field"], f["value"]) for f in after["plan"]["filters"]] == [("speaker", "Priya Raman")]
    freed = client.post("/api/search", json={"words": "And Priya?", "without": ["speaker"], **before})
    assert freed.json()["plan"]["filters"] == []


@pytest.mark.parametrize(
    ("address", "body", "expected"),
    [
        ("/api/ask", {"question": "a?", "stratgy": "direct"}, "no field 'stratgy': did you mean 'strategy'?"),
        ("/api/plan", {"question": "a?", "limit": 3}, "there is no field 'limit'"),
        ("/api/ask", {"question": "a?", "speaker": "b"}, "did you mean 'scope.speakers'? there are"),
        ("/api/ask", {"question": "a?", "style": "b"}, "did you mean 'form.style'? there are"),
        ("/api/search", {"wrods": "a"}, "no field 'wrods': did you mean 'words'? there are words, "),
        ("/api/search", {"question": "a?"}, "no field 'question': there are words, "),
        ("/api/ask", {"question": "a?", "scope": {"speaker": ["b"]}}, "scope: there is no field 'speaker'"),
        ("/api/ask", {"question": "a?", "history": [{"question": "b?", "anwser": "c"}]}, "history.0: there"),
        ("/api/ask", {"question": "a?", "{told}\u202e\n": 1}, "no field '{told}"),
        ("/api/ask", {"question": "a?", "without": ["spaeker"]}, "no filter is of 'spaeker'"),
        ("/api/search", {"words": "a", "without": ["spaeker"]}, "did you mean 'speaker'?"),
        ("/api/plan", {"question": "a?", "without": ["shwo"]}, "did you mean 'show'?"),
        ("/api/plan", {"question": "a?", "hints": {"intnet": "causal"}}, "did you mean 'intent'?"),
        ("/api/ask", {"question": "a?", "hints": {"intent": "casual"}}, "did you mean 'causal'?"),
        ("/api/ask", {"question": "a?", "hints": {"language": "frnech"}}, "did you mean 'fr'?"),
        ("/api/search", {"words": "a", "hints": {"queries": [" "]}}, "a sub-question has no words"),
    ],
    ids=str,
)
def test_a_misspelt_field_is_reported(client: TestClient, address: str, body: Any, expected: str) -> None:
    """An unknown field or hint is refused with a suggestion, in printable text."""
    reply = client.post(address, json=body)
    assert (reply.status_code, reply.json()["error"]["code"]) == (400, "input_error")
    message = reply.json()["error"]["message"]
    assert expected in message and message.isprintable()


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ({"data": {"question": "Why?"}}, "header Content-Type: application/json"),
        ({"content": b'{"question": "Why?"}'}, "header Content-Type: application/json"),
        ({"json": {}}, "question is missing"),
        ({"json": {"question": 7}}, "question must be a text"),
        ({"json": "Why?"}, "the request must be a JSON object"),
        ({"json": {"question": "Why?", "scope": {"since": "2025", "until": "2024-05"}}}, "exchange them"),
        (
            {"json": {"question": "Why?", "scope": {"since": "last year"}}},
            "since must be a date such as 2024",
        ),
        ({"json": {"question": "Why?", "scope": {"since": "2024-13-01"}}}, "since must be a date such as"),
        (
            {"json": {"question": "Why?", "form": {"style": "bold"}}},
            "form.style must be 'numbers' or 'sources'",
        ),
        ({"json": {"question": "Why?", "faq": "perhaps"}}, "faq must be true or false"),
        ({"json": {"question": "Why?", "workspace": "w" * 999}}, "workspace must have at most"),
    ],
    ids=str,
)
def test_a_misshapen_request_is_reported_in_words(
    client: TestClient, sent: dict[str, Any], message: str
) -> None:
    """A malformed request gets a message that says how to correct it."""
    reply = client.post("/api/ask", **sent)
    assert reply.status_code == 400 and message in reply.json()["error"]["message"]


def test_filters_that_nothing_meets_are_reported(client: TestClient) -> None:
    asked = {"question": "Why did margins fall?", "scope": {"speakers": ["Brendan Keller"]}}
    notes = client.post("/api/ask", json=asked).json()["notes"]
    assert notes == ["nobody called 'Brendan Keller' speaks here: did you mean 'Brendan Kelly'?"]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (
            "GET /api/recordings?offset=1&limitt=3",
            "there is no parameter 'limitt': did you mean 'limit'? there are workspace, offset, limit",
        ),
        ("GET /api/recordings/x?worskpace=two", "did you mean 'workspace'? there is workspace"),
        ("GET /api/recordings/x/transcript?form=9", "did you mean 'from'?"),
        ("GET /api/recordings/x/media?t=9", "no parameter 't': there are workspace, until, signature"),
        ("GET /api/stats?%E2%80%AE%0A=1", "there is no parameter"),
        ("POST /api/ask?workspace=two", "there is no parameter 'workspace': there are none here"),
        ("POST /api/recordings?nmae=a.vtt", "did you mean 'name'?"),
        ("DELETE /api/recordings/x?workspaces=two", "did you mean 'workspace'?"),
    ],
)
def test_a_parameter_that_is_not_known_is_reported_not_passed_over(
    client: TestClient, asked: str, expected: str
) -> None:
    """An unknown query parameter is refused, not ignored."""
    method, address = asked.split(" ")
    reply = client.request(method, address, **({"json": {"question": "Why?"}} if "ask" in address else {}))
    assert (reply.status_code, reply.json()["error"]["code"]) == (400, "input_error")
    message = reply.json()["error"]["message"]
    assert expected in message and message.isprintable()


def test_broken_json_and_wrong_addresses_are_reported(client: TestClient) -> None:
    """Invalid JSON, invalid UTF-8, a wrong method and an unknown route get distinct errors."""
    broken = client.post("/api/ask", content=b"{", headers={"Content-Type": "application/json"})
    assert broken.status_code == 400 and "is not JSON" in broken.json()["error"]["message"]
    latin = client.post("/api/ask", content=b'{"a": "\xe9"}', headers={"Content-Type": "application/json"})
    assert latin.json()["error"]["code"] == "input_error" and "UTF-8" in latin.json()["error"]["message"]
    wrong = client.get("/api/ask?question=Why")
    assert wrong.status_code == 405 and wrong.headers["Allow"] == "POST"
    assert wrong.json()["error"]["message"] == "'/api/ask' does not take GET: send POST"
    nowhere = client.post("/api/aks", json={})
    assert nowhere.status_code == 404 and "/openapi.json" in nowhere.json()["error"]["message"]


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("/api/ask", {}),
        ("/api/ask", {"question": 7}),
        ("/api/ask", {"question": "?!"}),
        ("/api/ask", []),
        ("/api/ask", {"question": "a?", "scope": {"until": "2024-3"}}),
        ("/api/search", {"words": ""}),
        ("/api/search", {"words": "a", "limit": 0}),
        ("/api/plan", {"question": "a" * 9000}),
    ],
    ids=str,
)
def test_what_cannot_be_asked(client: TestClient, address: str, body: Any) -> None:
    reply = client.post(address, json=body)
    assert reply.status_code == 400 and reply.json()["error"]["code"] == "input_error"


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("/api/ask", {"question": "the valve?", "strategy": "direct"}),
        ("/api/search", {"words": "the valve", "strategy": "direct"}),
        (
            "/v1/chat/completions",
            {"messages": [{"role": "user", "content": "a?"}], "model": "onrecord/direct"},
        ),
    ],
)
def test_a_strategy_without_its_model_is_refused(tmp_path: Path, address: str, body: Any) -> None:
    """To choose a strategy that needs an embedder, where there is none, is the sender's mistake."""
    (tmp_path / "valves.txt").write_text("Ann: The valve leaked all night.\n")
    with onrecord.open(tmp_path / "bare.db", embedding={"model": "none"}) as bare:
        bare.add(tmp_path / "valves.txt")
        app = create_app(Tenants(("default",), lambda _: bare))
        reply = TestClient(app, raise_server_exceptions=False).post(address, json=body)
    error = reply.json()["error"]
    assert (reply.status_code, error["code"]) == (400, "missing_tool_error")
    assert "'embedder'" in error["message"] and "choose another strategy" in error["message"]


def test_workspaces_never_see_one_another(client: TestClient) -> None:
    for address in ("/api/recordings", "/api/stats"):
        assert client.get(address).json() != client.get(f"{address}?workspace=two").json()
        assert client.get(f"{address}?workspace=three").status_code == 404
    words = {"words": "orchid on the seventh moon"}
    assert SECRET in client.post("/api/search", json={**words, "workspace": "two"}).text
    assert SECRET not in client.post("/api/search", json=words).text
    theirs = client.get("/api/recordings?workspace=two").json()["recordings"][0]["id"]
    for address in (f"/api/recordings/{theirs}", f"/api/recordings/{theirs}/transcript"):
        assert client.get(address).status_code == 404


def test_health(client: TestClient) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.get("/readyz").json() == {"status": "ready"}


def test_every_reply_is_guarded_in_browsers(client: TestClient) -> None:
    """Every reply has the security headers and allows no other origins."""
    for address in ("/api/recordings", "/api/nowhere", "/healthz", "/v1/models"):
        headers = client.get(address).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert "access-control-allow-origin" not in headers


# ---------------------------------------------------------------- media


@pytest.fixture(scope="module")
def playing(tmp_path_factory: pytest.TempPathFactory) -> tuple[TestClient, dict[str, Path]]:
    """Return a client of a server with media files, and the path of the file it may send.

    The recordings name a file beside the transcript, a file in another folder (by absolute path, by `..`
    and by a symbolic link) and a missing file.
    """
    folder = tmp_path_factory.mktemp("media")
    world = World(folder)
    talks, outside = copied(folder), folder / "outside"
    outside.mkdir()
    (outside / "far.mp3").write_bytes(b"far away")
    (talks / "tape.mp3").write_bytes(bytes(range(256)) * 4)
    (talks / "linked.mp3").symlink_to(outside / "far.mp3")
    (talks / "words.txt").write_text("words")
    named = {
        "near": "tape.mp3",
        "far": str(outside / "far.mp3"),
        "climbing": "../outside/far.mp3",
        "linked": "linked.mp3",
        "gone": "gone.mp3",
    }
    for name, media in named.items():
        head = f"---\ntitle: {name} tape\nmedia: {media}\n---\n"
        (talks / f"{name}.md").write_text(f"{head}Ann [0:01]: The {name} tape turns.\n")
    with world.open("one") as archive:
        archive.add(*(talks / f"{name}.md" for name in named))
    return TestClient(world.app(), raise_server_exceptions=False), {"tape": talks / "tape.mp3"}


def test_a_file_beside_its_transcript_is_played(playing: tuple[TestClient, dict[str, Path]]) -> None:
    client, files = playing
    address = one(client, "near tape")["media"]
    assert address.startswith("/api/recordings/near-")
    whole = client.get(address)
    assert whole.content == files["tape"].read_bytes() and whole.headers["content-type"] == "audio/mpeg"
    part = client.get(address, headers={"Range": "bytes=10-19"})
    assert part.status_code == 206 and part.content == bytes(range(10, 20))
    assert part.headers["content-range"] == "bytes 10-19/1024"
    assert client.get(address, headers={"Range": "bytes=9999-"}).status_code == 416


@pytest.mark.parametrize("name", ["far", "climbing", "linked", "gone"])
def test_no_other_file_is_sent(playing: tuple[TestClient, dict[str, Path]], name: str) -> None:
    """A media file outside the folder of its transcript is not sent."""
    client, _ = playing
    known = one(client, f"{name} tape")
    assert known["media"] is None
    reply = client.get(f"/api/recordings/{known['id']}/media")
    assert reply.status_code == 404 and "outside" not in reply.text


def test_paths_of_the_server_are_nobodys_business(playing: tuple[TestClient, dict[str, Path]]) -> None:
    """No reply contains a path of the server."""
    client, files = playing
    for reply in (
        client.post("/api/ask", json={"question": "What does the far tape do?"}),
        client.post("/api/chat?protocol=text", json={"messages": [{"role": "user", "text": "near tape?"}]}),
        client.post("/api/search", json={"words": "near tape turns"}),
        client.post("/v1/chat/completions", json={"messages": [{"role": "user", "content": "near tape?"}]}),
    ):
        assert reply.status_code == 200
        assert free_of_paths(reply.text, files["tape"].parent)
