"""The commands `onrecord serve` and `onrecord keys`."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from conftest import Shell
from model_server import model_server
from onrecord.archive import Archive
from onrecord.errors import InputError, SettingError
from onrecord.serve import serve_cli
from onrecord.serve.http import running
from onrecord.serve.http.listening import bound, is_loopback
from onrecord.serve.keys import load_keys
from onrecord.serve.serve_cli import require


def served(folder: Path, *options: str, **variables: str) -> subprocess.Popen[str]:
    """Start `onrecord serve` in a new process on a free port."""
    command = [sys.executable, "-m", "onrecord", "serve", "--port", "0", *options]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", **variables}
    return subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_the_server_says_where_it_is_and_what_is_there(filled: Shell) -> None:
    """`serve` prints its address and routes, answers requests and ends with SIGINT."""
    process = served(filled.folder)
    assert process.stdout is not None
    try:
        first = process.stdout.readline()
        match = re.search(r"http://127\.0\.0\.1:\d+", first)
        assert match, first
        address = match[0]
        rest = "".join(process.stdout.readline() for _ in range(6))
        for door in (
            "/api/chat",
            "/v1/chat/completions",
            "/mcp",
            "/openapi.json",
            "default",
            "this machine only",
        ):
            assert door in rest
        asked = httpx.post(f"{address}/api/ask", json={"question": "Why did gross margin fall?"}).json()
        assert asked["citations"]
        assert httpx.get(f"{address}/").status_code == 200
        assert httpx.get(f"{address}/api/stats", headers={"Host": "evil.example"}).status_code == 421
    finally:
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert process.returncode == 0 and "Traceback" not in err


def test_a_door_that_is_not_installed_is_not_offered(filled: Shell) -> None:
    """Without the package `mcp`, `serve` prints how to install it."""
    hidden = "import sys; sys.modules['mcp'] = None; from onrecord.serve.cli import main; main()"
    command = [sys.executable, "-c", hidden, "serve", "--port", "0"]
    process = subprocess.Popen(command, cwd=filled.folder, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        lines = [process.stdout.readline() for _ in range(7)]
    finally:
        process.terminate()
        process.communicate(timeout=20)
    assert any("/mcp" in line and "pip install 'onrecord[mcp]'" in line for line in lines), lines


def test_without_an_archive_the_page_begins_one(shell: Shell) -> None:
    """Without an archive, `serve` starts, and the first upload creates the archive."""
    process = served(shell.folder)
    assert process.stdout is not None
    try:
        address = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
        assert address
        with httpx.Client(base_url=address[0], timeout=60) as client:
            assert client.get("/api/recordings").json()["total"] == 0
            asked = client.post("/api/ask", json={"question": "Who flies kites?"}).json()
            assert "no recordings yet" in asked["heading"]
            talk = "Ann: The kite flew over the harbour wall.\n\nBob: It was a red kite.\n"
            added = client.post("/api/recordings", params={"name": "kites.txt"}, content=talk)
            assert added.status_code == 201
            assert client.post("/api/ask", json={"question": "Where did the kite fly?"}).json()["citations"]
    finally:
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert "or drop transcripts on the page" in err
    assert "Kites" in shell("list").output


def test_the_server_writes_by_the_model_that_is_named_and_ends_its_streams(filled: Shell) -> None:
    """`--model` selects the model; SIGTERM ends open streams with an error part."""
    draft = "The tariff on imported aluminium frames went from six to twenty-five percent [Source 1]. "
    with model_server(draft * 200, pieces=20, pause=0.05) as model:
        process = served(
            filled.folder,
            "--model",
            "tiny",
            ONRECORD_LLM__BASE_URL=model.base_url,
            ONRECORD_LLM__TOKENS="9000",
        )
        assert process.stdout is not None
        address = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
        assert address
        asked = {"messages": [{"role": "user", "text": "Why did margins fall?"}]}
        lines: list[str] = []
        with httpx.stream("POST", f"{address[0]}/api/chat", json=asked, timeout=30) as reply:
            for line in reply.iter_lines():
                if not any("text-delta" in before for before in lines) and "text-delta" in line:
                    process.send_signal(signal.SIGTERM)
                lines += [line] if line else []
        process.communicate(timeout=20)
    assert lines[-1] == "data: [DONE]" and '"type":"error"' in lines[-2] and "being stopped" in lines[-2]
    assert model.asked[0]["model"] == "tiny"


def test_a_port_that_is_taken_is_reported_before_anything_is_read(shell: Shell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        result = shell(
            "serve", "--port", str(port), code=1
        )  # the port is checked before the missing archive is reported
    assert f"port {port} of 127.0.0.1 is in use: choose another with --port" in result.stderr
    assert len(result.stderr.splitlines()) == 1 and result.stdout == ""


def test_a_workspace_that_is_not_there_yet_is_reported_and_served(
    filled: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`serve` warns about a new workspace and serves it."""
    seen = []

    def run(open_archive: Callable[[str], Archive], names: tuple[str, ...], host: str, port: int) -> None:
        for name in names:
            with open_archive(name) as archive:
                seen.append(len(archive.recordings()))

    monkeypatch.setattr(running, "run", run)
    result = filled("serve", "--workspace", "default", "--workspace", "dekst")
    assert seen == [5, 0]
    assert result.stderr.startswith("onrecord: there is no workspace 'dekst' here: there are default")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_every_address_of_a_host_is_listened_on_at_one_port(host: str) -> None:
    try:
        with bound(host, 0) as (first,):
            port = first.getsockname()[1]
        with bound(host, port) as sockets:
            assert {sock.getsockname()[1] for sock in sockets} == {port}
            assert len(sockets) <= 2
    except SettingError:
        assert host == "::1"  # only a machine without IPv6 may fail


