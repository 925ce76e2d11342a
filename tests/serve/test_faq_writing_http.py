"""Changing the FAQ over HTTP, and asking the FAQ before the archive.

The routes add, promote, retire and remove entries, calibrate thresholds and report costs.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from starlette.testclient import TestClient

import onrecord
from onrecord.settings import Server
from server_world import EXAMPLES, World, chat, parts_of

if TYPE_CHECKING:
    import httpx

    from conftest import Shell

ENTRIES = [
    {
        "question": "How can I reset my password?",
        "answer": "Click on it.",
        "variants": ["password forgotten"],
    },
    {"question": "When does your shop open?", "answer": "At nine.", "link": "https://example.org/hours"},
]
PASSWORD, SHOP = "how-can-i-reset-my-password", "when-does-your-shop-open"
HEADERS = ("X-Retrieval-Stage", "X-Retrieval-Score", "X-Cache-Hit", "X-Rerank-Triggered", "X-Rerank-Gate")


class Client:
    """A client of the FAQ routes that sends a key, or none."""

    def __init__(self, world: World, rate: str = "") -> None:
        keys, self.secrets = world.keys(one_w=("read", "write"), one_r=("read",), one_m=("metrics",))
        self.http = TestClient(world.app(Server(rate=rate), keys), raise_server_exceptions=False)

    def __call__(self, method: str, path: str, value: Any = None, who: str = "one_w") -> httpx.Response:
        key = {"Authorization": f"Bearer {self.secrets[who]}"} if who else {}
        return self.http.request(method, f"/api/faq{path}", json=value, headers=key)


@pytest.fixture
def client(tmp_path: Path) -> Client:
    return Client(World(tmp_path))


def test_an_entry_from_draft_to_removal(client: Client) -> None:
    added = client("POST", "/entries", {"entries": ENTRIES})
    assert added.status_code == 201 and added.json()["added"] == [PASSWORD, SHOP]
    assert client("POST", "", {"question": "password forgotten"}).json()["stage"] == "no_candidates"
    assert client("POST", "/promote", {"ids": [PASSWORD]}).json() == {"live": [PASSWORD]}
    assert client("POST", "", {"question": "password forgotten"}).json()["answer"] == "Click on it."
    assert [e["id"] for e in client("GET", "/entries?status=draft").json()["entries"]] == [SHOP]
    assert client("POST", "/retire", {"ids": [PASSWORD]}).json() == {"retired": [PASSWORD]}
    assert client("POST", "", {"question": "password forgotten"}).json()["answer"] is None
    assert client("DELETE", f"/entries/{SHOP}").json() == {"removed": [SHOP]}
    assert [e["status"] for e in client("GET", "/entries").json()["entries"]] == ["retired"]
    again = client("POST", "/entries", {"entries": ENTRIES, "live": True})
    assert again.json()["added"] == [SHOP]
    (day,) = client("GET", "/costs", who="one_m").json()["days"]
    assert day["asked"] == 3 and day["calls"] == 0


@pytest.mark.parametrize(
    ("method", "path", "value"),
    [
        ("POST", "/entries", {"entries": ENTRIES}),
        ("POST", "/promote", {"ids": [PASSWORD]}),
        ("POST", "/retire", {"ids": [PASSWORD]}),
        ("DELETE", f"/entries/{PASSWORD}", None),
        ("POST", "/thresholds", {"high": 0.9, "low": 0.1}),
        ("POST", "/calibrate", {"labelled": [{"question": "x"}], "write": True}),
        ("POST", "/calibrate", {"labelled": [{"question": "x"}]}),
        ("GET", "/entries", None),
        ("GET", "/thresholds", None),
        ("GET", "/costs", None),
    ],
)
def test_who_may_only_read_asks_and_changes_nothing(
    client: Client, method: str, path: str, value: Any
) -> None:
    """Every route but the question itself needs the right `write`, and the costs the right `metrics`."""
    client("POST", "/entries", {"entries": ENTRIES, "live": True})
    before = client("GET", "/entries").json(), client("GET", "/thresholds").json()
    assert client(method, path, value, who="one_r").status_code == 403
    assert client(method, path, value, who="").status_code == 401
    assert (client("GET", "/entries").json(), client("GET", "/thresholds").json()) == before


@pytest.mark.parametrize(
    ("path", "value", "status", "message"),
    [
        ("/entries", {"entries": [{"question": "x"}]}, 400, "answer is missing"),
        ("/entries", {"entries": [{"question": "x", "answer": "y", "anwser": "z"}]}, 400, "did you mean"),
        ("/entries", {"entries": [ENTRIES[0], ENTRIES[0]]}, 422, "another question"),
        ("/entries", {"entries": [{**ENTRIES[0], "link": "javascript:alert(1)"}]}, 422, "link"),
        ("/promote", {"ids": ["nobody"]}, 404, "nobody"),
        ("/promote", {"ids": []}, 400, "ids"),
        ("/thresholds", {"high": 0.1, "low": 0.9}, 400, "over"),
        ("/thresholds", {"high": 0.1}, 400, "both"),
        ("/calibrate", {"labelled": [{"question": "x", "entry": "nobody"}]}, 400, "no live FAQ entry"),
    ],
)
def test_what_is_wrong_is_reported(client: Client, path: str, value: Any, status: int, message: str) -> None:
    reply = client("POST", path, value)
    assert reply.status_code == status and message in reply.json()["error"]["message"]


def test_calibration_says_where_a_precision_cannot_be_had_and_asks_back(client: Client) -> None:
    """When no threshold reaches the precision, calibration says so; if written, no question is answered."""
    client("POST", "/entries", {"entries": ENTRIES, "live": True})
    lures = [{"question": f"password forgotten {n}"} for n in range(30)]  # no entry answers these
    real = [{"question": f"forgot password {n}", "entry": PASSWORD} for n in range(30)]
    body = {"labelled": [x for pair in zip(lures, real, strict=True) for x in pair], "precision": 0.95}
    measured = client("POST", "/calibrate", body).json()
    assert not measured["within_reach"] and measured["thresholds"] == {"high": 1.0, "low": 1.0}
    assert client("POST", "", {"question": "password forgotten"}).json()[
        "answer"
    ]  # the call without `write` changed no threshold
    assert client("POST", "/calibrate", {**body, "write": True}).json()["written"]
    assert client("GET", "/thresholds").json() == {"high": 1.0, "low": 1.0}
    asked = client("POST", "", {"question": "password forgotten"}).json()
    assert asked["answer"] is None and asked["clarify"]["options"]
    assert client("POST", "/thresholds", {}).json() == {"high": 0.8, "low": 0.2}


def test_calibration_writes_nothing_from_a_handful_of_questions(client: Client) -> None:
    """Calibration on too few questions changes no threshold and reports how many it needs."""
    client("POST", "/entries", {"entries": ENTRIES, "live": True})
    labelled = [{"question": "forgot password", "entry": PASSWORD}, {"question": "Who won the match?"}]
    labelled += [
        {"question": "Which bands played?", "entry": "none"}
    ]  # "none" marks an unanswered question, as in a CSV file
    measured = client("POST", "/calibrate", {"labelled": labelled, "write": True}).json()
    assert measured["within_reach"] and not measured["enough"] and measured["needed"] == 73
    assert not measured["written"] and measured["thresholds"] == {"high": 0.8, "low": 0.2}
    assert client("GET", "/thresholds").json() == {"high": 0.8, "low": 0.2}


def test_every_reply_has_the_headers_also_where_the_door_refuses(tmp_path: Path) -> None:
    """Replies with status 429 and 401 also have the FAQ headers."""
    client = Client(World(tmp_path), rate="2/minute")
    replies = [client("POST", "", {"question": "hello there"}) for _ in range(3)]
    replies += [client("POST", "", {"question": "x"}, who="")]
    assert [reply.status_code for reply in replies] == [200, 200, 429, 401]
    for reply in replies:
        assert all(name in reply.headers for name in HEADERS), reply.status_code


# ---------------------------------------------------------------- asking the FAQ before the archive


def test_the_faq_first_else_the_archive_with_both_confidences(tmp_path: Path) -> None:
    """The FAQ answers first; otherwise the archive does, and the answer has both scores."""
    settings: dict[str, Any] = {"embedding": {"model": "hashing"}, "faq": {"first": True}}
    with onrecord.open(tmp_path / "a.db", **settings) as archive:
        archive.add(EXAMPLES)
        archive.faq.add(tmp_path_entry(tmp_path), live=True)
        by_faq = archive.ask("password forgotten")
        assert by_faq.text == "Click on it." and by_faq.faq is not None and by_faq.faq.answered
        assert by_faq.faq.entry == PASSWORD and by_faq.confidence == by_faq.faq.score > 0.8
        assert "How can I reset my password?" in by_faq.heading and not by_faq.citations
        by_archive = archive.ask("Why did margins fall?")
        assert by_archive.citations and by_archive.faq is not None and not by_archive.faq.answered
        assert by_archive.faq.score < 0.5 and by_archive.confidence > 0
        assert archive.ask("password forgotten", faq=False).faq is None


def tmp_path_entry(folder: Path) -> Path:
    """Write a FAQ file with one entry and return its path."""
    file = folder / "faq.csv"
    file.write_text(
        "question,answer,variants\nHow can I reset my password?,Click on it.,password forgotten\n"
    )
    return file


def test_an_archive_with_a_faq_alone_is_asked_like_any_other(tmp_path: Path) -> None:
    with onrecord.open(tmp_path / "a.db", make=True, embedding={"model": "hashing"}) as archive:
        assert archive.ask("password forgotten").faq is None, "there is nothing to ask"
        archive.faq.add(tmp_path_entry(tmp_path), live=True)
        answer = archive.ask("password forgotten")
        assert answer.text == "Click on it." and answer.verdict == "answered"
        back = archive.ask("Which is the tallest mountain of Norway?")
        assert back.verdict == "nothing_found" and back.faq is not None and not back.faq.answered
        assert back.suggestions == back.faq.options == ("How can I reset my password?",)
        assert "no answer" in back.heading
        assert archive.ask("password forgotten", faq=False).faq is None


def test_a_faq_that_cannot_be_asked_leaves_the_archive(tmp_path: Path) -> None:
    """When the FAQ fails, the archive answers and a note says so."""
    with onrecord.open(tmp_path / "a.db", embedding={"model": "hashing"}) as archive:
        archive.add(EXAMPLES)
        archive.faq.add(tmp_path_entry(tmp_path), live=True)
        archive.faq.store.close()
        answer = archive.ask("Why did margins fall?", faq=True)
    assert answer.citations and any("FAQ could not be asked" in note for note in answer.notes)


def test_the_chain_over_http_and_on_the_command_line(client: Client, filled: Shell) -> None:
    """Asking the FAQ first works in the ask, chat and OpenAI routes and on the command line."""
    client("POST", "/entries", {"entries": ENTRIES, "live": True})
    key = {"Authorization": f"Bearer {client.secrets['one_r']}"}
    body = {"question": "password forgotten", "faq": True}
    reply = client.http.post("/api/ask", json=body, headers=key).json()
    assert reply["text"] == "Click on it." and reply["faq"]["answered"] and reply["confidence"] > 0.8
    streamed = client.http.post(
        "/api/chat?protocol=text", json=chat("password forgotten", faq=True), headers=key
    )
    assert "Click on it." in streamed.text
    parts = parts_of(
        client.http.post("/api/chat", json=chat("password forgotten", faq=True), headers=key).text
    )
    (data,) = [part["data"] for part in parts if part["type"] == "data-answer"]
    openai = {"messages": [{"role": "user", "content": "Which is the tallest mountain?"}], "faq": True}
    asked = client.http.post("/v1/chat/completions", json=openai, headers=key).json()["onrecord"]
    assert data["faq"]["entry"] == PASSWORD and data["confidence"] == data["faq"]["score"]
    assert (
        not asked["faq"]["answered"] and asked["suggestions"] and asked["confidence"] != asked["faq"]["score"]
    )
    (filled.folder / "faq.csv").write_text("question,answer\nWhen is lunch?,At noon.\n")
    filled("faq", "add", "faq.csv", "--live")
    assert "At noon." in filled("ask", "When is lunch?", "--faq").output
    assert "At noon." not in filled("ask", "When is lunch?").output
