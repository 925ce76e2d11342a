"""``onrecord chat`` in a real browser.

Chainlit pins old versions of many packages, so it has its own environment: `PYTHON_WITH_CHAINLIT` is the
path of a Python that has it. `.ci/run` creates one.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import httpx
import pytest
from page_world import examples

import onrecord
from model_server import model_server

HERE, ROOT = Path(__file__).parent, Path(__file__).parent.parent.parent
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")
PYTHON = os.environ.get("PYTHON_WITH_CHAINLIT") or (sys.executable if find_spec("chainlit") else "")

pytestmark = [
    pytest.mark.web,
    pytest.mark.slow,
    pytest.mark.skipif(not PYTHON, reason="needs Chainlit: PYTHON_WITH_CHAINLIT names a Python that has it"),
]


@contextmanager
def chatting(folder: Path, *options: str, **variables: str) -> Iterator[str]:
    """Run a chat on the examples, one of which has a sound file, and yield its address."""
    examples(folder).close()
    command = [PYTHON, "-m", "onrecord", "chat", "--archive", "examples.db", "--port", "0", *options]
    own = {"ONRECORD_EMBEDDING__MODEL": "hashing", "PYTHONPATH": str(ROOT / "src"), "PYTHONUNBUFFERED": "1"}
    own |= variables
    with subprocess.Popen(
        command, cwd=folder, env={**os.environ, **own}, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith("onrecord chats on http://127.0.0.1:"), line
            yield line.split()[-1]
            process.send_signal(signal.SIGTERM)
            process.wait(20)
        finally:
            process.kill()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("chat")


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with chatting(folder) as address:
        yield address


def played(*words: str) -> None:
    """Run a scene of chainlit.mjs and check that it succeeds."""
    if not CHROMIUM or not shutil.which("node") or not (HERE / "node_modules" / "playwright-core").is_dir():
        pytest.skip("needs Chromium, Node and the npm packages: scripts/web")
    command = ["node", str(HERE / "chainlit.mjs"), *words]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=240, env={**os.environ, "CHROMIUM": CHROMIUM}
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["error"] is None, json.loads(done.stdout)["error"]


def test_people_chat_hear_filter_and_say_what_they_think(address: str, folder: Path) -> None:
    played(address)
    with onrecord.open(folder / "examples.db", embedding={"model": "hashing"}) as archive:
        ratings = archive.ledger.feedback()
    assert [(rating.good, rating.question) for rating in ratings] == [
        (False, "What did Kelly say about tariffs?")
    ], "the second thumb takes the place of the first"


def test_what_a_model_writes_is_shown_as_it_comes(tmp_path: Path) -> None:
    draft = "The tariff on imported aluminium frames went from six to twenty-five percent [Source 1]. "
    more = "A container cost two thousand dollars in January [Source 1]. "
    with (
        model_server((draft + more) * 8, pieces=12, pause=0.05) as model,
        chatting(tmp_path, "--model", "tiny", ONRECORD_LLM__BASE_URL=model.base_url) as at,
    ):
        played(at, "streams")


def test_nothing_of_the_page_is_asked_of_other_hosts(address: str) -> None:
    page = httpx.get(address, timeout=60)
    assert page.status_code == 200 and "https://" not in page.text
    assert "default-src 'self'" in page.headers["content-security-policy"]


@pytest.mark.parametrize("headers", [{"Origin": "https://evil.example"}, {"Host": "evil.example"}])
def test_pages_of_other_sites_are_not_let_in(address: str, headers: dict[str, str]) -> None:
    assert httpx.get(address, headers=headers, timeout=60).status_code == 403
    polling = f"{address}/ws/socket.io/?EIO=4&transport=polling"
    assert httpx.get(polling, headers=headers, timeout=60).status_code == 403


def test_only_files_of_recordings_are_sent(address: str) -> None:
    assert httpx.get(f"{address}/onrecord/media/..%2f..%2fetc%2fpasswd", timeout=60).status_code == 404
    assert httpx.get(f"{address}/onrecord/media/night-desk-42", timeout=60).status_code == 404
    part = httpx.get(f"{address}/onrecord/media/night-desk-41", headers={"Range": "bytes=0-9"}, timeout=60)
    assert part.status_code == 206 and len(part.content) == 10
