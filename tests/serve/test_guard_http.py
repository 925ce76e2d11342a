"""Access to the server: keys, rights, hosts and origins, and limits on size, rate and time."""

from __future__ import annotations

import gc
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from starlette.testclient import TestClient

from onrecord.serve.http.guard import LOOPBACK
from onrecord.settings import Server
from server_world import SECRET, World, chat, running

QUESTION = "Which orchid was found on the seventh moon?"


class Locked:
    """A server with keys, and a client that sends requests with any of them."""

    def __init__(self, world: World, **settings: Any) -> None:
        self.world = world
        self.keys, self.secrets = world.keys(
            one=("read",), two=("read",), two_writer=("read", "write"), one_watcher=("metrics",)
        )
        self.client = TestClient(world.app(Server(**settings), self.keys), raise_server_exceptions=False)

    def ask(self, method: str, address: str, who: str | None = None, **options: Any) -> Any:
        """Send a request with the key named `who`, with `who` as the key, or without a key."""
        headers = {"Authorization": f"Bearer {self.secrets.get(who, who)}"} if who else {}
        return self.client.request(method, address, headers=headers, **options)


@pytest.fixture
def locked(world: World, tmp_path: Path) -> Iterator[Locked]:
    """Yield a server whose keys are in a new folder, on the archive that the module shares."""
    world.folder, original_folder = tmp_path, world.folder
    (tmp_path / "talks.db").symlink_to(original_folder / "talks.db")
    yield Locked(world)
    world.folder = original_folder


@pytest.mark.parametrize(
    ("method", "address"),
    [
        ("GET", "/api/recordings"),
        ("GET", "/api/recordings/x/media"),
        ("POST", "/api/ask"),
        ("POST", "/api/chat"),
        ("POST", "/api/faq"),
        ("POST", "/v1/chat/completions"),
        ("GET", "/v1/models"),
        ("POST", "/mcp"),
        ("GET", "/metrics"),
        ("DELETE", "/api/recordings/x"),
        ("GET", "/api/nowhere"),
    ],
)
def test_nothing_without_a_key(locked: Locked, method: str, address: str) -> None:
    for who in (None, "onr_wrong", locked.secrets["one"][:-1], ""):
        reply = locked.ask(method, address, who)
        assert reply.status_code == 401, (who, reply.text)
        assert reply.headers["www-authenticate"] == "Bearer"


def test_what_holds_nothing_of_anybodys_is_open(locked: Locked) -> None:
    """Routes without user data need no key."""
    for address in ("/healthz", "/readyz", "/openapi.json"):
        assert locked.ask("GET", address).status_code == 200


def test_a_key_lets_into_its_workspace_and_no_other(locked: Locked) -> None:
    mine = locked.ask("POST", "/api/ask", "two", json={"question": QUESTION})
    assert SECRET in mine.text
    assert SECRET not in locked.ask("POST", "/api/ask", "one", json={"question": QUESTION}).text
    asked = {"question": QUESTION, "workspace": "two"}
    for address, body in (("/api/ask", asked), ("/api/chat", chat(QUESTION, workspace="two"))):
        reply = locked.ask("POST", address, "one", json=body)
        assert reply.status_code == 404 and SECRET not in reply.text
    assert locked.client.get("/v1/models", headers={"X-API-Key": locked.secrets["one"]}).status_code == 200


def test_rights(locked: Locked) -> None:
    assert locked.ask("GET", "/metrics", "one").status_code == 403
    assert locked.ask("GET", "/metrics", "one_watcher").status_code == 200
    assert locked.ask("GET", "/api/recordings", "one_watcher").status_code == 403
    assert locked.ask("POST", "/api/recordings?name=a.txt", "two", content=b"Ann: Hi.").status_code == 403
    assert locked.ask("DELETE", "/api/recordings/x", "two").status_code == 403


def test_what_is_written_is_there_for_its_workspace_alone(locked: Locked) -> None:
    """A recording that a key adds is visible only in the workspace of the key."""
    words = b"Ann: The lighthouse was painted green last spring, and nobody liked it.\n"
    place = "/api/recordings?name=light.txt&title=Light&date=2024-05"
    added = locked.ask("POST", place, "two_writer", content=words)
    assert added.status_code == 201, added.text
    (recording,) = added.json()["added"]
    assert (recording["title"], recording["date"], recording["media"]) == ("Light", "2024-05", None)
    again = locked.ask("POST", place, "two_writer", content=words)
    assert again.status_code == 200 and again.json()["unchanged"][0]["id"] == recording["id"]
    changed = locked.ask("POST", "/api/recordings?name=light.txt", "two_writer", content=words + words)
    assert changed.json()["changed"][0]["id"] == recording["id"]

    question = {"question": "What colour was the lighthouse painted?"}
    assert "green" in locked.ask("POST", "/api/ask", "two", json=question).text
    assert "green" not in locked.ask("POST", "/api/ask", "one", json=question).text

    address = f"/api/recordings/{recording['id']}"
    assert locked.ask("DELETE", "/api/recordings/light", "two_writer").status_code == 404
    assert locked.ask("DELETE", address, "two_writer").json() == {"removed": recording["id"]}
    assert locked.ask("GET", address, "two").status_code == 404
    assert "green" not in locked.ask("POST", "/api/ask", "two", json=question).text


