"""Trust in clients: key changes, addresses behind proxies, slow request headers and absolute links."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import uvicorn
from fastapi import FastAPI
from starlette.testclient import TestClient

from onrecord.errors import SettingError
from onrecord.serve.http.running import config
from onrecord.serve.keys import KeyFile, new_key, remove_key
from onrecord.settings import Server, load
from server_world import World


def asked(client: TestClient, key: str, address: str = "/api/stats", **headers: str) -> int:
    """Return the status of a request with the key."""
    return client.get(address, headers={"Authorization": f"Bearer {key}", **headers}).status_code


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    """Return the path of a key file that does not exist yet."""
    return tmp_path / "keys.yaml"


# ---------------------------------------------------------------- keys


def test_a_key_that_is_taken_out_lets_nobody_in_any_more(world: World, keys: Path) -> None:
    """A running server applies changes to its key file."""
    stays, goes = (new_key(keys, name, "one", ("read",)) for name in ("stays", "goes"))
    client = TestClient(world.app(keys=KeyFile(keys, ("one",))))
    assert (asked(client, stays), asked(client, goes)) == (200, 200)
    remove_key(keys, "goes")
    assert (asked(client, stays), asked(client, goes)) == (200, 401)
    comes = new_key(keys, "comes", "one", ("read",))
    elsewhere = new_key(keys, "elsewhere", "two", ("read",))
    assert (asked(client, comes), asked(client, elsewhere)) == (200, 401)
    remove_key(keys, "stays"), remove_key(keys, "comes"), remove_key(keys, "elsewhere")
    assert {asked(client, key) for key in (stays, goes, comes)} == {401}


@pytest.mark.parametrize("broken", ["", "- name: x", "[", None])
def test_a_file_of_keys_that_is_wrong_lets_nobody_in(world: World, keys: Path, broken: str | None) -> None:
    """While the key file is broken or missing, no key is accepted."""
    key = new_key(keys, "a", "one", ("read",))
    client, right = TestClient(world.app(keys=KeyFile(keys))), keys.read_text()
    assert asked(client, key) == 200
    if broken is None:
        keys.unlink()
    else:
        keys.write_text(broken)
    assert asked(client, key) == 401
    keys.write_text(right)
    assert asked(client, key) == 200


def test_addresses_of_media_end_with_a_key_of_their_workspace(world: World, keys: Path) -> None:
    """A signed media address is invalid once a key of the workspace is removed."""
    folder = world.folder / "tapes"
    folder.mkdir()
    (folder / "tape.mp3").write_bytes(b"turning")
    (folder / "tape.md").write_text("---\nmedia: tape.mp3\n---\nAnn [0:01]: The tape turns.\n")
    with world.open("one") as archive:
        (recording,) = archive.add(folder / "tape.md").added
    first, _ = (new_key(keys, name, "one", ("read",)) for name in ("first", "second"))
    client = TestClient(world.app(keys=KeyFile(keys)))
    shown = client.get(f"/api/recordings/{recording.id}", headers={"Authorization": f"Bearer {first}"})
    media = shown.json()["media"]
    assert client.get(media).status_code == 200
    remove_key(keys, "first")
    assert client.get(media).status_code == 401
    with world.open("one") as archive:
        archive.remove(recording.id)


def test_wrong_keys_do_not_lock_out_the_right_ones_of_their_address(world: World, keys: Path) -> None:
    """Wrong keys limit their address, but valid keys from that address still work."""
    key = new_key(keys, "a", "one", ("read",))
    client = TestClient(world.app(keys=KeyFile(keys)))
    assert [asked(client, f"onr_{n}") for n in range(25)][-1] == 429
    assert asked(client, key) == 200
    assert asked(client, "onr_again") == 429


@pytest.mark.parametrize(("proxies", "apart"), [((), False), (("testclient",), True)])
def test_addresses_that_requests_tell_count_from_a_proxy_alone(
    world: World, keys: Path, proxies: tuple[str, ...], apart: bool
) -> None:
    """`X-Forwarded-For` is used only if the request comes from a configured proxy."""
    new_key(keys, "a", "one", ("read",))
    settings = Server().model_copy(update={"proxies": proxies})
    client = TestClient(world.app(settings, keys=KeyFile(keys)))
    for n in range(20):
        asked(client, f"onr_{n}", **{"X-Forwarded-For": "203.0.113.7"})
    other = asked(client, "onr_x", **{"X-Forwarded-For": "203.0.113.8"})
    assert other == (401 if apart else 429)


def test_proxies_and_the_own_address_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The settings `proxies` and `url` are validated."""
    for name, value in (("PROXIES", '["10.0.0.0/33"]'), ("URL", "talks.example"), ("URL", "ftp://x")):
        with monkeypatch.context() as patch:
            patch.setenv(f"ONRECORD_SERVER__{name}", value)
            with pytest.raises(SettingError, match="such as"):
                load()
    monkeypatch.setenv("ONRECORD_SERVER__PROXIES", '["127.0.0.1", "10.0.0.0/8", "::1"]')
    monkeypatch.setenv("ONRECORD_SERVER__URL", "https://talks.example/")
    assert load().server.url == "https://talks.example"


