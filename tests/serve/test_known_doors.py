"""Facts that the archive knows are at the start of an answer in every interface."""

from __future__ import annotations

import json
from pathlib import Path

import anyio
import pytest
from click.testing import CliRunner
from mcp import Client
from starlette.testclient import TestClient

from onrecord.serve.cli import main
from onrecord.types import Plan
from server_world import World, chat, parts_of, running

COUNT, FACT = "How many episodes are there?", "There are 5 recordings."
FIRST = "When was freight first mentioned?"
FIRST_MENTION = '"freight" is said in '


def test_the_library_searches_for_nothing_that_is_known(world: World) -> None:
    archive = world.open("one")
    for _ in range(2):  # the second answer comes from the cache
        answer = archive.ask(COUNT)
        assert answer.text.startswith(f"{FACT}\nThe Night Desk 42")
        assert answer.verdict == "answered" and not answer.evidence.moments and not answer.citations
        assert isinstance(answer.evidence.plan, Plan) and answer.evidence.plan.settled
    assert archive.ask(COUNT, "direct").text.startswith(FACT)
    assert archive.search(COUNT).moments, "a search is for what is said"


def test_a_fact_is_remembered_until_something_is_added(tmp_path: Path) -> None:
    world = World(tmp_path)
    archive = world.open("two")
    assert archive.ask(COUNT).text.startswith("There is 1 recording.")
    (tmp_path / "more.txt").write_text("Ann: Another one.\n")
    archive.add(tmp_path / "more.txt")
    assert archive.ask(COUNT).text.startswith("There are 2 recordings.")


def test_a_place_is_cited_and_quotes_follow(world: World) -> None:
    """The first mention of a word is cited, and other quotes follow it."""
    answer = world.open("one").ask(FIRST)
    assert answer.text.startswith(FIRST_MENTION) and answer.verdict == "answered"
    first = answer.citations[0]
    assert "freight" in first.quote and first.link and first.link.endswith(f"t={int(first.start or 0)}")
    assert len(answer.citations) > 1


@pytest.mark.parametrize(("question", "fact"), [(COUNT, FACT), (FIRST, FIRST_MENTION)])
def test_over_http(client: TestClient, question: str, fact: str) -> None:
    reply = client.post("/api/ask", json={"question": question, "workspace": "one"}).json()
    assert reply["text"].startswith(fact) and reply["verdict"] == "answered" and reply["heading"] == ""
    assert reply["plan"]["facts"][0]["text"].startswith(fact)
    plan = client.post("/api/plan", json={"question": question, "workspace": "one"}).json()
    assert plan["facts"] == reply["plan"]["facts"]
    parts = parts_of(client.post("/api/chat", json=chat(question)).text)
    assert next(part["delta"] for part in parts if part["type"] == "text-delta").startswith(fact)
    known = next(part["data"] for part in parts if part["type"] == "data-answer")
    assert known["verdict"] == "answered" and known["confidence"] == 1.0
    text = client.post("/api/chat?protocol=text", json=chat(question)).text
    assert text.startswith(fact)
    whole = client.post(
        "/v1/chat/completions",
        json={"model": "onrecord", "messages": [{"role": "user", "content": question}]},
    ).json()
    assert whole["choices"][0]["message"]["content"].startswith(fact)


def test_from_the_command_line(world: World) -> None:
    place = ["--archive", str(world.folder / "talks.db"), "--workspace", "one"]
    run = CliRunner(env={"ONRECORD_EMBEDDING__MODEL": "hashing", "ONRECORD_CACHE__RESULTS": "0"})

    def shown(*words: str) -> str:
        return run.invoke(main, [*words, *place], catch_exceptions=False).stdout

    assert shown("ask", COUNT).startswith(f"{FACT}\n")
    assert shown("ask", COUNT, "--markdown").startswith(f"{FACT}\\\nThe Night Desk 42")
    assert json.loads(shown("ask", COUNT, "--json"))["plan"]["facts"][0]["text"] == FACT
    assert f"\nknows       {FACT}\n            The Night Desk 42" in shown("plan", COUNT)
    assert "known without a search" in shown("ask", COUNT, "--explain")
    assert shown("ask", FIRST).startswith(FIRST_MENTION)


def test_over_the_model_context_protocol(world: World) -> None:
    async def ask(address: str) -> str:
        async with Client(f"{address}/mcp") as client:
            result = await client.call_tool("ask", {"question": COUNT})
            return str((result.structured_content or {})["text"])

    with running(world.app()) as address:
        assert anyio.run(ask, address).startswith(FACT)