def test_what_is_wrong_with_a_transcript_is_reported(locked: Locked) -> None:
    """Format errors and notes on a transcript are in the reply."""
    sent = locked.ask("POST", "/api/recordings?name=broken.vtt", "two_writer", content=b"\x00\x01")
    assert sent.status_code == 422 and sent.json()["error"]["code"] == "format_error"
    assert sent.json()["error"]["message"].startswith("broken.vtt, byte 0: expected a transcript")
    talk = b"Ann: [0:01] The tape turns.\n\nBo: It does, all night long.\n\nAnn: [9:01] It stopped.\n"
    added = locked.ask("POST", "/api/recordings?name=tape.md", "two_writer", content=talk).json()
    assert added["notes"] == ["some turns have no time: onrecord estimates those between two times"]
    locked.ask("DELETE", f"/api/recordings/{added['added'][0]['id']}", "two_writer")


@pytest.mark.parametrize(
    ("query", "content", "status"),
    [
        ("name=", b"x", 400),
        ("name=../../etc/passwd.txt", b"Ann: Hello there, everybody.", 201),
        ("name=.hidden", b"x", 400),
        ("name=..", b"x", 400),
        (f"name={'海' * 90}.txt", b"Ann: Hello.", 400),
        ("name=a%00b.txt", b"Ann: Hello.", 201),
        ("name=broken.json", b"{", 422),
        ("name=photo.jpg", b"\xff\xd8\xff\xe0", 422),
        ("name=empty.vtt", b"", 422),
        ("name=a.txt&date=yesterday", b"Ann: Hello.", 400),
        ("name=a.txt&link=javascript:alert(1)", b"Ann: Hello.", 400),
    ],
)
def test_uploads_are_not_trusted(locked: Locked, query: str, content: bytes, status: int) -> None:
    """File names, contents and fields of an upload are checked; paths in names are dropped."""
    reply = locked.ask("POST", f"/api/recordings?{query}", "two_writer", content=content)
    assert reply.status_code == status, reply.text
    assert "/tmp" not in reply.text and "passwd.txt" not in {p.name for p in locked.world.folder.iterdir()}
    for recording in reply.json().get("added", []):
        assert recording["id"].startswith(("passwd", "ab"))
        locked.ask("DELETE", f"/api/recordings/{recording['id']}", "two_writer")


def test_wrong_keys_are_slowed_down(locked: Locked) -> None:
    """An address that sends wrong keys is limited after 20 requests."""
    statuses = [locked.ask("GET", "/api/stats", f"onr_guess{n}").status_code for n in range(25)]
    assert statuses[0] == 401 and statuses[-1] == 429
    assert statuses.index(429) == 20


def test_no_more_than_the_rate_for_each_key(world: World, tmp_path: Path) -> None:
    world.folder, original_folder = tmp_path, world.folder
    try:
        locked = Locked(world, rate="3/minute")
    finally:
        world.folder = original_folder
    replies = [locked.ask("GET", "/api/stats", "one") for _ in range(5)]
    assert [reply.status_code for reply in replies] == [200, 200, 200, 429, 429]
    assert 0 < int(replies[-1].headers["retry-after"]) <= 60
    assert replies[-1].json()["error"]["code"] == "too_many_requests"
    assert locked.ask("GET", "/api/stats", "two").status_code == 200
    assert locked.ask("GET", "/healthz").status_code == 200


# ---------------------------------------------------------------- without keys


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "localhost:8000"}, 200),
        ({"host": "127.0.0.1"}, 200),
        ({"host": "[::1]:8000"}, 200),
        ({"host": "LOCALHOST"}, 200),
        ({"host": "evil.example"}, 421),
        ({"host": "localhost.evil.example:8000"}, 421),
        ({"host": ""}, 421),
        ({"host": "localhost:8000", "origin": "http://localhost:8000"}, 200),
        ({"host": "localhost:8000", "origin": "http://evil.example"}, 403),
        ({"host": "localhost:8000", "origin": "null"}, 403),
        ({"host": "localhost:8000", "origin": "http://["}, 403),
        ({"host": "localhost:8000", "origin": "http://localhost:9000"}, 403),
        ({"host": "localhost:8000", "origin": "https://mine.example"}, 200),
    ],
    ids=str,
)
def test_only_this_machine_without_keys(world: World, headers: dict[str, str], status: int) -> None:
    """Without keys, only loopback hosts, and only their own or a configured origin, are accepted."""
    app = world.app(Server(origins=("https://mine.example",)), hosts=LOOPBACK)
    reply = TestClient(app).get("/api/stats", headers=headers)
    assert reply.status_code == status, reply.text
    allowed = reply.headers.get("access-control-allow-origin")
    assert allowed == (headers["origin"] if "mine" in headers.get("origin", "") else None)