# ---------------------------------------------------------------- slow request headers


@contextmanager
def listening(app: FastAPI, settings: Server) -> Iterator[tuple[str, int]]:
    """Run the app in a thread with the settings of the real server, and yield its host and port."""
    server = uvicorn.Server(config(app, settings, port=0))
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.005)
    yield server.servers[0].sockets[0].getsockname()[:2]
    server.should_exit = True
    thread.join(20)


HEAD = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"


@pytest.mark.parametrize("begun", [b"", HEAD, HEAD + b"\r\n" + HEAD])
def test_a_head_that_drips_is_cut(world: World, begun: bytes) -> None:
    """Request headers that arrive too slowly are answered with 408 and the connection is closed."""
    settings = Server(body_seconds=0.5)
    with (
        listening(world.app(settings), settings) as address,
        socket.create_connection(address, 10) as slow,
    ):
        slow.sendall(begun)
        began, came = time.monotonic(), b""
        slow.settimeout(0.1)
        while time.monotonic() - began < 5:
            try:
                slow.sendall(b"X-Slow: 1\r\n" if begun else b"G")
                some = slow.recv(65536)
            except TimeoutError:
                continue
            except OSError:
                break
            came += some
            if not some:
                break
        assert time.monotonic() - began < 3, "it was still read from"
        assert came.count(b"200 OK") == begun.count(HEAD + b"\r\n") and b" 408 " in came


def test_a_connection_that_is_kept_answers_again(world: World) -> None:
    """A keep-alive connection is not closed by the limit on slow headers."""
    settings = Server(body_seconds=0.3)
    with (
        listening(world.app(settings), settings) as address,
        socket.create_connection(address, 5) as connection,
    ):
        for _ in range(3):
            connection.sendall(HEAD + b"\r\n")
            came = b""
            while not came.endswith(b"}"):
                came += connection.recv(65536)
            assert b" 200 " in came
            time.sleep(0.2)


# ---------------------------------------------------------------- links


@pytest.fixture
def taped(world: World) -> Iterator[str]:
    """Yield the id of a recording whose only link is a media file on this machine."""
    folder = world.folder / "cranes"
    folder.mkdir(exist_ok=True)
    (folder / "crane.mp3").write_bytes(b"turning")
    (folder / "crane.md").write_text("---\nmedia: crane.mp3\n---\nAnn [0:01]: Cranes were painted violet.\n")
    with world.open("one") as archive:
        (recording,) = archive.add(folder / "crane.md").added
    yield recording.id
    with world.open("one") as archive:
        archive.remove(recording.id)


def completed(client: TestClient, **headers: str) -> Any:
    """Return the reply of an OpenAI client to one question."""
    body = {"messages": [{"role": "user", "content": "Which cranes were painted violet?"}]}
    return client.post("/v1/chat/completions", json=body, headers=headers).json()


@pytest.mark.parametrize(
    ("url", "host", "begins"),
    [
        ("https://talks.example/on", "evil.example", "https://talks.example/on/api/recordings/"),
        ("", "localhost:8000", "http://localhost:8000/api/recordings/"),
        ("", "testserver", "http://testserver/api/recordings/"),
        ("", "evil.example", "/api/recordings/"),
        ("", "localhost/../evil", "/api/recordings/"),
    ],
)
def test_links_of_openai_clients_are_absolute_where_the_address_is_sure(
    world: World, taped: str, url: str, host: str, begins: str
) -> None:
    """Links are absolute only with a configured address or a trusted host; a forged host is not used."""
    reply = completed(TestClient(world.app(Server(url=url))), host=host)
    (source, *_) = reply["onrecord"]["sources"]
    assert source["link"].startswith(begins) and source["media"].startswith(begins)
    links = [each["url_citation"]["url"] for each in reply["choices"][0]["message"]["annotations"]]
    assert (source["link"] in links) == begins.startswith("http")
    assert source["link"] in reply["choices"][0]["message"]["content"].split()
