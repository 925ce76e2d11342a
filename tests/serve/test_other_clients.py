"""Front ends that use the OpenAI protocol: recorded requests, and the real LangChain and Open WebUI.

The packages have their own environments. `PYTHON_WITH_LANGCHAIN` is the path of a Python with
`langchain-openai`, and `ONRECORD_OPENWEBUI` the path of one with `open-webui`.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx
import pytest

from server_world import World, running

PYTHON = os.environ.get("PYTHON_WITH_LANGCHAIN") or (sys.executable if find_spec("langchain_openai") else "")
QUESTION = "Why did gross margin fall by five points?"
LANGCHAIN = """
import json, sys
from langchain_openai import ChatOpenAI
where = {"base_url": sys.argv[1], "api_key": "none", "max_retries": 0}
model = ChatOpenAI(model="onrecord/balanced", temperature=0, **where)
whole = model.invoke([("system", "Be brief."), ("human", sys.argv[2])])
streamed = "".join(piece.content for piece in model.stream(sys.argv[2]))
try:
    tool = {"name": "f", "description": "d", "parameters": {"type": "object", "properties": {}}}
    model.bind_tools([tool]).invoke("Hi?")
    refused = ""
except Exception as error:
    refused = str(error)
print(json.dumps({"whole": whole.content, "streamed": streamed, "refused": refused}))
"""


@pytest.fixture(scope="module")
def address(world: World) -> Iterator[str]:
    with running(world.app()) as address:
        yield f"{address}/v1"


@pytest.mark.skipif(
    not PYTHON, reason="needs langchain-openai: PYTHON_WITH_LANGCHAIN names a Python that has it"
)
def test_langchain_gets_answers_whole_and_streamed(address: str) -> None:
    command = [PYTHON, "-c", LANGCHAIN, address, QUESTION]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    assert done.returncode == 0, done.stderr
    reply = json.loads(done.stdout.splitlines()[-1])
    assert "“" in reply["whole"] and "\n\n[1] " in reply["whole"] and reply["streamed"] == reply["whole"]
    assert "'tools' is not supported" in reply["refused"]


OPEN_WEBUI_PYTHON = os.environ.get("ONRECORD_OPENWEBUI", "")
ALONE = {
    "WEBUI_AUTH": "False",
    "WEBUI_SECRET_KEY": "of this test alone, and long enough",
    "OFFLINE_MODE": "True",
    "HF_HUB_OFFLINE": "1",
    "ENABLE_OLLAMA_API": "False",
    "RAG_EMBEDDING_ENGINE": "openai",
    "ENABLE_TITLE_GENERATION": "False",
    "ENABLE_TAGS_GENERATION": "False",
    "ENABLE_FOLLOW_UP_GENERATION": "False",
}
"""Settings of an Open WebUI that downloads nothing and sends only the questions of its user."""


@contextmanager
def open_webui(address: str, folder: Path) -> Iterator[httpx.Client]:
    """Run a real Open WebUI in front of a server, and yield a signed-in client."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    there = {
        "OPENAI_API_BASE_URL": address,
        "OPENAI_API_KEY": "none",
        "DATA_DIR": str(folder),
        "HOME": str(folder),
    }
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    program = [OPEN_WEBUI_PYTHON, "-c", "from open_webui import app; app()", "serve"]
    with (
        (folder / "log").open("w") as log,
        subprocess.Popen(
            [*program, "--host", "127.0.0.1", "--port", str(port)],
            cwd=folder,
            env={**inherited, **ALONE, **there},
            stdout=log,
            stderr=log,
        ) as process,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=120) as client,
    ):
        try:
            wait_for(client, process, folder / "log")
            token = client.post("/api/v1/auths/signin", json={"email": "", "password": ""}).json()["token"]
            client.headers["Authorization"] = f"Bearer {token}"
            yield client
        finally:
            process.terminate()


def wait_for(client: httpx.Client, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until Open WebUI answers. It first creates its database."""
    for _ in range(360):
        assert process.poll() is None, log.read_text()[-3000:]
        with suppress(httpx.TransportError):
            if client.get("/health").is_success:
                return
        time.sleep(0.5)
    raise AssertionError(log.read_text()[-3000:])


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.skipif(not OPEN_WEBUI_PYTHON, reason="ONRECORD_OPENWEBUI names a Python that has open-webui")
def test_open_webui_lists_the_strategies_and_shows_answers(address: str, tmp_path: Path) -> None:
    with open_webui(address, tmp_path) as client:
        models = {model["id"] for model in client.get("/api/models").json()["data"]}
        assert {"onrecord", "onrecord/balanced"} <= models
        asked = {"model": "onrecord/balanced", "messages": [{"role": "user", "content": QUESTION}]}
        whole = client.post("/api/chat/completions", json=asked)
        text = whole.json()["choices"][0]["message"]["content"]
        assert "“" in text and "\n\n[1] " in text
        streamed = client.post("/api/chat/completions", json={**asked, "stream": True})
        assert text_of(streamed.text) == text


LIBRECHAT = {
    "model": "onrecord",
    "temperature": 1,
    "top_p": 1,
    "presence_penalty": 0,
    "frequency_penalty": 0,
    "user": "665f1c",
    "stream": True,
}
OPEN_WEBUI = {
    "model": "onrecord/balanced",
    "stream": True,
    "stream_options": {"include_usage": True},
    "temperature": 0.8,
    "max_tokens": 512,
    "stop": None,
    "chat_id": "c1",
    "session_id": "s1",
    "id": "m1",
    "features": {"image_generation": False, "web_search": False},
    "variables": {"{{USER_NAME}}": "Ann"},
    "background_tasks": {"title_generation": False},
    "tool_ids": [],
    "files": [],
    "metadata": {"user_id": "u1"},
}


@pytest.mark.parametrize("sent", [LIBRECHAT, OPEN_WEBUI], ids=["LibreChat", "Open WebUI"])
def test_front_ends_get_a_stream_for_what_they_send(address: str, sent: dict[str, Any]) -> None:
    """A request with the fields that LibreChat or Open WebUI sends gets a stream."""
    messages = [{"role": "system", "content": "You are kind."}, {"role": "user", "content": QUESTION}]
    reply = httpx.post(f"{address}/chat/completions", json={**sent, "messages": messages}, timeout=60)
    assert reply.status_code == 200 and reply.headers["content-type"].startswith("text/event-stream")
    assert "\n\n[1] " in text_of(reply.text)
    assert json.loads(reply.text.split("\n\n")[0].removeprefix("data: "))["model"] == sent["model"]


def text_of(stream: str) -> str:
    """Return the text of a stream of events, and check that the stream is complete."""
    *events, done = filter(None, stream.split("\n\n"))
    assert done == "data: [DONE]"
    pieces = [json.loads(event.removeprefix("data: ")) for event in events]
    return "".join(piece["choices"][0]["delta"].get("content", "") for piece in pieces if piece["choices"])