def test_nothing_is_written_without_keys(world: World) -> None:
    client = TestClient(world.app())
    assert client.post("/api/recordings?name=a.txt", content=b"Ann: Hi.").status_code == 403
    known = client.get("/api/recordings").json()["recordings"][0]["id"]
    assert client.delete(f"/api/recordings/{known}").status_code == 403


# ---------------------------------------------------------------- sizes and times


def test_requests_are_of_a_size(world: World) -> None:
    client = TestClient(world.app(Server(body_kilobytes=16)))
    reply = client.post("/api/ask", content=b" " * 17_000)
    assert reply.status_code == 413 and reply.json()["error"]["code"] == "request_too_large"

    def endless() -> Iterator[bytes]:
        for _ in range(100):
            yield b" " * 1000

    assert client.post("/api/chat", content=endless()).status_code == 413


def test_a_refused_body_is_freed_at_once(world: World) -> None:
    """The memory of a refused body is freed without the garbage collector.

    The test counts references to the body with garbage collection disabled.
    """
    app, piece = world.app(Server(body_kilobytes=16)), bytes(17_000)
    path, headers = "/api/ask", [(b"host", b"localhost"), (b"transfer-encoding", b"chunked")]
    scope = {"type": "http", "method": "POST", "path": path, "headers": headers, "query_string": b""}
    scope |= {"client": ("127.0.0.1", 1), "http_version": "1.1", "scheme": "http", "root_path": ""}
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": piece, "more_body": True}

    async def send(message: Any) -> None:
        sent.append(message)

    before = sys.getrefcount(piece)
    gc.disable()
    try:
        for _ in range(3):
            anyio.run(app, {**scope}, receive, send)
        after = sys.getrefcount(piece)
    finally:
        gc.enable()
    assert [message["status"] for message in sent if "status" in message] == [413] * 3
    assert after == before


def test_requests_arrive_in_time(world: World) -> None:
    with running(world.app(Server(body_seconds=0.2))) as address:
        host, port = address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), 5) as slow:
            slow.sendall(b"POST /api/ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
            began = time.monotonic()
            reply = slow.recv(65536)
            assert reply.startswith(b"HTTP/1.1 408 ") and time.monotonic() - began < 5


# ---------------------------------------------------------------- media with keys


@contextmanager
def taped(world: World, *names: str) -> Iterator[list[str]]:
    """Yield the ids of recordings with a media file, which are in the second workspace meanwhile."""
    talks = world.folder / "talks"
    talks.mkdir()
    for name in names:
        (talks / f"{name}.mp3").write_bytes(b"turning")
        head = f"---\nmedia: {name}.mp3\n---\n"
        (talks / f"{name}.md").write_text(f"{head}Ann [0:01]: The {name} turns.\n")
    with world.open("two") as archive:
        ids = [recording.id for recording in archive.add(talks).added]
    yield ids
    with world.open("two") as archive:
        for id_ in ids:
            archive.remove(id_)


def test_a_player_needs_no_key_for_what_it_was_given(locked: Locked) -> None:
    """A signed media address works without a key, and any change to it makes it invalid.

    Media players cannot send a key.
    """
    with taped(locked.world, "tape") as (recording,):
        address = locked.ask("GET", f"/api/recordings/{recording}", "two").json()["media"]
        assert locked.client.get(address).content == b"turning"
        plain, _, query = address.partition("?")
        wrong = {
            plain: 401,
            address.replace("workspace=two", "workspace=one"): 401,
            address.replace("until=", "until=9"): 401,
            f"/api/recordings/other/media?{query}": 401,
            f"/api/recordings/{recording}?{query}": 401,
            f"{plain}?workspace=two&until=99999999999&signature=": 401,
            f"{plain}?{query[:-1]}é": 401,
        }
        assert {address: locked.client.get(address).status_code for address in wrong} == wrong


def test_one_listener_does_not_use_up_the_rate_of_others(world: World, tmp_path: Path) -> None:
    world.folder, original_folder = tmp_path, world.folder
    (tmp_path / "talks.db").symlink_to(original_folder / "talks.db")
    try:
        locked = Locked(world, rate="3/minute")
        with taped(world, "tape", "reel") as recordings:
            first, second = (
                locked.ask("GET", f"/api/recordings/{each}", "two").json()["media"] for each in recordings
            )
            played = [locked.client.get(first).status_code for _ in range(4)]
            assert played == [200, 200, 200, 429] and locked.client.get(second).status_code == 200
    finally:
        world.folder = original_folder