@pytest.mark.parametrize("host", ["no.such.host.invalid", "192.0.2.1", "a" * 300])
def test_a_host_that_is_none_of_this_machine_is_reported(host: str) -> None:
    with pytest.raises(SettingError, match=r"^--host.*of this machine"), bound(host, 0):
        pass


def test_without_keys_it_is_for_this_machine_only(filled: Shell) -> None:
    result = filled("serve", "--host", "0.0.0.0", code=1)
    assert "--host" in result.output and "onrecord keys new" in result.output
    assert [is_loopback(host) for host in ("127.0.0.1", "127.9.9.9", "::1", "localhost")] == [True] * 4
    assert [is_loopback(host) for host in ("0.0.0.0", "::", "example.org", "10.0.0.1", "")] == [False] * 5


def test_what_cannot_be_served_is_said_at_once(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Missing archives, key files and keys, and invalid rates are reported before the server starts."""
    assert "there is no archive" in shell("serve", "--archive", "typo.db", code=1).output
    monkeypatch.setenv("ONRECORD_SERVER__LOCAL_WRITES", "false")
    assert "there is no archive" in shell("serve", code=1).output, "nobody could add to it"
    monkeypatch.delenv("ONRECORD_SERVER__LOCAL_WRITES")
    monkeypatch.setenv("ONRECORD_SERVER__KEYS", str(shell.folder / "keys.yaml"))
    assert "server.keys" in shell("serve", code=1).output
    (shell.folder / "keys.yaml").write_text("")
    assert "at least one key" in shell("serve", code=1).output
    (shell.folder / "a.txt").write_text("Ann: Hello there, everybody.")
    shell("add", "a.txt", "--workspace", "desk")
    shell("keys", "new", "--workspace", "elsewhere")
    assert "a workspace that is served (desk)" in shell("serve", "--workspace", "desk", code=1).output
    for rate in ("often", "0/minute"):
        monkeypatch.setenv("ONRECORD_SERVER__RATE", rate)
        assert "a rate such as 120/minute" in shell("serve", code=1).output


def test_keys_are_made_shown_once_and_taken_away(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new key is printed once, stored as a hash in a private file, and can be removed."""
    path = shell.folder / "keys.yaml"
    monkeypatch.setenv("ONRECORD_SERVER__KEYS", str(path))
    result = shell("keys", "new", "--workspace", "desk", "--right", "read", "--right", "write")
    secret = result.stdout.strip()
    assert re.fullmatch(r"onr_[\w-]{43}", secret) and secret not in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    other = shell("keys", "new", "--name", "page").stdout.strip()
    assert "already" in shell("keys", "new", "--name", "page", code=1).output

    keys = load_keys(path)
    key = keys.find(secret)
    assert key is not None and (key.name, key.workspace) == ("desk-read-write", "desk")
    assert key.rights == ("read", "write") and keys.find(secret + "x") is None and keys.find("") is None
    assert keys.workspaces == ("desk", "default")
    listed = shell("keys", "list").output
    assert "page" in listed and "read, write" in listed and other not in listed

    shell("keys", "remove", "page")
    assert load_keys(path).find(other) is None
    assert "no key 'page'" in shell("keys", "remove", "page", code=1).output
    shell("keys", "remove", "desk-read-write")
    assert json.loads(shell("keys", "list", "--json").stdout) == []
    assert "there are no keys" in shell("keys", "list").stderr


def test_without_a_file_for_keys_it_says_so(shell: Shell) -> None:
    assert "server.keys" in shell("keys", "new", code=1).output
    assert "onr_" in shell("keys", "new", "--file", "mine.yaml").output


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: b", "list of keys"),
        ("- [", "not YAML"),
        ("- name: a", "rights of a"),
        ("- {name: a, rights: [read]}", "either sha256 or variable"),
        ("- {name: a, rights: [read], sha256: abc}", "64 hexadecimal"),
        ("- {name: a, rights: [root], variable: KEY}", "read, write, metrics"),
        ("- {name: a, rights: [read], variable: SHORT}", "at least 20 characters in the variable SHORT"),
        ("- {name: a, rights: [read], variable: GONE}", "variable GONE"),
        ("- {name: 'a b', rights: [read], variable: KEY}", "letters, digits"),
        ("- {name: a, rights: [read], variable: KEY, workspace: ''}", "workspace of a"),
        ("- {name: a, rights: [read], variable: KEY, key: plain}", "a mapping of"),
        ("- {name: a, rights: [read], variable: KEY}\n" * 2, "no other entry"),
    ],
)
def test_a_file_of_keys_with_a_mistake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    """An invalid key file is refused with a message that contains no secret."""
    monkeypatch.setenv("KEY", "a-key-of-more-than-twenty-characters")
    monkeypatch.setenv("SHORT", "hush")
    path = tmp_path / "keys.yaml"
    path.write_text(text)
    with pytest.raises(SettingError, match=message) as caught:
        load_keys(path)
    assert "hush" not in str(caught.value) and "plain" not in str(caught.value)


def test_a_key_may_stand_in_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key file may name an environment variable that holds the key."""
    monkeypatch.setenv("KEY", "a-key-of-more-than-twenty-characters")
    (tmp_path / "keys.yaml").write_text("- {name: a, rights: [read], variable: KEY}")
    key = load_keys(tmp_path / "keys.yaml").find("a-key-of-more-than-twenty-characters")
    assert key is not None and key.workspace == "default"


def test_what_an_extra_brings_is_named() -> None:
    """A missing module is reported with the extra that installs it."""
    require("serve", "fastapi")
    with pytest.raises(InputError, match=r"a_module_that_nobody_has.*pip install 'onrecord\[mcp\]'"):
        require("mcp", "fastapi", "a_module_that_nobody_has")


@pytest.mark.parametrize(("command", "extra"), [("serve", "serve"), ("mcp", "mcp")])
def test_without_its_extra_a_command_says_so(
    filled: Shell, monkeypatch: pytest.MonkeyPatch, command: str, extra: str
) -> None:
    def nothing(name: str) -> None:
        return None

    monkeypatch.setattr(serve_cli, "find_spec", nothing)
    assert f"pip install 'onrecord[{extra}]'" in filled(command, code=1).output
