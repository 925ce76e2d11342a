"""Several questions in one text are answered one by one in every interface."""

from __future__ import annotations

import json

import anyio
import pytest
from click.testing import CliRunner
from mcp import Client
from starlette.testclient import TestClient

from onrecord.serve.cli import main
from server_world import World, chat, parts_of, running

ASKED = "What was decided?? What does Kelly say about tariffs?? How many episodes are there??"
QUESTIONS = ["What was decided?", "What does Kelly say about tariffs?", "How many episodes are there?"]
FACT = "There are 5 recordings."


def in_order(text: str) -> bool:
    """Return whether each question is above its own answer."""
    if not all(question in text for question in QUESTIONS):
        return False
    decided, second, known = (text.index(question) for question in QUESTIONS)
    there = "It is decided." in text[decided:second] and "Brendan Kelly" in text[second:known]
    return decided < second < known < text.index(FACT) and there


def test_from_the_library(world: World) -> None:
    archive = world.open("one")
    for _ in range(2):
        answer = archive.ask(ASKED)
        assert in_order(answer.text) and answer.verdict == "answered" and answer.question == ASKED
        assert [c.number for c in answer.citations] == list(range(1, len(answer.citations) + 1))
        assert all(f"[{c.number}]" in answer.text for c in answer.citations)
    plan = archive.plan(ASKED)
    assert [*plan.queries] == QUESTIONS
    assert [part.strategy for part in plan.parts][:2] == ["acts", "balanced"] and plan.parts[2].settled
    assert not plan.settled and plan == answer.evidence.plan


def test_each_is_answered_as_it_is_alone(world: World) -> None:
    archive = world.open("one")
    together = archive.ask(ASKED)
    for question in QUESTIONS[:2]:
        alone = archive.ask(question)
        assert alone.citations[0].quote in {citation.quote for citation in together.citations}


def test_facts_alone_are_no_search(world: World) -> None:
    """Questions that the archive answers from its catalog run no search."""
    answer = world.open("one").ask("How many episodes are there? Who speaks in Night Desk 41?")
    assert not answer.evidence.moments and answer.confidence == 1.0 and not answer.citations
    assert world.open("one").search("How many episodes are there? Who speaks in Night Desk 41?").moments


@pytest.mark.parametrize("strategy", ["direct", "balanced", "summary"])
def test_whatever_the_strategy(world: World, strategy: str) -> None:
    """With an explicit strategy, each question uses it, and facts are still answered."""
    answer = world.open("one").ask(ASKED, strategy)
    assert answer.evidence.plan
    assert [part.strategy for part in answer.evidence.plan.parts] == [strategy] * 3
    assert FACT in answer.text


def test_over_http(client: TestClient) -> None:
    reply = client.post("/api/ask", json={"question": ASKED, "workspace": "one"}).json()
    assert in_order(reply["text"]) and reply["verdict"] == "answered"
    assert [part["strategy"] for part in reply["plan"]["parts"]][:2] == ["acts", "balanced"]
    assert client.post("/api/plan", json={"question": ASKED, "workspace": "one"}).json() == reply["plan"]
    parts = parts_of(client.post("/api/chat", json=chat(ASKED)).text)
    assert in_order("".join(part["delta"] for part in parts if part["type"] == "text-delta"))
    assert client.post("/api/search", json={"words": ASKED, "workspace": "one"}).json()["moments"]
    whole = client.post(
        "/v1/chat/completions",
        json={"model": "onrecord", "messages": [{"role": "user", "content": ASKED}]},
    ).json()
    assert in_order(whole["choices"][0]["message"]["content"])


def test_a_follow_up_goes_on_from_the_last(world: World) -> None:
    """A follow-up refers to the last question of a text with several."""
    from onrecord.types import Exchange

    before = [Exchange("How many episodes are there? What does Kelly say about tariffs?")]
    plan = world.open("one").plan("And Priya?", history=before)
    assert [filter_.value for filter_ in plan.filters] == ["Priya Raman"] and "tariffs" in plan.text


def test_from_the_command_line(world: World) -> None:
    place = ["--archive", str(world.folder / "talks.db"), "--workspace", "one"]
    run = CliRunner(env={"ONRECORD_EMBEDDING__MODEL": "hashing", "ONRECORD_CACHE__RESULTS": "0"})

    def shown(*words: str) -> str:
        return run.invoke(main, [*words, *place], catch_exceptions=False).stdout

    assert in_order(shown("ask", ASKED))
    assert json.loads(shown("ask", ASKED, "--json"))["plan"]["queries"] == QUESTIONS
    markdown = shown("ask", ASKED, "--markdown")
    assert all(question in markdown for question in QUESTIONS)
    plan = shown("plan", ASKED)
    assert (
        plan.count("looks for") == 3
        and f"asks        {QUESTIONS[0]}" in plan
        and f"knows       {FACT}" in plan
    )
    assert "3 questions, one by one" in shown("ask", ASKED, "--explain")


def test_over_the_model_context_protocol(world: World) -> None:
    async def ask(address: str) -> str:
        async with Client(f"{address}/mcp") as client:
            result = await client.call_tool("ask", {"question": ASKED})
            return str((result.structured_content or {})["text"])

    with running(world.app()) as address:
        assert in_order(anyio.run(ask, address))
