"""Front ends that speak OpenAI's protocol: requests as they send them, and LangChain itself. LangChain has an
environment of its own: `PYTHON_WITH_LANGCHAIN` is the path of a Python that has `langchain-openai`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
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
    told = json.loads(done.stdout.splitlines()[-1])
    assert "“" in told["whole"] and "\n\n[1] " in told["whole"] and told["streamed"] == told["whole"]
    assert "'tools' is not supported" in told["refused"]


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
    messages = [{"role": "system", "content": "You are kind."}, {"role": "user", "content": QUESTION}]
    reply = httpx.post(f"{address}/chat/completions", json={**sent, "messages": messages}, timeout=60)
    assert reply.status_code == 200 and reply.headers["content-type"].startswith("text/event-stream")
    *events, done, _ = reply.text.split("\n\n")
    assert done == "data: [DONE]"
    pieces = [json.loads(event.removeprefix("data: ")) for event in events]
    text = "".join(piece["choices"][0]["delta"].get("content", "") for piece in pieces if piece["choices"])
    assert "\n\n[1] " in text and pieces[0]["model"] == sent["model"]
