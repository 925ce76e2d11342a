"""Three major versions of the npm package `ai` (Vercel AI SDK), run against a real server."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event as Flag
from typing import Any

import pytest

from onrecord.archive import Ask
from onrecord.errors import StoreError
from onrecord.types import Event, Exchange
from server_world import World, running

HERE = Path(__file__).parent
pytestmark = pytest.mark.web
MAJORS = ["5", "6", "7"]


class Server:
    """A server on which some questions fail or wait.

    `history` has the earlier exchanges of each question.
    """

    def __init__(self, world: World, address: str) -> None:
        self.world, self.address = world, address
        self.history: list[tuple[Exchange, ...]] = []
        self.left = Flag()
        archive = world.tenants.archive("one")
        self._real = archive.stream
        archive.stream = self._stream  # type: ignore[method-assign]

    def _stream(self, ask: Ask) -> Iterator[Event]:
        self.history.append(ask.history)
        if ask.text.endswith("then break."):
            yield "A word"
            raise StoreError("cannot read /secret/talks.db")
        if ask.text.endswith("then wait."):
            try:
                yield "A word"
                for _ in range(2000):
                    time.sleep(0.01)
                    yield " more"
            finally:
                self.left.set()
        yield from self._real(ask)

    def play(self, major: str, scenario: str) -> dict[str, Any]:
        """Run a scenario of chat.mjs and return what a front end sees."""
        command = ["node", "--no-warnings", "chat.mjs", major, self.address, scenario]
        done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        seen: dict[str, Any] = json.loads(done.stdout)
        return seen


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield the server; without Node and the packages, skip the tests, or fail if they are required."""
    missing = [what for what, there in NEEDS.items() if not there]
    if missing:
        reason = f"needs {' and '.join(missing)}: scripts/web"
        pytest.fail(reason) if os.environ.get("ONRECORD_WEB_TESTS") == "1" else pytest.skip(reason)
    world = World(tmp_path_factory.mktemp("world"))
    with running(world.app()) as address:
        yield Server(world, address)


NEEDS = {"node": shutil.which("node"), "node_modules": (HERE / "node_modules" / "ai5").is_dir()}


def text_of(message: dict[str, Any]) -> str:
    return "".join(part["text"] for part in message["parts"] if part["type"] == "text")


def types_of(message: dict[str, Any]) -> set[str]:
    return {part["type"] for part in message["parts"]}


@pytest.mark.parametrize("major", MAJORS)
def test_answers_one_after_the_other(server: Server, major: str) -> None:
    seen = server.play(major, "answers")
    assert (seen["status"], seen["error"]) == ("ready", None)
    roles = [message["role"] for message in seen["messages"]]
    assert roles == ["user", "assistant", "user", "assistant"]
    assert len({message["id"] for message in seen["messages"]}) == 4
    for answer in seen["messages"][1::2]:
        assert "[1]" in text_of(answer)
        assert {"text", "data-plan", "data-evidence", "data-answer", "source-url"} <= types_of(answer)
        assert "data-step" not in types_of(answer)
        source = next(part for part in answer["parts"] if part["type"] == "source-url")
        known = source["providerMetadata"]["onrecord"]
        assert known["quote"] and source["url"].startswith("https://") and known["number"] == 1
    assert "data-step" in seen["data"]
    second = server.history[-1]
    assert len(second) == 1 and second[0].question.startswith("Why did gross margin")
    assert "[1]" in second[0].answer


@pytest.mark.parametrize("scenario", ["text", "textByBody"])
@pytest.mark.parametrize("major", MAJORS)
def test_plain_text(server: Server, major: str, scenario: str) -> None:
    seen = server.play(major, scenario)
    assert (seen["status"], seen["error"]) == ("ready", None)
    text = text_of(seen["messages"][-1])
    assert "[1]" in text and "https://" in text


@pytest.mark.parametrize("major", MAJORS)
def test_a_refusal_is_shown_as_it_is(server: Server, major: str) -> None:
    seen = server.play(major, "refused")
    assert seen["status"] == "error" and seen["error"].startswith("there is no strategy 'nonsense'")


@pytest.mark.parametrize("major", MAJORS)
def test_a_stream_that_breaks_does_not_look_finished(server: Server, major: str) -> None:
    seen = server.play(major, "broken")
    assert seen["status"] == "error" and "archive cannot be read" in seen["error"]
    assert "secret" not in json.dumps(seen)


@pytest.mark.parametrize("major", MAJORS)
def test_work_stops_when_the_user_stops_it(server: Server, major: str) -> None:
    server.left.clear()
    seen = server.play(major, "stopped")
    assert text_of(seen["messages"][-1]).startswith("A word")
    assert seen["status"] == "ready"
    assert server.left.wait(5), "the work went on though nobody waited for it"


@pytest.mark.parametrize("major", MAJORS)
def test_a_history_with_parts_never_heard_of(server: Server, major: str) -> None:
    seen = server.play(major, "unknownHistory")
    assert (seen["status"], seen["error"]) == ("ready", None)
    assert server.history[-1] == (Exchange("Who is Ann?", "A buyer."),)


@pytest.mark.parametrize("major", MAJORS)
def test_there_is_nothing_to_resume(server: Server, major: str) -> None:
    seen = server.play(major, "resumed")
    assert (seen["status"], seen["error"], seen["messages"]) == ("ready", None, [])
