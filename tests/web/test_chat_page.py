"""``onrecord chat`` in a real browser. Chainlit pins old versions of much, so its environment is its own:
`PYTHON_WITH_CHAINLIT` is the path of a Python that has it; `.ci/run` makes one."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import httpx
import pytest
from page_world import examples

HERE, ROOT = Path(__file__).parent, Path(__file__).parent.parent.parent
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")
PYTHON = os.environ.get("PYTHON_WITH_CHAINLIT") or (sys.executable if find_spec("chainlit") else "")

pytestmark = [
    pytest.mark.web,
    pytest.mark.slow,
    pytest.mark.skipif(not PYTHON, reason="needs Chainlit: PYTHON_WITH_CHAINLIT names a Python that has it"),
]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A chat with the examples, one of which has a sound file."""
    folder = tmp_path_factory.mktemp("chat")
    examples(folder).close()
    command = [PYTHON, "-m", "onrecord", "chat", "--archive", "examples.db", "--port", "0"]
    own = {"ONRECORD_EMBEDDING__MODEL": "hashing", "PYTHONPATH": str(ROOT / "src"), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, cwd=folder, env={**os.environ, **own}, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("onrecord chats on http://127.0.0.1:"), line
        yield line.split()[-1]
        process.send_signal(signal.SIGTERM)
        process.wait(20)


def test_people_chat_hear_filter_and_say_what_they_think(address: str) -> None:
    if not CHROMIUM or not shutil.which("node") or not (HERE / "node_modules" / "playwright-core").is_dir():
        pytest.skip("needs Chromium, Node and the npm packages: scripts/web")
    command = ["node", str(HERE / "chainlit.mjs"), address]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=240, env={**os.environ, "CHROMIUM": CHROMIUM}
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["error"] is None, json.loads(done.stdout)["error"]


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
